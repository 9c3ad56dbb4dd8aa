//! Makes unrollings by hand.

use raddle_base::Id;
use raddle_ir::{BlockId, FunctionId, Ordering};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_vm::code::Place;

use crate::execution_graph::emitter::{Emitter, Here};
use crate::execution_graph::events::{
    Access, AccessKind, BlockedOn, Blocking, Event, EventId, EventKind, InstanceId, Location, Space, StepId,
    StoreOrder, Sync, SynchronisationId, SynchronisationKind, Unrolling,
};

pub(super) const MAIN: usize = 0;
/// Addresses have so many bits.
pub(super) const ADDRESS_WIDTH: u32 = 8;

/// A thread that is being made.
#[derive(Debug)]
struct Open {
    /// Whether it comes to where we are.
    here: TermId,
    /// The block that is open.
    block: Option<StepId>,
    stopped: TermId,
}

/// An unrolling that is being made. Values are bytes.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) unrolling: Unrolling,
    open: Vec<Open>,
    /// How many synchronisations were noted before each event.
    synchronised: Vec<usize>,
}

pub(super) fn place() -> Place {
    Place { function: FunctionId::from_index(0), block: BlockId::from_index(0), index: 0 }
}

impl Builder {
    /// With a main thread.
    pub(super) fn new() -> Self {
        let mut builder =
            Self { unrolling: Unrolling::new(Terms::new()), open: Vec::new(), synchronised: Vec::new() };
        let started = builder.terms().bool(true);
        builder.add_thread(None, started);
        builder
    }

    /// With a main thread that starts some others at once: threads 1 to `count`.
    pub(super) fn with_threads(count: usize) -> Self {
        let mut builder = Self::new();
        for _ in 0..count {
            builder.fork(MAIN);
        }
        builder
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        &mut self.unrolling.terms
    }

    pub(super) fn byte(&mut self, value: u128) -> TermId {
        self.terms().bits(value, 8)
    }

    pub(super) fn address(&mut self, value: u128) -> TermId {
        self.terms().bits(value, ADDRESS_WIDTH)
    }

    pub(super) fn input(&mut self, name: &str) -> TermId {
        self.terms().symbol(name, Sort::Bool)
    }

    /// Whether a value is this.
    pub(super) fn is(&mut self, value: TermId, expected: u128) -> TermId {
        let width = self.terms().width(value);
        let expected = self.terms().bits(expected, width);
        self.terms().eq(value, expected)
    }

    fn add_thread(&mut self, fork: Option<EventId>, started: TermId) -> usize {
        let index = self.open.len();
        let number = self.terms().bits(index as u128, 32);
        let no = self.terms().bool(false);
        // Results are bytes.
        self.unrolling.begin_thread(fork, started, number, 8);
        self.open.push(Open { here: started, block: None, stopped: no });
        self.event(index, EventKind::Mark, true);
        index
    }

    fn id(thread: usize) -> InstanceId {
        InstanceId::from_index(thread)
    }

    pub(super) fn here(&self, thread: usize) -> TermId {
        self.open[thread].here
    }

    /// An event in the open block, or in a step of its own.
    pub(super) fn event(&mut self, thread: usize, kind: EventKind, fence: bool) -> EventId {
        let guard = self.open[thread].here;
        let step = match self.open[thread].block {
            Some(step) => step,
            None => self.step(thread, fence),
        };
        self.synchronised.push(self.unrolling.synchronisations.len());
        self.emit(thread).add(step, guard, kind, place())
    }

    fn step(&mut self, thread: usize, fence: bool) -> StepId {
        let operations = self.terms().bits(0, 32);
        let here = Here { guard: self.open[thread].here, operations, place: place() };
        self.emit(thread).open_step(here, fence)
    }

    fn emit(&mut self, thread: usize) -> Emitter<'_> {
        self.unrolling.emit(Self::id(thread))
    }

    /// The step completes if the thread comes here.
    fn complete(&mut self, thread: usize, step: StepId) {
        let here = self.open[thread].here;
        let operations = self.terms().bits(0, 32);
        self.emit(thread).close_step(step, here, operations);
    }

    /// Opens an atomic block.
    pub(super) fn begin(&mut self, thread: usize) {
        assert!(self.open[thread].block.is_none(), "blocks do not nest");
        self.open[thread].block = Some(self.step(thread, true));
    }

    /// Closes it: it completes if the thread comes here.
    pub(super) fn end(&mut self, thread: usize) {
        let step = self.open[thread].block.take().expect("a block is open");
        self.complete(thread, step);
    }

    /// The thread goes on only if the condition holds.
    pub(super) fn assume(&mut self, thread: usize, condition: TermId) {
        let here = self.open[thread].here;
        let negated = self.terms().not(condition);
        let stops = self.terms().and(here, negated);
        let stopped = self.open[thread].stopped;
        self.open[thread].stopped = self.terms().or(stopped, stops);
        self.open[thread].here = self.terms().and(here, condition);
    }

    /// What follows happens only under a condition.
    pub(super) fn begin_branch(&mut self, thread: usize, condition: TermId) {
        let here = self.open[thread].here;
        self.open[thread].here = self.terms().and(here, condition);
    }

    /// Both branches meet again; `before` is where the condition was met.
    pub(super) fn end_branch(&mut self, thread: usize, before: TermId, condition: TermId) {
        let negated = self.terms().not(condition);
        let skipped = self.terms().and(before, negated);
        let after = self.open[thread].here;
        self.open[thread].here = self.terms().or(after, skipped);
    }

    /// One body if the condition holds, the other if not.
    pub(super) fn branch(
        &mut self,
        thread: usize,
        condition: TermId,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let before = self.here(thread);
        self.begin_branch(thread, condition);
        yes(self);
        let after_yes = self.here(thread);
        let negated = self.terms().not(condition);
        self.open[thread].here = self.terms().and(before, negated);
        no(self);
        let after_no = self.here(thread);
        self.open[thread].here = self.terms().or(after_yes, after_no);
    }

    /// Events under a condition; afterwards both branches meet.
    pub(super) fn when(&mut self, thread: usize, condition: TermId, body: impl FnOnce(&mut Self)) {
        let before = self.here(thread);
        self.begin_branch(thread, condition);
        body(self);
        self.end_branch(thread, before, condition);
    }

    pub(super) fn write_at(&mut self, thread: usize, address: TermId, value: TermId) -> EventId {
        let location = Location { space: Space::Data, address, size: 1 };
        self.event(thread, EventKind::Access { location, access: AccessKind::Write { value } }, false)
    }

    pub(super) fn write(&mut self, thread: usize, address: u128, value: u128) -> EventId {
        let (address, value) = (self.address(address), self.byte(value));
        self.write_at(thread, address, value)
    }

    pub(super) fn read_at(&mut self, thread: usize, address: TermId) -> TermId {
        let value = self.terms().fresh("read", Sort::BitVec(8));
        let initial = Some(self.byte(0));
        let location = Location { space: Space::Data, address, size: 1 };
        let access = AccessKind::Read { value, initial, uninitialised: None };
        self.event(thread, EventKind::Access { location, access }, false);
        value
    }

    pub(super) fn read(&mut self, thread: usize, address: u128) -> TermId {
        let address = self.address(address);
        self.read_at(thread, address)
    }

    /// Notes the last event of a thread, at that address, as an access that may race.
    pub(super) fn access(&mut self, event: EventId, ordering: Ordering) {
        let Event { step, guard, kind, .. } = self.unrolling.events[event];
        let Location { address, size, .. } = kind.accessed().expect("an access");
        let writes = kind.written().is_some();
        let synchronised = self.synchronised[event.index()];
        let place = place();
        self.unrolling.accesses.push(Access {
            step,
            guard,
            address,
            size,
            writes,
            ordering,
            in_block: false,
            synchronised,
            place,
        });
    }

    /// Notes something that orders accesses, where the thread is.
    fn note(&mut self, thread: usize, kind: SynchronisationKind) -> SynchronisationId {
        let guard = self.open[thread].here;
        self.emit(thread).synchronise(guard, kind)
    }

    /// Notes an access to what the event touches, as one that is in no block.
    fn note_access(&mut self, event: EventId, ordering: Ordering) {
        self.access(event, ordering);
        let access = self.unrolling.accesses.last_mut().expect("just noted");
        access.synchronised = self.unrolling.synchronisations.len();
    }

    fn last_event(&self) -> EventId {
        EventId::from_index(self.unrolling.events.len() - 1)
    }

    fn note_load(&mut self, thread: usize, ordering: Ordering) {
        let event = self.last_event();
        self.note_access(event, ordering);
        let Event { step, kind, .. } = self.unrolling.events[event];
        if let Some(Location { address, size, .. }) = kind.read()
            && ordering != Ordering::Plain
        {
            self.note(thread, SynchronisationKind::Load { step, address, size, ordering });
        }
    }

    fn note_store(&mut self, thread: usize, event: EventId, ordering: Ordering, update: bool) {
        self.note_access(event, ordering);
        if ordering != Ordering::Plain {
            let store = self.note(thread, SynchronisationKind::Store { ordering, update });
            self.emit(thread).made_by(event, Some(store));
        }
    }

    /// A load as the program makes it.
    pub(super) fn load(&mut self, thread: usize, address: u128, ordering: Ordering) -> TermId {
        let value = self.read(thread, address);
        self.note_load(thread, ordering);
        value
    }

    /// A store as the program makes it.
    pub(super) fn store(&mut self, thread: usize, address: u128, value: u128, ordering: Ordering) {
        let event = self.write(thread, address, value);
        if ordering == Ordering::SequentiallyConsistent {
            let step = self.unrolling.events[event].step;
            self.unrolling.steps.0[step].fence = true;
        } else if ordering == Ordering::Release && self.open[thread].block.is_none() {
            self.make_last(event);
        }
        self.note_store(thread, event, ordering, false);
    }

    /// An atomic addition of one, as the program makes it: what it read.
    pub(super) fn add_one(&mut self, thread: usize, address: u128, ordering: Ordering) -> TermId {
        let outside = self.open[thread].block.is_none();
        if outside {
            self.begin(thread);
        }
        let old = self.read(thread, address);
        self.note_load(thread, ordering);
        let one = self.byte(1);
        let new = self.terms().add(old, one);
        let address = self.address(address);
        let event = self.write_at(thread, address, new);
        self.note_store(thread, event, ordering, true);
        if outside {
            self.end(thread);
        }
        old
    }

    /// A fence of memory order.
    pub(super) fn order_fence(&mut self, thread: usize, ordering: Ordering) {
        match ordering {
            Ordering::SequentiallyConsistent => self.fence(thread),
            Ordering::Release | Ordering::AcquireRelease => self.store_fence(thread),
            Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => {}
        }
        self.note(thread, SynchronisationKind::Fence(ordering));
    }

    /// Opens an atomic block of the program.
    pub(super) fn begin_program_block(&mut self, thread: usize) {
        self.begin(thread);
        let step = self.open[thread].block.expect("just begun");
        self.note(thread, SynchronisationKind::Begin(step));
    }

    /// Closes it.
    pub(super) fn end_program_block(&mut self, thread: usize) {
        let step = self.open[thread].block.expect("it was begun");
        self.note(thread, SynchronisationKind::End(step));
        self.end(thread);
    }

    /// Notes all reads and writes as plain accesses.
    pub(super) fn access_all(&mut self) {
        for event in self.unrolling.events.ids() {
            if self.unrolling.events[event].kind.accessed().is_some() {
                self.access(event, Ordering::Plain);
            }
        }
    }

    pub(super) fn fence(&mut self, thread: usize) {
        self.event(thread, EventKind::Mark, true);
    }

    /// The step of an event is a store that becomes visible last.
    pub(super) fn make_last(&mut self, event: EventId) {
        let step = self.unrolling.events[event].step;
        self.unrolling.steps.0[step].stores = StoreOrder::Last;
    }

    /// Stores before it become visible before those behind it.
    pub(super) fn store_fence(&mut self, thread: usize) {
        let step = self.step(thread, false);
        self.emit(thread).order_stores(step, StoreOrder::Fence);
    }

    /// A read-modify-write that adds one: what it read.
    pub(super) fn increment(&mut self, thread: usize, address: u128) -> TermId {
        self.begin(thread);
        let old = self.read(thread, address);
        let one = self.byte(1);
        let new = self.terms().add(old, one);
        let address = self.address(address);
        self.write_at(thread, address, new);
        self.end(thread);
        old
    }

    /// Takes a lock: the index of its acquisition, and whether it is granted.
    pub(super) fn lock_at(&mut self, thread: usize, address: TermId) -> (usize, TermId) {
        let granted = self.terms().fresh("granted", Sort::Bool);
        let lock = self.event(thread, EventKind::Sync(Sync::Lock { address, granted }), true);
        let step = self.unrolling.events[lock].step;
        let here = self.open[thread].here;
        let refused = self.terms().not(granted);
        let blocked = self.terms().and(here, refused);
        let own = self.holds(thread, address);
        self.unrolling.blockings.push(Blocking {
            thread: Self::id(thread),
            step,
            blocked,
            blocked_on: BlockedOn::Lock { event: lock, own },
            place: place(),
        });
        self.open[thread].here = self.terms().and(here, granted);
        if self.open[thread].block.is_none() {
            self.complete(thread, step);
        }
        let acquisition = self.emit(thread).acquire(lock);
        self.note(thread, SynchronisationKind::Lock(lock));
        (acquisition, granted)
    }

    /// Whether a thread has a lock, as it knows itself.
    fn holds(&mut self, thread: usize, address: TermId) -> TermId {
        let mut held = Vec::new();
        for place in 0..self.unrolling.acquisitions.len() {
            let acquisition = self.unrolling.acquisitions[place].clone();
            let Event { step, guard, kind, .. } = self.unrolling.events[acquisition.lock];
            let EventKind::Sync(Sync::Lock { address: taken, granted }) = kind else { panic!("a lock") };
            if self.unrolling.steps[step].thread == Self::id(thread) {
                let terms = self.terms();
                let released = terms.or_all(acquisition.releases.iter().map(|&(_, condition)| condition));
                let kept = terms.not(released);
                let same = terms.eq(taken, address);
                held.push(terms.and_all([guard, granted, kept, same]));
            }
        }
        self.terms().or_all(held)
    }

    pub(super) fn lock(&mut self, thread: usize, address: u128) -> (usize, TermId) {
        let address = self.address(address);
        self.lock_at(thread, address)
    }

    /// Releases an acquisition.
    pub(super) fn unlock(&mut self, thread: usize, acquisition: usize) {
        let lock = self.unrolling.acquisitions[acquisition].lock;
        let address = self.unrolling.events[lock].kind.lock_word().expect("a lock");
        let unlock = self.event(thread, EventKind::Sync(Sync::Unlock { address }), true);
        self.note(thread, SynchronisationKind::Unlock(unlock));
        let here = self.open[thread].here;
        self.emit(thread).release(acquisition, unlock, here);
    }

    pub(super) fn is_free(&mut self, thread: usize, address: u128) -> TermId {
        let address = self.address(address);
        let free = self.terms().fresh("free", Sort::Bool);
        self.event(thread, EventKind::Sync(Sync::LockIsFree { address, free }), true);
        free
    }

    /// Starts a thread.
    pub(super) fn fork(&mut self, thread: usize) -> usize {
        let child = self.open.len();
        let fork = self.event(thread, EventKind::Sync(Sync::Fork { thread: Self::id(child) }), true);
        let started = self.unrolling.effective(fork);
        self.note(thread, SynchronisationKind::Fork(fork));
        self.add_thread(Some(fork), started)
    }

    /// Waits for a thread's end: whether it is granted, and the thread's result.
    pub(super) fn join_id(&mut self, thread: usize, thread_id: TermId) -> (TermId, TermId) {
        let granted = self.terms().fresh("joined", Sort::Bool);
        let result = self.terms().fresh("result", Sort::BitVec(8));
        let kind = EventKind::Sync(Sync::Join { thread_id, granted, result });
        let join = self.event(thread, kind, true);
        let step = self.unrolling.events[join].step;
        let here = self.open[thread].here;
        let refused = self.terms().not(granted);
        let blocked = self.terms().and(here, refused);
        self.unrolling.blockings.push(Blocking {
            thread: Self::id(thread),
            step,
            blocked,
            blocked_on: BlockedOn::Join(join),
            place: place(),
        });
        self.open[thread].here = self.terms().and(here, granted);
        self.complete(thread, step);
        self.note(thread, SynchronisationKind::Join(join));
        (granted, result)
    }

    pub(super) fn join(&mut self, thread: usize, joined: usize) -> (TermId, TermId) {
        let thread_id = self.terms().bits(joined as u128, 32);
        self.join_id(thread, thread_id)
    }

    pub(super) fn exists(&mut self, thread: usize, thread_id: TermId) -> TermId {
        let exists = self.terms().fresh("exists", Sort::Bool);
        self.event(thread, EventKind::Sync(Sync::ThreadExists { thread_id, exists }), true);
        exists
    }

    /// Waits, in a block of its own, until a location has a value.
    pub(super) fn wait_until(&mut self, thread: usize, address: u128, value: u128) {
        self.begin(thread);
        let seen = self.read(thread, address);
        let right = self.is(seen, value);
        let here = self.open[thread].here;
        let wrong = self.terms().not(right);
        let blocked = self.terms().and(here, wrong);
        let step = self.open[thread].block.expect("it was begun");
        self.unrolling.blockings.push(Blocking {
            thread: Self::id(thread),
            step,
            blocked,
            blocked_on: BlockedOn::Condition,
            place: place(),
        });
        self.open[thread].here = self.terms().and(here, right);
        self.end(thread);
    }

    pub(super) fn set_result(&mut self, thread: usize, result: u128) {
        let result = self.byte(result);
        self.unrolling.threads.0[Self::id(thread)].result = result;
    }

    /// Makes thread ids symbols.
    pub(super) fn make_ids_dynamic(&mut self) {
        self.unrolling.dynamic_thread_ids = true;
        for thread in 1..self.open.len() {
            let id = self.terms().fresh("thread", Sort::BitVec(32));
            self.unrolling.threads.0[Self::id(thread)].thread_id = id;
        }
    }

    /// Ends all threads.
    pub(super) fn finish(mut self) -> Unrolling {
        for thread in 0..self.open.len() {
            self.event(thread, EventKind::Mark, true);
            let Open { here, stopped, .. } = self.open[thread];
            let instance = &mut self.unrolling.threads.0[Self::id(thread)];
            instance.ended = here;
            instance.stopped = stopped;
        }
        self.unrolling
    }
}
