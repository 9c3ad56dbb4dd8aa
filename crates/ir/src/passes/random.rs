//! Passes and trip counts against execution, on random programs: all interleavings of the original and of the changed
//! program are explored, and must break the same checks and end in the same states.

use crate::analyses::cfg::ControlFlow;
use crate::analyses::dominators::Dominators;
use crate::analyses::loops::Loops;
use crate::analyses::trip_count::{TripCount, TripCounts};
use crate::passes::simplify::simplify;
use crate::passes::spin::{SpinOptions, convert_spin_loops};
use crate::program::{FunctionId, Program};
use crate::test_run::{count_blocks, explore};
use crate::text::{parse_program, print_program};
use crate::validate::validate;
use raddle_base::Id;

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let limit = u64::try_from(choices.len()).expect("few choices");
        choices[usize::try_from(self.below(limit)).expect("few choices")]
    }
}

/// An operand of 8 bits.
fn number(random: &mut Random) -> String {
    match random.below(3) {
        0 => format!("i8 {}", random.below(3)),
        _ => format!("r{}", 1 + random.below(3)),
    }
}

/// r1, r2, r3 are numbers, r4 and r5 conditions.
fn inst(random: &mut Random, writes: bool) -> String {
    let address = random.pick(&["@a", "@b"]);
    let dest = format!("r{}", 1 + random.below(3));
    let (a, b) = (number(random), number(random));
    match random.below(if writes { 10 } else { 8 }) {
        0 | 1 => format!("{dest} = load i8 [{address}]"),
        2 | 3 => {
            let op = random.pick(&["equal", "not_equal", "signed_less", "unsigned_less_equal"]);
            format!("r{} = {op} {a}, {b}", 4 + random.below(2))
        }
        4 => format!("{dest} = {} {a}, {b}", random.pick(&["add", "sub", "mul", "xor", "signed_div", "shl"])),
        5 => format!("{dest} = {a}"),
        6 => format!("check assertion r{}, \"check {}\"", 4 + random.below(2), random.below(4)),
        7 => format!("{dest} = compare_exchange i8 [{address}], {a}, {b} seq_cst"),
        8 => format!("{dest} = havoc h0"),
        _ => format!("store i8 [{address}], {a}"),
    }
}

/// A function with random blocks and jumps.
fn function(random: &mut Random, name: &str, id: usize, writes: bool) -> String {
    use std::fmt::Write;
    let blocks = 2 + random.below(4);
    let mut text = format!(
        "function f{id} \"{name}\" (r0) -> ptr {{
         registers r0: ptr, r1: i8, r2: i8, r3: i8, r4: i1, r5: i1
         b0: r1 = i8 0 r2 = i8 1 r3 = i8 2 r4 = true r5 = false jump b1\n"
    );
    for block in 1..=blocks {
        write!(text, "b{block}: ").expect("strings take it");
        for _ in 0..random.below(4) {
            write!(text, "{} ", inst(random, writes)).expect("strings take it");
        }
        let target = |random: &mut Random| 1 + random.below(blocks);
        let last = match random.below(5) {
            0 => format!("jump b{}", target(random)),
            1 => "return null".to_owned(),
            2 => format!(
                "switch r1 {{ 0: b{}, 1..3: b{}, default: b{} }}",
                target(random),
                target(random),
                target(random)
            ),
            _ => format!("branch r{}, b{}, b{}", 4 + random.below(2), target(random), target(random)),
        };
        writeln!(text, "{last}").expect("strings take it");
    }
    text + "}\n"
}

/// A loop that waits for `a` or `b`, perhaps with something in it that makes it no spin loop, and then shows what it read.
fn waiting_function(random: &mut Random) -> String {
    let block = |random: &mut Random, address: &str, register: u64| {
        let extra = match random.below(8) {
            0 => "r3 = add r3, i8 1 ".to_owned(),
            1 => format!("store i8 [{}], r{} ", random.pick(&["@a", "@b"]), 1 + random.below(2)),
            2 => format!(
                "r3 = compare_exchange i8 [@b], i8 {}, i8 {} seq_cst ",
                random.below(2),
                random.below(2)
            ),
            3 => format!("check assertion r4, \"check {}\" ", random.below(2)),
            _ => String::new(),
        };
        let test = random.pick(&["equal", "not_equal"]);
        // Mostly on to the next load or out on one side and back on the other.
        let onward = if register == 1 { 2 } else { 4 };
        let (yes, no) = match random.below(5) {
            0 | 1 => (onward, 1),
            2 | 3 => (3, onward),
            _ => (1 + random.below(4), 1 + random.below(4)),
        };
        let value = random.below(2);
        let (before, after) = if random.below(2) == 0 { (extra.as_str(), "") } else { ("", extra.as_str()) };
        format!(
            "{before}r{register} = load i8 [{address}] {after}r4 = {test} r{register}, i8 {value} branch r4, b{yes}, b{no}"
        )
    };
    let (first, second) = (block(random, "@a", 1), block(random, "@b", 2));
    let show = random.pick(&[
        "",
        "store i8 [@a], r1 ",
        "store i8 [@b], r3 ",
        "store i8 [@a], r1 store i8 [@b], r2 ",
    ]);
    format!(
        "function f1 \"first\" (r0) -> ptr {{ registers r0: ptr, r1: i8, r2: i8, r3: i8, r4: i1
         b0: r1 = i8 0 r2 = i8 0 r3 = i8 0 r4 = true jump b1 b1: {first} b2: {second} b3: jump b1
         b4: {show}return null }}"
    )
}

/// A thread that stores a few times, perhaps waiting for the other one in between.
fn storing_function(random: &mut Random) -> String {
    let mut text = "function f2 \"second\" (r0) -> ptr { registers r0: ptr, r1: i8, r2: i1 b0: ".to_owned();
    for block in 1..=1 + random.below(4) {
        text += &format!("store i8 [{}], i8 {} ", random.pick(&["@a", "@b"]), random.below(2));
        if random.below(3) == 0 {
            text += &format!(
                "r1 = load i8 [{}] r2 = equal r1, i8 {} assume r2 jump b{block} b{block}: ",
                random.pick(&["@a", "@b"]),
                random.below(2)
            );
        } else {
            text += &format!("jump b{block} b{block}: ");
        }
    }
    text + "return null }"
}

/// Two threads.
fn program(first: &str, second: &str) -> Program {
    let text = format!(
        "program pointer_bits 64 entry f0 havoc h0 \"n\" i8
         global g0 \"a\" size 1 align 1 {{ }} global g1 \"b\" size 1 align 1 {{ }}
         function f0 \"main\" () {{ registers r0: i32 b0: r0 = fork @first(null) r0 = fork @second(null) return }}
         {first} {second}"
    );
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(validate(&program), [], "{text}");
    program
}

/// Both programs do the same; returns whether that could be seen.
fn same(original: &Program, changed: &Program) -> bool {
    let threads = [FunctionId::from_index(1), FunctionId::from_index(2)];
    let (before, after) = (explore(original, &threads), explore(changed, &threads));
    if before.cut || after.cut {
        return false;
    }
    assert_eq!(before, after, "{}\n{}", print_program(original, None), print_program(changed, None));
    true
}

#[test]
fn simplified_programs_do_the_same() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..150 {
        let first = function(&mut random, "first", 1, true);
        let original = program(&first, &storing_function(&mut random));
        let mut changed = original.clone();
        simplify(&mut changed);
        compared += u32::from(same(&original, &changed));
    }
    assert!(compared > 75, "only {compared} could be compared");
}

#[test]
fn spin_loops_turned_to_waits_do_the_same() {
    let mut random = Random(2);
    let mut converted = [0; 3];
    let options = [
        SpinOptions::default(),
        SpinOptions { data_races: true, deadlocks: false },
        SpinOptions { data_races: false, deadlocks: true },
    ];
    for _ in 0..500 {
        let first = match random.below(4) {
            0 => function(&mut random, "first", 1, false),
            _ => waiting_function(&mut random),
        };
        let original = program(&first, &storing_function(&mut random));
        for (index, options) in options.into_iter().enumerate() {
            let mut changed = original.clone();
            let waits = convert_spin_loops(&mut changed, options);
            if !waits.is_empty() && same(&original, &changed) {
                converted[index] += 1;
            }
        }
    }
    assert!(converted[0] > 30 && converted[1] > 30 && converted[2] > 5, "{converted:?}");
}

#[test]
fn a_loop_may_be_left_though_its_condition_never_holds_at_one_moment() {
    // Leaves when `a` was 1 and then `b` is 1; the other thread takes `a` back before it sets `b`.
    let first = "function f1 \"first\" (r0) -> ptr { registers r0: ptr, r1: i8, r2: i1
            b0: jump b1 b1: r1 = load i8 [@a] r2 = equal r1, i8 1 branch r2, b2, b1
            b2: r1 = load i8 [@b] r2 = equal r1, i8 1 branch r2, b3, b1 b3: return null }";
    let second = "function f2 \"second\" (r0) -> ptr { registers r0: ptr
        b0: store i8 [@a], i8 1 store i8 [@a], i8 0 store i8 [@b], i8 1 return null }";
    let original = program(first, second);
    let threads = [FunctionId::from_index(1), FunctionId::from_index(2)];
    assert_eq!(explore(&original, &threads).finals.len(), 1);
    for options in [SpinOptions::default(), SpinOptions { data_races: true, deadlocks: false }] {
        let mut changed = original.clone();
        assert_eq!(convert_spin_loops(&mut changed, options).len(), 1);
        assert!(same(&original, &changed));
    }
}

#[test]
fn trip_counts_are_what_execution_counts() {
    let mut random = Random(3);
    let mut known = 0;
    for _ in 0..400 {
        let (start, bound, step) = (random.below(256), random.below(256), random.below(5));
        let stay = random.pick(&["signed_less", "signed_less_equal", "not_equal", "unsigned_less", "equal"]);
        let update = random.pick(&["add", "sub", "mul", "shl"]);
        let (a, b) = if random.below(2) == 0 { ("r1", "r2") } else { ("r2", "r1") };
        let at_end = random.below(2) == 0;
        let test = format!("r4 = {stay} {a}, {b}");
        let advance = format!("r1 = {update} r1, i8 {step}");
        let body = if at_end {
            format!("b1: {advance} jump b2 b2: {test} branch r4, b1, b3")
        } else {
            format!("b1: {test} branch r4, b2, b3 b2: {advance} jump b1")
        };
        let text = format!(
            "program pointer_bits 64 entry f0 function f0 \"main\" () {{ registers r0: i8, r1: i8, r2: i8, r3: i8, r4: i1
             b0: r2 = i8 {bound} r1 = i8 {start} jump b1 {body} b3: return }}"
        );
        let program = parse_program(&text).expect("parses");
        let function = &program.functions[program.entry];
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(&flow, function.blocks.len());
        let loops = Loops::new(function, &flow, &dominators);
        let id = loops.loops.ids().next().expect("a loop");
        let count = TripCounts::new(function, &flow, &dominators, &loops).count(id);
        let run = count_blocks(&program, program.entry);
        match (count, run) {
            (Some(TripCount { most, exact }), Some(counts)) => {
                assert!(exact);
                assert_eq!(most + 1, u64::from(counts[1]), "{text}");
                known += 1;
            }
            (None, None) => {}
            (count, run) => panic!("{count:?} {run:?} {text}"),
        }
    }
    assert!(known > 100, "only {known} were known");
}
