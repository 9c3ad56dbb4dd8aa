//! Small programs whose outcomes everybody knows.

use super::builder::MAIN;
use super::*;
use crate::execution_graph::encode::ReadFrom;
use crate::execution_graph::events::{AccessKind, EventKind};

const X: u128 = 0x10;
const Y: u128 = 0x20;
const L: u128 = 0x30;
const M: u128 = 0x40;

/// Two threads increment x, by a read and a write each; main joins both and reads.
fn two_increments(atomic: bool, locked: bool) -> (Unrolling, TermId) {
    let mut b = Builder::with_threads(2);
    for thread in [1, 2] {
        let lock = locked.then(|| b.lock(thread, L).0);
        if atomic {
            b.increment(thread, X);
        } else {
            let old = b.read(thread, X);
            let one = b.byte(1);
            let new = b.terms().add(old, one);
            let x = b.address(X);
            b.write_at(thread, x, new);
        }
        if let Some(lock) = lock {
            b.unlock(thread, lock);
        }
    }
    b.join(MAIN, 1);
    b.join(MAIN, 2);
    let last = b.read(MAIN, X);
    let here = b.here(MAIN);
    let lost = b.is(last, 1);
    let lost = b.terms().and(here, lost);
    (b.finish(), lost)
}

#[test]
fn an_update_is_lost_unless_something_prevents_it() {
    let (mut unrolling, lost) = two_increments(false, false);
    assert!(possible_sc(&mut unrolling, &[lost]));
    let (mut unrolling, lost) = two_increments(true, false);
    assert!(!possible_sc(&mut unrolling, &[lost]));
    let (mut unrolling, lost) = two_increments(false, true);
    assert!(!possible_sc(&mut unrolling, &[lost]));
}

#[test]
fn message_passing_needs_ordered_stores() {
    let build = || {
        let mut b = Builder::with_threads(2);
        b.write(1, X, 1);
        b.write(1, Y, 1);
        let flag = b.read(2, Y);
        let data = b.read(2, X);
        let stale = [b.is(flag, 1), b.is(data, 0)];
        (b.finish(), stale)
    };
    for (model, expected) in [(MemoryModel::Sc, false), (MemoryModel::Tso, false), (MemoryModel::Pso, true)] {
        let (mut unrolling, stale) = build();
        assert_eq!(possible(&mut unrolling, model, &stale), expected, "{model:?}");
    }
}

#[test]
fn store_buffering_needs_fences() {
    let build = |fenced: bool| {
        let mut b = Builder::with_threads(2);
        let mut zeros = Vec::new();
        for (thread, own, other) in [(1, X, Y), (2, Y, X)] {
            b.write(thread, own, 1);
            if fenced {
                b.fence(thread);
            }
            let seen = b.read(thread, other);
            zeros.push(b.is(seen, 0));
        }
        (b.finish(), zeros)
    };
    for &model in MemoryModel::ALL {
        let (mut unrolling, zeros) = build(false);
        assert_eq!(possible(&mut unrolling, model, &zeros), model != MemoryModel::Sc, "{model:?}");
        let (mut unrolling, zeros) = build(true);
        assert!(!possible(&mut unrolling, model, &zeros), "{model:?}");
    }
}

#[test]
fn a_thread_sees_its_own_stores() {
    for &model in MemoryModel::ALL {
        let mut b = Builder::with_threads(2);
        b.write(1, X, 1);
        b.write(1, X, 2);
        let seen = b.read(1, X);
        b.write(2, X, 3);
        let mut unrolling = b.finish();
        let is = |unrolling: &mut Unrolling, value| {
            let value = unrolling.terms.bits(value, 8);
            unrolling.terms.eq(seen, value)
        };
        for (value, expected) in [(0, false), (1, false), (2, true), (3, true)] {
            let term = is(&mut unrolling, value);
            assert_eq!(possible(&mut unrolling, model, &[term]), expected, "{value} {model:?}");
        }
    }
}

#[test]
fn a_store_is_forwarded_before_memory_sees_it() {
    // Each thread reads from its own store and misses the other's, although the loads stay in order.
    for &model in MemoryModel::ALL {
        let mut b = Builder::with_threads(2);
        let mut terms = Vec::new();
        for (thread, own, other) in [(1, X, Y), (2, Y, X)] {
            b.write(thread, own, 1);
            let (mine, theirs) = (b.read(thread, own), b.read(thread, other));
            terms.extend([b.is(mine, 1), b.is(theirs, 0)]);
        }
        let mut unrolling = b.finish();
        assert_eq!(possible(&mut unrolling, model, &terms), model != MemoryModel::Sc, "{model:?}");
    }
}

#[test]
fn readers_agree_on_the_order_of_independent_writes() {
    for &model in MemoryModel::ALL {
        let mut b = Builder::with_threads(4);
        b.write(1, X, 1);
        b.write(2, Y, 1);
        let mut terms = Vec::new();
        for (thread, first, second) in [(3, X, Y), (4, Y, X)] {
            let (early, late) = (b.read(thread, first), b.read(thread, second));
            terms.extend([b.is(early, 1), b.is(late, 0)]);
        }
        let mut unrolling = b.finish();
        assert!(!possible(&mut unrolling, model, &terms), "{model:?}");
        assert!(possible(&mut unrolling, model, &terms[..3]), "{model:?}");
    }
}

#[test]
fn two_reads_of_one_step_read_from_the_same() {
    use super::super::memory::Source;
    let mut b = Builder::with_threads(2);
    b.write(1, X, 1);
    b.write(1, X, 2);
    b.begin(2);
    let (first, choice) = (b.read(2, X), b.input("choice"));
    let mut again = None;
    b.when(2, choice, |b| again = Some(b.read(2, X)));
    let again = again.expect("it was made");
    b.end(2);
    let differ = b.terms().ne(first, again);
    let (zero, two) = (b.is(again, 0), b.is(again, 2));
    let mut unrolling = b.finish();
    let reads: Vec<_> =
        unrolling.events.iter().filter(|(_, event)| event.kind.read().is_some()).map(|(id, _)| id).collect();
    let encoding = encode(&mut unrolling, MemoryModel::Sc);
    let sources = |read: usize| encoding.memory.sources(reads[read]).expect("it happens").to_vec();
    assert_eq!(sources(0).len(), 3);
    assert_eq!(sources(1).iter().map(|&(source, _)| source).collect::<Vec<_>>(), [Source::Again(reads[0])]);
    drop(encoding);
    assert!(!possible_sc(&mut unrolling, &[choice, differ]));
    assert!(possible_sc(&mut unrolling, &[choice, zero]) && possible_sc(&mut unrolling, &[choice, two]));
}

#[test]
fn a_block_that_stops_half_way_shows_no_write() {
    for (needed, expected) in [(0, true), (7, false)] {
        let mut b = Builder::with_threads(2);
        b.begin(1);
        b.write(1, X, 1);
        let y = b.read(1, Y);
        let condition = b.is(y, needed);
        b.assume(1, condition);
        b.end(1);
        let x = b.read(2, X);
        let seen = b.is(x, 1);
        let mut unrolling = b.finish();
        assert_eq!(possible_sc(&mut unrolling, &[seen]), expected);
    }
}

#[test]
fn a_blocked_thread_does_not_hide_another_threads_bug() {
    let mut b = Builder::with_threads(2);
    let never = b.terms().bool(false);
    b.lock(1, L);
    b.assume(1, never);
    let x = b.read(2, X);
    let zero = b.is(x, 0);
    let mut unrolling = b.finish();
    assert!(possible_sc(&mut unrolling, &[zero]));
}

#[test]
fn a_lock_that_is_never_released_keeps_others_out() {
    let mut b = Builder::with_threads(2);
    let (_, first) = b.lock(1, L);
    let (lock, second) = b.lock(2, L);
    b.unlock(2, lock);
    let mut unrolling = b.finish();
    assert!(possible_sc(&mut unrolling, &[first]) && possible_sc(&mut unrolling, &[second]));
    // The second thread may have had it first.
    assert!(possible_sc(&mut unrolling, &[first, second]));

    let mut b = Builder::with_threads(2);
    let (_, first) = b.lock(1, L);
    let (_, second) = b.lock(2, L);
    let mut unrolling = b.finish();
    assert!(!possible_sc(&mut unrolling, &[first, second]));
}

#[test]
fn a_conditional_release_releases_under_its_condition() {
    let mut b = Builder::with_threads(2);
    let input = b.input("release");
    let (lock, first) = b.lock(1, L);
    b.write(1, X, 1);
    b.when(1, input, |b| b.unlock(1, lock));
    let (_, second) = b.lock(2, L);
    let x = b.read(2, X);
    let after = b.is(x, 1);
    let mut unrolling = b.finish();
    let keeps = unrolling.terms.not(input);
    assert!(possible_sc(&mut unrolling, &[first, second, after]));
    assert!(!possible_sc(&mut unrolling, &[first, second, keeps]));
    assert!(!possible_sc(&mut unrolling, &[second, after, keeps]));
}

#[test]
fn a_join_orders_and_gives_the_result() {
    let mut b = Builder::with_threads(1);
    b.write(1, X, 1);
    b.set_result(1, 5);
    let (granted, result) = b.join(MAIN, 1);
    let x = b.read(MAIN, X);
    let (stale, wrong) = (b.is(x, 0), b.is(result, 4));
    let mut unrolling = b.finish();
    assert!(!possible_sc(&mut unrolling, &[granted, stale]));
    assert!(!possible_sc(&mut unrolling, &[granted, wrong]));
    assert!(possible_sc(&mut unrolling, &[granted]));
}

#[test]
fn a_join_under_a_condition_orders_only_under_it() {
    let mut b = Builder::with_threads(1);
    b.write(1, X, 1);
    let input = b.input("joins");
    b.when(MAIN, input, |b| {
        b.join(MAIN, 1);
        b.read(MAIN, Y);
    });
    let x = b.read(MAIN, X);
    let here = b.here(MAIN);
    let stale = b.is(x, 0);
    let mut unrolling = b.finish();
    let skips = unrolling.terms.not(input);
    assert!(possible_sc(&mut unrolling, &[here, skips, stale]));
    assert!(!possible_sc(&mut unrolling, &[here, input, stale]));
}

#[test]
fn a_join_waits_for_the_thread_that_its_number_names() {
    let mut b = Builder::with_threads(2);
    b.write(1, X, 1);
    b.write(2, Y, 1);
    b.set_result(1, 11);
    b.set_result(2, 12);
    let which = b.read(MAIN, M);
    let number = b.terms().zero_extend(24, which);
    b.write(1, M, 1);
    b.write(2, M, 2);
    let (granted, result) = b.join_id(MAIN, number);
    let (x, y) = (b.read(MAIN, X), b.read(MAIN, Y));
    let [no_x, no_y, first, second] = [b.is(x, 0), b.is(y, 0), b.is(result, 11), b.is(result, 12)];
    let mut unrolling = b.finish();
    assert!(possible_sc(&mut unrolling, &[granted, first, no_y]));
    assert!(possible_sc(&mut unrolling, &[granted, second, no_x]));
    assert!(!possible_sc(&mut unrolling, &[granted, first, no_x]));
    assert!(!possible_sc(&mut unrolling, &[granted, second, no_y]));
    // Main itself has the number 0, and nobody waits for himself.
    let zero = unrolling.terms.bits(0, 8);
    let own = unrolling.terms.eq(which, zero);
    assert!(!possible_sc(&mut unrolling, &[granted, own]));
}

#[test]
fn a_thread_that_stops_is_never_joined() {
    let mut b = Builder::with_threads(1);
    let x = b.read(1, X);
    let one = b.is(x, 1);
    b.assume(1, one);
    let (granted, _) = b.join(MAIN, 1);
    let mut unrolling = b.finish();
    assert!(!possible_sc(&mut unrolling, &[granted]));
}

#[test]
fn threads_that_wait_for_each_other_wait() {
    let mut b = Builder::with_threads(2);
    let (first, _) = b.join(1, 2);
    let (second, _) = b.join(2, 1);
    let mut unrolling = b.finish();
    assert!(!possible_sc(&mut unrolling, &[first]) && !possible_sc(&mut unrolling, &[second]));
    let nobody = [first, second].map(|granted| unrolling.terms.not(granted));
    assert!(possible_sc(&mut unrolling, &nobody));
}

#[test]
fn a_thread_exists_once_it_was_started() {
    let mut b = Builder::with_threads(1);
    let number = b.terms().bits(2, 32);
    let early = b.exists(MAIN, number);
    let elsewhere = b.exists(1, number);
    b.fork(MAIN);
    let late = b.exists(MAIN, number);
    let zero = b.terms().bits(0, 32);
    let main = b.exists(1, zero);
    let nine = b.terms().bits(9, 32);
    let nobody = b.exists(1, nine);
    let mut unrolling = b.finish();
    let no = |unrolling: &mut Unrolling, term| unrolling.terms.not(term);
    assert!(!possible_sc(&mut unrolling, &[early]) && !possible_sc(&mut unrolling, &[nobody]));
    let never = [no(&mut unrolling, late), no(&mut unrolling, main)];
    assert!(never.iter().all(|&term| !possible_sc(&mut unrolling, &[term])));
    let not_yet = no(&mut unrolling, elsewhere);
    assert!(possible_sc(&mut unrolling, &[elsewhere]) && possible_sc(&mut unrolling, &[not_yet]));
}

#[test]
fn numbers_count_the_threads_started_before() {
    let mut b = Builder::with_threads(2);
    let input = b.input("starts");
    let before = b.here(1);
    b.begin_branch(1, input);
    b.fork(1);
    b.end_branch(1, before, input);
    b.fork(2);
    b.make_ids_dynamic();
    let numbers: Vec<TermId> = b.unrolling.threads.values().map(|thread| thread.thread_id).collect();
    let is = |b: &mut Builder, values: [u128; 4]| {
        let terms: Vec<TermId> = (0..4).map(|place| b.is(numbers[place + 1], values[place])).collect();
        b.terms().and_all(terms)
    };
    let (early, late) = (is(&mut b, [1, 2, 3, 4]), is(&mut b, [1, 2, 4, 3]));
    let wrong = [is(&mut b, [1, 2, 3, 3]), is(&mut b, [2, 1, 3, 4]), is(&mut b, [1, 2, 4, 5])];
    let mut unrolling = b.finish();
    let skips = unrolling.terms.not(input);
    assert!(possible_sc(&mut unrolling, &[early, input]) && possible_sc(&mut unrolling, &[late, input]));
    assert!(wrong.iter().all(|&term| !possible_sc(&mut unrolling, &[term, input])));
    assert!(possible_sc(&mut unrolling, &[late, skips]) && !possible_sc(&mut unrolling, &[early, skips]));
}

#[test]
fn a_lock_is_free_when_nobody_has_it() {
    let mut b = Builder::with_threads(2);
    let before = b.is_free(1, L);
    let (lock, granted) = b.lock(1, L);
    let inside = b.is_free(1, L);
    b.unlock(1, lock);
    let after = b.is_free(1, L);
    let elsewhere = b.is_free(2, L);
    let other = b.is_free(2, M);
    let mut unrolling = b.finish();
    let [not_before, not_after, not_elsewhere, not_other] =
        [before, after, elsewhere, other].map(|free| unrolling.terms.not(free));
    assert!(!possible_sc(&mut unrolling, &[granted, inside]));
    for never in [not_before, not_other] {
        assert!(!possible_sc(&mut unrolling, &[never]));
    }
    assert!(!possible_sc(&mut unrolling, &[granted, not_after]));
    assert!(possible_sc(&mut unrolling, &[granted, elsewhere]));
    assert!(possible_sc(&mut unrolling, &[granted, not_elsewhere]));
    let refused = unrolling.terms.not(granted);
    assert!(!possible_sc(&mut unrolling, &[refused, not_elsewhere]));
}

#[test]
fn symbolic_addresses_meet_when_they_are_equal() {
    let mut b = Builder::with_threads(1);
    let [p, q] = ["p", "q"].map(|name| b.input(name));
    let (x, y) = (b.address(X), b.address(Y));
    let target = b.terms().ite(p, x, y);
    let source = b.terms().ite(q, x, y);
    let value = b.byte(7);
    b.write_at(1, target, value);
    let (joined, _) = b.join(MAIN, 1);
    let seen = b.read_at(MAIN, source);
    let hit = b.is(seen, 7);
    let mut unrolling = b.finish();
    let terms = &mut unrolling.terms;
    let differ = terms.xor(p, q);
    let (equal, miss) = (terms.not(differ), terms.not(hit));
    assert!(possible_sc(&mut unrolling, &[joined, equal, hit]));
    assert!(!possible_sc(&mut unrolling, &[joined, equal, miss]));
    assert!(possible_sc(&mut unrolling, &[joined, differ, miss]));
    assert!(!possible_sc(&mut unrolling, &[joined, differ, hit]));
}

#[test]
fn a_read_goes_forward_through_a_chain_of_writes() {
    let mut b = Builder::with_threads(3);
    for value in 1..=3 {
        b.write(1, X, value);
        b.write(2, X, 10 + value);
    }
    let reads: Vec<TermId> = (0..3).map(|_| b.read(3, X)).collect();
    let is = |b: &mut Builder, values: [u128; 3]| {
        let terms: Vec<TermId> = reads.iter().zip(values).map(|(&read, value)| b.is(read, value)).collect();
        b.terms().and_all(terms)
    };
    let good = [[1, 2, 3], [1, 11, 2], [0, 13, 3], [12, 1, 13]].map(|values| is(&mut b, values));
    let bad = [[2, 1, 3], [1, 0, 2], [3, 13, 2], [13, 1, 12]].map(|values| is(&mut b, values));
    let mut unrolling = b.finish();
    assert!(good.iter().all(|&term| possible_sc(&mut unrolling, &[term])));
    assert!(bad.iter().all(|&term| !possible_sc(&mut unrolling, &[term])));
}

#[test]
fn the_model_tells_order_and_sources() {
    let (mut unrolling, lost) = two_increments(false, false);
    let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
    assert_eq!(
        encoding.ask(&mut unrolling, Question::Holds(lost), &Budget::unlimited()).unwrap(),
        Answer::Sat
    );
    let mut found = encoding.found().expect("there is one");
    let order = found.order();
    assert_eq!(order.len(), unrolling.steps.len());
    let place = |step| order.iter().position(|&other| other == step).expect("all steps are there");
    let mut memory = 0;
    let mut events: Vec<_> = unrolling.events.ids().collect();
    events.sort_by_key(|&event| (place(unrolling.events[event].step), event));
    for event in events {
        match unrolling.events[event].kind {
            EventKind::Access { access: AccessKind::Read { value, .. }, .. } => {
                assert_eq!(found.value(&unrolling, value), memory);
                let source = found.read_from(&unrolling, event).expect("it happens");
                assert_eq!(source == ReadFrom::Initial, memory == 0);
            }
            EventKind::Access { access: AccessKind::Write { value }, .. } => {
                memory = found.value(&unrolling, value);
            }
            EventKind::Sync(_) | EventKind::Mark => {}
        }
    }
    assert!(encoding.sizes().clauses > 0);
}
