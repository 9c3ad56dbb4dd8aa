//! All combinations of nondeterministic values, one after the other.

use std::sync::Arc;

use raddle_ir::{HavocId, Type};

use crate::observe::{InputReason, InputRequest, Inputs};
use crate::value::{mask, width};

/// Which of how many values an input gets.
pub(crate) type Pick = (usize, usize);

/// The values that inputs take.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    /// Those of inputs that are no truth values.
    pub(crate) values: Vec<u128>,
    /// Inputs that are always zero.
    pub(crate) fixed: Vec<HavocId>,
}

/// Inputs that go through every combination of some values. A truth value takes both; whatever else takes those given, as
/// far as its type holds them. How many inputs are asked may depend on the values that earlier ones got.
#[derive(Clone, Debug)]
pub struct Choices {
    domain: Arc<Domain>,
    /// For each input asked since the beginning, which of how many values it gets.
    taken: Vec<Pick>,
    asked: usize,
    /// The values that were given out in this combination.
    given: Vec<u128>,
    sampled: bool,
    left_out: bool,
}

impl Choices {
    /// Combinations of these values.
    #[must_use]
    pub fn new(values: &[u128]) -> Self {
        let values = if values.is_empty() { vec![0] } else { values.to_vec() };
        Self::of(&Arc::new(Domain { values, fixed: Vec::new() }), &[])
    }

    /// The combination of the values of a domain that begins with these choices, each the number of a value, and goes on with the
    /// first of all others.
    #[must_use]
    pub(crate) fn of(domain: &Arc<Domain>, picks: &[Pick]) -> Self {
        let (domain, taken) = (Arc::clone(domain), picks.to_vec());
        Self { domain, taken, asked: 0, given: Vec::new(), sampled: false, left_out: false }
    }

    /// What was chosen in this combination, in order.
    pub(crate) fn picks(&self) -> &[Pick] {
        &self.taken[..self.asked]
    }

    /// Goes on to the next combination; `false` when all have been.
    pub fn advance(&mut self) -> bool {
        // What was not asked this time does not exist under these values.
        self.taken.truncate(self.asked);
        self.asked = 0;
        self.given.clear();
        while let Some((choice, count)) = self.taken.pop() {
            if choice + 1 < count {
                self.taken.push((choice + 1, count));
                return true;
            }
        }
        false
    }

    /// A run with the combination at hand begins.
    pub fn begin(&mut self) {
        self.asked = 0;
        self.given.clear();
    }

    /// Starts again with the first combination of what will be asked next.
    pub fn restart(&mut self) {
        self.taken.clear();
        self.asked = 0;
        self.given.clear();
    }

    /// The values that were given out in this combination, in order.
    #[must_use]
    pub fn given(&self) -> &[u128] {
        &self.given
    }

    /// Whether any input could have had a value that was not among those given.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.sampled
    }

    /// Whether any input was zero because that was wanted.
    pub(crate) const fn leaves_out(&self) -> bool {
        self.left_out
    }

    /// The different values that an input of a type may get, and whether that is all of them.
    fn domain(&self, ty: Type) -> (Vec<u128>, bool) {
        if ty == Type::Int(1) {
            return (vec![0, 1], true);
        }
        let bits = width(ty, 64);
        let mut values: Vec<u128> = Vec::new();
        for value in self.domain.values.iter().map(|value| value & mask(bits)) {
            // Pointers from nowhere are null: any other value would only be wild.
            let value = if ty == Type::Ptr { 0 } else { value };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let all = bits < 16 && values.len() == 1 << bits;
        (values, all)
    }
}

impl Inputs for Choices {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if matches!(request.reason, InputReason::Havoc(id) if self.domain.fixed.contains(&id)) {
            self.left_out = true;
            self.given.push(0);
            return 0;
        }
        let (values, all) = match request.reason {
            InputReason::Address(others) => ((0..=u128::from(others)).collect(), true),
            InputReason::Havoc(_) | InputReason::Uninitialised(_) | InputReason::External => {
                self.domain(request.ty)
            }
        };
        self.sampled |= !all;
        if self.taken.len() == self.asked {
            self.taken.push((0, values.len()));
        }
        let (choice, count) = &mut self.taken[self.asked];
        *count = values.len();
        let choice = *choice;
        self.asked += 1;
        let value = values.get(choice).copied().unwrap_or(0);
        self.given.push(value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Place;
    use raddle_base::Id;

    fn ask(choices: &mut Choices, ty: Type) -> u128 {
        let place = Place { function: Id::from_index(0), block: Id::from_index(0), index: 0 };
        choices.input(&InputRequest { thread: 0, reason: InputReason::External, ty, place })
    }

    #[test]
    fn every_combination_comes_once_also_when_the_number_of_inputs_varies() {
        let mut choices = Choices::new(&[3, 5]);
        let mut seen = Vec::new();
        loop {
            let first = ask(&mut choices, Type::Int(1));
            let second = if first == 1 { ask(&mut choices, Type::Int(32)) } else { 9 };
            seen.push((first, second));
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 9), (1, 3), (1, 5)]);
        assert!(choices.is_sampled());
        assert!(!choices.advance(), "it stays at the end");
    }

    #[test]
    fn truth_values_take_both_and_are_complete() {
        let mut choices = Choices::new(&[7]);
        assert_eq!(ask(&mut choices, Type::Int(1)), 0);
        assert!(choices.advance());
        assert_eq!(ask(&mut choices, Type::Int(1)), 1);
        assert!(!choices.advance() && !choices.is_sampled());
        assert_eq!(ask(&mut choices, Type::Ptr), 0);
    }
}
