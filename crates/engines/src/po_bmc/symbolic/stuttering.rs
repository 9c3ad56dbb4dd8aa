//! Stuttering iterations of loops: those that change nothing (stuttering: Lamport, "What good is temporal logic?", 1983).
//!
//! A thread that goes through an iteration of a loop and is then in the same state as before — same registers as far as they are live, same
//! memory of its own, and all it wrote to shared memory is what was there already — has only waited: without that iteration the
//! execution is the same, and nobody can tell. So the next iteration is followed only where the one before made a difference.
//! `while (exchange(&lock, 1))` thus ends after one iteration: going on means that the lock was 1, and writing 1 again changed
//! nothing. What a dropped iteration checks has been checked in it; what it reads, the last one reads as well. A thread that could
//! iterate for ever is not stuck: it says nothing about deadlock.
//!
//! Where accesses may race that are never co-enabled, an access of such an iteration may race with something that happens only
//! because its thread went on. There one such iteration is followed by another, but not two in a row: any one can be kept
//! while all others like it are dropped. A dropped read-modify-write takes order away, never adds it, since what it passed on
//! is passed on without it; other stores end release sequences, so iterations that make any are always followed.
//!
//! Errs on the side of following an iteration too many.

use std::rc::Rc;

use raddle_base::Id;
use raddle_ir::{BlockId, FunctionId, RegisterId};
use raddle_logic::term::TermId;

use super::context::Context;
use super::control::Registers;
use super::executor::Executor;
use super::known::KnownMemory;
use super::path::{Held, Path};
use super::region::Region;
use super::stack::Iteration;
use crate::execution_graph::events::{
    AccessKind, BlockedOn, Blocking, EventId, EventKind, StepId, Sync, SynchronisationKind,
};
use raddle_semantics::{and_equal_contents, values};

/// What a thread knew when it began an iteration of a loop.
#[derive(Clone, Debug)]
pub(crate) struct IterationStart {
    registers: Registers,
    memory: KnownMemory,
    held: Rc<Vec<Held>>,
    regions: Vec<Region>,
    /// How many steps the thread had made.
    steps: usize,
    in_block: bool,
}

/// An iteration begins.
pub(crate) fn iteration_start(cx: &Context<'_, '_>, path: &Path, registers: &Registers) -> IterationStart {
    IterationStart {
        registers: registers.clone(),
        memory: path.memory.clone(),
        held: Rc::clone(&path.held),
        regions: path.regions.clone(),
        steps: cx.out.threads[cx.thread()].steps.len(),
        in_block: path.block.is_some(),
    }
}

/// The condition under which nothing changed; none if something did for sure.
fn stutters(
    cx: &mut Context<'_, '_>,
    path: &Path,
    registers: &Registers,
    start: &IterationStart,
    (function, head): (FunctionId, BlockId),
) -> Option<TermId> {
    let same_log = |(own, before): (&Region, &Region)| own.block.has_same_writes(&before.block);
    let same_regions =
        path.regions.len() == start.regions.len() && path.regions.iter().zip(&start.regions).all(same_log);
    if !same_regions || start.in_block || path.block.is_some() || !Rc::ptr_eq(&path.held, &start.held) {
        return None;
    }
    let mut same_state = cx.out.terms.bool(true);
    let facts = cx.world.facts(function);
    for (index, (now, before)) in registers.iter().zip(&start.registers).enumerate() {
        if now != before && facts.liveness.is_live_in(head, RegisterId::from_index(index)) {
            let same = match (now, before) {
                (Some(now), Some(before)) if cx.out.terms.sort(*now) == cx.out.terms.sort(*before) => {
                    values::equal(&mut cx.out.terms, *now, *before)
                }
                (_, _) => return None,
            };
            same_state = cx.out.terms.and(same_state, same);
            if cx.out.terms.as_bool(same_state) == Some(false) {
                return None;
            }
        }
    }
    same_state = same_memory(cx, same_state, &path.memory, &start.memory)?;
    let steps: Vec<StepId> = cx.out.threads[cx.thread()].steps[start.steps..].to_vec();
    for step in steps {
        same_state = leaves_no_trace(cx, same_state, step)?;
    }
    Some(same_state)
}

fn same_memory(
    cx: &mut Context<'_, '_>,
    mut same_state: TermId,
    now: &KnownMemory,
    before: &KnownMemory,
) -> Option<TermId> {
    // Objects that were made in this iteration are made again in the next.
    for (object, before) in before.objects() {
        let now = now.contents(object)?;
        if !Rc::ptr_eq(now, before) {
            same_state = and_equal_contents(same_state, now, before, &mut cx.out.terms)?;
        }
    }
    Some(same_state)
}

/// Whether a write is part of a read-modify-write.
fn is_update(cx: &Context<'_, '_>, event: EventId) -> bool {
    let store = cx.out.events[event].store.map(|store| &cx.out.synchronisations[store].kind);
    matches!(store, Some(SynchronisationKind::Store { update: true, .. }))
}

/// And what the step wrote was there already.
fn leaves_no_trace(cx: &mut Context<'_, '_>, mut same_state: TermId, step: StepId) -> Option<TermId> {
    let events = cx.out.steps[step].events.clone();
    for &event in &events {
        let guard = cx.out.events[event].guard;
        let harmless = match cx.out.events[event].kind {
            EventKind::Access { access: AccessKind::Read { .. }, .. }
            | EventKind::Sync(Sync::LockIsFree { .. } | Sync::ThreadExists { .. })
            | EventKind::Mark => continue,
            EventKind::Sync(
                Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. } | Sync::Join { .. },
            ) => cx.out.terms.bool(false),
            EventKind::Access { access: AccessKind::Write { .. }, .. }
                if cx.options.may_race_apart(cx.assumed) && !is_update(cx, event) =>
            {
                return None;
            }
            EventKind::Access { location, access: AccessKind::Write { value } } => {
                let read = events.iter().find_map(|&other| match cx.out.events[other].kind {
                    EventKind::Access { location: read, access: AccessKind::Read { value, .. } }
                        if read == location =>
                    {
                        Some(value)
                    }
                    EventKind::Access { .. } | EventKind::Sync(_) | EventKind::Mark => None,
                });
                match read {
                    Some(read) => cx.out.terms.eq(read, value),
                    None => cx.out.terms.bool(false),
                }
            }
        };
        let fine = cx.out.terms.implies(guard, harmless);
        same_state = cx.out.terms.and(same_state, fine);
        if cx.out.terms.as_bool(same_state) == Some(false) {
            return None;
        }
    }
    Some(same_state)
}

impl Executor<'_, '_> {
    /// Goes on to the next iteration only where this one made a difference.
    pub(crate) fn ask_for_progress(
        &mut self,
        path: &mut Path,
        registers: &Registers,
        start: &IterationStart,
        (function, iteration): (FunctionId, &Iteration),
    ) {
        let stutters = stutters(&mut self.cx, path, registers, start, (function, iteration.0));
        let Some(mut stutters) = stutters else { return };
        if self.cx.options.may_race_apart(self.cx.assumed) {
            let goes_on = self.cx.out.terms.and(path.guard.term(), stutters);
            let before = self.stack.note_stuttering(iteration, goes_on, &mut self.cx.out.terms);
            let Some(before) = before else { return };
            stutters = self.cx.out.terms.and(stutters, before);
        }
        let blocked = self.cx.out.terms.and(path.guard.term(), stutters);
        if self.cx.out.terms.as_bool(blocked) == Some(false) {
            return;
        }
        let (step, place, thread) = (self.cx.last_step(), self.cx.point(), self.cx.thread());
        let blocked_on = BlockedOn::Nothing;
        self.cx.out.blockings.push(Blocking { thread, step, blocked, blocked_on, place });
        let progress = self.cx.out.terms.not(stutters);
        path.guard = path.guard.and(&mut self.cx.out.terms, progress);
    }
}
