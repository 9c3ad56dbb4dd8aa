//! From the recorded steps of a run to steps and events with guards.

use indexmap::IndexMap;
use raddle_ir::{Ordering, Program, Property, Type};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_vm::memory::Spot;
use raddle_vm::recording::{Entry, Recorded, Recording};
use raddle_vm::trace::AddressChoice;
use raddle_vm::value::{Origin, Value};
use raddle_vm::{Action, InputReason, ThreadId, Unwatched, Vm, ZeroInputs};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::locations::{Locations, Part};
use super::{ObservedRead, Unfit};
use crate::execution_graph::emitter::Here;
use crate::execution_graph::events::{
    Access, AccessKind, BlockedOn, Blocking, Check, EventId, EventKind, Input, InstanceId, Location, Space,
    StepId, Sync, SynchronisationId, SynchronisationKind, Unrolling,
};

const ADDRESS_BITS: u32 = 64;
const LOCK_BYTES: u32 = 4;

/// A thread so far.
#[derive(Debug)]
struct Thread {
    instance: InstanceId,
    /// Whether it comes to where the run is.
    guard: TermId,
    operations: u64,
    /// The locks that it has, with their critical sections.
    held: Vec<(u64, usize)>,
    /// The atomic blocks that it is in: whether each is that of an API model.
    blocks: Vec<bool>,
    has_ended: bool,
}

/// A write of the step at hand: the last one to its location counts.
#[derive(Clone, Copy, Debug)]
struct Written {
    bits: u128,
    place: raddle_vm::code::Place,
    store: Option<SynchronisationId>,
}

/// The step at hand.
#[derive(Debug)]
struct Open {
    thread: ThreadId,
    step: StepId,
    /// Whether the thread comes to where we are in the step.
    guard: TermId,
    /// Whether the step completes, as far as we are.
    completes: TermId,
    /// What it wrote: its own reads read that.
    written: IndexMap<(Space, u64, u32), Written, FxBuildHasher>,
    forks: Vec<(ThreadId, EventId)>,
}

/// Makes steps of a recording.
#[derive(Debug)]
pub(super) struct Steps<'r> {
    program: &'r Program,
    recording: &'r Recording,
    out: Unrolling,
    locations: Locations,
    threads: FxHashMap<ThreadId, Thread>,
    lock_words: FxHashSet<u64>,
    /// Objects that end in the run.
    ending: FxHashSet<Origin>,
    last_fork: Option<EventId>,
    reads: Vec<ObservedRead>,
    choices: Vec<AddressChoice>,
    /// The last step before the state that is asked about, and which threads have made one since.
    past: Option<StepId>,
    moved: FxHashSet<ThreadId>,
}

impl<'r> Steps<'r> {
    pub(super) fn new(machine: &Vm<'r>, recording: &'r Recording) -> Result<Self, Unfit> {
        if machine.memory_model().is_weak() {
            return Err(Unfit::WeakMemory);
        }
        let (start, _) = machine.start(&mut ZeroInputs, &mut Unwatched);
        let mut steps = Self {
            program: machine.program(),
            recording,
            out: Unrolling::new(Terms::new()),
            locations: Locations::new(recording, &start.memory),
            threads: FxHashMap::default(),
            lock_words: FxHashSet::default(),
            ending: FxHashSet::default(),
            last_fork: None,
            reads: Vec::new(),
            choices: Vec::new(),
            past: None,
            moved: FxHashSet::default(),
        };
        for entry in recording.entries() {
            let Entry::Event(recorded) = entry else { continue };
            if let Action::Lock(spot) | Action::Unlock(spot) = recorded.event.action {
                let word = steps.locations.address(spot);
                steps.lock_words.insert(word);
            } else if let Action::Ended(origin) | Action::Free(Some(origin)) = recorded.event.action {
                steps.ending.insert(origin);
            }
        }
        let always = steps.out.terms.bool(true);
        steps.begin_thread(0, None, always, steps.program_start());
        Ok(steps)
    }

    fn program_start(&self) -> raddle_vm::code::Place {
        use raddle_base::Id;
        raddle_vm::code::Place {
            function: self.program.entry,
            block: raddle_ir::BlockId::from_index(0),
            index: 0,
        }
    }

    /// Makes all steps. Those up to `state` happen in every execution, as they did in the run.
    pub(super) fn follow(&mut self, state: u64) -> Result<(), Unfit> {
        let recording = self.recording;
        let (past, future) = {
            let entries = recording.entries();
            entries.split_at(entries.partition_point(|entry| entry.step() <= state))
        };
        self.follow_part(past, true)?;
        let mut guards: Vec<(ThreadId, TermId)> =
            self.threads.iter().map(|(&thread, known)| (thread, known.guard)).collect();
        guards.sort_by_key(|&(thread, _)| thread);
        // Who came that far in the run comes that far, and so has read what it read and was granted what it was granted.
        self.out.constraints.extend(guards.into_iter().map(|(_, guard)| guard));
        self.follow_part(future, false)
    }

    fn follow_part(&mut self, entries: &[Entry], is_past: bool) -> Result<(), Unfit> {
        for entries in entries.chunk_by(|a, b| a.step() == b.step()) {
            // A step that starts a thread may hold what that thread does by itself until its first visible operation.
            let mut by_thread: IndexMap<ThreadId, Vec<&Recorded>, FxBuildHasher> = IndexMap::default();
            for entry in entries {
                if let Entry::Event(recorded) = entry {
                    by_thread.entry(recorded.event.thread).or_default().push(recorded);
                }
            }
            for (thread, events) in by_thread {
                let Some(step) = self.step(thread, &events)? else { continue };
                if is_past {
                    self.out.ordered.extend(self.past.map(|before| (before, step)));
                    self.past = Some(step);
                } else if self.moved.insert(thread) {
                    self.out.ordered.extend(self.past.map(|before| (before, step)));
                }
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> (Unrolling, Vec<ObservedRead>, Vec<AddressChoice>) {
        let mut threads: Vec<Thread> = self.threads.into_values().collect();
        threads.sort_by_key(|thread| thread.instance);
        let place = raddle_vm::code::Place {
            function: self.program.entry,
            block: raddle_base::Id::from_index(0),
            index: 0,
        };
        for thread in threads {
            let operations = self.out.terms.bits(thread.operations.into(), 32);
            let mut emitter = self.out.emit(thread.instance);
            if !thread.has_ended {
                // What it does next is not in the recording.
                emitter.stop(thread.guard);
            }
            emitter.mark(Here { guard: thread.guard, operations, place });
        }
        (self.out, self.reads, self.choices)
    }

    fn begin_thread(
        &mut self,
        thread: ThreadId,
        fork: Option<EventId>,
        started: TermId,
        place: raddle_vm::code::Place,
    ) {
        let id = self.out.terms.bits(thread.into(), 32);
        let pointer_bits = self.recording.pointer_bits().into();
        let instance = self.out.begin_thread(fork, started, id, pointer_bits);
        let operations = self.out.terms.bits(0, 32);
        self.out.emit(instance).mark(Here { guard: started, operations, place });
        self.threads.insert(
            thread,
            Thread {
                instance,
                guard: started,
                operations: 0,
                held: Vec::new(),
                blocks: Vec::new(),
                has_ended: false,
            },
        );
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Thread {
        self.threads.get_mut(&thread).expect("a thread does nothing before it is started")
    }

    /// What a thread did in one step of the run.
    fn step(&mut self, thread: ThreadId, events: &[&Recorded]) -> Result<Option<StepId>, Unfit> {
        let Some(last) = events.last() else { return Ok(None) };
        let (instance, guard) = (self.thread(thread).instance, self.thread(thread).guard);
        let operations = self.out.terms.bits(last.operations.into(), 32);
        let place = events[0].event.place;
        let step = self.out.emit(instance).open_step(Here { guard, operations, place }, true);
        let mut open =
            Open { thread, step, guard, completes: guard, written: IndexMap::default(), forks: Vec::new() };
        let is_block = events.iter().any(|recorded| recorded.event.action == Action::AtomicBegin);
        for recorded in events {
            self.event(&mut open, recorded)?;
            // A load completes whatever it reads, and is the last thing that its thread does if that is new. Everything
            // else depends on what was read before.
            if is_block || !matches!(recorded.event.action, Action::Read { .. }) {
                open.completes = open.guard;
            }
        }
        self.write_all(&open);
        self.out.emit(instance).close_step(step, open.completes, operations);
        for (child, fork) in std::mem::take(&mut open.forks) {
            // The fork takes effect with its step.
            let started = self.out.effective(fork);
            self.start(child, fork, started, place);
        }
        let thread = self.thread(thread);
        thread.guard = open.guard;
        thread.operations = last.operations;
        Ok(Some(step))
    }

    /// Threads are started in the order of the run, so that their ids stay what they were.
    fn start(&mut self, child: ThreadId, fork: EventId, started: TermId, place: raddle_vm::code::Place) {
        if let Some(earlier) = self.last_fork.replace(fork) {
            let before = self.out.effective(earlier);
            let in_turn = self.out.terms.implies(started, before);
            self.out.constraints.push(in_turn);
            let steps = (self.out.events[earlier].step, self.out.events[fork].step);
            if steps.0 != steps.1 && self.out.thread_of(earlier) != self.out.thread_of(fork) {
                self.out.ordered.push(steps);
            }
        }
        self.begin_thread(child, Some(fork), started, place);
    }

    fn add(&mut self, open: &Open, kind: EventKind, place: raddle_vm::code::Place) -> EventId {
        let instance = self.threads[&open.thread].instance;
        self.out.emit(instance).add(open.step, open.guard, kind, place)
    }

    fn synchronise(&mut self, open: &Open, kind: SynchronisationKind) -> SynchronisationId {
        let instance = self.threads[&open.thread].instance;
        self.out.emit(instance).synchronise(open.guard, kind)
    }

    fn event(&mut self, open: &mut Open, recorded: &Recorded) -> Result<(), Unfit> {
        let place = recorded.event.place;
        match recorded.event.action {
            Action::Read { spot, ty, value, ordering } => {
                self.load(open, recorded, (spot, ty, value), ordering)?;
            }
            Action::Write { spot, ty, value, ordering } => {
                self.live(open, recorded, spot);
                self.store(open, recorded, (spot, ty, value), (ordering, false))?;
            }
            Action::Update { spot, ty, old, new, ordering } => {
                self.load(open, recorded, (spot, ty, old), ordering)?;
                if let Some(new) = new {
                    self.store(open, recorded, (spot, ty, new), (ordering, true))?;
                }
            }
            Action::Delay { .. } | Action::Flush { .. } => return Err(Unfit::WeakMemory),
            Action::Fence(ordering) => _ = self.synchronise(open, SynchronisationKind::Fence(ordering)),
            Action::Lock(spot) => self.lock(open, recorded, spot),
            Action::Unlock(spot) => self.unlock(open, recorded, spot),
            Action::Fork(child) => {
                use raddle_base::Id;
                // Threads that are started in this step come into the tables when it is over.
                let thread = InstanceId::from_index(self.out.threads.len() + open.forks.len());
                let fork = self.add(open, EventKind::Sync(Sync::Fork { thread }), place);
                open.forks.push((child, fork));
                self.synchronise(open, SynchronisationKind::Fork(fork));
            }
            Action::Join(joined) => self.join(open, recorded, joined),
            Action::AtomicBegin => {
                let is_model = self.program.functions[place.function].model;
                self.thread(open.thread).blocks.push(is_model);
                if !is_model {
                    self.synchronise(open, SynchronisationKind::Begin(open.step));
                }
            }
            Action::AtomicEnd => {
                if self.thread(open.thread).blocks.pop() == Some(false) {
                    self.synchronise(open, SynchronisationKind::End(open.step));
                }
            }
            Action::Free(Some(origin)) | Action::Ended(origin) => self.end_object(open, recorded, origin),
            Action::Input(reason, value, ty) => self.input(open, recorded, reason, (value, ty)),
            Action::End(_) => {
                let thread = self.thread(open.thread);
                thread.has_ended = true;
                while self.thread(open.thread).blocks.pop() == Some(false) {
                    self.synchronise(open, SynchronisationKind::End(open.step));
                }
                let operations = self.out.terms.bits(recorded.operations.into(), 32);
                let pointer_bits = self.recording.pointer_bits().into();
                let result = self.out.terms.bits(0, pointer_bits);
                let instance = self.threads[&open.thread].instance;
                self.out.emit(instance).end(open.guard, result, operations);
            }
            Action::Wait | Action::Query | Action::Alloc(_) | Action::Free(None) | Action::EndLife => {}
        }
        Ok(())
    }

    fn location(&mut self, space: Space, address: u64, size: u32) -> Location {
        Location { space, address: self.out.terms.bits(address.into(), ADDRESS_BITS), size }
    }

    /// An access that may race. Plain accesses in atomic blocks of API models are the models' own business.
    fn access(
        &mut self,
        open: &Open,
        recorded: &Recorded,
        (address, size): (u64, u32),
        (writes, ordering): (bool, Ordering),
    ) {
        let blocks = &self.threads[&open.thread].blocks;
        if blocks.contains(&true) && ordering == Ordering::Plain {
            return;
        }
        // Those of models make no access that comes here atomic.
        let in_block = blocks.contains(&false);
        let address = self.out.terms.bits(address.into(), ADDRESS_BITS);
        self.out.accesses.push(Access {
            step: open.step,
            guard: open.guard,
            address,
            size,
            writes,
            ordering,
            in_block,
            synchronised: self.out.synchronisations.len(),
            place: recorded.event.place,
        });
    }

    /// An object must live when it is accessed.
    fn live(&mut self, open: &mut Open, recorded: &Recorded, spot: Spot) {
        if !self.ending.contains(&spot.origin) {
            return;
        }
        let base = self.locations.base(spot.origin);
        if open.written.contains_key(&(Space::Life, base, 1)) {
            return;
        }
        let location = self.location(Space::Life, base, 1);
        let terms = &mut self.out.terms;
        let (value, zero) = (terms.fresh("life", Sort::BitVec(8)), terms.bits(0, 8));
        let (lives, guard) = (terms.eq(value, zero), open.guard);
        let access = AccessKind::Read { value, initial: Some(zero), uninitialised: None };
        self.add(open, EventKind::Access { location, access }, recorded.event.place);
        let terms = &mut self.out.terms;
        let ended = terms.not(lives);
        let violated = terms.and(guard, ended);
        open.guard = terms.and(guard, lives);
        let operations = terms.bits(recorded.operations.into(), 32);
        let thread = self.threads[&open.thread].instance;
        self.out.emit(thread).stop(violated);
        self.out.checks.push(Check {
            thread,
            property: Property::MemorySafety,
            reached: guard,
            violated,
            step: open.step,
            operations,
            place: recorded.event.place,
            message: "an object is accessed that has ended".to_owned(),
        });
    }

    fn load(
        &mut self,
        open: &mut Open,
        recorded: &Recorded,
        (spot, ty, value): (Spot, Type, Value),
        ordering: Ordering,
    ) -> Result<(), Unfit> {
        let size = self.locations.bytes(ty);
        let address = self.data(spot)?;
        self.live(open, recorded, spot);
        open.completes = open.guard;
        // In a block of a model what is acquired is there before the access is made; elsewhere nobody knows.
        let in_model = self.threads[&open.thread].blocks.contains(&true);
        if !in_model {
            self.access(open, recorded, (address, size), (false, ordering));
        }
        let parts = self.locations.parts(spot, size, value);
        let mut as_it_was = self.out.terms.bool(true);
        for part in parts {
            let same = self.read(open, recorded, part);
            as_it_was = self.out.terms.and(as_it_was, same);
        }
        if ordering != Ordering::Plain {
            let address = self.out.terms.bits(address.into(), ADDRESS_BITS);
            self.synchronise(open, SynchronisationKind::Load { step: open.step, address, size, ordering });
        }
        if in_model {
            self.access(open, recorded, (address, size), (false, ordering));
        }
        let terms = &mut self.out.terms;
        let new = terms.not(as_it_was);
        let leaves = terms.and(open.guard, new);
        open.guard = terms.and(open.guard, as_it_was);
        let instance = self.threads[&open.thread].instance;
        self.out.emit(instance).stop(leaves);
        Ok(())
    }

    /// A read event: the condition under which it reads what it read in the run.
    fn read(&mut self, open: &Open, recorded: &Recorded, part: Part) -> TermId {
        let Part { address, size, bits } = part;
        if open.written.contains_key(&(Space::Data, address, size)) {
            // Its own step has written that.
            return self.out.terms.bool(true);
        }
        let initial = self.locations.initial(address, size);
        let location = self.location(Space::Data, address, size);
        let terms = &mut self.out.terms;
        let value = terms.fresh("read", Sort::BitVec(8 * size));
        let initial = initial.map(|initial| terms.bits(initial, 8 * size));
        let expected = terms.bits(bits, 8 * size);
        let same = terms.eq(value, expected);
        let access = AccessKind::Read { value, initial, uninitialised: None };
        let event = self.add(open, EventKind::Access { location, access }, recorded.event.place);
        let terms = &mut self.out.terms;
        let new = terms.not(same);
        let differs = terms.and(open.guard, new);
        self.reads.push(ObservedRead { event, differs });
        same
    }

    fn store(
        &mut self,
        open: &mut Open,
        recorded: &Recorded,
        (spot, ty, value): (Spot, Type, Value),
        (ordering, update): (Ordering, bool),
    ) -> Result<(), Unfit> {
        let size = self.locations.bytes(ty);
        let address = self.data(spot)?;
        self.access(open, recorded, (address, size), (true, ordering));
        let store = (ordering != Ordering::Plain)
            .then(|| self.synchronise(open, SynchronisationKind::Store { ordering, update }));
        for Part { address, size, bits } in self.locations.parts(spot, size, value) {
            let written = Written { bits, place: recorded.event.place, store };
            // What comes later in the step counts.
            open.written.shift_remove(&(Space::Data, address, size));
            open.written.insert((Space::Data, address, size), written);
        }
        Ok(())
    }

    /// The address of memory that is no lock word, unless nobody else runs yet.
    fn data(&mut self, spot: Spot) -> Result<u64, Unfit> {
        let address = self.locations.address(spot);
        let is_lock = self.lock_words.contains(&address);
        if is_lock && self.out.threads.len() > 1 { Err(Unfit::LockWord) } else { Ok(address) }
    }

    /// The writes of a step happen together.
    fn write_all(&mut self, open: &Open) {
        for (&(space, address, size), &Written { bits, place, store }) in &open.written {
            let location = self.location(space, address, size);
            let value = self.out.terms.bits(bits, 8 * size);
            let kind = EventKind::Access { location, access: AccessKind::Write { value } };
            let event = self.add(open, kind, place);
            let instance = self.threads[&open.thread].instance;
            self.out.emit(instance).made_by(event, store);
        }
    }

    fn block(&mut self, open: &Open, recorded: &Recorded, refused: TermId, blocked_on: BlockedOn) {
        let blocked = self.out.terms.and(open.guard, refused);
        let (thread, place) = (self.threads[&open.thread].instance, recorded.event.place);
        self.out.blockings.push(Blocking { thread, step: open.step, blocked, blocked_on, place });
    }

    fn lock(&mut self, open: &mut Open, recorded: &Recorded, spot: Spot) {
        let word = self.locations.address(spot);
        self.access(open, recorded, (word, LOCK_BYTES), (true, Ordering::SequentiallyConsistent));
        let terms = &mut self.out.terms;
        let (granted, address) = (terms.fresh("granted", Sort::Bool), terms.bits(word.into(), ADDRESS_BITS));
        let lock = self.add(open, EventKind::Sync(Sync::Lock { address, granted }), recorded.event.place);
        let is_held = self.threads[&open.thread].held.iter().any(|&(held, _)| held == word);
        let own = self.out.terms.bool(is_held);
        let refused = self.out.terms.not(granted);
        self.block(open, recorded, refused, BlockedOn::Lock { event: lock, own });
        open.guard = self.out.terms.and(open.guard, granted);
        let instance = self.threads[&open.thread].instance;
        self.out.emit(instance).restrict(lock, open.guard);
        let acquisition = self.out.emit(instance).acquire(lock);
        self.thread(open.thread).held.push((word, acquisition));
        self.synchronise(open, SynchronisationKind::Lock(lock));
    }

    fn unlock(&mut self, open: &Open, recorded: &Recorded, spot: Spot) {
        let word = self.locations.address(spot);
        self.access(open, recorded, (word, LOCK_BYTES), (true, Ordering::SequentiallyConsistent));
        let address = self.out.terms.bits(word.into(), ADDRESS_BITS);
        let unlock = self.add(open, EventKind::Sync(Sync::Unlock { address }), recorded.event.place);
        self.synchronise(open, SynchronisationKind::Unlock(unlock));
        let thread = self.thread(open.thread);
        let (held, instance) = (thread.held.iter().rposition(|&(held, _)| held == word), thread.instance);
        if let Some(held) = held {
            let (_, acquisition) = self.thread(open.thread).held.remove(held);
            self.out.emit(instance).release(acquisition, unlock, open.guard);
        }
    }

    fn join(&mut self, open: &mut Open, recorded: &Recorded, joined: ThreadId) {
        let pointer_bits = self.recording.pointer_bits().into();
        let terms = &mut self.out.terms;
        let (thread_id, granted) = (terms.bits(joined.into(), 32), terms.fresh("joined", Sort::Bool));
        let result = terms.fresh("result", Sort::BitVec(pointer_bits));
        let kind = EventKind::Sync(Sync::Join { thread_id, granted, result });
        let join = self.add(open, kind, recorded.event.place);
        let refused = self.out.terms.not(granted);
        self.block(open, recorded, refused, BlockedOn::Join(join));
        open.guard = self.out.terms.and(open.guard, granted);
        self.synchronise(open, SynchronisationKind::Join(join));
    }

    /// The end of a lifetime: to races a write to all of the object.
    fn end_object(&mut self, open: &mut Open, recorded: &Recorded, origin: Origin) {
        let base = self.locations.base(origin);
        if open.written.contains_key(&(Space::Life, base, 1)) {
            return;
        }
        self.access(open, recorded, (base, 0), (true, Ordering::Plain));
        let written = Written { bits: 1, place: recorded.event.place, store: None };
        open.written.insert((Space::Life, base, 1), written);
    }

    fn input(&mut self, open: &Open, recorded: &Recorded, reason: InputReason, (value, ty): (Value, Type)) {
        let name = match reason {
            InputReason::Havoc(site) => self.program.havocs[site].name.clone(),
            InputReason::Uninitialised(_) => "unwritten memory".to_owned(),
            InputReason::External => "result of a function".to_owned(),
            InputReason::Address(_) => {
                let choice = u32::try_from(value.bits).unwrap_or(0);
                self.choices.push(AddressChoice { thread: open.thread, choice });
                return;
            }
        };
        let width = match ty {
            Type::Int(bits) => u32::from(bits),
            Type::F32 | Type::F64 | Type::Ptr => 8 * self.locations.bytes(ty),
        };
        let (value, operations) =
            (self.out.terms.bits(value.bits, width), self.out.terms.bits(recorded.operations.into(), 32));
        let thread = self.threads[&open.thread].instance;
        self.out.inputs.push(Input { thread, guard: open.guard, value, ty, operations, name });
    }
}
