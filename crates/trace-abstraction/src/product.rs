//! The product of thread instances, over locations only, and its reduction.
//!
//! A state is where each slot stands, in the order of creation, and a sleep set. Its words, from the start to the first failure, are error traces. The
//! reduction keeps of all error traces that differ only in the order of independent steps at least one:
//!
//! Two letters of different slots are independent if neither writes what the other reads or writes, not both start threads, and none starts or joins the
//! other's thread. They then commute, in the product and in what they do, whatever the variables hold. Words go on behind a failure (nobody looks there),
//! so the set of words with a failure is closed under commutation of independent neighbours.
//!
//! *Selected slots* (`selected`) are a set `T` such that (1) each slot that may come to a failure, or start a thread that may, is in `T`; (2) a slot
//! that is waited for by one in `T` is in `T`; if threads may be waited for that are not started yet, so is each slot that may start threads; (3) a slot
//! that may ever do something that depends on what a slot in `T` can do next is in `T`. Take a word with a failure. By (1) it has a letter of a slot in `T`.
//! The first such letter is possible now: its slot has not moved, and by (2) a slot that it joins has ended now. By (3) it is independent of all letters before it, so it can be moved to the
//! front. So only letters of `T` are made (a weakly persistent membrane: Klumpp, Dietsch, Heizmann, Schüle, Ebbinghaus, Farzan,
//! Podelski 2022; persistent sets: Godefroid 1996). No proviso on cycles is needed: words are finite, and by (1) a slot whose failure is the reason for the word is never put off.
//!
//! *Sleep sets* (Godefroid 1996), claim: from a state with sleep set `S`, for each word `w` with a failure no letter of `S` can be moved to the front of, a word
//! that is equivalent to `w` is kept. By induction on the length of `w`: among the selected letters that can be moved to the front of `w` let `a` be the first in the order of letters; it
//! is not in `S`, so it is made; `w` is equivalent to `a w'`, and the sleep set behind `a` has letters of `S` and selected letters before `a`, all
//! independent of `a`: if one of them could be moved to the front of `w'`, it could be to that of `w`, against the choice of `a` or what is known of `S`.
//! At the start `S` is empty. Both depend on locations and sleep sets only, so the language is the same in all rounds of refinement.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use raddle_base::{Id as _, define_id};
use raddle_flow::{Flow, LocationKind, TemplateId};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::footprint::Footprints;
use crate::letters::{Failure, Key, LetterId, Letters, Place};

define_id!(
    /// Where all slots stand.
    pub(crate) struct StandingId, "q"
);
define_id!(
    /// A state of the reduced product.
    pub(crate) struct StateId, "s"
);

/// Where each slot stands.
pub(crate) type Standing = Vec<Place>;

/// A letter and where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub letter: LetterId,
    /// None: a failure.
    pub to: Option<StandingId>,
}

/// The product, as far as it was looked at.
#[derive(Debug)]
pub(crate) struct Product<'f> {
    pub flow: &'f Flow,
    pub letters: Letters,
    pub footprints: Footprints,
    /// By template and location, the edges that leave.
    outgoing: Vec<Vec<Vec<usize>>>,
    standings: IndexSet<Standing, FxBuildHasher>,
    moves: FxHashMap<StandingId, Rc<[Move]>>,
    /// No more slots.
    most_threads: usize,
}

impl<'f> Product<'f> {
    pub(crate) fn new(flow: &'f Flow, terms: &Terms, most_threads: usize) -> Self {
        let are_single = flow.templates.values().all(|template| template.is_single);
        let starts_fail = !(are_single && flow.templates.len() <= most_threads);
        let outgoing = flow
            .templates
            .values()
            .map(|template| {
                let mut edges = vec![Vec::new(); template.locations.len()];
                for (index, edge) in template.edges.iter().enumerate() {
                    edges[edge.from.index()].push(index);
                }
                edges
            })
            .collect();
        Self {
            flow,
            letters: Letters::new(flow),
            footprints: Footprints::new(flow, terms, starts_fail),
            outgoing,
            standings: IndexSet::default(),
            moves: FxHashMap::default(),
            most_threads,
        }
    }

    /// The main thread at its entry, alone.
    pub(crate) fn start(&mut self) -> StandingId {
        let main = TemplateId::from_index(0);
        self.intern(vec![Letters::place(main, self.flow.templates[main].entry)])
    }

    fn intern(&mut self, standing: Standing) -> StandingId {
        StandingId::from_index(self.standings.insert_full(standing).0)
    }

    pub(crate) fn standing(&self, id: StandingId) -> &Standing {
        &self.standings[id.index()]
    }

    /// Whether a thread at a place has ended.
    fn has_ended(&self, Place { template, location, .. }: Place) -> bool {
        self.flow.templates[template].locations[location].kind == LocationKind::Ended
    }

    /// All letters that locations allow, in the order of slots.
    pub(crate) fn moves(&mut self, terms: &mut Terms, id: StandingId) -> Rc<[Move]> {
        if let Some(moves) = self.moves.get(&id) {
            return Rc::clone(moves);
        }
        let standing = self.standing(id).clone();
        let mut moves = Vec::new();
        for (slot, &Place { template, location, .. }) in standing.iter().enumerate() {
            for edge in self.outgoing[template.index()][location.index()].clone() {
                for key in self.keys(&standing, slot, edge) {
                    let letter = self.letters.get(self.flow, terms, key);
                    if self.letters[letter].is_dead {
                        continue;
                    }
                    let to = self.after(&standing, letter);
                    moves.push(Move { letter, to });
                }
            }
        }
        let moves: Rc<[Move]> = moves.into();
        self.moves.insert(id, Rc::clone(&moves));
        moves
    }

    /// The ways to make an edge: one, or one for each thread that it may wait for.
    fn keys(&self, standing: &Standing, slot: usize, edge: usize) -> Vec<Key> {
        let Place { template, values, .. } = standing[slot];
        let what = &self.flow.templates[template].edges[edge];
        let room = standing.len() < self.most_threads;
        let threads = if what.existing.is_empty() { 0 } else { standing.len() };
        let child = (what.spawn.is_some() && room).then_some(standing.len());
        let key = Key { slot, template, values, edge, joined: None, child, threads };
        if what.joins.is_none() {
            return vec![key];
        }
        let ended = (0..standing.len()).filter(|&other| other != slot && self.has_ended(standing[other]));
        ended.map(|other| Key { joined: Some(other), ..key }).collect()
    }

    fn after(&mut self, standing: &Standing, letter: LetterId) -> Option<StandingId> {
        let letter = &self.letters[letter];
        if letter.failure.is_some() {
            return None;
        }
        let mut standing = standing.clone();
        standing[letter.key.slot] = letter.to;
        standing.extend(letter.born);
        Some(self.intern(standing))
    }

    /// Whether the order of two letters can matter.
    fn depend(&self, one: LetterId, other: LetterId) -> bool {
        let (one, other) = (&self.letters[one].key, &self.letters[other].key);
        let touches =
            |one: &Key, other: &Key| one.joined == Some(other.slot) || one.child == Some(other.slot);
        let footprint = |key: &Key| &self.footprints.edges[key.template.index()][key.edge];
        one.slot == other.slot
            || touches(one, other)
            || touches(other, one)
            || footprint(one).conflicts(footprint(other))
    }

    /// Whether a slot's thread may come to a failure, and starts no more threads before.
    pub(crate) fn only_fails(&self, standing: StandingId, slot: usize) -> bool {
        let place = self.standing(standing)[slot];
        let future = &self.footprints.futures[place.template][place.location];
        future.fails && !future.starts
    }

    /// The symbols whose values may matter from here on: a test for them.
    pub(crate) fn matters(&self, standing: &Standing, symbol: TermId) -> bool {
        match self.letters.meaning(symbol) {
            None => false,
            Some((variable, None)) => standing.iter().any(|&Place { template, location, .. }| {
                self.footprints.futures[template][location].touches.reads.contains(variable.index())
            }),
            Some((variable, Some(slot))) => {
                standing.get(slot).is_some_and(|&Place { template, location, .. }| {
                    self.flow.templates[template].locations[location].live.contains(&variable)
                })
            }
        }
    }
}

/// Which interleavings are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Of those that differ in the order of independent steps only, few.
    #[default]
    PartialOrder,
    /// All.
    None,
}

/// A letter and the state that it leads to; none: a failure.
pub(crate) type Successor = (LetterId, Option<StateId>);

/// The reduced product.
#[derive(Debug)]
pub(crate) struct Reduced<'f> {
    pub product: Product<'f>,
    reduction: Reduction,
    states: IndexSet<(StandingId, Vec<LetterId>), FxBuildHasher>,
    successors: FxHashMap<StateId, Rc<[Successor]>>,
    selected: FxHashMap<StandingId, FixedBitSet>,
}

impl<'f> Reduced<'f> {
    pub(crate) fn new(product: Product<'f>, reduction: Reduction) -> Self {
        Self {
            product,
            reduction,
            states: IndexSet::default(),
            successors: FxHashMap::default(),
            selected: FxHashMap::default(),
        }
    }

    pub(crate) fn start(&mut self) -> StateId {
        let standing = self.product.start();
        self.intern(standing, Vec::new())
    }

    fn intern(&mut self, standing: StandingId, sleep: Vec<LetterId>) -> StateId {
        StateId::from_index(self.states.insert_full((standing, sleep)).0)
    }

    pub(crate) fn standing_of(&self, state: StateId) -> StandingId {
        self.states[state.index()].0
    }

    /// The letters that are made in a state, and where they lead.
    pub(crate) fn successors(&mut self, terms: &mut Terms, state: StateId) -> Rc<[Successor]> {
        if let Some(list) = self.successors.get(&state) {
            return Rc::clone(list);
        }
        let (standing, sleep) = self.states[state.index()].clone();
        let moves = self.product.moves(terms, standing);
        let selected = self.selected(terms, standing);
        let mut asleep = sleep;
        let mut list = Vec::new();
        for &Move { letter, to } in moves.iter() {
            if !selected.contains(self.product.letters[letter].key.slot) || asleep.contains(&letter) {
                continue;
            }
            let to = to.map(|to| {
                let mut sleep: Vec<LetterId> =
                    asleep.iter().copied().filter(|&other| !self.product.depend(letter, other)).collect();
                sleep.sort_unstable();
                self.intern(to, sleep)
            });
            list.push((letter, to));
            if self.reduction == Reduction::PartialOrder {
                asleep.push(letter);
            }
        }
        let list: Rc<[Successor]> = list.into();
        self.successors.insert(state, Rc::clone(&list));
        list
    }

    /// The slots whose letters are made. None if no failure can follow.
    fn selected(&mut self, terms: &mut Terms, id: StandingId) -> FixedBitSet {
        if let Some(selected) = self.selected.get(&id) {
            return selected.clone();
        }
        let standing = self.product.standing(id).clone();
        let mut selected = FixedBitSet::with_capacity(standing.len());
        if self.reduction == Reduction::None {
            selected.insert_range(..);
        } else {
            let futures = &self.product.footprints.futures;
            let mut open: Vec<usize> = Vec::new();
            for (slot, &Place { template, location, .. }) in standing.iter().enumerate() {
                if futures[template][location].fails {
                    selected.insert(slot);
                    open.push(slot);
                }
            }
            while let Some(slot) = open.pop() {
                for other in self.needs(terms, &standing, slot) {
                    if !selected.put(other) {
                        open.push(other);
                    }
                }
            }
        }
        self.selected.insert(id, selected.clone());
        selected
    }

    /// The slots that must be selected where one is: those that it waits for, and those that may do what its next letters depend on.
    fn needs(&self, terms: &mut Terms, standing: &Standing, slot: usize) -> Vec<usize> {
        let product = &self.product;
        let Place { template, location, .. } = standing[slot];
        let others = || (0..standing.len()).filter(move |&other| other != slot);
        let future =
            |other: usize| &product.footprints.futures[standing[other].template][standing[other].location];
        let mut needed = Vec::new();
        for &edge in &product.outgoing[template.index()][location.index()] {
            let touches = &product.footprints.edges[template.index()][edge];
            needed.extend(others().filter(|&other| touches.conflicts(&future(other).touches)));
            let Some(thread) = product.flow.templates[template].edges[edge].joins else { continue };
            let thread = product.letters.valued(product.flow, terms, standing[slot], thread);
            let known = terms.as_bits(thread).and_then(|thread| usize::try_from(thread).ok());
            let may_be = |other: usize| known.is_none_or(|known| known == other);
            needed.extend(others().filter(|&other| may_be(other) && !product.has_ended(standing[other])));
            if known.is_none_or(|known| known >= standing.len()) {
                needed.extend(others().filter(|&other| future(other).starts));
            }
        }
        needed
    }
}

/// What a failure is.
pub(crate) fn failure(product: &Product<'_>, letter: LetterId) -> Option<Failure> {
    product.letters[letter].failure
}
