//! Which dimension of an element is what.
//!
//! An element of a location has dimensions for shared variables, then counters, then the thread's variables that are live there, then rows: sums of
//! these. Two threads together have those of the one after those of the other, and no rows.

use std::collections::BTreeSet;

use raddle_base::Id as _;
use raddle_domains::{Constraint, Domain as _, Form, Interval, Product};
use raddle_flow::{Flow, LocationId, LocationKind, Storage, TemplateId, Variable, VariableId};
use rustc_hash::FxHashMap;

use crate::atoms::Atoms;
use crate::counters::Counter;
use crate::linear::{numeric, range};
use crate::rows::Row;
use crate::steps::Step;

/// The dimensions of all locations.
#[derive(Debug)]
pub(crate) struct Space<'s> {
    /// Shared variables that are numbers.
    pub shared: Vec<VariableId>,
    /// Where each of them is.
    pub place: FxHashMap<VariableId, usize>,
    /// Numbers of threads.
    pub counters: &'s [Counter],
    /// By what states are partitioned.
    pub atoms: &'s Atoms,
    /// Own variables that are numbers, of each location of each template.
    locals: Vec<Vec<Vec<VariableId>>>,
    /// Sums that have dimensions of their own.
    list: &'s [Row],
    /// Which of them, at each location of each template.
    rows: Vec<Vec<Vec<usize>>>,
    /// Own variables with few values.
    few: &'s [(VariableId, Vec<i128>)],
    /// Counters all of whose members are of one single template.
    single: Vec<bool>,
}

impl<'s> Space<'s> {
    pub(crate) fn new(
        flow: &Flow,
        matters: &BTreeSet<VariableId>,
        counters: &'s [Counter],
        atoms: &'s Atoms,
        list: &'s [Row],
        few: &'s [(VariableId, Vec<i128>)],
    ) -> Self {
        let is_number = |id: VariableId| matters.contains(&id) && numeric(flow.variables[id].sort).is_some();
        let shared: Vec<VariableId> =
            flow.variables.ids().filter(|&id| flow.variables[id].owner.is_none() && is_number(id)).collect();
        let place = shared.iter().enumerate().map(|(index, &id)| (id, index)).collect();
        let of = |location: &raddle_flow::Location| {
            location.live.iter().copied().filter(|&id| is_number(id)).collect()
        };
        let locals: Vec<Vec<Vec<VariableId>>> =
            flow.templates.values().map(|template| template.locations.values().map(of).collect()).collect();
        let single = counters
            .iter()
            .map(|counter| {
                let templates: BTreeSet<TemplateId> =
                    counter.members.iter().map(|(template, _)| *template).collect();
                templates.len() == 1 && templates.iter().all(|&template| flow.templates[template].is_single)
            })
            .collect();
        let mut space = Self { shared, place, counters, atoms, locals, list, rows: Vec::new(), few, single };
        space.rows = (flow.templates.iter())
            .map(|(id, template)| template.locations.ids().map(|at| space.rows_that_fit((id, at))).collect())
            .collect();
        space
    }

    fn rows_that_fit(&self, at: (TemplateId, LocationId)) -> Vec<usize> {
        (0..self.list.len()).filter(|&row| self.row_form(row, at).is_some()).collect()
    }

    /// A row as a sum of other dimensions of a location; none if there is one that the location does not have.
    fn row_form(&self, row: usize, at: (TemplateId, LocationId)) -> Option<Form> {
        let own = |variable| self.locals(at).iter().position(|&local| local == variable);
        let place = |variable| {
            self.place.get(&variable).copied().or_else(|| own(variable).map(|index| self.common() + index))
        };
        self.list[row].form(&place)
    }

    /// The rows of a location: their dimensions are behind those of own variables.
    pub(crate) fn rows(&self, at: (TemplateId, LocationId)) -> impl Iterator<Item = &Row> {
        self.rows[at.0.index()][at.1.index()].iter().map(|&row| &self.list[row])
    }

    /// The dimension of a row, if a location has it.
    pub(crate) fn row_place(&self, row: usize, at: (TemplateId, LocationId)) -> Option<usize> {
        let place = self.rows[at.0.index()][at.1.index()].iter().position(|&other| other == row)?;
        Some(self.common() + self.locals(at).len() + place)
    }

    /// The rows of a location as sums of other dimensions, with their dimensions.
    pub(crate) fn row_forms(&self, at: (TemplateId, LocationId)) -> impl Iterator<Item = (usize, Form)> {
        let first = self.common() + self.locals(at).len();
        let rows = self.rows[at.0.index()][at.1.index()].iter().enumerate();
        rows.filter_map(move |(index, &row)| Some((first + index, self.row_form(row, at)?)))
    }

    /// The own variables of a location that have few values, as dimensions behind `first`, with these.
    pub(crate) fn few(
        &self,
        at: (TemplateId, LocationId),
        first: usize,
    ) -> impl Iterator<Item = (usize, &'s [i128])> {
        let place = move |id: VariableId| self.locals(at).iter().position(|&local| local == id);
        self.few.iter().filter_map(move |(id, values)| Some((first + place(*id)?, values.as_slice())))
    }

    /// Variables with few values are between two of these.
    pub(crate) fn assume_few(&self, element: &mut Product, at: (TemplateId, LocationId), first: usize) {
        for (dim, values) in self.few(at, first) {
            let bounds = element.bounds(&Form::variable(dim));
            let inside = || values.iter().copied().filter(|&value| bounds.includes(Interval::only(value)));
            match (inside().next(), inside().next_back()) {
                (Some(low), Some(high)) => assume_between(element, dim, Interval::between(low, high)),
                (_, _) => element.guard(&Constraint::equal(Form::constant(1))),
            }
        }
    }

    /// Rows are what they stand for.
    pub(crate) fn assume_rows(&self, element: &mut Product, at: (TemplateId, LocationId)) {
        for (dim, form) in self.row_forms(at) {
            let form = form.plus(&Form::variable(dim), -1).map(Constraint::equal);
            form.into_iter().for_each(|constraint| element.guard(&constraint));
        }
    }

    /// How many dimensions all locations have.
    pub(crate) fn common(&self) -> usize {
        self.shared.len() + self.counters.len()
    }

    /// Own variables at a location, in the order of their dimensions.
    pub(crate) fn locals(&self, (template, location): (TemplateId, LocationId)) -> &[VariableId] {
        &self.locals[template.index()][location.index()]
    }

    /// How many dimensions a location has beside those that all have.
    pub(crate) fn own(&self, at: (TemplateId, LocationId)) -> usize {
        self.locals(at).len() + self.rows[at.0.index()][at.1.index()].len()
    }

    /// The dimensions of an element.
    pub(crate) fn dims(&self, at: (TemplateId, LocationId)) -> usize {
        self.common() + self.own(at)
    }

    /// The dimension of a counter.
    pub(crate) fn counter(&self, index: usize) -> usize {
        self.shared.len() + index
    }

    /// By how much a step changes each counter, where it does.
    pub(crate) fn changes(&self, flow: &Flow, step: &Step) -> Vec<(usize, i128)> {
        let change = |counter: &Counter| {
            let is_member = |at| i128::from(counter.members.contains(&at));
            let spawned = step
                .spawn
                .as_ref()
                .map_or(0, |(template, _, _)| is_member((*template, flow.templates[*template].entry)));
            is_member((step.template, step.to)) - is_member((step.template, step.from)) + spawned
        };
        self.counters
            .iter()
            .enumerate()
            .map(|(index, counter)| (index, change(counter)))
            .filter(|(_, change)| *change != 0)
            .collect()
    }

    /// What holds of counters while threads stand at these locations.
    pub(crate) fn assume_counted(&self, element: &mut Product, at: &[(TemplateId, LocationId)]) {
        for (index, counter) in self.counters.iter().enumerate() {
            let form = Form::variable(self.counter(index));
            let least = at.iter().filter(|at| counter.members.contains(at)).count() as i128;
            let above = Form::constant(least).plus(&form, -1);
            let below = if self.single[index] { form.plus_constant(-1) } else { None };
            above.into_iter().chain(below).for_each(|form| element.guard(&Constraint::at_most_zero(form)));
        }
    }

    /// What holds of counters where the only thread of a template was waited for.
    pub(crate) fn assume_joined(&self, flow: &Flow, element: &mut Product, joined: TemplateId) {
        let is_end = |(template, location): &(TemplateId, LocationId)| {
            flow.templates[*template].locations[*location].kind == LocationKind::Ended
        };
        for (index, counter) in self.counters.iter().enumerate() {
            let is_its = counter.members.first().is_some_and(|(template, _)| *template == joined);
            if self.single[index] && is_its {
                let ended = i128::from(counter.members.iter().any(is_end));
                let form = Form::variable(self.counter(index)).plus_constant(-ended);
                form.into_iter().for_each(|form| element.guard(&Constraint::equal(form)));
            }
        }
    }

    /// A variable has a value of its type.
    pub(crate) fn assume_typed(flow: &Flow, element: &mut Product, variable: VariableId, dim: usize) {
        let interval = values(&flow.variables[variable]);
        assume_between(element, dim, interval);
    }
}

/// The values that a variable can have. No thread has the largest number as its id.
pub(crate) fn values(variable: &Variable) -> Interval {
    let values = numeric(variable.sort).map_or(Interval::ALL, |width| range(width, variable.signed));
    match variable.storage {
        Storage::Identity => Interval { high: values.high.map(|high| high - 1), ..values },
        Storage::Cell { .. } | Storage::Elements { .. } | Storage::Register { .. } => values,
    }
}

/// A dimension is between two numbers.
pub(crate) fn assume_between(element: &mut Product, dim: usize, interval: Interval) {
    let form = Form::variable(dim);
    let low = interval.low.and_then(|low| Form::constant(low).plus(&form, -1));
    let high = interval.high.and_then(|high| form.plus(&Form::constant(high), -1));
    low.into_iter().chain(high).for_each(|form| element.guard(&Constraint::at_most_zero(form)));
}
