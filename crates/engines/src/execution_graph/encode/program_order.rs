//! Which parts of program order other threads can rely on: the parameter that memory models differ in.
//!
//! The node of a step is the moment at which memory sees it. Under sequential consistency that is in program order. Under total
//! store order a plain store waits in a buffer, in order with other stores, and later loads may overtake it. Under partial
//! store order it may also be overtaken by later stores to other addresses. Steps that are fences, and all steps that are
//! neither a plain load nor a plain store, are overtaken by nothing and overtake nothing. Under partial store order a release
//! store does not overtake earlier stores, and a fence for stores keeps those before it from those behind it; loads
//! are not concerned.
//!
//! A fence that does not happen orders nothing. So a buffered store is always before it only if the thread comes to nothing
//! behind the fence without coming to the fence itself; otherwise it is before it if the fence happens.

use raddle_base::Table;
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use super::facts::{self, FactTable};
use crate::MemoryModel;
use crate::execution_graph::events::{
    AccessKind, EventKind, InstanceId, Location, Space, StepId, StoreOrder, Unrolling,
};

/// How a step may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    /// A plain load.
    Load,
    /// A plain store: may be overtaken.
    Store,
    /// Nothing, but it keeps stores in order.
    StoreFence,
    /// Stays.
    Fixed,
}

/// The order within threads that every execution keeps.
#[derive(Debug)]
pub(super) struct ProgramOrder {
    /// Always.
    pub(super) edges: Vec<(StepId, StepId)>,
    /// If the condition holds.
    pub(super) conditional: Vec<(TermId, StepId, StepId)>,
    /// A chain for each step: the steps of a chain are ordered by `edges`, ascending.
    pub(super) chains: Table<StepId, u32>,
}

/// The order within all threads.
pub(super) fn preserved_program_order(
    unrolling: &mut Unrolling,
    model: MemoryModel,
    facts: &mut FactTable,
) -> ProgramOrder {
    let mut order = ProgramOrder {
        edges: Vec::new(),
        conditional: Vec::new(),
        chains: Table::filled(unrolling.steps.len(), || 0),
    };
    let mut chains = 0;
    for thread in unrolling.threads.ids() {
        if model == MemoryModel::Sc {
            order.add_in_order(unrolling, thread, &mut chains);
        } else {
            order.add_thread(unrolling, model, thread, &mut chains, facts);
        }
    }
    order
}

impl ProgramOrder {
    /// All steps stay in order.
    fn add_in_order(&mut self, unrolling: &Unrolling, thread: InstanceId, chains: &mut u32) {
        let mut last = None;
        for &step in &unrolling.threads[thread].steps {
            self.edges.extend(last.map(|last| (last, step)));
            self.chains[step] = *chains;
            last = Some(step);
        }
        *chains += 1;
    }

    fn add_thread(
        &mut self,
        unrolling: &mut Unrolling,
        model: MemoryModel,
        thread: InstanceId,
        chains: &mut u32,
        facts: &mut FactTable,
    ) {
        let mut fresh = || {
            *chains += 1;
            *chains - 1
        };
        let steps = unrolling.threads[thread].steps.clone();
        let main_chain = fresh();
        // Of all stores, or of all stores to an address.
        let mut store_chains: FxHashMap<Option<Location>, u32> = FxHashMap::default();
        let mut last_fixed: Option<StepId> = None;
        // The stores that may still be in the buffer, and fences for stores.
        let mut buffered: Vec<StepId> = Vec::new();
        for (position, &step) in steps.iter().enumerate() {
            self.edges.extend(last_fixed.map(|last| (last, step)));
            self.chains[step] = main_chain;
            match motion(unrolling, model, step) {
                Motion::Load => last_fixed = Some(step),
                Motion::Fixed => {
                    // Under total store order the last of them stands for all: they stay in order among themselves.
                    let from = if model == MemoryModel::Pso { 0 } else { buffered.len().saturating_sub(1) };
                    if self.put_behind(unrolling, facts, &buffered[from..], step, &steps[position + 1..]) {
                        buffered.clear();
                    }
                    last_fixed = Some(step);
                }
                Motion::StoreFence => {
                    if self.put_behind(unrolling, facts, &buffered, step, &steps[position + 1..]) {
                        buffered.clear();
                    }
                    self.chains[step] = fresh();
                    buffered.push(step);
                }
                Motion::Store if model == MemoryModel::Pso => {
                    if unrolling.steps[step].stores == StoreOrder::Last {
                        self.put_behind(unrolling, facts, &buffered, step, &steps[position + 1..]);
                    }
                    self.order_stores(unrolling, &buffered, step);
                    // Stores to one address are a chain; one to several is a chain of its own.
                    self.chains[step] = match stored(unrolling, step)[..] {
                        [only] => *store_chains.entry(Some(only)).or_insert_with(&mut fresh),
                        _ => fresh(),
                    };
                    buffered.push(step);
                }
                Motion::Store => {
                    self.edges.extend(buffered.last().map(|&store| (store, step)));
                    self.chains[step] = *store_chains.entry(None).or_insert_with(&mut fresh);
                    buffered.push(step);
                }
            }
        }
    }

    /// Orders a step behind stores in the buffer, if it happens. Says whether they are before all that follows for sure.
    fn put_behind(
        &mut self,
        unrolling: &Unrolling,
        facts: &mut FactTable,
        buffered: &[StepId],
        step: StepId,
        later: &[StepId],
    ) -> bool {
        let begun = unrolling.steps[step].begun;
        let is_sure = buffered.is_empty()
            || later.iter().all(|&later| {
                let facts = facts.of(&unrolling.terms, unrolling.steps[later].begun);
                facts::implied(&unrolling.terms, &[&facts], begun)
            });
        if is_sure {
            self.edges.extend(buffered.iter().map(|&store| (store, step)));
        } else {
            self.conditional.extend(buffered.iter().map(|&store| (begun, store, step)));
        }
        is_sure
    }

    /// Orders a store behind those in the buffer that go to the same address, for sure or perhaps.
    fn order_stores(&mut self, unrolling: &mut Unrolling, buffered: &[StepId], step: StepId) {
        let own = stored(unrolling, step);
        for &earlier in buffered.iter().rev() {
            if unrolling.steps[earlier].stores == StoreOrder::Fence {
                // It comes before all that are behind it, and to come after it costs nothing if it does not happen.
                self.edges.push((earlier, step));
                continue;
            }
            let theirs = stored(unrolling, earlier);
            let mut equal = unrolling.terms.bool(false);
            for a in &own {
                for b in theirs.iter().filter(|b| (a.space, a.size) == (b.space, b.size)) {
                    let same = unrolling.terms.eq(a.address, b.address);
                    equal = unrolling.terms.or(equal, same);
                }
            }
            match unrolling.terms.as_bool(equal) {
                Some(false) => {}
                Some(true) => {
                    self.edges.push((earlier, step));
                    // What is at that address and earlier is ordered by way of it.
                    if own.len() == 1 && theirs.len() == 1 {
                        return;
                    }
                }
                None => self.conditional.push((equal, earlier, step)),
            }
        }
    }
}

/// What a step stores to.
fn stored(unrolling: &Unrolling, step: StepId) -> Vec<Location> {
    let events = unrolling.steps[step].events.iter();
    events.filter_map(|&event| unrolling.events[event].kind.written()).collect()
}

fn motion(unrolling: &Unrolling, model: MemoryModel, step: StepId) -> Motion {
    if model == MemoryModel::Sc || unrolling.steps[step].fence {
        return Motion::Fixed;
    }
    if unrolling.steps[step].stores == StoreOrder::Fence {
        return if model == MemoryModel::Pso { Motion::StoreFence } else { Motion::Load };
    }
    let (mut loads, mut stores) = (false, false);
    for &event in &unrolling.steps[step].events {
        let EventKind::Access { location, access } = unrolling.events[event].kind else {
            return Motion::Fixed;
        };
        match (access, location.space) {
            (AccessKind::Read { .. }, Space::Data) => loads = true,
            (AccessKind::Write { .. }, Space::Data) => stores = true,
            // Whether the object lives is looked up when it is accessed.
            (AccessKind::Read { .. }, Space::Life) => {}
            // The end of a lifetime is never late, and waits for no stores; where it does, its step is a fence.
            (AccessKind::Write { .. }, Space::Life) => loads = true,
        }
    }
    match (loads, stores) {
        // A step of which nothing is left was a load whose value is known: stores pass it as they pass any load.
        (true | false, false) => Motion::Load,
        (false, true) => Motion::Store,
        (true, true) => Motion::Fixed,
    }
}
