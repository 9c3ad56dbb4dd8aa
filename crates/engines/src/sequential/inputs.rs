//! What an execution of the input is given from outside, as a record says it.
//!
//! Passes give memory without an initial value any value when it is made; the VM asks when it is read for the first time. And models of
//! the library ask for less where nobody looks at what they give. So a record does not say which of several values is meant: all of
//! them are tried, one after the other.

use raddle_base::Span;
use raddle_ir::Program;
use raddle_sequentialize::record::{Input, Record};
use raddle_vm::{InputReason, InputRequest, Inputs};

use super::guide::{number_in_machine, overlap};

/// Which inputs of a record were used.
pub(super) type Taken = Vec<bool>;

/// Gives each thread the inputs that the record has for it: of the same place and name if there is one, else of the same place,
/// else of the same name, else one of which neither is known; else zero.
#[derive(Debug)]
pub(super) struct RecordInputs<'r> {
    record: &'r Record,
    program: &'r Program,
    pub(super) taken: Taken,
    /// The choices to make, one after the other; behind the last the first of each.
    choices: Vec<usize>,
    /// The choices that were made.
    pub(super) chosen: Vec<usize>,
    /// Among how many.
    counts: Vec<usize>,
    /// Whether memory was read of which the record does not say what it holds.
    pub(super) is_guessing: bool,
}

impl<'r> RecordInputs<'r> {
    pub(super) fn new(record: &'r Record, program: &'r Program) -> Self {
        Self {
            record,
            program,
            taken: vec![false; record.inputs.len()],
            choices: Vec::new(),
            chosen: Vec::new(),
            counts: Vec::new(),
            is_guessing: false,
        }
    }

    /// The same with these choices.
    pub(super) fn choosing(self, choices: Vec<usize>) -> Self {
        Self { choices, ..self }
    }

    /// The choices that come after those that were made.
    pub(super) fn next_choices(&self) -> Option<Vec<usize>> {
        let place =
            (0..self.chosen.len()).rev().find(|&place| self.chosen[place] + 1 < self.counts[place])?;
        let mut next = self.chosen[..=place].to_vec();
        next[place] += 1;
        Some(next)
    }

    fn inputs(&self) -> impl Iterator<Item = (usize, &'r Input)> {
        self.record.inputs.iter().enumerate().filter(|(index, _)| !self.taken[*index])
    }

    fn take(&mut self, found: Option<usize>) -> u128 {
        let Some(index) = found else { return 0 };
        self.taken[index] = true;
        self.record.inputs[index].value
    }

    /// What memory holds that was never written.
    fn unwritten(&mut self, request: &InputRequest) -> u128 {
        let span = request.place.span(self.program);
        let mine = |input: &Input| number_in_machine(self.record, input.thread) == request.thread;
        let here = self
            .inputs()
            .find(|(_, input)| input.name.is_empty() && mine(input) && overlap(input.span, span))
            .map(|(index, _)| index);
        if here.is_some() {
            return self.take(here);
        }
        self.is_guessing = true;
        // What has a name may be a pass's as well: one that gives a variable any value.
        let (unnamed, named): (Vec<_>, Vec<_>) = self.inputs().partition(|(_, input)| input.name.is_empty());
        self.choose(unnamed.into_iter().chain(named))
    }

    /// One of several inputs, of which those with different values are tried one after the other.
    fn choose(&mut self, among: impl Iterator<Item = (usize, &'r Input)>) -> u128 {
        let mut values: Vec<(u128, usize)> = Vec::new();
        for (index, input) in among {
            if values.iter().all(|(value, _)| *value != input.value) {
                values.push((input.value, index));
            }
        }
        if values.len() < 2 {
            return self.take(values.first().map(|(_, index)| *index));
        }
        let choice = self.choices.get(self.chosen.len()).copied().unwrap_or(0).min(values.len() - 1);
        self.chosen.push(choice);
        self.counts.push(values.len());
        self.take(Some(values[choice].1))
    }
}

impl<'r> Inputs for RecordInputs<'r> {
    fn input(&mut self, request: &InputRequest) -> u128 {
        let (name, span) = match request.reason {
            InputReason::Address(_) => return 0,
            InputReason::Uninitialised(_) => return self.unwritten(request),
            InputReason::Havoc(site) => {
                (self.program.havocs[site].name.as_str(), self.program.havocs[site].span)
            }
            InputReason::External => ("", request.place.span(self.program)),
        };
        let mine = |input: &Input| number_in_machine(self.record, input.thread) == request.thread;
        let open: Vec<(usize, &'r Input)> = self.inputs().filter(|(_, input)| mine(input)).collect();
        let same_name = |input: &Input| !name.is_empty() && input.name == name;
        let same_place = |input: &Input| overlap(input.span, span);
        let is_model = self.program.functions[request.place.function].model;
        let here: Vec<(usize, &'r Input)> =
            open.iter().copied().filter(|(_, input)| same_name(input) && same_place(input)).collect();
        if is_model && here.len() > 1 {
            return self.choose(here.into_iter());
        }
        let found = open
            .iter()
            .find(|(_, input)| same_name(input) && same_place(input))
            .or_else(|| open.iter().find(|(_, input)| same_place(input)))
            .or_else(|| open.iter().find(|(_, input)| same_name(input)))
            .or_else(|| open.iter().find(|(_, input)| input.name.is_empty() && input.span == Span::NONE))
            .map(|(index, _)| *index);
        self.take(found)
    }
}
