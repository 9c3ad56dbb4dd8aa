//! Happens-before: a second graph beside that of the moments of steps.
//!
//! The order of moments says more than what orders accesses: a thread that reads from a relaxed store runs after it, but what was
//! done before that store need not be done for it. So there are further nodes in the order theory, with edges for exactly what
//! orders. Each thread is a chain: of its synchronisations, and of the stretches between them in which its accesses
//! are made. Between threads, under conditions:
//!
//! | from | to | if |
//! |---|---|---|
//! | the start of a thread | its first stretch | always |
//! | the last stretch of a thread | a join | it is granted for that thread |
//! | an unlock | a lock | of the same lock, and earlier |
//! | the end of an atomic block of the program | the begin of another | it is earlier |
//! | the *message* of a write | an acquiring load | the load reads from the write |
//! | the message of a write | an acquire fence | a load before the fence reads from the write |
//!
//! The message of a write is what whoever acquires from it comes to know. A releasing store puts all that its thread has done into
//! it; a weaker atomic store what its thread had done at its last release fence, and what earlier stores of its thread to the
//! same location put into theirs, unless a store of another thread came between (C11 5.1.2.4p10); a plain store nothing. A
//! read-modify-write adds the message of the write that it reads from. Where nobody could tell a message from the store itself, it has
//! no node of its own. A load that reads from what an earlier one read from receives the same message.
//!
//! Nodes of what does not happen have no conditional edges that hold, so they pass on no more than program order does.
//!
//! # Why the graph is never cyclic by itself
//! Every edge leads from something to something that comes no earlier in the order of moments, within a step in program
//! order. Under weak memory models a store has its position in the chain when it is made, and its message is received when memory
//! has it, later. So these edges forbid no execution, and what is before something else in this graph has its moment before
//! it too, if another thread does it: what gives a message, or unlocks, or ends, waits for the earlier stores of its thread.

use raddle_base::{Budget, Exhausted, Id, Table};
use raddle_ir::Ordering;
use raddle_logic::solver::NodeId;
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::knowledge::Knowledge;
use super::memory::{Member, Memory, Source};
use super::threads::{Named, joined_by};
use super::writer::Writer;
use crate::execution_graph::events::{
    EventId, EventKind, InstanceId, Location, Space, StepId, Sync, SynchronisationId, SynchronisationKind,
    Unrolling,
};

/// What it costs of a budget to encode what a node is before.
const UNITS_PER_NODE: u32 = 2;
/// What it costs to look at two of them.
const UNITS_PER_PAIR: u32 = 2;

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
    /// The message of what each read reads from, where it has one.
    received: FxHashMap<EventId, NodeId>,
}

impl HappensBefore {
    /// The chains of all threads, and nothing between them yet.
    fn new(unrolling: &Unrolling, writer: &mut Writer, asked: TermId) -> Self {
        let nodes: Table<SynchronisationId, NodeId> =
            unrolling.synchronisations.ids().map(|_| writer.add_loose_node()).collect();
        let mut threads: Table<InstanceId, (Vec<SynchronisationId>, Vec<NodeId>)> =
            Table::filled(unrolling.threads.len(), Default::default);
        for (id, noted) in unrolling.synchronisations.iter() {
            threads[noted.thread].0.push(id);
        }
        for thread in unrolling.threads.ids() {
            let first = writer.add_loose_node();
            let mut stretches = vec![first];
            for &id in &threads[thread].0 {
                let next = writer.add_loose_node();
                let last = stretches[stretches.len() - 1];
                writer.node_edge(last, nodes[id]);
                writer.node_edge(nodes[id], next);
                stretches.push(next);
            }
            threads[thread].1 = stretches;
        }
        Self { asked, nodes, threads, messages: FxHashMap::default(), received: FxHashMap::default() }
    }

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

/// Says what happens before what, if `asked` holds.
pub(super) fn encode_happens_before(
    unrolling: &mut Unrolling,
    known: &Knowledge<'_>,
    writer: &mut Writer,
    memory: &mut Memory,
    asked: TermId,
    budget: &Budget,
) -> Result<HappensBefore, Exhausted> {
    let graph = HappensBefore::new(unrolling, writer, asked);
    let mut encoder = Encoder { unrolling, known, writer, memory, budget, graph };
    encoder.encode()?;
    Ok(encoder.graph)
}

/// Writes the graph.
#[derive(Debug)]
struct Encoder<'e, 'a> {
    unrolling: &'e mut Unrolling,
    known: &'e Knowledge<'a>,
    writer: &'e mut Writer,
    memory: &'e mut Memory,
    budget: &'e Budget,
    graph: HappensBefore,
}

impl Encoder<'_, '_> {
    fn encode(&mut self) -> Result<(), Exhausted> {
        self.make_messages()?;
        for thread in self.unrolling.threads.ids() {
            self.encode_loads(thread)?;
        }
        self.pass_messages_on()?;
        self.order_threads();
        self.order_locks()?;
        self.order_blocks()
    }

    /// Gives nodes to the messages of writes, and puts into them what their threads release.
    fn make_messages(&mut self) -> Result<(), Exhausted> {
        for event in self.unrolling.events.ids().collect::<Vec<_>>() {
            self.budget.spend(UNITS_PER_NODE)?;
            let Some(store) = self.unrolling.events[event].store else { continue };
            let noted = self.unrolling.synchronisations[store].clone();
            let SynchronisationKind::Store { ordering, update } = noted.kind else { continue };
            if releases(ordering) && (!update || acquires(ordering)) {
                self.graph.messages.insert(event, self.graph.nodes[store]);
                continue;
            }
            let mut fences: Vec<SynchronisationId> = Vec::new();
            let mut heads = Vec::new();
            if !releases(ordering) {
                let earlier = self.graph.threads[noted.thread].0.iter().take_while(|&&id| id < store);
                fences.extend(earlier.filter(|&&id| fence(self.unrolling, id).is_some_and(releases)));
                let earlier = if update { Vec::new() } else { self.begun_by(event)? };
                if fences.is_empty() && earlier.is_empty() && !update {
                    continue;
                }
                heads = earlier;
            }
            let message = self.writer.add_loose_node();
            self.graph.messages.insert(event, message);
            if releases(ordering) {
                self.writer.node_edge(self.graph.nodes[store], message);
            }
            for fence in fences {
                let guard = self.unrolling.synchronisations[fence].guard;
                self.edge_if(&[guard], self.graph.nodes[fence], message);
            }
            for (head, unbroken) in heads {
                for (node, condition) in given_by(self.unrolling, &self.graph, head) {
                    self.edge_if(&[unbroken, condition], node, message);
                }
            }
        }
        Ok(())
    }

    /// The earlier atomic stores of its thread whose release sequences a store continues, with the condition.
    fn begun_by(&mut self, store: EventId) -> Result<Vec<(EventId, TermId)>, Exhausted> {
        let Some(location) = self.unrolling.events[store].kind.written() else { return Ok(Vec::new()) };
        if location.space != Space::Data {
            return Ok(Vec::new());
        }
        let step = self.unrolling.events[store].step;
        let thread = self.unrolling.steps[step].thread;
        let (mut heads, mut others) = (Vec::new(), Vec::new());
        let members = self.memory.writes_to(&mut self.unrolling.terms, self.known, location);
        for Member { write, equal, .. } in members.iter().filter(|member| member.write.event != store) {
            let happens = self.unrolling.terms.and(write.effective, *equal);
            let noted = self.unrolling.events[write.event].store;
            let kind = noted.map(|noted| &self.unrolling.synchronisations[noted].kind);
            let update = matches!(kind, Some(SynchronisationKind::Store { update: true, .. }));
            // A store of the thread itself continues the sequence, one of another thread breaks it, unless it is a read-modify-write.
            if write.thread == thread && noted.is_some() {
                if self.writer.always_before(write.step, step) {
                    heads.push((write.event, write.step, happens));
                }
            } else if !update {
                others.push((write.step, happens));
            }
        }
        let mut begun = Vec::new();
        for (head, at, happens) in heads {
            let terms = &mut self.unrolling.terms;
            let mut unbroken = happens;
            for &(other, there) in &others {
                self.budget.spend(UNITS_PER_PAIR)?;
                let behind = self.writer.before(terms, at, other);
                let before = self.writer.before(terms, other, step);
                let between = terms.and_all([there, behind, before]);
                let not = terms.not(between);
                unbroken = terms.and(unbroken, not);
            }
            if terms.as_bool(unbroken) != Some(false) {
                begun.push((head, unbroken));
            }
        }
        Ok(begun)
    }

    /// What the atomic loads of a thread acquire, at once or at a later fence.
    fn encode_loads(&mut self, thread: InstanceId) -> Result<(), Exhausted> {
        let all = self.graph.threads[thread].0.clone();
        let last_fence = all.iter().copied().rfind(|&id| fence(self.unrolling, id).is_some_and(acquires));
        // What an acquire fence acquires.
        let mut pending: Option<NodeId> = None;
        for id in all {
            self.budget.spend(UNITS_PER_NODE)?;
            let guard = self.unrolling.synchronisations[id].guard;
            if fence(self.unrolling, id).is_some_and(acquires)
                && let Some(pending) = pending
            {
                self.edge_if(&[guard], pending, self.graph.nodes[id]);
            }
            let SynchronisationKind::Load { step, address, size, ordering } =
                self.unrolling.synchronisations[id].kind
            else {
                continue;
            };
            let taker = if acquires(ordering) {
                self.graph.nodes[id]
            } else if last_fence.is_some_and(|fence| id < fence) {
                let next = self.writer.add_loose_node();
                if let Some(pending) = pending {
                    self.writer.node_edge(pending, next);
                }
                pending = Some(next);
                next
            } else {
                continue;
            };
            for read in reads_of(self.unrolling, step, address, size) {
                if let Some(received) = self.received(read) {
                    self.edge_if(&[guard, self.unrolling.events[read].guard], received, taker);
                }
            }
        }
        Ok(())
    }

    /// A read-modify-write adds the message that it receives to its own.
    fn pass_messages_on(&mut self) -> Result<(), Exhausted> {
        for event in self.unrolling.events.ids() {
            let what = &self.unrolling.events[event];
            let (Some(store), step) = (what.store, what.step) else { continue };
            let SynchronisationKind::Store { update: true, .. } = self.unrolling.synchronisations[store].kind
            else {
                continue;
            };
            let Some(Location { address, size, .. }) = what.kind.written() else { continue };
            let message = self.graph.messages[&event];
            if message == self.graph.nodes[store] {
                // It has acquired it before it releases.
                continue;
            }
            self.budget.spend(UNITS_PER_NODE)?;
            for read in matching(self.unrolling, step, address, size) {
                if let Some(received) = self.received(read) {
                    let conditions = [self.known.effective(event), self.unrolling.events[read].guard];
                    self.edge_if(&conditions, received, message);
                }
            }
        }
        Ok(())
    }

    /// The message of what a read reads from, if it can have one.
    fn received(&mut self, read: EventId) -> Option<NodeId> {
        if let Some(&received) = self.graph.received.get(&read) {
            return Some(received);
        }
        let sources = self.memory.sources(read)?.to_vec();
        let mut messages = Vec::new();
        for (source, chosen) in sources {
            let message = match source {
                Source::Initial => None,
                Source::Write(write) => self.graph.messages.get(&write).copied(),
                Source::Again(earlier) => self.received(earlier),
            };
            messages.extend(message.map(|message| (message, chosen)));
        }
        if messages.is_empty() {
            return None;
        }
        let received = self.writer.add_loose_node();
        self.graph.received.insert(read, received);
        for (message, chosen) in messages {
            self.edge_if(&[chosen], message, received);
        }
        Some(received)
    }

    /// If races are asked for and all of these hold, one node is before the other.
    fn edge_if(&mut self, conditions: &[TermId], before: NodeId, after: NodeId) {
        let conditions: SmallVec<[TermId; 8]> =
            std::iter::once(self.graph.asked).chain(conditions.iter().copied()).collect();
        self.writer.node_edge_if(&self.unrolling.terms, &conditions, before, after);
    }

    /// Starts and ends of threads.
    fn order_threads(&mut self) {
        for id in self.unrolling.synchronisations.ids() {
            let guard = self.unrolling.synchronisations[id].guard;
            if let SynchronisationKind::Fork(event) = self.unrolling.synchronisations[id].kind
                && let EventKind::Sync(Sync::Fork { thread }) = self.unrolling.events[event].kind
            {
                // A thread that is not started does nothing, so this edge needs no condition.
                self.writer.node_edge(self.graph.nodes[id], self.graph.threads[thread].1[0]);
            }
            if let SynchronisationKind::Join(event) = self.unrolling.synchronisations[id].kind {
                for Named { thread, equal } in joined_by(self.unrolling, self.writer, event) {
                    let ended = self.unrolling.threads[thread].ended;
                    let stretches = &self.graph.threads[thread].1;
                    let last = stretches[stretches.len() - 1];
                    let conditions = [guard, equal, ended];
                    self.edge_if(&conditions, last, self.graph.nodes[id]);
                }
            }
        }
    }

    /// Whoever takes a lock comes after all who released it before.
    fn order_locks(&mut self) -> Result<(), Exhausted> {
        let mut of_events: FxHashMap<EventId, SynchronisationId> = FxHashMap::default();
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for (id, noted) in self.unrolling.synchronisations.iter() {
            if let SynchronisationKind::Lock(event) | SynchronisationKind::Unlock(event) = noted.kind {
                of_events.insert(event, id);
            } else if let SynchronisationKind::TakeWord { step, address } = noted.kind {
                takes.push((id, step, address));
            } else if let SynchronisationKind::GiveWord { step, address } = noted.kind {
                gives.push((id, step, address));
            }
        }
        for first in 0..self.unrolling.acquisitions.len() {
            for second in 0..self.unrolling.acquisitions.len() {
                self.budget.spend(UNITS_PER_PAIR)?;
                self.order_critical_sections(&of_events, (first, second));
            }
        }
        for &(give, given, address) in &gives {
            for &(take, taken, wanted) in &takes {
                if self.unrolling.steps[given].thread != self.unrolling.steps[taken].thread {
                    self.budget.spend(UNITS_PER_PAIR)?;
                    let terms = &mut self.unrolling.terms;
                    let equal = self.known.equal_addresses(terms, address, wanted);
                    let earlier = self.writer.before(terms, given, taken);
                    let guards = [give, take].map(|id| self.unrolling.synchronisations[id].guard);
                    // An atomic block that does not commit releases nothing.
                    let completes = self.unrolling.steps[given].completes;
                    let conditions = [guards[0], guards[1], completes, equal, earlier];
                    self.edge_if(&conditions, self.graph.nodes[give], self.graph.nodes[take]);
                }
            }
        }
        Ok(())
    }

    /// If the first critical section comes before the second, so do its ends. Of two critical sections of a lock one is over before the
    /// other begins, so it is enough to know which begins first.
    fn order_critical_sections(
        &mut self,
        of_events: &FxHashMap<EventId, SynchronisationId>,
        (first, second): (usize, usize),
    ) {
        let locks = [first, second].map(|index| self.unrolling.acquisitions[index].lock);
        let steps = locks.map(|lock| self.unrolling.events[lock].step);
        let Some(&taker) = of_events.get(&locks[1]) else { return };
        let words = locks.map(|lock| self.unrolling.events[lock].kind.lock_word());
        let [Some(one), Some(other)] = words else { return };
        if self.unrolling.steps[steps[0]].thread == self.unrolling.steps[steps[1]].thread {
            return;
        }
        let equal = self.known.equal_addresses(&mut self.unrolling.terms, one, other);
        if self.unrolling.terms.as_bool(equal) == Some(false) {
            return;
        }
        let earlier = self.writer.before(&mut self.unrolling.terms, steps[0], steps[1]);
        // In an atomic block that ends the process as well.
        let taken = self.unrolling.events[locks[1]].guard;
        for (unlock, condition) in self.unrolling.acquisitions[first].releases.clone() {
            if let Some(&giver) = of_events.get(&unlock) {
                let conditions = [self.known.effective(unlock), condition, taken, equal, earlier];
                self.edge_if(&conditions, self.graph.nodes[giver], self.graph.nodes[taker]);
            }
        }
    }

    /// An atomic block of the program comes after all those before it.
    fn order_blocks(&mut self) -> Result<(), Exhausted> {
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for (id, noted) in self.unrolling.synchronisations.iter() {
            if let SynchronisationKind::Begin(step) = noted.kind {
                begins.push((id, step));
            } else if let SynchronisationKind::End(step) = noted.kind {
                ends.push((id, step));
            }
        }
        for &(end, ended) in &ends {
            for &(begin, begun) in &begins {
                if self.unrolling.steps[ended].thread == self.unrolling.steps[begun].thread {
                    continue;
                }
                self.budget.spend(UNITS_PER_PAIR)?;
                let earlier = self.writer.before(&mut self.unrolling.terms, ended, begun);
                let guards = [end, begin].map(|id| self.unrolling.synchronisations[id].guard);
                let conditions = [guards[0], guards[1], earlier];
                self.edge_if(&conditions, self.graph.nodes[end], self.graph.nodes[begin]);
            }
        }
        Ok(())
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
