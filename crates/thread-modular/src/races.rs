//! Invariants against data races and deadlocks: that threads never stand both before conflicting accesses, that not all wait.
//!
//! With more and more counters, as for checks; but which accesses conflict is a matter of addresses and atomic blocks, and who may wait one
//! of all threads together, that the checker of certificates looks at more closely. So here only accesses to the same variable count, and
//! each claim that leaves none of these open is tried.

use std::collections::BTreeSet;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{Access, Flow, LocationId, TemplateId, VariableId};
use raddle_ir::Program;

use crate::counters::{self, Level};
use crate::found::Found;
use crate::space::Space;
use crate::steps::Step;
use crate::transfer::{self, Known};
use crate::{Claim, Effort, atoms, certify, fixpoint, meeting, relevance, steps};

/// What is to be shown of several threads together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// There are no data races.
    NoRace,
    /// There are no deadlocks.
    NoDeadlock,
}

/// What is left when no claim was accepted.
#[derive(Clone, Debug)]
pub enum Tried {
    /// A claim was accepted.
    Accepted,
    /// What these invariants do not show; none where claims were made and not accepted.
    Open(Option<String>),
}

/// An access that may race: where, to what, and whether it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Racing {
    at: (TemplateId, LocationId),
    variable: VariableId,
    writes: bool,
}

/// Looks for invariants that show something of several threads together, until one claim is accepted.
pub fn prove_together(
    program: &Program,
    flow: &mut Flow,
    goal: Goal,
    budget: &Budget,
    accepts: &mut dyn FnMut(Claim) -> bool,
) -> Result<Tried, Exhausted> {
    relevance::read_as_computed(flow);
    let matters = relevance::what_matters(flow);
    let all_steps = [false, true].map(|signs| steps::split(flow, &matters, signs));
    let racing = match goal {
        Goal::NoRace => racing(flow),
        Goal::NoDeadlock => Vec::new(),
    };
    let meeting = meeting::Meeting::new(flow);
    let mut open = None;
    let mut tried: Vec<Vec<counters::Counter>> = Vec::new();
    for signs in [false, true] {
        let steps = &all_steps[usize::from(signs)];
        let Some(atoms) = atoms::choose(flow, steps, signs) else { continue };
        tried.clear();
        let levels = [Level::None, Level::Contributions, Level::Passed, Level::All];
        for &level in &levels[usize::from(goal == Goal::NoDeadlock)..] {
            let counters = counters::derive_with_lives(flow, level);
            if tried.contains(&counters) {
                continue;
            }
            tried.push(counters.clone());
            let space = Space::new(flow, &matters, &counters, &atoms);
            let task = fixpoint::Task { flow, steps, space: &space, meeting: &meeting, sampling: None };
            let found = match fixpoint::find(&task, budget) {
                Ok(found) => found,
                Err(fixpoint::Stopped::TooMuch) => continue,
                Err(fixpoint::Stopped::Exhausted(why)) => return Err(why),
            };
            if let Some(check) = found.open_checks(flow, steps, &space).first() {
                open = Some(flow.checks[*check].message.claim());
                continue;
            }
            if let Some(variable) = open_race(flow, &space, &found, &racing, budget)? {
                let name = &flow.variables[variable].name;
                open = Some(format!("that threads do not access `{name}` at the same time"));
                continue;
            }
            let effort = Effort { level, counters: counters.len(), elements: found.computed, pairs: 0 };
            let certificate = certify::certificate(program, flow, &space, &meeting, &found);
            if accepts(Claim { certificate, effort }) {
                return Ok(Tried::Accepted);
            }
            open = None;
        }
    }
    Ok(Tried::Open(open))
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
            if transfer::after(flow, space, &stays, &[left, right], &[]).is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
