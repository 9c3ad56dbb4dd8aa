//! Synchronisation: atomic sections, waiting, locks, joining.

use std::rc::Rc;

use raddle_ir::{Operand, Type};
use raddle_logic::term::TermId;

use super::access::{Request, Role};
use super::execute::{Executor, Flow, push};
use super::path::{Held, Path, Section};
use super::pointer::Destination;
use crate::execution_graph::events::{
    BlockedOn, Blocking, EventId, EventKind, StepId, Sync, SynchronisationKind,
};
use crate::semantics::View;

/// Bytes of a lock word.
const LOCK_BYTES: u32 = 4;

impl Executor<'_, '_> {
    pub(crate) fn begin_section(&mut self, path: &mut Path) {
        let place = self.place();
        if !self.world.is_added(place) {
            self.operation(path);
        }
        if let Some(section) = &mut path.section {
            section.depth += 1;
            return;
        }
        let model = self.world.program.functions[place.function].model;
        let here = self.here(path);
        let step = self.out.emit(self.thread).open_block(here);
        path.section = Some(Section {
            step,
            depth: 1,
            model,
            inputs: false,
            acquisition: None,
            log: None,
            reads: Rc::default(),
        });
    }

    pub(crate) fn end_section(&mut self, path: &mut Path) {
        if !self.world.is_added(self.place()) {
            self.operation(path);
        }
        let Some(section) = &mut path.section else { return };
        section.depth -= 1;
        if section.depth == 0 {
            self.commit(path);
        }
    }

    /// The atomic block that a path is in, if it is in one, has happened: it comes to its end, or its thread ends in it.
    pub(crate) fn commit(&mut self, path: &mut Path) {
        let Some(section) = path.section.take() else { return };
        let (id, writes) = (section.step, section.writes());
        self.flush(path, &writes, id, None);
        self.out.emit(self.thread).commit_block(id, path.guard.term(), path.operations);
    }

    fn blocking(&mut self, path: &Path, step: StepId, refused: TermId, blocked_on: BlockedOn) {
        let blocked = self.out.terms.and(path.guard.term(), refused);
        if self.out.terms.as_bool(blocked) == Some(false) {
            return;
        }
        let uncertain = path.section.as_ref().is_some_and(|section| section.inputs);
        let blocked_on = if uncertain { BlockedOn::Nothing } else { blocked_on };
        let place = self.place();
        self.out.blockings.push(Blocking { thread: self.thread, step, blocked, blocked_on, place });
    }

    pub(crate) fn wait(&mut self, path: &mut Path, condition: TermId) -> Flow {
        let place = self.place();
        let refused = self.out.terms.not(condition);
        let step = match &path.section {
            Some(section) => section.step,
            None => self.step(path, true),
        };
        let blocked_on = if self.world.is_spin(place) { BlockedOn::Nothing } else { BlockedOn::Condition };
        self.blocking(path, step, refused, blocked_on);
        let flow = self.restrict(path, condition);
        self.operation(path);
        self.complete(path, step);
        flow
    }

    /// As long as locks are events, their words are no memory: whatever else looks at a word or writes one must be noticed.
    pub(crate) fn watch_lock_words(&mut self, path: &Path, request: &Request, destination: &Destination) {
        if !self.assumed.lock_words_apart.0 || request.role == Role::LockWord {
            return;
        }
        if destination.shared.is_some() {
            self.report.touched.insert((request.address, request.size));
        }
        for held in path.held.iter() {
            if self.may_touch(request.address, request.size, held.address) {
                self.report.touches_lock_words = true;
            }
        }
    }

    /// The same for a lock in memory that the path knows: its word must be zero unless the thread itself has taken it.
    fn watch_own_word(&mut self, path: &Path, address: TermId, destination: &Destination) {
        for &(_, object, _) in &destination.own {
            let Some(known) = path.memory.contents(object) else { continue };
            let base = self.world.base(object);
            let constant = self.out.terms.as_bits(address);
            let zero = match constant.and_then(|address| u64::try_from(address.wrapping_sub(base)).ok()) {
                Some(at) => {
                    let cell = known.peek(at, LOCK_BYTES, &mut self.out.terms);
                    cell.unwritten.is_some() || self.out.terms.as_bits(cell.value) == Some(0)
                }
                None => false,
            };
            self.report.touches_lock_words |= !zero;
        }
    }

    fn lock_request(&self, address: TermId, operand: Operand) -> Request {
        let ordering = raddle_ir::Ordering::SequentiallyConsistent;
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

    pub(crate) fn lock(&mut self, path: &mut Path, address: TermId, operand: Operand) -> Flow {
        if !self.assumed.lock_words_apart.0 {
            return self.lock_in_memory(path, address, operand);
        }
        self.operation(path);
        let Some(destination) = self.destination(path, address, LOCK_BYTES, true, operand) else {
            return Flow::Ends;
        };
        self.watch_own_word(path, address, &destination);
        let step = self.step_for(path, true);
        let held = path.holds(address, &mut self.out.terms);
        let free = self.out.terms.not(held);
        let granted = if path.forked {
            let granted = self.flag("granted");
            let possible = self.out.terms.implies(granted, free);
            self.out.constraints.push(possible);
            granted
        } else {
            free
        };
        let guard = path.guard.term();
        let lock = self.event(step, guard, EventKind::Sync(Sync::Lock { address, granted }));
        let refused = self.out.terms.not(granted);
        self.blocking(path, step, refused, BlockedOn::Lock { event: lock, own: held });
        if matches!(self.restrict(path, granted), Flow::Ends) {
            return Flow::Ends;
        }
        // From here on the event counts only if it was granted.
        self.out.emit(self.thread).restrict(lock, path.guard.term());
        let acquisition = self.out.emit(self.thread).acquire(lock);
        let always = self.out.terms.bool(true);
        push(&mut path.held, Held { acquisition, address, held: always });
        self.begin_region(path, address, acquisition, step);
        self.synchronise(path, SynchronisationKind::Lock(lock));
        self.complete(path, step);
        Flow::Next
    }

    /// The lock word is memory like any other: waits for zero, and writes the thread's number plus one.
    fn lock_in_memory(&mut self, path: &mut Path, address: TermId, operand: Operand) -> Flow {
        let alone = path.section.is_none();
        if alone {
            self.open_silently(path);
        }
        let request = self.lock_request(address, operand);
        let Some(word) = self.load(path, request) else { return Flow::Ends };
        let zero = self.out.terms.bits(0, 32);
        let free = self.out.terms.eq(word, zero);
        let refused = self.out.terms.not(free);
        let step = path.section.as_ref().expect("it is open").step;
        self.blocking(path, step, refused, BlockedOn::Condition);
        if matches!(self.restrict(path, free), Flow::Ends) {
            return Flow::Ends;
        }
        self.knows_its_number();
        let number = self.out.threads[self.thread].thread_id;
        let one = self.out.terms.bits(1, 32);
        let own = self.out.terms.add(number, one);
        // The word is written after what giving the lock back released.
        self.synchronise(path, SynchronisationKind::TakeWord { step, address });
        let counted = path.operations;
        let flow = self.store(path, request, own);
        path.operations = counted;
        if alone {
            self.close_silently(path);
        }
        flow
    }

    /// Opens a section that is no operation of the program.
    fn open_silently(&mut self, path: &mut Path) {
        let before = path.operations;
        self.begin_section(path);
        path.operations = before;
        if let Some(section) = &mut path.section {
            section.model = true;
        }
    }

    fn close_silently(&mut self, path: &mut Path) {
        let one = self.out.terms.bits(1, 32);
        path.operations = self.out.terms.sub(path.operations, one);
        self.end_section(path);
    }

    pub(crate) fn unlock(&mut self, path: &mut Path, address: TermId, operand: Operand) -> Flow {
        if !self.assumed.lock_words_apart.0 {
            let request = self.lock_request(address, operand);
            let zero = self.out.terms.bits(0, 32);
            let model = path.section.is_none();
            if model {
                self.open_silently(path);
            }
            let flow = self.store(path, request, zero);
            let step = path.section.as_ref().expect("it is open").step;
            self.synchronise(path, SynchronisationKind::GiveWord { step, address });
            if model && matches!(flow, Flow::Next) {
                self.close_silently(path);
            }
            return flow;
        }
        self.operation(path);
        if self.destination(path, address, LOCK_BYTES, true, operand).is_none() {
            return Flow::Ends;
        }
        let holds = path.holds(address, &mut self.out.terms);
        if path.forked && self.out.terms.as_bool(holds) != Some(true) && !path.guard.implies(holds) {
            self.report.touches_lock_words = true;
        }
        let step = self.step_for(path, true);
        self.end_regions(path, address, step);
        let guard = path.guard.term();
        let unlock = self.event(step, guard, EventKind::Sync(Sync::Unlock { address }));
        self.synchronise(path, SynchronisationKind::Unlock(unlock));
        let mut held = Vec::clone(&path.held);
        for entry in &mut held {
            let terms = &mut self.out.terms;
            let same = terms.eq(entry.address, address);
            let this = terms.and(same, entry.held);
            let releases = terms.and(guard, this);
            if terms.as_bool(releases) != Some(false) {
                self.out.emit(self.thread).release(entry.acquisition, unlock, releases);
            }
            let terms = &mut self.out.terms;
            let different = terms.not(same);
            entry.held = terms.and(entry.held, different);
        }
        held.retain(|entry| self.out.terms.as_bool(entry.held) != Some(false));
        path.held = Rc::new(held);
        self.complete(path, step);
        Flow::Next
    }

    /// Whether the thread holds a lock, or whether nobody does.
    pub(crate) fn lock_state(
        &mut self,
        path: &mut Path,
        address: TermId,
        operand: Operand,
        holds: bool,
    ) -> Option<TermId> {
        if !self.assumed.lock_words_apart.0 {
            let model = path.section.is_none();
            if model {
                self.open_silently(path);
            }
            let request = self.lock_request(address, operand);
            let word = self.load(path, request)?;
            let wanted = if holds {
                self.knows_its_number();
                let number = self.out.threads[self.thread].thread_id;
                let one = self.out.terms.bits(1, 32);
                self.out.terms.add(number, one)
            } else {
                self.out.terms.bits(0, 32)
            };
            if model {
                self.close_silently(path);
            }
            return Some(self.out.terms.eq(word, wanted));
        }
        self.operation(path);
        let destination = self.destination(path, address, LOCK_BYTES, false, operand)?;
        self.watch_own_word(path, address, &destination);
        let held = path.holds(address, &mut self.out.terms);
        if holds {
            return Some(held);
        }
        if !path.forked {
            return Some(self.out.terms.not(held));
        }
        let free = self.flag("free");
        let step = self.step_for(path, true);
        let guard = path.guard.term();
        self.event(step, guard, EventKind::Sync(Sync::LockIsFree { address, free }));
        self.complete(path, step);
        Some(free)
    }

    /// Waits for a thread's end and gives its result.
    pub(crate) fn join(&mut self, path: &mut Path, number: TermId) -> Option<TermId> {
        self.operation(path);
        let bits = self.pointer_bits();
        let number = self.out.terms.resize(number, 32, false);
        if !path.forked {
            // There is nobody who could end.
            let always = self.out.terms.bool(true);
            let step = self.step_for(path, true);
            self.blocking(path, step, always, BlockedOn::Condition);
            return None;
        }
        let step = self.step_for(path, true);
        let granted = self.flag("joined");
        let result = self.out.terms.fresh("result", raddle_logic::term::Sort::BitVec(bits));
        let guard = path.guard.term();
        let join = Sync::Join { thread_id: number, granted, result };
        let event: EventId = self.event(step, guard, EventKind::Sync(join));
        let refused = self.out.terms.not(granted);
        self.blocking(path, step, refused, BlockedOn::Join(event));
        if matches!(self.restrict(path, granted), Flow::Ends) {
            return None;
        }
        self.synchronise(path, SynchronisationKind::Join(event));
        self.complete(path, step);
        Some(result)
    }

    pub(crate) fn thread_exists(&mut self, path: &mut Path, number: TermId) -> TermId {
        self.operation(path);
        let number = self.out.terms.resize(number, 32, false);
        let main = self.out.threads[self.thread].fork.is_none();
        if self.assumed.fixed_thread_ids.0 && main {
            // Only this thread starts others, and it counts them.
            return self.out.terms.ule(number, path.forks);
        }
        let own = self.out.threads[self.thread].thread_id;
        let zero = self.out.terms.bits(0, 32);
        if number == own || number == zero {
            return self.out.terms.bool(true);
        }
        let exists = self.flag("exists");
        let step = self.step_for(path, true);
        let guard = path.guard.term();
        self.event(step, guard, EventKind::Sync(Sync::ThreadExists { thread_id: number, exists }));
        self.complete(path, step);
        exists
    }
}
