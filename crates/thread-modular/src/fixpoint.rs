//! Invariants: elements for each location and each way to answer the questions of [`atoms`](crate::atoms), until nothing changes.
//!
//! What was worked through is remembered by versions, so that only what is new is done again. An element that changed often is widened to the next
//! threshold: the numbers of the program. At the end, a round without widening takes back what was widened too far; the result is
//! still an invariant, because it is what all steps make of an invariant.
//!
//! At level 2 what is known of two threads grows beside it: each of the two kinds of knowledge is used where the other one is
//! computed, from nothing at all upwards, so that what holds by both together is found.

use raddle_base::{Budget, Exhausted, Id as _};
use raddle_domains::{Constraint, Domain as _, Form, Product};
use raddle_flow::{Flow, LocationKind, TemplateId};
use raddle_logic::term::Term;
use rustc_hash::FxHashMap;

use crate::atoms::Key;
use crate::found::{At, Entry, Found, Thresholds};
use crate::linear::constant;
use crate::meeting::Meeting;
use crate::pairs::Pairs;
use crate::sampling::Sampling;
use crate::space::Space;
use crate::steps::Step;
use crate::transfer::{self, Known, Together, Who};

/// Rounds that take back what was widened too far.
const DESCENTS: usize = 2;
/// Units of work for one element.
const COST: u32 = 25;
/// After so much work one search gives up: a step without counters is one.
const MOST_WORK: usize = 50_000;
/// The same for a search that looks at two and three threads together.
const MOST_WORK_PAIRS: usize = 60_000;
/// After so much work all searches together give up.
const MOST_WORK_EVER: usize = 150_000;

/// What invariants are looked for.
pub(crate) struct Task<'t> {
    pub flow: &'t Flow,
    pub steps: &'t [Step],
    pub space: &'t Space<'t>,
    pub meeting: &'t Meeting,
    /// For level 2.
    pub sampling: Option<&'t Sampling>,
}

/// Why there are no invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The budget is used up.
    Exhausted(Exhausted),
    /// It would be too much work.
    TooMuch,
}

impl From<Exhausted> for Stopped {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}

/// Looks for invariants with so many times the usual work, and adds the work that it was to `work`.
pub(crate) fn find(
    task: &Task<'_>,
    patience: usize,
    work: &mut usize,
    budget: &Budget,
) -> Result<Found, Stopped> {
    let most = if task.sampling.is_some() { MOST_WORK_PAIRS } else { MOST_WORK };
    let left = (patience * MOST_WORK_EVER).saturating_sub(*work);
    let mut search = Search::new(task, (patience * most).min(left));
    let found = search.find(budget);
    *work += search.made;
    found.map(|()| search.found)
}

pub(crate) struct Search<'s> {
    pub flow: &'s Flow,
    pub steps: &'s [Step],
    pub space: &'s Space<'s>,
    meeting: &'s Meeting,
    pub sampling: Option<&'s Sampling>,
    pub thresholds: Thresholds,
    pub found: Found,
    /// The versions of victim, actor, and what is known of both that were worked through; by victim, step, actor, and the entry of both.
    done: FxHashMap<[usize; 4], [u32; 3]>,
    /// Which steps an entry can make; what it could not make at a version it may at a later one.
    possible: FxHashMap<(usize, usize), (u32, bool)>,
    /// The version of each entry whose own steps were made.
    own_done: Vec<u32>,
    /// The same of steps of two and of three threads.
    pub pairs_done: FxHashMap<[usize; 5], [u32; 6]>,
    made: usize,
    limit: usize,
}

impl<'s> Search<'s> {
    fn new(task: &Task<'s>, limit: usize) -> Self {
        Self {
            flow: task.flow,
            steps: task.steps,
            space: task.space,
            meeting: task.meeting,
            sampling: task.sampling,
            thresholds: Thresholds::new(task.flow, task.steps),
            found: Found::new(task.sampling.map(|_| Pairs::default())),
            done: FxHashMap::default(),
            possible: FxHashMap::default(),
            own_done: Vec::new(),
            pairs_done: FxHashMap::default(),
            made: 0,
            limit,
        }
    }

    fn find(&mut self, budget: &Budget) -> Result<(), Stopped> {
        let main = TemplateId::from_index(0);
        let at = (main, self.flow.templates[main].entry);
        self.add(at, self.initial(at), false);
        while self.round(budget)? {}
        for _ in 0..DESCENTS {
            self.descend(at, budget)?;
        }
        Ok(())
    }

    /// What is known when the main thread starts.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is no constant is any value")]
    fn initial(&self, at: At) -> Product {
        let mut element = Product::top(self.space.dims(at));
        for (index, &variable) in self.space.shared.iter().enumerate() {
            Space::assume_typed(self.flow, &mut element, variable, index);
        }
        for (index, &variable) in self.space.locals(at).iter().enumerate() {
            Space::assume_typed(self.flow, &mut element, variable, self.space.common() + index);
        }
        let identity = self.flow.templates[at.0].identity;
        let own = self.space.locals(at).iter().position(|&variable| variable == identity);
        let own = own.map(|index| (self.space.common() + index, 0));
        let given = self.flow.initial.iter().filter_map(|&(variable, value)| {
            let signed = self.flow.variables[variable].signed;
            let value = match self.flow.terms[value] {
                Term::Bool(value) => i128::from(value),
                Term::Bits { value, width } => constant(value, width, signed),
                _ => return None,
            };
            Some((*self.space.place.get(&variable)?, value))
        });
        let counted =
            self.space.counters.iter().enumerate().map(|(index, counter)| {
                (self.space.counter(index), i128::from(counter.members.contains(&at)))
            });
        for (dim, value) in given.chain(counted).chain(own) {
            if let Some(form) = Form::variable(dim).plus_constant(-value) {
                element.guard(&Constraint::equal(form));
            }
        }
        self.space.assume_rows(&mut element, at);
        element
    }

    /// Adds what may be known at a location. Whether that is new.
    fn add(&mut self, at: At, element: Product, widens: bool) -> bool {
        let thresholds = widens.then_some(&self.thresholds);
        self.is_followed(at) && self.found.add(self.space, at, element, thresholds)
    }

    pub(crate) fn is_followed(&self, at: At) -> bool {
        matches!(self.flow.templates[at.0].locations[at.1].kind, LocationKind::Step(_))
    }

    /// One more step.
    pub(crate) fn spend(&mut self, budget: &Budget) -> Result<(), Stopped> {
        // Closing an element is work for each two dimensions.
        let weight = 1 + self.space.counters.len() * self.space.counters.len() / 32;
        self.made += weight;
        if self.made > self.limit {
            return Err(Stopped::TooMuch);
        }
        Ok(budget.spend(COST * u32::try_from(weight).unwrap_or(u32::MAX / COST))?)
    }

    /// Makes all steps that were not made yet. Whether there was anything new. What threads do alone comes first, until nothing is new: to look at
    /// what they do to each other is much more work, and would be done again for each new element.
    fn round(&mut self, budget: &Budget) -> Result<bool, Stopped> {
        let mut news = false;
        loop {
            let mut is_new = false;
            let mut index = 0;
            while index < self.found.entries.len() {
                is_new |= self.own_steps(index, budget)?;
                index += 1;
            }
            news |= is_new;
            if !is_new {
                break;
            }
        }
        if self.sampling.is_some() {
            news |= self.round_of_pairs(budget)?;
        }
        for step in 0..self.steps.len() {
            news |= self.interfere(step, budget)?;
        }
        Ok(news)
    }

    fn own_steps(&mut self, index: usize, budget: &Budget) -> Result<bool, Stopped> {
        let version = self.found.entries[index].version;
        self.own_done.resize(self.found.entries.len(), 0);
        if std::mem::replace(&mut self.own_done[index], version) == version {
            return Ok(false);
        }
        let entry = self.found.entries[index].clone();
        let mut news = false;
        for step in self.steps.iter().filter(|step| entry.at == (step.template, step.from)) {
            self.spend(budget)?;
            for (at, element) in self.own_step(step, &entry) {
                news |= self.add(at, element, true);
            }
        }
        Ok(news)
    }

    /// What is known of a thread behind its step, and of one that it starts.
    fn own_step(&self, step: &Step, entry: &Entry) -> Vec<(At, Product)> {
        let known = Known { at: entry.at, element: &entry.element };
        let Some(after) = transfer::after(self.flow, self.space, step, &[known], &[]) else {
            return Vec::new();
        };
        let to = (step.template, step.to);
        let child =
            step.spawn.as_ref().map(|(template, ..)| (*template, self.flow.templates[*template].entry));
        let own = after.of(&[Who::Actor]).map(|own| (to, own));
        let child = child.and_then(|child| Some((child, after.of(&[Who::Child])?)));
        own.into_iter().chain(child).collect()
    }

    /// Whether others can tell that a step was made.
    pub(crate) fn is_seen(&self, step: &Step) -> bool {
        step.spawn.is_some()
            || step.updates.iter().any(|(variable, _)| self.space.place.contains_key(variable))
            || !self.space.changes(self.flow, step).is_empty()
    }

    /// Whether two threads may be of these templates.
    pub(crate) fn is_other(&self, one: At, other: At) -> bool {
        one.0 != other.0 || !self.flow.templates[one.0].is_single
    }

    fn interfere(&mut self, index: usize, budget: &Budget) -> Result<bool, Stopped> {
        let step = &self.steps[index];
        if !self.is_seen(step) {
            return Ok(false);
        }
        let mut news = false;
        for actor in self.found.at((step.template, step.from)).to_vec() {
            if !self.is_possible(index, actor, budget)? {
                continue;
            }
            for victim in 0..self.found.entries.len() {
                let (own, its) = (&self.found.entries[actor], &self.found.entries[victim]);
                if self.may_interfere(own, its) {
                    news |= self.interfere_with(index, actor, victim, budget)?;
                }
            }
        }
        Ok(news)
    }

    /// Whether a thread can make a step, as far as is known of it alone.
    fn is_possible(&mut self, index: usize, actor: usize, budget: &Budget) -> Result<bool, Stopped> {
        let entry = &self.found.entries[actor];
        if let Some(&(version, possible)) = self.possible.get(&(index, actor))
            && (possible || version == entry.version)
        {
            return Ok(possible);
        }
        let (version, known) = (entry.version, Known { at: entry.at, element: &entry.element });
        let possible = transfer::may_step(self.flow, self.space, &self.steps[index], known);
        self.possible.insert((index, actor), (version, possible));
        self.spend(budget)?;
        Ok(possible)
    }

    fn may_interfere(&self, actor: &Entry, victim: &Entry) -> bool {
        self.is_other(actor.at, victim.at)
            && self.may_agree(&actor.key, &victim.key)
            && self.meeting.may_meet(actor.at, victim.at)
    }

    fn interfere_with(
        &mut self,
        index: usize,
        actor: usize,
        victim: usize,
        budget: &Budget,
    ) -> Result<bool, Stopped> {
        let (own, its) = (self.found.entries[actor].clone(), self.found.entries[victim].clone());
        let mut news = false;
        for (entry, version, both) in together(&self.found, own.at, its.at) {
            let versions = [its.version, own.version, version];
            if self.done.insert([victim, index, actor, entry], versions) == Some(versions) {
                continue;
            }
            self.spend(budget)?;
            let after = self.interference(&self.steps[index], &own, &its, both.as_ref());
            news |= after.is_some_and(|after| self.add(its.at, after, true));
        }
        Ok(news)
    }

    /// What is known of a thread after another one steps.
    fn interference(
        &self,
        step: &Step,
        actor: &Entry,
        victim: &Entry,
        both: Option<&Product>,
    ) -> Option<Product> {
        let threads = [actor, victim].map(|entry| Known { at: entry.at, element: &entry.element });
        let both = both.map(|element| Together { first: 0, second: 1, element });
        let both: Vec<Together<'_>> = both.into_iter().collect();
        transfer::after(self.flow, self.space, step, &threads, &both)?.of(&[Who::Other(1)])
    }

    /// Whether two threads agree on what they share.
    fn may_agree(&self, left: &Key, right: &Key) -> bool {
        let shared = self.space.atoms.list.iter().map(|atom| atom.owner.is_none());
        left.iter().zip(right).zip(shared).all(|((left, right), is_shared)| {
            !is_shared || left.is_none() || right.is_none() || left == right
        })
    }

    /// What all steps make of the invariants, without widening. What is known of two threads stays as it is.
    fn descend(&mut self, main: At, budget: &Budget) -> Result<(), Stopped> {
        let old = std::mem::take(&mut self.found);
        self.add(main, self.initial(main), false);
        for entry in &old.entries {
            for step in self.steps.iter().filter(|step| entry.at == (step.template, step.from)) {
                self.spend(budget)?;
                for (at, element) in self.own_step(step, entry) {
                    self.add(at, element, false);
                }
            }
        }
        for step in self.steps.iter().filter(|step| self.is_seen(step)).collect::<Vec<_>>() {
            for &actor in old.at((step.template, step.from)) {
                let actor = &old.entries[actor];
                for victim in &old.entries {
                    if !self.may_interfere(actor, victim) {
                        continue;
                    }
                    for (_, _, both) in together(&old, actor.at, victim.at) {
                        self.spend(budget)?;
                        let after = self.interference(step, actor, victim, both.as_ref());
                        after.into_iter().for_each(|after| _ = self.add(victim.at, after, false));
                    }
                }
            }
        }
        self.found.computed += old.computed;
        self.found.pairs = old.pairs;
        Ok(())
    }
}

/// What is known of two threads together: which of it, which version, and what. One of these holds.
fn together(found: &Found, actor: At, victim: At) -> Vec<(usize, u32, Option<Product>)> {
    let Some(pairs) = &found.pairs else { return vec![(usize::MAX, 0, None)] };
    pairs.seen(actor, victim).map(|seen| (seen.entry, seen.version, seen.element.cloned())).collect()
}
