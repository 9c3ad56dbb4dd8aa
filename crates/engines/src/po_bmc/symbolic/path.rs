//! What a thread knows at a point of the unrolled program, and what becomes of it where paths meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::atomic_block::AtomicBlock;
use super::follow::Course;
use super::forwarding::Forwarded;
use super::guard::Guard;
use super::known::KnownMemory;
use super::region::Region;
use raddle_semantics::possible;

/// A path of one thread, without the registers of its activations.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) guard: Guard,
    /// Which ways it goes.
    pub(crate) course: Course,
    pub(crate) memory: KnownMemory,
    /// Whether another thread may have been started. Before that everything is in `memory`.
    pub(crate) forked: bool,
    /// The atomic block that it is in.
    pub(crate) block: Option<AtomicBlock>,
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

impl Path {
    /// Whether it is in an atomic block of an API's model.
    pub(crate) fn is_in_model(&self) -> bool {
        self.block.as_ref().is_some_and(AtomicBlock::is_model)
    }

    /// This path and another one meet. Gives the condition that tells them apart: true on this one.
    ///
    /// The caller has made sure that both are in the same atomic block or in none, and that both have forked or none.
    pub(crate) fn join(&mut self, other: &Self, terms: &mut Terms) -> TermId {
        let (guard, selector) = self.guard.join(&other.guard, terms);
        self.guard = guard;
        self.course = self.course.max(other.course);
        self.memory.join(&other.memory, selector, terms);
        self.forked |= other.forked;
        self.forwarded.merge(&other.forwarded, selector, terms);
        if let (Some(own), Some(others)) = (&mut self.block, &other.block) {
            own.merge(others);
        }
        for (own, others) in self.regions.iter_mut().zip(&other.regions) {
            own.block.merge(&others.block);
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
