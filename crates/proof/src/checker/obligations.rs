//! What is shown: that invariants hold at first, that steps keep them, and that they leave no room for what must not happen.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{Point, Property, Site};
use raddle_logic::term::{Sort, TermId};
use raddle_verdict::proof::{self, Obligations};

use super::Refusal;
use super::axioms::Presence;
use super::beside;
use super::explore::Explorer;
use super::lives::NEVER;
use super::quantity::{Before, COUNTER_BITS, Formula, Moment, TALLY_BITS, Who};
use super::rounds::Derived;
use super::state::{Edge, Fork, Target};
use crate::certificate::{Constraint, Invariant, Object, Place, Quantity};

/// Which shared quantities something reads or changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    cells: BTreeSet<usize>,
    counters: BTreeSet<usize>,
    tallies: BTreeSet<usize>,
}

impl Touched {
    pub(super) fn of_invariant(invariant: &Invariant) -> Self {
        let mut touched = Self::default();
        for constraint in invariant.iter().flatten() {
            touched.add(constraint);
        }
        touched
    }

    fn add(&mut self, constraint: &Constraint) {
        for (_, reading) in &constraint.terms {
            match &reading.quantity {
                Quantity::Shared(cell) | Quantity::IsNonzero(cell) | Quantity::HeldByThread(cell) => {
                    self.cells.insert(*cell);
                }
                Quantity::Counter(counter) => {
                    self.counters.insert(*counter);
                }
                Quantity::Tally(tally) => {
                    self.tallies.insert(*tally);
                }
                Quantity::Register(..) | Quantity::Own(_) | Quantity::Identity | Quantity::IdentityOf(_) => {}
            }
        }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        !self.cells.is_disjoint(&other.cells)
            || !self.counters.is_disjoint(&other.counters)
            || !self.tallies.is_disjoint(&other.tallies)
    }
}

/// A step with the state behind it.
pub(super) struct Step {
    pub(super) from: usize,
    pub(super) edge: Edge,
    pub(super) after: Moment,
    pub(super) changes: Touched,
    /// What holds before it of the thread that makes it and of all that is shared, when it is made; and of what it changes.
    pub(super) before: Vec<TermId>,
}

/// What obligations are made with.
pub(super) struct Prover<'p> {
    pub(super) explorer: Explorer<'p>,
    pub(super) entries: Vec<usize>,
    pub(super) now: Moment,
    /// Of each location, its invariant as a term: of the thread that makes a step, of another one, of a third one.
    pub(super) acting: Vec<TermId>,
    pub(super) standing: Vec<Formula>,
    pub(super) third: Vec<TermId>,
}

/// Makes all obligations, and has each decided.
pub(super) fn show(derived: Derived<'_>, obligations: &mut Obligations<'_>) -> Result<(), Refusal> {
    let Derived { mut explorer, edges, checks, racing, waits, entries } = derived;
    explorer.beside = beside::beside_main(&explorer, &edges, entries[0]);
    explorer.started_before = beside::started_before(&edges, &entries);
    explorer.most_ids = beside::most_ids(&explorer, &edges, &checks);
    let certificate = explorer.certificate;
    let counters = (0..certificate.counters.len())
        .map(|index| explorer.terms.symbol(&format!("counter.{index}"), Sort::BitVec(COUNTER_BITS)))
        .collect();
    let tallies = (0..certificate.tallies.len())
        .map(|index| explorer.terms.symbol(&format!("tally.{index}"), Sort::BitVec(TALLY_BITS)))
        .collect();
    let now = Moment { shared: explorer.shared.clone(), counters, tallies, before: None };
    let (mut acting, mut standing, mut third) = (Vec::new(), Vec::new(), Vec::new());
    for location in 0..certificate.locations.len() {
        let formula = explorer.invariant(location, &now, Who::Actor)?;
        acting.push(explorer.term(&formula));
        standing.push(explorer.invariant(location, &now, Who::Other)?);
        let formula = explorer.invariant(location, &now, Who::Third)?;
        third.push(explorer.term(&formula));
    }
    let mut prover = Prover { explorer, entries, now, acting, standing, third };
    prover.show_initial(obligations)?;
    for (location, checks) in checks.iter().enumerate() {
        for check in checks {
            let mut parts = prover.before(
                location,
                &check.joins,
                &prover.explorer.first_started(location, &check.forks),
            )?;
            parts.extend(&check.guards);
            let what = || format!("that {}", check.what);
            prover.refute(obligations, &parts, what, check.at).map_err(|why| Refusal {
                other: check.other,
                missing: check.missing.clone(),
                ..why
            })?;
        }
    }
    let mut steps = Vec::new();
    for (from, edges) in edges.into_iter().enumerate() {
        for edge in edges {
            let step = prover.step(from, edge)?;
            // What cannot be done need not be looked at.
            if !obligations.is_refuted(&mut prover.explorer.terms, &step.before) {
                steps.push(step);
            }
        }
    }
    for step in &steps {
        prover.show_own(step, obligations)?;
        prover.show_creation(step, obligations)?;
    }
    for location in 0..certificate.locations.len() {
        prover.show_interference(location, &steps, obligations)?;
    }
    prover.show_pairs(&steps, obligations)?;
    if prover.explorer.asks_for_races() {
        prover.show_race_free(&racing, obligations)?;
    }
    if prover.explorer.asked.contains(&Property::Deadlock) {
        prover.show_deadlock_free(&waits, obligations)?;
    }
    Ok(())
}

/// What the followed cells hold at the start.
pub(super) fn initial_cells(explorer: &mut Explorer<'_>) -> Vec<TermId> {
    let mut shared = Vec::new();
    for (index, cell) in explorer.certificate.cells.iter().enumerate() {
        let initial = match &cell.object {
            Object::Global(global) => {
                let kind = explorer.facts.kind_of_cell(index);
                explorer.initial_value(*global, cell.offset, cell.bytes.into(), kind)
            }
            Object::Made { .. } => None,
            Object::Life(_) => Some(explorer.terms.bits(NEVER, 8)),
        };
        shared.push(initial.unwrap_or(explorer.shared[index]));
    }
    shared
}

impl Prover<'_> {
    /// The parts must have no model; if they have one, this is where.
    pub(super) fn refute(
        &mut self,
        obligations: &mut Obligations<'_>,
        parts: &[TermId],
        what: impl FnOnce() -> String,
        at: Span,
    ) -> Result<(), Refusal> {
        obligations
            .refute(&mut self.explorer.terms, parts, what)
            .map_err(|why: proof::Rejected| Refusal::new(why.to_string(), at))
    }

    /// What must hold does not.
    pub(super) fn fails(&mut self, parts: &[TermId]) -> TermId {
        let all = self.explorer.terms.and_all(parts.iter().copied());
        self.explorer.terms.not(all)
    }

    /// What holds before a step of a thread at a location, while others stand where they stand.
    pub(super) fn before(
        &mut self,
        location: usize,
        joins: &[TermId],
        forks: &[Fork],
    ) -> Result<Vec<TermId>, Refusal> {
        let now = self.now.clone();
        let template = self.explorer.certificate.locations[location].template;
        let mut parts = vec![self.acting[location]];
        let me = Presence { location, who: Who::Actor };
        parts.extend(self.explorer.counter_axioms(&now, &[me]));
        let id = self.explorer.identity(template, Who::Actor);
        let mut threads = vec![(template, id)];
        parts.extend(self.explorer.join_axioms(joins, &now, &threads));
        threads.extend(forks.iter().map(|fork| (fork.starts, fork.id)));
        parts.extend(self.explorer.identity_axioms(&threads));
        parts.extend(self.explorer.order_axioms(location, forks));
        Ok(parts)
    }

    /// What holds in addition while another thread stands somewhere.
    pub(super) fn with_other(&mut self, step: &Step, other: Presence<'_>) -> Result<Vec<TermId>, Refusal> {
        let now = self.now.clone();
        let certificate = self.explorer.certificate;
        let me = Presence { location: step.from, who: Who::Actor };
        let mut parts = self.explorer.counter_axioms(&now, &[me, other]);
        let (mine, theirs) =
            (certificate.locations[step.from].template, certificate.locations[other.location].template);
        let id = self.explorer.identity(theirs, other.who);
        parts.extend(self.explorer.join_axioms(&step.edge.end.joins, &now, &[(theirs, id)]));
        let mut threads = vec![(mine, self.explorer.identity(mine, Who::Actor)), (theirs, id)];
        threads.extend(step.edge.end.forks.iter().map(|fork| (fork.starts, fork.id)));
        parts.extend(self.explorer.identity_axioms(&threads));
        parts.extend(self.pair_holds(me, other, &now)?);
        Ok(parts)
    }

    /// Whether a thread may make a step while another one stands at a location.
    pub(super) fn may_meet(&self, from: usize, location: usize) -> bool {
        let locations = &self.explorer.certificate.locations;
        let (actor, other) = (locations[from].template, locations[location].template);
        actor != other || !self.explorer.facts.single[actor]
    }

    fn step(&mut self, from: usize, edge: Edge) -> Result<Step, Refusal> {
        let certificate = self.explorer.certificate;
        let template = certificate.locations[from].template;
        let to = match edge.to {
            Target::At(to) => Place::At(to),
            Target::Ended => Place::Ended(template),
            Target::Stuck => Place::Stuck(template),
        };
        let mut after = Moment { shared: edge.end.shared.clone(), ..self.now.clone() };
        let mut changes = Touched::default();
        let mut counter_changes = vec![0; certificate.counters.len()];
        for (index, counter) in certificate.counters.iter().enumerate() {
            let is_member = |place: Place| i128::from(counter.members.contains(&place));
            let started: i128 =
                edge.end.forks.iter().map(|fork| is_member(Place::At(self.entries[fork.starts]))).sum();
            let change = is_member(to) - is_member(Place::At(from)) + started;
            counter_changes[index] = change;
            if change != 0 {
                let terms = &mut self.explorer.terms;
                let change = terms.signed_bits(change, COUNTER_BITS);
                after.counters[index] = terms.add(self.now.counters[index], change);
                changes.counters.insert(index);
            }
        }
        for (index, &times) in edge.end.tallies.iter().enumerate() {
            if times > 0 {
                let terms = &mut self.explorer.terms;
                let times = terms.bits(times.into(), TALLY_BITS);
                after.tallies[index] = terms.add(self.now.tallies[index], times);
                changes.tallies.insert(index);
            }
        }
        after.before = Some(Before {
            now: Rc::new(self.now.clone()),
            counters: counter_changes,
            tallies: edge.end.tallies.iter().map(|&times| times.into()).collect(),
        });
        changes.cells =
            (0..after.shared.len()).filter(|&cell| after.shared[cell] != self.now.shared[cell]).collect();
        let mut before = self.before(from, &edge.end.joins, &edge.end.forks)?;
        before.extend(&edge.end.guards);
        let there: Vec<Presence<'_>> = match edge.to {
            Target::At(location) => vec![Presence { location, who: Who::Actor }],
            Target::Ended | Target::Stuck => Vec::new(),
        };
        before.extend(self.explorer.counter_axioms(&after, &there));
        Ok(Step { from, edge, after, changes, before })
    }

    fn show_initial(&mut self, obligations: &mut Obligations<'_>) -> Result<(), Refusal> {
        let certificate = self.explorer.certificate;
        let entry = self.entries[0];
        let shared = initial_cells(&mut self.explorer);
        let count = |terms: &mut raddle_logic::term::Terms, number: bool| {
            terms.bits(u128::from(number), COUNTER_BITS)
        };
        let zero = self.explorer.terms.bits(0, TALLY_BITS);
        let terms = &mut self.explorer.terms;
        let counters = (certificate.counters.iter())
            .map(|counter| count(terms, counter.members.contains(&Place::At(entry))))
            .collect();
        let tallies = certificate.tallies.iter().map(|_| zero).collect();
        let first = Moment { shared, counters, tallies, before: None };
        let (argument, id) = (terms.bool(false), terms.bits(0, 32));
        let who = Who::Born { argument, id };
        let formula = self.explorer.invariant(entry, &first, who)?;
        let mut wanted = vec![self.explorer.term(&formula)];
        wanted.extend(self.explorer.known_values(entry, who)?);
        let fails = self.fails(&wanted);
        let (what, at) = self.at(entry);
        let what = || format!("that the invariant at {what} holds at the start");
        self.refute(obligations, &[fails], what, at)
    }

    /// The thread that makes a step comes to where the invariant holds.
    fn show_own(&mut self, step: &Step, obligations: &mut Obligations<'_>) -> Result<(), Refusal> {
        let Target::At(to) = step.edge.to else { return Ok(()) };
        let who = Who::After(&step.edge.end);
        let formula = self.explorer.invariant(to, &step.after, who)?;
        let mut wanted = vec![self.explorer.term(&formula)];
        wanted.extend(self.explorer.known_values(to, who)?);
        let fails = self.fails(&wanted);
        let mut parts = step.before.clone();
        parts.push(fails);
        let ((from, _), (to, at)) = (self.at(step.from), self.at(to));
        let what = || format!("that the step from {from} establishes the invariant at {to}");
        self.refute(obligations, &parts, what, at).map_err(|why| why.with(step.edge.span))
    }

    /// The threads that a step starts begin where the invariant holds.
    fn show_creation(&mut self, step: &Step, obligations: &mut Obligations<'_>) -> Result<(), Refusal> {
        for fork in &step.edge.end.forks {
            let entry = self.entries[fork.starts];
            let who = Who::Born { argument: fork.argument, id: fork.id };
            let formula = self.explorer.invariant(entry, &step.after, who)?;
            let mut wanted = vec![self.explorer.term(&formula)];
            wanted.extend(self.explorer.known_values(entry, who)?);
            let fails = self.fails(&wanted);
            let mut parts = step.before.clone();
            parts.push(fails);
            let ((from, _), (to, at)) = (self.at(step.from), self.at(entry));
            let what = || {
                format!("that the invariant at {to} holds when the thread is started by the step from {from}")
            };
            self.refute(obligations, &parts, what, at).map_err(|why| why.with(step.edge.span))?;
        }
        Ok(())
    }

    /// Steps of others keep the invariant of a thread that stands at a location. A step that changes nothing that the invariant reads
    /// keeps it: what the thread has of its own no other thread can change.
    fn show_interference(
        &mut self,
        location: usize,
        steps: &[Step],
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let certificate = self.explorer.certificate;
        let invariant = &certificate.locations[location].invariant;
        let parts: Vec<Touched> = (invariant.iter())
            .map(|conjunction| {
                let mut touched = Touched::default();
                conjunction.iter().for_each(|constraint| touched.add(constraint));
                touched
            })
            .collect();
        for step in steps {
            if !self.may_meet(step.from, location) || !parts.iter().any(|part| part.meets(&step.changes)) {
                continue;
            }
            let after = self.explorer.invariant(location, &step.after, Who::Other)?;
            // A disjunct that the step does not change stays true if it was: only the others matter before.
            let (mut was, mut is) = (Vec::new(), Vec::new());
            for (index, (old, new)) in self.standing[location].clone().into_iter().zip(after).enumerate() {
                if parts[index].meets(&step.changes) && old != new {
                    was.push(old.clone());
                }
                is.push(new);
            }
            if was.is_empty() {
                continue;
            }
            // What was known of the only disjunct and is not changed need not be shown.
            if let ([old], [new]) = (was.as_slice(), is.as_mut_slice()) {
                new.retain(|part| !old.contains(part));
            }
            let other = Presence { location, who: Who::Other };
            let mut parts = step.before.clone();
            parts.push(self.explorer.term(&was));
            parts.extend(self.with_other(step, other)?);
            let kept = self.explorer.term(&is);
            parts.push(self.explorer.terms.not(kept));
            let ((here, at), (there, _)) = (self.at(location), self.at(step.from));
            let what = || {
                format!(
                    "that the invariant at {here} is kept when another thread makes the step from {there}"
                )
            };
            self.refute(obligations, &parts, what, at).map_err(|why| why.with(step.edge.span))?;
        }
        Ok(())
    }

    /// A location for people, and where it is: in a model, where the program calls it.
    pub(super) fn at(&self, location: usize) -> (String, Span) {
        let Point { frame, site } = &self.explorer.certificate.locations[location].point;
        let is_model = |site: &&Site| self.explorer.program.functions[site.function].model;
        let calls = || frame.iter().rev().find(|site| !is_model(site));
        let site = if is_model(&site) { calls().unwrap_or(site) } else { site };
        let function = &self.explorer.program.functions[site.function];
        let block = &function.blocks[site.block];
        let span = block.insts.get(site.index).map_or(block.span, |inst| inst.span);
        (format!("`{}` {}:{}", function.name, site.block, site.index), span)
    }
}

impl Refusal {
    pub(super) fn with(self, other: Span) -> Self {
        Self { other: Some(other), ..self }
    }
}
