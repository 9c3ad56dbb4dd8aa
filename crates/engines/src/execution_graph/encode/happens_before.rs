//! Happens-before: a second graph beside that of the moments of steps.
//!
//! The order of moments says more than what orders accesses: a thread that sees a relaxed store runs after it, but what was
//! done before that store need not be done for it. So there are further nodes in the order theory, with edges for exactly what
//! orders. Each thread is a chain: of its synchronisations, and of the stretches between them in which its accesses
//! are made. Between threads, under conditions:
//!
//! | from | to | if |
//! |---|---|---|
//! | the start of a thread | its first stretch | always |
//! | the last stretch of a thread | a join | it is granted for that thread |
//! | an unlock | a lock | of the same lock, and earlier |
//! | the end of an atomic section of the program | the begin of another | it is earlier |
//! | the *message* of a write | an acquiring load | the load sees the write |
//! | the message of a write | an acquire fence | a load before the fence sees the write |
//!
//! The message of a write is what whoever acquires from it comes to know. A releasing store puts all that its thread has done into
//! it; a weaker atomic store what its thread had done at its last release fence, and what earlier stores of its thread to the
//! same place put into theirs, unless a store of another thread came between (C11 5.1.2.4p10); a plain store nothing. A
//! read-modify-write adds the message of the write that it sees. Where nobody could tell a message from the store itself, it has no node of its own.
//! A load that sees what an earlier one saw sees the same message.
//!
//! Nodes of what does not happen have no conditional edges that hold, so they pass on no more than program order does.
//!
//! # Why the graph is never cyclic by itself
//! Every edge leads from something to something that comes no earlier in the order of moments, within a step in program
//! order. Under weak memory models a store has its place in the chain when it is made, and its message is seen when memory
//! has it, later. So these edges forbid no execution, and what is before something else in this graph has its moment before
//! it too, if another thread does it: what gives a message, or unlocks, or ends, waits for the earlier stores of its thread.

use raddle_base::{Id, Table};
use raddle_ir::Ordering;
use raddle_logic::solver::NodeId;
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::{Encoding, Source};
use crate::execution_graph::events::{
    EventId, EventKind, InstanceId, Location, Space, StepId, Sync, SynchronisationId, SynchronisationKind,
    Unrolling,
};

/// The graph.
#[derive(Debug)]
pub(super) struct HappensBefore {
    /// Nothing of it holds unless this does.
    asked: TermId,
    /// The node of each synchronisation.
    nodes: Table<SynchronisationId, NodeId>,
    /// The synchronisations of each thread, in program order, and the stretches around them: one more.
    threads: Table<InstanceId, (Vec<SynchronisationId>, Vec<NodeId>)>,
    /// The messages of the writes that have one.
    messages: FxHashMap<EventId, NodeId>,
    /// What reads see, where that has a node.
    sights: FxHashMap<EventId, NodeId>,
}

impl HappensBefore {
    /// The stretch in which an access is made.
    pub(super) fn stretch(&self, thread: InstanceId, synchronised: usize) -> NodeId {
        let (all, stretches) = &self.threads[thread];
        stretches[all.partition_point(|id| id.index() < synchronised)]
    }
}

const fn acquires(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Release => false,
        Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
    }
}

const fn releases(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
    }
}

impl Encoding<'_> {
    /// A node that is no step's.
    pub(super) fn add_loose_node(&mut self) -> NodeId {
        self.steps.push(None);
        self.solver.add_node()
    }

    /// If all of these hold, one node is before the other.
    pub(super) fn node_edge_if(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        before: NodeId,
        after: NodeId,
    ) {
        self.edges += 1;
        self.solver.add_edge_if(terms, conditions, before, after);
    }

    /// Says what happens before what.
    pub(super) fn encode_happens_before(
        &mut self,
        unrolling: &mut Unrolling,
        asked: TermId,
    ) -> HappensBefore {
        let nodes = unrolling.synchronisations.ids().map(|_| self.add_loose_node()).collect();
        let mut threads: Table<InstanceId, (Vec<SynchronisationId>, Vec<NodeId>)> =
            Table::filled(unrolling.threads.len(), Default::default);
        for (id, noted) in unrolling.synchronisations.iter() {
            threads[noted.thread].0.push(id);
        }
        let mut graph = HappensBefore {
            asked,
            nodes,
            threads,
            messages: FxHashMap::default(),
            sights: FxHashMap::default(),
        };
        for thread in unrolling.threads.ids() {
            let first = self.add_loose_node();
            let mut stretches = vec![first];
            for &id in &graph.threads[thread].0 {
                let next = self.add_loose_node();
                let last = stretches[stretches.len() - 1];
                self.solver.add_edge(last, graph.nodes[id]);
                self.solver.add_edge(graph.nodes[id], next);
                stretches.push(next);
            }
            graph.threads[thread].1 = stretches;
        }
        self.make_messages(unrolling, &mut graph);
        for thread in unrolling.threads.ids() {
            self.encode_loads(unrolling, &mut graph, thread);
        }
        self.pass_messages_on(unrolling, &mut graph);
        self.order_threads(unrolling, &graph);
        self.order_locks(unrolling, &graph);
        self.order_sections(unrolling, &graph);
        graph
    }

    /// Gives nodes to the messages of writes, and puts into them what their threads release.
    fn make_messages(&mut self, unrolling: &mut Unrolling, graph: &mut HappensBefore) {
        for event in unrolling.events.ids().collect::<Vec<_>>() {
            let Some(store) = unrolling.events[event].store else { continue };
            let noted = unrolling.synchronisations[store].clone();
            let SynchronisationKind::Store { ordering, update } = noted.kind else { continue };
            if releases(ordering) && (!update || acquires(ordering)) {
                graph.messages.insert(event, graph.nodes[store]);
                continue;
            }
            let mut fences: Vec<SynchronisationId> = Vec::new();
            let mut heads = Vec::new();
            if !releases(ordering) {
                let earlier = graph.threads[noted.thread].0.iter().take_while(|&&id| id < store);
                fences.extend(earlier.filter(|&&id| fence(unrolling, id).is_some_and(releases)));
                let earlier = if update { Vec::new() } else { self.begun_by(unrolling, event) };
                if fences.is_empty() && earlier.is_empty() && !update {
                    continue;
                }
                heads = earlier;
            }
            let message = self.add_loose_node();
            graph.messages.insert(event, message);
            if releases(ordering) {
                self.solver.add_edge(graph.nodes[store], message);
            }
            for fence in fences {
                let guard = unrolling.synchronisations[fence].guard;
                let conditions = [graph.asked, guard];
                self.node_edge_if(&unrolling.terms, &conditions, graph.nodes[fence], message);
            }
            for (head, unbroken) in heads {
                let conditions = [graph.asked, unbroken];
                let given = given_by(unrolling, graph, head);
                for (node, condition) in given {
                    let conditions = [conditions[0], conditions[1], condition];
                    self.node_edge_if(&unrolling.terms, &conditions, node, message);
                }
            }
        }
    }

    /// The earlier atomic stores of its thread whose release sequences a store continues, with the condition.
    fn begun_by(&mut self, unrolling: &mut Unrolling, store: EventId) -> Vec<(EventId, TermId)> {
        let Some(Location { space: Space::Data, address, size }) = unrolling.events[store].kind.written()
        else {
            return Vec::new();
        };
        let step = unrolling.events[store].step;
        let thread = unrolling.steps[step].thread;
        let (mut heads, mut others) = (Vec::new(), Vec::new());
        for event in unrolling.events.ids() {
            let what = &unrolling.events[event];
            let Some(Location { space: Space::Data, address: other, size: bytes }) = what.kind.written()
            else {
                continue;
            };
            if bytes != size || event == store {
                continue;
            }
            let (at, noted) = (what.step, what.store);
            let equal = self.equal_addresses(&mut unrolling.terms, address, other);
            if unrolling.terms.as_bool(equal) == Some(false) {
                continue;
            }
            let happens = unrolling.terms.and(self.effective[event], equal);
            let kind = noted.map(|noted| unrolling.synchronisations[noted].kind.clone());
            let update = matches!(kind, Some(SynchronisationKind::Store { update: true, .. }));
            let own = unrolling.steps[at].thread == thread;
            if own && kind.is_some() {
                if self.reach.before(at, step) {
                    heads.push((event, at, happens));
                }
            } else if !update {
                others.push((at, happens));
            }
        }
        let mut begun = Vec::new();
        for (head, at, happens) in heads {
            let terms = &mut unrolling.terms;
            let mut unbroken = happens;
            for &(other, there) in &others {
                let (behind, before) = (self.before(terms, at, other), self.before(terms, other, step));
                let between = terms.and_all([there, behind, before]);
                let not = terms.not(between);
                unbroken = terms.and(unbroken, not);
            }
            if terms.as_bool(unbroken) != Some(false) {
                begun.push((head, unbroken));
            }
        }
        begun
    }

    /// What the atomic loads of a thread acquire, at once or at a later fence.
    fn encode_loads(&mut self, unrolling: &mut Unrolling, graph: &mut HappensBefore, thread: InstanceId) {
        let all = graph.threads[thread].0.clone();
        let last_fence = all.iter().copied().rfind(|&id| fence(unrolling, id).is_some_and(acquires));
        // What an acquire fence acquires.
        let mut pending: Option<NodeId> = None;
        for id in all {
            let guard = unrolling.synchronisations[id].guard;
            if fence(unrolling, id).is_some_and(acquires)
                && let Some(pending) = pending
            {
                self.node_edge_if(&unrolling.terms, &[graph.asked, guard], pending, graph.nodes[id]);
            }
            let SynchronisationKind::Load { step, address, size, ordering } =
                unrolling.synchronisations[id].kind
            else {
                continue;
            };
            let taker = if acquires(ordering) {
                graph.nodes[id]
            } else if last_fence.is_some_and(|fence| id < fence) {
                let next = self.add_loose_node();
                if let Some(pending) = pending {
                    self.solver.add_edge(pending, next);
                }
                pending = Some(next);
                next
            } else {
                continue;
            };
            for read in reads_of(unrolling, step, address, size) {
                if let Some(sight) = self.sight(unrolling, graph, read) {
                    let conditions = [graph.asked, guard, unrolling.events[read].guard];
                    self.node_edge_if(&unrolling.terms, &conditions, sight, taker);
                }
            }
        }
    }

    /// A read-modify-write adds the message that it sees to its own.
    fn pass_messages_on(&mut self, unrolling: &Unrolling, graph: &mut HappensBefore) {
        for (event, what) in unrolling.events.iter() {
            let Some(store) = what.store else { continue };
            let SynchronisationKind::Store { update: true, .. } = unrolling.synchronisations[store].kind
            else {
                continue;
            };
            let Some(Location { address, size, .. }) = what.kind.written() else { continue };
            let message = graph.messages[&event];
            if message == graph.nodes[store] {
                // It has acquired it before it releases.
                continue;
            }
            for read in matching(unrolling, what.step, address, size) {
                if let Some(sight) = self.sight(unrolling, graph, read) {
                    let conditions = [graph.asked, self.effective[event], unrolling.events[read].guard];
                    self.node_edge_if(&unrolling.terms, &conditions, sight, message);
                }
            }
        }
    }

    /// The message that a read sees, if it can see one.
    fn sight(&mut self, unrolling: &Unrolling, graph: &mut HappensBefore, read: EventId) -> Option<NodeId> {
        if let Some(&sight) = graph.sights.get(&read) {
            return Some(sight);
        }
        let sources = self.sources.get(&read)?.clone();
        let mut seen_messages = Vec::new();
        for (source, seen) in sources {
            let message = match source {
                Source::Initial => None,
                Source::Write(write) => graph.messages.get(&write).copied(),
                Source::Again(earlier) => self.sight(unrolling, graph, earlier),
            };
            seen_messages.extend(message.map(|message| (message, seen)));
        }
        if seen_messages.is_empty() {
            return None;
        }
        let sight = self.add_loose_node();
        graph.sights.insert(read, sight);
        for (message, seen) in seen_messages {
            self.node_edge_if(&unrolling.terms, &[graph.asked, seen], message, sight);
        }
        Some(sight)
    }

    /// Starts and ends of threads.
    fn order_threads(&mut self, unrolling: &mut Unrolling, graph: &HappensBefore) {
        for id in unrolling.synchronisations.ids() {
            let guard = unrolling.synchronisations[id].guard;
            if let SynchronisationKind::Fork(event) = unrolling.synchronisations[id].kind
                && let EventKind::Sync(Sync::Fork { thread }) = unrolling.events[event].kind
            {
                self.solver.add_edge(graph.nodes[id], graph.threads[thread].1[0]);
            }
            if let SynchronisationKind::Join(event) = unrolling.synchronisations[id].kind {
                for (thread, equal) in self.joined_by(unrolling, event) {
                    let ended = unrolling.threads[thread].ended;
                    let stretches = &graph.threads[thread].1;
                    let last = stretches[stretches.len() - 1];
                    let conditions = [graph.asked, guard, equal, ended];
                    self.node_edge_if(&unrolling.terms, &conditions, last, graph.nodes[id]);
                }
            }
        }
    }

    /// Whoever takes a lock comes after all who gave it back before.
    fn order_locks(&mut self, unrolling: &mut Unrolling, graph: &HappensBefore) {
        let mut of_events: FxHashMap<EventId, SynchronisationId> = FxHashMap::default();
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for (id, noted) in unrolling.synchronisations.iter() {
            if let SynchronisationKind::Lock(event) | SynchronisationKind::Unlock(event) = noted.kind {
                of_events.insert(event, id);
            } else if let SynchronisationKind::TakeWord { step, address } = noted.kind {
                takes.push((id, step, address));
            } else if let SynchronisationKind::GiveWord { step, address } = noted.kind {
                gives.push((id, step, address));
            }
        }
        for first in 0..unrolling.acquisitions.len() {
            for second in 0..unrolling.acquisitions.len() {
                self.order_critical_sections(unrolling, graph, &of_events, (first, second));
            }
        }
        for &(give, given, address) in &gives {
            for &(take, taken, wanted) in &takes {
                if unrolling.steps[given].thread != unrolling.steps[taken].thread {
                    let terms = &mut unrolling.terms;
                    let equal = self.equal_addresses(terms, address, wanted);
                    let earlier = self.before(terms, given, taken);
                    let guards = [give, take].map(|id| unrolling.synchronisations[id].guard);
                    // A section that comes to no end gives nothing back.
                    let completes = unrolling.steps[given].completes;
                    let conditions = [graph.asked, guards[0], guards[1], completes, equal, earlier];
                    self.node_edge_if(&unrolling.terms, &conditions, graph.nodes[give], graph.nodes[take]);
                }
            }
        }
    }

    /// If the first critical section comes before the second, so do the places where it is left. Of two sections of a lock one is
    /// over before the other begins, so it is enough to know which begins first.
    fn order_critical_sections(
        &mut self,
        unrolling: &mut Unrolling,
        graph: &HappensBefore,
        of_events: &FxHashMap<EventId, SynchronisationId>,
        (first, second): (usize, usize),
    ) {
        let locks = [first, second].map(|place| unrolling.acquisitions[place].lock);
        let steps = locks.map(|lock| unrolling.events[lock].step);
        let Some(&taker) = of_events.get(&locks[1]) else { return };
        let words = locks.map(|lock| unrolling.events[lock].kind.lock_word());
        let [Some(one), Some(other)] = words else { return };
        if unrolling.steps[steps[0]].thread == unrolling.steps[steps[1]].thread {
            return;
        }
        let equal = self.equal_addresses(&mut unrolling.terms, one, other);
        if unrolling.terms.as_bool(equal) == Some(false) {
            return;
        }
        let earlier = self.before(&mut unrolling.terms, steps[0], steps[1]);
        // In an atomic section that ends the process as well.
        let taken = unrolling.events[locks[1]].guard;
        for (unlock, condition) in unrolling.acquisitions[first].releases.clone() {
            if let Some(&giver) = of_events.get(&unlock) {
                let conditions = [graph.asked, self.effective[unlock], condition, taken, equal, earlier];
                self.node_edge_if(&unrolling.terms, &conditions, graph.nodes[giver], graph.nodes[taker]);
            }
        }
    }

    /// An atomic section of the program comes after all those before it.
    fn order_sections(&mut self, unrolling: &mut Unrolling, graph: &HappensBefore) {
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for (id, noted) in unrolling.synchronisations.iter() {
            if let SynchronisationKind::Begin(step) = noted.kind {
                begins.push((id, step));
            } else if let SynchronisationKind::End(step) = noted.kind {
                ends.push((id, step));
            }
        }
        for &(end, ended) in &ends {
            for &(begin, begun) in &begins {
                if unrolling.steps[ended].thread == unrolling.steps[begun].thread {
                    continue;
                }
                let earlier = self.before(&mut unrolling.terms, ended, begun);
                let guards = [end, begin].map(|id| unrolling.synchronisations[id].guard);
                let conditions = [graph.asked, guards[0], guards[1], earlier];
                self.node_edge_if(&unrolling.terms, &conditions, graph.nodes[end], graph.nodes[begin]);
            }
        }
    }
}

/// What the thread of an atomic store gives by it, whatever it sees, each with its condition.
fn given_by(unrolling: &Unrolling, graph: &HappensBefore, event: EventId) -> Vec<(NodeId, TermId)> {
    let Some(store) = unrolling.events[event].store else { return Vec::new() };
    let noted = &unrolling.synchronisations[store];
    let SynchronisationKind::Store { ordering, .. } = noted.kind else { return Vec::new() };
    if releases(ordering) {
        return vec![(graph.nodes[store], noted.guard)];
    }
    let earlier = graph.threads[noted.thread].0.iter().take_while(|&&id| id < store);
    let fences = earlier.filter(|&&id| fence(unrolling, id).is_some_and(releases));
    fences.map(|&id| (graph.nodes[id], unrolling.synchronisations[id].guard)).collect()
}

/// The reads of a step that make up a load of these bytes: one, or one for each byte.
fn reads_of(unrolling: &mut Unrolling, step: StepId, address: TermId, size: u32) -> Vec<EventId> {
    let mut reads = matching(unrolling, step, address, size);
    if size > 1 {
        let width = unrolling.terms.width(address);
        for byte in 0..size {
            let offset = unrolling.terms.bits(byte.into(), width);
            let address = unrolling.terms.add(address, offset);
            reads.extend(matching(unrolling, step, address, 1));
        }
    }
    reads
}

/// The reads of a step at an address, by name.
fn matching(unrolling: &Unrolling, step: StepId, wanted: TermId, wanted_size: u32) -> Vec<EventId> {
    let events = unrolling.steps[step].events.iter().copied();
    let matches = |&event: &EventId| {
        unrolling.events[event].kind.read()
            == Some(Location { space: Space::Data, address: wanted, size: wanted_size })
    };
    events.filter(matches).collect()
}

/// The order of a fence.
fn fence(unrolling: &Unrolling, id: SynchronisationId) -> Option<Ordering> {
    if let SynchronisationKind::Fence(ordering) = unrolling.synchronisations[id].kind {
        return Some(ordering);
    }
    None
}
