//! The shapes of programs that need counters.

use super::*;
use crate::test_flow::TestFlow;
use raddle_base::Id;
use raddle_flow::{CheckId, LocationKind};

mod random;

type Place = (usize, usize);

/// Members by numbers.
fn sets(flow: &Flow, level: Level) -> Vec<Vec<Place>> {
    let members = |counter: &Counter| {
        counter.members.iter().map(|(template, location)| (template.index(), location.index())).collect()
    };
    let mut sets: Vec<Vec<Place>> = derive(flow, level).iter().map(members).collect();
    sets.sort();
    sets
}

fn at(template: usize, locations: impl IntoIterator<Item = usize>) -> Vec<Place> {
    locations.into_iter().map(|location| (template, location)).collect()
}

/// Sets in ascending order.
fn sorted(mut sets: Vec<Vec<Place>>) -> Vec<Vec<Place>> {
    sets.sort();
    sets
}

/// A main thread that starts any number of threads of each template, and ends.
fn main_starting(test: &mut TestFlow, templates: &[TemplateId]) {
    let main = TemplateId::from_index(0);
    for &template in templates {
        test.step(main, 0, 0).spawn(template);
    }
    test.step(main, 0, 1);
}

/// A flow with a main thread of two locations and another template of so many.
fn workers(locations: usize) -> (TestFlow, TemplateId) {
    let mut test = TestFlow::new();
    test.single(2);
    let worker = test.many(locations);
    main_starting(&mut test, &[worker]);
    (test, worker)
}

#[test]
fn a_flag_that_is_exchanged_and_cleared_without_a_look_at_it_is_a_lock() {
    let (mut test, worker) = workers(3);
    let flag = test.shared("m", 0);
    test.step(worker, 0, 1).when(|before| before.is(flag, 0)).put(flag, 1);
    test.step(worker, 0, 0).when(|before| before.is_not(flag, 0)).put(flag, 1);
    test.step(worker, 1, 2).put(flag, 0);
    let flow = test.finish();
    assert_eq!(sets(&flow, Level::Contributions), [at(1, [1])]);
}

#[test]
fn a_flag_as_a_lock_counts_the_threads_inside() {
    let (mut test, worker) = workers(3);
    let flag = test.shared("m", 0);
    test.step(worker, 0, 1).when(|before| before.is(flag, 0)).put(flag, 1);
    test.step(worker, 0, 0).when(|before| before.is_not(flag, 0));
    test.step(worker, 1, 0).put(flag, 0);
    let flow = test.finish();
    assert_eq!(sets(&flow, Level::None), Vec::<Vec<Place>>::new());
    assert_eq!(sets(&flow, Level::Contributions), [at(1, [1])]);
    assert_eq!(derive(&flow, Level::Contributions)[0].name, "threads that have added 1 to m");
}

#[test]
fn a_compare_and_swap_may_be_one_term() {
    let (mut test, worker) = workers(3);
    let flag = test.shared("m", 0);
    let swap = |before: &mut crate::test_flow::Before<'_>| {
        let (free, one, now) = (before.is(flag, 0), before.number(1), before.of(flag));
        before.terms.ite(free, one, now)
    };
    test.step(worker, 0, 1).when(|before| before.is(flag, 0)).set(flag, swap);
    test.step(worker, 0, 0).when(|before| before.is_not(flag, 0)).set(flag, swap);
    test.step(worker, 1, 2).put(flag, 0);
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1])]);
}

#[test]
fn a_lock_word_counts_as_one() {
    let (mut test, worker) = workers(4);
    let lock = test.shared("lock", 0);
    test.step(worker, 0, 1).lock(lock);
    test.step(worker, 1, 2);
    test.step(worker, 2, 3).unlock(lock);
    let flow = test.finish();
    assert_eq!(sets(&flow, Level::Contributions), [at(1, [1, 2])]);
    assert_eq!(derive(&flow, Level::Contributions)[0].name, "threads that hold lock");
}

/// Each of the two has a lock of its own; the main thread takes both.
#[test]
fn two_locks_and_a_count() {
    let mut test = TestFlow::new();
    let main = test.single(6);
    let (up, down) = (test.many(7), test.many(7));
    let (a, b, count) = (test.shared("a", 0), test.shared("b", 0), test.shared("count", 0));
    for (template, lock, by) in [(up, a, 1), (down, b, -1)] {
        let read = test.register(template, "read");
        test.step(template, 0, 1).lock(lock);
        // The variable is read and then written: two steps.
        test.step(template, 1, 2).copy(read, count);
        test.step(template, 2, 3).set(count, |before| before.plus(read, by));
        test.step(template, 3, 4).copy(read, count);
        test.step(template, 4, 5).set(count, |before| before.plus(read, -by));
        test.step(template, 5, 6).unlock(lock);
    }
    test.step(main, 0, 0).spawn(up);
    test.step(main, 0, 1).spawn(down);
    test.step(main, 1, 1).spawn(down);
    test.step(main, 1, 2).lock(a);
    test.step(main, 2, 3).lock(b);
    test.step(main, 3, 4).unlock(b);
    test.step(main, 4, 5).unlock(a);
    let hold_a: Vec<Place> = [at(0, [2, 3, 4]), at(1, 1..6)].concat();
    let hold_b: Vec<Place> = [at(0, [3]), at(2, 1..6)].concat();
    let only_a: Vec<Place> = [at(0, [2, 4]), at(1, [1, 2, 5])].concat();
    let expected = [hold_a, hold_b, at(1, [3, 4]), at(2, [3, 4]), only_a, at(0, [3]), at(2, [1, 2, 5])];
    assert_eq!(sets(&test.finish(), Level::Contributions), sorted(expected.into()));
}

/// fkp2014: t = #1 + #2, s = #2, and no more threads than n.
#[test]
fn two_variables_that_threads_add_to_one_after_the_other() {
    let mut test = TestFlow::new();
    let main = test.single(3);
    let worker = test.many(4);
    let (s, t, n) = (test.shared("s", 0), test.shared("t", 0), test.shared("n", 0));
    let i = test.register(main, "i");
    test.step(main, 0, 1).havoc(n).put(i, 0);
    test.step(main, 1, 1).when(|before| before.below(i, n)).add(i, 1).spawn(worker);
    test.step(main, 1, 2);
    test.step(worker, 0, 1).add(t, 1);
    test.step(worker, 1, 2).add(s, 1);
    test.step(worker, 2, 3);
    let flow = test.finish();
    // Added to t: at 1, 2, 3; to s: at 2, 3; the class of those that only added to t: at 1.
    assert_eq!(sets(&flow, Level::Contributions), [at(1, 1..2), at(1, 1..4), at(1, 2..4)]);
    // Created: wherever they are; those that added nothing are a class.
    assert_eq!(sets(&flow, Level::Passed), [at(1, 0..1), at(1, 0..4), at(1, 1..2), at(1, 1..4), at(1, 2..4)]);
    assert_eq!(
        sets(&flow, Level::All),
        [at(1, 0..1), at(1, 0..4), at(1, 1..2), at(1, 1..4), at(1, 2..3), at(1, 2..4), at(1, 3..4)]
    );
}

/// The creator takes a reference for the thread that it starts, which gives it back.
#[test]
fn a_reference_that_is_handed_over_at_creation() {
    let mut test = TestFlow::new();
    let main = test.single(5);
    let worker = test.many(3);
    let count = test.shared("refs", 1);
    test.step(main, 0, 1);
    test.step(main, 1, 2).add(count, 1);
    test.step(main, 2, 1).spawn(worker);
    test.step(main, 1, 3).add(count, -1);
    test.step(main, 3, 4);
    test.step(worker, 0, 1);
    test.step(worker, 1, 2).add(count, -1);
    // The main thread holds one more between taking and starting, and one less after it gave its own one back.
    let more = [at(0, [2]), at(1, [0, 1])].concat();
    assert_eq!(sets(&test.finish(), Level::Contributions), sorted(vec![more, at(0, [3, 4])]));
}

/// Threads that start threads, outside of cycles: what the equations leave free is chosen so that nothing is below zero.
#[test]
fn of_all_solutions_one_without_negative_numbers() {
    let mut test = TestFlow::new();
    test.single(2);
    let (parent, child) = (test.many(4), test.many(3));
    main_starting(&mut test, &[parent]);
    let count = test.shared("refs", 0);
    test.step(parent, 0, 1).add(count, 1);
    test.step(parent, 1, 2).spawn(child);
    test.step(parent, 2, 3);
    test.step(child, 0, 1);
    test.step(child, 1, 2).add(count, -1);
    assert_eq!(sets(&test.finish(), Level::Contributions), [[at(1, [1]), at(2, [0, 1])].concat()]);
}

/// qw2004: pending starts at one; the stopper gives that one back, workers take one and give it back, unless it is too late.
#[test]
fn pending_requests_and_a_stopper() {
    let mut test = TestFlow::new();
    let main = test.single(6);
    let worker = test.many(5);
    let (pending, flag, event) = (test.shared("pending", 0), test.shared("flag", 0), test.shared("event", 0));
    let read = test.register(worker, "read");
    // The initial value is one because the main thread writes it while it is alone.
    test.step(main, 0, 1).put(pending, 1);
    test.step(main, 1, 2).spawn(worker);
    test.step(main, 2, 2).spawn(worker);
    test.step(main, 2, 3).put(flag, 1);
    test.step(main, 3, 4).add(pending, -1);
    test.step(main, 4, 5).when(|before| before.is(event, 1));
    test.step(worker, 0, 1).when(|before| before.is(flag, 0)).add(pending, 1);
    test.step(worker, 0, 4).when(|before| before.is_not(flag, 0));
    test.step(worker, 1, 2);
    test.step(worker, 2, 3).set(read, |before| before.plus(pending, -1)).add(pending, -1);
    test.step(worker, 3, 4).when(|before| before.is(read, 0)).put(event, 1);
    test.step(worker, 3, 4).when(|before| before.is_not(read, 0));
    let flow = test.finish();
    // The flag and the event say nothing more than the main thread's invariants and themselves.
    assert_eq!(sets(&flow, Level::Contributions), sorted(vec![at(0, [4, 5]), at(1, [1, 2])]));
}

#[test]
fn guards_of_locks_that_are_looked_at_before() {
    let (mut test, worker) = workers(4);
    let lock = test.shared("lock", 0);
    let identity = test.flow.templates[worker].identity;
    test.step(worker, 0, 1).lock(lock);
    // An unlock that checks who holds it, as an error-checking mutex does.
    test.step(worker, 1, 2)
        .when(|before| {
            let (word, holder) = (before.of(lock), before.plus(identity, 1));
            before.terms.eq(word, holder)
        })
        .unlock(lock);
    test.step(worker, 2, 3);
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1])]);
}

/// The kind of a mutex is written and nearly always the same; what a recursive one would do is never done.
#[test]
fn steps_that_are_never_taken_do_not_spoil_a_solution() {
    let mut test = TestFlow::new();
    let main = test.single(3);
    let worker = test.many(4);
    let (lock, kind) = (test.shared("lock", 0), test.shared("kind", 0));
    test.step(main, 0, 1).put(kind, 0);
    test.step(main, 1, 1).spawn(worker);
    // In the end it is destroyed.
    test.step(main, 1, 2).put(kind, -1);
    test.step(worker, 0, 1).when(|before| before.is_not(kind, 1)).lock(lock);
    test.step(worker, 0, 1).when(|before| before.is(kind, 1));
    test.step(worker, 1, 2).when(|before| before.is(kind, 0)).unlock(lock);
    test.step(worker, 1, 2).when(|before| {
        let (one, kind) = (before.number(1), before.of(kind));
        before.terms.sle(one, kind)
    });
    test.step(worker, 2, 3);
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1])]);
}

/// Unlocking a mutex that another thread holds may do nothing. Who holds it does not come there.
#[test]
fn a_thread_that_holds_a_lock_finds_that_it_does() {
    let (mut test, worker) = workers(4);
    let lock = test.shared("lock", 0);
    let identity = test.flow.templates[worker].identity;
    let is_own = |before: &mut crate::test_flow::Before<'_>| {
        let (word, holder) = (before.of(lock), before.plus(identity, 1));
        before.terms.eq(word, holder)
    };
    test.step(worker, 0, 1).lock(lock);
    test.step(worker, 1, 2);
    test.step(worker, 2, 3).when(is_own).unlock(lock);
    test.step(worker, 2, 3).when(|before| {
        let own = is_own(before);
        before.terms.not(own)
    });
    test.step(worker, 1, 0).when(|before| before.is(lock, 0));
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1, 2])]);
}

/// As long as nothing better is known, a store through any pointer is hoped to lead elsewhere.
#[test]
fn stores_through_unknown_pointers_do_not_spoil_a_solution() {
    let (mut test, worker) = workers(4);
    let (lock, kind) = (test.shared("lock", 0), test.shared("kind", 0));
    let pointer = test.register(worker, "pointer");
    let stored = |variable| {
        move |before: &mut crate::test_flow::Before<'_>| {
            let (leads_here, two, now) = (before.is(pointer, 4096), before.number(2), before.of(variable));
            before.terms.ite(leads_here, two, now)
        }
    };
    test.step(worker, 0, 1).lock(lock).havoc(pointer);
    test.step(worker, 1, 2).set(lock, stored(lock)).set(kind, stored(kind));
    test.step(worker, 2, 3).unlock(lock);
    test.step(worker, 2, 3).when(|before| before.is_not(kind, 0));
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1, 2])]);
}

/// The sum is computed in a wider type.
#[test]
fn narrow_variables_are_followed_through_conversions() {
    let (mut test, worker) = workers(4);
    let narrow = test.shared_of("narrow", 0, 8);
    let read = test.register(worker, "read");
    test.step(worker, 0, 1).set(read, |before| {
        let now = before.of(narrow);
        before.terms.sign_extend(24, now)
    });
    test.step(worker, 1, 2).set(narrow, |before| {
        let sum = before.plus(read, 1);
        before.terms.extract(7, 0, sum)
    });
    test.step(worker, 2, 3).set(narrow, |before| {
        let (now, last) = (before.of(narrow), before.terms.bits(255, 8));
        before.terms.add(now, last)
    });
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [2])]);
}

/// A loop that adds has no solution; neither has a write of any value.
#[test]
fn what_has_no_solution_has_no_counters() {
    let (mut test, worker) = workers(3);
    let (looped, any) = (test.shared("looped", 0), test.shared("any", 0));
    test.step(worker, 0, 0).add(looped, 1);
    test.step(worker, 0, 0).havoc(any);
    test.step(worker, 0, 1);
    test.step(worker, 1, 2);
    assert_eq!(sets(&test.finish(), Level::Contributions), Vec::<Vec<Place>>::new());
}

/// All stuck threads stand at one location, with the lock or without.
#[test]
fn stuck_and_failed_threads_do_not_spoil_a_solution() {
    let (mut test, worker) = workers(6);
    test.set_kind(worker, 3, LocationKind::Stuck);
    test.set_kind(worker, 4, LocationKind::Failed(CheckId::from_index(0)));
    let lock = test.shared("lock", 0);
    test.step(worker, 0, 1).lock(lock);
    test.step(worker, 0, 3);
    test.step(worker, 1, 3);
    test.step(worker, 0, 4);
    test.step(worker, 1, 4);
    test.step(worker, 1, 2).unlock(lock);
    test.step(worker, 2, 5);
    assert_eq!(sets(&test.finish(), Level::Contributions), [at(1, [1])]);
}

/// What one thread alone writes needs no counter: its own invariants say when it was written.
#[test]
fn a_variable_with_one_writer() {
    let mut test = TestFlow::new();
    let main = test.single(4);
    let worker = test.many(2);
    let flag = test.shared("flag", 0);
    test.step(main, 0, 1).spawn(worker);
    test.step(main, 1, 1).spawn(worker);
    test.step(main, 1, 2).add(flag, 1);
    test.step(main, 2, 3).put(flag, 0);
    test.step(worker, 0, 1).when(|before| before.is(flag, 1));
    assert_eq!(sets(&test.finish(), Level::Passed), Vec::<Vec<Place>>::new());
}

/// fkp2013_variant: a thread reads x and writes what it read plus one, without a lock: x is at most the number of threads that passed.
#[test]
fn a_write_that_is_passed_once() {
    let mut test = TestFlow::new();
    let main = test.single(3);
    let worker = test.many(4);
    let (x, y) = (test.shared("x", 0), test.shared("y", 0));
    let (i, read) = (test.register(main, "i"), test.register(worker, "read"));
    test.step(main, 0, 1).havoc(i);
    test.step(main, 1, 1).when(|before| before.is_not(i, 0)).add(i, -1).spawn(worker);
    test.step(main, 1, 2).when(|before| before.is(i, 0));
    test.step(worker, 0, 1).copy(read, x);
    test.step(worker, 1, 2).set(x, |before| before.plus(read, 1));
    test.step(worker, 2, 3).set(y, |before| {
        let now = before.of(x);
        before.terms.mul(now, now)
    });
    let flow = test.finish();
    // The write of x adds one as far as the thread knows.
    assert_eq!(sets(&flow, Level::Contributions), [at(1, [2, 3])]);
    let passed = sets(&flow, Level::Passed);
    assert!(passed.contains(&at(1, [3])) && passed.contains(&at(1, 0..4)), "{passed:?}");
    // The main thread does nothing that others could have missed.
    assert!(passed.iter().flatten().all(|(template, _)| *template == 1), "{passed:?}");
}

#[test]
fn a_write_on_a_cycle_is_not_passed() {
    let (mut test, worker) = workers(4);
    let x = test.shared("x", 0);
    test.step(worker, 0, 1).havoc(x);
    test.step(worker, 1, 0);
    test.step(worker, 1, 2);
    test.step(worker, 2, 3);
    // Nothing bounds the number of threads either.
    assert_eq!(sets(&test.finish(), Level::Passed), Vec::<Vec<Place>>::new());
}

#[test]
fn threads_that_are_joined_are_counted_when_they_end() {
    let mut test = TestFlow::new();
    let main = test.single(4);
    let (one, many) = (test.single(3), test.many(2));
    let handle = test.register(main, "handle");
    test.step(main, 0, 1).spawn_as(one, handle);
    test.step(main, 1, 1).spawn(many);
    test.step(main, 1, 2).join(handle);
    test.step(main, 2, 3);
    test.step(one, 0, 1);
    test.step(one, 1, 2);
    test.step(many, 0, 1);
    let flow = test.finish();
    assert_eq!(sets(&flow, Level::Contributions), Vec::<Vec<Place>>::new());
    assert_eq!(sets(&flow, Level::Passed), [at(1, [0, 1]), at(1, [2]), at(2, [1])]);
}

/// A lock that the main thread holds for good says the same as none of it.
#[test]
fn the_main_thread_is_not_counted_wherever_it_is() {
    let mut test = TestFlow::new();
    let main = test.single(2);
    let worker = test.many(3);
    let count = test.shared("count", 0);
    // Each start takes one from the main thread's own account, which an odd program might do.
    test.step(main, 0, 1).spawn(worker).add(count, -1);
    test.step(worker, 0, 1).add(count, 1);
    test.step(worker, 1, 2);
    let flow = test.finish();
    assert_eq!(sets(&flow, Level::Contributions), [at(1, [1, 2])]);
}
