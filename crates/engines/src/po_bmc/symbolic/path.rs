//! What a thread knows at a point of the unrolled program, and what becomes of it where paths meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::forwarding::Forwarded;
use super::guard::Guard;
use super::memory::Memory;
use super::region::Region;
use crate::execution_graph::events::{Space, StepId, SynchronisationId};
use crate::semantics::possible;

/// A path of one thread, without the registers of its activations.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) guard: Guard,
    pub(crate) memory: Memory,
    /// Whether another thread may have been started. Before that everything is in `memory`.
    pub(crate) forked: bool,
    pub(crate) section: Option<Section>,
    /// The locks that the thread may hold.
    pub(crate) held: Rc<Vec<Held>>,
    /// Critical sections that are under way, the outermost first.
    pub(crate) regions: Vec<Region>,
    /// What it knows of memory that others can see.
    pub(crate) forwarded: Forwarded,
    /// How many operations the thread has made, 32 bits.
    pub(crate) operations: TermId,
    /// How many threads this one has started, 32 bits.
    pub(crate) forks: TermId,
}

/// A lock that the thread may hold.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Which acquisition.
    pub(crate) acquisition: usize,
    pub(crate) address: TermId,
    /// Whether it is held now.
    pub(crate) held: TermId,
}

/// An atomic section that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) step: StepId,
    /// How many sections inside each other.
    pub(crate) depth: u32,
    /// Whether an API model opened it.
    pub(crate) model: bool,
    /// Whether inputs were taken in it.
    pub(crate) inputs: bool,
    /// The acquisition of a lock that stands behind it, if it is a critical section.
    pub(crate) acquisition: Option<usize>,
    /// What it has written to shared memory.
    pub(crate) log: Option<Rc<Written>>,
    /// What it has read from outside.
    pub(crate) reads: Rc<BTreeMap<(Space, TermId, u32), TermId>>,
}

/// A write inside of an atomic section, and those before it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) before: Option<Rc<Written>>,
    pub(crate) depth: u32,
    pub(crate) space: Space,
    pub(crate) address: TermId,
    pub(crate) size: u32,
    pub(crate) value: TermId,
    /// The path condition at the time.
    pub(crate) guard: Guard,
    /// The atomic store that makes it, if that is noted.
    pub(crate) store: Option<SynchronisationId>,
    pub(crate) place: raddle_vm::code::Place,
}

impl Section {
    /// The writes so far, the oldest first.
    pub(crate) fn writes(&self) -> Vec<Rc<Written>> {
        let mut list = Vec::new();
        let mut next = self.log.clone();
        while let Some(written) = next {
            next = written.before.clone();
            list.push(written);
        }
        list.reverse();
        list
    }

    fn join(&mut self, other: &Self) {
        self.inputs |= other.inputs;
        self.log = join_logs(self.log.clone(), other.log.clone());
        if !Rc::ptr_eq(&self.reads, &other.reads) {
            Rc::make_mut(&mut self.reads).retain(|key, value| other.reads.get(key) == Some(value));
        }
    }
}

/// What both logs have in common, then what is only in the first, then what is only in the second: their conditions keep
/// them apart.
fn join_logs(first: Option<Rc<Written>>, second: Option<Rc<Written>>) -> Option<Rc<Written>> {
    let depth = |log: &Option<Rc<Written>>| log.as_ref().map_or(0, |written| written.depth);
    let same = |a: &Option<Rc<Written>>, b: &Option<Rc<Written>>| match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let (mut left, mut right) = (first.clone(), second);
    let mut extra = Vec::new();
    while !same(&left, &right) {
        if depth(&left) >= depth(&right) {
            left = left.and_then(|written| written.before.clone());
        } else if let Some(written) = right {
            right = written.before.clone();
            extra.push(written);
        } else {
            break;
        }
    }
    let mut joined = first;
    for written in extra.into_iter().rev() {
        let depth = depth(&joined) + 1;
        joined = Some(Rc::new(Written { before: joined, depth, ..Written::clone(&written) }));
    }
    joined
}

impl Path {
    /// Whether it is in an atomic section of an API's model.
    pub(crate) fn is_in_model(&self) -> bool {
        self.section.as_ref().is_some_and(|section| section.model)
    }

    /// This path and another one meet. Gives the condition that tells them apart: true on this one.
    ///
    /// The caller has made sure that both are in the same section or in none, and that both have forked or none.
    pub(crate) fn join(&mut self, other: &Self, terms: &mut Terms) -> TermId {
        let (guard, selector) = self.guard.join(&other.guard, terms);
        self.guard = guard;
        self.memory.join(&other.memory, selector, terms);
        self.forked |= other.forked;
        self.forwarded.join(&other.forwarded, selector, terms);
        if let (Some(own), Some(others)) = (&mut self.section, &other.section) {
            own.join(others);
        }
        for (own, others) in self.regions.iter_mut().zip(&other.regions) {
            own.section.join(&others.section);
        }
        if !Rc::ptr_eq(&self.held, &other.held) {
            self.held = Rc::new(join_held(&self.held, &other.held, selector, terms));
        }
        self.operations = terms.ite(selector, self.operations, other.operations);
        self.forks = terms.ite(selector, self.forks, other.forks);
        selector
    }

    /// Whether the thread holds the lock at an address.
    pub(crate) fn holds(&self, address: TermId, terms: &mut Terms) -> TermId {
        let mut holds = terms.bool(false);
        for held in self.held.iter() {
            let same = terms.eq(held.address, address);
            let this = terms.and(same, held.held);
            holds = terms.or(holds, this);
        }
        holds
    }
}

fn join_held(own: &[Held], others: &[Held], selector: TermId, terms: &mut Terms) -> Vec<Held> {
    let mut all: BTreeMap<usize, (Option<&Held>, Option<&Held>)> = BTreeMap::new();
    own.iter().for_each(|held| all.entry(held.acquisition).or_default().0 = Some(held));
    others.iter().for_each(|held| all.entry(held.acquisition).or_default().1 = Some(held));
    let mut joined = Vec::new();
    for (acquisition, (mine, theirs)) in all {
        let no = terms.bool(false);
        let address = mine.or(theirs).expect("it is in one of them").address;
        let on = |held: Option<&Held>| held.map_or(no, |held| held.held);
        let (mine, theirs) = (on(mine), on(theirs));
        let held = terms.ite(selector, mine, theirs);
        if possible(held, terms).is_some() {
            joined.push(Held { acquisition, address, held });
        }
    }
    joined
}
