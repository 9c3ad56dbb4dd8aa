//! Tests of runs and replays, and what other tests of this crate are written with.

use super::*;
use crate::Readiness;
use crate::observe::{Unwatched, ZeroInputs};
use crate::schedule::{Random, RandomInputs, RoundRobin};
use raddle_ir::text::parse_program;

/// A validated program.
pub(crate) fn parse(text: &str) -> Program {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let findings = raddle_ir::validate::validate(&program);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    program
}

/// Chooses as listed, then the first that is enabled.
pub(crate) struct Fixed {
    choices: Vec<ThreadId>,
    next: usize,
}

impl Fixed {
    pub(crate) fn new(choices: &[ThreadId]) -> Self {
        Self { choices: choices.to_vec(), next: 0 }
    }
}

impl Scheduler for Fixed {
    fn begin(&mut self) {
        self.next = 0;
    }

    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        let listed = self.choices.get(self.next).copied();
        self.next += 1;
        Some(listed.map_or(enabled[0], Move::Step))
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

/// Two threads add one to a counter without a lock; main checks the sum.
pub(crate) const LOST_UPDATE: &str = r#"program pointer_bits 64 entry f0
    global g0 "counter" size 4 align 4 shape signed i32 {}
    function f0 "main" () {
      registers r0: i32, r1: i32, r2: i32 "sum", r3: i1
    b0:
      r0 = fork @add(null)
      r1 = fork @add(null)
      join r0
      join r1
      %sum = load i32 [@counter]
      r3 = equal %sum, i32 2
      check assertion r3, "sum == 2"
      exit_process i32 0
    }
    function f1 "add" (r0) -> ptr {
      registers r0: ptr, r1: i32 "old", r2: i32, r3: ptr, r4: i32
    b0:
      r3 = alloc local i64 4 align 4 "copy" shape signed i32
      %old = load i32 [@counter] relaxed
      store i32 [r3], %old
      r4 = load i32 [r3]
      r2 = add r4, i32 1
      store i32 [@counter], r2 relaxed
      return null
    }"#;

#[test]
fn a_schedule_decides_whether_the_assertion_fails() {
    let program = parse(LOST_UPDATE);
    let vm = Vm::new(&program);
    let go = |choices: &[ThreadId]| {
        run(&vm, &mut Fixed::new(choices), &mut ZeroInputs, &Options::default(), &mut Unwatched)
    };
    let good = go(&[0, 0, 1, 1, 2, 2]);
    assert_eq!(good.outcome, Outcome::Exited(Exit::Status(0)));
    assert_eq!(good.steps, 10, "two forks, two and two accesses, two joins, a load, the exit");
    let bad = go(&[0, 0, 1, 2, 1, 2]);
    let Outcome::Violated(violation) = &bad.outcome else { panic!("{:?}", bad.outcome) };
    assert_eq!((violation.property, violation.message.as_str()), (Property::Assertion, "sum == 2"));
    assert_eq!((violation.thread, bad.steps), (0, 9));
    assert_eq!(bad.trace.failing_step, Some(9));
}

#[test]
fn a_recorded_run_replays_to_the_same_step_through_json() {
    let program = parse(LOST_UPDATE);
    let vm = Vm::new(&program);
    let mut failures = 0;
    for seed in 0..60 {
        let mut scheduler = Random::new(seed);
        let first = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
        let trace = Trace::from_json(&first.trace.to_json()).unwrap();
        let again = follow(&vm, &trace, &Options::default(), &mut Unwatched).unwrap();
        assert_eq!((&again.outcome, again.steps, &again.trace), (&first.outcome, first.steps, &first.trace));
        match replay(&vm, &trace, &Options::default(), &mut Unwatched) {
            Ok(replayed) => {
                failures += 1;
                assert_eq!(replayed.trace(), &first.trace);
                assert_eq!(replayed.outcome(), &first.outcome);
            }
            Err(error) => {
                assert_eq!(first.outcome, Outcome::Exited(Exit::Status(0)));
                let expected = "the trace runs, but it breaks no property: the process ends with status 0";
                assert_eq!(error.to_string(), expected);
            }
        }
    }
    assert!((1..60).contains(&failures), "{failures}");
}

#[test]
fn an_access_that_fails_is_counted_so_that_replay_reaches_it() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "p" size 8 align 8 shape pointer ptr {}
        function f0 "main" () {
          registers r0: ptr, r1: i32, r2: ptr, r3: i32
        b0:
          r0 = alloc heap i64 4 align 4 zeroed "malloc" shape signed i32
          store ptr [@p], r0
          r1 = fork @worker(null)
          r2 = load ptr [@p]
          free r2
          join r1
          exit_process i32 0
        }
        function f1 "worker" (r0) -> ptr {
          registers r0: ptr, r1: ptr, r2: i32
        b0:
          r1 = load ptr [@p]
          r2 = load i32 [r1]
          return null
        }"#,
    );
    let vm = Vm::checking(&program, &[Property::MemorySafety]);
    let mut scheduler = Fixed::new(&[0, 0, 1, 0, 0, 1]);
    let first = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    let Outcome::Violated(violation) = &first.outcome else { panic!("{:?}", first.outcome) };
    assert_eq!((violation.message.as_str(), violation.thread), ("read after free", 1));
    let replayed = replay(&vm, &first.trace, &Options::default(), &mut Unwatched).unwrap();
    assert_eq!((replayed.outcome(), replayed.steps()), (&first.outcome, 6));
    // A VM that does not check it lets the thread end; replay checks what the trace promises all the same.
    let deaf = Vm::checking(&program, &[Property::Assertion]);
    assert_eq!(replay(&deaf, &first.trace, &Options::default(), &mut Unwatched).unwrap().steps(), 6);
    let followed = follow(&deaf, &first.trace, &Options::default(), &mut Unwatched).unwrap();
    assert_eq!(followed.outcome, Outcome::Stopped, "the reader ended, main waits for it");
}

const INPUTS: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "__VERIFIER_nondet_int()" i32 signed
    function f0 "main" () {
      registers r0: i32, r1: ptr, r2: i16, r3: i64, r4: i1
    b0:
      r0 = havoc h0
      r1 = alloc local i64 2 align 2 "x" shape signed i16
      r2 = load i16 [r1]
      r2 = load i16 [r1]
      r3 = call @read()
      r4 = not_equal r0, i32 3
      check assertion r4, "n != 3"
      exit_process i32 0
    }
    function f1 "read" () -> i64 {}"#;

#[test]
fn inputs_are_recorded_with_names_and_types_and_given_back() {
    struct Count(u128);
    impl Inputs for Count {
        fn input(&mut self, _: &crate::InputRequest) -> u128 {
            self.0 += 1;
            self.0 + 2
        }
    }
    let program = parse(INPUTS);
    let vm = Vm::new(&program);
    let mut scheduler = RoundRobin::new(1);
    let first = run(&vm, &mut scheduler, &mut Count(0), &Options::default(), &mut Unwatched);
    let inputs: Vec<_> =
        first.trace.inputs.iter().map(|input| (&*input.name, &*input.ty, &*input.value)).collect();
    assert_eq!(
        inputs,
        [
            ("__VERIFIER_nondet_int()", "i32", "3"),
            ("uninitialised `x`", "i16", "4"),
            ("result of `read`", "i64", "5")
        ]
    );
    assert_eq!(first.trace.failing_step, Some(0), "before the first choice");
    let replayed = replay(&vm, &first.trace, &Options::default(), &mut Unwatched).unwrap();
    assert_eq!(replayed.trace(), &first.trace);
    let mut wrong = first.trace;
    wrong.inputs[1].ty = "i8".to_owned();
    let error = replay(&vm, &wrong, &Options::default(), &mut Unwatched).unwrap_err().to_string();
    assert!(error.ends_with("thread 0 asks for an input of type i16, the trace has i8"), "{error}");
}

#[test]
fn a_trace_of_another_program_is_refused() {
    let program = parse(LOST_UPDATE);
    let vm = Vm::new(&program);
    let refusal = |schedule: &[(ThreadId, u64)]| {
        let mut trace = Trace::new();
        trace.schedule = schedule
            .iter()
            .map(|&(thread, operations)| crate::trace::Segment::run(thread, operations))
            .collect();
        replay(&vm, &trace, &Options::default(), &mut Unwatched).unwrap_err().to_string()
    };
    assert_eq!(
        refusal(&[(0, 1), (7, 1)]),
        "the trace does not fit the program: at segment 2 of its schedule, thread 7 is not enabled"
    );
    assert!(refusal(&[(0, 1), (u32::MAX, u64::MAX), (u32::MAX, u64::MAX)]).contains("segment 2"));
    assert!(refusal(&[(0, 3)]).contains("segment 1"), "main waits for the threads it started");
    assert!(refusal(&[(0, 2)]).contains("it ends where the schedule does"));
    let mut trace = Trace::new();
    trace.property = Some("beauty".to_owned());
    let error = replay(&vm, &trace, &Options::default(), &mut Unwatched).unwrap_err();
    assert!(matches!(error, ReplayError::Property(_)));
}

/// A timed wait: gives up by an input, else waits for `flag` inside the section.
const TIMED: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "gives up" i1
    global g0 "flag" size 4 align 4 {}
    function f0 "main" () {
      registers r0: i1, r1: i32, r2: i1
    b0:
      atomic_begin
      r0 = havoc h0
      branch r0, b2, b1
    b1:
      r1 = load i32 [@flag]
      r2 = not_equal r1, i32 0
      wait_until r2
      jump b2
    b2:
      atomic_end
      exit_process i32 0
    }"#;

#[test]
fn a_section_that_waits_under_some_inputs_neither_hangs_the_run_nor_counts_as_deadlock() {
    let program = parse(TIMED);
    let vm = Vm::new(&program);
    let (state, _) = vm.start(&mut ZeroInputs, &mut Unwatched);
    assert_eq!(vm.readiness(&state, 0), Readiness::Perhaps);
    let mut scheduler = RoundRobin::new(1);
    let first = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    assert_eq!(first.outcome, Outcome::Exited(Exit::Status(0)));
    assert_eq!(first.trace.inputs.len(), 1, "only the input that let it pass");
    assert_eq!(first.trace.inputs[0].value, "1");
    let again = follow(&vm, &first.trace, &Options::default(), &mut Unwatched).unwrap();
    assert_eq!((again.outcome, again.trace), (first.outcome, first.trace));
}

#[test]
fn a_section_ended_by_an_assumption_shows_nothing_and_replays() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        havoc h0 "n" i1
        function f0 "main" () {
          registers r0: i32, r1: i32, r2: i1
        b0:
          r0 = fork @worker(null)
          r1 = load i32 [@x] relaxed
          r1 = load i32 [@x] relaxed
          r2 = equal r1, i32 0
          check assertion r2, "x == 0"
          check assertion false, "end"
          exit_process i32 0
        }
        function f1 "worker" (r0) -> ptr {
          registers r0: ptr, r1: i1
        b0:
          r1 = havoc h0
          atomic_begin
          store i32 [@x], i32 1
          assume r1
          atomic_end
          return null
        }"#,
    );
    let vm = Vm::new(&program);
    let mut scheduler = Fixed::new(&[0, 0, 1]);
    let first = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
    let Outcome::Violated(violation) = &first.outcome else { panic!("{:?}", first.outcome) };
    assert_eq!(violation.message, "end");
    assert_eq!(first.state.threads[1].status, Status::Stopped);
    let replayed = replay(&vm, &first.trace, &Options::default(), &mut Unwatched).unwrap();
    assert_eq!((replayed.steps(), replayed.trace()), (first.steps, &first.trace));
}

#[test]
fn limits_end_a_run() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () { registers r0: i32 b0: r0 = load i32 [@x] jump b0 }"#,
    );
    let vm = Vm::new(&program);
    let go = |options: Options<'_>| {
        run(&vm, &mut Random::new(1), &mut RandomInputs::new(1), &options, &mut Unwatched)
    };
    let limited = go(Options { max_steps: 10, ..Options::default() });
    assert_eq!((limited.outcome, limited.steps), (Outcome::StepLimit, 10));
    let budget = Budget::unlimited();
    budget.canceller().cancel();
    let cancelled = go(Options { budget: Some(&budget), ..Options::default() });
    assert_eq!(cancelled.outcome, Outcome::Exhausted(Exhausted::Cancelled));
}

#[test]
fn instructions_that_nobody_sees_count_too() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        function f0 "main" () { registers r0: i32 b0: r0 = i32 0 jump b1 b1: r0 = add r0, i32 1 jump b1 }"#,
    );
    let vm = Vm::new(&program);
    let options = Options { max_instructions: 1_000, ..Options::default() };
    let endless = run(&vm, &mut Random::new(1), &mut ZeroInputs, &options, &mut Unwatched);
    assert_eq!((endless.outcome, endless.steps), (Outcome::StepLimit, 0));
}

#[test]
fn unsupported_code_tells_its_own_place_also_in_a_new_thread() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        function f0 "main" () { registers r0: i32 b0: r0 = fork @worker(null) exit_process i32 0 }
        function f1 "worker" (r0) -> ptr { registers r0: ptr b0: unsupported "asm" }"#,
    );
    let vm = Vm::new(&program);
    let result = run(&vm, &mut Random::new(1), &mut ZeroInputs, &Options::default(), &mut Unwatched);
    let Outcome::Unsupported { what, place } = result.outcome else { panic!("{:?}", result.outcome) };
    assert_eq!((what.as_str(), place.function.to_string().as_str()), ("asm", "f1"));
}
