//! Invariants against data races: that threads never stand both before conflicting accesses.
//!
//! With more and more counters, as for checks; but which accesses conflict is a matter of addresses and atomic blocks that the checker of
//! certificates looks at more closely. So here only accesses to the same variable count, and each claim that leaves none of
//! these open is tried.

use std::collections::BTreeSet;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{Access, Flow, LocationId, TemplateId, VariableId};
use raddle_ir::Program;

use crate::counters::{self, Level};
use crate::fixpoint::Found;
use crate::space::Space;
use crate::steps::Step;
use crate::transfer::{self, Known};
use crate::{Claim, Effort, atoms, certify, fixpoint, relevance, steps};

/// What is left when no claim was accepted.
#[derive(Clone, Debug)]
pub enum Races {
    /// A claim was accepted.
    Accepted,
    /// As far as these invariants go two threads may access this at the same time, by name; none where claims were made and not accepted.
    Open(Option<String>),
}

/// An access that may race: where, to what, and whether it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Racing {
    at: (TemplateId, LocationId),
    variable: VariableId,
    writes: bool,
}

/// Looks for invariants that show that there are no data races, until one claim is accepted.
pub fn prove_race_free(
    program: &Program,
    flow: &mut Flow,
    budget: &Budget,
    accepts: &mut dyn FnMut(Claim) -> bool,
) -> Result<Races, Exhausted> {
    let matters = relevance::what_matters(flow);
    let all_steps = [false, true].map(|signs| steps::split(flow, &matters, signs));
    let racing = racing(flow);
    let mut open = None;
    let mut tried: Vec<Vec<counters::Counter>> = Vec::new();
    for signs in [false, true] {
        let steps = &all_steps[usize::from(signs)];
        let Some(atoms) = atoms::choose(flow, steps, signs) else { continue };
        tried.clear();
        for level in [Level::None, Level::Contributions, Level::Passed, Level::All] {
            let counters = counters::derive_with_lives(flow, level);
            if tried.contains(&counters) {
                continue;
            }
            tried.push(counters.clone());
            let space = Space::new(flow, &matters, &counters, &atoms);
            let found = fixpoint::find(flow, steps, &space, budget)?;
            if let Some(check) = found.open_checks(flow, steps, &space).first() {
                open = Some(flow.checks[*check].message.claim());
                continue;
            }
            if let Some(variable) = open_race(flow, &space, &found, &racing, budget)? {
                open = Some(flow.variables[variable].name.clone());
                continue;
            }
            let effort = Effort { level, counters: counters.len(), elements: found.computed };
            let certificate = certify::certificate(program, flow, &space, &found);
            if accepts(Claim { certificate, effort }) {
                return Ok(Races::Accepted);
            }
            open = None;
        }
    }
    Ok(Races::Open(open))
}

/// The accesses that may race.
fn racing(flow: &Flow) -> Vec<Racing> {
    let mut all = BTreeSet::new();
    for (template, edge) in
        flow.templates.iter().flat_map(|(id, it)| it.edges.iter().map(move |edge| (id, edge)))
    {
        let plain = edge.accesses.iter().filter(|access| !access.is_atomic);
        all.extend(plain.filter_map(|&Access { variable, writes, .. }| {
            Some(Racing { at: (template, edge.from), variable: variable?, writes })
        }));
    }
    all.into_iter().collect()
}

/// A variable that two threads may be about to access at the same time, and one writes it.
fn open_race(
    flow: &Flow,
    space: &Space<'_>,
    found: &Found,
    racing: &[Racing],
    budget: &Budget,
) -> Result<Option<VariableId>, Exhausted> {
    let mut apart = BTreeSet::new();
    for (index, one) in racing.iter().enumerate() {
        for other in &racing[index..] {
            let conflicts = one.variable == other.variable && (one.writes || other.writes);
            let is_one = one.at.0 == other.at.0 && flow.templates[one.at.0].is_single;
            if !conflicts || is_one || apart.contains(&(one.at, other.at)) || is_alone(flow, one.at, other.at)
            {
                continue;
            }
            if may_meet(flow, space, found, (one.at, other.at), budget)? {
                return Ok(Some(one.variable));
            }
            apart.insert((one.at, other.at));
        }
    }
    Ok(None)
}

/// Whether one of the locations is of the main thread before any other one is started.
fn is_alone(flow: &Flow, one: (TemplateId, LocationId), other: (TemplateId, LocationId)) -> bool {
    let main = flow.templates.ids().next();
    let is_before = |at: (TemplateId, LocationId)| Some(at.0) == main && counters::stands_alone(flow, at.1);
    is_before(one) || is_before(other)
}

/// Whether two different threads may stand at two locations, as far as is known.
pub(crate) fn may_meet(
    flow: &Flow,
    space: &Space<'_>,
    found: &Found,
    (one, other): ((TemplateId, LocationId), (TemplateId, LocationId)),
    budget: &Budget,
) -> Result<bool, Exhausted> {
    /// Units of work for two elements.
    const COST: u32 = 100;
    let stays = Step::stays(one);
    for left in found.elements(one) {
        for right in found.elements(other) {
            budget.spend(COST)?;
            let (left, right) = (Known { at: one, element: left }, Known { at: other, element: right });
            if transfer::interference(flow, space, &stays, left, right).is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
