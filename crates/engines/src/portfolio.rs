//! Engine `portfolio`: what is cheap first, then what is strong.
//!
//! Small state spaces are enumerated; else partial-order bounded model checking tries for a while; else both in turns, with
//! more work each time; at last bounded model checking to the end of the budget. Stages are bounded by work (states, conflicts), not by
//! time, so that the answer does not depend on how fast the machine is, except at the very end of the budget.

use raddle_base::Budget;

use crate::{
    Bounds, Engine, Evidence, Ledger, Outcome, Progress, Reason, Sizes, Task, Unsupported, Verdict,
    enumerate, po_bmc,
};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio;

/// A part of the work.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Enumeration of at most so many states.
    Enumerate(u64),
    /// Bounded model checking with at most so many conflicts for each question.
    Bounded(Option<u64>),
}

const STAGES: &[Stage] = &[
    Stage::Enumerate(3_000),
    Stage::Bounded(Some(20_000)),
    Stage::Enumerate(100_000),
    Stage::Bounded(Some(400_000)),
    Stage::Enumerate(3_000_000),
    Stage::Bounded(None),
];

impl Engine for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn about(&self) -> &'static str {
        "the default: enumeration where it is small, partial-order bounded model checking elsewhere"
    }

    fn asks_solver(&self) -> bool {
        true
    }

    fn supports(&self, _: &Task<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let mut verdicts: Vec<(raddle_ir::Property, Option<Verdict>)> =
            task.properties.iter().map(|property| (*property, None)).collect();
        let mut ledger = Ledger::default();
        let mut total = Sizes::default();
        // Who names bounds or a solver wants them.
        let bounded_only = task.bounds != Bounds::default() || !task.solving.is_ours();
        for stage in STAGES {
            let open: Vec<raddle_ir::Property> = verdicts
                .iter()
                .filter(|(_, verdict)| !verdict.as_ref().is_some_and(is_final))
                .map(|(property, _)| *property)
                .collect();
            if open.is_empty() || budget.check().is_err() {
                break;
            }
            let part = Task { properties: open, ..task.clone() };
            let outcome = match stage {
                Stage::Enumerate(_) if bounded_only => continue,
                Stage::Bounded(Some(_)) if bounded_only => continue,
                Stage::Enumerate(states) => enumerate::check_states(&part, *states, budget, progress),
                Stage::Bounded(conflicts) => po_bmc::check_conflicts(&part, *conflicts, budget, progress),
            };
            total.states += outcome.ledger.sizes.states;
            total.conflicts += outcome.ledger.sizes.conflicts;
            let mut used = false;
            for (property, verdict) in outcome.verdicts {
                let place = verdicts.iter_mut().find(|(other, _)| *other == property);
                let Some((_, known)) = place else { continue };
                if known.as_ref().is_none_or(|known| rank(&verdict) >= rank(known)) {
                    *known = Some(verdict);
                    used = true;
                }
            }
            if used {
                ledger = outcome.ledger;
            }
        }
        ledger.sizes.states = total.states;
        ledger.time = budget.elapsed();
        let unknown = || Verdict::Unknown(Reason::Exhausted(raddle_base::Exhausted::Time));
        let verdicts = verdicts
            .into_iter()
            .map(|(property, verdict)| (property, verdict.unwrap_or_else(unknown)))
            .collect();
        Outcome { verdicts, ledger }
    }
}

/// Whether nothing better can come.
fn is_final(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Violated(_) | Verdict::Unknown(Reason::Internal { .. }) => true,
        Verdict::Safe(evidence) => !matches!(evidence, Evidence::Bounded(_)),
        Verdict::Unknown(_) => false,
    }
}

/// How much a verdict says.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Unknown(Reason::Internal { .. }) => 4,
        Verdict::Violated(_) => 3,
        Verdict::Safe(Evidence::FullyUnrolled | Evidence::Enumerated) => 2,
        Verdict::Safe(Evidence::Bounded(_)) => 1,
        Verdict::Unknown(_) => 0,
    }
}
