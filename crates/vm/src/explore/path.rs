//! Paths through the states, and the traces that are made of them.

use raddle_ir::Property;

use crate::observe::{InputRequest, Inputs, Unwatched};
use crate::run::{Options, ReplayedTrace, replay, run};
use crate::schedule::Scheduler;
use crate::state::{Move, State};
use crate::step::Vm;

/// A move that was made, and with which inputs.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) made: Move,
    pub(super) inputs: Vec<u128>,
}

/// Makes a trace of a path and sees it break the property.
pub(super) fn confirm(
    vm: &Vm<'_>,
    property: Property,
    root: &[u128],
    path: &[Taken],
) -> Option<ReplayedTrace> {
    let vm = vm.only(property);
    let mut scheduler = Listed { path, next: 0 };
    let given = root.iter().chain(path.iter().flat_map(|taken| &taken.inputs)).copied().collect();
    let mut inputs = ListedInputs { given, next: 0 };
    let result = run(&vm, &mut scheduler, &mut inputs, &Options::default(), &mut Unwatched);
    if result.outcome.property() != Some(property) {
        return None;
    }
    replay(&vm, &result.trace, &Options::default(), &mut Unwatched).ok()
}

/// Chooses as a path says, and stops at its end.
struct Listed<'t> {
    path: &'t [Taken],
    next: usize,
}

impl Scheduler for Listed<'_> {
    fn begin(&mut self) {}

    fn choose(&mut self, _: &Vm<'_>, _: &State, _: &[Move]) -> Option<Move> {
        let taken = self.path.get(self.next)?;
        self.next += 1;
        Some(taken.made)
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

struct ListedInputs {
    given: Vec<u128>,
    next: usize,
}

impl Inputs for ListedInputs {
    fn input(&mut self, _: &InputRequest) -> u128 {
        let value = self.given.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        value
    }
}
