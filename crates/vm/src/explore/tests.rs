//! Counts that were worked out by hand, and comparisons of the two ways of counting.

use super::Strategy;
use super::*;
use crate::observe::Unwatched;
use crate::run::tests::{LOST_UPDATE, parse};
use crate::run::{Options, Outcome, ReplayedTrace, replay, run};
use crate::schedule::{Random, RandomInputs};
use crate::state::Exit;
use proptest::prelude::*;
use proptest::strategy::Strategy as Generate;
use raddle_base::Exhausted;
use raddle_ir::{Program, Property};

/// A program whose main thread starts all the given bodies in one step and then ends.
pub(super) fn threads(bodies: &[&str]) -> Program {
    let forks: String = (0..bodies.len()).map(|n| format!("r0 = fork @t{n}(null)\n")).collect();
    let functions: String = bodies
        .iter()
        .enumerate()
        .map(|(n, body)| {
            format!(
                "function f{} \"t{n}\" (r0) -> ptr {{ registers r0: ptr, r1: i32, r2: i1 b0: {body} return null }}\n",
                n + 1
            )
        })
        .collect();
    parse(&format!(
        r#"program pointer_bits 64 entry f0
        havoc h0 "choice" i1
        havoc h1 "number" i32
        global g0 "x" size 4 align 4 shape signed i32 {{}}
        global g1 "y" size 4 align 4 shape signed i32 {{}}
        global g2 "z" size 4 align 4 shape signed i32 {{}}
        global g3 "m" size 4 align 4 shape signed i32 {{}}
        global g4 "n" size 4 align 4 shape signed i32 {{}}
        function f0 "main" () {{
          registers r0: i32
        b0:
          atomic_begin
          {forks}
          atomic_end
          exit_thread null
        }}
        {functions}"#
    ))
}

/// Searches with and without hashing, and makes sure that both count the same.
fn both(program: &Program, properties: &[Property]) -> Exploration {
    let vm = Vm::checking(program, properties);
    let hashed = explore(&vm, &Search { symmetry: false, ..Search::default() });
    let walked = explore(&vm, &Search { strategy: Strategy::Executions, ..Search::default() });
    assert!(hashed.is_complete() && walked.is_complete());
    assert_eq!(hashed.executions, walked.executions);
    assert!(hashed.states <= walked.states && hashed.transitions <= walked.transitions);
    hashed
}

fn executions(bodies: &[&str]) -> u128 {
    both(&threads(bodies), &[Property::Assertion]).executions.unwrap()
}

const STORES: [&str; 5] = [
    "store i32 [@x], i32 1",
    "store i32 [@y], i32 1",
    "store i32 [@z], i32 1",
    "store i32 [@m], i32 1",
    "store i32 [@n], i32 1",
];

#[test]
fn n_independent_writers_have_n_factorial_executions() {
    assert_eq!(executions(&[]), 1);
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        assert_eq!(executions(&STORES[..n]), factorial);
        assert_eq!(executions(&vec![STORES[0]; n]), factorial, "all to the same place");
    }
}

#[test]
fn n_independent_writers_have_two_to_the_n_states() {
    let found = both(&threads(&STORES[..3]), &[]);
    // One before the threads are started, then one for each set of those that have written.
    assert_eq!((found.states, found.transitions), (1 + 8, 1 + 12));
    // To the same place, it also matters who was last, but all write the same.
    assert_eq!(both(&threads(&[STORES[0]; 3]), &[]).states, 1 + 8);
}

#[test]
fn two_threads_of_a_and_b_steps_have_a_plus_b_over_a_executions() {
    let steps = |n: usize| STORES[0].to_owned().repeat(n).replace("1store", "1 store");
    for (a, b, count) in [(1, 1, 2), (2, 1, 3), (2, 3, 10), (4, 4, 70), (5, 3, 56)] {
        assert_eq!(executions(&[&steps(a), &steps(b)]), count, "{a} and {b}");
    }
}

#[test]
fn three_threads_of_one_two_and_one_steps_have_twelve_executions() {
    let two = format!("{} {}", STORES[0], STORES[1]);
    assert_eq!(executions(&[STORES[2], &two, STORES[2]]), 12);
}

#[test]
fn what_is_local_makes_no_steps() {
    let local = "r1 = add i32 1, i32 2 r1 = add r1, i32 3 fence seq_cst store i32 [@x], r1 r1 = add r1, r1";
    assert_eq!(executions(&[local, local]), 2);
}

#[test]
fn critical_sections_go_one_after_the_other() {
    let locked = "lock [@m] r1 = load i32 [@x] store i32 [@x], i32 1 unlock [@m]";
    assert_eq!(executions(&[locked, locked]), 2);
    assert_eq!(executions(&[locked, locked, locked]), 6);
    let other = locked.replace("@m", "@n").replace("@x", "@y");
    assert_eq!(executions(&[locked, &other]), 70, "another lock: four and four steps");
}

#[test]
fn asking_about_a_lock_is_a_step_only_where_others_reach_it() {
    for question in ["holds_lock", "lock_is_free"] {
        let shared = format!("r2 = {question} @m");
        assert_eq!(executions(&[&shared, STORES[0]]), 2);
        assert_eq!(executions(&[&format!("{shared} {shared}"), STORES[0]]), 3);
        let local = format!("r0 = alloc local i64 4 align 4 \"l\" r2 = {question} r0 {}", STORES[0]);
        assert_eq!(executions(&[&local, STORES[1]]), 2);
        let block = format!("atomic_begin {shared} {shared} atomic_end");
        assert_eq!(executions(&[&block, STORES[0]]), 2);
    }
}

/// The messages of the checks that fail in some execution.
fn failures(bodies: &[&str]) -> Vec<String> {
    let found = both(&threads(bodies), &[Property::Assertion, Property::MemorySafety]);
    let message = |found: &ReplayedTrace| {
        let Outcome::Violated(violation) = found.outcome() else { panic!("{:?}", found.outcome()) };
        violation.message.clone()
    };
    found.violations.iter().map(message).collect()
}

#[test]
fn a_lock_is_held_by_who_took_it_and_free_when_nobody_did() {
    let told = |question: &str, message: &str| {
        format!("r2 = {question} @m r2 = equal r2, false check assertion r2, \"{message}\" ")
    };
    let holds = told("holds_lock", "held");
    let free = told("lock_is_free", "free");
    let locked = |inner: &str| format!("lock [@m] {inner} unlock [@m]");
    let none: [&str; 0] = [];
    assert_eq!(failures(&[&holds]), none);
    assert_eq!(failures(&[&free]), ["free"]);
    assert_eq!(failures(&[&locked(&holds)]), ["held"]);
    assert_eq!(failures(&[&locked(&free)]), none);
    assert_eq!(failures(&[&format!("{} {holds}", locked(""))]), none, "released");
    assert_eq!(failures(&[&holds, &locked("")]), none, "held by another");
    // It is not free while the other thread has it.
    let busy =
        "atomic_begin r2 = lock_is_free @m r2 = equal r2, true check assertion r2, \"busy\" atomic_end";
    assert_eq!(failures(&[busy, &locked("")]), ["busy"]);
}

#[test]
fn a_bad_pointer_to_a_lock_is_a_fault_and_memory_never_written_is_free() {
    for question in ["holds_lock", "lock_is_free"] {
        let null = format!("r2 = {question} null");
        assert_eq!(failures(&[&null]), ["lock through a null pointer"]);
        let small = format!("r0 = alloc local i64 2 align 4 \"l\" r2 = {question} r0");
        assert_eq!(failures(&[&small]), ["lock outside of `l`: at byte 0 of 2"]);
        let freed = format!("r0 = alloc heap i64 4 align 4 \"l\" free r0 r2 = {question} r0");
        assert_eq!(failures(&[&freed]), ["lock after free"]);
    }
    let fresh = "r0 = alloc heap i64 4 align 4 \"l\" r2 = lock_is_free r0 check assertion r2, \"free\"";
    assert_eq!(failures(&[fresh]), [""; 0]);
}

#[test]
fn an_atomic_block_is_one_step() {
    let block = "atomic_begin r1 = load i32 [@x] store i32 [@y], r1 store i32 [@x], i32 1 atomic_end";
    assert_eq!(executions(&[block, block]), 2);
    assert_eq!(executions(&[block, STORES[0], STORES[1]]), 6);
    // A section and a step behind it, beside one step.
    assert_eq!(executions(&[&format!("{block} {}", STORES[2]), STORES[0]]), 3);
}

#[test]
fn after_a_join_there_is_one_execution() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () {
          registers r0: i32
        b0:
          r0 = fork @worker(null)
          join r0
          r0 = fork @worker(null)
          join r0
          store i32 [@x], i32 2
          exit_process i32 0
        }
        function f1 "worker" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return null }"#,
    );
    let found = both(&program, Property::COMMON);
    assert_eq!(found.executions, Some(1));
    // Fork, write, join, fork, write, join, write, exit.
    assert_eq!((found.states, found.transitions), (9, 8));
    assert!(found.violations.is_empty());
    assert_eq!(found.exits, [Exit::Status(0)]);
}

#[test]
fn the_end_of_the_process_ends_the_others() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        global g1 "y" size 4 align 4 {}
        function f0 "main" () {
          registers r0: i32
        b0:
          r0 = fork @worker(null)
          store i32 [@y], i32 2
          exit_process i32 0
        }
        function f1 "worker" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return null }"#,
    );
    // The worker writes before main does, between its write and the exit, or never.
    assert_eq!(both(&program, &[]).executions, Some(3));
}

#[test]
fn a_waiting_section_comes_after_what_it_waits_for() {
    let waiting = "atomic_begin r1 = load i32 [@x] r2 = not_equal r1, i32 0 wait_until r2 store i32 [@y], i32 1 atomic_end";
    assert_eq!(executions(&[STORES[0], waiting]), 1);
    // Two that wait: either first; the other writer anywhere.
    assert_eq!(executions(&[STORES[0], waiting, waiting]), 2);
    assert_eq!(executions(&[STORES[0], waiting, STORES[2]]), 3);
}

#[test]
fn inputs_multiply_executions_and_only_numbers_are_sampled() {
    let chooses = "r2 = havoc h0 store i32 [@x], i32 1";
    let program = threads(&[chooses, chooses]);
    let found = both(&program, &[]);
    // Two orders, two times two inputs.
    assert_eq!((found.executions, found.sampled), (Some(8), false));
    let number = both(&threads(&["r1 = havoc h1 store i32 [@x], r1"]), &[]);
    assert_eq!((number.executions, number.sampled), (Some(2), true));
    let vm = Vm::new(&program);
    let more = explore(&vm, &Search { values: vec![4, 5, 6], ..Search::default() });
    assert_eq!(more.executions, Some(8), "truth values take both, whatever else is given");
}

#[test]
fn opposite_locks_have_six_executions_and_one_deadlock() {
    let program = threads(&[
        "lock [@m] lock [@n] unlock [@n] unlock [@m]",
        "lock [@n] lock [@m] unlock [@m] unlock [@n]",
    ]);
    let found = both(&program, Property::COMMON);
    // Whoever is first: the other comes in between at once (deadlock), after the inner unlock, or at the end.
    assert_eq!(found.executions, Some(6));
    assert_eq!(found.violations.len(), 1);
    let Outcome::Deadlock(deadlock) = found.violations[0].outcome() else { panic!("no deadlock") };
    assert_eq!(deadlock.cycle.len(), 2);
    assert!(found.breaks(Property::Deadlock) && !found.breaks(Property::Assertion));
}

#[test]
fn an_assumption_ends_its_thread_only() {
    let program = threads(&["assume false store i32 [@x], i32 1", STORES[0], STORES[1]]);
    let found = both(&program, Property::COMMON);
    assert_eq!(found.executions, Some(2));
    assert!(found.exits.is_empty() && !found.breaks(Property::Deadlock));
}

#[test]
fn a_lost_update_is_found_with_a_trace_that_replays() {
    let program = parse(LOST_UPDATE);
    let found = both(&program, Property::COMMON);
    assert_eq!(found.violations.len(), 1, "{:?}", found.violations);
    let vm = Vm::new(&program);
    let again = replay(&vm, found.violations[0].trace(), &Options::default(), &mut Unwatched).unwrap();
    assert_eq!(again.outcome(), found.violations[0].outcome());
    assert_eq!(again.steps(), found.violations[0].steps());
}

#[test]
fn every_violation_counts_once_for_its_place() {
    let asserts = "r1 = load i32 [@x] r2 = equal r1, i32 0 check assertion r2, \"x == 0\"";
    let found = both(&threads(&[asserts, STORES[0], STORES[0]]), &[Property::Assertion]);
    assert_eq!(found.violations.len(), 1);
    let found = both(&threads(&[asserts, STORES[0], asserts]), &[Property::Assertion]);
    assert_eq!(found.violations.len(), 2);
}

#[test]
fn a_cycle_has_finitely_many_states_and_no_end() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () { registers r0: i32 b0: r0 = load i32 [@x] jump b0 }"#,
    );
    let vm = Vm::new(&program);
    let found = explore(&vm, &Search::default());
    assert_eq!((found.states, found.transitions, found.executions), (1, 1, None));
    assert!(found.is_complete());
    let walked = explore(&vm, &Search { strategy: Strategy::Executions, max_depth: 20, ..Search::default() });
    assert_eq!((walked.limit, walked.executions), (Some(Limit::Depth), None));
}

#[test]
fn limits_are_told() {
    let program = threads(&STORES);
    let vm = Vm::new(&program);
    let few = explore(&vm, &Search { max_states: 7, ..Search::default() });
    assert_eq!((few.states, few.limit, few.executions), (7, Some(Limit::States), None));
    let short = explore(&vm, &Search { max_blocks: 1, ..Search::default() });
    assert_eq!((short.limit, short.executions), (Some(Limit::Blocks), None));
    let budget = Budget::unlimited();
    budget.canceller().cancel();
    let none = explore(&vm, &Search { budget: Some(&budget), ..Search::default() });
    assert_eq!(none.limit, Some(Limit::Budget(Exhausted::Cancelled)));
    assert!(!none.is_complete());
}

fn races(bodies: &[&str]) -> usize {
    both(&threads(bodies), &[Property::DataRace]).violations.len()
}

#[test]
fn races_are_conflicting_accesses_that_nothing_orders() {
    assert_eq!(races(&[STORES[0], STORES[0]]), 1);
    assert_eq!(races(&[STORES[0], STORES[1]]), 0);
    assert_eq!(races(&["store i32 [@x], i32 1 relaxed", "store i32 [@x], i32 1 seq_cst"]), 0);
    assert_eq!(races(&["store i32 [@x], i32 1 relaxed", "r1 = load i32 [@x]"]), 1);
    let locked = "lock [@m] store i32 [@x], i32 1 unlock [@m]";
    assert_eq!(races(&[locked, locked]), 0);
    assert_eq!(races(&[locked, STORES[0]]), 1);
    let block = "atomic_begin store i32 [@x], i32 1 atomic_end";
    assert_eq!(races(&[block, block]), 0);
    assert_eq!(races(&[block, STORES[0]]), 1);
    let guarded = "atomic_begin r1 = load i32 [@y] acquire r2 = equal r1, i32 1 wait_until r2 atomic_end store i32 [@x], i32 2";
    assert_eq!(races(&["store i32 [@x], i32 1 store i32 [@y], i32 1 release", guarded]), 0);
    assert_eq!(races(&["store i32 [@y], i32 1 release store i32 [@x], i32 1", guarded]), 1);
}

#[test]
fn leaks_and_unsupported_code_are_listed() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        havoc h0 "c" i1
        function f0 "main" () {
          registers r0: i1, r1: ptr
        b0:
          r0 = havoc h0
          branch r0, b1, b2
        b1:
          r1 = alloc heap i64 8 align 8 "malloc"
          exit_process i32 3
        b2:
          unsupported "setjmp"
        }"#,
    );
    let vm = Vm::new(&program);
    let found = explore(&vm, &Search::default());
    assert_eq!(found.exits, [Exit::Status(3)]);
    assert_eq!((found.leaks.len(), found.unsupported.len()), (1, 1));
    assert_eq!(found.unsupported[0].0, "setjmp");
    assert!(!found.is_complete());
}

/// A few operations of one thread, from single ones and balanced pairs.
pub(super) fn body() -> impl Generate<Value = String> {
    let single = prop_oneof![
        Just("store i32 [@x], i32 1"),
        Just("r1 = load i32 [@x] store i32 [@y], r1"),
        Just("store i32 [@x], i32 1 seq_cst"),
        Just("r1 = load i32 [@x] acquire"),
        Just("r1 = rmw add i32 [@y], i32 1 seq_cst"),
        Just("r1 = load i32 [@y] r2 = signed_less r1, i32 2 check assertion r2, \"y < 2\""),
        Just("r1 = load i32 [@x] r2 = equal r1, i32 0 assume r2"),
        Just("r2 = havoc h0 branch r2, b1, b1 b1:"),
        Just(
            "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 0 wait_until r2 store i32 [@x], i32 1 atomic_end"
        ),
    ];
    let block = (prop::collection::vec(single, 0..3), 0..5_u8).prop_map(|(ops, wrap)| {
        let inner = ops.join(" ");
        match wrap {
            0 => format!("lock [@m] {inner} unlock [@m]"),
            1 => format!("lock [@n] {inner} unlock [@n]"),
            2 => format!("atomic_begin {inner} atomic_end"),
            _ => inner,
        }
    });
    prop::collection::vec(block, 1..3).prop_map(|blocks| {
        // Each choice begins a block of its own.
        let mut next = 1;
        let mut text = String::new();
        for part in blocks.join(" ").split("branch r2, b1, b1 b1:") {
            if !text.is_empty() {
                text.push_str(&format!("branch r2, b{next}, b{next} b{next}: "));
                next += 1;
            }
            text.push_str(part);
            text.push(' ');
        }
        text
    })
}

/// How executions end that break nothing.
fn ends(found: &Exploration) -> Vec<String> {
    let mut exits: Vec<String> = found.exits.iter().map(|exit: &Exit| format!("{exit:?}")).collect();
    exits.sort();
    exits
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hashing_changes_no_count_and_random_runs_find_nothing_new(
        bodies in prop::collection::vec(body(), 2..4), seed in 0_u64..1000,
    ) {
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let program = threads(&bodies);
        let vm = Vm::new(&program);
        let limit = Search { max_states: 20_000, symmetry: false, ..Search::default() };
        let hashed = explore(&vm, &limit);
        let walked = explore(&vm, &Search { strategy: Strategy::Executions, ..limit.clone() });
        if walked.limit.is_none() {
            prop_assert_eq!(hashed.executions, walked.executions);
            let classes = explore(&vm, &Search { strategy: Strategy::SleepSets, ..limit.clone() });
            prop_assert!(classes.executions.is_some_and(|count| count > 0) && classes.executions <= walked.executions);
        }
        for &property in Property::COMMON {
            let only = vm.only(property);
            let found = explore(&only, &limit);
            let classes = explore(&only, &Search { strategy: Strategy::SleepSets, ..limit.clone() });
            if found.is_complete() && classes.is_complete() {
                prop_assert_eq!(found.breaks(property), classes.breaks(property), "{:?} {:?}", property, bodies);
                prop_assert_eq!(ends(&found), ends(&classes), "{:?} {:?}", property, bodies);
            }
            for run_seed in seed..seed + 10 {
                let mut inputs = RandomInputs::new(run_seed);
                let result =
                    run(&only, &mut Random::new(run_seed), &mut inputs, &Options::default(), &mut Unwatched);
                if result.outcome.property().is_none() {
                    continue;
                }
                let replayed = replay(&vm, &result.trace, &Options::default(), &mut Unwatched);
                prop_assert_eq!(replayed.map(|r| r.steps()).ok(), Some(result.steps));
                prop_assert!(found.breaks(property), "{:?} {:?}", bodies, result.outcome);
            }
        }
    }
}

/// What a search with sleep sets finds.
fn classes(bodies: &[&str], properties: &[Property]) -> Exploration {
    let program = threads(bodies);
    let vm = Vm::checking(&program, properties);
    explore(&vm, &Search { strategy: Strategy::SleepSets, ..Search::default() })
}

#[test]
fn of_executions_that_differ_in_the_order_of_independent_steps_one_is_walked() {
    let count = |bodies: &[&str]| classes(bodies, &[Property::Assertion]).executions;
    let read = "r1 = load i32 [@x]";
    assert_eq!(count(&STORES), Some(1), "five writers of different places");
    assert_eq!(count(&[read; 5]), Some(1), "five readers of one place");
    assert_eq!(count(&[STORES[0]; 4]), Some(24), "four writers of one place");
    assert_eq!(count(&[STORES[0], read, read]), Some(4), "each reader before or behind the writer");
    let locked = "lock [@m] r1 = load i32 [@x] store i32 [@x], i32 1 unlock [@m]";
    assert_eq!(count(&[locked, locked, locked]), Some(6));
    assert_eq!(count(&[locked, &locked.replace("@m", "@n").replace("@x", "@y")]), Some(1), "70 without");
    let block = "atomic_begin store i32 [@y], i32 1 atomic_end";
    assert_eq!(count(&[block, &block.replace("@y", "@z")]), Some(2), "atomic blocks are ordered");
    let asks = "r2 = lock_is_free @m";
    assert_eq!(count(&[asks, "lock [@m]"]), Some(2), "who asks about a lock depends on it");
}

#[test]
fn races_of_accesses_that_are_never_co_enabled_are_found() {
    let writer = "store i32 [@y], i32 1 store i32 [@x], i32 1 ORDER";
    let reader =
        "r1 = load i32 [@x] ORDER r2 = equal r1, i32 1 branch r2, b1, b2 b1: r1 = load i32 [@y] jump b2 b2:";
    let races = |writes: &str, reads: &str| {
        let bodies = [writer.replace("ORDER", writes), reader.replace("ORDER", reads)];
        races(&bodies.each_ref().map(String::as_str))
    };
    assert_eq!(races("release", "acquire"), 0);
    assert_eq!([races("relaxed", "acquire"), races("release", "relaxed")], [1, 1]);
    // The block reads `x` before it acquires what orders it, and does not commit without that.
    let giver = "store i32 [@x], i32 1 store i32 [@y], i32 1 release";
    let block = "atomic_begin r1 = load i32 [@x] FIRST r1 = load i32 [@y] acquire r2 = equal r1, i32 1 assume r2 SECOND atomic_end";
    let block = |first: &str, second: &str| block.replace("FIRST", first).replace("SECOND", second);
    assert_eq!(self::races(&[giver, &block("", "")]), 1);
    // One that waits, or whose process ends, likewise.
    assert_eq!(self::races(&[giver, &block("", "").replace("assume", "wait_until")]), 1);
}

#[test]
fn spinning_has_finitely_many_states_with_clocks() {
    let spins = "jump b1 b1: r1 = load i32 [@x] acquire r2 = equal r1, i32 1 branch r2, b2, b1 b2: r1 = load i32 [@y]";
    let adds = "r1 = rmw add i32 [@x], i32 0 seq_cst jump b1 b1: r1 = load i32 [@x] acquire r2 = equal r1, i32 1 branch r2, b2, b1 b2:";
    let giver = "store i32 [@y], i32 1 store i32 [@x], i32 1 release";
    for (bodies, expected) in
        [([giver, spins], 0), ([adds, giver], 0), ([&giver.replace("release", "relaxed"), spins], 1)]
    {
        let program = threads(&bodies);
        let vm = Vm::checking(&program, &[Property::DataRace]);
        let found = explore(&vm, &Search { max_states: 1000, ..Search::default() });
        assert!(found.is_complete(), "{bodies:?}: {:?}", found.limit);
        assert_eq!(found.violations.len(), expected, "{bodies:?}");
    }
}

const fn in_rounds(rounds: u32) -> Strategy {
    Strategy::RoundRobin { rounds, hashing: true }
}

#[test]
fn rounds_allow_as_many_descents_as_there_are_turns_behind_the_first() {
    let program = threads(&STORES[..3]);
    let vm = Vm::checking(&program, &[Property::Deadlock]);
    // Permutations of three threads with at most no, one, two descents: the Eulerian numbers 1, 4, 1 summed up.
    for (rounds, expected) in [(1, 1), (2, 5), (3, 6), (4, 6)] {
        for hashing in [true, false] {
            let found = explore(
                &vm,
                &Search { strategy: Strategy::RoundRobin { rounds, hashing }, ..Search::default() },
            );
            assert_eq!(found.executions, Some(expected), "{rounds} rounds");
            assert!(found.is_complete() && found.violations.is_empty(), "a cut execution is no deadlock");
        }
    }
}

#[test]
fn what_needs_a_second_turn_is_not_found_in_one_round() {
    let asserts = "r1 = load i32 [@x] r2 = equal r1, i32 0 check assertion r2, \"x == 0\"";
    let found = |bodies: &[&str], rounds: u32| {
        let program = threads(bodies);
        let vm = Vm::checking(&program, &[Property::Assertion]);
        !explore(&vm, &Search { strategy: in_rounds(rounds), ..Search::default() }).violations.is_empty()
    };
    assert!(found(&[STORES[0], asserts], 1));
    assert!(!found(&[asserts, STORES[0]], 1));
    assert!(found(&[asserts, STORES[0]], 2));
}

#[test]
fn a_thread_without_steps_is_joined_when_it_has_had_its_turn() {
    let program = parse(
        "program pointer_bits 64 entry f0
        function f0 \"main\" () {
          registers r0: i32, r1: i1
        b0:
          r0 = fork @idle(null)
          join r0
          r1 = equal r0, i32 7
          check assertion r1, \"after\"
          exit_process i32 0
        }
        function f1 \"idle\" (r0) -> ptr { registers r0: ptr b0: return null }",
    );
    let vm = Vm::checking(&program, &[Property::Assertion, Property::Deadlock]);
    let found = |strategy| explore(&vm, &Search { strategy, ..Search::default() });
    assert!(found(in_rounds(1)).violations.is_empty());
    assert!(found(in_rounds(2)).breaks(Property::Assertion));
    assert!(found(Strategy::States).breaks(Property::Assertion));
}

#[test]
fn inputs_of_a_loop_without_steps_do_not_outlast_a_limit() {
    let program = parse(
        r#"program pointer_bits 64 entry f0
        havoc h0 "input" i32
        function f0 "main" () { registers r0: i32, r1: i1
        b0: r0 = havoc h0 r1 = equal r0, i32 7 branch r1, b1, b0
        b1: exit_process i32 0 }"#,
    );
    let vm = Vm::new(&program);
    let found = explore(&vm, &Search { max_blocks: 10_000, ..Search::default() });
    assert_eq!(found.limit, Some(Limit::Blocks));
}
