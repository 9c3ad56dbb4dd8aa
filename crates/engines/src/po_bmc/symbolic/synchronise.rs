//! Notes what orders accesses of different threads, where data races are asked for.
//!
//! Exact, but for atomic accesses that read what their own atomic block has written before: what such a load acquires, and
//! what such an update passes on, is not followed. That can only make accesses race that do not, so it is noted as
//! an approximation.

use raddle_ir::Ordering;
use raddle_logic::term::TermId;

use super::atomic_block::AtomicBlock;
use super::context::Context;
use super::memory::{Request, Role};
use super::path::Path;
use crate::execution_graph::events::{Space, StepId, SynchronisationId, SynchronisationKind};

/// Notes that a path comes to something that orders accesses.
pub(crate) fn synchronise(cx: &mut Context<'_, '_>, path: &Path, kind: SynchronisationKind) {
    note_synchronisation(cx, path, path.guard.term(), kind);
}

/// The same under a condition. Before another thread was started there is nothing to order.
fn note_synchronisation(
    cx: &mut Context<'_, '_>,
    path: &Path,
    guard: TermId,
    kind: SynchronisationKind,
) -> Option<SynchronisationId> {
    let matters = cx.options.races && path.forked;
    matters.then(|| cx.emit().synchronise(guard, kind))
}

/// Whether what an access reads from matters beyond its value.
pub(crate) fn is_exact(cx: &Context<'_, '_>, request: &Request) -> bool {
    let orders = match request.role {
        Role::Alone | Role::Update => request.ordering != Ordering::Plain,
        Role::LockWord | Role::Peek(_) => false,
    };
    cx.options.races && orders
}

/// An atomic load of shared memory was made.
pub(crate) fn note_load(
    cx: &mut Context<'_, '_>,
    path: &Path,
    step: StepId,
    request: Request,
    shared: TermId,
) {
    if !is_exact(cx, &request) {
        return;
    }
    let mut guard = cx.out.terms.and(path.guard.term(), shared);
    for written in path.block.as_ref().map(AtomicBlock::writes).unwrap_or_default() {
        if written.location.space != Space::Data {
            continue;
        }
        let same = cx.out.terms.eq(written.location.address, request.address);
        let own = cx.out.terms.and(written.guard.term(), same);
        let sees_own = cx.out.terms.and(guard, own);
        if cx.out.terms.as_bool(sees_own) != Some(false) {
            let what = "atomic accesses to what their own atomic block has written";
            cx.report.havocked.push((sees_own, what));
            let other = cx.out.terms.not(own);
            guard = cx.out.terms.and(guard, other);
        }
    }
    let Request { address, size, ordering, .. } = request;
    note_synchronisation(cx, path, guard, SynchronisationKind::Load { step, address, size, ordering });
}

/// The load of a read-modify-write of shared memory was made, which writes under a condition.
pub(crate) fn note_update(
    cx: &mut Context<'_, '_>,
    path: &Path,
    step: StepId,
    request: Request,
    shared: TermId,
    writes: TermId,
) {
    if request.failure == request.ordering {
        note_load(cx, path, step, request, shared);
        return;
    }
    let succeeds = cx.out.terms.and(shared, writes);
    note_load(cx, path, step, request, succeeds);
    let rest = cx.out.terms.not(writes);
    let fails = cx.out.terms.and(shared, rest);
    note_load(cx, path, step, Request { ordering: request.failure, ..request }, fails);
}

/// An atomic store to shared memory is to be made.
pub(crate) fn note_store(
    cx: &mut Context<'_, '_>,
    path: &Path,
    request: Request,
    shared: TermId,
) -> Option<SynchronisationId> {
    if !is_exact(cx, &request) {
        return None;
    }
    let guard = cx.out.terms.and(path.guard.term(), shared);
    let update = request.role == Role::Update;
    // A block writes each location once: a release sequence that begins and goes on in one block is not followed.
    for written in path.block.as_ref().map(AtomicBlock::writes).unwrap_or_default() {
        if written.store.is_some() && written.location.space == Space::Data {
            let same = cx.out.terms.eq(written.location.address, request.address);
            let own = cx.out.terms.and(written.guard.term(), same);
            let continues = cx.out.terms.and(guard, own);
            if cx.out.terms.as_bool(continues) != Some(false) {
                let what = "atomic stores to what their own atomic block has written";
                cx.report.havocked.push((continues, what));
            }
        }
    }
    let kind = SynchronisationKind::Store { ordering: request.ordering, update };
    note_synchronisation(cx, path, guard, kind)
}

/// An atomic block of the program has begun, if one has.
pub(crate) fn note_begin(cx: &mut Context<'_, '_>, path: &Path) {
    if let Some(step) = outermost(path) {
        synchronise(cx, path, SynchronisationKind::Begin(step));
    }
}

/// It is about to end.
pub(crate) fn note_end(cx: &mut Context<'_, '_>, path: &Path) {
    if let Some(step) = outermost(path) {
        synchronise(cx, path, SynchronisationKind::End(step));
    }
}

/// The atomic block of the program that a path is in, if no other block is between.
fn outermost(path: &Path) -> Option<StepId> {
    path.block.as_ref().filter(|block| block.is_outermost() && !block.is_model()).map(AtomicBlock::step)
}
