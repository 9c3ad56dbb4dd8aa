//! Delayed stores in running programs. That the models allow what they should is compared with their axioms in
//! `tests/weak_memory.rs`.

use std::collections::BTreeSet;

use raddle_base::SplitMix;
use raddle_ir::Program;

use super::*;
use crate::explore::{Exploration, Limit, Search, Strategy, explore};
use crate::run::tests::parse;
use crate::run::{Options, Outcome, RunResult, follow, replay, run};
use crate::schedule::{Random, Scheduler};
use crate::story::{Deed, Story};
use crate::trace::{Segment, Trace};
use crate::{Exit, Unwatched, ZeroInputs};

/// Main starts the threads, waits for them and ends; `last` is what it does before.
fn program(bodies: &[&str], last: &str) -> Program {
    let forks: String = (0..bodies.len()).map(|n| format!("r{n} = fork @t{n}(null) ")).collect();
    let joins: String = (0..bodies.len()).map(|n| format!("join r{n} ")).collect();
    let functions = bodies.iter().enumerate().map(|(n, body)| {
        format!(
            "function f{} \"t{n}\" (r0) -> ptr {{ registers r0: ptr, r1: i32, r2: i1, r3: ptr, r4: i32, r5: i1 \
             b0: {body} return null }}\n",
            n + 1
        )
    });
    let functions: String = functions.collect();
    parse(&format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 shape signed i32 {{}}
        global g1 "y" size 4 align 4 shape signed i32 {{}}
        global g2 "m" size 4 align 4 shape signed i32 {{}}
        global g3 "p" size 8 align 8 shape pointer ptr {{}}
        global g4 "buffer" size 32 align 16 {{}}
        function f0 "main" () {{
          registers r0: i32, r1: i32, r2: i32, r3: i32, r4: i1
        b0: {forks} {joins} {last} exit_process i32 0
        }}
        {functions}"#
    ))
}

fn search(program: &Program, model: MemoryModel, properties: &[Property]) -> Exploration {
    let vm = Vm::checking(program, properties).with_memory_model(model);
    let found = explore(&vm, &Search { symmetry: false, ..Search::default() });
    let walked = explore(&vm, &Search { strategy: Strategy::Executions, ..Search::default() });
    assert_eq!(found.executions, walked.executions, "hashing changes no count");
    assert_eq!(found.violations.len(), walked.violations.len());
    let classes = explore(&vm, &Search { strategy: Strategy::SleepSets, ..Search::default() });
    assert!(classes.is_complete() == walked.is_complete() && classes.executions <= walked.executions);
    for &property in properties {
        assert_eq!(found.breaks(property), classes.breaks(property), "sleep sets lose nothing");
    }
    found
}

/// Under which models a property breaks.
fn breaks(program: &Program, property: Property) -> [bool; 3] {
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].map(|model| {
        let found = search(program, model, &[property]);
        assert!(found.is_complete());
        found.breaks(property)
    })
}

const NEVER: [bool; 3] = [false, false, false];

/// Stores and loads of one thread, of all sizes and overlaps: it must see its own stores as if they went to memory.
#[test]
fn a_thread_sees_its_own_stores_byte_by_byte() {
    let mut random = SplitMix::new(5);
    for round in 0..150 {
        let mut bytes = [0_u8; 32];
        let mut text = String::new();
        for _ in 0..14 {
            let bits: usize = [8, 16, 32, 64, 128][random.below(5)];
            let (size, offset) = (bits / 8, random.below(33 - bits / 8));
            let range = offset..offset + size;
            if random.below(2) == 0 {
                let value = u128::from(random.bits()) << 64 | u128::from(random.bits());
                bytes[range].copy_from_slice(&value.to_le_bytes()[..size]);
                let value = value & crate::value::mask(u8::try_from(bits).unwrap());
                text.push_str(&format!("store i{bits} [@buffer+{offset}], i{bits} {value}\n"));
            } else {
                let value = bytes[range].iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
                text.push_str(&format!(
                    "r{bits} = load i{bits} [@buffer+{offset}] r1 = equal r{bits}, i{bits} {value} \
                     check assertion r1, \"{bits} bits at {offset}\"\n"
                ));
            }
        }
        let registers: String = (2..129).map(|n| format!(", r{n}: i{n}")).collect();
        let program = parse(&format!(
            r#"program pointer_bits 64 entry f0
            global g0 "buffer" size 32 align 16 {{}}
            global g1 "m" size 4 align 4 {{ 0: i32 1 }}
            function f0 "main" () {{ registers r0: i32, r1: i1{registers}
            b0: r0 = fork @idle(null) {text} exit_process i32 0 }}
            function f1 "idle" (r0) -> ptr {{ registers r0: ptr b0: lock [@m] return null }}"#
        ));
        for &model in MemoryModel::ALL {
            let vm = Vm::new(&program).with_memory_model(model);
            for eager in [true, false] {
                let mut scheduler = OwnStores { random: SplitMix::new(round), eager, most: 0 };
                let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
                assert_eq!(result.outcome, Outcome::Exited(Exit::Status(0)), "{model:?} {text}");
                let stores = text.matches("store").count();
                assert!(
                    eager || scheduler.most == if model.is_weak() { stores } else { 0 },
                    "{model:?} {text}"
                );
            }
        }
    }
}

/// Lets stores wait as long as possible, or become visible now and then.
struct OwnStores {
    random: SplitMix,
    eager: bool,
    /// The largest number of delayed stores that was seen.
    most: usize,
}

impl Scheduler for OwnStores {
    fn begin(&mut self) {}
    fn choose(&mut self, _: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        self.most = self.most.max(state.threads[0].buffer.len());
        Some(if self.eager { enabled[self.random.below(enabled.len())] } else { enabled[0] })
    }
    fn end(&mut self, _: Move, _: &[u64]) {}
}

#[test]
fn what_a_pointer_leads_to_is_known_through_the_buffer() {
    let writer = "r3 = alloc heap i64 4 align 4 zeroed \"node\" store ptr [@p], r3 r3 = load ptr [@p] \
                  store i32 [r3], i32 7 r1 = load i32 [r3] r2 = equal r1, i32 7 check assertion r2, \"seven\"";
    let program = program(&[writer, "r1 = load i32 [@x]"], "");
    for property in [Property::Assertion, Property::MemorySafety] {
        assert_eq!(breaks(&program, property), NEVER);
    }
}

#[test]
fn bytes_that_nobody_wrote_are_asked_for_once_and_only_where_no_store_is_delayed() {
    // The low byte is stored; the load takes the other three from outside, and so does the one behind the flush.
    let writer = "r3 = alloc heap i64 4 align 4 \"node\" store ptr [@p], r3 store i8 [r3], i8 1 \
                  r1 = load i32 [r3] fence seq_cst r4 = load i32 [r3] r2 = equal r1, r4 \
                  check assertion r2, \"the same\" r1 = and r1, i32 255 r2 = equal r1, i32 1 check assertion r2, \"one\"";
    let program = program(&[writer, "r1 = load i32 [@x]"], "");
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let vm = Vm::checking(&program, &[Property::Assertion]).with_memory_model(model);
        for seed in 0..50 {
            let mut inputs = crate::schedule::RandomInputs::new(seed);
            let result = run(&vm, &mut Random::new(seed), &mut inputs, &Options::default(), &mut Unwatched);
            assert_eq!(result.outcome, Outcome::Exited(Exit::Status(0)));
            assert_eq!(result.trace.inputs.len(), 1, "{:?}", result.trace.inputs);
        }
    }
}

const PUBLISH: &str = "r3 = alloc heap i64 4 align 4 zeroed \"node\" store i32 [r3], i32 1";
/// Looks into the node, if there is one: a null pointer ends the thread silently.
const LOOK: &str =
    "r3 = load ptr [@p] r1 = load i32 [r3] r2 = equal r1, i32 1 check assertion r2, \"filled\"";

#[test]
fn a_node_may_be_published_before_it_is_filled_under_pso_only() {
    let by = |store: &str| program(&[&format!("{PUBLISH} {store}"), LOOK], "");
    assert_eq!(breaks(&by("store ptr [@p], r3"), Property::Assertion), [false, false, true]);
    assert_eq!(breaks(&by("store ptr [@p], r3 release"), Property::Assertion), NEVER);
    assert_eq!(breaks(&by("fence release store ptr [@p], r3"), Property::Assertion), NEVER);
    assert_eq!(breaks(&by("store ptr [@p], r3 seq_cst"), Property::Assertion), NEVER);
    // What never gets out is not delayed.
    let own =
        "r3 = alloc local i64 4 align 4 \"own\" store i32 [r3], i32 1 r1 = load i32 [r3] store i32 [@x], r1";
    let program = program(&[own, "r1 = load i32 [@y]"], "");
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Pso);
    let mut most = 0;
    let mut look =
        |state: &State| most = most.max(state.threads.iter().map(|thread| thread.buffer.len()).sum());
    walk(&vm, &mut look);
    assert_eq!(most, 1);
}

/// Goes through all states.
fn walk(vm: &Vm<'_>, look: &mut impl FnMut(&State)) {
    let (state, _) = vm.start(&mut ZeroInputs, &mut Unwatched);
    let mut work = vec![state];
    while let Some(state) = work.pop() {
        look(&state);
        for next in vm.moves(&state) {
            let mut after = state.clone();
            vm.make(&mut after, next, &mut ZeroInputs, &mut Unwatched);
            work.push(after);
        }
    }
}

#[test]
fn a_store_that_becomes_visible_in_freed_memory_is_a_violation() {
    let make = "r3 = alloc heap i64 4 align 4 zeroed \"node\" store ptr [@p], r3 seq_cst";
    // The writer says that it is done before its store is visible, and the other one believes it.
    let writer = format!("{make} store i32 [r3], i32 1 store i32 [@x], i32 1");
    let other = "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 1 assume r2 r3 = load ptr [@p] atomic_end free r3";
    let program = program(&[&writer, other], "");
    assert_eq!(breaks(&program, Property::MemorySafety), [false, false, true]);
    let found = search(&program, MemoryModel::Pso, &[Property::MemorySafety]);
    let [late] = &found.violations[..] else { panic!("{:?}", found.violations.len()) };
    let Outcome::Violated(violation) = late.outcome() else { panic!("{:?}", late.outcome()) };
    assert_eq!(violation.message, "write after free: the store was made before, and became visible only now");
    assert_eq!(violation.thread, 1);
    // Who does not look for it drops the store.
    let vm = Vm::checking(&program, &[]).with_memory_model(MemoryModel::Pso);
    assert!(explore(&vm, &Search::default()).is_complete());
}

#[test]
fn stores_to_local_variables_that_have_ended_are_dropped() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "p" size 8 align 8 {}
        global g1 "x" size 4 align 4 {}
        function f0 "main" () {
          registers r0: i32, r1: i32
        b0:
          r0 = fork @other(null)
          call @helper()
          call @helper()
          store i32 [@x], i32 2
          join r0
          exit_process i32 0
        }
        function f1 "other" (r0) -> ptr { registers r0: ptr, r1: i32 b0: r1 = load i32 [@x] return null }
        function f2 "helper" () {
          registers r0: ptr
        b0:
          r0 = alloc local i64 4 align 4 "local"
          store ptr [@p], r0
          store i32 [r0], i32 5
          return
        }"#,
    );
    assert_eq!(breaks(&program, Property::MemorySafety), NEVER);
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso);
    let mut delayed = BTreeSet::new();
    walk(&vm, &mut |state| {
        let stores = state.threads[0].buffer.stores().iter();
        assert!(stores.clone().all(|store| state.memory.object(store.spot.origin).is_some()));
        delayed.insert(stores.map(|store| store.spot.origin.arena).collect::<Vec<_>>());
    });
    assert!(delayed.contains(&vec![0, 0, 0]), "both pointers and `x`, and neither local: {delayed:?}");
}

#[test]
fn nobody_is_stuck_while_a_store_is_delayed() {
    let flag = "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 1 wait_until r2 atomic_end";
    // The lock is granted only when the flag is visible; the flag becomes so while its thread waits for the lock.
    let waits = program(
        &[&format!("lock [@m] {flag} unlock [@m]"), "store i32 [@x], i32 1 lock [@m] unlock [@m]"],
        "",
    );
    assert_eq!(breaks(&waits, Property::Deadlock), NEVER);
    let never = program(
        &[&format!("lock [@m] {flag} unlock [@m]"), "lock [@m] store i32 [@x], i32 1 unlock [@m]"],
        "",
    );
    assert_eq!(breaks(&never, Property::Deadlock), [true, true, true]);
}

#[test]
fn what_a_stopped_thread_has_stored_may_still_become_visible() {
    let program = program(&["store i32 [@x], i32 1 store i32 [@y], i32 1 assume false"], "");
    let seen = |model| {
        let vm = Vm::checking(&program, &[]).with_memory_model(model);
        let mut seen = BTreeSet::new();
        walk(&vm, &mut |state| {
            let objects: Vec<u8> =
                state.memory.objects().take(2).map(|(_, object)| object.bytes[0]).collect();
            if matches!(state.threads.get(1), Some(thread) if thread.status == Status::Stopped) {
                seen.insert((objects[0], objects[1]));
            }
        });
        seen
    };
    assert_eq!(seen(MemoryModel::Sc), BTreeSet::from([(1, 1)]));
    assert_eq!(seen(MemoryModel::Tso), BTreeSet::from([(0, 0), (1, 0), (1, 1)]));
    assert_eq!(seen(MemoryModel::Pso), BTreeSet::from([(0, 0), (0, 1), (1, 0), (1, 1)]));
}

/// What main sees of a global in the end, if it does as told behind the fork of a thread with this body.
fn main_sees(body: &str, main: &str, model: MemoryModel) -> BTreeSet<u8> {
    let text = format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {{}}
        global g1 "y" size 4 align 4 {{}}
        global g2 "z" size 4 align 4 {{}}
        function f0 "main" () {{ registers r0: i32, r1: i32, r2: i1 b0: r0 = fork @other(null) {main}
          exit_process r1 }}
        function f1 "other" (r0) -> ptr {{ registers r0: ptr, r1: i32 b0: {body} return null }}"#
    );
    let program = parse(&text);
    let vm = Vm::checking(&program, &[]).with_memory_model(model);
    let exits = explore(&vm, &Search::default()).exits;
    let status =
        |exit: &Exit| if let Exit::Status(status) = exit { u8::try_from(*status).unwrap() } else { 99 };
    exits.iter().map(status).collect()
}

#[test]
fn a_thread_that_comes_to_be_alone_keeps_its_stores_in_order() {
    let main =
        "store i32 [@x], i32 1 r1 = load i32 [@y] store i32 [@x], i32 2 fence seq_cst r1 = load i32 [@x]";
    for &model in MemoryModel::ALL {
        assert_eq!(main_sees("r1 = load i32 [@y]", main, model), BTreeSet::from([2]));
    }
}

#[test]
fn a_stopped_thread_with_delayed_stores_is_company() {
    // All three of its stores become visible between the two looks, and main's own is last all the same.
    let body = "store i32 [@y], i32 1 store i32 [@x], i32 1 store i32 [@z], i32 1 assume false";
    let main = "store i32 [@x], i32 2 r1 = load i32 [@y] r2 = equal r1, i32 0 assume r2 \
                r1 = load i32 [@z] r2 = equal r1, i32 1 assume r2 r1 = load i32 [@x]";
    assert_eq!(main_sees(body, main, MemoryModel::Tso), BTreeSet::from([1, 2]));
}

#[test]
fn a_thread_that_stores_without_end_is_cut_off() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () { registers r0: i32 b0: r0 = fork @other(null) jump b1 b1: store i32 [@x], i32 1 jump b1 }
        function f1 "other" (r0) -> ptr { registers r0: ptr, r1: i32 b0: r1 = load i32 [@x] return null }"#,
    );
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso);
    let found = explore(&vm, &Search { max_delayed: 5, ..Search::default() });
    assert_eq!(found.limit, Some(Limit::Delayed));
    assert!(!found.is_complete() && found.executions.is_none());
    let sequential = explore(&Vm::new(&program), &Search::default());
    assert_eq!(sequential.limit, None);
}

fn dekker(ordering: [&str; 2], middle: &str) -> Program {
    let [store, load] = ordering;
    let side = |mine: &str, other: &str| {
        format!(
            "store i32 [@{mine}], i32 1 {store} {middle} r1 = load i32 [@{other}] {load} r2 = equal r1, i32 0 \
             assume r2 r1 = load i32 [@buffer] r1 = add r1, i32 1 store i32 [@buffer], r1"
        )
    };
    program(&[&side("x", "y"), &side("y", "x")], "")
}

#[test]
fn data_races_that_only_delayed_stores_bring_about_are_found() {
    let race = |ordering, middle| breaks(&dekker(ordering, middle), Property::DataRace);
    assert_eq!(race(["release", "acquire"], ""), [false, true, true]);
    assert_eq!(race(["seq_cst", "seq_cst"], ""), NEVER);
    assert_eq!(race(["release", "acquire"], "fence seq_cst"), NEVER);
    let passing = |store: &str, load: &str| {
        let reader = format!("r1 = load i32 [@y] {load} r2 = equal r1, i32 1 assume r2 r1 = load i32 [@x]");
        let writer = format!("store i32 [@x], i32 1 store i32 [@y], i32 1 {store}");
        breaks(&program(&[&writer, &reader], ""), Property::DataRace)
    };
    assert_eq!(passing("release", "acquire"), NEVER);
    assert_eq!(passing("seq_cst", "seq_cst"), NEVER);
    assert_eq!(passing("", ""), [true, true, true]);
}

#[test]
fn a_release_store_gives_what_was_done_before_it_was_made_not_before_it_was_seen() {
    // The second store to `buffer` comes behind the release store, which becomes visible later still.
    let writer = "store i32 [@x], i32 1 release store i32 [@buffer], i32 2";
    let reader = "r1 = load i32 [@x] acquire r2 = equal r1, i32 1 assume r2 r1 = load i32 [@buffer]";
    let program = program(&[writer, reader], "");
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let vm = Vm::checking(&program, &[Property::DataRace]).with_memory_model(model);
        let late =
            [Move::Step(0), Move::Step(0), Move::Flush { thread: 1, store: 0 }, Move::Step(2), Move::Step(2)];
        let result = run(&vm, &mut Listed::new(&late), &mut ZeroInputs, &Options::default(), &mut Unwatched);
        assert_eq!(result.outcome.property(), Some(Property::DataRace), "{:?}", result.outcome);
    }
}

#[test]
fn a_load_that_sees_a_delayed_store_of_its_own_thread_acquires_nothing() {
    let reader = "store i32 [@x], i32 2 relaxed r1 = load i32 [@x] acquire r1 = load i32 [@buffer]";
    let writer = "store i32 [@buffer], i32 1 store i32 [@x], i32 1 release";
    let program = program(&[reader, writer], "");
    let vm = Vm::checking(&program, &[Property::DataRace]).with_memory_model(MemoryModel::Tso);
    let (step, flush) = (Move::Step, |thread| Move::Flush { thread, store: 0 });
    let race = |moves: &[Move]| {
        let mut scheduler = Listed::new(moves);
        let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
        result.outcome.property() == Some(Property::DataRace)
    };
    assert!(race(&[step(0), step(0), flush(2), flush(2), step(1), step(1)]));
    // When its own store has become visible before, and the other one after it, the load sees the other one.
    assert!(!race(&[step(0), step(0), flush(1), flush(2), flush(2), step(1), step(1)]));
}

/// Makes the moves that are listed, then the first.
struct Listed {
    moves: Vec<Move>,
    next: usize,
}

impl Listed {
    fn new(moves: &[Move]) -> Self {
        Self { moves: moves.to_vec(), next: 0 }
    }
}

impl Scheduler for Listed {
    fn begin(&mut self) {}
    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        self.next += 1;
        Some(self.moves.get(self.next - 1).copied().unwrap_or(enabled[0]))
    }
    fn end(&mut self, _: Move, _: &[u64]) {}
}

/// Store buffering with the place of each access: main checks what the two have seen.
fn store_buffering() -> Program {
    let side = |mine: &str, other: &str, seen: &str, line: u32| {
        format!(
            "store i32 [@{mine}], i32 1 @{line}-{line} r1 = load i32 [@{other}] @{}-{} store i32 [@{seen}], r1 @{}-{}",
            line + 1,
            line + 1,
            line + 2,
            line + 2
        )
    };
    let bodies = [side("x", "y", "buffer", 3), side("y", "x", "buffer+4", 8)];
    let last = "r2 = load i32 [@buffer] r3 = load i32 [@buffer+4] r2 = or r2, r3 r4 = not_equal r2, i32 0 \
                check assertion r4, \"somebody sees\"";
    program(&[&bodies[0], &bodies[1]], last)
}

fn trace_of(segments: &[Segment]) -> Trace {
    let mut trace = Trace::new();
    trace.memory_model = MemoryModel::Tso;
    trace.property = Some("assertion".to_owned());
    trace.schedule = segments.to_vec();
    trace
}

/// Forks are operations 1 and 2 of main; each thread stores, loads and stores.
#[test]
fn a_trace_written_from_outside_says_when_stores_become_visible() {
    let program = store_buffering();
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso);
    let replayed = |segments: &[Segment]| {
        replay(&vm, &trace_of(segments), &Options::default(), &mut Unwatched)
            .map_err(|error| error.to_string())
    };
    let (go, visible) = (Segment::run, Segment::flush);
    let whole = [
        go(0, 2),
        go(1, 2),
        go(2, 2),
        visible(1, 1),
        visible(2, 1),
        go(1, 1),
        go(2, 1),
        visible(1, 3),
        visible(2, 3),
        go(0, 5),
    ];
    let first = replayed(&whole).unwrap();
    let text = first.trace().to_json();
    let again = replay(&vm, &Trace::from_json(&text).unwrap(), &Options::default(), &mut Unwatched).unwrap();
    assert_eq!((again.trace(), again.steps()), (first.trace(), first.steps()));
    // What is not said happens when its thread, here by its end, cannot go on without it.
    assert_eq!(
        replayed(&[go(0, 2), go(1, 2), go(2, 2), visible(1, 1), visible(2, 1), go(1, 1), go(2, 1), go(0, 5)])
            .map(|_| ())
            .unwrap_err(),
        "the trace does not fit the program: at segment 8 of its schedule, thread 0 is not enabled"
    );
    // A flush of what is not delayed is passed over: main's forks, and a store that is visible already.
    assert!(
        replayed(&[&[go(0, 2), visible(0, 1)], &whole[1..5], &[visible(1, 1)], &whole[5..]].concat()).is_ok()
    );
    // Out of order, before the store, or of nobody.
    let refused = |segments: &[Segment]| replayed(segments).unwrap_err();
    assert_eq!(
        refused(&[go(0, 2), go(1, 3), visible(1, 3), visible(1, 1)]),
        "the trace does not fit the program: at segment 3 of its schedule, operation 3 of thread 1 cannot become visible"
    );
    assert!(refused(&[go(0, 2), visible(1, 3)]).contains("segment 2"));
    assert!(refused(&[go(0, 2), visible(7, 1)]).contains("segment 2"));
    // Under sequential consistency it is no trace at all.
    let sequential = Vm::new(&program);
    let error = replay(&sequential, &trace_of(&whole), &Options::default(), &mut Unwatched).unwrap_err();
    assert_eq!(error.to_string(), "the trace is one of the memory model tso, and the VM runs sc");
}

#[test]
fn behind_the_last_segment_stores_become_visible_while_nobody_can_run() {
    let flag = "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 2 wait_until r2 atomic_end";
    let program = program(&[&format!("store i32 [@x], i32 1 {flag}")], "");
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso);
    let mut trace = trace_of(&[Segment::run(0, 1), Segment::run(1, 1)]);
    trace.property = Some("deadlock".to_owned());
    let replayed = replay(&vm, &trace, &Options::default(), &mut Unwatched).unwrap();
    assert!(matches!(replayed.outcome(), Outcome::Deadlock(_)));
    assert_eq!(replayed.trace().schedule.last(), Some(&Segment::flush(1, 1)));
}

#[test]
fn runs_under_chance_replay_to_the_same_step() {
    let program = store_buffering();
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let vm = Vm::new(&program).with_memory_model(model).only(Property::Assertion);
        let mut broken = 0;
        for seed in 0..200 {
            let go = |scheduler: &mut dyn Scheduler| -> RunResult {
                run(&vm, scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched)
            };
            let first = go(&mut Random::new(seed));
            let trace = Trace::from_json(&first.trace.to_json()).unwrap();
            let again = follow(&vm, &trace, &Options::default(), &mut Unwatched).unwrap();
            assert_eq!(
                (&again.outcome, again.steps, &again.trace),
                (&first.outcome, first.steps, &first.trace)
            );
            broken += usize::from(first.outcome.property().is_some());
        }
        assert!((5..190).contains(&broken), "{model:?} {broken}");
    }
}

#[test]
fn a_story_shows_when_stores_become_visible() {
    let program = store_buffering();
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso).only(Property::Assertion);
    let (run, visible) = (Segment::run, Segment::flush);
    let trace =
        trace_of(&[run(0, 2), run(1, 2), run(2, 2), visible(1, 1), visible(2, 1), run(1, 1), run(2, 1)]);
    let mut trace = trace;
    trace.schedule.extend([visible(1, 3), visible(2, 3), run(0, 5)]);
    let replayed = replay(&vm, &trace, &Options::default(), &mut Unwatched).unwrap();
    let told = Story::of(&program, &replayed, &|_| None);
    let text = told.render(160);
    for line in ["stores x = 1, delayed", "store of x = 1 becomes visible"] {
        assert!(text.contains(line), "{text}");
    }
    let delay = |name: &str, value: &str| Deed::Delay { name: name.to_owned(), value: value.to_owned() };
    let visible = |name: &str, value: &str| Deed::Visible { name: name.to_owned(), value: value.to_owned() };
    let read = |name: &str, from| Deed::Read { name: name.to_owned(), value: "0".to_owned(), from };
    let rows: Vec<(u64, ThreadId, Vec<Deed>)> =
        told.rows.into_iter().map(|row| (row.step, row.thread, row.deeds)).collect();
    let expected = [
        (1, 0, vec![Deed::Start(1)]),
        (1, 1, vec![delay("x", "1")]),
        (2, 0, vec![Deed::Start(2)]),
        (2, 2, vec![delay("y", "1")]),
        (3, 1, vec![read("y", None), delay("buffer", "0")]),
        (4, 2, vec![read("x", None), delay("buffer + 4", "0")]),
        (5, 1, vec![visible("x", "1")]),
        (6, 2, vec![visible("y", "1")]),
        (7, 1, vec![visible("buffer", "0")]),
        (8, 2, vec![visible("buffer + 4", "0")]),
        (9, 0, vec![Deed::Join(1)]),
        (10, 0, vec![Deed::Join(2)]),
        (11, 0, vec![read("buffer", Some(7))]),
        (12, 0, vec![read("buffer + 4", Some(8))]),
    ];
    assert_eq!(rows, expected, "{text}");
}

#[test]
fn a_story_tells_a_thread_that_reads_its_own_delayed_store_from_where() {
    let reader = "store i32 [@x], i32 1 r1 = load i32 [@x] r2 = equal r1, i32 0 check assertion r2, \"zero\"";
    let program = program(&[reader, "store i32 [@x], i32 2"], "");
    let vm = Vm::new(&program).with_memory_model(MemoryModel::Tso).only(Property::Assertion);
    let trace = trace_of(&[Segment::run(0, 2), Segment::run(2, 1), Segment::flush(2, 1), Segment::run(1, 2)]);
    let replayed = replay(&vm, &trace, &Options::default(), &mut Unwatched).unwrap();
    let told = Story::of(&program, &replayed, &|_| None);
    let read = Deed::Read { name: "x".to_owned(), value: "1".to_owned(), from: Some(1) };
    assert!(told.rows.iter().any(|row| row.deeds.contains(&read)), "{told:?}");
}
