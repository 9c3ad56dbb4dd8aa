//! Invariants against data races and deadlocks: that threads never stand both before conflicting accesses, that not all wait.
//!
//! With more and more counters, as for checks; but which accesses conflict is a matter of addresses and atomic blocks, and who may wait one
//! of all threads together, that the checker of certificates looks at more closely. So here only accesses to the same variable count, and
//! each claim that leaves none of these open is tried.

use std::collections::BTreeSet;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{Access, CheckId, Flow, LocationKind, VariableId};
use raddle_ir::{Point, Program};

use crate::found::At;
use crate::steps::Step;
use crate::transfer::{self, Known, Together};
use crate::{Attempt, Claim, Focus, counters};

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
    Open(Option<Open>),
}

/// What invariants do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// That a check does not fail.
    Check(CheckId),
    /// That threads do not access a variable at the same time.
    Race {
        /// Which.
        variable: VariableId,
        /// Where one of them stands.
        at: Point,
    },
}

/// An access that may race: where, to what, and whether it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Racing {
    at: At,
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
    let (racing, focus) = match goal {
        Goal::NoRace => (racing(flow), Focus::Order),
        Goal::NoDeadlock => (Vec::new(), Focus::Everything),
    };
    let mut open = None;
    let mut is_accepted = false;
    crate::search(flow, (&counters::derive_with_lives, focus), budget, &mut |attempt| {
        let Attempt { flow, steps, space, .. } = *attempt;
        if let Some(check) = attempt.found.open_checks(flow, steps, space).first() {
            open = Some(Open::Check(*check));
            return Ok(false);
        }
        if let Some(Racing { variable, at, .. }) = open_race(attempt, &racing, budget)? {
            open = match &flow.templates[at.0].locations[at.1].kind {
                LocationKind::Step(at) => Some(Open::Race { variable, at: at.clone() }),
                LocationKind::Ended | LocationKind::Stuck | LocationKind::Failed(_) => None,
            };
            return Ok(false);
        }
        is_accepted = accepts(attempt.claim(program));
        open = None;
        Ok(is_accepted)
    })?;
    Ok(if is_accepted { Tried::Accepted } else { Tried::Open(open) })
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

/// An access that two threads may be about to make at the same time as another one, and one writes.
fn open_race(attempt: &Attempt<'_>, racing: &[Racing], budget: &Budget) -> Result<Option<Racing>, Exhausted> {
    let flow = attempt.flow;
    let mut apart = BTreeSet::new();
    for (index, one) in racing.iter().enumerate() {
        for other in &racing[index..] {
            let conflicts = one.variable == other.variable && (one.writes || other.writes);
            let is_one = one.at.0 == other.at.0 && flow.templates[one.at.0].is_single;
            if !conflicts || is_one || apart.contains(&(one.at, other.at)) || is_alone(flow, one.at, other.at)
            {
                continue;
            }
            if may_meet(attempt, (one.at, other.at), budget)? {
                return Ok(Some(*one));
            }
            apart.insert((one.at, other.at));
        }
    }
    Ok(None)
}

/// Whether one of the locations is of the main thread before any other one is started.
fn is_alone(flow: &Flow, one: At, other: At) -> bool {
    let main = flow.templates.ids().next();
    let is_before = |at: At| Some(at.0) == main && counters::stands_alone(flow, at.1);
    is_before(one) || is_before(other)
}

/// Whether two different threads may stand at two locations, as far as is known.
fn may_meet(attempt: &Attempt<'_>, (one, other): (At, At), budget: &Budget) -> Result<bool, Exhausted> {
    /// Units of work for two elements.
    const COST: u32 = 25;
    let Attempt { flow, space, found, meeting, .. } = *attempt;
    if !meeting.may_meet(one, other) {
        return Ok(false);
    }
    let stays = Step::stays(one);
    for left in found.elements(one) {
        for right in found.elements(other) {
            let threads = [Known { at: one, element: left }, Known { at: other, element: right }];
            for together in found.together(one, other) {
                budget.spend(COST)?;
                let both: Vec<Together<'_>> = together.into_iter().collect();
                if transfer::after(flow, space, &stays, &threads, &both).is_some() {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
