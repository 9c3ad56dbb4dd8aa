//! From a trace that an engine claims to break a property to one that the VM has replayed, made short.
//!
//! An engine's trace says who goes when, and what came from outside. It need not say what does not matter to the engine: what
//! threads do after the last event, and at which addresses new objects lie. Both are tried out. The VM decides: what it does not see to
//! break the property is no violation.

use raddle_base::Budget;
use raddle_vm::choice::Choices;
use raddle_vm::schedule::{Replay, ReplayInputs, Scheduler};
use raddle_vm::state::Move;
use raddle_vm::{
    InputReason, InputRequest, Inputs, Options, ReplayedTrace, State, Trace, Unwatched, Vm, follow, replay,
    run,
};

use crate::looked::LookedAt;
use crate::{Reason, shorten};

/// Follows a schedule, and then lets anyone run.
struct ThenAnyone(Replay);

impl Scheduler for ThenAnyone {
    fn begin(&mut self) {
        self.0.begin();
    }

    fn choose(&mut self, machine: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        let next = self.0.choose(machine, state, enabled);
        if self.0.is_done() { next.or_else(|| enabled.first().copied()) } else { next }
    }

    fn end(&mut self, chosen: Move, operations: &[u64]) {
        self.0.end(chosen, operations);
    }
}

/// At most so many combinations of addresses are tried.
const MOST_ADDRESSES: usize = 256;

/// What a trace says came from outside, with objects where they may lie, one combination after the other: a model says which
/// objects have the same address, but not in the VM's words.
struct AnyAddresses<'c> {
    recorded: ReplayInputs,
    addresses: &'c mut Choices,
}

impl Inputs for AnyAddresses<'_> {
    fn input(&mut self, request: &InputRequest) -> u128 {
        match request.reason {
            InputReason::Address(_) => self.addresses.input(request),
            InputReason::Havoc(_) | InputReason::Uninitialised(_) | InputReason::External => {
                self.recorded.input(request)
            }
        }
    }
}

/// Replays a trace with every combination of addresses until one breaks the property.
fn confirm_somewhere(machine: &Vm<'_>, trace: &Trace, options: &Options<'_>) -> Option<ReplayedTrace> {
    let mut addresses = Choices::new(&[]);
    for _ in 0..MOST_ADDRESSES {
        addresses.begin();
        let mut inputs = AnyAddresses { recorded: ReplayInputs::new(trace), addresses: &mut addresses };
        let mut scheduler = ThenAnyone(Replay::new(trace));
        let mut run = run(machine, &mut scheduler, &mut inputs, options, &mut Unwatched);
        run.trace.property.clone_from(&trace.property);
        run.trace.memory_model = trace.memory_model;
        if let Ok(replayed) = replay(machine, &run.trace, options, &mut Unwatched) {
            return Some(replayed);
        }
        if !addresses.advance() {
            break;
        }
    }
    None
}

/// Replays a trace and makes it short; an error says what did not fit. Only this makes a violation of a model.
pub(crate) fn confirm(machine: &Vm<'_>, trace: &Trace, budget: &Budget) -> Result<ReplayedTrace, String> {
    let options = Options { max_steps: 10_000_000, budget: Some(budget), ..Options::default() };
    let replayed = match replay(machine, trace, &options, &mut Unwatched) {
        Ok(replayed) => replayed,
        Err(error) => {
            // What is left to do after the last event, such as to end, may lead to where no thread is enabled.
            confirm_somewhere(machine, trace, &options).ok_or_else(|| error.to_string())?
        }
    };
    Ok(shorten::shorten(machine, replayed, budget))
}

/// Why a trace that does not replay need not be a mistake: the VM looks at where objects lie, which is one way of many.
pub(crate) fn looks_at_layout(machine: &Vm<'_>, trace: &Trace) -> Option<Reason> {
    let mut looked = LookedAt::default();
    // It may end early; the look is before that.
    let _ended = follow(machine, trace, &Options::default(), &mut looked);
    looked.reason(machine.program())
}
