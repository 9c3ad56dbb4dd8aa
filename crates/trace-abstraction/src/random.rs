//! Random programs with two or three threads, small values and loops: the verdict is that of an exploration by the VM, with and without reduction, and
//! proofs are accepted.

use raddle_base::Budget;
use raddle_flow::Options as FlowOptions;
use raddle_ir::Property;
use raddle_ir::text::parse_program;
use raddle_proof::{Claim, check_product};
use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

use crate::{Answer, Options, Reduction, decide};

/// How many programs are tried.
const PROGRAMS: u64 = 60;

/// Numbers that look random (Marsaglia 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn cell(&mut self) -> &'static str {
        if self.below(2) == 0 { "x" } else { "y" }
    }
}

/// A few statements of a thread; its register `r1` is a number below four.
fn statements(numbers: &mut Numbers, count: u64) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let (cell, other, value) = (numbers.cell(), numbers.cell(), numbers.below(4));
        text += &match numbers.below(8) {
            0 | 1 => format!(" r1 = load i32 [@{cell}]"),
            2 => format!(" store i32 [@{cell}], r1"),
            3 => format!(" store i32 [@{cell}], i32 {value}"),
            4 => " r1 = add r1, i32 1 r1 = and r1, i32 3".to_owned(),
            5 => format!(
                " atomic_begin r1 = load i32 [@{cell}] r1 = add r1, i32 1 r1 = and r1, i32 3 store i32 [@{other}], r1 atomic_end"
            ),
            6 => " r1 = havoc h0 r1 = and r1, i32 3".to_owned(),
            _ => format!(" lock [@m] r1 = load i32 [@{cell}] store i32 [@{other}], r1 unlock [@m]"),
        };
    }
    text
}

/// A thread: a loop, perhaps without end (with a visible step in it), between pieces; and perhaps a check of what it sees.
fn thread(numbers: &mut Numbers, checks: bool) -> String {
    let counts = [1 + numbers.below(2), 1 + numbers.below(2), numbers.below(2)];
    let [first, second, third] = counts.map(|count| statements(numbers, count));
    let (value, back) = (numbers.below(4), if numbers.below(3) == 0 { "b1" } else { "b3" });
    let (cell, other, one, two) = (numbers.cell(), numbers.cell(), numbers.below(4), numbers.below(4));
    let check = format!(
        " r1 = load i32 [@{cell}] r4 = load i32 [@{other}] r3 = not_equal r1, i32 {one} r5 = not_equal r4, i32 {two}
        r3 = or r3, r5 check assertion r3, \"rare\""
    );
    let check = if checks { check } else { String::new() };
    format!(
        "b0: r1 = i32 0 {first} jump b1 b1: r3 = equal r1, i32 {value} branch r3, b2, b3 b2: r4 = load i32 [@x] {second} jump {back} b3: {third} {check}"
    )
}

fn program(seed: u64) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        numbers.below(2);
    }
    let mut text = "program pointer_bits 64 entry f0 havoc h0 \"input\" i32".to_owned();
    for (index, name) in ["m", "x", "y"].into_iter().enumerate() {
        text += &format!(" global g{index} \"{name}\" size 4 align 4 shape signed i32 {{}}");
    }
    let registers = "r1: i32, r2: i32, r3: i1, r4: i32, r5: i1";
    let checker = numbers.below(3);
    let [one, two] = [0, 1].map(|index| thread(&mut numbers, checker == index));
    let joins = if numbers.below(2) == 0 { " join r2" } else { "" };
    let main = thread(&mut numbers, checker == 2);
    let main = main.replacen("b0:", "b0: r2 = fork @one(null) r2 = fork @two(null)", 1);
    let main = main.replacen("b3:", &format!("b3:{joins}"), 1);
    text += &format!(" function f0 \"main\" () {{ registers r0: i32, {registers} {main} return }}");
    for (index, (name, body)) in [("one", one), ("two", two)].into_iter().enumerate() {
        let number = index + 1;
        text += &format!(
            " function f{number} \"{name}\" (r0) -> ptr {{ registers r0: ptr, {registers} {body} return null }}"
        );
    }
    text
}

/// Whether a check may fail, as error traces say; none if they do not.
fn decided(text: &str, reduction: Reduction) -> Option<bool> {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let flow = raddle_flow::build(&program, &FlowOptions::default(), &Budget::unlimited())
        .unwrap_or_else(|refused| panic!("{refused}"));
    let has_checks = !flow.checks.is_empty();
    let options = Options { reduction, most_threads: 3, most_rounds: 20 };
    let (answer, _) = decide(&program, flow, options, &Budget::unlimited());
    match answer.expect("there is no limit") {
        Answer::Safe(certificate) => {
            let excused = FlowOptions::default().excused;
            let claim = Claim { program: &program, asked: vec![Property::Assertion], excused };
            // A program in which nothing can fail has nothing to be shown.
            let checked = check_product(&claim, &certificate, &Budget::unlimited());
            assert!(checked.is_ok() || !has_checks, "{reduction:?}: {checked:?} of\n{text}");
            Some(false)
        }
        Answer::Bug(_) => Some(true),
        Answer::Open(_) => None,
    }
}

#[test]
fn verdicts_on_random_programs_are_those_of_an_exploration() {
    let (mut broken, mut right, mut open) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let parsed = parse_program(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let vm = Vm::checking(&parsed, &[Property::Assertion]);
        let found = explore(&vm, &Search { symmetry: false, max_states: 200_000, ..Search::default() });
        assert!(found.limit.is_none());
        let fails = found.breaks(Property::Assertion);
        for reduction in [Reduction::PartialOrder, Reduction::None] {
            match decided(&text, reduction) {
                // The VM tries some inputs only: a bug that it does not find may be there.
                Some(verdict) if verdict != fails => {
                    assert!(found.sampled && verdict, "{reduction:?}: {verdict}, not {fails}, of\n{text}");
                    open += 1;
                }
                Some(true) => broken += 1,
                Some(false) => right += 1,
                None => open += 1,
            }
        }
    }
    assert!(broken >= 6 && right >= 60 && open <= 40, "{broken} broken, {right} right, {open} open");
}
