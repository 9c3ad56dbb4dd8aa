//! Executions of few context switches (Qadeer and Rehof 2005).
//!
//! A *context switch* lies between two steps of an execution, one after the other, that different threads make. Who made the last
//! step and how many switches there were are part of a state here: two ways to the same memory may leave different room for what
//! follows.
//!
//! Symmetry, join runs and sleep sets are not used. They leave out executions that order independent steps in another way, and one
//! that is left out may be the only one of its class with so few switches.
//!
//! A state in which only steps behind the bound are left is no end of an execution. Such steps may turn out to be blocked (an
//! atomic block that waits for a value), so they are tried before anything is said about ends and deadlocks.

use super::Search;
use crate::choice::Choices;
use crate::observe::Unwatched;
use crate::state::{Move, State, ThreadId};
use crate::step::{StepResult, Vm};

/// Who made the last step, and how many switches there were; always the same when they are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Switches {
    last: Option<ThreadId>,
    used: u32,
}

impl Switches {
    /// How many there are when a thread makes the next step.
    fn used_by(self, thread: ThreadId) -> u32 {
        let is_switch = self.last.is_some_and(|last| last != thread);
        self.used.saturating_add(is_switch.into())
    }

    /// Behind a step of a thread, if switches are counted.
    pub(super) fn next(self, thread: ThreadId, bound: Option<u32>) -> Self {
        match bound {
            Some(_) => Self { last: Some(thread), used: self.used_by(thread) },
            None => self,
        }
    }

    /// Takes those moves away that need more switches than there may be.
    pub(super) fn withhold(self, bound: Option<u32>, enabled: &mut Vec<Move>) -> Vec<Move> {
        let Some(bound) = bound else { return Vec::new() };
        enabled.extract_if(.., |next| self.used_by(next.thread()) > bound).collect()
    }

    /// All in a number: zero if they are not counted.
    pub(super) fn number(self) -> u128 {
        // Multiplication by an odd number keeps what differs different.
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let last = self.last.map_or(0, |last| u128::from(last) + 1);
        (last << 32 | u128::from(self.used)).wrapping_mul(ODD).rotate_left(59)
    }
}

/// Whether one of these moves can be made, with some inputs.
pub(super) fn can_make_any(vm: &Vm<'_>, search: &Search<'_>, state: &State, moves: &[Move]) -> bool {
    moves.iter().any(|&next| {
        let mut choices = Choices::new(&search.values);
        loop {
            choices.begin();
            let mut trial = state.clone();
            if vm.make(&mut trial, next, &mut choices, &mut Unwatched) != StepResult::Blocked {
                return true;
            }
            if !choices.advance() {
                return false;
            }
        }
    })
}

#[cfg(test)]
mod tests;
