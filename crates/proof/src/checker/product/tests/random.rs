//! Random programs, with all predicates about the few values that their variables have. With these the product is as exact as an
//! exploration by the VM, whose verdict it must have, with any reduction.

use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

use super::*;

/// How many programs are tried.
const PROGRAMS: u64 = 120;

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
        ["x", "y", "z"][usize::try_from(self.below(3)).unwrap()]
    }
}

/// A few statements of a thread; its register `r1` is a number below four.
fn statements(numbers: &mut Numbers, count: u64, checks: bool) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let (cell, other) = (numbers.cell(), numbers.cell());
        let value = numbers.below(4);
        text += &match numbers.below(if checks { 9 } else { 7 }) {
            0 | 1 => format!("  r1 = load i32 [@{cell}]\n"),
            2 => format!("  store i32 [@{cell}], r1\n"),
            3 => format!("  store i32 [@{cell}], i32 {value}\n"),
            4 => "  r1 = add r1, i32 1\n  r1 = and r1, i32 3\n".to_owned(),
            5 => format!(
                "  atomic_begin\n  r1 = load i32 [@{cell}]\n  r1 = add r1, i32 1\n  r1 = and r1, i32 3\n  store i32 [@{other}], r1\n  atomic_end\n"
            ),
            6 => {
                format!("  lock [@m]\n  r1 = load i32 [@{cell}]\n  store i32 [@{other}], r1\n  unlock [@m]\n")
            }
            _ => format!("  r2 = not_equal r1, i32 {value}\n  check assertion r2, \"no {value}\"\n"),
        };
    }
    text
}

/// A thread: a piece, perhaps a loop, and a piece behind a branch.
fn thread(numbers: &mut Numbers) -> String {
    let (first, second, third) = (1 + numbers.below(3), 1 + numbers.below(2), numbers.below(2));
    let checks = numbers.below(2) == 0;
    let (first, second, third) = (
        statements(numbers, first, checks),
        statements(numbers, second, checks),
        statements(numbers, third, checks),
    );
    let (value, back) = (numbers.below(4), if numbers.below(3) == 0 { "b1" } else { "b3" });
    format!(
        "b0:\n  r1 = i32 0\n  jump b1\nb1:\n{first}  r2 = equal r1, i32 {value}\n  branch r2, b2, b3\nb2:\n{second}  jump {back}\nb3:\n{third}  return null\n"
    )
}

fn program(seed: u64) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        numbers.below(2);
    }
    let mut text = "program pointer_bits 64 entry f2\n".to_owned();
    for (index, name) in ["m", "x", "y", "z"].into_iter().enumerate() {
        text += &format!("global g{index} \"{name}\" size 4 align 4 shape signed i32 {{ }}\n");
    }
    let registers = "r1: i32, r2: i1";
    for name in ["f0 \"one\"", "f1 \"two\""] {
        let body = thread(&mut numbers);
        text +=
            &format!("function {name} (r0) -> ptr {{\n  registers r0: ptr \"a\", {registers}\n{body}}}\n");
    }
    text += &format!("function f2 \"main\" () {{\n  registers r0: i32, {registers}\nb0:\n  r1 = i32 0\n");
    for index in 0..2 {
        let started = if numbers.below(2) == 0 { "one" } else { "two" };
        text += &format!("  r0 = fork @{started}(null)\n");
        let count = numbers.below(2);
        text += &statements(&mut numbers, count, true);
        if index == 1 || numbers.below(4) == 0 {
            if numbers.below(2) == 0 {
                text += "  join r0\n";
            }
            let count = numbers.below(3);
            text += &statements(&mut numbers, count, true);
        }
    }
    text + "  return\n}\n"
}

/// With predicates for all values.
fn case(text: &str) -> Case {
    let mut case = Case::new(text, &["main", "one", "two"], &["m", "x", "y", "z"], 3);
    let mut nodes: Vec<Node> = (0..4).map(Node::Shared).collect();
    nodes.extend((0..3).map(|slot| register(slot, 1)));
    nodes.push(register(0, 0));
    for node in nodes {
        for value in 0..4 {
            let is = case.is(node.clone(), value);
            case.predicate(is);
        }
    }
    case
}

#[test]
fn verdicts_on_random_programs_are_those_of_an_exploration() {
    let (mut broken, mut right) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let case = case(&text);
        let vm = Vm::checking(&case.program, &case.asked);
        let found = explore(&vm, &Search { symmetry: false, max_states: 200_000, ..Search::default() });
        assert!(found.limit.is_none() && !found.sampled);
        let fails = found.breaks(Property::Assertion);
        *(if fails { &mut broken } else { &mut right }) += 1;
        for preference in [Preference::Lower, Preference::Higher, Preference::None] {
            let mut case = case.clone();
            case.certificate.preference = preference.clone();
            let verdict = case.check();
            // A program in which nothing can fail has nothing to be shown.
            let is_proved = match verdict {
                Ok(_) => true,
                Err(why) => why.to_string().contains("no obligations"),
            };
            assert_eq!(is_proved, !fails, "{preference:?} of\n{text}");
        }
    }
    assert!(broken >= PROGRAMS / 5 && right >= PROGRAMS / 5, "{broken} broken, {right} right");
}
