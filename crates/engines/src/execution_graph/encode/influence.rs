//! Which reads can influence the answer: a cone of influence over events.
//!
//! What a program counts, prints or hands on without ever looking at it needs no reads-from. A read matters if a symbol of its value is in
//! a term that matters. Terms matter that say where threads go: guards of steps, limits, counts of operations (traces are made of them),
//! what synchronises; and what the caller will ask or look at: the checks of some properties. For a read that matters, so do its guard and address, and of each write that it may
//! read from the address, the value, and whether it happens.
//!
//! # Why the others can be left out
//! Take a model of what is said about the reads that matter, and execute the program in the order of its steps. By induction along
//! this order every read that matters reads in memory what it reads in the model: which writes happen before it, where, and
//! which values they write, are terms over symbols that matter. A read that does not matter reads whatever is there, and
//! nothing that is asked depends on it. So the model is an execution, but for values that nobody looks at. Conversely, an execution is a
//! model of less. What was confirmed of values that are left out (ranges) holds in this execution as in any other.
//!
//! The idea is that of projections of executions on what a property reads, here taken once for the whole unrolling.
//!
//! Direction of error: too many reads may matter, which costs clauses.

use raddle_base::Table;
use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::execution_graph::events::{
    AccessKind, Event, EventId, EventKind, StepId, Sync, SynchronisationKind, Unrolling,
};

/// Values and constraints that are made of more terms than this matter, whatever they are made of.
const MOST_TERMS: usize = 200;

/// Which reads are to be encoded.
#[derive(Clone, Copy, Debug)]
pub enum Reads<'r> {
    /// All of them: each can be asked about.
    All,
    /// Those that can influence where threads go, or one of these terms: nothing else is asked, or looked at in models.
    ThatMatter(&'r [TermId]),
}

/// What matters, as far as it was followed.
#[derive(Debug, Default)]
pub(super) struct Influence {
    /// The terms that matter.
    terms: FxHashSet<TermId>,
    /// For each symbol the reads that it is a part of the value of.
    readers: FxHashMap<TermId, Vec<EventId>>,
    /// For each symbol the constraints on it: whoever matters brings all that is said of it.
    constraints: FxHashMap<TermId, Vec<TermId>>,
    /// The reads that matter.
    reads: Table<EventId, bool>,
    /// Those whose writes were not looked at yet.
    open: Vec<EventId>,
}

impl Influence {
    /// What matters before any write is looked at.
    pub(super) fn new(unrolling: &Unrolling, looked_at: &[TermId]) -> Self {
        let mut influence =
            Self { reads: Table::filled(unrolling.events.len(), || false), ..Self::default() };
        for (event, what) in unrolling.events.iter() {
            if let EventKind::Access { access: AccessKind::Read { value, .. }, .. } = what.kind {
                match symbols(&unrolling.terms, value, MOST_TERMS) {
                    Some(symbols) => symbols
                        .into_iter()
                        .for_each(|symbol| influence.readers.entry(symbol).or_default().push(event)),
                    None => influence.add_read(event),
                }
            }
        }
        let mut large = Vec::new();
        for &constraint in &unrolling.constraints {
            match symbols(&unrolling.terms, constraint, MOST_TERMS) {
                Some(symbols) => symbols
                    .into_iter()
                    .for_each(|symbol| influence.constraints.entry(symbol).or_default().push(constraint)),
                None => large.push(constraint),
            }
        }
        influence.add_all(&unrolling.terms, large);
        influence.add_all(&unrolling.terms, looked_at.iter().copied());
        influence.add_control(unrolling);
        influence.add_synchronisation(unrolling);
        influence
    }

    /// A term matters, and all that it is made of.
    pub(super) fn add(&mut self, terms: &Terms, term: TermId) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.terms.insert(term) {
                continue;
            }
            stack.extend(terms[term].children());
            if let Some(readers) = self.readers.get(&term) {
                for &read in readers {
                    if !std::mem::replace(&mut self.reads[read], true) {
                        self.open.push(read);
                    }
                }
            }
            stack.extend(self.constraints.get(&term).into_iter().flatten());
        }
    }

    fn add_all(&mut self, terms: &Terms, list: impl IntoIterator<Item = TermId>) {
        list.into_iter().for_each(|term| self.add(terms, term));
    }

    fn add_read(&mut self, read: EventId) {
        if !std::mem::replace(&mut self.reads[read], true) {
            self.open.push(read);
        }
    }

    /// The next read that matters and whose writes are to be looked at.
    pub(super) fn next(&mut self) -> Option<EventId> {
        self.open.pop()
    }

    /// Whether a read matters.
    pub(super) fn matters(&self, read: EventId) -> bool {
        self.reads[read]
    }

    /// Whether a term says something about a read that was left out. Nobody may ask that.
    pub(super) fn is_left_out(&self, terms: &Terms, term: TermId) -> bool {
        let left_out = |symbol| {
            let mut readers = self.readers.get(&symbol).into_iter().flatten();
            readers.any(|&read| !self.reads[read])
        };
        symbols(terms, term, usize::MAX).into_iter().flatten().any(left_out)
    }

    /// Where threads go, and how many operations that takes.
    fn add_control(&mut self, unrolling: &Unrolling) {
        let terms = &unrolling.terms;
        for step in unrolling.steps.values() {
            self.add_all(terms, [step.begun, step.completes, step.exits, step.operations]);
        }
        for thread in unrolling.threads.values() {
            let ends = [thread.ended, thread.result, thread.stopped, thread.operations];
            self.add_all(terms, [thread.started, thread.thread_id].into_iter().chain(ends));
        }
        self.add_all(terms, unrolling.limits.iter().map(|limit| limit.reached));
        for input in &unrolling.inputs {
            self.add_all(terms, [input.guard, input.operations]);
        }
        self.add(terms, unrolling.process_ends);
        // What else a blocked step reads makes no difference: it comes last, whatever is there.
        self.add_all(terms, unrolling.blockings.iter().map(|blocking| blocking.blocked));
    }

    /// What orders accesses, and the accesses that may race.
    fn add_synchronisation(&mut self, unrolling: &Unrolling) {
        let terms = &unrolling.terms;
        for (event, Event { guard, kind, .. }) in unrolling.events.iter() {
            match *kind {
                EventKind::Sync(sync) => {
                    self.add(terms, *guard);
                    match sync {
                        Sync::Lock { address, granted } => self.add_all(terms, [address, granted]),
                        Sync::Unlock { address } => self.add(terms, address),
                        Sync::LockIsFree { address, free } => self.add_all(terms, [address, free]),
                        Sync::Join { thread_id, granted, result } => {
                            self.add_all(terms, [thread_id, granted, result]);
                        }
                        Sync::ThreadExists { thread_id, exists } => self.add_all(terms, [thread_id, exists]),
                        Sync::Fork { .. } => {}
                    }
                }
                // Whether the VM asks for an input depends on it.
                EventKind::Access { access: AccessKind::Read { uninitialised: Some(_), .. }, .. } => {
                    self.add_read(event);
                }
                // Which write a message is of, and which come between, matters to happens-before.
                EventKind::Access { location, access: AccessKind::Write { .. } }
                    if !unrolling.synchronisations.is_empty() =>
                {
                    self.add_all(terms, [*guard, location.address]);
                }
                EventKind::Access { .. } | EventKind::Mark => {}
            }
        }
        for acquisition in unrolling.acquisitions.iter() {
            self.add_all(terms, acquisition.releases.iter().map(|&(_, condition)| condition));
        }
        for access in &unrolling.accesses {
            self.add_all(terms, [access.guard, access.address]);
        }
        for synchronisation in unrolling.synchronisations.values() {
            self.add(terms, synchronisation.guard);
            match synchronisation.kind {
                SynchronisationKind::Load { step, address, .. }
                | SynchronisationKind::TakeWord { step, address }
                | SynchronisationKind::GiveWord { step, address } => {
                    self.add(terms, address);
                    self.add_reads_of(unrolling, step);
                }
                SynchronisationKind::Store { .. }
                | SynchronisationKind::Fence(_)
                | SynchronisationKind::Lock(_)
                | SynchronisationKind::Unlock(_)
                | SynchronisationKind::Fork(_)
                | SynchronisationKind::Join(_)
                | SynchronisationKind::Begin(_)
                | SynchronisationKind::End(_) => {}
            }
        }
    }

    fn add_reads_of(&mut self, unrolling: &Unrolling, step: StepId) {
        for &event in &unrolling.steps[step].events {
            if unrolling.events[event].kind.read().is_some() {
                self.add_read(event);
            }
        }
    }
}

/// The symbols that a term is made of, each once; nothing if it is made of too many terms.
fn symbols(terms: &Terms, term: TermId, most: usize) -> Option<Vec<TermId>> {
    let mut seen = FxHashSet::default();
    let (mut stack, mut found) = (vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > most {
                return None;
            }
            if matches!(terms[term], Term::Symbol(_)) {
                found.push(term);
            }
            stack.extend(terms[term].children());
        }
    }
    Some(found)
}
