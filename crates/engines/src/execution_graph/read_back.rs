//! Reading a model back: from the execution that a question found to a trace.
//!
//! A trace is a claim until the VM has replayed it. Nothing here decides anything.

use std::cell::RefCell;

use raddle_base::Id;
use raddle_ir::{Property, Type};
use raddle_logic::term::TermId;
use raddle_vm::trace::{Input, type_name};
use raddle_vm::{MemoryModel, Trace};

use super::encode::{Encoding, Found, RacingPair, ReadFrom};
use super::events::{EventId, InstanceId, Step, StepId, Unrolling};

/// Where an execution goes wrong.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// A check fails, by its index.
    Check(usize),
    /// Two accesses.
    Race(RacingPair),
    /// No thread is enabled.
    Deadlock,
}

/// A value from outside that a thread asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Who.
    pub thread: InstanceId,
    /// How many operations the thread has made before it.
    pub operations: u64,
    /// Its position among those with the same number of operations.
    pub rank: usize,
    /// What people call it.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What is given.
    pub value: u128,
}

/// Reads an execution from a model.
#[derive(Debug)]
pub struct Reader<'e> {
    unrolling: &'e Unrolling,
    model: MemoryModel,
    /// Evaluating remembers what it has computed, which nobody notices.
    found: RefCell<Found<'e>>,
}

impl<'e> Reader<'e> {
    /// Nothing if there is no model.
    #[must_use]
    pub fn new(unrolling: &'e Unrolling, encoding: &'e Encoding<'_>, model: MemoryModel) -> Option<Self> {
        Some(Self { unrolling, model, found: RefCell::new(encoding.found()?) })
    }

    /// The value of a term.
    pub fn value(&self, term: TermId) -> u128 {
        self.found.borrow_mut().value(self.unrolling, term)
    }

    /// Whether a Boolean term holds.
    pub fn holds(&self, term: TermId) -> bool {
        self.value(term) == 1
    }

    /// The value of a count of operations.
    pub fn count(&self, term: TermId) -> u64 {
        u64::try_from(self.value(term)).unwrap_or(0)
    }

    /// What a read reads from; none if it does not happen.
    pub fn read_from(&self, read: EventId) -> Option<ReadFrom> {
        self.found.borrow_mut().read_from(self.unrolling, read)
    }

    /// The accesses that race.
    pub fn race(&self) -> Option<RacingPair> {
        self.found.borrow_mut().racing_pair(self.unrolling)
    }

    /// The id that the VM gives a thread.
    fn thread_id(&self, thread: InstanceId) -> u32 {
        u32::try_from(self.value(self.unrolling.threads[thread].thread_id)).unwrap_or(u32::MAX)
    }

    /// The failing check among those of a property: the first in the order of steps.
    #[must_use]
    pub fn failing_check(&self, property: Property) -> Option<usize> {
        let order = self.found.borrow().order();
        let position = |step: StepId| order.iter().position(|other| *other == step).unwrap_or(usize::MAX);
        self.unrolling
            .checks
            .iter()
            .enumerate()
            .filter(|(_, check)| check.property == property && self.holds(check.violated))
            .min_by_key(|(index, check)| (position(check.step), *index))
            .map(|(index, _)| index)
    }

    /// The inputs of the unrolling that are asked for.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        let inputs = self.unrolling.inputs.iter().enumerate();
        let asked = inputs.filter(|(_, input)| self.holds(input.guard)).map(|(index, input)| Asked {
            thread: input.thread,
            operations: self.count(input.operations),
            rank: index + 1,
            name: input.name.clone(),
            ty: input.ty,
            value: self.value(input.value),
        });
        asked.collect()
    }

    /// The execution as a trace, up to where it goes wrong. What comes from outside may depend on the steps that are made.
    pub fn trace(
        &self,
        property: Property,
        failure: Failure,
        outside: impl FnOnce(&[StepId]) -> Vec<Asked>,
    ) -> Trace {
        let mut order = self.found.borrow().order();
        let last = self.cut(&mut order, failure);
        let (mut trace, mut done) = self.schedule(&order, last);
        trace.property = Some(property.name().to_owned());
        if matches!(failure, Failure::Deadlock) {
            // What follows the last step of a thread that ends is not in the order.
            for (thread, instance) in self.unrolling.threads.iter() {
                if self.holds(instance.ended) {
                    self.advance(&mut trace, &mut done, thread, self.count(instance.operations));
                }
            }
        }
        trace.inputs = self.inputs(outside(&order));
        trace
    }

    /// The execution as a trace that breaks nothing, up to the end of a step.
    #[must_use]
    pub fn trace_to(&self, step: StepId, outside: impl FnOnce(&[StepId]) -> Vec<Asked>) -> Trace {
        let mut order = self.found.borrow().order();
        if let Some(position) = order.iter().position(|other| *other == step) {
            order.truncate(position + 1);
        }
        // A step that does not complete is made all the same.
        let step = &self.unrolling.steps[step];
        let open = !self.holds(step.completes);
        let last = open.then(|| (step.thread, self.count(step.operations)));
        let (mut trace, _) = self.schedule(&order, last.into_iter().collect());
        trace.inputs = self.inputs(outside(&order));
        trace
    }

    /// Those of the steps that complete, one after the other, and then some operations; and how many each thread has made.
    fn schedule(&self, order: &[StepId], last: Vec<(InstanceId, u64)>) -> (Trace, Vec<u64>) {
        let mut trace = Trace::new();
        let mut done = vec![0_u64; self.unrolling.threads.len()];
        for &step in order {
            let step = &self.unrolling.steps[step];
            if self.holds(step.completes) {
                let made = self.count(step.operations);
                self.advance(&mut trace, &mut done, step.thread, made);
                if self.model.is_weak() && self.is_store(step) {
                    trace.record_flush(self.thread_id(step.thread), made);
                }
            }
        }
        for (thread, operations) in last {
            let operations = operations.max(done[thread.index()] + 1);
            self.advance(&mut trace, &mut done, thread, operations);
        }
        (trace, done)
    }

    /// What threads ask for, each in the order in which it does.
    fn inputs(&self, mut asked: Vec<Asked>) -> Vec<Input> {
        asked.sort_by_key(|asked| (self.thread_id(asked.thread), asked.operations, asked.rank));
        let input = |Asked { thread, name, ty, value, .. }| Input {
            thread: self.thread_id(thread),
            name,
            ty: type_name(ty),
            value: value.to_string(),
        };
        asked.into_iter().map(input).collect()
    }

    /// Drops the steps behind a failure. Says who makes operations after the others, and how many.
    fn cut(&self, order: &mut Vec<StepId>, failure: Failure) -> Vec<(InstanceId, u64)> {
        let mut last = Vec::new();
        match failure {
            Failure::Check(index) => {
                let check = &self.unrolling.checks[index];
                if let Some(position) = order.iter().position(|other| *other == check.step) {
                    order.truncate(position + 1);
                }
                // What the step itself does beyond the check is not made.
                let in_step = check.step;
                order.retain(|step| *step != in_step || !self.is_partial(index));
                last.push((check.thread, self.count(check.operations).max(1)));
            }
            Failure::Race(pair) => {
                order.truncate(pair.steps_before);
                for access in [pair.accesses.0, pair.accesses.1] {
                    let step = &self.unrolling.steps[self.unrolling.accesses[access].step];
                    // One that ends the process is not among those that complete.
                    if !self.holds(step.completes) {
                        last.push((step.thread, self.count(step.operations)));
                    }
                }
            }
            Failure::Deadlock => {}
        }
        last
    }

    /// Whether a step is a store that may be late: then its position in the order is when it becomes visible.
    fn is_store(&self, step: &Step) -> bool {
        let writes = |event: &EventId| self.unrolling.events[*event].kind.written().is_some();
        !step.fence && step.events.iter().any(writes) && step.events.iter().all(writes)
    }

    /// Whether a check fails inside of the step it belongs to.
    fn is_partial(&self, index: usize) -> bool {
        let check = &self.unrolling.checks[index];
        self.count(self.unrolling.steps[check.step].operations) > self.count(check.operations)
    }

    fn advance(&self, trace: &mut Trace, done: &mut [u64], thread: InstanceId, to: u64) {
        let made = &mut done[thread.index()];
        if to > *made {
            trace.record(self.thread_id(thread), to - *made);
            *made = to;
        }
    }
}
