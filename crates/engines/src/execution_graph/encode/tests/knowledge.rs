//! What happens before what, as sets: each thread knows the accesses that happen before where it is.
//!
//! Follows the rules of the VM's detector of races, and shares nothing with the encoding.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_ir::Ordering;

use super::oracle::{Cell, Oracle, State};
use super::*;
use crate::execution_graph::events::{
    EventId, EventKind, InstanceId, Location, Space, StepId, Sync, SynchronisationId, SynchronisationKind,
};

/// A set of accesses by their places in the list.
type Set = u64;

/// Who knows what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Knowledge {
    threads: Vec<Set>,
    /// What an acquire fence would add.
    pending: Vec<Set>,
    /// What weak stores pass on since the last release fence.
    released: Vec<Set>,
    /// What acquiring from a place adds: what the release sequences give that go on there, by the threads that began them.
    messages: BTreeMap<Cell, BTreeMap<usize, Set>>,
    locks: BTreeMap<u128, Set>,
    sections: Set,
    /// The accesses that were made, with their addresses.
    made: BTreeMap<usize, u128>,
}

impl Knowledge {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads: vec![0; threads],
            pending: vec![0; threads],
            released: vec![0; threads],
            messages: BTreeMap::new(),
            locks: BTreeMap::new(),
            sections: 0,
            made: BTreeMap::new(),
        }
    }

    /// Memory takes a store in.
    pub(super) fn give(&mut self, location: Cell, thread: usize, message: Message) {
        let sequences = self.messages.entry(location).or_default();
        match message.continues {
            Continues::All => {}
            Continues::Own => sequences.retain(|&head, _| head == thread),
            Continues::None => sequences.clear(),
        }
        if message.released != 0 {
            *sequences.entry(thread).or_insert(0) |= message.released;
        }
    }

    /// What acquiring from a place adds.
    fn message(&self, location: &Cell) -> Set {
        let sequences = self.messages.get(location).into_iter().flat_map(BTreeMap::values);
        sequences.fold(0, |all, message| all | message)
    }
}

/// What a store does to the release sequences where it is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Message {
    /// What its thread gives by it.
    released: Set,
    continues: Continues,
}

impl Message {
    /// That of a store that is not atomic.
    pub(super) const NONE: Self = Self { released: 0, continues: Continues::None };
}

/// Which release sequences go on at a store (C11 5.1.2.4p10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Continues {
    /// All: it is that of a read-modify-write.
    All,
    /// Those that its own thread began.
    Own,
    /// None: it is not atomic.
    None,
}

/// What matters to a step, in program order.
#[derive(Clone, Copy, Debug)]
enum Action {
    Access(usize),
    Synchronise(SynchronisationId),
}

/// The actions of each step. What has no step belongs to the one before it in its thread.
#[derive(Debug, Default)]
pub(super) struct Actions(BTreeMap<StepId, Vec<Action>>);

impl Actions {
    pub(super) fn of(unrolling: &Unrolling) -> Self {
        let mut all: Vec<(usize, bool, InstanceId, Option<StepId>, Action)> = Vec::new();
        for (place, access) in unrolling.accesses.iter().enumerate() {
            let thread = unrolling.steps[access.step].thread;
            all.push((access.synchronised, false, thread, Some(access.step), Action::Access(place)));
        }
        for (id, noted) in unrolling.synchronisations.iter() {
            let step = match noted.kind {
                SynchronisationKind::Load { step, .. }
                | SynchronisationKind::TakeWord { step, .. }
                | SynchronisationKind::GiveWord { step, .. }
                | SynchronisationKind::Begin(step)
                | SynchronisationKind::End(step) => Some(step),
                SynchronisationKind::Store { .. } => {
                    let mut writes = unrolling.events.values();
                    Some(writes.find(|event| event.store == Some(id)).expect("a store writes").step)
                }
                SynchronisationKind::Lock(event)
                | SynchronisationKind::Unlock(event)
                | SynchronisationKind::Fork(event)
                | SynchronisationKind::Join(event) => Some(unrolling.events[event].step),
                SynchronisationKind::Fence(_) => None,
            };
            all.push((id.index(), true, noted.thread, step, Action::Synchronise(id)));
        }
        all.sort_by_key(|&(place, later, ..)| (place, later));
        let mut last: BTreeMap<InstanceId, StepId> = BTreeMap::new();
        let mut actions = Self::default();
        for (_, _, thread, step, action) in all {
            let first = unrolling.threads[thread].steps[0];
            let step = step.unwrap_or_else(|| last.get(&thread).copied().unwrap_or(first));
            last.insert(thread, step);
            actions.0.entry(step).or_default().push(action);
        }
        actions
    }
}

fn acquires(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent)
}

fn releases(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent)
}

fn known(state: &mut State) -> &mut Knowledge {
    state.knowledge.as_mut().expect("it is asked for")
}

impl Oracle<'_> {
    /// A step was made, or passed by: what its thread and others come to know.
    pub(super) fn account(&mut self, before: &State, next: &mut State, thread: InstanceId, step: StepId) {
        if next.knowledge.is_none() {
            return;
        }
        let unrolling = self.unrolling;
        // What nobody names ends what was there.
        for &event in &unrolling.steps[step].events {
            if unrolling.events[event].store.is_none() && self.is_written(next, event) {
                self.put(next, thread, event, Message::NONE);
            }
        }
        for action in self.actions.0.get(&step).cloned().unwrap_or_default() {
            match action {
                Action::Access(place) => self.make_access(next, thread, place),
                Action::Synchronise(id) => {
                    if self.holds(next, unrolling.synchronisations[id].guard) {
                        self.synchronise(before, next, thread, id);
                    }
                }
            }
        }
    }

    fn is_written(&self, state: &State, event: EventId) -> bool {
        let what = &self.unrolling.events[event];
        what.kind.written().is_some()
            && self.holds(state, what.guard)
            && self.holds(state, self.unrolling.steps[what.step].completes)
    }

    fn location(&self, state: &State, event: EventId) -> Cell {
        let Some(Location { space, address, size }) = self.unrolling.events[event].kind.written() else {
            panic!("{event} is no write")
        };
        (space, size, self.eval(state, address))
    }

    /// The message of a write, where the write is.
    fn put(&self, state: &mut State, thread: InstanceId, event: EventId, message: Message) {
        let location = self.location(state, event);
        let mut waiting = state.buffers[thread.index()].iter_mut().rev();
        match waiting.find(|waiting| waiting.location == location) {
            Some(waiting) => waiting.message = message,
            None => known(state).give(location, thread.index(), message),
        }
    }

    fn make_access(&mut self, state: &mut State, thread: InstanceId, place: usize) {
        let unrolling = self.unrolling;
        let access = &unrolling.accesses[place];
        if !self.holds(state, access.guard) || !self.holds(state, unrolling.steps[access.step].completes) {
            return;
        }
        let address = self.eval(state, access.address);
        let (mine, made) = (known(state).threads[thread.index()], known(state).made.clone());
        for (other, there) in made {
            let earlier = &unrolling.accesses[other];
            let atomic = earlier.ordering != Ordering::Plain && access.ordering != Ordering::Plain;
            let known = mine >> other & 1 == 1;
            let own = unrolling.steps[earlier.step].thread == thread;
            if there == address && !atomic && !known && !own && (access.writes || earlier.writes) {
                self.races.insert((other.min(place), other.max(place)));
            }
        }
        known(state).made.insert(place, address);
        known(state).threads[thread.index()] |= 1 << place;
    }

    fn synchronise(&self, before: &State, next: &mut State, thread: InstanceId, id: SynchronisationId) {
        let unrolling = self.unrolling;
        let me = thread.index();
        let now = known(next).threads[me];
        match unrolling.synchronisations[id].kind {
            SynchronisationKind::Load { address, size, ordering, .. } => {
                let location = (Space::Data, size, self.eval(next, address));
                let own = before.buffers[me].iter().any(|waiting| waiting.location == location);
                let seen = before.knowledge.as_ref().expect("it is asked for").message(&location);
                let message = if own { 0 } else { seen };
                if acquires(ordering) {
                    known(next).threads[me] |= message;
                } else {
                    known(next).pending[me] |= message;
                }
            }
            SynchronisationKind::Store { ordering, update } => {
                let writes = unrolling.events.iter().filter(|(_, event)| event.store == Some(id));
                for event in writes.map(|(event, _)| event).collect::<Vec<_>>() {
                    if self.is_written(next, event) {
                        let released = if releases(ordering) { now } else { known(next).released[me] };
                        let continues = if update { Continues::All } else { Continues::Own };
                        let message = Message { released, continues };
                        self.put(next, thread, event, message);
                    }
                }
            }
            SynchronisationKind::Fence(ordering) => {
                if acquires(ordering) {
                    known(next).threads[me] |= known(next).pending[me];
                }
                if releases(ordering) {
                    known(next).released[me] = known(next).threads[me];
                }
            }
            SynchronisationKind::Lock(event) => {
                let address = unrolling.events[event].kind.lock_word().expect("a lock");
                let address = self.eval(next, address);
                known(next).threads[me] |= known(next).locks.get(&address).copied().unwrap_or(0);
            }
            SynchronisationKind::Unlock(event) => {
                let address = unrolling.events[event].kind.lock_word().expect("an unlock");
                let address = self.eval(next, address);
                *known(next).locks.entry(address).or_insert(0) |= now;
            }
            SynchronisationKind::TakeWord { address, .. } => {
                let address = self.eval(next, address);
                known(next).threads[me] |= known(next).locks.get(&address).copied().unwrap_or(0);
            }
            SynchronisationKind::GiveWord { address, .. } => {
                let address = self.eval(next, address);
                *known(next).locks.entry(address).or_insert(0) |= now;
            }
            SynchronisationKind::Fork(event) => {
                let EventKind::Sync(Sync::Fork { thread: child }) = unrolling.events[event].kind else {
                    panic!("a fork")
                };
                known(next).threads[child.index()] |= now;
            }
            SynchronisationKind::Join(event) => {
                let EventKind::Sync(Sync::Join { thread_id, .. }) = unrolling.events[event].kind else {
                    panic!("a join")
                };
                let joined = self.named(next, self.eval(next, thread_id)).expect("it is granted");
                known(next).threads[me] |= known(next).threads[joined.index()];
            }
            SynchronisationKind::Begin(_) => known(next).threads[me] |= known(next).sections,
            SynchronisationKind::End(_) => known(next).sections |= now,
        }
    }
}
