//! Searches with and without symmetry find the same, and those with it are smaller.

use super::super::{Exploration, Search, explore};
use crate::run::tests::parse;
use crate::{MemoryModel, Vm};
use proptest::prelude::*;
use raddle_ir::{Program, Property};

/// A program whose main thread starts `count` threads with one body, then does something, where `r4` is the first thread's id, and so on.
fn equal(count: usize, body: &str, behind: &str) -> Program {
    let forks: String = (0..count).map(|n| format!("r{} = fork @worker(null)\n", 4 + n)).collect();
    let registers: String = (0..count).map(|n| format!(", r{}: i32", 4 + n)).collect();
    parse(&format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 shape signed i32 {{}}
        global g1 "y" size 4 align 4 shape signed i32 {{}}
        global g2 "m" size 4 align 4 shape signed i32 {{}}
        global g3 "n" size 4 align 4 shape signed i32 {{}}
        global g4 "p" size 8 align 8 {{}}
        function f0 "main" () {{
          registers r0: i32, r1: i1, r2: ptr, r3: i1{registers}
        b0:
          {forks}
          {behind}
          exit_process i32 0
        }}
        function f1 "worker" (r0) -> ptr {{
          registers r0: ptr, r1: i32, r2: i1, r3: ptr, r4: i64
        b0:
          r1 = i32 0
          r2 = true
          r3 = null
          {body}
        }}"#
    ))
}

fn joins(threads: impl IntoIterator<Item = usize>) -> String {
    threads.into_iter().map(|n| format!("join r{}\n", 4 + n)).collect()
}

/// Properties without clocks, and with.
fn without_races() -> Vec<Property> {
    Property::COMMON.iter().copied().filter(|&property| property != Property::DataRace).collect()
}

fn search(program: &Program, (asked, model): (&[Property], MemoryModel), symmetry: bool) -> Exploration {
    let search = Search { symmetry, max_states: 50_000, ..Search::default() };
    explore(&Vm::checking(program, asked).with_memory_model(model), &search)
}

/// Searches with and without, and makes sure that both find the same; gives how many states there are.
fn both_of(program: &Program, what: (&[Property], MemoryModel)) -> (u64, u64) {
    let (plain, reduced) = (search(program, what, false), search(program, what, true));
    assert!(plain.is_complete() && reduced.is_complete());
    assert_eq!(found(&plain), found(&reduced));
    assert!(reduced.states <= plain.states, "{} states instead of {}", reduced.states, plain.states);
    (plain.states, reduced.states)
}

/// The same for the common properties, with and without data races; gives the figures of the latter.
fn both(program: &Program) -> (u64, u64) {
    for &model in MemoryModel::ALL {
        for properties in [Property::COMMON, &[Property::Leak], &[Property::Uninitialised, Property::Cleanup]]
        {
            both_of(program, (properties, model));
        }
    }
    both_of(program, (&without_races(), MemoryModel::Sc))
}

/// What does not depend on which thread is which.
fn found(found: &Exploration) -> (Vec<&'static str>, Vec<String>, Vec<crate::Exit>, usize, bool) {
    let mut broken: Vec<&str> =
        Property::ALL.iter().filter(|&&property| found.breaks(property)).map(|p| p.name()).collect();
    broken.sort_unstable();
    let mut unsupported: Vec<String> = found.unsupported.iter().map(|(what, _)| what.clone()).collect();
    unsupported.sort_unstable();
    let mut exits = found.exits.clone();
    exits.sort_by_key(|exit| format!("{exit:?}"));
    (broken, unsupported, exits, found.threads, found.leak_doubt.is_some())
}

const LOCKED: &str =
    "lock [@m] r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1 unlock [@m] return null";

#[test]
fn equal_threads_that_are_joined_count_once() {
    let states = |count: usize| both(&equal(count, LOCKED, &joins(0..count)));
    assert_eq!((states(2), states(4), states(6)), ((29, 18), (245, 50), (1541, 98)));
}

#[test]
fn equal_threads_that_nobody_joins_count_once() {
    let states = |count: usize| both(&equal(count, LOCKED, ""));
    assert_eq!((states(2), states(4)), ((38, 24), (290, 62)));
}

#[test]
fn clocks_have_other_names_too() {
    let states =
        |count: usize, behind: &str, model| both_of(&equal(count, LOCKED, behind), (Property::COMMON, model));
    let joined = |count: usize| states(count, &joins(0..count), MemoryModel::Sc);
    assert_eq!((joined(2), joined(4), joined(6)), ((31, 18), (368, 50), (3265, 98)));
    let alone = |count: usize| states(count, "", MemoryModel::Sc);
    assert_eq!((alone(2), alone(4)), ((40, 24), (416, 62)));
}

#[test]
fn who_came_when_is_forgotten_where_it_makes_no_difference() {
    for body in [
        // Each reads before it acquires, or leaves what it releases behind.
        "r1 = load i32 [@y] relaxed lock [@m] r1 = load i32 [@x] store i32 [@x], r1 unlock [@m] return null",
        "r1 = rmw add i32 [@x], i32 1 acq_rel return null",
    ] {
        let program = equal(5, body, &joins(0..5));
        let with = both_of(&program, (Property::COMMON, MemoryModel::Sc)).1;
        let without = both_of(&program, (&without_races(), MemoryModel::Sc)).1;
        assert_eq!(with, without, "{body}");
    }
}

#[test]
fn threads_of_which_some_are_joined_are_told_apart() {
    let asserts = "r0 = load i32 [@x] r1 = equal r0, i32 1 check assertion r1, \"x\"";
    for behind in [
        joins([0]),
        format!("{} {asserts} {}", joins([1]), joins([0])),
        format!("{} lock [@n] unlock [@n] {}", joins([1]), joins([0])),
    ] {
        let (plain, reduced) = both(&equal(2, LOCKED, &behind));
        assert_eq!(plain, reduced, "{behind}");
    }
    // Joins in a row are made late all the same.
    assert_eq!(both(&equal(2, LOCKED, &joins([0, 1, 0]))), (30, 26));
}

#[test]
fn who_asks_for_its_id_is_told_apart() {
    for asks in [
        "r1 = current_thread store i32 [@x], r1 return null",
        "lock [@m] r1 = load i32 [@m] store i32 [@x], r1 unlock [@m] return null",
        "lock [@m] r1 = peek @m unwritten 0 store i32 [@x], r1 unlock [@m] return null",
    ] {
        let asserts = "r0 = load i32 [@x] r1 = not_equal r0, i32 2 check assertion r1, \"x\"";
        both(&equal(2, asks, &format!("{} {asserts}", joins([0, 1]))));
    }
}

#[test]
fn a_lock_word_that_was_written_tells_who_it_is_of() {
    // Only the second thread holds the lock that nobody took.
    let body = "r2 = holds_lock @n check assertion r2, \"held\" return null";
    let holds = body.replace("check", "r2 = equal r2, false check");
    for body in [body, &holds] {
        both(&equal(3, body, &joins([0, 1, 2])).clone());
        both(&equal(3, &format!("store i32 [@n], i32 2 {body}"), &joins([0, 1, 2])));
    }
}

#[test]
fn results_that_are_kept_tell_threads_apart_unless_all_are_zero() {
    let last = "lock [@m] r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1 unlock [@m] RESULT";
    let keeps = "r2 = join r4 store ptr [@p], r2 r2 = join r5 store ptr [@p], r2
        r2 = load ptr [@p] r1 = equal r2, null check assertion r1, \"p\"";
    let number = last.replace("RESULT", "r4 = zero_extend r1 r3 = int_to_pointer r4 return r3");
    both(&equal(2, &number, keeps));
    let (plain, reduced) = both(&equal(2, &number, &joins([0, 1])));
    assert!(reduced < plain, "nobody looks at the results");
    both(&equal(2, &last.replace("RESULT", "return null"), keeps));
}

#[test]
fn objects_of_threads_are_renamed_with_them() {
    let own = "r3 = alloc heap i64 8 align 8 \"o\" store ptr [r3], r3
        lock [@m] store ptr [@p], r3 unlock [@m] lock [@m] r3 = load ptr [@p] unlock [@m] return null";
    let (plain, reduced) = both(&equal(3, own, &joins([0, 1, 2])));
    assert_eq!((plain, reduced), (392, 85));
}

/// Steps of a body that all threads share.
fn steps() -> impl Strategy<Value = String> {
    let step = prop_oneof![
        Just("r1 = load i32 [@x]"),
        Just("r1 = add r1, i32 1"),
        Just("store i32 [@x], r1"),
        Just("store i32 [@y], i32 1 relaxed"),
        Just("r1 = load i32 [@y]"),
        Just("lock [@m]"),
        Just("unlock [@m]"),
        Just("lock [@n]"),
        Just("unlock [@n]"),
        Just("r2 = holds_lock @m"),
        Just("r2 = lock_is_free @n"),
        Just("r2 = equal r1, i32 1"),
        Just("check assertion r2, \"r2\""),
        Just("assume r2"),
        Just("r1 = current_thread"),
        Just("r3 = alloc heap i64 8 align 8 \"o\""),
        Just("store ptr [@p], r3"),
        Just("r3 = load ptr [@p]"),
        Just("atomic_begin r1 = load i32 [@x] store i32 [@y], r1 atomic_end"),
        Just("atomic_begin r1 = load i32 [@x] r2 = not_equal r1, i32 0 wait_until r2 atomic_end"),
    ];
    prop::collection::vec(step, 1..7).prop_map(|steps| steps.join(" "))
}

/// Each property alone, and those that are looked for together.
fn asked() -> Vec<&'static [Property]> {
    Property::ALL.iter().map(std::slice::from_ref).chain([Property::COMMON; 4]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_missed(
        body in steps(),
        count in 2..4_usize,
        order in 0..6_usize,
        ends in prop_oneof![Just("return null"), Just("return r3")],
        asked in prop::sample::select(asked()),
        model in prop::sample::select(MemoryModel::ALL),
    ) {
        let all: Vec<usize> = (0..count).rev().collect();
        let asserts = "r0 = load i32 [@x] r1 = equal r0, i32 2 check assertion r1, \"x\"";
        let behind = match order {
            0 => joins(all),
            1 => format!("{} {asserts}", joins(0..count)),
            2 => format!("{} store i32 [@x], i32 1 {}", joins([1]), joins([0])),
            3 => "r2 = join r4 r2 = join r5 r1 = equal r2, null check assertion r1, \"null\"".to_owned(),
            4 => format!("store i32 [@x], i32 1 {asserts} {}", joins(all)),
            _ => "store i32 [@y], i32 1".to_owned(),
        };
        let program = equal(count, &format!("{body} {ends}"), &behind);
        let vm = Vm::checking(&program, asked).with_memory_model(model);
        let search = |symmetry| explore(&vm, &Search { symmetry, max_states: 20_000, ..Search::default() });
        let (plain, reduced) = (search(false), search(true));
        if plain.is_complete() {
            prop_assert!(reduced.is_complete());
            prop_assert_eq!(found(&plain), found(&reduced), "{:?} {:?}: {} / {}", asked, model, body, behind);
            prop_assert!(reduced.states <= plain.states);
        }
    }
}
