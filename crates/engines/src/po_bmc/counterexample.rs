//! From a model to a trace, and what that says about a property once the VM has replayed it.

use std::cell::RefCell;

use raddle_base::{Budget, Id};
use raddle_ir::{Property, Type};
use raddle_logic::term::{TermId, bits};
use raddle_vm::trace::{Input, type_name};
use raddle_vm::{Machine, MemoryModel, Trace};

use super::symbolic::Report;
use crate::confirm::{confirm, looks_at_layout};
use crate::execution_graph::encode::{Encoding, Found, RacingPair, ReadFrom};
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, InstanceId, Location, Space, Step, StepId, Unrolling,
};
use crate::{Reason, Task, Verdict};

/// Where an execution goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    /// A check fails, by its place in the list.
    Check(usize),
    /// Two accesses.
    Race(RacingPair),
    /// Nobody can go on.
    Deadlock,
}

/// Reads an execution from a model.
pub(crate) struct Reader<'e> {
    unrolling: &'e Unrolling,
    report: &'e Report,
    model: MemoryModel,
    /// Where the VM lays globals: the first address in the model and the last, and the first in the VM.
    layout: Vec<(u128, u128, u128)>,
    /// Evaluating remembers what it has computed, which nobody notices.
    found: RefCell<Found<'e>>,
}

impl<'e> Reader<'e> {
    /// Nothing if there is no model.
    pub(crate) fn new(
        unrolling: &'e Unrolling,
        encoding: &'e Encoding<'_>,
        report: &'e Report,
        model: MemoryModel,
    ) -> Option<Self> {
        Some(Self { unrolling, report, model, layout: Vec::new(), found: RefCell::new(encoding.found()?) })
    }

    /// Inputs that are addresses of globals in the model become their addresses in the VM.
    pub(crate) fn with_layout(mut self, machine: &Machine<'_>) -> Self {
        for &(place, size, global) in &self.report.places {
            let Some(address) = global.and_then(|global| machine.global_address(global)) else { continue };
            let (place, size) = (self.value(place), self.value(size));
            self.layout.push((place, place + size, address.into()));
        }
        self
    }

    /// An input as the VM is given it.
    fn translated(&self, ty: Type, value: u128) -> u128 {
        let is_wide = ty == Type::Ptr || matches!(ty, Type::Int(32..));
        let found = self.layout.iter().find(|(first, end, _)| is_wide && (*first..=*end).contains(&value));
        found.map_or(value, |(first, _, address)| value - first + address)
    }

    fn value(&self, term: TermId) -> u128 {
        self.found.borrow_mut().value(self.unrolling, term)
    }

    fn holds(&self, term: TermId) -> bool {
        self.value(term) == 1
    }

    /// The accesses that race.
    pub(crate) fn race(&self) -> Option<RacingPair> {
        self.found.borrow_mut().racing_pair(self.unrolling)
    }

    /// The number that the virtual machine gives a thread.
    fn number(&self, thread: InstanceId) -> u32 {
        u32::try_from(self.value(self.unrolling.threads[thread].thread_id)).unwrap_or(u32::MAX)
    }

    fn count(&self, term: TermId) -> u64 {
        u64::try_from(self.value(term)).unwrap_or(0)
    }

    /// Whether values that have no exact term matter in this execution, and which.
    pub(crate) fn opaque(&self) -> Option<&'static str> {
        self.report.opaque.iter().find(|(guard, _)| self.holds(*guard)).map(|(_, what)| *what)
    }

    /// The failing check among those of a property.
    pub(crate) fn failing_check(&self, property: Property) -> Option<usize> {
        let order = self.found.borrow().order();
        let place = |step: StepId| order.iter().position(|other| *other == step).unwrap_or(usize::MAX);
        self.unrolling
            .checks
            .iter()
            .enumerate()
            .filter(|(_, check)| check.property == property && self.holds(check.violated))
            .min_by_key(|(index, check)| (place(check.step), *index))
            .map(|(index, _)| index)
    }

    /// The execution as a trace.
    pub(crate) fn trace(&self, property: Property, failure: Failure) -> Trace {
        let mut trace = Trace::new();
        trace.property = Some(property.name().to_owned());
        let mut order = self.found.borrow().order();
        let position = |step: StepId, order: &[StepId]| order.iter().position(|other| *other == step);
        let mut done = vec![0_u64; self.unrolling.threads.len()];
        // Who makes operations after that, how many, and which store becomes visible then.
        let mut last: Vec<(InstanceId, u64, Option<u64>)> = Vec::new();
        match failure {
            Failure::Check(index) => {
                let check = &self.unrolling.checks[index];
                if let Some(place) = position(check.step, &order) {
                    order.truncate(place + 1);
                }
                let in_step = check.step;
                // What the step itself does beyond the check is not made.
                order.retain(|step| *step != in_step || !self.is_partial(index));
                last.push((check.thread, self.count(check.operations).max(1), None));
            }
            Failure::Race(pair) => {
                order.truncate(pair.steps_before);
                for access in [pair.accesses.0, pair.accesses.1] {
                    let step = &self.unrolling.steps[self.unrolling.accesses[access].step];
                    // One that ends the process is not among those that complete.
                    if !(pair.made && self.holds(step.completes)) {
                        let made = self.count(step.operations);
                        let is_late = pair.visible && self.is_store(step) && access == pair.accesses.0;
                        last.push((step.thread, made, is_late.then_some(made)));
                    }
                }
            }
            Failure::Deadlock => {}
        }
        for &step in &order {
            let step = &self.unrolling.steps[step];
            if self.holds(step.completes) {
                let made = self.count(step.operations);
                self.advance(&mut trace, &mut done, step.thread, made);
                if self.model.is_weak() && self.is_store(step) {
                    trace.record_flush(self.number(step.thread), made);
                }
            }
        }
        for (thread, operations, late) in last {
            let operations = operations.max(done[thread.index()] + 1);
            self.advance(&mut trace, &mut done, thread, operations);
            if let Some(store) = late {
                trace.record_flush(self.number(thread), store);
            }
        }
        if matches!(failure, Failure::Deadlock) {
            for (thread, instance) in self.unrolling.threads.iter() {
                if self.holds(instance.ended) {
                    self.advance(&mut trace, &mut done, thread, self.count(instance.operations));
                }
            }
        }
        trace.inputs = self.inputs(&order);
        trace
    }

    /// Whether a step is a store that may be late: then its place in the order is when it becomes visible.
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
            trace.record(self.number(thread), to - *made);
            *made = to;
        }
    }

    /// What threads ask for, each in the order in which it does.
    fn inputs(&self, order: &[StepId]) -> Vec<Input> {
        let mut list: Vec<(u32, u64, u32, Input)> = Vec::new();
        let mut add =
            |thread: InstanceId, operations: u64, rank: usize, name: &str, ty: Type, value: u128| {
                let thread = self.number(thread);
                let rank = u32::try_from(rank).unwrap_or(u32::MAX);
                let input =
                    Input { thread, name: name.to_owned(), ty: type_name(ty), value: value.to_string() };
                list.push((thread, operations, rank, input));
            };
        for (index, input) in self.unrolling.inputs.iter().enumerate() {
            if self.holds(input.guard) {
                let value = self.translated(input.ty, self.value(input.value));
                add(input.thread, self.count(input.operations), index + 1, &input.name, input.ty, value);
            }
        }
        // The first to read unwritten memory is asked.
        let mut asked = std::collections::BTreeSet::new();
        for &step in order {
            for &event in &self.unrolling.steps[step].events {
                let EventKind::Access {
                    location: Location { space: Space::Data, address, size },
                    access: AccessKind::Read { value, uninitialised: Some(ty), .. },
                } = self.unrolling.events[event].kind
                else {
                    continue;
                };
                let initial =
                    self.found.borrow_mut().read_from(self.unrolling, event) == Some(ReadFrom::Initial);
                let unwritten =
                    self.report.unwritten.get(&event).is_some_and(|unwritten| self.holds(*unwritten));
                if initial && unwritten && asked.insert(self.value(address)) {
                    let operations = self.report.read_operations.get(&event);
                    let operations = operations.map_or(0, |operations| self.count(*operations));
                    let thread = self.unrolling.steps[step].thread;
                    let value = self.translated(ty, self.value(value) & bits::mask(8 * size));
                    add(thread, operations, 0, "unwritten memory", ty, value);
                }
            }
        }
        list.sort_by_key(|(thread, operations, rank, _)| (*thread, *operations, *rank));
        list.into_iter().map(|(.., input)| input).collect()
    }
}

/// What a model says about a property that it breaks.
pub(crate) fn counterexample(
    task: &Task<'_>,
    property: Property,
    (unrolling, encoding, report): (&Unrolling, &Encoding<'_>, &Report),
    budget: &Budget,
) -> Verdict {
    let Some(reader) = Reader::new(unrolling, encoding, report, task.memory_model) else {
        return internal("there is no model", None);
    };
    let failure = match property {
        Property::DataRace => match reader.race() {
            Some(pair) => Failure::Race(pair),
            None => return internal("a model shows no race", None),
        },
        Property::Deadlock => Failure::Deadlock,
        Property::Assertion | Property::LockMisuse | Property::MemorySafety | Property::Overflow => {
            match reader.failing_check(property) {
                Some(index) => Failure::Check(index),
                None => return internal("a model shows no violation", None),
            }
        }
        Property::Leak | Property::Cleanup | Property::Uninitialised => {
            return internal("nobody asks for such a model", None);
        }
    };
    let machine = Machine::checking(task.program, &[property]).with_memory_model(task.memory_model);
    let reader = reader.with_layout(&machine);
    let mut trace = reader.trace(property, failure);
    trace.memory_model = task.memory_model;
    let confirmed = confirm(&machine, &trace, budget).or_else(|why| {
        let Failure::Race(pair) = failure else { return Err(why) };
        let others = other_ways(pair, task.memory_model).into_iter().find_map(|way| {
            let mut other = reader.trace(property, Failure::Race(way));
            other.memory_model = task.memory_model;
            confirm(&machine, &other, budget).ok()
        });
        others.ok_or(why)
    });
    match confirmed {
        Ok(replayed) => Verdict::Violated(Box::new(replayed)),
        Err(why) => match reader.opaque() {
            Some(what) => Verdict::Unknown(Reason::Other(format!(
                "an execution that may break the property depends on {what}, which is only approximated"
            ))),
            None => {
                // In the VM's layout another object may lie where the number leads.
                if let Some(reason) = looks_at_layout(&machine, &trace) {
                    return Verdict::Unknown(reason);
                }
                let what = match failure {
                    Failure::Check(index) => unrolling.checks[index].message.clone(),
                    Failure::Race(_) => "a data race".to_owned(),
                    Failure::Deadlock => "a deadlock".to_owned(),
                };
                internal(&format!("a counterexample ({what}) does not replay: {why}"), Some(trace))
            }
        },
    }
}

/// Other ways to make two accesses that race. In the other order: an access to an object that was just freed is no access. And an
/// atomic block may wait for what a late store writes.
fn other_ways(pair: RacingPair, memory_model: MemoryModel) -> Vec<RacingPair> {
    let swapped = RacingPair { accesses: (pair.accesses.1, pair.accesses.0), ..pair };
    let mut ways = vec![swapped];
    if memory_model.is_weak() {
        ways.extend([pair, swapped].map(|pair| RacingPair { visible: true, ..pair }));
    }
    ways
}

fn internal(message: &str, trace: Option<Trace>) -> Verdict {
    Verdict::Unknown(Reason::Internal { message: message.to_owned(), trace: trace.map(Box::new) })
}
