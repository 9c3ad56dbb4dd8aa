//! Any enabled thread, at random; a delayed store becomes visible as likely as a thread is chosen.

use raddle_base::SplitMix;
use raddle_ir::Type;

use super::Scheduler;
use crate::observe::{InputReason, InputRequest, Inputs};
use crate::state::{Move, State};
use crate::step::Vm;
use crate::value::{mask, width};

/// Chooses at random; the seed decides.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// Choices from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }
}

impl Scheduler for Random {
    fn begin(&mut self) {}

    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        Some(enabled[self.0.below(enabled.len())])
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

/// Random inputs: small numbers often, since programs branch on them; now and then the borders of the type, or any bits.
#[derive(Clone, Debug)]
pub struct RandomInputs(SplitMix);

impl RandomInputs {
    /// Inputs from a seed. Not the scheduler's numbers: the two do not shadow each other.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed ^ 0x5eed_0f1e_5eed_0f1e))
    }
}

impl Inputs for RandomInputs {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if let InputReason::Address(others) = request.reason {
            return self.0.below(others as usize + 1) as u128;
        }
        // Pointers from nowhere are null: any other value would only be wild.
        let Type::Int(_) = request.ty else {
            return if request.ty == Type::Ptr { 0 } else { u128::from(self.0.bits()) };
        };
        let all = mask(width(request.ty, 64));
        let bits = u128::from(self.0.bits()) | u128::from(self.0.bits()) << 64;
        match self.0.below(16) {
            0..=8 => bits % 4,
            9..=11 => bits % 16,
            12 => all,
            13 => all >> 1,
            14 => bits % 256,
            _ => bits,
        }
    }
}
