//! From a model to a trace, and what that says about a property once the VM has replayed it.

use raddle_base::Budget;
use raddle_ir::{Property, Type};
use raddle_logic::term::{TermId, bits};
use raddle_vm::{MemoryModel, Trace, Vm};

use super::symbolic::Report;
use crate::confirm::{confirm, looks_at_layout};
use crate::execution_graph::encode::{Encoding, RacingPair, ReadFrom};
use crate::execution_graph::events::{AccessKind, EventKind, Location, Space, StepId, Unrolling};
use crate::execution_graph::read_back::{self, Asked, Failure};
use crate::{Reason, Task, Verdict};

/// Reads an execution of a whole program from a model.
pub(crate) struct Reader<'e> {
    unrolling: &'e Unrolling,
    report: &'e Report,
    /// Where the VM lays globals: the first address in the model and the last, and the first in the VM.
    layout: Vec<(u128, u128, u128)>,
    reader: read_back::Reader<'e>,
}

impl<'e> Reader<'e> {
    /// Nothing if there is no model.
    pub(crate) fn new(
        unrolling: &'e Unrolling,
        encoding: &'e Encoding<'_>,
        report: &'e Report,
        model: MemoryModel,
    ) -> Option<Self> {
        let reader = read_back::Reader::new(unrolling, encoding, model)?;
        Some(Self { unrolling, report, layout: Vec::new(), reader })
    }

    /// Inputs that are addresses of globals in the model become their addresses in the VM.
    pub(crate) fn with_layout(mut self, machine: &Vm<'_>) -> Self {
        for &(place, size, global) in &self.report.places {
            let Some(address) = global.and_then(|global| machine.global_address(global)) else { continue };
            let (place, size) = (self.reader.value(place), self.reader.value(size));
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

    /// The accesses that race.
    pub(crate) fn race(&self) -> Option<RacingPair> {
        self.reader.race()
    }

    /// The failing check among those of a property.
    pub(crate) fn failing_check(&self, property: Property) -> Option<usize> {
        self.reader.failing_check(property)
    }

    /// Whether values that have no exact term matter in this execution, and which.
    pub(crate) fn opaque(&self) -> Option<&'static str> {
        self.report.havocked.iter().find(|(guard, _)| self.reader.holds(*guard)).map(|(_, what)| *what)
    }

    /// The execution as a trace.
    pub(crate) fn trace(&self, property: Property, failure: Failure) -> Trace {
        self.reader.trace(property, failure, |order| self.inputs(order))
    }

    /// An execution that breaks nothing, up to the end of a step.
    pub(crate) fn trace_to(&self, step: StepId) -> Trace {
        self.reader.trace_to(step, |order| self.inputs(order))
    }

    /// Whether a Boolean term holds.
    pub(crate) fn holds(&self, term: TermId) -> bool {
        self.reader.holds(term)
    }

    /// What threads ask for: inputs, and the contents of memory that was never written.
    fn inputs(&self, order: &[StepId]) -> Vec<Asked> {
        let mut list = self.reader.asked();
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
                let initial = self.reader.read_from(event) == Some(ReadFrom::Initial);
                let unwritten =
                    self.report.unwritten.get(&event).is_some_and(|unwritten| self.reader.holds(*unwritten));
                if initial && unwritten && asked.insert(self.reader.value(address)) {
                    let operations = self.report.read_operations.get(&event);
                    let operations = operations.map_or(0, |operations| self.reader.count(*operations));
                    let value = self.reader.value(value) & bits::mask(8 * size);
                    let (thread, name) = (self.unrolling.steps[step].thread, "unwritten memory".to_owned());
                    list.push(Asked { thread, operations, rank: 0, name, ty, value });
                }
            }
        }
        for asked in &mut list {
            asked.value = self.translated(asked.ty, asked.value);
        }
        list
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
        Property::Assertion
        | Property::LockMisuse
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic => match reader.failing_check(property) {
            Some(index) => Failure::Check(index),
            None => return internal("a model shows no violation", None),
        },
        Property::Leak | Property::Cleanup | Property::Uninitialised => {
            return internal("nobody asks for such a model", None);
        }
    };
    let machine = Vm::checking(task.program, &[property]).with_memory_model(task.memory_model);
    let reader = reader.with_layout(&machine);
    let mut trace = reader.trace(property, failure);
    trace.memory_model = task.memory_model;
    match confirm(&machine, &trace, budget) {
        Ok(replayed) => Verdict::Violated(Box::new(replayed)),
        Err(why) => match reader.opaque() {
            Some(what) => Verdict::Unknown(Reason::Other(format!(
                "an execution that may break the property depends on {what}, which is only approximated"
            ))),
            None => {
                // The VM had no time to look.
                if let Err(exhausted) = budget.check() {
                    return Verdict::Unknown(Reason::Exhausted(exhausted));
                }
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

fn internal(message: &str, trace: Option<Trace>) -> Verdict {
    Verdict::Unknown(Reason::Internal { message: message.to_owned(), trace: trace.map(Box::new) })
}
