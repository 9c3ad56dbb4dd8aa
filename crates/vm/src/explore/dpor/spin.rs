//! Loops that only wait.
//!
//! A thread that comes back to a state of its own in which it was before, and has only read in between what others reach, has made a
//! *stuttering iteration*: without it, it would be in the same state, and nobody can tell. So an execution in which it goes on
//! behind such an iteration has a counterpart without that iteration, and need not be walked. The thread stops there. What it read is
//! part of the execution, so an order in which it reads later is another execution, which is found by reversal.
//!
//! Where data races are looked for one such iteration may be followed by others: a read of it may race with what the thread leads to
//! later. Two in a row add nothing, because all but one of them can be left out.

use raddle_ir::Property;

use super::execution::Execution;
use super::steps::Steps;
use crate::fingerprint::Fingerprints;
use crate::renaming::Renaming;
use crate::state::{State, Status, ThreadId};
use crate::step::Vm;

/// So many of its own steps back is looked.
const LONGEST: usize = 64;

/// Recognises them.
#[derive(Debug)]
pub(super) struct Spins<'p> {
    fingerprints: Fingerprints<'p>,
    /// How many iterations in a row.
    wanted: usize,
}

impl<'p> Spins<'p> {
    pub(super) fn new(vm: &Vm<'p>) -> Self {
        let wanted = if vm.checks(Property::DataRace) { 2 } else { 1 };
        Self { fingerprints: Fingerprints::new(vm.program()), wanted }
    }

    /// Whether the last step of an execution ends as many stuttering iterations as matter. The states are those before each event.
    pub(super) fn only_waits<'s>(
        &mut self,
        execution: &Execution,
        steps: &Steps,
        before: impl DoubleEndedIterator<Item = &'s State>,
        after: &State,
        thread: ThreadId,
    ) -> bool {
        let only_reads = |step| steps.footprint(step).only_reads();
        if !execution.events.last().is_some_and(|event| only_reads(event.step)) {
            return false;
        }
        let stands = |state: &State| {
            let thread = &state.threads[thread as usize];
            (thread.status == Status::Running).then(|| (thread.frames.len(), thread.place()))
        };
        let Some(here) = stands(after) else { return false };
        let renaming = Renaming::identity(after.threads.len());
        let mut number = None;
        let mut seen = 0;
        let mut own = 0;
        for (event, state) in execution.events.iter().rev().zip(before.rev()) {
            if event.thread != thread {
                continue;
            }
            own += 1;
            if own > LONGEST || !only_reads(event.step) {
                return false;
            }
            if stands(state) != Some(here) {
                continue;
            }
            let number = *number.get_or_insert_with(|| self.fingerprints.of_thread(after, thread, &renaming));
            if self.fingerprints.of_thread(state, thread, &renaming) == number {
                seen += 1;
                if seen >= self.wanted {
                    return true;
                }
            }
        }
        false
    }
}
