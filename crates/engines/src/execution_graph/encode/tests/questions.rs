//! Races and deadlocks.

use std::sync::Arc;
use std::time::Duration;

use raddle_base::allotment::Allotment;
use raddle_ir::Ordering;

use super::builder::MAIN;
use super::*;

const X: u128 = 0x10;
const Y: u128 = 0x20;
const L: u128 = 0x30;
const M: u128 = 0x40;

fn ask(unrolling: &mut Unrolling, question: Question) -> bool {
    let mut encoding = encode(unrolling, MemoryModel::Sc);
    let found = encoding.ask(unrolling, question, &Budget::unlimited()).unwrap() == Answer::Sat;
    // The question leaves no trace.
    let anything = unrolling.terms.bool(true);
    assert_eq!(
        encoding.ask(unrolling, Question::Holds(anything), &Budget::unlimited()).unwrap(),
        Answer::Sat
    );
    assert_eq!(encoding.ask(unrolling, question, &Budget::unlimited()).unwrap() == Answer::Sat, found);
    found
}

#[test]
fn two_plain_writes_race_unless_locked() {
    let build = |locks: [u128; 2]| {
        let mut b = Builder::with_threads(2);
        for thread in [1, 2] {
            let (lock, _) = b.lock(thread, locks[thread - 1]);
            b.write(thread, X, 1);
            b.unlock(thread, lock);
        }
        b.access_all();
        b.finish()
    };
    assert!(!ask(&mut build([L, L]), Question::Race));
    assert!(ask(&mut build([L, M]), Question::Race));
}

/// Two threads that write to the same locations, and one that waits for the first of them.
fn many_writes() -> Unrolling {
    let mut b = Builder::with_threads(2);
    for thread in [1, 2] {
        for location in 0x40..0x60 {
            b.write(thread, location, 1);
        }
    }
    b.wait_until(MAIN, 0x40, 1);
    b.access_all();
    b.finish()
}

#[test]
fn encoding_a_question_is_charged_to_the_budget() {
    for (question, least) in [(Question::Race, 32 * 32), (Question::Deadlock, 2)] {
        let mut unrolling = many_writes();
        let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
        let work = Arc::new(Allotment::default());
        work.grant(1_000_000);
        let budget = Budget::unlimited().allotted(Arc::clone(&work));
        encoding.assumptions(&mut unrolling, question, &budget).expect("there is enough");
        assert!(work.spent() >= least, "{question:?}: {}", work.spent());
    }
}

#[test]
fn a_question_that_was_not_encoded_to_its_end_can_be_asked_again() {
    for question in [Question::Race, Question::Deadlock] {
        let mut unrolling = many_writes();
        let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
        // Nobody grants more, so the time runs out in the midst of it.
        let work = Arc::new(Allotment::default());
        work.grant(if question == Question::Race { 300 } else { 1 });
        let budget = Budget::unlimited().with_time(Duration::from_millis(50)).allotted(work);
        let stopped = encoding.ask(&mut unrolling, question, &budget).unwrap();
        assert!(matches!(stopped, Answer::Unknown(_)), "{stopped:?}");
        let answer = encoding.ask(&mut unrolling, question, &Budget::unlimited()).unwrap();
        assert_eq!(answer == Answer::Sat, question == Question::Race);
        let anything = unrolling.terms.bool(true);
        let anything = encoding.ask(&mut unrolling, Question::Holds(anything), &Budget::unlimited()).unwrap();
        assert_eq!(anything, Answer::Sat);
    }
}

#[test]
fn the_pair_that_races_is_told() {
    let mut b = Builder::with_threads(2);
    b.write(1, X, 1);
    b.write(1, Y, 1);
    b.read(2, X);
    let seen = b.read(2, Y);
    let late = b.is(seen, 1);
    b.assume(2, late);
    b.write(2, X, 2);
    b.access_all();
    let mut unrolling = b.finish();
    let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
    assert_eq!(encoding.ask(&mut unrolling, Question::Race, &Budget::unlimited()).unwrap(), Answer::Sat);
    let mut found = encoding.found().expect("there is one");
    let pair = found.racing_pair(&unrolling).expect("there is one");
    // A plain flag orders nothing, so all that conflict race.
    assert!([(0, 2), (1, 3), (0, 4)].contains(&pair.accesses), "{pair:?}");
    let order = found.order();
    let (before, _) = order.split_at(pair.steps_before);
    for access in [pair.accesses.0, pair.accesses.1] {
        assert!(before.contains(&unrolling.accesses[access].step));
    }
}

#[test]
fn atomic_accesses_and_blocks_do_not_race_with_their_kind() {
    let build = |first: Ordering, second: Ordering, blocks: [bool; 2]| {
        let mut b = Builder::with_threads(2);
        for (thread, ordering) in [(1, first), (2, second)] {
            if blocks[thread - 1] {
                b.begin_program_block(thread);
            }
            let event = b.write(thread, X, 1);
            b.access(event, ordering);
            if blocks[thread - 1] {
                b.end_program_block(thread);
            }
        }
        b.finish()
    };
    let (plain, atomic) = (Ordering::Plain, Ordering::SequentiallyConsistent);
    assert!(ask(&mut build(plain, plain, [false, false]), Question::Race));
    assert!(ask(&mut build(plain, atomic, [false, false]), Question::Race));
    assert!(!ask(&mut build(atomic, atomic, [false, false]), Question::Race));
    assert!(ask(&mut build(plain, plain, [false, true]), Question::Race));
    assert!(!ask(&mut build(plain, plain, [true, true]), Question::Race));
}

#[test]
fn a_flag_that_a_block_acquires_keeps_its_accesses_from_racing() {
    let build = |checks: bool| {
        let mut b = Builder::with_threads(2);
        let event = b.write(1, X, 1);
        b.access(event, Ordering::Plain);
        b.store(1, Y, 1, Ordering::Release);
        b.begin_program_block(2);
        let flag = b.load(2, Y, Ordering::Acquire);
        if checks {
            let set = b.is(flag, 1);
            b.assume(2, set);
        }
        let event = b.write(2, X, 2);
        b.access(event, Ordering::Plain);
        b.end_program_block(2);
        b.finish()
    };
    assert!(ask(&mut build(false), Question::Race));
    assert!(!ask(&mut build(true), Question::Race));
}

#[test]
fn fork_and_join_order_accesses() {
    let mut b = Builder::new();
    b.write(MAIN, X, 1);
    b.fork(MAIN);
    b.write(1, X, 2);
    b.join(MAIN, 1);
    b.write(MAIN, X, 3);
    b.access_all();
    assert!(!ask(&mut b.finish(), Question::Race));

    let mut b = Builder::new();
    b.fork(MAIN);
    b.write(1, X, 2);
    let input = b.input("joins");
    b.when(MAIN, input, |b| {
        b.join(MAIN, 1);
    });
    b.write(MAIN, X, 3);
    b.access_all();
    assert!(ask(&mut b.finish(), Question::Race));
}

#[test]
fn threads_ordered_by_choice_race_all_the_same() {
    let mut b = Builder::with_threads(2);
    let steps = [1, 2].map(|thread| {
        let event = b.write(thread, X, 1);
        b.unrolling.events[event].step
    });
    b.unrolling.ordered.push((steps[0], steps[1]));
    b.access_all();
    assert!(ask(&mut b.finish(), Question::Race));
}

#[test]
fn ranges_overlap_by_bytes_and_frees_by_objects() {
    let build = |first: (u128, u32), second: (u128, u32)| {
        let mut b = Builder::with_threads(2);
        for (thread, (address, size)) in [(1, first), (2, second)] {
            let event = b.write(thread, address, 1);
            b.access(event, Ordering::Plain);
            b.unrolling.accesses[thread - 1].size = size;
        }
        b.finish()
    };
    for (first, second, expected) in [
        ((0x10, 4), (0x13, 1), true),
        ((0x10, 4), (0x14, 1), false),
        ((0x13, 1), (0x10, 4), true),
        ((0x12, 2), (0x10, 4), true),
        ((0x10, 0), (0x1c, 4), true),
        ((0x10, 0), (0x20, 4), false),
    ] {
        assert_eq!(ask(&mut build(first, second), Question::Race), expected, "{first:?} {second:?}");
    }
}

#[test]
fn two_locks_in_opposite_orders_deadlock() {
    let build = |orders: [[u128; 2]; 2]| {
        let mut b = Builder::with_threads(2);
        for (thread, [outer, inner]) in [(1, orders[0]), (2, orders[1])] {
            let outer = b.lock(thread, outer).0;
            let inner = b.lock(thread, inner).0;
            b.unlock(thread, inner);
            b.unlock(thread, outer);
        }
        b.join(MAIN, 1);
        b.join(MAIN, 2);
        b.finish()
    };
    assert!(ask(&mut build([[L, M], [M, L]]), Question::Deadlock));
    assert!(!ask(&mut build([[L, M], [L, M]]), Question::Deadlock));
}

#[test]
fn a_lock_that_is_kept_deadlocks_the_next() {
    let mut b = Builder::with_threads(2);
    b.lock(1, L);
    b.lock(2, L);
    assert!(ask(&mut b.finish(), Question::Deadlock));
    // Its own holder, too.
    let mut b = Builder::new();
    b.lock(MAIN, L);
    let mut b = {
        b.lock(MAIN, L);
        b
    };
    b.write(MAIN, X, 1);
    assert!(ask(&mut b.finish(), Question::Deadlock));
}

#[test]
fn a_lock_that_was_released_in_the_same_block_is_free() {
    let mut b = Builder::new();
    let (outer, _) = b.lock(MAIN, L);
    b.begin(MAIN);
    b.unlock(MAIN, outer);
    let (inner, _) = b.lock(MAIN, L);
    b.end(MAIN);
    b.unlock(MAIN, inner);
    assert!(!ask(&mut b.finish(), Question::Deadlock));
}

#[test]
fn waiting_for_a_value_that_comes_is_no_deadlock() {
    let build = |values: &[u128]| {
        let mut b = Builder::with_threads(2);
        for &value in values {
            b.write(1, X, value);
        }
        b.wait_until(2, X, 1);
        b.finish()
    };
    assert!(!ask(&mut build(&[1]), Question::Deadlock));
    assert!(!ask(&mut build(&[2, 1]), Question::Deadlock));
    // The value may go by unseen.
    assert!(ask(&mut build(&[1, 2]), Question::Deadlock));
    assert!(ask(&mut build(&[]), Question::Deadlock));
}

#[test]
fn a_stopped_thread_or_an_ended_process_is_no_deadlock() {
    let build = |stops: bool, ends: bool| {
        let mut b = Builder::with_threads(2);
        b.wait_until(1, X, 1);
        if stops {
            let never = b.terms().bool(false);
            b.assume(2, never);
        }
        if ends {
            b.unrolling.process_ends = b.here(MAIN);
        }
        b.finish()
    };
    assert!(ask(&mut build(false, false), Question::Deadlock));
    assert!(!ask(&mut build(true, false), Question::Deadlock));
    assert!(!ask(&mut build(false, true), Question::Deadlock));
}

#[test]
fn joining_a_blocked_thread_or_nobody_deadlocks() {
    let mut b = Builder::with_threads(1);
    b.wait_until(1, X, 1);
    b.join(MAIN, 1);
    assert!(ask(&mut b.finish(), Question::Deadlock));
    let mut b = Builder::with_threads(1);
    b.join(MAIN, 7);
    assert!(ask(&mut b.finish(), Question::Deadlock));
    let mut b = Builder::with_threads(1);
    b.join(MAIN, 1);
    assert!(!ask(&mut b.finish(), Question::Deadlock));
}
