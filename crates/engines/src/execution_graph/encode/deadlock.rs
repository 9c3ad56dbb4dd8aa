//! Deadlocks: executions in which every thread has ended or waits, at least one waits, and what it waits for does not come.
//!
//! Unlike everything else this is about maximal executions. A thread that waits for a condition looks at memory last of all,
//! so everything that others ever write there is before that look. One that waits for a lock waits for a thread that has it
//! and never gives it back; one that waits for a thread's end, for a thread that does not end.

use raddle_logic::term::TermId;

use super::Encoding;
use super::clauses::choice;
use super::locks::Section;
use crate::execution_graph::events::{
    AccessKind, BlockedOn, Blocking, EventId, EventKind, Location, StepId, Sync, Unrolling,
};

impl Encoding<'_> {
    /// Says what a deadlock is, and gives the literal under which it holds.
    pub(super) fn encode_deadlock(&mut self, unrolling: &mut Unrolling) -> TermId {
        let asked = choice(&mut unrolling.terms, "deadlock");
        let runs_on = unrolling.terms.not(unrolling.process_ends);
        self.assert_if(&mut unrolling.terms, &[asked], runs_on);
        for place in 0..unrolling.limits.len() {
            let within = unrolling.terms.not(unrolling.limits[place].reached);
            self.assert_if(&mut unrolling.terms, &[asked], within);
        }
        let sections = self.sections(unrolling);
        let mut waits = vec![Vec::new(); unrolling.threads.len()];
        for place in 0..unrolling.blockings.len() {
            let blocking = unrolling.blockings[place].clone();
            if unrolling.terms.as_bool(blocking.blocked) == Some(false) {
                continue;
            }
            let waiting = unrolling.terms.and(asked, blocking.blocked);
            match blocking.blocked_on {
                BlockedOn::Nothing => {
                    let never = unrolling.terms.bool(false);
                    self.assert_if(&mut unrolling.terms, &[waiting], never);
                    continue;
                }
                BlockedOn::Lock { event, own } => {
                    self.encode_blocked_on_lock(unrolling, &sections, waiting, (event, own));
                }
                BlockedOn::Join(event) => self.encode_blocked_on_join(unrolling, waiting, event),
                BlockedOn::Condition => {}
            }
            self.encode_last_look(unrolling, &sections, waiting, &blocking);
            waits[raddle_base::Id::index(blocking.thread)].push(blocking.blocked);
        }
        let mut somebody = Vec::new();
        for (thread, blocked) in unrolling.threads.ids().zip(waits) {
            let terms = &mut unrolling.terms;
            let instance = &unrolling.threads[thread];
            let waits = terms.or_all(blocked);
            let goes_on = terms.not(instance.stopped);
            let over = terms.or(instance.ended, waits);
            let right = terms.and(goes_on, over);
            self.assert_if(terms, &[asked, instance.started], right);
            somebody.push(waits);
        }
        for thread in unrolling.threads.ids() {
            let last = unrolling.threads[thread].steps.last().copied();
            if let Some(end) = last.map(|last| self.nodes[last]) {
                self.stays_within_contexts(&unrolling.terms, asked, end);
            }
        }
        let waits = unrolling.terms.or_all(somebody);
        self.assert_if(&mut unrolling.terms, &[asked], waits);
        asked
    }

    /// The thread itself has the lock, or somebody else has it and keeps it.
    fn encode_blocked_on_lock(
        &mut self,
        unrolling: &mut Unrolling,
        sections: &[Section],
        waiting: TermId,
        (event, own): (EventId, TermId),
    ) {
        let EventKind::Sync(Sync::Lock { address, .. }) = unrolling.events[event].kind else { return };
        let thread = unrolling.steps[unrolling.events[event].step].thread;
        let mut owners = vec![own];
        // In an atomic section the thread knows of what it gave back there, though others do not.
        for section in sections.iter().filter(|section| unrolling.steps[section.step].thread != thread) {
            let terms = &mut unrolling.terms;
            let equal = self.equal_addresses(terms, address, section.address);
            let kept = terms.not(section.released);
            owners.push(terms.and_all([equal, section.held, kept]));
        }
        let owned = unrolling.terms.or_all(owners);
        self.assert_if(&mut unrolling.terms, &[waiting], owned);
    }

    /// The thread does not end.
    fn encode_blocked_on_join(&mut self, unrolling: &mut Unrolling, waiting: TermId, event: EventId) {
        let EventKind::Sync(Sync::Join { thread_id, .. }) = unrolling.events[event].kind else { return };
        for thread in unrolling.threads.ids() {
            let terms = &mut unrolling.terms;
            let instance = &unrolling.threads[thread];
            let equal = terms.eq(thread_id, instance.thread_id);
            let has_ended = terms.and(instance.started, instance.ended);
            let runs = terms.not(has_ended);
            self.assert_if(terms, &[waiting, equal], runs);
        }
    }

    /// Whatever others do to what the step looks at is before it.
    fn encode_last_look(
        &mut self,
        unrolling: &mut Unrolling,
        sections: &[Section],
        waiting: TermId,
        blocking: &Blocking,
    ) {
        let step = blocking.step;
        for event in unrolling.steps[step].events.clone() {
            let guard = unrolling.events[event].guard;
            match unrolling.events[event].kind {
                EventKind::Access { location, access: AccessKind::Read { .. } } => {
                    self.after_all_writes(unrolling, &[waiting, guard], step, location);
                }
                EventKind::Sync(Sync::LockIsFree { address, .. }) => {
                    for section in sections.iter().filter(|section| section.step != step) {
                        let terms = &mut unrolling.terms;
                        let equal = self.equal_addresses(terms, address, section.address);
                        self.edge_if(terms, &[waiting, guard, equal, section.held], section.step, step);
                        for &(release, condition) in &section.releases {
                            if release != step {
                                let conditions = [waiting, guard, equal, section.held, condition];
                                self.edge_if(terms, &conditions, release, step);
                            }
                        }
                    }
                }
                EventKind::Sync(Sync::ThreadExists { thread_id, .. }) => {
                    for thread in unrolling.threads.ids() {
                        let Some(fork) = unrolling.threads[thread].fork else { continue };
                        let created = unrolling.events[fork].step;
                        let terms = &mut unrolling.terms;
                        let equal = terms.eq(thread_id, unrolling.threads[thread].thread_id);
                        if created != step {
                            let conditions = [waiting, guard, equal, self.effective[fork]];
                            self.edge_if(terms, &conditions, created, step);
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
    }

    /// All writes to a place that happen are before the step. Under weak memory models, those of its own thread too.
    fn after_all_writes(
        &mut self,
        unrolling: &mut Unrolling,
        conditions: &[TermId],
        step: StepId,
        location: Location,
    ) {
        for event in unrolling.events.ids() {
            let Some(other) = unrolling.events[event].kind.written() else { continue };
            let written = unrolling.events[event].step;
            let terms = &mut unrolling.terms;
            if (other.space, other.size) == (location.space, location.size) && written != step {
                let equal = self.equal_addresses(terms, location.address, other.address);
                if terms.as_bool(equal) != Some(false) {
                    let mut conditions = conditions.to_vec();
                    conditions.extend([equal, self.effective[event]]);
                    self.edge_if(terms, &conditions, written, step);
                }
            }
        }
    }
}
