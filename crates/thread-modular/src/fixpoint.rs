//! Invariants: elements for each location and each way to answer the questions of [`atoms`](crate::atoms), until nothing changes.
//!
//! What was worked through is remembered by versions, so that only what is new is done again. An element that changed often is widened to the next
//! threshold: the numbers of the program. At the end, a round without widening takes back what was widened too far; the result is
//! still an invariant, because it is what all steps make of an invariant.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Budget, Exhausted, Id as _};
use raddle_domains::{Constraint, Domain as _, Form, Product};
use raddle_flow::{CheckId, Flow, LocationId, LocationKind, TemplateId};
use raddle_logic::term::Term;
use rustc_hash::FxHashMap;

use crate::atoms::{AtomKind, Key};
use crate::linear::constant;
use crate::space::Space;
use crate::steps::Step;
use crate::transfer::{self, Known, with};

/// An element is joined so often before it is widened.
const PATIENCE: u32 = 3;
/// A location with more elements keeps them together.
const MOST_KEYS: usize = 64;
/// Rounds that take back what was widened too far.
const DESCENTS: usize = 2;
/// Units of work for one element.
const COST: u32 = 300;

type At = (TemplateId, LocationId);

/// What is known at a location where the questions have these answers.
#[derive(Clone, Debug)]
struct Entry {
    at: At,
    key: Key,
    element: Product,
    version: u32,
    changes: u32,
}

/// Invariants.
#[derive(Debug)]
pub(crate) struct Found {
    entries: Vec<Entry>,
    by_key: FxHashMap<(At, Key), usize>,
    by_location: BTreeMap<At, Vec<usize>>,
    /// How many elements were computed.
    pub computed: usize,
}

/// Looks for invariants.
pub(crate) fn find(
    flow: &Flow,
    steps: &[Step],
    space: &Space<'_>,
    budget: &Budget,
) -> Result<Found, Exhausted> {
    let mut search = Search {
        flow,
        steps,
        space,
        thresholds: thresholds(flow, steps),
        found: Found::empty(),
        done: FxHashMap::default(),
        own_done: Vec::new(),
    };
    let main = TemplateId::from_index(0);
    let at = (main, flow.templates[main].entry);
    search.add(at, search.initial(at), false);
    while search.round(budget)? {}
    for _ in 0..DESCENTS {
        search.descend(at, budget)?;
    }
    Ok(search.found)
}

impl Found {
    fn empty() -> Self {
        Self { entries: Vec::new(), by_key: FxHashMap::default(), by_location: BTreeMap::new(), computed: 0 }
    }

    /// What is known at a location: one of these.
    pub(crate) fn elements(&self, at: At) -> impl Iterator<Item = &Product> {
        self.by_location.get(&at).into_iter().flatten().map(|&index| &self.entries[index].element)
    }

    /// Checks that may fail, as far as is known.
    pub(crate) fn open_checks(&self, flow: &Flow, steps: &[Step], space: &Space<'_>) -> Vec<CheckId> {
        let mut open = BTreeSet::new();
        for step in steps {
            let LocationKind::Failed(check) = flow.templates[step.template].locations[step.to].kind else {
                continue;
            };
            let at = (step.template, step.from);
            let fails = |element| transfer::may_step(flow, space, step, Known { at, element });
            if !open.contains(&check) && self.elements(at).any(fails) {
                open.insert(check);
            }
        }
        open.into_iter().collect()
    }
}

struct Search<'s> {
    flow: &'s Flow,
    steps: &'s [Step],
    space: &'s Space<'s>,
    thresholds: Vec<i128>,
    found: Found,
    /// The versions of victim and actor that were worked through, by victim, step and actor.
    done: FxHashMap<(usize, usize, usize), (u32, u32)>,
    /// The version of each entry whose own steps were made.
    own_done: Vec<u32>,
}

impl Search<'_> {
    /// What is known when the main thread starts.
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
        element
    }

    /// Adds what may be known at a location. Whether that is new.
    fn add(&mut self, at: At, element: Product, widens: bool) -> bool {
        let is_followed = matches!(self.flow.templates[at.0].locations[at.1].kind, LocationKind::Step(_));
        if !is_followed || element.is_empty() {
            return false;
        }
        let mut news = false;
        for (key, part) in self.split(at, element) {
            news |= self.add_part(at, key, part, widens);
        }
        news
    }

    fn add_part(&mut self, at: At, key: Key, part: Product, widens: bool) -> bool {
        self.found.computed += 1;
        let Some(&index) = self.found.by_key.get(&(at, key.clone())) else {
            let here = self.found.by_location.entry(at).or_default();
            // Too many: the rest is kept together, whatever the answers.
            let together: Key = vec![None; key.len()];
            if here.len() >= MOST_KEYS && key != together {
                return self.add_part(at, together, part, widens);
            }
            let index = self.found.entries.len();
            here.push(index);
            self.found.by_key.insert((at, key.clone()), index);
            self.found.entries.push(Entry { at, key, element: part, version: 1, changes: 0 });
            self.own_done.push(0);
            return true;
        };
        self.join(index, &part, widens)
    }

    fn join(&mut self, index: usize, part: &Product, widens: bool) -> bool {
        let entry = &mut self.found.entries[index];
        if entry.element.includes(part) {
            return false;
        }
        let joined = entry.element.join(part);
        entry.changes += 1;
        entry.element = if widens && entry.changes > PATIENCE {
            entry.element.widen(&joined, &self.thresholds)
        } else {
            joined
        };
        entry.version += 1;
        true
    }

    /// The parts of an element by the answers to the questions.
    fn split(&self, at: At, element: Product) -> Vec<(Key, Product)> {
        let mut parts = vec![(Key::new(), element)];
        let locals = self.space.locals(at);
        for (index, atom) in self.space.atoms.list.iter().enumerate() {
            let dim = if atom.owner.is_none() {
                self.space.place.get(&atom.variable).copied()
            } else {
                let own = locals.iter().position(|&variable| variable == atom.variable);
                own.map(|index| self.space.common() + index)
            };
            let dim = dim.filter(|_| self.space.atoms.is_asked(index, at, locals));
            let mut next = Vec::new();
            for (key, part) in parts {
                let answered = |answer: Option<u8>| {
                    let mut key = key.clone();
                    key.push(answer);
                    key
                };
                match dim {
                    None => next.push((answered(None), part)),
                    Some(dim) => {
                        let answers = answers(&atom.kind, dim, &part);
                        next.extend(answers.into_iter().map(|(answer, part)| (answered(Some(answer)), part)));
                    }
                }
            }
            parts = next;
        }
        parts
    }

    /// Makes all steps that were not made yet. Whether there was anything new.
    fn round(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let mut news = false;
        let mut index = 0;
        while index < self.found.entries.len() {
            news |= self.own_steps(index, true, budget)?;
            index += 1;
        }
        for step in 0..self.steps.len() {
            news |= self.interfere(step, budget)?;
        }
        Ok(news)
    }

    fn own_steps(&mut self, index: usize, widens: bool, budget: &Budget) -> Result<bool, Exhausted> {
        let version = self.found.entries[index].version;
        if std::mem::replace(&mut self.own_done[index], version) == version {
            return Ok(false);
        }
        let mut news = false;
        for step in self.steps {
            let entry = &self.found.entries[index];
            if entry.at != (step.template, step.from) {
                continue;
            }
            budget.spend(COST)?;
            let known = Known { at: entry.at, element: &entry.element };
            let Some(after) = transfer::own(self.flow, self.space, step, known) else { continue };
            news |= self.add((step.template, step.to), after.own, widens);
            if let (Some(child), Some((template, _, _))) = (after.child, &step.spawn) {
                news |= self.add((*template, self.flow.templates[*template].entry), child, widens);
            }
        }
        Ok(news)
    }

    /// Whether others can tell that a step was made.
    fn is_seen(&self, step: &Step) -> bool {
        step.spawn.is_some()
            || step.updates.iter().any(|(variable, _)| self.space.place.contains_key(variable))
            || !self.space.changes(self.flow, step).is_empty()
    }

    fn interfere(&mut self, index: usize, budget: &Budget) -> Result<bool, Exhausted> {
        let step = &self.steps[index];
        if !self.is_seen(step) {
            return Ok(false);
        }
        let mut news = false;
        let actors = self.found.by_location.get(&(step.template, step.from)).cloned().unwrap_or_default();
        for actor in actors {
            for victim in 0..self.found.entries.len() {
                news |= self.interfere_with(index, actor, victim, budget)?;
            }
        }
        Ok(news)
    }

    fn interfere_with(
        &mut self,
        index: usize,
        actor: usize,
        victim: usize,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let step = &self.steps[index];
        let (own, its) = (&self.found.entries[actor], &self.found.entries[victim]);
        let is_other = own.at.0 != its.at.0 || !self.flow.templates[own.at.0].is_single;
        if !is_other || !self.may_meet(&own.key, &its.key) {
            return Ok(false);
        }
        let versions = (its.version, own.version);
        if self.done.insert((victim, index, actor), versions) == Some(versions) {
            return Ok(false);
        }
        budget.spend(COST)?;
        let at = its.at;
        let known = |entry: &'_ Entry| entry.at;
        let (first, second) = (known(own), known(its));
        let after = transfer::interference(
            self.flow,
            self.space,
            step,
            Known { at: first, element: &own.element },
            Known { at: second, element: &its.element },
        );
        Ok(after.is_some_and(|after| self.add(at, after, true)))
    }

    /// Whether two threads agree on what they share.
    fn may_meet(&self, left: &Key, right: &Key) -> bool {
        let shared = self.space.atoms.list.iter().map(|atom| atom.owner.is_none());
        left.iter().zip(right).zip(shared).all(|((left, right), is_shared)| {
            !is_shared || left.is_none() || right.is_none() || left == right
        })
    }

    /// What all steps make of the invariants, without widening.
    fn descend(&mut self, main: At, budget: &Budget) -> Result<(), Exhausted> {
        let old = std::mem::replace(&mut self.found, Found::empty());
        let initial = self.initial(main);
        self.own_done.clear();
        self.add(main, initial, false);
        for entry in &old.entries {
            let known = Known { at: entry.at, element: &entry.element };
            for step in self.steps.iter().filter(|step| entry.at == (step.template, step.from)) {
                budget.spend(COST)?;
                let Some(after) = transfer::own(self.flow, self.space, step, known) else { continue };
                self.add((step.template, step.to), after.own, false);
                if let (Some(child), Some((template, _, _))) = (after.child, &step.spawn) {
                    self.add((*template, self.flow.templates[*template].entry), child, false);
                }
            }
        }
        for step in self.steps.iter().filter(|step| self.is_seen(step)).collect::<Vec<_>>() {
            let from = (step.template, step.from);
            for actor in old.by_location.get(&from).into_iter().flatten().map(|&index| &old.entries[index]) {
                for victim in &old.entries {
                    let is_other = actor.at.0 != victim.at.0 || !self.flow.templates[actor.at.0].is_single;
                    if !is_other || !self.may_meet(&actor.key, &victim.key) {
                        continue;
                    }
                    budget.spend(COST)?;
                    let (own, its) = (
                        Known { at: actor.at, element: &actor.element },
                        Known { at: victim.at, element: &victim.element },
                    );
                    let after = transfer::interference(self.flow, self.space, step, own, its);
                    after.into_iter().for_each(|after| _ = self.add(victim.at, after, false));
                }
            }
        }
        self.found.computed += old.computed;
        Ok(())
    }
}

/// The parts of an element by the answers to one question about a dimension.
fn answers(kind: &AtomKind, dim: usize, element: &Product) -> Vec<(u8, Product)> {
    let variable = Form::variable(dim);
    let bounds = element.bounds(&variable);
    let minus = |number: i128| variable.plus_constant(-number);
    let mut parts = Vec::new();
    match kind {
        AtomKind::Value(values) => {
            let mut rest = Some(element.clone());
            for (answer, &value) in (0_u8..).zip(values) {
                if !bounds.includes(raddle_domains::Interval::only(value)) {
                    continue;
                }
                let Some(form) = minus(value) else { continue };
                parts.extend(with(element, &Constraint::equal(form.clone())).map(|part| (answer, part)));
                rest = rest.and_then(|rest| with(&rest, &Constraint::not_equal(form)));
            }
            let is_one = bounds.single().is_some_and(|value| values.contains(&value));
            let other = u8::try_from(values.len()).unwrap_or(u8::MAX);
            parts.extend(rest.filter(|_| !is_one).map(|part| (other, part)));
        }
        AtomKind::Sign(number) => {
            let form = minus(*number);
            let below = form.as_ref().and_then(|form| form.plus_constant(1)).map(Constraint::at_most_zero);
            let at = form.clone().map(Constraint::equal);
            let above = form.and_then(|form| Form::constant(1).plus(&form, -1)).map(Constraint::at_most_zero);
            for (answer, constraint) in [(0, below), (1, at), (2, above)] {
                match constraint {
                    Some(constraint) => {
                        parts.extend(with(element, &constraint).map(|part| (answer, part)));
                    }
                    None => parts.push((answer, element.clone())),
                }
            }
        }
    }
    parts
}

/// All numbers of the program, those beside them, their opposites, and the limits of types; ascending.
fn thresholds(flow: &Flow, steps: &[Step]) -> Vec<i128> {
    let mut all: BTreeSet<i128> = [-1, 0, 1, 2].into_iter().collect();
    let roots: Vec<_> = steps
        .iter()
        .flat_map(|step| step.guards.iter().copied().chain(step.updates.iter().map(|(_, value)| *value)))
        .chain(flow.initial.iter().map(|(_, value)| *value))
        .collect();
    for term in flow.terms.subterms(&roots) {
        if let Term::Bits { value, width } = flow.terms[term]
            && width <= 64
        {
            for signed in [true, false] {
                let number = constant(value, width, signed);
                all.extend((-1..=1).flat_map(|by| [number + by, -number + by]));
            }
        }
    }
    for width in [8, 16, 32, 64] {
        for signed in [true, false] {
            let range = crate::linear::range(width, signed);
            all.extend(range.low.into_iter().chain(range.high));
        }
    }
    all.into_iter().collect()
}
