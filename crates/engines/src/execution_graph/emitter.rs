//! How events come into an [`Unrolling`]: thread by thread, step by step, in program order.
//!
//! Producers are the symbolic execution of whole programs and the reader of one observed run. They may have several threads, and
//! in one thread several atomic blocks on different paths, open at the same time; so each call says which step it is about.
//! What is written here keeps the rules of the tables (see [`events`](super::events)); [`Unrolling::flaw`] looks at them once more.
//!
//! A step of one instruction is opened, gets its events, and is closed with the condition under which it was granted. A step that is
//! not closed completes whenever it begins. An atomic block is closed at each of its ends, of which one path reaches at most one;
//! without any it never commits.

use raddle_ir::Type;
use raddle_logic::term::TermId;
use raddle_vm::code::Place;

use super::events::{
    AccessKind, Acquisition, Event, EventId, EventKind, Instance, InstanceId, Step, StepId, StoreOrder, Sync,
    Synchronisation, SynchronisationId, SynchronisationKind, Unrolling,
};

/// Where a thread is when it opens a step.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// Whether it comes here.
    pub guard: TermId,
    /// How many operations it has made.
    pub operations: TermId,
    /// The instruction.
    pub place: Place,
}

/// Writes what one thread does. See the [module](self).
#[derive(Debug)]
pub struct Emitter<'u> {
    unrolling: &'u mut Unrolling,
    thread: InstanceId,
}

impl Unrolling {
    /// A new thread: the main one, or the one that the last fork is about. Its result has the width of a pointer.
    pub fn begin_thread(
        &mut self,
        fork: Option<EventId>,
        started: TermId,
        thread_id: TermId,
        pointer_bits: u32,
    ) -> InstanceId {
        let never = self.terms.bool(false);
        let (result, operations) = (self.terms.bits(0, pointer_bits), self.terms.bits(0, 32));
        debug_assert_eq!(fork.is_none(), self.threads.is_empty(), "all threads but the first are forked");
        let thread = self.threads.0.push(Instance {
            fork,
            started,
            thread_id,
            steps: Vec::new(),
            ended: never,
            result,
            stopped: never,
            operations,
        });
        debug_assert!(
            fork.is_none_or(|fork| matches!(
                self.events[fork].kind,
                EventKind::Sync(Sync::Fork { thread: forked }) if forked == thread
            )),
            "a fork names the thread that it starts"
        );
        thread
    }

    /// Writes what a thread does.
    pub fn emit(&mut self, thread: InstanceId) -> Emitter<'_> {
        Emitter { unrolling: self, thread }
    }
}

impl Emitter<'_> {
    /// A step of one instruction.
    pub fn open_step(&mut self, here: Here, fence: bool) -> StepId {
        let exits = self.unrolling.terms.bool(false);
        let step = self.unrolling.steps.0.push(Step {
            thread: self.thread,
            begun: here.guard,
            completes: here.guard,
            exits,
            events: Vec::new(),
            operations: here.operations,
            fence,
            stores: StoreOrder::Free,
            place: here.place,
        });
        self.unrolling.threads.0[self.thread].steps.push(step);
        step
    }

    /// A step that is an atomic block.
    pub fn open_block(&mut self, here: Here) -> StepId {
        let step = self.open_step(here, true);
        self.step(step).completes = self.unrolling.terms.bool(false);
        step
    }

    /// A step in which nothing happens, with its event: the start of a thread, and its end.
    pub fn mark(&mut self, here: Here) -> StepId {
        let step = self.open_step(here, true);
        self.add(step, here.guard, EventKind::Mark, here.place);
        step
    }

    /// A step of one instruction is over, if the condition holds.
    pub fn close_step(&mut self, step: StepId, completes: TermId, operations: TermId) {
        let step = self.step(step);
        step.completes = completes;
        step.operations = operations;
    }

    /// An atomic block commits at one of its ends, if the condition holds.
    pub fn commit_block(&mut self, step: StepId, commits: TermId, operations: TermId) {
        let terms = &mut self.unrolling.terms;
        let step = &mut self.unrolling.steps.0[step];
        // Where a block has several ends, at most one of them is reached.
        step.operations = match terms.as_bool(step.completes) {
            Some(false) => operations,
            Some(true) | None => terms.ite(commits, operations, step.operations),
        };
        step.completes = terms.or(step.completes, commits);
    }

    /// The process ends within an atomic block, if the condition holds.
    pub fn exit_in_block(&mut self, step: StepId, condition: TermId) {
        let exits = self.unrolling.steps[step].exits;
        self.step(step).exits = self.unrolling.terms.or(exits, condition);
    }

    /// What a step means for the order of stores.
    pub fn order_stores(&mut self, step: StepId, stores: StoreOrder) {
        self.step(step).stores = stores;
    }

    /// An event, behind those that its step has already.
    pub fn add(&mut self, step: StepId, guard: TermId, kind: EventKind, place: Place) -> EventId {
        let event = self.unrolling.events.0.push(Event { step, guard, kind, store: None, place });
        self.step(step).events.push(event);
        event
    }

    /// A write is made by an atomic store.
    pub fn made_by(&mut self, write: EventId, store: Option<SynchronisationId>) {
        self.event(write).store = store;
    }

    /// An event counts only under a stronger condition than the one it was added with: a lock only if it is granted.
    pub fn restrict(&mut self, event: EventId, guard: TermId) {
        self.event(event).guard = guard;
    }

    /// A critical section begins with a lock event: its index.
    pub fn acquire(&mut self, lock: EventId) -> usize {
        debug_assert!(
            matches!(self.event(lock).kind, EventKind::Sync(Sync::Lock { .. })),
            "{lock} takes a lock"
        );
        self.unrolling.acquisitions.0.push(Acquisition { lock, releases: Vec::new() });
        self.unrolling.acquisitions.len() - 1
    }

    /// A critical section may end with an unlock event: exactly if the condition holds.
    pub fn release(&mut self, acquisition: usize, unlock: EventId, condition: TermId) {
        debug_assert!(
            matches!(self.event(unlock).kind, EventKind::Sync(Sync::Unlock { .. })),
            "{unlock} releases a lock"
        );
        self.unrolling.acquisitions.0[acquisition].releases.push((unlock, condition));
    }

    /// Something that orders accesses.
    pub fn synchronise(&mut self, guard: TermId, kind: SynchronisationKind) -> SynchronisationId {
        self.unrolling.synchronisations.0.push(Synchronisation { thread: self.thread, guard, kind })
    }

    /// The thread is started under this condition.
    pub fn start(&mut self, started: TermId) {
        self.unrolling.threads.0[self.thread].started = started;
    }

    /// An assumption, undefined behaviour or a bound stops the thread, if the condition holds.
    pub fn stop(&mut self, condition: TermId) {
        let thread = &mut self.unrolling.threads.0[self.thread];
        thread.stopped = self.unrolling.terms.or(thread.stopped, condition);
    }

    /// The thread comes to its end under this condition, after so many operations.
    pub fn end(&mut self, ended: TermId, result: TermId, operations: TermId) {
        let thread = &mut self.unrolling.threads.0[self.thread];
        thread.ended = ended;
        thread.result = result;
        thread.operations = operations;
    }

    fn step(&mut self, step: StepId) -> &mut Step {
        let step = &mut self.unrolling.steps.0[step];
        debug_assert_eq!(step.thread, self.thread, "a step of another thread");
        step
    }

    fn event(&mut self, event: EventId) -> &mut Event {
        debug_assert_eq!(self.unrolling.thread_of(event), self.thread, "an event of another thread");
        &mut self.unrolling.events.0[event]
    }
}

/// What is known of events only when all of them are.
impl Unrolling {
    /// What a read reads when no write came before, and the input that is asked for then.
    pub fn set_initial(&mut self, read: EventId, first: TermId, asked: Option<Type>) {
        let EventKind::Access { access: AccessKind::Read { initial, uninitialised, .. }, .. } =
            &mut self.events.0[read].kind
        else {
            debug_assert!(false, "{read} reads nothing");
            return;
        };
        *initial = Some(first);
        *uninitialised = asked;
    }

    /// One event becomes several in the same step, all alike but for what they access. The first keeps its id.
    pub fn split_event(&mut self, event: EventId, parts: &[EventKind]) -> Vec<EventId> {
        let Event { step, guard, store, place, .. } = self.events[event];
        let mut ids = Vec::with_capacity(parts.len());
        for (part, &kind) in parts.iter().enumerate() {
            if part == 0 {
                self.events.0[event].kind = kind;
                ids.push(event);
                continue;
            }
            let id = self.events.0.push(Event { step, guard, kind, store, place });
            let listed = &mut self.steps.0[step].events;
            let at = listed.iter().position(|other| *other == event).map_or(listed.len(), |at| at + 1);
            listed.insert(at, id);
            ids.push(id);
        }
        ids
    }
}
