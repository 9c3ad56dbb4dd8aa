//! What a run does not show is predicted from it and seen in the VM; and what cannot be is not predicted.

use raddle_base::{Budget, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};
use raddle_lower::{LowerOptions, lower, models};
use raddle_vm::recording::{Entry, Recorder};
use raddle_vm::schedule::Scheduler;
use raddle_vm::{Move, Options, Outcome, State, Unwatched, Vm, ZeroInputs, follow, replay, run};

use super::*;

/// The first thread of a list that is enabled runs.
struct Preferred(&'static [u32]);

impl Scheduler for Preferred {
    fn begin(&mut self) {}

    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        let place = |next: &Move| self.0.iter().position(|&thread| thread == next.thread());
        enabled.iter().copied().min_by_key(|next| place(next).unwrap_or(usize::MAX))
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

fn program(text: &str) -> Program {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let findings = raddle_ir::validate::validate(&program);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    program
}

/// Main starts two threads and waits for both.
fn two_threads(first: &str, second: &str) -> Program {
    let registers = "registers r0: ptr, r1: i32, r2: i1";
    program(&format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 shape signed i32 {{}}
        global g1 "y" size 4 align 4 shape signed i32 {{}}
        global g2 "a" size 4 align 4 shape signed i32 {{}}
        global g3 "b" size 4 align 4 shape signed i32 {{}}
        global g4 "c" size 4 align 4 shape signed i32 {{}}
        function f0 "main" () {{
          registers r0: i32, r1: i32
        b0:
          r0 = fork @one(null)
          r1 = fork @two(null)
          join r0
          join r1
          exit_process i32 0
        }}
        function f1 "one" (r0) -> ptr {{ {registers} b0: {first} return null }}
        function f2 "two" (r0) -> ptr {{ {registers} b0: {second} return null }}"#
    ))
}

/// The events of a run that breaks nothing.
fn observe(program: &Program, preferred: &'static [u32]) -> Observed {
    Observed::new(&Vm::new(program), &record(program, preferred)).unwrap()
}

fn record(program: &Program, preferred: &'static [u32]) -> Recording {
    let machine = Vm::new(program);
    let mut recorder = Recorder::new(program.pointer_bits);
    let (mut scheduler, options) = (Preferred(preferred), Options::default());
    let run = run(&machine, &mut scheduler, &mut ZeroInputs, &options, &mut recorder);
    assert!(matches!(run.outcome, Outcome::Exited(_)), "{:?}", run.outcome);
    recorder.finish()
}

/// Whether a property is predicted to be broken; then the VM must agree.
fn predicts(program: &Program, preferred: &'static [u32], property: Property) -> bool {
    agrees(program, observe(program, preferred), property)
}

/// The same from the state after so many steps.
fn predicts_from(program: &Program, preferred: &'static [u32], steps: u64, property: Property) -> bool {
    let machine = Vm::new(program);
    let observed = Observed::from_state(&machine, &record(program, preferred), steps).unwrap();
    agrees(program, observed, property)
}

fn agrees(program: &Program, mut observed: Observed, property: Property) -> bool {
    match observed.predict(property, &Budget::unlimited()).unwrap() {
        Prediction::Possible(trace) => {
            let machine = Vm::new(program);
            let replayed = replay(&machine, &trace, &Options::default(), &mut Unwatched);
            let replayed = replayed.unwrap_or_else(|error| panic!("{error}\n{}", trace.to_json()));
            assert_eq!(replayed.outcome().property(), Some(property));
            true
        }
        Prediction::Impossible => false,
        Prediction::Unknown(stop) => panic!("{stop}"),
    }
}

#[test]
fn a_race_that_a_lock_hid_is_predicted() {
    let program = two_threads(
        "store i32 [@x], i32 1 lock [@a] unlock [@a]",
        "lock [@a] unlock [@a] store i32 [@x], i32 2",
    );
    assert!(predicts(&program, &[0, 1, 2], Property::DataRace));
    let program = two_threads(
        "lock [@a] store i32 [@x], i32 1 unlock [@a]",
        "lock [@a] store i32 [@x], i32 2 unlock [@a]",
    );
    assert!(!predicts(&program, &[0, 1, 2], Property::DataRace));
}

#[test]
fn what_depends_on_a_value_happens_only_with_it() {
    let reader = "r1 = load i32 [@y] acquire r2 = equal r1, i32 1 branch r2, b1, b2 b1: store i32 [@x], i32 2 jump b2 b2:";
    let ordered = two_threads("store i32 [@x], i32 1 store i32 [@y], i32 1 release", reader);
    assert!(!predicts(&ordered, &[0, 1, 2], Property::DataRace));
    // Another write gives the same value before `x` is written.
    let early = "store i32 [@y], i32 1 release store i32 [@x], i32 1 store i32 [@y], i32 1 release";
    assert!(predicts(&two_threads(early, reader), &[0, 1, 2], Property::DataRace));
}

#[test]
fn a_read_of_another_value_ends_its_thread_and_may_race_itself() {
    // In the run it reads 1 and is ordered; before the store it reads 0, and nobody knows what follows.
    let program = two_threads(
        "store i32 [@x], i32 1 lock [@a] unlock [@a]",
        "lock [@a] unlock [@a] r1 = load i32 [@x] store i32 [@y], r1",
    );
    assert!(predicts(&program, &[0, 1, 2], Property::DataRace));
    let mut observed = observe(&program, &[0, 1, 2]);
    let machine = Vm::new(&program);
    let read = observed.reads()[0];
    let Prediction::Possible(trace) = observed.leave(read, &Budget::unlimited()).unwrap() else {
        panic!("it can read 0")
    };
    assert_eq!(trace.property, None);
    let quiet = Vm::checking(machine.program(), &[]);
    let mut recorder = Recorder::new(program.pointer_bits);
    follow(&quiet, &trace, &Options::default(), &mut recorder).unwrap();
    let recording = recorder.finish();
    let mut again = Observed::new(&quiet, &recording).unwrap();
    // In the new run it has read 0: what it does not read there any more is 1.
    let new = again.reads()[0];
    let kind = again.unrolling().events[new.event].kind;
    assert_eq!(
        again.unrolling().thread_of(new.event),
        observed.unrolling().thread_of(read.event),
        "{kind:?}"
    );
    assert!(matches!(again.leave(new, &Budget::unlimited()).unwrap(), Prediction::Impossible));
}

#[test]
fn locks_in_opposite_orders_deadlock_unless_a_third_guards_them() {
    let program = two_threads(
        "lock [@a] lock [@b] unlock [@b] unlock [@a]",
        "lock [@b] lock [@a] unlock [@a] unlock [@b]",
    );
    assert!(predicts(&program, &[0, 1, 2], Property::Deadlock));
    let guarded = two_threads(
        "lock [@c] lock [@a] lock [@b] unlock [@b] unlock [@a] unlock [@c]",
        "lock [@c] lock [@b] lock [@a] unlock [@a] unlock [@b] unlock [@c]",
    );
    assert!(!predicts(&guarded, &[0, 1, 2], Property::Deadlock));
}

#[test]
fn atomic_blocks_are_one_step() {
    let increment = "atomic_begin r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1 atomic_end";
    let program = two_threads(increment, increment);
    assert!(!predicts(&program, &[0, 1, 2], Property::DataRace));
    let before = two_threads(
        "atomic_begin r1 = load i32 [@x] store i32 [@x], i32 1 atomic_end lock [@a] unlock [@a]",
        "lock [@a] unlock [@a] store i32 [@x], i32 7",
    );
    assert!(predicts(&before, &[0, 1, 2], Property::DataRace));
}

#[test]
fn parts_of_words_are_read_from_whoever_wrote_them() {
    // Both bytes are needed to come to the store; each is released with its own flag.
    let reader = "r1 = load i32 [@y] acquire r2 = equal r1, i32 257 branch r2, b1, b2 b1: store i32 [@x], i32 2 jump b2 b2:";
    let writer = "store i32 [@x], i32 1 store i8 [@y], i8 1 release r0 = pointer_add @y, i64 1 store i8 [r0], i8 1 release";
    let program = two_threads(writer, reader);
    assert!(!predicts(&program, &[0, 1, 2], Property::DataRace));
}

#[test]
fn an_object_that_ended_is_not_used() {
    let text = |wait: &str| {
        format!(
            r#"program pointer_bits 64 entry f0
            global g0 "p" size 8 align 8 shape pointer ptr {{}}
            function f0 "main" () {{
              registers r0: ptr, r1: i32
            b0:
              r0 = alloc heap i64 4 align 4 zeroed "malloc" shape signed i32
              store ptr [@p], r0
              r1 = fork @worker(null)
              {wait}
              free r0
              join r1
              exit_process i32 0
            }}
            function f1 "worker" (r0) -> ptr {{
              registers r0: ptr, r1: ptr, r2: i32
            b0:
              r1 = load ptr [@p]
              r2 = load i32 [r1] relaxed
              return null
            }}"#
        )
    };
    let quiet = [Property::MemorySafety];
    for (wait, expected) in [("", true), ("join r1", false)] {
        let program = program(&text(wait));
        let machine = Vm::checking(&program, &quiet);
        let mut recorder = Recorder::new(program.pointer_bits);
        let run = run(&machine, &mut Preferred(&[1, 0]), &mut ZeroInputs, &Options::default(), &mut recorder);
        if wait.is_empty() {
            assert!(matches!(run.outcome, Outcome::Exited(_)), "{:?}", run.outcome);
        }
        let mut observed = Observed::new(&machine, &recorder.finish()).unwrap();
        let found = observed.predict(Property::MemorySafety, &Budget::unlimited()).unwrap();
        if let Prediction::Possible(trace) = &found {
            let replayed = replay(&machine, trace, &Options::default(), &mut Unwatched);
            replayed.unwrap_or_else(|error| panic!("{error}\n{}", trace.to_json()));
        }
        assert_eq!(matches!(found, Prediction::Possible(_)), expected, "{wait}");
    }
}

/// A program in C, with the models of the thread API.
fn c_program(text: &str) -> Program {
    const HEAD: &str = "
        typedef unsigned long pthread_t;
        typedef union { char bytes[56]; long align; } pthread_attr_t;
        typedef union { char bytes[40]; long align; } pthread_mutex_t;
        int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
        int pthread_join(pthread_t, void **);
        int pthread_mutex_lock(pthread_mutex_t *);
        int pthread_mutex_unlock(pthread_mutex_t *);
        pthread_mutex_t a, b; int x;";
    const MAIN: &str = "
        int main(void) {
            pthread_t first, second;
            pthread_create(&first, 0, one, 0);
            pthread_create(&second, 0, two, 0);
            pthread_join(first, 0);
            pthread_join(second, 0);
            return 0;
        }";
    let mut sources = SourceMap::new();
    let (models_name, models_text) = models();
    let units = [
        sources.add("test.c", format!("{HEAD}{text}{MAIN}").into_bytes()).unwrap(),
        sources.add(models_name, models_text.into_bytes()).unwrap(),
    ];
    let parsed = raddle_cfront::parse_program(&mut sources, &units, DataModel::Lp64);
    assert!(!parsed.diagnostics.has_errors());
    let lowering = LowerOptions { arguments: vec!["program".to_owned()], ..LowerOptions::default() };
    lower(&parsed.ast, lowering, 1).program.unwrap()
}

#[test]
fn mutexes_of_the_thread_api_deadlock_and_order() {
    let opposite = c_program(
        "void *one(void *u) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++;
            pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return u; }
         void *two(void *u) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); x++;
            pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return u; }",
    );
    assert!(predicts(&opposite, &[0, 1, 2], Property::Deadlock));
    assert!(!predicts(&opposite, &[0, 1, 2], Property::DataRace));
    let late = c_program(
        "void *one(void *u) { x = 1; pthread_mutex_lock(&a); pthread_mutex_unlock(&a); return u; }
         void *two(void *u) { pthread_mutex_lock(&a); pthread_mutex_unlock(&a); x = 2; return u; }",
    );
    assert!(predicts(&late, &[0, 1, 2], Property::DataRace));
    assert!(!predicts(&late, &[0, 1, 2], Property::Deadlock));
}

#[test]
fn from_a_state_only_what_comes_later_is_interleaved_anew() {
    let program = two_threads(
        "lock [@a] lock [@b] unlock [@b] unlock [@a]",
        "lock [@b] lock [@a] unlock [@a] unlock [@b]",
    );
    // Main starts both (steps 1 and 2), then the first one runs to its end.
    let from = |steps| predicts_from(&program, &[1, 0, 2], steps, Property::Deadlock);
    let recording = record(&program, &[1, 0, 2]);
    let steps: Vec<u64> =
        (0..=recording.entries().last().unwrap().step()).filter(|&steps| from(steps)).collect();
    // As long as the first one does not have both locks, the second one may take its first one.
    let second_lock = recording.entries().iter().filter_map(|entry| match entry {
        Entry::Event(recorded) if matches!(recorded.event.action, raddle_vm::Action::Lock(_)) => {
            Some(recorded.step)
        }
        Entry::Event(_) | Entry::Output { .. } => None,
    });
    let second_lock = second_lock.collect::<Vec<_>>()[1];
    assert_eq!(steps, (0..second_lock).collect::<Vec<_>>());
}

#[test]
fn what_was_read_before_the_state_stays_what_it_was() {
    let program =
        two_threads("store i32 [@x], i32 1 release", "r1 = load i32 [@x] acquire store i32 [@y], r1");
    let machine = Vm::new(&program);
    let recording = record(&program, &[0, 1, 2]);
    let leaves = |steps| {
        let mut observed = Observed::from_state(&machine, &recording, steps).unwrap();
        let read = observed.reads()[0];
        matches!(observed.leave(read, &Budget::unlimited()).unwrap(), Prediction::Possible(_))
    };
    let store = recording.entries().iter().find_map(|entry| match entry {
        Entry::Event(recorded) if matches!(recorded.event.action, raddle_vm::Action::Write { .. }) => {
            Some(recorded.step)
        }
        Entry::Event(_) | Entry::Output { .. } => None,
    });
    let store = store.unwrap();
    assert!(leaves(0) && leaves(store - 1));
    assert!(!leaves(store));
}
