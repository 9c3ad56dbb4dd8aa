//! Notes what orders accesses of different threads, where happens-before is asked for.
//!
//! Exact, but for atomic accesses that see what their own atomic section has written before: what such a load acquires, and
//! what such an update passes on, is not followed. That can only make accesses race that do not, so it is noted as
//! an approximation.

use raddle_ir::Ordering;
use raddle_logic::term::TermId;

use super::access::{Request, Role};
use super::execute::Executor;
use super::path::{Path, Section};
use crate::execution_graph::events::{Space, StepId, SynchronisationId, SynchronisationKind};

impl Executor<'_, '_> {
    /// Notes that a path comes to something that orders accesses.
    pub(crate) fn synchronise(&mut self, path: &Path, kind: SynchronisationKind) {
        self.note_synchronisation(path, path.guard.term(), kind);
    }

    /// The same under a condition. Before another thread was started there is nothing to order.
    fn note_synchronisation(
        &mut self,
        path: &Path,
        guard: TermId,
        kind: SynchronisationKind,
    ) -> Option<SynchronisationId> {
        let matters = self.out.happens_before && path.forked;
        matters.then(|| self.out.emit(self.thread).synchronise(guard, kind))
    }

    /// Whether what an access sees matters beyond its value.
    pub(crate) fn is_exact(&self, request: &Request) -> bool {
        let orders = match request.role {
            Role::Alone | Role::Update => request.ordering != Ordering::Plain,
            Role::LockWord | Role::Peek(_) => false,
        };
        self.out.happens_before && orders
    }

    /// An atomic load of shared memory was made.
    pub(crate) fn note_load(&mut self, path: &Path, step: StepId, request: Request, shared: TermId) {
        if !self.is_exact(&request) {
            return;
        }
        let mut guard = self.out.terms.and(path.guard.term(), shared);
        for written in path.section.as_ref().map(Section::writes).unwrap_or_default() {
            if written.space != Space::Data {
                continue;
            }
            let same = self.out.terms.eq(written.address, request.address);
            let own = self.out.terms.and(written.guard.term(), same);
            let sees_own = self.out.terms.and(guard, own);
            if self.out.terms.as_bool(sees_own) != Some(false) {
                let what = "atomic accesses to what their own atomic block has written";
                self.report.opaque.push((sees_own, what));
                let other = self.out.terms.not(own);
                guard = self.out.terms.and(guard, other);
            }
        }
        let Request { address, size, ordering, .. } = request;
        self.note_synchronisation(path, guard, SynchronisationKind::Load { step, address, size, ordering });
    }

    /// The load of a read-modify-write of shared memory was made, which writes under a condition.
    pub(crate) fn note_update(
        &mut self,
        path: &Path,
        step: StepId,
        request: Request,
        shared: TermId,
        writes: TermId,
    ) {
        if request.failure == request.ordering {
            self.note_load(path, step, request, shared);
            return;
        }
        let succeeds = self.out.terms.and(shared, writes);
        self.note_load(path, step, request, succeeds);
        let rest = self.out.terms.not(writes);
        let fails = self.out.terms.and(shared, rest);
        self.note_load(path, step, Request { ordering: request.failure, ..request }, fails);
    }

    /// An atomic store to shared memory is to be made.
    pub(crate) fn note_store(
        &mut self,
        path: &Path,
        request: Request,
        shared: TermId,
    ) -> Option<SynchronisationId> {
        if !self.is_exact(&request) {
            return None;
        }
        let guard = self.out.terms.and(path.guard.term(), shared);
        let update = request.role == Role::Update;
        // A block writes each place once: a release sequence that begins and goes on in one block is not followed.
        for written in path.section.as_ref().map(Section::writes).unwrap_or_default() {
            if written.store.is_some() && written.space == Space::Data {
                let same = self.out.terms.eq(written.address, request.address);
                let own = self.out.terms.and(written.guard.term(), same);
                let continues = self.out.terms.and(guard, own);
                if self.out.terms.as_bool(continues) != Some(false) {
                    let what = "atomic stores to what their own atomic block has written";
                    self.report.opaque.push((continues, what));
                }
            }
        }
        let kind = SynchronisationKind::Store { ordering: request.ordering, update };
        self.note_synchronisation(path, guard, kind)
    }

    /// An atomic section of the program has begun, if one has.
    pub(crate) fn note_begin(&mut self, path: &Path) {
        if let Some(step) = outermost(path) {
            self.synchronise(path, SynchronisationKind::Begin(step));
        }
    }

    /// It is about to end.
    pub(crate) fn note_end(&mut self, path: &Path) {
        if let Some(step) = outermost(path) {
            self.synchronise(path, SynchronisationKind::End(step));
        }
    }

    /// A thread ends: so does the atomic block that it is in, however deep.
    pub(crate) fn end_thread(&mut self, path: &mut Path) {
        if let Some(section) = &mut path.section {
            section.depth = 1;
        }
        self.note_end(path);
        self.commit(path);
    }
}

/// The atomic section of the program that a path is in, if no other section is between.
fn outermost(path: &Path) -> Option<StepId> {
    path.section.as_ref().filter(|section| section.depth == 1 && !section.model).map(|section| section.step)
}
