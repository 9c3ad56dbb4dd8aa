//! The exploration of the product.

use std::collections::VecDeque;

use raddle_base::{Budget, Span};
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use super::super::obligations::initial_cells;
use super::super::quantity::Who;
use super::super::state::{Asked, Edge, Fork, Target};
use super::formulas::{Stand, View};
use super::letters::{Kind, Letter, Letters, span};
use super::reduce::{Goal, Sleep};
use super::triples::{Known, Premises, Triples};
use super::{Rejected, Unproved, path_of};
use crate::product::{Move, Preference, Product};

/// Where slots stand, what is known there, and which letters need not be taken.
#[derive(Clone, Debug)]
struct Node {
    places: Vec<Stand>,
    /// Which slot's thread started that of each slot; the main thread counts as its own.
    parents: Vec<usize>,
    known: Known,
    sleep: Sleep,
    /// The node before it and the step from there: slot and letter.
    from: Option<(usize, (usize, usize))>,
}

/// A step: where slots stand and what is known before it, the slot and the letter.
type Followed = (Vec<Stand>, Vec<usize>, Known, usize, usize);

/// What is behind a step.
enum Behind {
    /// The step cannot be made.
    Nothing,
    /// It starts too many threads, and what follows is not looked at.
    TooMany,
    State(Vec<Stand>, Known),
}

/// An exploration.
pub(super) struct Walk<'a, 'c, 'o, 'b> {
    certificate: &'c Product,
    letters: &'a Letters,
    entries: &'a [usize],
    triples: Triples<'c, 'o, 'b>,
    budget: &'a Budget,
    goal: Goal,
    nodes: Vec<Node>,
    /// At the same places: nodes that were met.
    met: FxHashMap<(Vec<Stand>, Vec<usize>), Vec<usize>>,
    open: VecDeque<usize>,
    /// What is behind steps that were followed from the same places with the same knowledge.
    behind: FxHashMap<Followed, Option<(Vec<Stand>, Known)>>,
}

impl<'a, 'c, 'o, 'b> Walk<'a, 'c, 'o, 'b> {
    pub(super) fn new(
        certificate: &'c Product,
        letters: &'a Letters,
        entries: &'a [usize],
        triples: Triples<'c, 'o, 'b>,
        budget: &'a Budget,
    ) -> Self {
        Self {
            certificate,
            letters,
            entries,
            triples,
            budget,
            goal: Goal::Anything,
            nodes: Vec::new(),
            met: FxHashMap::default(),
            open: VecDeque::new(),
            behind: FxHashMap::default(),
        }
    }

    /// Looks for words that go wrong; all that there could be are excluded if it comes to an end.
    pub(super) fn run(mut self) -> Result<(), Unproved> {
        let first = self.first()?;
        if self.certificate.preference == Preference::None {
            return self.explore(first, Goal::Anything);
        }
        for slot in 0..self.certificate.most_threads {
            self.explore(first.clone(), Goal::Of(slot))?;
        }
        Ok(())
    }

    fn explore(&mut self, first: Node, goal: Goal) -> Result<(), Unproved> {
        self.goal = goal;
        self.nodes.clear();
        self.met.clear();
        self.open.clear();
        self.arrive(first);
        while let Some(index) = self.open.pop_front() {
            self.expand(index)?;
        }
        Ok(())
    }

    /// The state at the start.
    fn first(&mut self) -> Result<Node, Unproved> {
        let entry = self.entries[0];
        let explorer = &mut self.triples.explorer;
        let shared = initial_cells(explorer);
        let (argument, id) = (explorer.terms.bool(false), explorer.terms.bits(0, 32));
        let mut premises = Premises::default();
        let owed = explorer.known_values(entry, Who::Born { argument, id })?;
        let all = explorer.terms.and_all(owed);
        premises.path.push(explorer.terms.not(all));
        let what = || "that what is known at the start is so".to_owned();
        self.triples.exclude(&premises, what, Span::NONE)?;
        let main = [Fork { starts: 0, id, argument }];
        let places = vec![Stand::At(entry)];
        let view = View { places: &places, shared: &shared, actor: usize::MAX, after: None, born: &main };
        let mut known = Known::new();
        for predicate in 0..self.triples.formulas.len() {
            let term = self.triples.formulas.term(&mut self.triples.explorer, predicate, &view);
            if let Some(term) = term
                && self.triples.implies(&Premises::default(), term)?
            {
                known.push(number(predicate));
            }
        }
        Ok(Node { places, parents: vec![0], known, sleep: Sleep::new(), from: None })
    }

    /// A node is to be looked at, unless one that stands for more was.
    fn arrive(&mut self, node: Node) {
        let met = self.met.entry((node.places.clone(), node.parents.clone())).or_default();
        let covers = |&&index: &&usize| {
            let old = &self.nodes[index];
            is_subset(&old.known, &node.known) && is_subset(&old.sleep, &node.sleep)
        };
        if met.iter().any(|index| covers(&index)) {
            return;
        }
        met.push(self.nodes.len());
        self.open.push_back(self.nodes.len());
        self.nodes.push(node);
    }

    fn expand(&mut self, index: usize) -> Result<(), Unproved> {
        if let Err(why) = self.budget.spend(20) {
            let what = format!("the product of the threads was not looked at to its end: {why}");
            return Err(Rejected::new(what, Span::NONE).into());
        }
        let node = self.nodes[index].clone();
        let letters = self.letters;
        let members = letters.membrane(&node.places, self.goal, &self.certificate.preference);
        for (position, &slot) in members.iter().enumerate() {
            let Stand::At(location) = node.places[slot] else { continue };
            for (choice, letter) in letters.of[location].iter().enumerate() {
                if node.sleep.binary_search(&(slot, choice)).is_ok() {
                    continue;
                }
                let at = (index, (slot, choice));
                self.follow((index, &node), (slot, choice), letter, &members[..position])
                    .map_err(|why| self.with_path(why, at, letter))?;
            }
        }
        Ok(())
    }

    /// Takes a letter from a node.
    fn follow(
        &mut self,
        (index, node): (usize, &Node),
        (slot, choice): (usize, usize),
        letter: &Letter,
        preferred: &[usize],
    ) -> Result<(), Rejected> {
        let edge = match &letter.kind {
            Kind::Step(edge) => edge,
            Kind::Failure(check) => {
                if self.goal == Goal::Anything || self.goal == Goal::Of(slot) {
                    let premises = self.premises(
                        node,
                        slot,
                        (&check.guards, &check.joins),
                        (&check.forks, &check.asked),
                    );
                    let what = || format!("that {}", check.what);
                    self.triples.exclude(&premises, what, check.at)?;
                }
                return Ok(());
            }
        };
        let key = (node.places.clone(), node.parents.clone(), node.known.clone(), slot, choice);
        let behind = match self.behind.get(&key) {
            Some(behind) => behind.clone(),
            None => match self.behind(node, (slot, choice), edge)? {
                Behind::TooMany => return Ok(()),
                Behind::Nothing => {
                    self.behind.insert(key, None);
                    None
                }
                Behind::State(places, known) => {
                    self.behind.insert(key, Some((places.clone(), known.clone())));
                    Some((places, known))
                }
            },
        };
        let Some((places, known)) = behind else { return Ok(()) };
        let sleep =
            self.letters.sleep_behind(&node.places, self.goal, &node.sleep, preferred, (slot, letter.effect));
        let mut parents = node.parents.clone();
        parents.resize(places.len(), slot);
        self.arrive(Node { places, parents, known, sleep, from: Some((index, (slot, choice))) });
        Ok(())
    }

    /// What is known before a slot's thread takes a path, and what the path demands.
    fn premises(
        &mut self,
        node: &Node,
        slot: usize,
        (guards, joins): (&[TermId], &[TermId]),
        (forks, asked): (&[Fork], &[Asked]),
    ) -> Premises {
        let mut premises = Premises { path: guards.to_vec(), known: Vec::new() };
        let Stand::At(location) = node.places[slot] else { return premises };
        for &joined in joins {
            let explorer = &mut self.triples.explorer;
            let mut any = explorer.terms.bool(false);
            for (other, place) in node.places.iter().enumerate() {
                if *place == Stand::Ended {
                    let id = explorer.terms.bits(other as u128, 32);
                    let is_it = explorer.terms.eq(joined, id);
                    any = explorer.terms.or(any, is_it);
                }
            }
            premises.path.push(any);
        }
        let explorer = &mut self.triples.explorer;
        let template = explorer.certificate.locations[location].template;
        let id = explorer.terms.bits(slot as u128, 32);
        let is_own = explorer.terms.eq(explorer.identities[template], id);
        premises.known.push(is_own);
        let count = node.places.len();
        for (number, fork) in forks.iter().enumerate() {
            let id = explorer.terms.bits((count + number) as u128, 32);
            premises.known.push(explorer.terms.eq(fork.id, id));
        }
        // Others may start threads between the step that others notice and the question, on either side: certain are only those that came before
        // this thread, and those that it started.
        for asked in asked {
            let own =
                (count..count + asked.forks).chain((0..count).filter(|&other| node.parents[other] == slot));
            for other in (0..=slot).chain(own) {
                let id = explorer.terms.bits(other as u128, 32);
                let is_it = explorer.terms.eq(asked.thread, id);
                premises.known.push(explorer.terms.implies(is_it, asked.holds));
            }
        }
        for &predicate in &node.known {
            premises.known.extend(self.triples.before(predicate as usize, &node.places, slot));
        }
        premises
    }

    fn behind(
        &mut self,
        node: &Node,
        (slot, choice): (usize, usize),
        edge: &Edge,
    ) -> Result<Behind, Rejected> {
        let end = &edge.end;
        let premises = self.premises(node, slot, (&end.guards, &end.joins), (&end.forks, &end.asked));
        if self.triples.is_impossible(&premises)? {
            return Ok(Behind::Nothing);
        }
        let mut places = node.places.clone();
        let most = self.certificate.most_threads;
        if places.len() + end.forks.len() > most {
            if self.goal == Goal::Anything || self.goal == Goal::Of(slot) {
                let what = format!("more than {most} threads may be started");
                return Err(Rejected::new(what, edge.span));
            }
            return Ok(Behind::TooMany);
        }
        places[slot] = match edge.to {
            Target::At(to) => Stand::At(to),
            Target::Ended => Stand::Ended,
            Target::Stuck => Stand::Stuck,
        };
        for fork in &end.forks {
            places.push(Stand::At(self.entries[fork.starts]));
        }
        let known = self.known_behind(node, (slot, choice), &places, (edge, &premises))?;
        Ok(Behind::State(places, known))
    }

    /// Which predicates are known behind a step. What was not known before, and has nothing to do with the step, is not known behind it: if
    /// it followed from what was known before, it would have been known.
    fn known_behind(
        &mut self,
        node: &Node,
        (slot, choice): (usize, usize),
        places: &[Stand],
        (edge, premises): (&Edge, &Premises),
    ) -> Result<Known, Rejected> {
        let (end, count) = (&edge.end, places.len());
        let born = count - end.forks.len();
        let before = &self.triples.explorer.shared;
        let changed: Vec<usize> =
            (0..before.len()).filter(|&cell| end.shared[cell] != before[cell]).collect();
        let spoken = self.triples.spoken_of(premises);
        let view = View { places, shared: &end.shared, actor: slot, after: Some(end), born: &end.forks };
        let mut known = Known::new();
        for predicate in 0..self.triples.formulas.len() {
            let was_known = node.known.binary_search(&number(predicate)).is_ok();
            let goal = if self.triples.formulas.is_touched(predicate, (slot, born), &changed) {
                self.triples.behind(predicate, (slot, end.from, choice, count), &view)
            } else if was_known {
                known.push(number(predicate));
                continue;
            } else if spoken.is_empty() {
                continue;
            } else {
                let goal = self.triples.before(predicate, places, slot);
                goal.filter(|&goal| self.triples.speaks_of(goal, &spoken))
            };
            if let Some(goal) = goal
                && self.triples.implies(premises, goal)?
            {
                known.push(number(predicate));
            }
        }
        Ok(known)
    }

    /// How an execution comes to a letter that could not be excluded.
    fn with_path(&self, why: Rejected, (last, step): (usize, (usize, usize)), letter: &Letter) -> Unproved {
        let mut path = vec![self.step(last, step)];
        let mut index = last;
        while let Some((before, step)) = self.nodes[index].from {
            path.push(self.step(before, step));
            index = before;
        }
        path.reverse();
        let at = if why.at == Span::NONE { span(letter) } else { why.at };
        Unproved { why: Rejected { at, ..why }, path }
    }

    fn step(&self, node: usize, (slot, choice): (usize, usize)) -> Move {
        let explorer = &self.triples.explorer;
        let from = match self.nodes[node].places[slot] {
            Stand::At(location) => location,
            Stand::Ended | Stand::Stuck => unreachable!("only threads that stand somewhere make steps"),
        };
        match &self.letters.of[from][choice].kind {
            Kind::Step(edge) => {
                let to = match edge.to {
                    Target::At(to) => Some(to),
                    Target::Ended | Target::Stuck => None,
                };
                Move { slot, from, to, path: path_of(explorer, &edge.end.trail) }
            }
            Kind::Failure(check) => Move { slot, from, to: None, path: path_of(explorer, &check.trail) },
        }
    }
}

fn number(predicate: usize) -> u32 {
    u32::try_from(predicate).expect("fewer predicates than that")
}

/// Whether all of the first are in the second; both ascend.
fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|item| rest.by_ref().any(|other| other == item))
}
