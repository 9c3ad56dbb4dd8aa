//! Races as accesses that nothing orders: known patterns, and random unrollings against enumeration.

use raddle_base::SplitMix;
use raddle_ir::Ordering;

use super::builder::MAIN;
use super::oracle::Oracle;
use super::*;

const DATA: u128 = 0x10;
const FLAG: u128 = 0x20;
const FLAGS: [u128; 2] = [FLAG, 0x30];
const LOCK: u128 = 0x40;

/// Whether there is a race; both by the encoding and by enumeration, pair by pair.
fn races(mut unrolling: Unrolling, model: MemoryModel, choices: &[TermId]) -> bool {
    let expected = Oracle::run(&unrolling, model, choices, &[]).races;
    let mut encoding = encode(&mut unrolling, model);
    let answer = encoding.ask(&mut unrolling, Question::Race, &Budget::unlimited()).unwrap() == Answer::Sat;
    assert_eq!(answer, !expected.is_empty(), "{expected:?}");
    if answer {
        let pair = encoding.found().and_then(|mut found| found.racing_pair(&unrolling)).expect("a pair");
        assert!(expected.contains(&pair.accesses), "{pair:?}, but {expected:?}");
    }
    let races = encoding.races.as_ref().expect("it was asked for");
    let (asked, pairs) = (races.asked, races.pairs().to_vec());
    let mut found = std::collections::BTreeSet::new();
    for (first, second, race) in pairs {
        let answer = encoding.writer.check(&mut unrolling.terms, &[asked, race], &Budget::unlimited());
        if answer.expect("it is in this process") == Answer::Sat {
            found.insert((first, second));
        }
    }
    assert_eq!(found, expected);
    answer
}

/// Passes a message by a flag: the writer's part and the reader's.
fn passing(
    model: MemoryModel,
    write: impl FnOnce(&mut Builder),
    read: impl FnOnce(&mut Builder) -> TermId,
) -> bool {
    let mut builder = Builder::with_threads(2);
    builder.store(1, DATA, 1, Ordering::Plain);
    write(&mut builder);
    let seen = read(&mut builder);
    let is_set = builder.is(seen, 1);
    builder.when(2, is_set, |builder| {
        builder.load(2, DATA, Ordering::Plain);
    });
    races(builder.finish(), model, &[])
}

fn flag_store(ordering: Ordering) -> impl FnOnce(&mut Builder) {
    move |builder| builder.store(1, FLAG, 1, ordering)
}

fn flag_load(ordering: Ordering) -> impl FnOnce(&mut Builder) -> TermId {
    move |builder| builder.load(2, FLAG, ordering)
}

#[test]
fn a_message_needs_release_and_acquire() {
    use Ordering::{Acquire, Relaxed, Release, SequentiallyConsistent};
    for &model in MemoryModel::ALL {
        for (store, load, ordered) in [
            (Release, Acquire, true),
            (SequentiallyConsistent, SequentiallyConsistent, true),
            (Relaxed, Acquire, false),
            (Release, Relaxed, false),
            (Relaxed, Relaxed, false),
        ] {
            let racy = passing(model, flag_store(store), flag_load(load));
            assert_eq!(racy, !ordered, "{store:?} and {load:?} under {model:?}");
        }
    }
}

#[test]
fn fences_lend_their_order_to_weak_accesses() {
    use Ordering::{Acquire, Relaxed, Release};
    for &model in MemoryModel::ALL {
        let write = |fenced: bool| {
            move |builder: &mut Builder| {
                if fenced {
                    builder.order_fence(1, Release);
                }
                builder.store(1, FLAG, 1, Relaxed);
            }
        };
        let read = |fenced: bool| {
            move |builder: &mut Builder| {
                let seen = builder.load(2, FLAG, Relaxed);
                if fenced {
                    builder.order_fence(2, Acquire);
                }
                seen
            }
        };
        assert!(!passing(model, write(true), read(true)));
        assert!(!passing(model, write(true), flag_load(Acquire)));
        assert!(!passing(model, flag_store(Release), read(true)));
        assert!(passing(model, write(false), read(true)));
        assert!(passing(model, write(true), read(false)));
    }
}

#[test]
fn a_fence_of_some_executions_orders_those_only() {
    for &model in MemoryModel::ALL {
        let mut builder = Builder::with_threads(2);
        let sometimes = builder.input("sometimes");
        builder.store(1, DATA, 1, Ordering::Plain);
        builder.when(1, sometimes, |builder| builder.order_fence(1, Ordering::Release));
        builder.store(1, FLAG, 1, Ordering::Relaxed);
        let seen = builder.load(2, FLAG, Ordering::Acquire);
        let is_set = builder.is(seen, 1);
        builder.assume(2, is_set);
        builder.load(2, DATA, Ordering::Plain);
        assert!(races(builder.finish(), model, &[sometimes]));
    }
}

#[test]
fn a_release_sequence_goes_through_updates_and_ends_with_stores() {
    use Ordering::{Acquire, Relaxed, Release};
    for (update, ordered) in [(true, true), (false, false)] {
        let mut builder = Builder::with_threads(3);
        builder.store(1, DATA, 1, Ordering::Plain);
        builder.store(1, FLAG, 1, Release);
        if update {
            builder.add_one(3, FLAG, Relaxed);
        } else {
            let seen = builder.load(3, FLAG, Relaxed);
            let is_set = builder.is(seen, 1);
            builder.assume(3, is_set);
            builder.store(3, FLAG, 2, Relaxed);
        }
        let seen = builder.load(2, FLAG, Acquire);
        let is_set = builder.is(seen, 2);
        builder.assume(2, is_set);
        builder.load(2, DATA, Ordering::Plain);
        assert_eq!(races(builder.finish(), MemoryModel::Sc, &[]), !ordered);
    }
}

#[test]
fn an_update_that_does_not_acquire_passes_on_what_it_does_not_know() {
    // The second thread's own accesses are not ordered by what passes through it.
    let mut builder = Builder::with_threads(2);
    builder.store(1, DATA, 1, Ordering::Plain);
    builder.store(1, FLAG, 1, Ordering::Release);
    let seen = builder.add_one(2, FLAG, Ordering::Release);
    let is_set = builder.is(seen, 1);
    builder.assume(2, is_set);
    builder.load(2, DATA, Ordering::Plain);
    assert!(races(builder.finish(), MemoryModel::Sc, &[]));
}

#[test]
fn a_lock_that_is_seen_taken_orders_nothing() {
    for waits in [true, false] {
        let mut builder = Builder::with_threads(2);
        builder.store(1, DATA, 1, Ordering::Plain);
        let (first, granted) = builder.lock(1, LOCK);
        let mut choices = vec![granted];
        let free = builder.is_free(2, LOCK);
        let taken = builder.terms().not(free);
        builder.assume(2, taken);
        if waits {
            let (second, granted) = builder.lock(2, LOCK);
            choices.push(granted);
            builder.unlock(2, second);
        }
        builder.load(2, DATA, Ordering::Plain);
        builder.unlock(1, first);
        assert_eq!(races(builder.finish(), MemoryModel::Sc, &choices), !waits);
    }
}

#[test]
fn blocks_of_the_program_order_each_other() {
    for in_block in [true, false] {
        let mut builder = Builder::with_threads(2);
        builder.store(1, DATA, 1, Ordering::Plain);
        builder.begin_program_block(1);
        builder.store(1, FLAG, 1, Ordering::Relaxed);
        builder.end_program_block(1);
        if in_block {
            builder.begin_program_block(2);
        }
        let seen = builder.load(2, FLAG, Ordering::Relaxed);
        if in_block {
            builder.end_program_block(2);
        }
        let is_set = builder.is(seen, 1);
        builder.assume(2, is_set);
        builder.load(2, DATA, Ordering::Plain);
        assert_eq!(races(builder.finish(), MemoryModel::Sc, &[]), !in_block);
    }
}

#[test]
fn what_follows_a_start_in_one_block_is_not_before_the_thread() {
    for after in [true, false] {
        let mut builder = Builder::new();
        builder.begin_program_block(MAIN);
        if !after {
            builder.store(MAIN, DATA, 1, Ordering::Plain);
        }
        let thread = builder.fork(MAIN);
        if after {
            builder.store(MAIN, DATA, 1, Ordering::Plain);
        }
        builder.end_program_block(MAIN);
        builder.load(thread, DATA, Ordering::Plain);
        assert_eq!(races(builder.finish(), MemoryModel::Sc, &[]), after);
    }
}

#[test]
fn each_load_acquires_by_its_own_order() {
    for ordering in [Ordering::Acquire, Ordering::Relaxed] {
        let read = move |builder: &mut Builder| {
            builder.load(2, FLAG, Ordering::Relaxed);
            builder.load(2, FLAG, ordering)
        };
        let racy = passing(MemoryModel::Sc, flag_store(Ordering::Release), read);
        assert_eq!(racy, ordering == Ordering::Relaxed);
    }
}

/// Makes random unrollings.
struct Generator {
    random: SplitMix,
    builder: Builder,
    choices: Vec<TermId>,
    /// What each thread has read last.
    seen: Vec<Option<TermId>>,
}

impl Generator {
    fn ordering(&mut self) -> Ordering {
        let all = [
            Ordering::Relaxed,
            Ordering::Relaxed,
            Ordering::Acquire,
            Ordering::Release,
            Ordering::AcquireRelease,
            Ordering::SequentiallyConsistent,
        ];
        all[self.random.below(all.len())]
    }

    fn load_ordering(&mut self) -> Ordering {
        match self.ordering() {
            Ordering::Release | Ordering::AcquireRelease => Ordering::Acquire,
            Ordering::Plain => Ordering::Relaxed,
            other @ (Ordering::Relaxed | Ordering::Acquire | Ordering::SequentiallyConsistent) => other,
        }
    }

    fn store_ordering(&mut self) -> Ordering {
        match self.ordering() {
            Ordering::Acquire | Ordering::AcquireRelease => Ordering::Release,
            Ordering::Plain => Ordering::Relaxed,
            other @ (Ordering::Relaxed | Ordering::Release | Ordering::SequentiallyConsistent) => other,
        }
    }

    fn access(&mut self, thread: usize) {
        let flag = FLAGS[usize::from(self.random.once_in(4))];
        match self.random.below(8) {
            0 | 1 => self.builder.store(thread, DATA, 1, Ordering::Plain),
            2 => {
                self.builder.load(thread, DATA, Ordering::Plain);
            }
            3 | 4 => {
                let ordering = self.load_ordering();
                self.seen[thread] = Some(self.builder.load(thread, flag, ordering));
            }
            5 => {
                let ordering = self.ordering();
                self.seen[thread] = Some(self.builder.add_one(thread, flag, ordering));
            }
            _ => {
                let (ordering, value) = (self.store_ordering(), 1 + self.random.below(2) as u128);
                self.builder.store(thread, flag, value, ordering);
            }
        }
    }

    fn event(&mut self, thread: usize, locks: bool) {
        match self.random.below(10) {
            0 | 1 => {
                let ordering = self.ordering();
                if ordering != Ordering::Relaxed {
                    self.builder.order_fence(thread, ordering);
                }
            }
            2 | 3 if self.seen[thread].is_some() => {
                let seen = self.seen[thread].expect("just asked");
                let value = self.random.below(3) as u128;
                let condition = self.builder.is(seen, value);
                if self.random.once_in(2) {
                    self.builder.assume(thread, condition);
                } else {
                    let here = self.builder.here(thread);
                    self.builder.begin_branch(thread, condition);
                    self.access(thread);
                    self.builder.end_branch(thread, here, condition);
                    self.seen[thread] = None;
                }
            }
            4 if locks => {
                let (acquisition, granted) = self.builder.lock(thread, LOCK);
                self.choices.push(granted);
                self.access(thread);
                self.builder.unlock(thread, acquisition);
            }
            5 if locks => {
                let free = self.builder.is_free(thread, LOCK);
                let taken = self.builder.terms().not(free);
                self.builder.assume(thread, taken);
            }
            6 if locks => {
                self.builder.begin_program_block(thread);
                let ordering = self.load_ordering();
                self.seen[thread] = Some(self.builder.load(thread, FLAG, ordering));
                if self.random.once_in(2) {
                    self.builder.store(thread, DATA, 1, Ordering::Plain);
                }
                let ordering = self.store_ordering();
                self.builder.store(thread, FLAGS[1], 2, ordering);
                self.builder.end_program_block(thread);
            }
            _ => self.access(thread),
        }
    }
}

impl Generator {
    /// Something about flags, perhaps only under a condition.
    fn relay(&mut self, thread: usize) {
        let sometimes = self.random.once_in(5).then(|| self.builder.input("sometimes"));
        let here = self.builder.here(thread);
        if let Some(condition) = sometimes {
            self.builder.begin_branch(thread, condition);
        }
        match self.random.below(6) {
            0 => {
                let ordering = self.load_ordering();
                let seen = self.builder.load(thread, FLAG, ordering);
                self.seen[thread] = sometimes.is_none().then_some(seen);
            }
            1 | 2 => {
                let ordering = self.ordering();
                let seen = self.builder.add_one(thread, FLAG, ordering);
                self.seen[thread] = sometimes.is_none().then_some(seen);
            }
            3 => {
                let (ordering, value) = (self.store_ordering(), 1 + self.random.below(2) as u128);
                self.builder.store(thread, FLAG, value, ordering);
            }
            _ => {
                let ordering = self.ordering();
                if ordering != Ordering::Relaxed {
                    self.builder.order_fence(thread, ordering);
                }
            }
        }
        if let Some(condition) = sometimes {
            self.builder.end_branch(thread, here, condition);
        }
    }
}

/// One thread writes, the others pass it on, the last one reads if it was told.
fn passed_races(seed: u64, model: MemoryModel, threads: usize) -> bool {
    let mut generator = Generator {
        random: SplitMix::new(seed),
        builder: Builder::with_threads(threads),
        choices: Vec::new(),
        seen: vec![None; threads + 1],
    };
    generator.builder.store(1, DATA, 1, Ordering::Plain);
    for thread in 1..=threads {
        for _ in 0..2 + generator.random.below(2) {
            generator.relay(thread);
        }
        if thread == threads || generator.random.once_in(2) {
            let seen = generator.seen[thread].unwrap_or_else(|| {
                let ordering = generator.load_ordering();
                generator.builder.load(thread, FLAG, ordering)
            });
            let value = 1 + generator.random.below(3) as u128;
            let told = generator.builder.is(seen, value);
            generator.builder.assume(thread, told);
            if thread < threads {
                generator.relay(thread);
            }
        }
    }
    generator.builder.load(threads, DATA, Ordering::Plain);
    let sometimes = generator.builder.input("sometimes");
    races(generator.builder.finish(), model, &[sometimes])
}

fn random_races(seed: u64, model: MemoryModel, threads: usize, events: usize, locks: bool) -> bool {
    let mut generator = Generator {
        random: SplitMix::new(seed),
        builder: Builder::with_threads(threads),
        choices: Vec::new(),
        seen: vec![None; threads + 1],
    };
    for _ in 0..threads * events {
        let thread = 1 + generator.random.below(threads);
        generator.event(thread, locks);
    }
    if generator.random.once_in(3) {
        let (granted, _) = generator.builder.join(MAIN, 1);
        generator.choices.push(granted);
        generator.builder.load(MAIN, DATA, Ordering::Plain);
    }
    races(generator.builder.finish(), model, &generator.choices)
}

/// How many to compare: few in the test suite, more on request.
fn rounds() -> u64 {
    option_env!("RADDLE_ROUNDS").and_then(|text| text.parse().ok()).unwrap_or(20)
}

#[test]
fn unordered_accesses_are_those_of_enumeration() {
    let (mut racy, mut free) = (0, 0);
    for seed in 0..15 * rounds() {
        let (threads, events) = if seed % 3 == 0 { (3, 3) } else { (2, 5) };
        let race = random_races(seed, MemoryModel::Sc, threads, events, seed % 2 == 0);
        racy += usize::from(race);
        free += usize::from(!race);
    }
    assert!(racy > 20 && free > 20, "{racy} race and {free} do not");
}

#[test]
fn messages_that_are_passed_on_are_those_of_enumeration() {
    let (mut racy, mut free) = (0, 0);
    for seed in 0..20 * rounds() {
        let threads = 2 + usize::from(seed % 3 == 0);
        let model = if seed % 4 == 0 { MemoryModel::Pso } else { MemoryModel::Sc };
        let race = passed_races(seed, model, threads);
        racy += usize::from(race);
        free += usize::from(!race);
    }
    assert!(racy > 20 && free > 20, "{racy} race and {free} do not");
}

#[test]
fn unordered_accesses_under_weak_models_are_those_of_enumeration() {
    for seed in 0..5 * rounds() {
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            random_races(seed, model, 2, 4, seed % 3 == 0);
        }
    }
}
