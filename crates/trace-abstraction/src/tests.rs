//! Small programs, by hand: verdicts, with and without reduction, and certificates that the checker accepts.

use raddle_base::Budget;
use raddle_flow::Options as FlowOptions;
use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};
use raddle_proof::{Claim, check_product};

use crate::{Answer, Effort, Options, Reduction, decide};

const GLOBALS: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "input" i32
    global g0 "x" size 4 align 4 shape signed i32 {}
    global g1 "y" size 4 align 4 shape signed i32 {}
    global g2 "m" size 4 align 4 shape signed i32 {}
"#;

const REGISTERS: &str = "registers r0: ptr, r1: i32, r2: i32, r3: i1, r4: i32, r5: i32, r6: i32";

/// A main thread, and what others do.
fn program(main: &str, others: &[(&str, &str)]) -> Program {
    let mut text = format!(
        "{GLOBALS} function f0 \"main\" () {{ {} b0: {main} }}",
        REGISTERS.replace("r0: ptr", "r0: i32")
    );
    for (index, (name, body)) in others.iter().enumerate() {
        let number = index + 1;
        text += &format!(" function f{number} \"{name}\" (r0) -> ptr {{ {REGISTERS} b0: {body} }}");
    }
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    raddle_ir::validate::debug_validate(&program, "test");
    program
}

fn decided(program: &Program, options: Options) -> (Answer, Effort) {
    let flow = raddle_flow::build(program, &FlowOptions::default(), &Budget::unlimited())
        .unwrap_or_else(|refused| panic!("{refused}"));
    let (answer, effort) = decide(program, flow, options, &Budget::unlimited());
    (answer.expect("there is no limit"), effort)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Safe,
    Bug,
    Open,
}

/// The verdict is the same with and without reduction; a proof is accepted. Gives the states that were looked at with and without.
fn expect(program: &Program, expected: Expected) -> [usize; 2] {
    [Reduction::PartialOrder, Reduction::None].map(|reduction| {
        let (answer, effort) = decided(program, Options { reduction, most_threads: 4, ..Options::default() });
        let found = match &answer {
            Answer::Safe(certificate) => {
                let excused = FlowOptions::default().excused;
                let claim = Claim { program, asked: vec![Property::Assertion], excused };
                check_product(&claim, certificate, &Budget::unlimited())
                    .unwrap_or_else(|why| panic!("{reduction:?}: {why}"));
                Expected::Safe
            }
            Answer::Bug(_) => Expected::Bug,
            Answer::Open(_) => Expected::Open,
        };
        assert_eq!(found, expected, "{reduction:?}: {answer:?}");
        effort.states
    })
}

const ADD: &str = "r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1";
const JOINED: &str = "r1 = fork @work(null) r2 = fork @work(null) join r1 join r2
    r4 = load i32 [@x] r3 = equal r4, i32 2 check assertion r3, \"two\" return";

#[test]
fn a_lock_makes_two_increments_two() {
    let body = format!("lock [@m] {ADD} unlock [@m] return null");
    expect(&program(JOINED, &[("work", &body)]), Expected::Safe);
}

#[test]
fn without_it_one_may_be_lost() {
    expect(&program(JOINED, &[("work", &format!("{ADD} return null"))]), Expected::Bug);
}

#[test]
fn atomic_blocks_are_one_step() {
    let body = format!("atomic_begin {ADD} atomic_end return null");
    let states = expect(&program(JOINED, &[("work", &body)]), Expected::Safe);
    assert!(states[0] <= states[1], "{states:?}");
}

/// The trap of partial-order reductions: a thread that never ends and is independent of all others must not hide what they do.
#[test]
fn a_thread_without_end_hides_nothing() {
    let spin =
        "jump b1 b1: r1 = load i32 [@y] r1 = add r1, i32 1 r1 = and r1, i32 1 store i32 [@y], r1 jump b1";
    let write = "store i32 [@x], i32 1 return null";
    let main = "r1 = fork @spin(null) r2 = fork @write(null) r4 = load i32 [@x] r3 = equal r4, i32 0
        check assertion r3, \"zero\" return";
    expect(&program(main, &[("spin", spin), ("write", write)]), Expected::Bug);
    let never = write.replace("i32 1", "i32 0");
    expect(&program(main, &[("spin", spin), ("write", &never)]), Expected::Safe);
}

#[test]
fn loops_without_end_are_proved() {
    let toggle = "jump b1 b1: lock [@m] r1 = load i32 [@x] r1 = xor r1, i32 1 store i32 [@x], r1
        r1 = load i32 [@x] r1 = xor r1, i32 1 store i32 [@x], r1 unlock [@m] jump b1";
    let main = "r1 = fork @toggle(null) jump b1 b1: lock [@m] r4 = load i32 [@x] r3 = equal r4, i32 0
        check assertion r3, \"zero\" unlock [@m] jump b1";
    expect(&program(main, &[("toggle", toggle)]), Expected::Safe);
}

#[test]
fn independent_steps_are_made_in_one_order() {
    let local = |global: &str| {
        format!(
            "store i32 [@{global}], i32 1 store i32 [@{global}], i32 2 store i32 [@{global}], i32 3 return null"
        )
    };
    let main = "r1 = fork @one(null) r2 = fork @two(null) r5 = fork @three(null) join r1 join r2 join r5
        r4 = load i32 [@x] r3 = equal r4, i32 3 check assertion r3, \"three\" return";
    let three = program(main, &[("one", &local("x")), ("two", &local("y")), ("three", &local("m"))]);
    let [reduced, all] = expect(&three, Expected::Safe);
    assert!(2 * reduced < all, "{reduced} of {all}");
}

#[test]
fn inputs_are_any_value() {
    let main = "r1 = havoc h0 store i32 [@x], r1 r2 = fork @work(null) join r2 r4 = load i32 [@x]
        r3 = not_equal r4, i32 77 check assertion r3, \"not it\" return";
    let work = "r1 = load i32 [@x] r1 = add r1, i32 7 store i32 [@x], r1 return null";
    let (answer, _) = decided(&program(main, &[("work", work)]), Options::default());
    let Answer::Bug(execution) = answer else { panic!("{answer:?}") };
    let given: Vec<u128> = execution.steps.iter().flat_map(|step| step.havocs.clone()).collect();
    assert_eq!(given, [70]);
    let even = work.replace("add r1, i32 7", "shl r1, i32 1");
    expect(&program(main, &[("work", &even)]), Expected::Safe);
}

#[test]
fn more_threads_than_are_looked_at_are_no_proof() {
    let main = "jump b1 b1: r1 = fork @work(null) jump b1";
    let work = "r4 = load i32 [@x] r3 = equal r4, i32 0 check assertion r3, \"zero\" return null";
    let (answer, _) =
        decided(&program(main, &[("work", work)]), Options { most_threads: 3, ..Options::default() });
    assert!(matches!(&answer, Answer::Open(why) if why.contains("more than 3 threads")), "{answer:?}");
    let wrong = work.replace("i32 0", "i32 1");
    let (answer, _) =
        decided(&program(main, &[("work", &wrong)]), Options { most_threads: 3, ..Options::default() });
    assert!(matches!(answer, Answer::Bug(_)), "{answer:?}");
}

#[test]
fn a_bounded_loop_of_threads_is_proved() {
    let main = "r5 = i32 0 jump b1 b1: r3 = signed_less r5, i32 2 branch r3, b2, b3
        b2: r1 = fork @work(null) r5 = add r5, i32 1 jump b1
        b3: r4 = load i32 [@x] r3 = signed_less r4, i32 3 check assertion r3, \"at most two\" return";
    let work = format!("atomic_begin {ADD} atomic_end return null");
    expect(&program(main, &[("work", &work)]), Expected::Safe);
}
