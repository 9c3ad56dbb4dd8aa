//! From an unrolled program to a question for a solver.
//!
//! Each step is a node of the order theory. What must hold of an execution is said in terms and in edges between nodes, some
//! under conditions:
//!
//! | file | says |
//! |---|---|
//! | `program_order` | which steps of a thread stay in order: the memory model |
//! | `threads` | a thread runs after its creation; a join waits for its end |
//! | `memory`, `visible`, `between` | a read sees the last write before it |
//! | `influence` | which reads need no such word, because nothing that is asked depends on them |
//! | `locks` | a lock is taken by one thread at a time |
//! | `race` | nothing orders two accesses that conflict |
//! | `happens_before` | what orders accesses |
//! | `deadlock` | nobody can go on |
//! | `contexts` | threads are switched so many times at most, if that is asked for |
//!
//! A model of all that is an execution: the steps whose guards are true, in an order that fits. Steps that do not happen have
//! nodes too. They order nothing that happens: static edges lead from such a node only to nodes that do not happen either, or
//! along program order, which is transitive anyway.
//!
//! # Static order
//! Where the order of two steps is the same in every execution, no literal is made (`reach`), and reads cannot see writes that
//! were overwritten for sure (`facts` tells which events happen for sure when others do). Both may miss something, which
//! costs clauses; neither may claim too much, which would lose executions.
//!
//! # Memory models
//! A store's node is the moment at which memory takes it in, so others see stores in the order of nodes. A thread also sees its
//! own stores while they wait in its buffer. Let w be a store and r a later load of the same thread to the same address, and
//! v the store that r sees.
//! - v = w needs no edge: either w waits (r before w), or memory has it (w before r), and then no other store may
//!   come between, as for any store.
//! - v another thread's store: v is before r, and w no longer waits when r looks, so w is before r. It does not come between v and
//!   r, so w is before v. Conversely w before v before r makes v visible. So the condition is w before v.
//! - the initial value is not to be seen.
//! - v an earlier store of the same thread: not while w waits, and not after, for w overwrites it. It is excluded by the same
//!   condition, w before v, because stores of a thread to one address stay in order.
//!
//! This is what is said under sequential consistency about a w that is always before r, so `memory` has one notion for both:
//! w is *settled* for r. Fences need no word of their own: they are in the preserved program order, as far as they happen.
//!
//! # Direction of error
//! None is intended: an execution of the unrolled program is a model, and a model is an execution. Whoever shows a bug replays
//! it in the VM all the same.

mod between;
mod check;
mod clauses;
mod contexts;
mod deadlock;
mod facts;
mod found;
mod happens_before;
mod influence;
mod locks;
mod memory;
mod program_order;
mod race;
mod reach;
mod threads;
mod visible;

#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use raddle_base::{Budget, Exhausted, Table};
use raddle_logic::solver::{Answer, NodeId, Solver, SolverError, Stop};
use raddle_logic::term::{Evaluator, TermId, Terms};
use rustc_hash::FxBuildHasher;

use super::events::{EventId, StepId, Unrolling};
use crate::{MemoryModel, Sizes};
use contexts::Contexts;
use facts::FactTable;
pub use found::{Found, RacingPair, ReadFrom};
use influence::Influence;
pub use influence::Reads;
use program_order::preserved_program_order;
use race::Races;
use reach::Reach;

/// What is known of addresses beside their terms.
pub trait Addresses: std::fmt::Debug {
    /// Whether two addresses can be equal. May say yes when they cannot.
    fn may_be_equal(&self, terms: &Terms, a: TermId, b: TermId) -> bool;

    /// The condition under which two addresses are in the same object.
    fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId;

    /// Whether an address is sure to be one of memory that every thread reaches from the beginning and that may be written. May say no when
    /// it is.
    fn is_reached_by_all(&self, _: &Terms, _: TermId) -> bool {
        false
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// An execution in which this Boolean term holds: that some check is violated, that some limit is reached.
    Holds(TermId),
    /// Two accesses that conflict and that nothing orders.
    Race,
    /// An execution in which nobody can go on, and somebody waits.
    Deadlock,
}

/// Where the value of a read comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// What was there before any write.
    Initial,
    /// This event.
    Write(EventId),
    /// The same as that of this earlier read of its thread.
    Again(EventId),
}

/// An unrolled program as a question. See the [module](self).
#[derive(Debug)]
pub struct Encoding<'a> {
    addresses: &'a dyn Addresses,
    solver: Box<dyn Solver>,
    nodes: Table<StepId, NodeId>,
    /// The step of each node that is one.
    steps: Table<NodeId, Option<StepId>>,
    /// The place of each step in its thread.
    positions: Table<StepId, u32>,
    reach: Reach,
    facts: FactTable,
    /// For each event, the condition under which others notice it.
    effective: Table<EventId, TermId>,
    /// What each read may see, and the condition under which it does, given that it happens.
    sources: IndexMap<EventId, Vec<(Source, TermId)>, FxBuildHasher>,
    /// Which reads matter, unless all do.
    influence: Option<Influence>,
    /// For each step, the critical sections that its thread is in for sure when it comes there: the lock, and which.
    inside: Table<StepId, Vec<(TermId, usize)>>,
    /// Where each critical section begins.
    section_steps: Vec<StepId>,
    /// Ends of threads and what always comes after joining them.
    join_edges: Vec<(StepId, StepId)>,
    edges: u64,
    /// What was said about races, once it was asked for.
    races: Option<Races>,
    /// The condition under which there is a deadlock, once it was asked for.
    deadlock: Option<TermId>,
    /// What was said about contexts, if they are bounded.
    contexts: Option<Contexts>,
}

impl<'a> Encoding<'a> {
    /// Says all that holds of every execution to a solver that has heard nothing yet.
    pub fn new(
        mut solver: Box<dyn Solver>,
        unrolling: &mut Unrolling,
        model: MemoryModel,
        addresses: &'a dyn Addresses,
        reads: Reads<'_>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        debug_assert_eq!(unrolling.flaw(), None);
        let mut facts = FactTable::default();
        let mut order = preserved_program_order(unrolling, model, &mut facts);
        order.edges.extend(threads::fork_edges(unrolling));
        order.edges.extend(unrolling.symmetric.iter().copied());
        let nodes: Table<StepId, NodeId> = unrolling.steps.ids().map(|_| solver.add_node()).collect();
        for &(before, after) in &order.edges {
            solver.add_edge(nodes[before], nodes[after]);
        }
        let mut positions = Table::filled(unrolling.steps.len(), || 0);
        for thread in unrolling.threads.values() {
            for (place, &step) in thread.steps.iter().enumerate() {
                positions[step] = u32::try_from(place).expect("step ids have 32 bits");
            }
        }
        let effective = unrolling.events.ids().map(|event| unrolling.effective(event)).collect();
        let mut encoding = Self {
            addresses,
            solver,
            steps: unrolling.steps.ids().map(Some).collect(),
            nodes,
            positions,
            reach: Reach::new(&order.chains, &order.edges),
            facts,
            effective,
            sources: IndexMap::default(),
            influence: None,
            inside: Table::new(),
            section_steps: Vec::new(),
            join_edges: Vec::new(),
            edges: 0,
            races: None,
            deadlock: None,
            contexts: None,
        };
        for (condition, before, after) in order.conditional {
            encoding.edge_if(&mut unrolling.terms, &[condition], before, after);
        }
        for place in 0..unrolling.constraints.len() {
            encoding.assert(&mut unrolling.terms, unrolling.constraints[place]);
        }
        encoding.encode_threads(unrolling);
        encoding.encode_locks(unrolling);
        // Under weak memory models, addresses of accesses that do not matter order others.
        let reads = if model.is_weak() { Reads::All } else { reads };
        encoding.encode_memory(unrolling, reads, budget)?;
        budget.check()?;
        Ok(encoding)
    }

    /// Looks for an execution that answers the question.
    pub fn ask(
        &mut self,
        unrolling: &mut Unrolling,
        question: Question,
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        if let Err(exhausted) = budget.check() {
            return Ok(Answer::Unknown(Stop::Budget(exhausted)));
        }
        let assumptions = self.assumptions(unrolling, question);
        debug_assert!(match question {
            Question::Holds(term) => !self.leaves_out(unrolling, term),
            Question::Race | Question::Deadlock => true,
        });
        let answer = self.solver.check(&mut unrolling.terms, &assumptions, budget)?;
        debug_assert_eq!(self.found().and_then(|mut found| found.flaw(unrolling)), None);
        Ok(answer)
    }

    /// The question as SMT-LIB text, if the solver keeps a record of what it was told.
    pub fn script(&mut self, unrolling: &mut Unrolling, question: Question) -> String {
        let assumptions = self.assumptions(unrolling, question);
        self.solver.dump_smt2(&unrolling.terms, &assumptions)
    }

    /// What is to be assumed for a question.
    fn assumptions(&mut self, unrolling: &mut Unrolling, question: Question) -> Vec<TermId> {
        let wanted = match question {
            Question::Holds(term) => term,
            Question::Race => match &self.races {
                Some(races) => races.any,
                None => {
                    let races = self.encode_races(unrolling);
                    self.races.insert(races).any
                }
            },
            Question::Deadlock => match self.deadlock {
                Some(asked) => asked,
                None => {
                    let asked = self.encode_deadlock(unrolling);
                    *self.deadlock.insert(asked)
                }
            },
        };
        let mut assumptions = vec![wanted];
        // What is not asked for shall not keep the solver busy.
        assumptions.extend(self.races.as_ref().map(|races| match question {
            Question::Race => races.asked,
            Question::Holds(_) | Question::Deadlock => unrolling.terms.not(races.asked),
        }));
        if question != Question::Deadlock {
            assumptions.extend(self.deadlock.map(|asked| unrolling.terms.not(asked)));
        }
        assumptions
    }

    /// Whether a term says something about reads that were not encoded. Its value in models means nothing then.
    #[must_use]
    pub fn leaves_out(&self, unrolling: &Unrolling, term: TermId) -> bool {
        self.influence.as_ref().is_some_and(|influence| influence.is_left_out(&unrolling.terms, term))
    }

    /// The execution that the last question found, if it found one.
    #[must_use]
    pub fn found(&self) -> Option<Found<'_>> {
        Some(Found { encoding: self, evaluator: Evaluator::new(self.solver.model()?) })
    }

    /// How many conflicts each later question may meet before it is given up.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.solver.limit_conflicts(limit);
    }

    /// How large the question is.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        let sat = self.solver.statistics().sat;
        Sizes {
            events: u64::try_from(self.effective.len()).unwrap_or(u64::MAX),
            variables: sat.variables,
            clauses: sat.clauses,
            conflicts: sat.conflicts,
            ..Sizes::default()
        }
    }

    /// How many edges there are under conditions.
    #[must_use]
    pub const fn conditional_edges(&self) -> u64 {
        self.edges
    }
}
