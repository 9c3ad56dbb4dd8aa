//! Random programs, with all predicates about the few values that their variables have. With these the product is as exact as an
//! exploration by the VM, whose verdict it must have, with any reduction.

use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

use super::*;

/// How many programs are tried.
const PROGRAMS: u64 = 50;

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
fn statements(numbers: &mut Numbers, count: u64) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let (cell, other) = (numbers.cell(), numbers.cell());
        let value = numbers.below(4);
        text += &match numbers.below(9) {
            0 | 1 => format!("  r1 = load i32 [@{cell}]\n"),
            2 => format!("  store i32 [@{cell}], r1\n"),
            3..=5 => format!("  store i32 [@{cell}], i32 {value}\n"),
            6 => "  r1 = add r1, i32 1\n  r1 = and r1, i32 3\n".to_owned(),
            7 => format!(
                "  atomic_begin\n  r1 = load i32 [@{cell}]\n  r1 = add r1, i32 1\n  r1 = and r1, i32 3\n  store i32 [@{other}], r1\n  atomic_end\n"
            ),
            _ => {
                format!("  lock [@m]\n  r1 = load i32 [@{cell}]\n  store i32 [@{other}], r1\n  unlock [@m]\n")
            }
        };
    }
    text
}

/// What must not be found, and is seldom: two cells with two values, one after the other.
fn check(numbers: &mut Numbers) -> String {
    let (cell, other) = (numbers.cell(), numbers.cell());
    let (first, second) = (numbers.below(4), numbers.below(4));
    format!(
        "  r1 = load i32 [@{cell}]\n  r3 = load i32 [@{other}]\n  r2 = not_equal r1, i32 {first}\n  r4 = not_equal r3, i32 {second}\n  r2 = or r2, r4\n  check assertion r2, \"rare\"\n"
    )
}

/// A thread: a piece, perhaps a loop or a fork, and a piece behind a branch.
fn thread(numbers: &mut Numbers, checks: bool, forks: bool) -> String {
    let counts = [1 + numbers.below(2), numbers.below(2), numbers.below(2)];
    let [mut first, second, mut third] = counts.map(|count| statements(numbers, count));
    let (value, back) = (numbers.below(4), if numbers.below(4) == 0 { "b1" } else { "b3" });
    if forks {
        let fork = "  r0 = fork @two(null)\n";
        if back == "b3" && numbers.below(2) == 0 { first += fork } else { third = fork.to_owned() + &third }
    }
    if checks {
        third += &check(numbers);
    }
    format!(
        "b0:\n  r1 = i32 0\n  r3 = i32 0\n  jump b1\nb1:\n{first}  r2 = equal r1, i32 {value}\n  branch r2, b2, b3\nb2:\n{second}  jump {back}\nb3:\n{third}"
    )
}

/// Three or four threads, of which one checks something.
fn program(seed: u64) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        numbers.below(2);
    }
    let mut text = "program pointer_bits 64 entry f2\n".to_owned();
    for (index, name) in ["m", "x", "y", "z"].into_iter().enumerate() {
        text += &format!("global g{index} \"{name}\" size 4 align 4 shape signed i32 {{ }}\n");
    }
    let registers = "r0: i32, r1: i32, r2: i1, r3: i32, r4: i1";
    let (checker, forks) = (numbers.below(3), numbers.below(3) == 0);
    for (index, name) in ["one", "two"].into_iter().enumerate() {
        let body = thread(&mut numbers, checker == index as u64, forks && index == 0);
        text += &format!(
            "function f{index} \"{name}\" (r5) -> ptr {{\n  registers {registers}, r5: ptr \"a\"\n{body}  return null\n}}\n"
        );
    }
    text +=
        &format!("function f2 \"main\" () {{\n  registers {registers}\nb0:\n  r1 = i32 0\n  r3 = i32 0\n");
    for index in 0..2 {
        let started = if numbers.below(2) == 0 || (forks && index == 0) { "one" } else { "two" };
        text += &format!("  r0 = fork @{started}(null)\n");
        let count = numbers.below(2);
        text += &statements(&mut numbers, count);
        if numbers.below(3) == 0 {
            text += "  join r0\n";
        }
    }
    if checker == 2 {
        text += &check(&mut numbers);
    }
    text + "  return\n}\n"
}

/// With predicates for all values.
fn case(text: &str) -> Case {
    let mut case = Case::new(text, &["main", "one", "two"], &["m", "x", "y", "z"], 5);
    let mut nodes: Vec<Node> = (0..4).map(Node::Shared).collect();
    for slot in 0..5 {
        nodes.extend([0, 1, 3].map(|index| register(slot, index)));
    }
    for node in nodes {
        for value in 0..6 {
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
    assert!(broken >= 4 && right >= 30, "{broken} broken, {right} right");
}
