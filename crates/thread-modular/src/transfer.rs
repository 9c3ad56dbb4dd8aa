//! What a step makes of what is known: of the thread that steps, of one that it starts, and of another one.
//!
//! Before the step, what is known of the two threads is met (they share memory and counters), with what always holds of counters and ids. So
//! a step that cannot be made while the other thread stands where it does is known to be impossible. Steps write all at once: new values are computed
//! beside the old ones.

use std::borrow::Cow;

use raddle_domains::{Constraint, Domain as _, Form, Interval, Product};
use raddle_flow::{Flow, VariableId};
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use crate::found::At;
use crate::linear::{Dim, Reader, numeric, range};
use crate::rows::Row;
use crate::space::{Space, assume_between};
use crate::steps::Step;

/// A thread at a location, and what is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'k> {
    pub at: At,
    pub element: &'k Product,
}

/// What is known of two of the threads that take part, beside what is known of each: their places among these, and an element over what is
/// common, what the first has, what the second has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Together<'k> {
    pub first: usize,
    pub second: usize,
    pub element: &'k Product,
}

/// A thread of which something is known after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The one that made it, where it goes to.
    Actor,
    /// Another one that takes part, by its place among these: the first is the one that makes the step.
    Other(usize),
    /// The one that was started, at its entry.
    Child,
}

/// A step at work: an element with dimensions for all that takes part.
pub(crate) struct Work<'w> {
    flow: &'w Flow,
    space: &'w Space<'w>,
    step: &'w Step,
    element: Product,
    dims: FxHashMap<TermId, Dim>,
    /// Where threads stand, and where their variables begin.
    threads: Vec<(At, usize)>,
    /// Where new values begin.
    primes: usize,
    /// The place of each shared variable behind the step.
    shared: Vec<usize>,
}

/// Whether a step can be made, as far as is known.
pub(crate) fn may_step(flow: &Flow, space: &Space<'_>, step: &Step, actor: Known<'_>) -> bool {
    Work::new(flow, space, step, &[actor], &[]).guard()
}

/// What is known after the first of these threads makes a step; none if it cannot.
pub(crate) fn after<'w>(
    flow: &'w Flow,
    space: &'w Space<'w>,
    step: &'w Step,
    threads: &[Known<'_>],
    together: &[Together<'_>],
) -> Option<Work<'w>> {
    let mut work = Work::new(flow, space, step, threads, together);
    if work.element.is_empty() || work.share_an_id() || !work.guard() {
        return None;
    }
    work.write();
    Some(work)
}

impl<'w> Work<'w> {
    fn new(
        flow: &'w Flow,
        space: &'w Space<'w>,
        step: &'w Step,
        known: &[Known<'_>],
        together: &[Together<'_>],
    ) -> Self {
        let common = space.common();
        let mut threads = Vec::new();
        let mut next = common;
        for thread in known {
            threads.push((thread.at, next));
            next += space.own(thread.at);
        }
        let inputs: Vec<(TermId, u32)> =
            step.inputs.iter().filter_map(|&input| Some((input, numeric(flow.terms.sort(input))?))).collect();
        let spawned = step.spawn.as_ref().map_or(0, |(_, _, values)| values.len());
        let primes = next + inputs.len();
        let total = primes + step.updates.len() + spawned;
        let range_of = |index: usize| {
            let (at, first): (At, usize) = threads[index];
            (first..first + space.own(at)).map(Some)
        };
        let mut element: Option<Product> = None;
        let mut meet = |part: Product| {
            element = Some(element.take().map_or_else(|| part.clone(), |element| element.meet(&part)));
        };
        for (index, thread) in known.iter().enumerate() {
            let to: Vec<Option<usize>> = (0..common).map(Some).chain(range_of(index)).collect();
            meet(thread.element.remap(total, &to));
        }
        for both in together {
            let own = range_of(both.first).chain(range_of(both.second));
            let to: Vec<Option<usize>> = (0..common).map(Some).chain(own).collect();
            meet(both.element.remap(total, &to));
        }
        let mut element = element.unwrap_or_else(|| Product::top(total));
        let mut dims = FxHashMap::default();
        let own_variables = threads.first().into_iter().flat_map(|&(at, first)| {
            space.locals(at).iter().enumerate().map(move |(index, id)| (first + index, id))
        });
        for (index, &id) in space.shared.iter().enumerate().chain(own_variables) {
            let variable = &flow.variables[id];
            dims.insert(variable.now, Dim { index });
        }
        for (index, (input, width)) in inputs.into_iter().enumerate() {
            let index = next + index;
            dims.insert(input, Dim { index });
            let is_started = step.spawn.as_ref().is_some_and(|(_, id, _)| *id == input);
            // The main thread has the id 0, and nobody the largest number.
            let range = match range(width, width > 1 && !is_started) {
                Interval { high: Some(most), .. } if is_started => {
                    Interval::between(1, step.most_id.unwrap_or(most - 1))
                }
                range => range,
            };
            assume_between(&mut element, index, range);
        }
        let at: Vec<At> = known.iter().map(|thread| thread.at).collect();
        space.assume_counted(&mut element, &at);
        if let Some(joined) = step.joined {
            space.assume_joined(flow, &mut element, joined);
        }
        Self { flow, space, step, element, dims, threads, primes, shared: Vec::new() }
    }

    /// Whether two of the threads would have one id: no two threads have.
    fn share_an_id(&self) -> bool {
        let place = |&(at, first): &(At, usize)| {
            let identity = self.flow.templates[at.0].identity;
            let index = self.space.locals(at).iter().position(|&id| id == identity)?;
            Some(first + index)
        };
        let places: Vec<usize> = self.threads.iter().filter_map(place).collect();
        let same = |one: usize, other: usize| {
            let difference = Form::variable(one).plus(&Form::variable(other), -1);
            difference.is_some_and(|difference| self.element.bounds(&difference) == Interval::only(0))
        };
        places.iter().enumerate().any(|(index, &one)| places[..index].iter().any(|&other| same(one, other)))
    }

    /// Keeps what satisfies the guards. Whether anything does.
    fn guard(&mut self) -> bool {
        // What one guard says may let another one be understood.
        for _ in 0..2 {
            for &guard in &self.step.guards {
                if self.element.is_empty() {
                    return false;
                }
                let constraints = {
                    let bounds = |form: &Form| self.element.bounds(form);
                    Reader::new(&self.flow.terms, &self.dims, &bounds).constraints(guard)
                };
                constraints.iter().for_each(|constraint| self.element.guard(constraint));
            }
            let (at, first) = self.threads[0];
            self.space.assume_few(&mut self.element, at, first);
        }
        !self.element.is_empty()
    }

    /// Computes a new value beside the old ones.
    fn compute(&mut self, prime: usize, variable: VariableId, value: TermId) {
        let variable = &self.flow.variables[variable];
        let Some(width) = numeric(variable.sort) else { return };
        let (form, bounds) = {
            let bounds = |form: &Form| self.element.bounds(form);
            let reader = Reader::new(&self.flow.terms, &self.dims, &bounds);
            (reader.form(value, variable.signed), reader.bounds(value, variable.signed))
        };
        match form {
            Some(form) => self.element.assign(prime, &form),
            None => assume_between(&mut self.element, prime, bounds.meet(range(width, variable.signed))),
        }
    }

    /// Computes all new values, those of a thread that is started as well.
    fn write(&mut self) {
        for (index, &(variable, value)) in self.step.updates.iter().enumerate() {
            self.compute(self.primes + index, variable, value);
        }
        let first = self.primes + self.step.updates.len();
        for (index, &(variable, value)) in
            self.step.spawn.iter().flat_map(|(_, _, values)| values.iter()).enumerate()
        {
            self.compute(first + index, variable, value);
        }
        for (index, change) in self.space.changes(self.flow, self.step) {
            let dim = self.space.counter(index);
            if let Some(form) = Form::variable(dim).plus_constant(change) {
                self.element.assign(dim, &form);
            }
        }
        let shared = self.space.shared.iter().enumerate();
        self.shared = shared.map(|(index, &variable)| self.updated(variable).unwrap_or(index)).collect();
    }

    /// Where the new value of a variable is, if the step writes it.
    fn updated(&self, variable: VariableId) -> Option<usize> {
        self.step.updates.iter().rposition(|(other, _)| *other == variable).map(|index| self.primes + index)
    }

    /// Where a thread stands behind the step, and the places of what it has of its own.
    fn places(&self, who: Who) -> Option<(At, Vec<Option<usize>>)> {
        match who {
            Who::Other(index) => {
                let (at, first) = self.threads[index];
                Some((at, (first..first + self.space.locals(at).len()).map(Some).collect()))
            }
            Who::Actor => {
                let (from, first) = self.threads[0];
                let to = (self.step.template, self.step.to);
                let place = |variable: &VariableId| {
                    let before = self.space.locals(from).iter().position(|other| other == variable);
                    self.updated(*variable).or_else(|| before.map(|index| first + index))
                };
                Some((to, self.space.locals(to).iter().map(place).collect()))
            }
            Who::Child => {
                let (template, id, values) = self.step.spawn.as_ref()?;
                let first = self.primes + self.step.updates.len();
                let at = (*template, self.flow.templates[*template].entry);
                let identity = self.flow.templates[*template].identity;
                let place = |variable: &VariableId| {
                    let given = values.iter().position(|(other, _)| other == variable);
                    given.map(|index| first + index).or_else(|| {
                        let own = (*variable == identity).then(|| self.dims.get(id));
                        own.flatten().map(|dim| dim.index)
                    })
                };
                Some((at, self.space.locals(at).iter().map(place).collect()))
            }
        }
    }

    /// Where a row of a thread is, if the step changes nothing that it is a sum of.
    fn kept_row(&self, who: Who, row: &Row) -> Option<usize> {
        let (at, first) = match who {
            Who::Actor => self.threads[0],
            Who::Other(index) => self.threads[index],
            Who::Child => return None,
        };
        let is_written = row.terms.iter().any(|&(variable, _)| {
            let is_its = who == Who::Actor || self.space.place.contains_key(&variable);
            is_its && self.updated(variable).is_some()
        });
        let place = self.space.rows(at).position(|other| other == row).filter(|_| !is_written)?;
        Some(first + self.space.locals(at).len() + place)
    }

    /// A row of a thread behind the step, as a sum of what is computed; none if it is a sum of something that may be anything.
    fn new_row(&self, row: &Row, locals: &[(VariableId, Option<usize>)]) -> Option<Form> {
        row.form(&|variable| match self.space.place.get(&variable) {
            Some(&index) => Some(self.shared[index]),
            None => locals.iter().find(|(local, _)| *local == variable)?.1,
        })
    }

    /// What is known behind the step of some threads, all of them others: over what is common, and what each has. None if there is no
    /// such thread.
    pub(crate) fn of(&self, threads: &[Who]) -> Option<Product> {
        let common = self.space.common();
        let mut to: Vec<Option<usize>> = vec![None; self.element.dims()];
        self.shared.iter().enumerate().for_each(|(index, &place)| to[place] = Some(index));
        for index in 0..self.space.counters.len() {
            to[self.space.counter(index)] = Some(self.space.counter(index));
        }
        let (mut next, mut at, mut copies) = (common, Vec::new(), Vec::new());
        let (mut free, mut rows) = (Vec::new(), Vec::new());
        for &who in threads {
            let (here, places) = self.places(who)?;
            let locals: Vec<(VariableId, Option<usize>)> =
                self.space.locals(here).iter().copied().zip(places).collect();
            for &(variable, place) in &locals {
                match place {
                    Some(place) if to[place].is_none() => to[place] = Some(next),
                    Some(place) => copies.push((next, place)),
                    None => free.push((next, variable)),
                }
                next += 1;
            }
            for row in self.space.rows(here) {
                match self.kept_row(who, row) {
                    Some(place) => to[place] = Some(next),
                    None => rows.extend(self.new_row(row, &locals).map(|form| (next, form))),
                }
                next += 1;
            }
            at.push(here);
        }
        let mut known = self.with_rows(&rows, &mut to).remap(next, &to);
        // One value that goes to two places is equal there.
        for (dim, place) in copies {
            if let Some(other) = to[place] {
                known.assign(dim, &Form::variable(other));
            }
        }
        for (dim, variable) in free {
            Space::assume_typed(self.flow, &mut known, variable, dim);
        }
        if let [here] = at[..] {
            self.space.assume_rows(&mut known, here);
        }
        self.space.assume_counted(&mut known, &at);
        Some(known)
    }

    /// With rows computed beside the other values, which go to some places.
    fn with_rows(&self, rows: &[(usize, Form)], to: &mut Vec<Option<usize>>) -> Cow<'_, Product> {
        if rows.is_empty() {
            return Cow::Borrowed(&self.element);
        }
        let first = to.len();
        let same: Vec<Option<usize>> = (0..first).map(Some).collect();
        let mut element = self.element.remap(first + rows.len(), &same);
        for (index, (place, form)) in rows.iter().enumerate() {
            element.assign(first + index, form);
            to.push(Some(*place));
        }
        Cow::Owned(element)
    }
}

/// Adds what a constraint says, for the values of one dimension.
pub(crate) fn with(element: &Product, constraint: &Constraint) -> Option<Product> {
    let mut narrowed = element.clone();
    narrowed.guard(constraint);
    (!narrowed.is_empty()).then_some(narrowed)
}
