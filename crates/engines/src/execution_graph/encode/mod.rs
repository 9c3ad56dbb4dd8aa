//! From an unrolled program to a question for a solver.
//!
//! Each step is a node of the order theory. What must hold of an execution is said in terms and in edges between nodes, some
//! under conditions:
//!
//! | file | says | owns |
//! |---|---|---|
//! | `program_order` | which steps of a thread stay in order: the memory model | |
//! | `writer`, with `reach` | | the solver, the nodes of steps, the static order |
//! | `knowledge`, with `facts` | | positions, conditions of events, what follows from guards |
//! | `threads` | a thread runs after its creation; a join waits for its end | joins |
//! | `locks` | a lock is taken by one thread at a time | critical sections |
//! | `memory`, with `visible`, `between` | a read reads from the last write before it | writes, reads-from |
//! | `influence` | which reads need no such word, because nothing that is asked depends on them | what matters |
//! | `race` | nothing orders two accesses that conflict | pairs of accesses |
//! | `happens_before` | what orders accesses | the graph of that |
//! | `deadlock` | no thread is enabled | |
//! | `contexts` | threads are switched so many times at most, if that is asked for | contexts |
//! | `found`, `check` | what a model says, and whether it is an execution | |
//!
//! What one file owns the others only ask for.
//!
//! A model of all that is an execution: the steps whose guards are true, in an order that fits. Steps that do not happen have
//! nodes too. They order nothing that happens: static edges lead from such a node only to nodes that do not happen either, or
//! along program order, which is transitive anyway.
//!
//! # Static order
//! Where the order of two steps is the same in every execution, no literal is made (`reach`), and reads cannot read from writes that
//! were overwritten for sure (`facts` tells which events happen for sure when others do). Both may miss something, which
//! costs clauses; neither may claim too much, which would lose executions.
//!
//! # Memory models
//! A store's node is the moment at which memory takes it in, so others read from stores in the order of nodes. A thread also reads from its
//! own stores while they wait in its buffer. Let w be a store and r a later load of the same thread to the same address, and
//! v the store that r reads from.
//! - v = w needs no edge: either w waits (r before w), or memory has it (w before r), and then no other store may
//!   come between, as for any store.
//! - v another thread's store: v is before r, and w no longer waits when r looks, so w is before r. It does not come between v and
//!   r, so w is before v. Conversely w before v before r makes v visible. So the condition is w before v.
//! - the initial value is not read.
//! - v an earlier store of the same thread: not while w waits, and not after, for w overwrites it. It is excluded by the same
//!   condition, w before v, because stores of a thread to one address stay in order.
//!
//! This is what is said under sequential consistency about a w that is always before r, so `memory` has one notion for both:
//! w is *past* for r. Fences need no word of their own: they are in the preserved program order, as far as they happen.
//!
//! # Direction of error
//! None is intended: an execution of the unrolled program is a model, and a model is an execution. Whoever shows a bug replays
//! it in the VM all the same.

mod between;
mod check;
mod contexts;
mod deadlock;
mod facts;
mod found;
mod happens_before;
mod influence;
mod knowledge;
mod locks;
mod memory;
mod program_order;
mod race;
mod reach;
mod threads;
mod visible;
mod writer;

#[cfg(test)]
mod tests;

use raddle_base::{Budget, Exhausted};
use raddle_logic::solver::{Answer, Solver, SolverError, Stop};
use raddle_logic::term::{Evaluator, TermId, Terms};

use super::events::Unrolling;
use crate::{MemoryModel, Sizes};
use contexts::Contexts;
use deadlock::DeadlockEncoder;
use facts::FactTable;
pub use found::{Found, RacingPair, ReadFrom};
use influence::Influence;
pub use influence::Reads;
use knowledge::Knowledge;
use locks::CriticalSections;
use memory::Memory;
use program_order::preserved_program_order;
use race::{RaceEncoder, Races};
use threads::{Joins, encode_threads, fork_edges};
use writer::Writer;

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
    /// An execution in which no thread is enabled, and some thread is blocked.
    Deadlock,
}

/// An unrolled program as a question. See the [module](self).
#[derive(Debug)]
pub struct Encoding<'a> {
    writer: Writer,
    known: Knowledge<'a>,
    joins: Joins,
    sections: CriticalSections,
    memory: Memory,
    /// Which reads matter, unless all do.
    influence: Option<Influence>,
    /// What was said about contexts, if they are bounded.
    contexts: Option<Contexts>,
    /// What was said about races, once it was asked for.
    races: Option<Races>,
    /// The condition under which there is a deadlock, once it was asked for.
    deadlock: Option<TermId>,
}

impl<'a> Encoding<'a> {
    /// Says all that holds of every execution to a solver that has heard nothing yet.
    pub fn new(
        solver: Box<dyn Solver>,
        unrolling: &mut Unrolling,
        model: MemoryModel,
        addresses: &'a dyn Addresses,
        reads: Reads<'_>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        debug_assert_eq!(unrolling.flaw(), None);
        let mut facts = FactTable::default();
        let mut order = preserved_program_order(unrolling, model, &mut facts);
        order.edges.extend(fork_edges(unrolling));
        order.edges.extend(unrolling.ordered.iter().copied());
        let mut writer = Writer::new(solver, &order.chains, &order.edges);
        let mut known = Knowledge::new(unrolling, addresses, facts);
        for (condition, before, after) in order.conditional {
            writer.edge_if(&mut unrolling.terms, &[condition], before, after);
        }
        for index in 0..unrolling.constraints.len() {
            writer.assert(&mut unrolling.terms, unrolling.constraints[index]);
        }
        let joins = encode_threads(unrolling, &mut known, &mut writer, budget)?;
        let sections = CriticalSections::new(unrolling, &mut known);
        sections.encode(unrolling, &known, &mut writer, budget)?;
        let mut memory = Memory::new(unrolling, &known);
        let influence = match reads {
            // Under weak memory models, addresses of accesses that do not matter order others.
            Reads::ThatMatter(looked_at) if !model.is_weak() => {
                Some(memory.influence(unrolling, &known, looked_at, budget)?)
            }
            Reads::ThatMatter(_) | Reads::All => None,
        };
        let matters = (&sections, influence.as_ref());
        memory.encode(unrolling, &mut known, &mut writer, matters, budget)?;
        budget.check()?;
        let (contexts, races, deadlock) = (None, None, None);
        Ok(Self { writer, known, joins, sections, memory, influence, contexts, races, deadlock })
    }

    /// Looks for an execution that answers the question.
    pub fn ask(
        &mut self,
        unrolling: &mut Unrolling,
        question: Question,
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        let assumptions = match budget.check().and_then(|()| self.assumptions(unrolling, question, budget)) {
            Ok(assumptions) => assumptions,
            Err(exhausted) => return Ok(Answer::Unknown(Stop::Budget(exhausted))),
        };
        debug_assert!(match question {
            Question::Holds(term) => !self.leaves_out(unrolling, term),
            Question::Race | Question::Deadlock => true,
        });
        let answer = self.writer.check(&mut unrolling.terms, &assumptions, budget)?;
        debug_assert_eq!(self.found().and_then(|mut found| found.flaw(unrolling)), None);
        Ok(answer)
    }

    /// The question as SMT-LIB text, if the solver keeps a record of what it was told.
    pub fn script(
        &mut self,
        unrolling: &mut Unrolling,
        question: Question,
        budget: &Budget,
    ) -> Result<String, Exhausted> {
        let assumptions = self.assumptions(unrolling, question, budget)?;
        Ok(self.writer.script(&unrolling.terms, &assumptions))
    }

    /// What is to be assumed for a question.
    fn assumptions(
        &mut self,
        unrolling: &mut Unrolling,
        question: Question,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Exhausted> {
        let wanted = match question {
            Question::Holds(term) => term,
            Question::Race => self.asked_for_races(unrolling, budget)?,
            Question::Deadlock => self.asked_for_deadlock(unrolling, budget)?,
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
        Ok(assumptions)
    }

    /// Whether some accesses race. What an exhausted budget left unfinished counts only under a literal that nobody asks for again.
    fn asked_for_races(&mut self, unrolling: &mut Unrolling, budget: &Budget) -> Result<TermId, Exhausted> {
        if let Some(races) = &self.races {
            return Ok(races.any);
        }
        let mut encoder = RaceEncoder {
            unrolling,
            known: &self.known,
            writer: &mut self.writer,
            joins: &self.joins,
            sections: &self.sections,
            contexts: self.contexts.as_ref(),
            memory: &mut self.memory,
            budget,
        };
        Ok(self.races.insert(encoder.encode()?).any)
    }

    /// Whether there is a deadlock; the same holds of an exhausted budget.
    fn asked_for_deadlock(
        &mut self,
        unrolling: &mut Unrolling,
        budget: &Budget,
    ) -> Result<TermId, Exhausted> {
        if let Some(asked) = self.deadlock {
            return Ok(asked);
        }
        let mut encoder = DeadlockEncoder {
            unrolling,
            known: &self.known,
            writer: &mut self.writer,
            sections: &self.sections,
            contexts: self.contexts.as_ref(),
            memory: &mut self.memory,
            budget,
        };
        Ok(*self.deadlock.insert(encoder.encode()?))
    }

    /// Whether a term says something about reads that were not encoded. Its value in models means nothing then.
    #[must_use]
    pub fn leaves_out(&self, unrolling: &Unrolling, term: TermId) -> bool {
        self.influence.as_ref().is_some_and(|influence| influence.is_left_out(&unrolling.terms, term))
    }

    /// The execution that the last question found, if it found one.
    #[must_use]
    pub fn found(&self) -> Option<Found<'_>> {
        Some(Found { encoding: self, evaluator: Evaluator::new(self.writer.model()?) })
    }

    /// How many conflicts each later question may meet before it is given up.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.writer.limit_conflicts(limit);
    }

    /// How large the question is.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        let sat = self.writer.statistics();
        Sizes {
            events: u64::try_from(self.known.events()).unwrap_or(u64::MAX),
            variables: sat.variables,
            clauses: sat.clauses,
            conflicts: sat.conflicts,
            ..Sizes::default()
        }
    }

    /// How many edges there are under conditions.
    #[must_use]
    pub const fn conditional_edges(&self) -> u64 {
        self.writer.conditional_edges()
    }
}
