//! Synchronisation: atomic blocks, waiting, locks, joining.

use std::rc::Rc;

use raddle_ir::{Operand, Ordering, Type};
use raddle_logic::term::{Sort, TermId};

use super::atomic_block::AtomicBlock;
use super::context::{Context, Flow};
use super::destination::Destination;
use super::memory::{Memory, Request, Role};
use super::path::{Held, Path};
use super::publish::may_touch;
use super::region::{begin_region, end_regions};
use super::shared::flush;
use super::synchronise::{note_end, synchronise};
use crate::execution_graph::events::{BlockedOn, EventId, EventKind, Sync, SynchronisationKind};
use raddle_semantics::View;

/// Bytes of a lock word.
const LOCK_BYTES: u32 = 4;

pub(crate) fn begin_block(cx: &mut Context<'_, '_>, path: &mut Path) {
    let place = cx.point();
    if !cx.world.is_added(place) {
        cx.operation(path);
    }
    if let Some(block) = &mut path.block {
        block.open();
        return;
    }
    let model = cx.world.program.functions[place.function].model;
    let here = cx.here(path);
    let step = cx.emit().open_block(here);
    path.block = Some(AtomicBlock::new(step, model));
}

pub(crate) fn end_block(cx: &mut Context<'_, '_>, path: &mut Path) {
    if !cx.world.is_added(cx.point()) {
        cx.operation(path);
    }
    if path.block.as_mut().is_some_and(AtomicBlock::close) {
        commit(cx, path);
    }
}

/// The atomic block that a path is in, if it is in one, has happened: it comes to its end, or its thread ends in it.
fn commit(cx: &mut Context<'_, '_>, path: &mut Path) {
    let Some(block) = path.block.take() else { return };
    let step = block.step();
    flush(cx, path, &block.writes(), step, None);
    cx.emit().commit_block(step, path.guard.term(), path.operations);
}

/// A thread ends: so does the atomic block that it is in, however deep.
pub(crate) fn end_thread(cx: &mut Context<'_, '_>, path: &mut Path) {
    if let Some(block) = &mut path.block {
        block.close_inner();
    }
    note_end(cx, path);
    commit(cx, path);
}

pub(crate) fn wait(cx: &mut Context<'_, '_>, path: &mut Path, condition: TermId) -> Flow {
    let place = cx.point();
    let refused = cx.out.terms.not(condition);
    let step = match &path.block {
        Some(block) => block.step(),
        None => cx.step(path, true),
    };
    let blocked_on = if cx.world.is_spin(place) { BlockedOn::Nothing } else { BlockedOn::Condition };
    cx.blocking(path, step, refused, blocked_on);
    let flow = cx.restrict(path, condition);
    cx.operation(path);
    cx.complete(path, step);
    flow
}

/// As long as locks are events, their words are no memory: whatever else looks at a word or writes one must be noticed.
pub(crate) fn watch_lock_words(
    cx: &mut Context<'_, '_>,
    path: &Path,
    request: &Request,
    destination: &Destination,
) {
    if !cx.assumed.lock_words_apart.0 || request.role == Role::LockWord {
        return;
    }
    if destination.shared.is_some() {
        cx.report.touched.insert((request.address, request.size));
    }
    for held in path.held.iter() {
        if may_touch(cx, request.address, request.size, held.address) {
            cx.report.touches_lock_words = true;
        }
    }
}

/// The same for a lock in memory that the path knows: its word must be zero unless the thread itself has taken it.
fn watch_own_word(cx: &mut Context<'_, '_>, path: &Path, address: TermId, destination: &Destination) {
    for &(_, object, _) in &destination.own {
        let Some(known) = path.memory.contents(object) else { continue };
        let base = cx.world.base(object);
        let constant = cx.out.terms.as_bits(address);
        let zero = match constant.and_then(|address| u64::try_from(address.wrapping_sub(base)).ok()) {
            Some(at) => {
                let cell = known.peek(at, LOCK_BYTES, &mut cx.out.terms);
                cell.unwritten.is_some() || cx.out.terms.as_bits(cell.value) == Some(0)
            }
            None => false,
        };
        cx.report.touches_lock_words |= !zero;
    }
}

fn lock_request(address: TermId, operand: Operand) -> Request {
    let ordering = Ordering::SequentiallyConsistent;
    Request {
        address,
        operand,
        size: LOCK_BYTES,
        ordering,
        failure: ordering,
        role: Role::LockWord,
        view: View::Value(Type::Int(32)),
    }
}

pub(crate) fn lock(
    cx: &mut Context<'_, '_>,
    memory: &mut Memory,
    path: &mut Path,
    address: TermId,
    operand: Operand,
) -> Flow {
    if !cx.assumed.lock_words_apart.0 {
        return lock_in_memory(cx, memory, path, address, operand);
    }
    cx.operation(path);
    let Some(destination) = memory.destination(cx, path, (address, LOCK_BYTES), true, operand) else {
        return Flow::Ends;
    };
    watch_own_word(cx, path, address, &destination);
    let step = cx.step_for(path, true);
    let held = path.holds(address, &mut cx.out.terms);
    let free = cx.out.terms.not(held);
    let granted = if path.forked {
        let granted = cx.flag("granted");
        let possible = cx.out.terms.implies(granted, free);
        cx.out.constraints.push(possible);
        granted
    } else {
        free
    };
    let guard = path.guard.term();
    let lock = cx.event(step, guard, EventKind::Sync(Sync::Lock { address, granted }));
    let refused = cx.out.terms.not(granted);
    cx.blocking(path, step, refused, BlockedOn::Lock { event: lock, own: held });
    if matches!(cx.restrict(path, granted), Flow::Ends) {
        return Flow::Ends;
    }
    // From here on the event counts only if it was granted.
    cx.emit().restrict(lock, path.guard.term());
    let acquisition = cx.emit().acquire(lock);
    let always = cx.out.terms.bool(true);
    Rc::make_mut(&mut path.held).push(Held { acquisition, address, held: always });
    begin_region(cx, path, address, acquisition, step);
    synchronise(cx, path, SynchronisationKind::Lock(lock));
    cx.complete(path, step);
    Flow::Next
}

/// The lock word is memory like any other: waits for zero, and writes the thread's id plus one.
fn lock_in_memory(
    cx: &mut Context<'_, '_>,
    memory: &mut Memory,
    path: &mut Path,
    address: TermId,
    operand: Operand,
) -> Flow {
    let alone = path.block.is_none();
    if alone {
        open_silently(cx, path);
    }
    let request = lock_request(address, operand);
    let Some(word) = memory.load(cx, path, request) else { return Flow::Ends };
    let zero = cx.out.terms.bits(0, 32);
    let free = cx.out.terms.eq(word, zero);
    let refused = cx.out.terms.not(free);
    let step = path.block.as_ref().expect("it is open").step();
    cx.blocking(path, step, refused, BlockedOn::Condition);
    if matches!(cx.restrict(path, free), Flow::Ends) {
        return Flow::Ends;
    }
    let thread_id = cx.own_thread_id();
    let one = cx.out.terms.bits(1, 32);
    let own = cx.out.terms.add(thread_id, one);
    // The word is written after what giving the lock back released.
    synchronise(cx, path, SynchronisationKind::TakeWord { step, address });
    let counted = path.operations;
    let flow = memory.store(cx, path, request, own);
    path.operations = counted;
    if alone {
        close_silently(cx, path);
    }
    flow
}

/// Opens an atomic block that is no operation of the program.
fn open_silently(cx: &mut Context<'_, '_>, path: &mut Path) {
    let before = path.operations;
    begin_block(cx, path);
    path.operations = before;
    if let Some(block) = &mut path.block {
        block.be_model();
    }
}

fn close_silently(cx: &mut Context<'_, '_>, path: &mut Path) {
    let one = cx.out.terms.bits(1, 32);
    path.operations = cx.out.terms.sub(path.operations, one);
    end_block(cx, path);
}

pub(crate) fn unlock(
    cx: &mut Context<'_, '_>,
    memory: &mut Memory,
    path: &mut Path,
    address: TermId,
    operand: Operand,
) -> Flow {
    if !cx.assumed.lock_words_apart.0 {
        let request = lock_request(address, operand);
        let zero = cx.out.terms.bits(0, 32);
        let model = path.block.is_none();
        if model {
            open_silently(cx, path);
        }
        let flow = memory.store(cx, path, request, zero);
        let step = path.block.as_ref().expect("it is open").step();
        synchronise(cx, path, SynchronisationKind::GiveWord { step, address });
        if model && matches!(flow, Flow::Next) {
            close_silently(cx, path);
        }
        return flow;
    }
    cx.operation(path);
    if memory.destination(cx, path, (address, LOCK_BYTES), true, operand).is_none() {
        return Flow::Ends;
    }
    let holds = path.holds(address, &mut cx.out.terms);
    if path.forked && cx.out.terms.as_bool(holds) != Some(true) && !path.guard.implies(holds) {
        cx.report.touches_lock_words = true;
    }
    let step = cx.step_for(path, true);
    end_regions(cx, path, address, step);
    let guard = path.guard.term();
    let unlock = cx.event(step, guard, EventKind::Sync(Sync::Unlock { address }));
    synchronise(cx, path, SynchronisationKind::Unlock(unlock));
    let mut held = Vec::clone(&path.held);
    for entry in &mut held {
        let terms = &mut cx.out.terms;
        let same = terms.eq(entry.address, address);
        let this = terms.and(same, entry.held);
        let releases = terms.and(guard, this);
        if terms.as_bool(releases) != Some(false) {
            cx.emit().release(entry.acquisition, unlock, releases);
        }
        let terms = &mut cx.out.terms;
        let different = terms.not(same);
        entry.held = terms.and(entry.held, different);
    }
    held.retain(|entry| cx.out.terms.as_bool(entry.held) != Some(false));
    path.held = Rc::new(held);
    cx.complete(path, step);
    Flow::Next
}

/// Whether the thread holds a lock, or whether nobody does.
pub(crate) fn lock_state(
    cx: &mut Context<'_, '_>,
    memory: &mut Memory,
    path: &mut Path,
    address: TermId,
    operand: Operand,
    holds: bool,
) -> Option<TermId> {
    if !cx.assumed.lock_words_apart.0 {
        let model = path.block.is_none();
        if model {
            open_silently(cx, path);
        }
        let request = lock_request(address, operand);
        let word = memory.load(cx, path, request)?;
        let wanted = if holds {
            let thread_id = cx.own_thread_id();
            let one = cx.out.terms.bits(1, 32);
            cx.out.terms.add(thread_id, one)
        } else {
            cx.out.terms.bits(0, 32)
        };
        if model {
            close_silently(cx, path);
        }
        return Some(cx.out.terms.eq(word, wanted));
    }
    cx.operation(path);
    let destination = memory.destination(cx, path, (address, LOCK_BYTES), false, operand)?;
    watch_own_word(cx, path, address, &destination);
    let held = path.holds(address, &mut cx.out.terms);
    if holds {
        return Some(held);
    }
    if !path.forked {
        return Some(cx.out.terms.not(held));
    }
    let free = cx.flag("free");
    let step = cx.step_for(path, true);
    let guard = path.guard.term();
    cx.event(step, guard, EventKind::Sync(Sync::LockIsFree { address, free }));
    cx.complete(path, step);
    Some(free)
}

/// Waits for a thread's end and gives its result.
pub(crate) fn join(cx: &mut Context<'_, '_>, path: &mut Path, thread_id: TermId) -> Option<TermId> {
    cx.operation(path);
    let bits = cx.pointer_bits();
    let thread_id = cx.out.terms.resize(thread_id, 32, false);
    if !path.forked {
        // There is nobody who could end.
        let always = cx.out.terms.bool(true);
        let step = cx.step_for(path, true);
        cx.blocking(path, step, always, BlockedOn::Condition);
        return None;
    }
    let step = cx.step_for(path, true);
    let granted = cx.flag("joined");
    let result = cx.out.terms.fresh("result", Sort::BitVec(bits));
    let guard = path.guard.term();
    let join = Sync::Join { thread_id, granted, result };
    let event: EventId = cx.event(step, guard, EventKind::Sync(join));
    let refused = cx.out.terms.not(granted);
    cx.blocking(path, step, refused, BlockedOn::Join(event));
    if matches!(cx.restrict(path, granted), Flow::Ends) {
        return None;
    }
    synchronise(cx, path, SynchronisationKind::Join(event));
    cx.complete(path, step);
    Some(result)
}

pub(crate) fn thread_exists(cx: &mut Context<'_, '_>, path: &mut Path, thread_id: TermId) -> TermId {
    cx.operation(path);
    let thread_id = cx.out.terms.resize(thread_id, 32, false);
    let main = cx.out.threads[cx.thread()].fork.is_none();
    if cx.assumed.fixed_thread_ids.0 && main {
        // Only this thread starts others, and it counts them.
        return cx.out.terms.ule(thread_id, path.forks);
    }
    let own = cx.out.threads[cx.thread()].thread_id;
    let zero = cx.out.terms.bits(0, 32);
    if thread_id == own || thread_id == zero {
        return cx.out.terms.bool(true);
    }
    let exists = cx.flag("exists");
    let step = cx.step_for(path, true);
    let guard = path.guard.term();
    cx.event(step, guard, EventKind::Sync(Sync::ThreadExists { thread_id, exists }));
    cx.complete(path, step);
    exists
}
