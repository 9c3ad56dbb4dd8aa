//! Reading an execution from the model that a question found.

use raddle_logic::term::{Evaluator, TermId};

use super::Encoding;
use super::memory::Source;
use crate::execution_graph::events::{EventId, StepId, Unrolling};

/// What a read reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    /// What was there before any write.
    Initial,
    /// What this event wrote.
    Write(EventId),
}

/// Two accesses that race in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingPair {
    /// Indices into the unrolling's accesses.
    pub accesses: (usize, usize),
    /// How many of the steps of [`Found::order`] there are until both are made.
    pub steps_before: usize,
}

/// An execution. What was evaluated is remembered.
#[derive(Debug)]
pub struct Found<'e> {
    pub(super) encoding: &'e Encoding<'e>,
    pub(super) evaluator: Evaluator<'e>,
}

impl Found<'_> {
    /// All steps, those that do not happen included, in an order that fits.
    #[must_use]
    pub fn order(&self) -> Vec<StepId> {
        self.encoding.writer.order_of_steps().unwrap_or_default()
    }

    /// The value of a Boolean (zero or one) or bit-vector term.
    pub fn value(&mut self, unrolling: &Unrolling, term: TermId) -> u128 {
        self.evaluator.scalar(&unrolling.terms, term)
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, unrolling: &Unrolling, term: TermId) -> bool {
        self.evaluator.holds(&unrolling.terms, term)
    }

    /// What a read reads from; none if it does not happen.
    pub fn read_from(&mut self, unrolling: &Unrolling, read: EventId) -> Option<ReadFrom> {
        if !self.holds(unrolling, unrolling.events[read].guard) {
            return None;
        }
        let mut read = read;
        loop {
            let sources = self.encoding.memory.sources(read)?;
            let mut chosen =
                sources.iter().filter(|&&(_, chosen)| self.evaluator.holds(&unrolling.terms, chosen));
            match chosen.next()?.0 {
                Source::Initial => return Some(ReadFrom::Initial),
                Source::Write(write) => return Some(ReadFrom::Write(write)),
                Source::Again(earlier) => read = earlier,
            }
        }
    }

    /// The accesses that race, if the question was whether some do.
    pub fn racing_pair(&mut self, unrolling: &Unrolling) -> Option<RacingPair> {
        let races = self.encoding.races.as_ref()?;
        let (first, second) = races.pair(|race| self.evaluator.holds(&unrolling.terms, race))?;
        let made = [first, second].map(|access| unrolling.accesses[access].step);
        let steps_before = self.order().iter().rposition(|step| made.contains(step))? + 1;
        Some(RacingPair { accesses: (first, second), steps_before })
    }
}
