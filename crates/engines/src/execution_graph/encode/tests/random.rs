//! Random small unrollings: the encoding has exactly the outcomes that enumeration has.

use std::collections::BTreeSet;

use raddle_base::SplitMix;
use raddle_logic::term::Sort;

use super::builder::MAIN;
use super::oracle::Oracle;
use super::*;
use crate::execution_graph::events::{AccessKind, EventKind, Sync};

const PLACES: [u128; 2] = [0x10, 0x20];
const LOCKS: [u128; 2] = [0x30, 0x40];

/// What kinds of events are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) threads: usize,
    pub(super) events: usize,
    pub(super) locks: bool,
    pub(super) symbolic_addresses: bool,
    pub(super) waits: bool,
}

/// Makes one unrolling. The choices are the symbols that nothing determines.
struct Generator {
    random: SplitMix,
    builder: Builder,
    shape: Shape,
    choices: Vec<TermId>,
    /// What each thread has read so far.
    known: Vec<Vec<TermId>>,
    held: Vec<Vec<usize>>,
}

impl Generator {
    fn address(&mut self) -> TermId {
        let place = PLACES[self.random.below(2)];
        if self.shape.symbolic_addresses && self.random.once_in(3) {
            let choice = self.choice();
            let [a, b] = PLACES.map(|place| self.builder.address(place));
            return self.builder.terms().ite(choice, a, b);
        }
        self.builder.address(place)
    }

    /// An input, of which there are few.
    fn choice(&mut self) -> TermId {
        let name = ["p", "q"][self.random.below(2)];
        let input = self.builder.input(name);
        if !self.choices.contains(&input) {
            self.choices.push(input);
        }
        input
    }

    fn value(&mut self, thread: usize) -> TermId {
        let constant = 1 + self.random.below(3) as u128;
        let constant = self.builder.byte(constant);
        match self.known[thread].last() {
            Some(&known) if self.random.once_in(3) => self.builder.terms().add(known, constant),
            _ => constant,
        }
    }

    fn condition(&mut self, thread: usize) -> TermId {
        match self.known[thread].last().copied() {
            Some(known) if self.random.once_in(2) => {
                let value = self.random.below(3) as u128;
                self.builder.is(known, value)
            }
            _ => self.choice(),
        }
    }

    fn access(&mut self, thread: usize) {
        let address = self.address();
        if self.random.once_in(2) {
            let value = self.builder.read_at(thread, address);
            self.known[thread].push(value);
        } else {
            let value = self.value(thread);
            self.builder.write_at(thread, address, value);
        }
    }

    fn event(&mut self, thread: usize) {
        match self.random.below(10) {
            0 => {
                let place = PLACES[self.random.below(2)];
                let old = self.builder.increment(thread, place);
                self.known[thread].push(old);
            }
            1 => {
                let condition = self.condition(thread);
                self.builder.assume(thread, condition);
            }
            2 => {
                self.branch(thread);
            }
            3 if self.shape.symbolic_addresses && self.random.once_in(2) => self.scattered_block(thread),
            3 => self.block(thread),
            4 => self.builder.fence(thread),
            5 | 6 if self.shape.locks => self.lock_event(thread),
            7 if self.shape.waits => {
                let (place, value) = (PLACES[self.random.below(2)], self.random.below(3) as u128);
                self.builder.wait_until(thread, place, value);
            }
            _ => self.access(thread),
        }
    }

    /// Something that matters to the order of stores, under a condition or not.
    fn store_order(&mut self, thread: usize) {
        let conditional = self.random.once_in(3).then(|| self.condition(thread));
        let here = self.builder.here(thread);
        if let Some(condition) = conditional {
            self.builder.begin_branch(thread, condition);
        }
        match self.random.below(4) {
            0 => self.builder.fence(thread),
            1 => self.builder.store_fence(thread),
            2 => {
                self.builder.increment(thread, PLACES[1]);
            }
            _ => {
                let (address, value) = (self.address(), self.value(thread));
                let event = self.builder.write_at(thread, address, value);
                self.builder.make_last(event);
            }
        }
        if let Some(condition) = conditional {
            self.builder.end_branch(thread, here, condition);
        }
    }

    /// An access under a condition, or a write on either branch. What is read in it is not known behind it.
    fn branch(&mut self, thread: usize) {
        let condition = self.condition(thread);
        if self.random.once_in(2) {
            let before = self.known[thread].len();
            let here = self.builder.here(thread);
            self.builder.begin_branch(thread, condition);
            self.access(thread);
            self.builder.end_branch(thread, here, condition);
            self.known[thread].truncate(before);
        } else {
            let address = self.address();
            let (first, second) = (self.value(thread), self.value(thread));
            self.builder.branch(
                thread,
                condition,
                |builder| {
                    builder.write_at(thread, address, first);
                },
                |builder| {
                    builder.write_at(thread, address, second);
                },
            );
        }
    }

    /// Writes at one moment to different places; it may depend on a choice which is which.
    fn scattered_block(&mut self, thread: usize) {
        let mut choice = self.choice();
        if self.random.once_in(2) {
            choice = self.builder.terms().bool(true);
        }
        let [a, b] = PLACES.map(|place| self.builder.address(place));
        let (first, second) = (self.value(thread), self.value(thread));
        self.builder.begin(thread);
        let target = self.builder.terms().ite(choice, a, b);
        self.builder.write_at(thread, target, first);
        if self.random.once_in(2) {
            let condition = self.choice();
            self.builder.assume(thread, condition);
        }
        let here = self.builder.here(thread);
        let condition = self.choice();
        self.builder.begin_branch(thread, condition);
        let target = self.builder.terms().ite(choice, b, a);
        self.builder.write_at(thread, target, second);
        self.builder.end_branch(thread, here, condition);
        self.builder.end(thread);
    }

    /// Some accesses at one moment, to different places, that may stop half-way.
    fn block(&mut self, thread: usize) {
        self.builder.begin(thread);
        let [first, second] = PLACES;
        if self.random.once_in(2) {
            let value = self.value(thread);
            let address = self.builder.address(first);
            self.builder.write_at(thread, address, value);
        }
        let seen = self.builder.read(thread, second);
        self.known[thread].push(seen);
        if self.random.once_in(2) {
            let condition = self.condition(thread);
            self.builder.assume(thread, condition);
        }
        if self.random.once_in(2) {
            let value = self.value(thread);
            let address = self.builder.address(second);
            self.builder.write_at(thread, address, value);
        }
        self.builder.end(thread);
    }

    fn lock_event(&mut self, thread: usize) {
        if let Some(acquisition) = self.held[thread].pop() {
            self.builder.unlock(thread, acquisition);
        } else if self.random.once_in(4) {
            self.builder.is_free(thread, LOCKS[0]);
        } else if self.random.once_in(2) {
            self.critical_section(thread);
        } else {
            let (acquisition, granted) = self.builder.lock(thread, LOCKS[self.random.below(2)]);
            self.choices.push(granted);
            self.held[thread].push(acquisition);
        }
    }

    /// Some accesses under a lock, most of them under the same one.
    fn critical_section(&mut self, thread: usize) {
        let lock = LOCKS[usize::from(self.random.once_in(4))];
        let (acquisition, granted) = self.builder.lock(thread, lock);
        self.choices.push(granted);
        for _ in 0..2 + self.random.below(2) {
            if self.random.once_in(3) {
                self.branch(thread);
            } else {
                self.access(thread);
            }
        }
        self.builder.unlock(thread, acquisition);
    }

    fn finish(mut self) -> (Unrolling, Vec<TermId>) {
        for _ in 0..self.shape.threads * self.shape.events {
            let thread = 1 + self.random.below(self.shape.threads);
            self.event(thread);
        }
        for thread in 1..=self.shape.threads {
            if let Some(acquisition) = self.held[thread].pop()
                && !self.random.once_in(3)
            {
                self.builder.unlock(thread, acquisition);
            }
        }
        for thread in 1..=self.shape.threads {
            if self.random.once_in(2) {
                let (granted, _) = self.builder.join(MAIN, thread);
                self.choices.push(granted);
            }
        }
        self.access(MAIN);
        (self.builder.finish(), self.choices)
    }
}

pub(super) fn generate(seed: u64, shape: Shape) -> (Unrolling, Vec<TermId>) {
    generator(SplitMix::new(seed), shape).finish()
}

fn generator(random: SplitMix, shape: Shape) -> Generator {
    Generator {
        random,
        builder: Builder::with_threads(shape.threads),
        shape,
        choices: Vec::new(),
        known: vec![Vec::new(); shape.threads + 1],
        held: vec![Vec::new(); shape.threads + 1],
    }
}

/// All that an execution lets one see: whether events happen, and what they read.
pub(super) fn observables(unrolling: &mut Unrolling, choices: &[TermId]) -> Vec<TermId> {
    let mut observed = choices.to_vec();
    for event in unrolling.events.ids() {
        let guard = unrolling.events[event].guard;
        let seen = match unrolling.events[event].kind {
            EventKind::Access { access: AccessKind::Read { value, .. }, .. } => value,
            EventKind::Sync(Sync::LockIsFree { free, .. }) => free,
            EventKind::Sync(Sync::ThreadExists { exists, .. }) => exists,
            EventKind::Access { access: AccessKind::Write { .. }, .. }
            | EventKind::Sync(
                Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. } | Sync::Join { .. },
            )
            | EventKind::Mark => continue,
        };
        let terms = &mut unrolling.terms;
        let nothing = if terms.sort(seen) == Sort::Bool { terms.bool(false) } else { terms.bits(0, 8) };
        observed.push(guard);
        observed.push(terms.ite(guard, seen, nothing));
    }
    observed
}

/// The outcomes that the encoding has, by asking for another one until there is none.
fn outcomes(unrolling: &mut Unrolling, model: MemoryModel, observed: &[TermId]) -> BTreeSet<Vec<u128>> {
    let mut encoding = encode(unrolling, model);
    let always = unrolling.terms.bool(true);
    outcomes_where(unrolling, &mut encoding, observed, always)
}

/// The outcomes of executions in which something holds.
pub(super) fn outcomes_where(
    unrolling: &mut Unrolling,
    encoding: &mut Encoding<'_>,
    observed: &[TermId],
    condition: TermId,
) -> BTreeSet<Vec<u128>> {
    let mut found = BTreeSet::new();
    let mut another = condition;
    while encoding.ask(unrolling, Question::Holds(another), &Budget::unlimited()).unwrap() == Answer::Sat {
        let mut execution = encoding.found().expect("there is one");
        let outcome: Vec<u128> = observed.iter().map(|&term| execution.value(unrolling, term)).collect();
        let terms = &mut unrolling.terms;
        let mut same = Vec::new();
        for (&term, &value) in observed.iter().zip(&outcome) {
            same.push(match terms.sort(term) {
                Sort::Bool if value == 1 => term,
                Sort::Bool => terms.not(term),
                Sort::BitVec(width) => {
                    let value = terms.bits(value, width);
                    terms.eq(term, value)
                }
                Sort::Array { .. } => panic!("no arrays here"),
            });
        }
        let same = terms.and_all(same);
        let differs = terms.not(same);
        another = terms.and(another, differs);
        assert!(found.insert(outcome), "the same outcome twice");
    }
    found
}

fn compare_random(seed: u64, model: MemoryModel, shape: Shape) {
    compare(seed, model, shape, generate(seed, shape));
}

fn compare(seed: u64, model: MemoryModel, shape: Shape, (mut unrolling, choices): (Unrolling, Vec<TermId>)) {
    let observed = observables(&mut unrolling, &choices);
    unrolling.accesses.clear();
    let expected = Oracle::run(&unrolling, model, &choices, &observed).outcomes;
    let found = outcomes(&mut unrolling, model, &observed);
    let missing: Vec<_> = expected.difference(&found).take(3).collect();
    let extra: Vec<_> = found.difference(&expected).take(3).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "seed {seed} under {model:?} with {shape:?}: missing {missing:?}, extra {extra:?}"
    );
}

/// How many to compare: few in the test suite, more on request.
pub(super) fn rounds() -> u64 {
    option_env!("RADDLE_ROUNDS").and_then(|text| text.parse().ok()).unwrap_or(20)
}

#[test]
fn outcomes_are_those_of_enumeration() {
    for &model in MemoryModel::ALL {
        for seed in 0..rounds() {
            for symbolic_addresses in [false, true] {
                compare_random(
                    seed,
                    model,
                    Shape { threads: 2, events: 3, locks: false, symbolic_addresses, waits: false },
                );
                compare_random(
                    seed,
                    model,
                    Shape { threads: 3, events: 2, locks: false, symbolic_addresses, waits: false },
                );
            }
        }
    }
}

#[test]
fn outcomes_with_store_order_are_those_of_enumeration() {
    for seed in 0..5 * rounds() {
        for &model in MemoryModel::ALL {
            let symbolic_addresses = seed % 3 == 0;
            let shape = Shape { threads: 2, events: 0, locks: false, symbolic_addresses, waits: false };
            let mut generator = generator(SplitMix::new(seed), shape);
            for thread in [1, 2, 1, 2, 1, 2, 1] {
                if generator.random.once_in(3) {
                    generator.store_order(thread);
                } else {
                    generator.access(thread);
                }
            }
            compare(seed, model, shape, generator.finish());
        }
    }
}

#[test]
fn outcomes_of_scattered_writes_are_those_of_enumeration() {
    for seed in 0..2 * rounds() {
        for &model in MemoryModel::ALL {
            let shape = Shape { threads: 3, events: 0, locks: false, symbolic_addresses: true, waits: false };
            let mut generator = generator(SplitMix::new(seed), shape);
            for thread in [1, 1, 2, 2, 3, 3] {
                if generator.random.once_in(2) {
                    generator.scattered_block(thread);
                } else {
                    generator.access(thread);
                }
            }
            compare(seed, model, shape, generator.finish());
        }
    }
}

#[test]
fn outcomes_with_locks_are_those_of_enumeration() {
    for seed in 0..rounds() / 2 {
        for &model in MemoryModel::ALL {
            compare_random(
                seed,
                model,
                Shape { threads: 2, events: 4, locks: true, symbolic_addresses: false, waits: false },
            );
        }
        for &model in MemoryModel::ALL {
            let random = SplitMix::new(seed);
            let shape =
                Shape { threads: 2, events: 0, locks: true, symbolic_addresses: seed % 2 == 0, waits: false };
            let mut generator = generator(random, shape);
            for thread in [1, 2, 1, 2] {
                generator.critical_section(thread);
                if generator.random.once_in(3) {
                    generator.access(thread);
                }
            }
            compare(seed, model, shape, generator.finish());
        }
        let shape = Shape { threads: 3, events: 3, locks: true, symbolic_addresses: false, waits: false };
        compare_random(seed, MemoryModel::Sc, shape);
    }
}

#[test]
fn deadlocks_are_those_of_enumeration() {
    let mut deadlocks = 0;
    for seed in 0..5 * rounds() {
        let shape = Shape {
            threads: 2 + usize::from(seed % 4 == 0),
            events: 3,
            locks: seed % 3 != 0,
            symbolic_addresses: seed % 5 == 0,
            waits: true,
        };
        let (mut unrolling, choices) = generate(seed, shape);
        let oracle = Oracle::run(&unrolling, MemoryModel::Sc, &choices, &[]);
        let deadlock = oracle.deadlock;
        let mut encoding = encode(&mut unrolling, MemoryModel::Sc);
        let found =
            encoding.ask(&mut unrolling, Question::Deadlock, &Budget::unlimited()).unwrap() == Answer::Sat;
        assert_eq!(found, deadlock, "deadlock, seed {seed} with {shape:?}");
        deadlocks += usize::from(deadlock);
    }
    assert!(deadlocks > 0, "the generator makes no deadlocks");
}
