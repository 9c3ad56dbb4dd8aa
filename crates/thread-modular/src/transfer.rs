//! What a step makes of what is known: of the thread that steps, of one that it starts, and of another one.
//!
//! Before the step, what is known of the two threads is met (they share memory and counters), with what always holds of counters and ids. So
//! a step that cannot be made while the other thread stands where it does is known to be impossible. Steps write all at once: new values are computed
//! beside the old ones.

use raddle_domains::{Constraint, Domain as _, Form, Interval, Product};
use raddle_flow::{Flow, LocationId, TemplateId, VariableId};
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use crate::linear::{Dim, Reader, numeric, range};
use crate::space::{Space, assume_between};
use crate::steps::Step;

/// A thread at a location, and what is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'k> {
    pub at: (TemplateId, LocationId),
    pub element: &'k Product,
}

/// What is known after a step.
#[derive(Debug)]
pub(crate) struct After {
    /// At the location that the thread goes to; none if nothing is to be known there.
    pub own: Product,
    /// Of the thread that was started, at its entry.
    pub child: Option<Product>,
}

/// A step at work: an element with dimensions for all that takes part.
struct Work<'w> {
    flow: &'w Flow,
    space: &'w Space<'w>,
    step: &'w Step,
    element: Product,
    dims: FxHashMap<TermId, Dim>,
    /// Where the victim's variables begin, and how many there are.
    victim: (usize, usize),
    /// Where new values begin.
    primes: usize,
}

/// What is known after a thread steps; none if it cannot.
pub(crate) fn own(flow: &Flow, space: &Space<'_>, step: &Step, actor: Known<'_>) -> Option<After> {
    let mut work = Work::new(flow, space, step, actor, None);
    if !work.guard() {
        return None;
    }
    Some(work.finish_own())
}

/// Whether a step can be made, as far as is known.
pub(crate) fn may_step(flow: &Flow, space: &Space<'_>, step: &Step, actor: Known<'_>) -> bool {
    Work::new(flow, space, step, actor, None).guard()
}

/// What is known of a thread after another one steps; none if that one cannot.
pub(crate) fn interference(
    flow: &Flow,
    space: &Space<'_>,
    step: &Step,
    actor: Known<'_>,
    victim: Known<'_>,
) -> Option<Product> {
    let mut work = Work::new(flow, space, step, actor, Some(victim));
    if work.same_id(actor.at, victim.at) || !work.guard() {
        return None;
    }
    Some(work.finish_victim(victim.at))
}

impl<'w> Work<'w> {
    fn new(
        flow: &'w Flow,
        space: &'w Space<'w>,
        step: &'w Step,
        actor: Known<'_>,
        victim: Option<Known<'_>>,
    ) -> Self {
        let common = space.common();
        let own = space.locals(actor.at).len();
        let others = victim.map_or(0, |victim| space.locals(victim.at).len());
        let inputs: Vec<(TermId, u32)> =
            step.inputs.iter().filter_map(|&input| Some((input, numeric(flow.terms.sort(input))?))).collect();
        let spawned = step.spawn.as_ref().map_or(0, |(_, _, values)| values.len());
        let primes = common + own + others + inputs.len();
        let total = primes + step.updates.len() + spawned;
        let place = |offset: usize, count: usize| -> Vec<Option<usize>> {
            (0..common).chain(common + offset..common + offset + count).map(Some).collect()
        };
        let mut element = actor.element.remap(total, &place(0, own));
        if let Some(victim) = victim {
            element = element.meet(&victim.element.remap(total, &place(own, others)));
        }
        let mut dims = FxHashMap::default();
        let own_variables = space.locals(actor.at).iter().enumerate().map(|(index, id)| (common + index, id));
        for (index, &id) in space.shared.iter().enumerate().chain(own_variables) {
            let variable = &flow.variables[id];
            dims.insert(variable.now, Dim { index });
        }
        for (index, (input, width)) in inputs.into_iter().enumerate() {
            let index = common + own + others + index;
            dims.insert(input, Dim { index });
            let is_started = step.spawn.as_ref().is_some_and(|(_, id, _)| *id == input);
            let most = step.most_id.filter(|_| is_started);
            let range = match most {
                Some(most) => Interval { low: Some(1), high: Some(most) },
                None => range(width, width > 1),
            };
            assume_between(&mut element, index, range);
        }
        let at: Vec<(TemplateId, LocationId)> =
            std::iter::once(actor.at).chain(victim.map(|victim| victim.at)).collect();
        space.assume_counted(&mut element, &at);
        if let Some(joined) = step.joined {
            space.assume_joined(flow, &mut element, joined);
        }
        Self { flow, space, step, element, dims, victim: (common + own, others), primes }
    }

    /// Whether the two threads would have one id: no two threads have.
    fn same_id(&self, actor: (TemplateId, LocationId), victim: (TemplateId, LocationId)) -> bool {
        let place = |at: (TemplateId, LocationId), offset: usize| {
            let identity = self.flow.templates[at.0].identity;
            let index = self.space.locals(at).iter().position(|&id| id == identity)?;
            Some(offset + index)
        };
        let (own, its) = (place(actor, self.space.common()), place(victim, self.victim.0));
        let difference =
            own.zip(its).and_then(|(own, its)| Form::variable(own).plus(&Form::variable(its), -1));
        difference.is_some_and(|difference| self.element.bounds(&difference) == Interval::only(0))
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
                    Reader { terms: &self.flow.terms, dims: &self.dims, bounds: &bounds }.constraints(guard)
                };
                constraints.iter().for_each(|constraint| self.element.guard(constraint));
            }
        }
        !self.element.is_empty()
    }

    /// Computes a new value beside the old ones.
    fn compute(&mut self, prime: usize, variable: VariableId, value: TermId) {
        let variable = &self.flow.variables[variable];
        let Some(width) = numeric(variable.sort) else { return };
        let (form, bounds) = {
            let bounds = |form: &Form| self.element.bounds(form);
            let reader = Reader { terms: &self.flow.terms, dims: &self.dims, bounds: &bounds };
            (reader.form(value, variable.signed), reader.bounds(value, variable.signed))
        };
        match form {
            Some(form) => self.element.assign(prime, &form),
            None => assume_between(&mut self.element, prime, bounds.meet(range(width, variable.signed))),
        }
    }

    /// Computes all new values. The place of each shared variable afterwards.
    fn write_shared(&mut self) -> Vec<usize> {
        for (index, &(variable, value)) in self.step.updates.iter().enumerate() {
            self.compute(self.primes + index, variable, value);
        }
        for (index, change) in self.space.changes(self.flow, self.step) {
            let dim = self.space.counter(index);
            if let Some(form) = Form::variable(dim).plus_constant(change) {
                self.element.assign(dim, &form);
            }
        }
        let shared = self.space.shared.iter().enumerate();
        shared.map(|(index, &variable)| self.updated(variable).unwrap_or(index)).collect()
    }

    /// Where the new value of a variable is, if the step writes it.
    fn updated(&self, variable: VariableId) -> Option<usize> {
        self.step.updates.iter().rposition(|(other, _)| *other == variable).map(|index| self.primes + index)
    }

    /// The element with other dimensions: common ones, and these, which come from the places here.
    fn project(&self, shared: &[usize], locals: &[Option<usize>]) -> Product {
        let common = self.space.common();
        let mut to: Vec<Option<usize>> = vec![None; self.element.dims()];
        shared.iter().enumerate().for_each(|(index, &place)| to[place] = Some(index));
        for index in 0..self.space.counters.len() {
            to[self.space.counter(index)] = Some(self.space.counter(index));
        }
        for (index, &place) in locals.iter().enumerate() {
            if let Some(place) = place {
                to[place] = Some(common + index);
            }
        }
        self.element.remap(common + locals.len(), &to)
    }

    fn finish_own(mut self) -> After {
        let shared = self.write_shared();
        let child = self
            .step
            .spawn
            .as_ref()
            .map(|(template, id, values)| self.start(*template, *id, values, &shared));
        let (from, to) = ((self.step.template, self.step.from), (self.step.template, self.step.to));
        let place = |variable: &VariableId| {
            let before = self.space.locals(from).iter().position(|other| other == variable);
            self.updated(*variable).or_else(|| before.map(|index| self.space.common() + index))
        };
        let locals: Vec<Option<usize>> = self.space.locals(to).iter().map(place).collect();
        let mut own = self.project(&shared, &locals);
        self.assume_typed(&mut own, self.space.locals(to), &locals);
        self.space.assume_counted(&mut own, &[to]);
        After { own, child }
    }

    /// What is known of a thread that was started.
    fn start(
        &mut self,
        template: TemplateId,
        id: TermId,
        values: &[(VariableId, TermId)],
        shared: &[usize],
    ) -> Product {
        let first = self.primes + self.step.updates.len();
        for (index, &(variable, value)) in values.iter().enumerate() {
            self.compute(first + index, variable, value);
        }
        let at = (template, self.flow.templates[template].entry);
        let identity = self.flow.templates[template].identity;
        let place = |variable: &VariableId| {
            let given = values.iter().position(|(other, _)| other == variable).map(|index| first + index);
            given.or_else(|| {
                let own = (*variable == identity).then(|| self.dims.get(&id));
                own.flatten().map(|dim| dim.index)
            })
        };
        let locals: Vec<Option<usize>> = self.space.locals(at).iter().map(place).collect();
        let mut child = self.project(shared, &locals);
        self.assume_typed(&mut child, self.space.locals(at), &locals);
        self.space.assume_counted(&mut child, &[at]);
        child
    }

    /// Variables that came from nowhere have some value of their types.
    fn assume_typed(&self, element: &mut Product, variables: &[VariableId], places: &[Option<usize>]) {
        for (index, (&variable, place)) in variables.iter().zip(places).enumerate() {
            if place.is_none() {
                Space::assume_typed(self.flow, element, variable, self.space.common() + index);
            }
        }
    }

    fn finish_victim(mut self, at: (TemplateId, LocationId)) -> Product {
        let shared = self.write_shared();
        let (first, count) = self.victim;
        let locals: Vec<Option<usize>> = (first..first + count).map(Some).collect();
        let mut after = self.project(&shared, &locals);
        self.space.assume_counted(&mut after, &[at]);
        after
    }
}

/// Adds what a constraint says, for the values of one dimension.
pub(crate) fn with(element: &Product, constraint: &Constraint) -> Option<Product> {
    let mut narrowed = element.clone();
    narrowed.guard(constraint);
    (!narrowed.is_empty()).then_some(narrowed)
}
