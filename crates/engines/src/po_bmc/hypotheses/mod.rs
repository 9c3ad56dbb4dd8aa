//! One loop for all that is assumed of a program: guess, execute under it, confirm or weaken.
//!
//! An execution tells all that the unrolled program may write, lock and start. From that, invariants are inferred that would
//! make the next execution smaller: which values reads read, who writes where, what a lock protects. The next execution assumes them,
//! and tells whether it keeps to them. If it does not, what it did is allowed too, and it is made again (Houdini: Flanagan and
//! Leino, "Houdini, an annotation assistant for ESC/Java", 2001).
//!
//! # Why what is confirmed holds
//! All assumptions are confirmed by one execution that assumed all of them. Suppose that some concrete execution within the bounds
//! breaks one; take the first step that does. All steps before it keep to all assumptions, so they are steps of the symbolic
//! execution, and so is this one, which is made of what they left. But the symbolic execution has no step that breaks an
//! assumption. So there is no such step.
//!
//! # Why it ends
//! Between two inferences assumptions are only weakened. Inference ends after [`PASSES`] executions, once more for what
//! locks protect, and once more if what was carried over from smaller bounds does not hold. What is still refuted
//! after twice as many is given up for good. The three that are on or off ([`modes`]) are turned off at most once each.
//!
//! | file | assumes |
//! |---|---|
//! | `modes` | lock words are no memory, thread ids are fixed, pointers are whole |
//! | `read_values`, with `infer/` | which values a read reads: sets, ranges, accumulators |
//! | `interference` | who writes where |
//! | `lock_protected` | which locations are accessed under one lock only |

mod infer;
mod interference;
mod lock_protected;
mod modes;
mod read_values;

use raddle_base::{Budget, Exhausted};

use super::addresses::Known;
use super::symbolic::{Assumptions, Draft, Options, ReadValues, Report, World, Writers, execute};
use crate::execution_graph::events::Unrolling;

/// How often a program is executed for what is inferred.
const PASSES: usize = 8;

/// A candidate invariant of all executions within the bounds.
trait Hypothesis {
    /// Whether an execution that assumed it keeps to it.
    fn covers(&self, seen: &mut Seen<'_, '_>) -> bool;

    /// Allows what the execution did too, or gives the assumption up.
    fn weaken(&mut self, seen: &mut Seen<'_, '_>);

    /// Assumes more, if the execution suggests it. Says whether it does.
    fn infer(&mut self, seen: &mut Seen<'_, '_>) -> bool;
}

/// What an execution did.
struct Seen<'s, 'p> {
    options: &'s Options,
    unrolling: &'s mut Unrolling,
    report: &'s Report,
    world: &'s World<'p>,
    /// The values that its reads may read, as far as what it writes says.
    values: ReadValues,
    /// Who writes where in it.
    writers: Writers,
}

impl<'s, 'p> Seen<'s, 'p> {
    fn new(options: &'s Options, draft: &'s mut Draft<'_, 'p>, budget: &Budget) -> Result<Self, Exhausted> {
        let (unrolling, report, world) = draft.parts();
        let addresses = Known::new(unrolling, world);
        let values = infer::read_values(unrolling, report, &addresses, budget)?;
        let writers = interference::writers(unrolling, report, world);
        Ok(Self { options, unrolling, report, world, values, writers })
    }
}

/// What became of the assumptions after an execution.
enum Revision {
    /// Some did not hold.
    Weakened,
    /// All hold, and there are more now, from this stage of inference.
    Inferred(Stage),
    /// All hold, and there is nothing new.
    Confirmed,
}

/// What is inferred first, and what when there is nothing new of that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Memory,
    Locks,
}

impl Assumptions {
    fn of_stage(&mut self, stage: Stage) -> Vec<&mut dyn Hypothesis> {
        match stage {
            Stage::Memory => vec![&mut self.values, &mut self.interference],
            Stage::Locks => vec![&mut self.protected],
        }
    }

    /// Confirms, weakens or infers. What is inferred of memory is so only as long as that is wanted.
    fn revise(&mut self, seen: &mut Seen<'_, '_>, infers_memory: bool) -> Revision {
        let mut holds = true;
        for stage in [Stage::Memory, Stage::Locks] {
            for hypothesis in self.of_stage(stage) {
                if !hypothesis.covers(seen) {
                    hypothesis.weaken(seen);
                    holds = false;
                }
            }
        }
        if !holds {
            return Revision::Weakened;
        }
        for stage in [Stage::Memory, Stage::Locks] {
            let mut is_new = false;
            if stage == Stage::Locks || infers_memory {
                for hypothesis in self.of_stage(stage) {
                    is_new |= hypothesis.infer(seen);
                }
            }
            if is_new {
                return Revision::Inferred(stage);
            }
        }
        Revision::Confirmed
    }
}

/// Executes a program symbolically, again and again until all that is assumed is confirmed. Gives nothing if it is larger than the
/// options allow. What is assumed at first is what smaller bounds confirmed; it is confirmed like all else.
pub(super) fn unroll(
    world: &mut World<'_>,
    options: &Options,
    assumptions: &mut Assumptions,
    budget: &Budget,
) -> Result<Option<(Unrolling, Report)>, Exhausted> {
    let mut is_carried = !assumptions.infers_nothing();
    let mut pass = 0;
    loop {
        if !assumptions.whole_pointers.0 {
            world.tear();
        }
        let assumed = assumptions.clone();
        let mut draft = execute(world, options, &assumed, budget)?;
        if modes::turn_off_refuted(assumptions, draft.parts().1) {
            (is_carried, pass) = (false, 0);
            continue;
        }
        if draft.parts().1.too_large {
            return Ok(None);
        }
        pass += 1;
        if pass < PASSES || !assumptions.infers_nothing() {
            let mut seen = Seen::new(options, &mut draft, budget)?;
            match assumptions.revise(&mut seen, pass < PASSES) {
                Revision::Weakened => {
                    if is_carried && pass >= PASSES {
                        // What smaller bounds confirmed may be a bad beginning.
                        assumptions.forget_inferred();
                        (is_carried, pass) = (false, 0);
                    } else if pass >= 2 * PASSES {
                        assumptions.forget_inferred();
                        assumptions.protected.is_given_up = true;
                    }
                    continue;
                }
                Revision::Inferred(Stage::Memory) => continue,
                Revision::Inferred(Stage::Locks) => {
                    // What is known inside of critical sections may tell more.
                    pass = 0;
                    continue;
                }
                Revision::Confirmed => {}
            }
        }
        let (unrolling, report) = draft.finish()?;
        // Some of it is known only when all events are.
        if modes::turn_off_refuted(assumptions, &report) {
            (is_carried, pass) = (false, 0);
            continue;
        }
        return Ok(Some((unrolling, report)));
    }
}
