//! Deadlocks: executions in which every thread has ended or waits, at least one waits, and what it waits for does not come.
//!
//! Unlike everything else this is about maximal executions. A thread that waits for a condition looks at memory last of all,
//! so everything that others ever write there is before that look. One that waits for a lock waits for a thread that has it
//! and never gives it back; one that waits for a thread's end, for a thread that does not end.

use raddle_base::{Budget, Exhausted, Id};
use raddle_logic::term::TermId;

use super::contexts::Contexts;
use super::knowledge::Knowledge;
use super::locks::CriticalSections;
use super::memory::{Member, Memory};
use super::writer::{Writer, choice};
use crate::execution_graph::events::{
    AccessKind, BlockedOn, Blocking, EventId, EventKind, Location, StepId, Sync, Unrolling,
};

/// What it costs of a budget to encode what a thread waits for, or that something comes before its last look.
const UNITS_PER_EDGE: u32 = 2;

/// Writes what a deadlock is.
#[derive(Debug)]
pub(super) struct DeadlockEncoder<'e, 'a> {
    pub(super) unrolling: &'e mut Unrolling,
    pub(super) known: &'e Knowledge<'a>,
    pub(super) writer: &'e mut Writer,
    pub(super) sections: &'e CriticalSections,
    /// What bounds context switches, if something does.
    pub(super) contexts: Option<&'e Contexts>,
    pub(super) memory: &'e mut Memory,
    pub(super) budget: &'e Budget,
}

impl DeadlockEncoder<'_, '_> {
    /// Says what a deadlock is, and gives the literal under which it holds.
    pub(super) fn encode(&mut self) -> Result<TermId, Exhausted> {
        let asked = choice(&mut self.unrolling.terms, "deadlock");
        let runs_on = self.unrolling.terms.not(self.unrolling.process_ends);
        self.writer.assert_if(&mut self.unrolling.terms, &[asked], runs_on);
        for index in 0..self.unrolling.limits.len() {
            let within = self.unrolling.terms.not(self.unrolling.limits[index].reached);
            self.writer.assert_if(&mut self.unrolling.terms, &[asked], within);
        }
        let mut waits = vec![Vec::new(); self.unrolling.threads.len()];
        for index in 0..self.unrolling.blockings.len() {
            let blocking = self.unrolling.blockings[index].clone();
            if self.unrolling.terms.as_bool(blocking.blocked) == Some(false) {
                continue;
            }
            let waiting = self.unrolling.terms.and(asked, blocking.blocked);
            match blocking.blocked_on {
                BlockedOn::Nothing => {
                    let never = self.unrolling.terms.bool(false);
                    self.writer.assert_if(&mut self.unrolling.terms, &[waiting], never);
                    continue;
                }
                BlockedOn::Lock { event, own } => {
                    self.encode_blocked_on_lock(waiting, (event, own));
                }
                BlockedOn::Join(event) => self.encode_blocked_on_join(waiting, event),
                BlockedOn::Condition => {}
            }
            self.encode_last_look(waiting, &blocking)?;
            waits[blocking.thread.index()].push(blocking.blocked);
        }
        let mut somebody = Vec::new();
        for (thread, blocked) in self.unrolling.threads.ids().zip(waits) {
            // A thread that an assumption stops is neither blocked nor at its end: such an execution says nothing of deadlocks.
            let terms = &mut self.unrolling.terms;
            let instance = &self.unrolling.threads[thread];
            let waits = terms.or_all(blocked);
            let goes_on = terms.not(instance.stopped);
            let over = terms.or(instance.ended, waits);
            let right = terms.and(goes_on, over);
            self.writer.assert_if(terms, &[asked, instance.started], right);
            somebody.push(waits);
        }
        if let Some(contexts) = self.contexts {
            for thread in self.unrolling.threads.values() {
                if let Some(&last) = thread.steps.last() {
                    contexts.end_behind(self.writer, &self.unrolling.terms, asked, last);
                }
            }
        }
        let waits = self.unrolling.terms.or_all(somebody);
        self.writer.assert_if(&mut self.unrolling.terms, &[asked], waits);
        Ok(asked)
    }

    /// The thread itself has the lock, or somebody else has it and keeps it.
    fn encode_blocked_on_lock(&mut self, waiting: TermId, (event, own): (EventId, TermId)) {
        let EventKind::Sync(Sync::Lock { address, .. }) = self.unrolling.events[event].kind else { return };
        let thread = self.unrolling.steps[self.unrolling.events[event].step].thread;
        let mut owners = vec![own];
        // In an atomic block the thread knows of what it released there, though others do not.
        for section in self.sections.all().filter(|section| section.thread != thread) {
            let terms = &mut self.unrolling.terms;
            let equal = self.known.equal_addresses(terms, address, section.address);
            let kept = terms.not(section.released);
            owners.push(terms.and_all([equal, section.held, kept]));
        }
        let owned = self.unrolling.terms.or_all(owners);
        self.writer.assert_if(&mut self.unrolling.terms, &[waiting], owned);
    }

    /// The thread does not end.
    fn encode_blocked_on_join(&mut self, waiting: TermId, event: EventId) {
        let EventKind::Sync(Sync::Join { thread_id, .. }) = self.unrolling.events[event].kind else { return };
        for thread in self.unrolling.threads.ids() {
            let terms = &mut self.unrolling.terms;
            let instance = &self.unrolling.threads[thread];
            let equal = terms.eq(thread_id, instance.thread_id);
            let has_ended = terms.and(instance.started, instance.ended);
            let runs = terms.not(has_ended);
            self.writer.assert_if(terms, &[waiting, equal], runs);
        }
    }

    /// Whatever others do to what the step looks at is before it.
    fn encode_last_look(&mut self, waiting: TermId, blocking: &Blocking) -> Result<(), Exhausted> {
        let step = blocking.step;
        for event in self.unrolling.steps[step].events.clone() {
            let guard = self.unrolling.events[event].guard;
            match self.unrolling.events[event].kind {
                EventKind::Access { location, access: AccessKind::Read { .. } } => {
                    self.after_all_writes(&[waiting, guard], step, location)?;
                }
                EventKind::Sync(Sync::LockIsFree { address, .. }) => {
                    for section in self.sections.all().filter(|section| section.step != step) {
                        self.budget.spend(UNITS_PER_EDGE)?;
                        let terms = &mut self.unrolling.terms;
                        let equal = self.known.equal_addresses(terms, address, section.address);
                        self.writer.edge_if(
                            terms,
                            &[waiting, guard, equal, section.held],
                            section.step,
                            step,
                        );
                        for &(release, condition) in &section.releases {
                            if release != step {
                                let conditions = [waiting, guard, equal, section.held, condition];
                                self.writer.edge_if(terms, &conditions, release, step);
                            }
                        }
                    }
                }
                EventKind::Sync(Sync::ThreadExists { thread_id, .. }) => {
                    for thread in self.unrolling.threads.ids() {
                        let Some(fork) = self.unrolling.threads[thread].fork else { continue };
                        let created = self.unrolling.events[fork].step;
                        let terms = &mut self.unrolling.terms;
                        let equal = terms.eq(thread_id, self.unrolling.threads[thread].thread_id);
                        if created != step {
                            let conditions = [waiting, guard, equal, self.known.effective(fork)];
                            self.writer.edge_if(terms, &conditions, created, step);
                        }
                    }
                }
                EventKind::Access { access: AccessKind::Write { .. }, .. }
                | EventKind::Sync(
                    Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. } | Sync::Join { .. },
                )
                | EventKind::Mark => {}
            }
        }
        Ok(())
    }

    /// All writes to a location that happen are before the step. Under weak memory models, those of its own thread too.
    fn after_all_writes(
        &mut self,
        conditions: &[TermId],
        step: StepId,
        location: Location,
    ) -> Result<(), Exhausted> {
        let members = self.memory.writes_to(&mut self.unrolling.terms, self.known, location);
        for Member { write, equal, .. } in members.iter().filter(|member| member.write.step != step) {
            self.budget.spend(UNITS_PER_EDGE)?;
            let mut conditions = conditions.to_vec();
            conditions.extend([*equal, write.effective]);
            self.writer.edge_if(&mut self.unrolling.terms, &conditions, write.step, step);
        }
        Ok(())
    }
}
