//! Executions of few context switches: hand-made ones, and a comparison with plain enumeration that counts.

use raddle_ir::Property;

use super::builder::{MAIN, place};
use super::oracle::Oracle;
use super::random::{Shape, generate, observables, outcomes_where, rounds};
use super::*;
use crate::execution_graph::events::{AccessKind, Check, EventKind, StepId};

const X: u128 = 0x10;
const Y: u128 = 0x20;
const L: u128 = 0x30;
const M: u128 = 0x40;

/// An encoding of executions of so many switches.
fn within(unrolling: &mut Unrolling, switches: u32) -> Encoding<'static> {
    let mut encoding = encode(unrolling, MemoryModel::Sc);
    encoding.bound_contexts(unrolling, switches);
    encoding
}

fn is_sat(encoding: &mut Encoding<'_>, unrolling: &mut Unrolling, question: Question) -> bool {
    let answer = encoding.ask(unrolling, question, &Budget::unlimited()).unwrap();
    assert!(matches!(answer, Answer::Sat | Answer::Unsat));
    answer == Answer::Sat
}

fn last_step(unrolling: &Unrolling, thread: usize) -> StepId {
    let thread = unrolling.threads.values().nth(thread).expect("it is there");
    thread.steps[thread.steps.len() - 2]
}

/// A check that fails where a thread has come to in the end, or in its last step.
fn fail(unrolling: &mut Unrolling, thread: usize, violated: TermId) {
    let step = last_step(unrolling, thread);
    let operations = unrolling.terms.bits(0, 32);
    let (owner, message) = (unrolling.steps[step].thread, String::new());
    let property = Property::Assertion;
    let check = Check {
        thread: owner,
        property,
        reached: violated,
        violated,
        step,
        operations,
        place: place(),
        message,
    };
    unrolling.checks.push(check);
}

/// The least number of switches with which the only check fails, if that is at most four.
fn least(build: impl Fn() -> Unrolling) -> Option<u32> {
    (0..=4).find(|&switches| {
        let mut unrolling = build();
        let mut encoding = within(&mut unrolling, switches);
        let fails = encoding.fails(&mut unrolling, 0);
        is_sat(&mut encoding, &mut unrolling, Question::Holds(fails))
    })
}

#[test]
fn a_lost_update_needs_a_switch_into_its_middle_and_back() {
    let build = || {
        let mut b = Builder::with_threads(2);
        let mut seen = Vec::new();
        for thread in [1, 2] {
            let read = b.read(thread, X);
            let one = b.byte(1);
            let (address, value) = (b.address(X), b.terms().add(read, one));
            b.write_at(thread, address, value);
            let (granted, _) = b.join(MAIN, thread);
            seen.push(granted);
        }
        let last = b.read(MAIN, X);
        let lost = b.is(last, 1);
        let mut unrolling = b.finish();
        seen.push(lost);
        let violated = unrolling.terms.and_all(seen);
        fail(&mut unrolling, MAIN, violated);
        unrolling
    };
    // To the first thread, to the second, back to the first, to the main thread; the second one makes two steps in a row.
    assert_eq!(least(build), Some(4));
}

#[test]
fn what_a_thread_does_in_the_end_is_reached_without_the_others() {
    let build = || {
        let mut b = Builder::with_threads(3);
        for thread in [1, 2, 3] {
            b.write(thread, X, 1);
            b.write(thread, Y, 1);
        }
        let mut unrolling = b.finish();
        let always = unrolling.terms.bool(true);
        fail(&mut unrolling, 3, always);
        unrolling
    };
    assert_eq!(least(build), Some(1), "the other threads need not move, though nothing keeps them");
}

#[test]
fn a_block_that_fails_without_committing_is_a_step_of_its_thread() {
    let build = |commits: bool| {
        let mut b = Builder::with_threads(1);
        b.begin(1);
        b.read(1, X);
        let never = b.terms().bool(commits);
        b.assume(1, never);
        b.end(1);
        let mut unrolling = b.finish();
        let always = unrolling.terms.bool(true);
        fail(&mut unrolling, 1, always);
        unrolling
    };
    assert_eq!(least(|| build(false)), Some(1));
    assert_eq!(least(|| build(true)), Some(1));
}

#[test]
fn what_may_be_no_visible_step_is_none_before_the_first_one() {
    let build = |first: u128| {
        let mut b = Builder::with_threads(1);
        b.write(1, first, 1);
        let mut unrolling = b.finish();
        let always = unrolling.terms.bool(true);
        fail(&mut unrolling, 1, always);
        unrolling
    };
    assert_eq!(least(|| build(X)), Some(1));
    assert_eq!(least(|| build(PRIVATE)), Some(0), "the VM may do it in the step that starts the thread");
    let build = || {
        let mut b = Builder::with_threads(2);
        b.write(1, X, 1);
        let seen = b.read(2, X);
        b.write(1, PRIVATE, 1);
        let private = b.read(2, PRIVATE);
        let late = (b.is(seen, 0), b.is(private, 1));
        let mut unrolling = b.finish();
        let violated = unrolling.terms.and(late.0, late.1);
        fail(&mut unrolling, 2, violated);
        unrolling
    };
    assert_eq!(least(build), Some(3), "behind a visible step it counts: to 2, to 1, and back to 2");
}

#[test]
fn a_deadlock_of_two_locks_needs_a_switch_between_them() {
    let build = || {
        let mut b = Builder::with_threads(2);
        for (thread, locks) in [(1, [L, M]), (2, [M, L])] {
            let taken: Vec<usize> = locks.iter().map(|&lock| b.lock(thread, lock).0).collect();
            taken.into_iter().rev().for_each(|lock| b.unlock(thread, lock));
        }
        b.finish()
    };
    for (switches, expected) in [(0, false), (1, false), (2, true), (3, true)] {
        let mut unrolling = build();
        let mut encoding = within(&mut unrolling, switches);
        assert_eq!(is_sat(&mut encoding, &mut unrolling, Question::Deadlock), expected, "{switches}");
    }
}

#[test]
fn two_accesses_race_when_both_are_made() {
    let build = || {
        let mut b = Builder::with_threads(2);
        b.write(1, X, 1);
        b.write(2, X, 2);
        b.access_all();
        b.finish()
    };
    for (switches, expected) in [(0, false), (1, false), (2, true)] {
        let mut unrolling = build();
        let mut encoding = within(&mut unrolling, switches);
        assert_eq!(is_sat(&mut encoding, &mut unrolling, Question::Race), expected, "{switches}");
        if expected {
            let mut found = encoding.found().expect("there is one");
            let pair = found.racing_pair(&unrolling).expect("there is one");
            let made = found.order()[..pair.steps_before].to_vec();
            let owners = found.owners(&unrolling);
            assert!(owners.len() <= 3, "{owners:?}");
            assert!(made.contains(&unrolling.accesses[pair.accesses.1].step));
        }
    }
}

#[test]
fn without_a_bound_nothing_is_said() {
    let (mut unrolling, _) = generate(3, SHAPES[0]);
    let step = last_step(&unrolling, 1);
    let always = unrolling.terms.bool(true);
    fail(&mut unrolling, 1, always);
    let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
    assert_eq!(encoding.fails(&mut unrolling, 0), always);
    assert_eq!(encoding.within_contexts(&mut unrolling.terms, step), always);
    let never = unrolling.terms.bool(false);
    assert_eq!(encoding.switches_more(&mut unrolling.terms), never);
}

const SHAPES: [Shape; 4] = [
    Shape { threads: 2, events: 3, locks: false, symbolic_addresses: false, waits: false },
    Shape { threads: 2, events: 3, locks: true, symbolic_addresses: true, waits: false },
    Shape { threads: 3, events: 2, locks: true, symbolic_addresses: false, waits: true },
    Shape { threads: 2, events: 4, locks: true, symbolic_addresses: false, waits: true },
];

#[test]
fn executions_of_few_switches_are_those_of_enumeration() {
    let (mut bounded, mut deadlocks) = (0, 0);
    for seed in 0..rounds() / 4 {
        for (shape, switches) in
            SHAPES.into_iter().flat_map(|shape| (0..5).map(move |switches| (shape, switches)))
        {
            let (mut unrolling, choices) = generate(seed, shape);
            let observed = observables(&mut unrolling, &choices);
            unrolling.accesses.clear();
            let about = format!("seed {seed} within {switches} with {shape:?}");
            let oracle =
                Oracle::run_within(&unrolling, MemoryModel::Sc, &choices, (&observed, Some(switches)));
            let (outcomes, reads) = (oracle.outcomes, oracle.read);
            let (deadlock, more) = (oracle.deadlock, oracle.switches_more);
            let mut encoding = within(&mut unrolling, switches);
            assert_eq!(
                is_sat(&mut encoding, &mut unrolling, Question::Deadlock),
                deadlock,
                "{about}: deadlock"
            );
            let term = encoding.switches_more(&mut unrolling.terms);
            assert_eq!(is_sat(&mut encoding, &mut unrolling, Question::Holds(term)), more, "{about}: more");
            // Executions that are over before the contexts are.
            let ends: Vec<StepId> =
                unrolling.threads.values().filter_map(|thread| thread.steps.last().copied()).collect();
            let over: Vec<TermId> =
                ends.into_iter().map(|end| encoding.within_contexts(&mut unrolling.terms, end)).collect();
            let over = unrolling.terms.and_all(over);
            assert_eq!(outcomes_where(&mut unrolling, &mut encoding, &observed, over), outcomes, "{about}");
            // What is read before the contexts are over, whatever follows.
            for event in unrolling.events.ids() {
                let EventKind::Access { access: AccessKind::Read { value, .. }, .. } =
                    unrolling.events[event].kind
                else {
                    continue;
                };
                let step = unrolling.events[event].step;
                let effective = unrolling.effective(event);
                let reached = encoding.within_contexts(&mut unrolling.terms, step);
                let condition = unrolling.terms.and(effective, reached);
                let found = outcomes_where(&mut unrolling, &mut encoding, &[value], condition);
                let expected =
                    reads.iter().filter(|(read, _)| *read == event).map(|&(_, value)| vec![value]).collect();
                assert_eq!(found, expected, "{about}: {event}");
            }
            bounded += usize::from(more);
            deadlocks += usize::from(deadlock);
        }
    }
    assert!(bounded > 0 && deadlocks > 0, "the bound matters nowhere");
}
