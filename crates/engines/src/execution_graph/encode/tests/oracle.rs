//! All executions of an unrolling, one step after the other, with store buffers where the memory model has them.
//!
//! Shares nothing with the encoding but the unrolling itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Id;
use raddle_logic::term::{Model, Sort, SymbolId, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::knowledge::{Actions, Knowledge, Message};
use super::*;
use crate::execution_graph::events::{
    self, AccessKind, BlockedOn, EventId, EventKind, InstanceId, Space, StepId, StoreOrder, Sync,
};

pub(super) type Cell = (Space, u32, u128);

/// A store that memory has not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub(super) location: Cell,
    value: u128,
    /// What it gives to whoever acquires from it.
    pub(super) message: Message,
    /// Whether it waits for all before it.
    last: bool,
    /// How many fences for stores came before it.
    fences: u32,
}

/// Where an execution stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The next step of each thread.
    places: Vec<usize>,
    memory: BTreeMap<Cell, u128>,
    /// What each thread has stored and memory has not taken in.
    pub(super) buffers: Vec<Vec<Waiting>>,
    /// How many fences for stores each thread has come by since its buffer was empty.
    fences: Vec<u32>,
    /// Which acquisition has a lock.
    locks: BTreeMap<u128, usize>,
    /// Which threads were started.
    started: Vec<bool>,
    /// What was read so far.
    symbols: BTreeMap<u32, u128>,
    /// What happens before what, if that is asked for.
    pub(super) knowledge: Option<Box<Knowledge>>,
    /// Who made the last step that counts, and how many context switches there were, if they are bounded.
    switches: (Option<InstanceId>, u32),
    /// Which threads have made a step that is sure to be visible.
    moved: Vec<bool>,
}

/// Enumerates executions.
pub(super) struct Oracle<'u> {
    pub(super) unrolling: &'u Unrolling,
    model: MemoryModel,
    /// What orders accesses, and the accesses, by steps.
    pub(super) actions: Actions,
    /// Whose values make up an outcome.
    observed: &'u [TermId],
    inputs: BTreeMap<u32, u128>,
    /// The values of terms under values of symbols.
    values: RefCell<FxHashMap<BTreeMap<u32, u128>, FxHashMap<TermId, u128>>>,
    visited: FxHashSet<State>,
    /// The values of what is observed, at the end of some execution.
    pub(super) outcomes: BTreeSet<Vec<u128>>,
    /// Whether some execution is at an end where no thread is enabled, and somebody waits.
    pub(super) deadlock: bool,
    /// Pairs of accesses that can be made next, both; or that nothing orders, if the unrolling says what does.
    pub(super) races: BTreeSet<(usize, usize)>,
    /// At most so many context switches.
    bound: Option<u32>,
    /// What reads in steps that count have read, at any time.
    pub(super) read: BTreeSet<(EventId, u128)>,
    /// Whether some execution has more context switches.
    pub(super) switches_more: bool,
}

/// A step was not possible.
struct Blocked;

impl<'u> Oracle<'u> {
    /// All executions under the given values of inputs, and either value of each choice.
    pub(super) fn run(
        unrolling: &'u Unrolling,
        model: MemoryModel,
        choices: &[TermId],
        observed: &'u [TermId],
    ) -> Self {
        Self::run_within(unrolling, model, choices, (observed, None))
    }

    /// The same for executions of so many context switches, if there is a bound.
    pub(super) fn run_within(
        unrolling: &'u Unrolling,
        model: MemoryModel,
        choices: &[TermId],
        (observed, bound): (&'u [TermId], Option<u32>),
    ) -> Self {
        let mut oracle = Self {
            unrolling,
            model,
            actions: Actions::of(unrolling),
            observed,
            inputs: BTreeMap::new(),
            values: RefCell::default(),
            visited: FxHashSet::default(),
            outcomes: BTreeSet::new(),
            deadlock: false,
            races: BTreeSet::new(),
            bound,
            read: BTreeSet::new(),
            switches_more: false,
        };
        for bits in 0..1_u32 << choices.len() {
            oracle.inputs = choices
                .iter()
                .enumerate()
                .map(|(place, &term)| (symbol(&unrolling.terms, term), u128::from(bits >> place & 1)))
                .collect();
            let threads = unrolling.threads.len();
            let state = State {
                places: vec![0; threads],
                memory: BTreeMap::new(),
                buffers: vec![Vec::new(); threads],
                fences: vec![0; threads],
                locks: BTreeMap::new(),
                started: unrolling.threads.values().map(|thread| thread.fork.is_none()).collect(),
                symbols: oracle.inputs.clone(),
                knowledge: (!unrolling.accesses.is_empty()).then(|| Box::new(Knowledge::new(threads))),
                switches: (None, 0),
                moved: unrolling.threads.values().map(|thread| thread.fork.is_none()).collect(),
            };
            oracle.explore(state);
        }
        oracle
    }

    pub(super) fn eval(&self, state: &State, term: TermId) -> u128 {
        if let Some(&value) = self.values.borrow().get(&state.symbols).and_then(|values| values.get(&term)) {
            return value;
        }
        let mut model = Model::new();
        for (&symbol, &value) in &state.symbols {
            let symbol = SymbolId::from_index(symbol as usize);
            match self.unrolling.terms.symbol_sort(symbol) {
                Sort::Bool => model.set_bool(symbol, value == 1),
                Sort::BitVec(_) | Sort::Array { .. } => model.set_bits(symbol, value),
            }
        }
        let value = match model.eval(&self.unrolling.terms, term) {
            Value::Bool(value) => u128::from(value),
            Value::Bits { value, .. } => value,
            Value::Array(_) => panic!("no arrays here"),
        };
        self.values.borrow_mut().entry(state.symbols.clone()).or_default().insert(term, value);
        value
    }

    pub(super) fn holds(&self, state: &State, term: TermId) -> bool {
        self.eval(state, term) == 1
    }

    fn explore(&mut self, state: State) {
        if !self.visited.insert(state.clone()) {
            return;
        }
        if let Some((mut next, thread, step)) = self.silent(&state) {
            self.account(&state, &mut next, thread, step);
            return self.explore(next);
        }
        let mut is_over = true;
        for thread in self.unrolling.threads.ids() {
            for place in self.flushable(&state, thread) {
                is_over = false;
                let mut next = state.clone();
                let Waiting { location, value, message, .. } = next.buffers[thread.index()].remove(place);
                next.memory.insert(location, value);
                if let Some(knowledge) = &mut next.knowledge {
                    knowledge.give(location, thread.index(), message);
                }
                if next.buffers[thread.index()].is_empty() {
                    next.fences[thread.index()] = 0;
                }
                self.explore(next);
            }
            let steps = &self.unrolling.threads[thread].steps;
            let Some(&step) = steps.get(state.places[thread.index()]) else { continue };
            is_over = false;
            let mut next = state.clone();
            next.places[thread.index()] += 1;
            if state.started[thread.index()]
                && self.execute(&mut next, thread, step).is_ok()
                && self.is_within(&mut next, thread, step)
            {
                self.account(&state, &mut next, thread, step);
                self.explore(next);
            }
        }
        if is_over {
            let outcome = self.observed.iter().map(|&term| self.eval(&state, term)).collect();
            self.outcomes.insert(outcome);
            self.deadlock |= self.is_deadlock(&state);
        }
    }

    /// Counts a step that was made, if it counts. Says whether there are not too many context switches.
    fn is_within(&mut self, next: &mut State, thread: InstanceId, id: StepId) -> bool {
        let Some(bound) = self.bound else { return true };
        let step = &self.unrolling.steps[id];
        let happens = |event: &&EventId| {
            let what = &self.unrolling.events[**event];
            !matches!(what.kind, EventKind::Mark) && self.holds(next, what.guard)
        };
        let events: Vec<EventId> = step.events.iter().filter(happens).copied().collect();
        if events.is_empty() || !self.holds(next, step.completes) {
            return true;
        }
        // A thread that has only asked something may have done so in the step that started it.
        let asks = |event: &EventId| {
            let kind = self.unrolling.events[*event].kind;
            matches!(kind, EventKind::Sync(Sync::LockIsFree { .. } | Sync::ThreadExists { .. }))
        };
        next.moved[thread.index()] |= !events.iter().all(asks);
        if !next.moved[thread.index()] {
            return true;
        }
        let (last, used) = next.switches;
        let used = used + u32::from(last.is_some_and(|last| last != thread));
        next.switches = (Some(thread), used);
        if used > bound {
            self.switches_more = true;
            return false;
        }
        for event in events {
            if let EventKind::Access { access: AccessKind::Read { value, .. }, .. } =
                self.unrolling.events[event].kind
            {
                let value = self.eval(next, value);
                self.read.insert((event, value));
            }
        }
        true
    }

    /// The state after a step that nobody notices, if there is one: others need not be tried before it.
    fn silent(&self, state: &State) -> Option<(State, InstanceId, StepId)> {
        for (id, thread) in self.unrolling.threads.iter() {
            let Some(&step_id) = thread.steps.get(state.places[id.index()]) else { continue };
            let step = &self.unrolling.steps[step_id];
            let events = || step.events.iter().map(|&event| &self.unrolling.events[event].kind);
            let is_silent = if state.started[id.index()] {
                !self.holds(state, step.begun)
                    || state.buffers[id.index()].is_empty()
                        && events().all(|kind| matches!(kind, EventKind::Mark))
            } else {
                // It never will be, and has nothing to do.
                thread.fork.is_some_and(|fork| self.is_past(state, fork))
            };
            if is_silent {
                let mut next = state.clone();
                next.places[id.index()] += 1;
                return Some((next, id, step_id));
            }
        }
        None
    }

    fn is_past(&self, state: &State, event: EventId) -> bool {
        let step = self.unrolling.events[event].step;
        let thread = self.unrolling.steps[step].thread;
        let place = self.unrolling.threads[thread].steps.iter().position(|&other| other == step);
        place.expect("it is there") < state.places[thread.index()]
    }

    /// The entries of a thread's buffer that may go to memory next.
    fn flushable(&self, state: &State, thread: InstanceId) -> Vec<usize> {
        let buffer = &state.buffers[thread.index()];
        (0..buffer.len())
            .filter(|&place| match self.model {
                MemoryModel::Sc | MemoryModel::Tso => place == 0,
                MemoryModel::Pso => {
                    let own = &buffer[place];
                    buffer[..place].iter().all(|entry| {
                        entry.location != own.location && entry.fences == own.fences && !own.last
                    })
                }
            })
            .collect()
    }

    /// Makes a step, if that is possible now.
    fn execute(&self, state: &mut State, thread: InstanceId, id: StepId) -> Result<(), Blocked> {
        let step = &self.unrolling.steps[id];
        if !self.holds(state, step.begun) {
            return Ok(());
        }
        if step.stores == StoreOrder::Fence {
            let waits = !state.buffers[thread.index()].is_empty();
            state.fences[thread.index()] += u32::from(waits);
            return Ok(());
        }
        let kinds = || step.events.iter().map(|&event| &self.unrolling.events[event].kind);
        let only_loads = kinds().all(|kind| kind.read().is_some());
        let only_stores = kinds().all(|kind| kind.written().is_some());
        let moves = self.model != MemoryModel::Sc && !step.fence && (only_loads || only_stores);
        if !moves && !state.buffers[thread.index()].is_empty() {
            return Err(Blocked);
        }
        for &event in &step.events {
            if self.holds(state, self.unrolling.events[event].guard) {
                self.look(state, thread, event)?;
            }
        }
        let mut stores = Vec::new();
        for &event in &step.events {
            if self.holds(state, self.unrolling.events[event].guard) && self.holds(state, step.completes) {
                self.act(state, event, &mut stores)?;
            }
        }
        if moves {
            let (last, fences) = (step.stores == StoreOrder::Last, state.fences[thread.index()]);
            let stores = stores.into_iter().map(|(location, value)| Waiting {
                location,
                value,
                message: Message::NONE,
                last,
                fences,
            });
            state.buffers[thread.index()].extend(stores);
        } else {
            state.memory.extend(stores);
        }
        Ok(())
    }

    /// What an event reads.
    fn look(&self, state: &mut State, thread: InstanceId, event: EventId) -> Result<(), Blocked> {
        let terms = &self.unrolling.terms;
        let (target, value) = match self.unrolling.events[event].kind {
            EventKind::Access {
                location: events::Location { space, address, size },
                access: AccessKind::Read { value, initial, .. },
            } => {
                let location = (space, size, self.eval(state, address));
                let mut waiting = state.buffers[thread.index()].iter().rev();
                let waiting = waiting.find(|entry| entry.location == location);
                let known = waiting.map(|entry| entry.value).or_else(|| state.memory.get(&location).copied());
                (value, known.unwrap_or_else(|| self.eval(state, initial.expect("tests have one"))))
            }
            EventKind::Sync(Sync::LockIsFree { address, free }) => {
                let address = self.eval(state, address);
                (free, u128::from(!state.locks.contains_key(&address)))
            }
            EventKind::Sync(Sync::ThreadExists { thread_id: number, exists }) => {
                let number = self.eval(state, number);
                let named = self.named(state, number);
                (exists, u128::from(named.is_some_and(|thread| state.started[thread.index()])))
            }
            EventKind::Sync(Sync::Join { thread_id: number, granted, result }) => {
                if !self.holds(state, granted) {
                    return Ok(());
                }
                let number = self.eval(state, number);
                let joined = self.named(state, number).filter(|&other| other != thread).ok_or(Blocked)?;
                let instance = &self.unrolling.threads[joined];
                let is_over = state.places[joined.index()] == instance.steps.len();
                if !(state.started[joined.index()] && is_over && self.holds(state, instance.ended)) {
                    return Err(Blocked);
                }
                (result, self.eval(state, instance.result))
            }
            EventKind::Access { access: AccessKind::Write { .. }, .. }
            | EventKind::Sync(Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. })
            | EventKind::Mark => return Ok(()),
        };
        state.symbols.insert(symbol(terms, target), value);
        Ok(())
    }

    pub(super) fn named(&self, state: &State, number: u128) -> Option<InstanceId> {
        self.unrolling
            .threads
            .iter()
            .find(|(_, thread)| self.eval(state, thread.thread_id) == number)
            .map(|(thread, _)| thread)
    }

    /// What an event does.
    fn act(&self, state: &mut State, event: EventId, stores: &mut Vec<(Cell, u128)>) -> Result<(), Blocked> {
        match self.unrolling.events[event].kind {
            EventKind::Access {
                location: events::Location { space, address, size },
                access: AccessKind::Write { value },
            } => {
                stores.push(((space, size, self.eval(state, address)), self.eval(state, value)));
            }
            EventKind::Sync(Sync::Lock { address, granted }) => {
                let address = self.eval(state, address);
                if self.holds(state, granted) {
                    let acquisitions = &self.unrolling.acquisitions;
                    let own = acquisitions.iter().position(|acquisition| acquisition.lock == event);
                    if state.locks.contains_key(&address) {
                        return Err(Blocked);
                    }
                    state.locks.insert(address, own.expect("it is listed"));
                }
            }
            EventKind::Sync(Sync::Unlock { .. }) => {
                let held: Vec<(u128, usize)> = state.locks.iter().map(|(&a, &b)| (a, b)).collect();
                for (address, acquisition) in held {
                    let releases = &self.unrolling.acquisitions[acquisition].releases;
                    if releases
                        .iter()
                        .any(|&(unlock, condition)| unlock == event && self.holds(state, condition))
                    {
                        state.locks.remove(&address);
                    }
                }
            }
            EventKind::Sync(Sync::Fork { thread }) => state.started[thread.index()] = true,
            EventKind::Access { access: AccessKind::Read { .. }, .. }
            | EventKind::Sync(Sync::LockIsFree { .. } | Sync::Join { .. } | Sync::ThreadExists { .. })
            | EventKind::Mark => {}
        }
        Ok(())
    }

    /// Whether no thread is enabled in a last state, and somebody waits.
    fn is_deadlock(&self, state: &State) -> bool {
        if self.holds(state, self.unrolling.process_ends)
            || self.unrolling.limits.iter().any(|limit| self.holds(state, limit.reached))
        {
            return false;
        }
        let mut waiters = 0;
        for (id, thread) in self.unrolling.threads.iter() {
            if !state.started[id.index()] {
                continue;
            }
            let mut blockings = self.unrolling.blockings.iter().filter(|blocking| blocking.thread == id);
            if let Some(blocking) = blockings.find(|blocking| self.holds(state, blocking.blocked)) {
                waiters += 1;
                let mut again = state.clone();
                for &event in &self.unrolling.steps[blocking.step].events {
                    if self.look(&mut again, id, event).is_err() {
                        return false;
                    }
                }
                let waits = match blocking.blocked_on {
                    BlockedOn::Nothing => false,
                    BlockedOn::Condition => self.holds(&again, blocking.blocked),
                    BlockedOn::Lock { event, own } => {
                        let EventKind::Sync(Sync::Lock { address, .. }) = self.unrolling.events[event].kind
                        else {
                            panic!("{event} is no lock")
                        };
                        let holder = state.locks.get(&self.eval(state, address));
                        let thread_of = |acquisition: usize| {
                            let lock = self.unrolling.acquisitions[acquisition].lock;
                            self.unrolling.steps[self.unrolling.events[lock].step].thread
                        };
                        self.holds(&again, own) || holder.is_some_and(|&other| thread_of(other) != id)
                    }
                    BlockedOn::Join(event) => {
                        let EventKind::Sync(Sync::Join { thread_id: number, .. }) =
                            self.unrolling.events[event].kind
                        else {
                            panic!("{event} is no join")
                        };
                        let named = self.named(state, self.eval(state, number));
                        !named.is_some_and(|thread| {
                            state.started[thread.index()]
                                && self.holds(state, self.unrolling.threads[thread].ended)
                        })
                    }
                };
                if !waits {
                    return false;
                }
            } else if self.holds(state, thread.stopped) || !self.holds(state, thread.ended) {
                return false;
            }
        }
        waiters > 0
    }
}

fn symbol(terms: &Terms, term: TermId) -> u32 {
    u32::try_from(terms.as_symbol(term).expect("a symbol").index()).expect("few symbols")
}
