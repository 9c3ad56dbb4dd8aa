//! Which accesses are ordered, one rule a test.

use super::*;
use crate::renaming::Renaming;
use crate::run::tests::{Fixed, parse};
use crate::state::Move;
use crate::{Options, Outcome, Unwatched, Vm, ZeroInputs, run};

/// Threads `a` and `b` run the given instructions; main starts them and joins them.
fn program(a: &str, b: &str) -> Program {
    parse(&format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 8 align 8 shape {{ low 0: signed i32, high 4: signed i32 }} {{}}
        global g1 "flag" size 4 align 4 shape signed i32 {{}}
        global g2 "m" size 4 align 4 {{}}
        global g3 "n" size 4 align 4 {{}}
        function f0 "main" () {{
          registers r0: i32, r1: i32
        b0:
          store i32 [@x], i32 7
          r0 = fork @a(null)
          r1 = fork @b(null)
          join r0
          join r1
          store i32 [@x], i32 8
          exit_process i32 0
        }}
        function f1 "a" (r0) -> ptr {{ registers r0: ptr, r1: i32, r2: i1 b0: {a} return null }}
        function f2 "b" (r0) -> ptr {{ registers r0: ptr, r1: i32, r2: i1 b0: {b} return null }}
        function f3 "api_write" () model {{ b0: atomic_begin store i32 [@x], i32 1 atomic_end return }}
        function f4 "api_copy" () model {{ b0: store i32 [@x], i32 1 return }}
        function f5 "api_lock" () model {{ b0: atomic_begin lock [@m] atomic_end return }}
        function f6 "api_unlock" () model {{ b0: atomic_begin unlock [@m] atomic_end return }}
        function f7 "api_take" () model {{
          registers r0: i32
        b0: atomic_begin r0 = rmw add i32 [@x], i32 1 acquire atomic_end return }}"#
    ))
}

/// Runs all of `a`, then all of `b`, and tells the race.
fn race(a: &str, b: &str) -> Option<String> {
    let program = program(a, b);
    let vm = Vm::new(&program);
    let mut scheduler = FirstThenSecond;
    let outcome = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched).outcome;
    if let Outcome::Violated(violation) = outcome {
        assert_eq!(violation.property, Property::DataRace, "{violation:?}");
        return Some(violation.message);
    }
    assert!(matches!(outcome, Outcome::Exited(_)), "{outcome:?}");
    None
}

/// Main while it can, then the first thread to its end, then the second.
struct FirstThenSecond;

impl crate::schedule::Scheduler for FirstThenSecond {
    fn begin(&mut self) {}
    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        enabled.first().copied()
    }
    fn end(&mut self, _: Move, _: &[u64]) {}
}

const WRITE: &str = "store i32 [@x], i32 1";
const READ: &str = "r1 = load i32 [@x]";

#[test]
fn unordered_conflicting_accesses_race_and_both_are_told() {
    assert_eq!(
        race(WRITE, READ).unwrap(),
        "data race on `x.low`: write by T1 a and read by T2 b are not ordered"
    );
    assert!(race(READ, WRITE).is_some());
    assert!(race(WRITE, WRITE).is_some());
    assert_eq!(race(READ, READ), None);
    assert_eq!(race(WRITE, "store i32 [@x+4], i32 1"), None, "other bytes");
    assert!(race(WRITE, "store i8 [@x+3], i8 1").is_some(), "some of the bytes");
    assert!(race("store i64 [@x], i64 1", "store i32 [@x+4], i32 1").is_some());
    assert!(race("store i32 [@x+4], i32 1", "r1 = load i32 [@x] store i64 [@x], i64 1").is_some());
}

#[test]
fn the_violation_carries_both_accesses() {
    let program = program(WRITE, READ);
    let vm = Vm::new(&program);
    let result = run(&vm, &mut FirstThenSecond, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    let Outcome::Violated(violation) = result.outcome else { panic!("{:?}", result.outcome) };
    let race = violation.race.unwrap();
    assert_eq!((race.first.thread, race.first.kind), (1, AccessKind::Write));
    assert_eq!((race.second.thread, race.second.kind), (2, AccessKind::Read));
    assert_eq!(race.first.place.function.to_string(), "f1");
}

#[test]
fn atomic_accesses_do_not_race_with_each_other() {
    let atomic = "store i32 [@x], i32 1 relaxed";
    assert_eq!(race(atomic, atomic), None);
    assert!(race(atomic, READ).is_some());
    assert!(race(WRITE, "r1 = load i32 [@x] acquire").is_some());
    assert!(race("r1 = rmw add i32 [@x], i32 1 seq_cst", WRITE).is_some());
}

#[test]
fn a_lock_orders_but_only_the_same_one() {
    let with = |lock: &str, inner: &str| format!("lock [@{lock}] {inner} unlock [@{lock}]");
    assert_eq!(race(&with("m", WRITE), &with("m", READ)), None);
    assert!(race(&with("m", WRITE), &with("n", READ)).is_some());
    assert!(race(&with("m", WRITE), READ).is_some());
    assert!(race(&format!("{} {WRITE}", with("m", "")), &with("m", READ)).is_some(), "after the release");
    let api = |inner: &str| format!("call @api_lock() {inner} call @api_unlock()");
    assert_eq!(race(&api(WRITE), &api(READ)), None);
}

#[test]
fn asking_about_a_lock_neither_races_nor_orders() {
    for question in ["holds_lock", "lock_is_free"] {
        let ask = format!("r2 = {question} @m");
        assert_eq!(race("store i32 [@m], i32 0", &ask), None);
        assert_eq!(race(&ask, "store i32 [@m], i32 0"), None);
        let locked = format!("lock [@m] {WRITE} unlock [@m]");
        assert!(race(&locked, &format!("{ask} {READ}")).is_some(), "{question}");
    }
}

#[test]
fn release_and_acquire_order_through_a_flag() {
    let publish = |ordering: &str| format!("{WRITE} store i32 [@flag], i32 1 {ordering}");
    let consume = |ordering: &str| format!("r1 = load i32 [@flag] {ordering} {READ}");
    assert_eq!(race(&publish("release"), &consume("acquire")), None);
    assert_eq!(race(&publish("seq_cst"), &consume("seq_cst")), None);
    assert!(race(&publish("relaxed"), &consume("acquire")).is_some());
    assert!(race(&publish("release"), &consume("relaxed")).is_some());
    assert!(race(&format!("store i32 [@flag], i32 1 release {WRITE}"), &consume("acquire")).is_some());
}

#[test]
fn release_sequences_go_on_through_updates_and_end_at_stores() {
    let publish = format!("{WRITE} store i32 [@flag], i32 1 release");
    let through = |middle: &str| format!("{middle} r1 = load i32 [@flag] acquire {READ}");
    assert_eq!(race(&publish, &through("r1 = rmw add i32 [@flag], i32 1 relaxed")), None);
    assert!(race(&publish, &through("store i32 [@flag], i32 2 relaxed")).is_some(), "another thread's");
    let goes_on = format!("{publish} store i32 [@flag], i32 2 relaxed");
    assert_eq!(race(&goes_on, &through("")), None, "the same thread's, by C11");
    let ends = format!("{publish} store i32 [@flag], i32 2");
    assert!(race(&ends, &through("")).is_some(), "one that is not atomic");
    assert_eq!(race(&publish, &through("r1 = compare_exchange i32 [@flag], i32 9, i32 2 relaxed")), None);
}

#[test]
fn fences_strengthen_relaxed_accesses() {
    let publish = format!("{WRITE} fence release store i32 [@flag], i32 1 relaxed");
    let consume = format!("r1 = load i32 [@flag] relaxed fence acquire {READ}");
    assert_eq!(race(&publish, &consume), None);
    assert!(race(&publish, &format!("r1 = load i32 [@flag] relaxed {READ}")).is_some());
    assert!(race(&publish, &format!("fence acquire r1 = load i32 [@flag] relaxed {READ}")).is_some());
    assert!(
        race(&format!("fence release {publish}").replace("fence release store", "store"), &consume).is_some()
    );
}

#[test]
fn blocks_of_the_program_order_each_other_and_those_of_models_do_not() {
    let block = |inner: &str| format!("atomic_begin {inner} atomic_end");
    assert_eq!(race(&block(WRITE), &block(READ)), None);
    assert!(race(&block(WRITE), READ).is_some());
    assert_eq!(race(&format!("{WRITE} {}", block("")), &format!("{} {READ}", block(""))), None);
    assert_eq!(race("call @api_write()", WRITE), None, "inside a model's block nothing races");
    assert!(race("call @api_copy()", WRITE).is_some(), "outside of atomic blocks a model's accesses count");
    let beside = format!("{WRITE} call @api_write()");
    assert!(race(&beside, &format!("call @api_write() {READ}")).is_some());
}

#[test]
fn what_a_model_takes_happens_after_what_it_acquires() {
    let give = format!("{WRITE} store i32 [@x], i32 2 release");
    assert_eq!(race(&give, "call @api_take()"), None);
    assert!(race(WRITE, "call @api_take()").is_some(), "nothing is released");
    assert!(
        race(&give, "r1 = rmw add i32 [@x], i32 1 acquire").is_some(),
        "who does not wait might have been there before"
    );
}

#[test]
fn a_block_that_an_assumption_ends_has_touched_nothing() {
    assert!(race("atomic_begin store i32 [@x], i32 1 assume true atomic_end", READ).is_some());
    let program = program("atomic_begin store i32 [@x], i32 1 assume false atomic_end", READ);
    let vm = Vm::new(&program);
    let mut scheduler = Fixed::new(&[0, 0, 0, 1, 2]);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    assert_eq!(result.outcome, Outcome::Stopped);
}

#[test]
fn a_block_that_ends_the_process_has_touched_what_it_touched() {
    let ends = "atomic_begin store i32 [@x], i32 2 exit_process i32 0 b1:";
    assert!(race(READ, ends).is_some());
    assert_eq!(race("", ends), None);
}

#[test]
fn behind_a_block_that_fails_accesses_race_as_before() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () {
          registers r0: i32, r1: i32
        b0:
          r0 = fork @fails(null)
          r1 = fork @writes(null)
          store i32 [@x], i32 1
          exit_process i32 0
        }
        function f1 "fails" (r0) -> ptr {
          registers r0: ptr, r1: i32
        b0:
          atomic_begin
          r1 = load i32 [r0]
          atomic_end
          return null
        }
        function f2 "writes" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 2 return null }"#,
    );
    let vm = Vm::checking(&program, &[Property::DataRace]);
    let mut scheduler = Fixed::new(&[0, 0, 1, 2, 0]);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    assert_eq!(result.outcome.property(), Some(Property::DataRace), "{:?}", result.outcome);
}

#[test]
fn freeing_races_with_use() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        function f0 "main" () {
          registers r0: ptr, r1: i32, r2: i32
        b0:
          r0 = alloc heap i64 4 align 4 zeroed "malloc" shape signed i32
          r1 = fork @worker(r0)
          r2 = load i32 [r0]
          free r0
          exit_process i32 0
        }
        function f1 "worker" (r0) -> ptr { registers r0: ptr, r1: i32 b0: r1 = load i32 [r0] return null }"#,
    );
    let vm = Vm::new(&program);
    let mut scheduler = Fixed::new(&[0, 0, 1, 0]);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    let Outcome::Violated(violation) = result.outcome else { panic!("{:?}", result.outcome) };
    assert_eq!(
        violation.message,
        "data race on `memory that is freed`: read by T1 worker and free by main are not ordered"
    );
}

#[test]
fn cells_are_cut_where_accesses_end() {
    let mut cells = BTreeMap::new();
    split(&mut cells, 4, 12);
    split(&mut cells, 0, 8);
    split(&mut cells, 20, 24);
    split(&mut cells, 10, 22);
    let ranges: Vec<_> = cells.iter().map(|(&start, cell)| (start, cell.end)).collect();
    assert_eq!(ranges, [(0, 4), (4, 8), (8, 10), (10, 12), (12, 20), (20, 22), (22, 24)]);
}

/// What is known when main has started both threads and they have run one after the other, each to its end.
fn known_after(body: &str, order: [ThreadId; 2]) -> Knowledge {
    let program = program(body, body);
    let vm = Vm::new(&program);
    let mut clocks = RaceDetector::new(&program);
    let (mut state, _) = vm.start(&mut ZeroInputs, &mut clocks);
    while state.threads.len() < 3 {
        vm.step(&mut state, 0, &mut ZeroInputs, &mut clocks);
    }
    for thread in order {
        while vm.is_enabled(&state, thread) {
            vm.step(&mut state, thread, &mut ZeroInputs, &mut clocks);
        }
    }
    clocks.knowledge(&state)
}

#[test]
fn what_is_known_moves_with_the_names_of_threads() {
    let (same, swapped) = (Renaming::identity(3), Renaming::new(vec![0, 2, 1]));
    let locked = "lock [@m] r1 = load i32 [@flag] store i32 [@flag], r1 unlock [@m]";
    for body in [locked, "r1 = rmw add i32 [@flag], i32 1 acq_rel", "store i32 [@flag], i32 1 release"] {
        let (first, second) = (known_after(body, [1, 2]), known_after(body, [2, 1]));
        assert_ne!(first.number(&same), second.number(&same), "{body}");
        assert_eq!(first.number(&same), second.number(&swapped), "{body}");
        // Where both have one name, nobody sees which is which.
        let alike = Renaming::new(vec![0, 7, 7]);
        assert_eq!(first.number(&alike), second.number(&alike), "{body}");
    }
}

#[test]
fn reads_before_a_lock_leave_no_trace_of_their_order() {
    let body = "r1 = load i32 [@n] relaxed lock [@m] unlock [@m]";
    let plain = "lock [@m] unlock [@m]";
    let count = |body| known_after(body, [1, 2]).len();
    // One read more, that of the last one, which its thread and the lock know, and what they know of it.
    assert_eq!(count(body), count(plain) + 1);
}
