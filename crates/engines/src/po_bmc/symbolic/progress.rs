//! Rounds of loops that change nothing.
//!
//! A thread that goes round a loop and is then in the same state as before — same registers as far as they are live, same
//! memory of its own, and all it wrote to shared memory is what was there already — has only waited: without that round the
//! execution is the same, and nobody can tell. So the next round is followed only where the one before made a difference.
//! `while (exchange(&lock, 1))` thus ends after one round: going on means that the lock was 1, and writing 1 again changed
//! nothing. What a dropped round checks has been checked in it; what it reads, the last round reads as well. A thread that could
//! go round for ever is not stuck: it says nothing about deadlock.
//!
//! Where data races are a matter of happens-before, an access of such a round may race with something that happens only
//! because its thread went on. There one such round is followed by another, but not two in a row: any one round can be kept
//! while all others like it are dropped. A dropped read-modify-write takes order away, never adds it, since what it passed on
//! is passed on without it; other stores end release sequences, so rounds that make any are always followed.
//!
//! Errs on the side of following a round too many.

use std::rc::Rc;

use raddle_base::Id;
use raddle_ir::{BlockId, FunctionId, RegisterId};
use raddle_logic::term::TermId;

use super::execute::{Executor, Registers};
use super::memory::Memory;
use super::order::Position;
use super::path::{Held, Path};
use super::region::Region;
use crate::execution_graph::events::{
    AccessKind, BlockedOn, Blocking, EventId, EventKind, StepId, Sync, SynchronisationKind,
};
use crate::semantics::{and_equal_contents, values};

/// What a thread knew when it began a round of a loop.
#[derive(Clone, Debug)]
pub(crate) struct RoundStart {
    registers: Registers,
    memory: Memory,
    held: Rc<Vec<Held>>,
    regions: Vec<Region>,
    /// How many steps the thread had made.
    steps: usize,
    in_section: bool,
}

impl Executor<'_, '_> {
    /// A round begins.
    pub(crate) fn round_start(&self, path: &Path, registers: &Registers) -> RoundStart {
        RoundStart {
            registers: registers.clone(),
            memory: path.memory.clone(),
            held: Rc::clone(&path.held),
            regions: path.regions.clone(),
            steps: self.out.threads[self.thread].steps.len(),
            in_section: path.section.is_some(),
        }
    }

    /// Goes on to the next round only where this one made a difference.
    pub(crate) fn ask_for_progress(
        &mut self,
        path: &mut Path,
        registers: &Registers,
        start: &RoundStart,
        (function, round): (FunctionId, &(BlockId, Position)),
    ) {
        let Some(mut idle) = self.is_idle(path, registers, start, function, round.0) else { return };
        if self.out.happens_before {
            let Some(before) = self.note_idle_round(path, idle, round) else { return };
            idle = self.out.terms.and(idle, before);
        }
        let blocked = self.out.terms.and(path.guard.term(), idle);
        if self.out.terms.as_bool(blocked) == Some(false) {
            return;
        }
        let (step, place) = (self.last_step(), self.place());
        self.out.blockings.push(Blocking {
            thread: self.thread,
            step,
            blocked,
            blocked_on: BlockedOn::Nothing,
            place,
        });
        let progress = self.out.terms.not(idle);
        path.guard = path.guard.and(&mut self.out.terms, progress);
    }

    /// Notes that a round may have changed nothing, and tells whether the one before went on though it changed nothing.
    fn note_idle_round(
        &mut self,
        path: &Path,
        idle: TermId,
        (head, at): &(BlockId, Position),
    ) -> Option<TermId> {
        let goes_on = self.out.terms.and(path.guard.term(), idle);
        let frame = self.frames.last_mut().expect("a block is executed in a frame");
        let noted = frame.idle.entry((*head, at.clone())).or_insert(goes_on);
        *noted = self.out.terms.or(*noted, goes_on);
        let mut before = at.clone();
        let round = before.last_mut()?;
        *round = round.checked_sub(1)?;
        frame.idle.get(&(*head, before)).copied()
    }

    /// The condition under which nothing changed; none if something did for sure.
    fn is_idle(
        &mut self,
        path: &Path,
        registers: &Registers,
        start: &RoundStart,
        function: FunctionId,
        head: BlockId,
    ) -> Option<TermId> {
        let same_log = |(own, before): (&Region, &Region)| match (&own.section.log, &before.section.log) {
            (None, None) => true,
            (Some(own), Some(before)) => Rc::ptr_eq(own, before),
            (Some(_), None) | (None, Some(_)) => false,
        };
        let same_regions = path.regions.len() == start.regions.len()
            && path.regions.iter().zip(&start.regions).all(same_log);
        if !same_regions || start.in_section || path.section.is_some() || !Rc::ptr_eq(&path.held, &start.held)
        {
            return None;
        }
        let mut idle = self.out.terms.bool(true);
        let facts = self.world.facts(function);
        for (index, (now, before)) in registers.iter().zip(&start.registers).enumerate() {
            if now != before && facts.liveness.is_live_in(head, RegisterId::from_index(index)) {
                let same = match (now, before) {
                    (Some(now), Some(before))
                        if self.out.terms.sort(*now) == self.out.terms.sort(*before) =>
                    {
                        values::equal(&mut self.out.terms, *now, *before)
                    }
                    (_, _) => return None,
                };
                idle = self.out.terms.and(idle, same);
                if self.out.terms.as_bool(idle) == Some(false) {
                    return None;
                }
            }
        }
        idle = self.same_memory(idle, &path.memory, &start.memory)?;
        let steps: Vec<StepId> = self.out.threads[self.thread].steps[start.steps..].to_vec();
        for step in steps {
            idle = self.leaves_no_trace(idle, step)?;
        }
        Some(idle)
    }

    fn same_memory(&mut self, mut idle: TermId, now: &Memory, before: &Memory) -> Option<TermId> {
        // Objects that were made in this round are made again in the next.
        for (object, before) in before.objects() {
            let now = now.contents(object)?;
            if !Rc::ptr_eq(now, before) {
                idle = and_equal_contents(idle, now, before, &mut self.out.terms)?;
            }
        }
        Some(idle)
    }

    /// Whether a write is part of a read-modify-write.
    fn is_update(&self, event: EventId) -> bool {
        let store = self.out.events[event].store.map(|store| &self.out.synchronisations[store].kind);
        matches!(store, Some(SynchronisationKind::Store { update: true, .. }))
    }

    /// And what the step wrote was there already.
    fn leaves_no_trace(&mut self, mut idle: TermId, step: StepId) -> Option<TermId> {
        let events = self.out.steps[step].events.clone();
        for &event in &events {
            let guard = self.out.events[event].guard;
            let harmless = match self.out.events[event].kind {
                EventKind::Access { access: AccessKind::Read { .. }, .. }
                | EventKind::Sync(Sync::LockIsFree { .. } | Sync::ThreadExists { .. })
                | EventKind::Mark => continue,
                EventKind::Sync(
                    Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. } | Sync::Join { .. },
                ) => self.out.terms.bool(false),
                EventKind::Access { access: AccessKind::Write { .. }, .. }
                    if self.out.happens_before && !self.is_update(event) =>
                {
                    return None;
                }
                EventKind::Access { location, access: AccessKind::Write { value } } => {
                    let read = events.iter().find_map(|&other| match self.out.events[other].kind {
                        EventKind::Access { location: read, access: AccessKind::Read { value, .. } }
                            if read == location =>
                        {
                            Some(value)
                        }
                        EventKind::Access { .. } | EventKind::Sync(_) | EventKind::Mark => None,
                    });
                    match read {
                        Some(read) => self.out.terms.eq(read, value),
                        None => self.out.terms.bool(false),
                    }
                }
            };
            let fine = self.out.terms.implies(guard, harmless);
            idle = self.out.terms.and(idle, fine);
            if self.out.terms.as_bool(idle) == Some(false) {
                return None;
            }
        }
        Some(idle)
    }
}
