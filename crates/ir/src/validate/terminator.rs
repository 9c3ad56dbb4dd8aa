//! Terminators.

use super::{InstPosition, Rule, Validator, show};
use crate::inst::Terminator;
use crate::program::{BlockId, Type};

impl<'p> Validator<'p> {
    pub(super) fn terminator(&mut self, position: InstPosition<'p>, terminator: &Terminator) {
        for target in terminator.successors() {
            if position.function.blocks.get(target).is_none() {
                self.report_at(Rule::IdInRange, position, &format!("{target} does not exist"));
            }
        }
        match terminator {
            Terminator::Branch(condition, ..) => self.condition(position, *condition),
            Terminator::Switch { value, cases, default: _ } => match self.operand(position, *value) {
                Some(Type::Int(bits)) => self.switch_ranges(position, bits, cases),
                Some(found) => {
                    let text = format!("the switch's value is {}, expected an integer", show(found));
                    self.report_at(Rule::OperandType, position, &text);
                }
                None => {}
            },
            Terminator::Return(value) => {
                let found = value.map(|value| self.operand(position, value));
                match (found, position.function.result) {
                    (None, None) | (Some(None), _) => {}
                    (Some(Some(found)), Some(expected)) if found == expected => {}
                    (Some(Some(found)), Some(expected)) => {
                        let text = format!("returns {}, expected {}", show(found), show(expected));
                        self.report_at(Rule::ReturnValue, position, &text);
                    }
                    (Some(Some(_)), None) => {
                        self.report_at(Rule::ReturnValue, position, "returns a value, expected none");
                    }
                    (None, Some(expected)) => {
                        let text = format!("returns nothing, expected {}", show(expected));
                        self.report_at(Rule::ReturnValue, position, &text);
                    }
                }
            }
            Terminator::ExitThread(value) => self.expect(position, "the result", *value, Type::Ptr),
            Terminator::ExitProcess(value) => self.expect(position, "the status", *value, Type::Int(32)),
            Terminator::Jump(_)
            | Terminator::Abort
            | Terminator::Unreachable
            | Terminator::Unsupported(_) => {}
        }
    }

    fn switch_ranges(&mut self, position: InstPosition<'p>, bits: u8, cases: &[(u128, u128, BlockId)]) {
        let mut sorted: Vec<(u128, u128)> = cases.iter().map(|&(low, high, _)| (low, high)).collect();
        sorted.sort_unstable();
        for &(low, high) in &sorted {
            if low > high {
                self.report_at(Rule::SwitchRanges, position, &format!("the range {low}..{high} is empty"));
            }
            if bits < 128 && high >> bits != 0 {
                self.report_at(Rule::SwitchRanges, position, &format!("{high} does not fit i{bits}"));
            }
        }
        for pair in sorted.windows(2) {
            if pair[1].0 <= pair[0].1 {
                let text = format!("{}..{} and {}..{} overlap", pair[0].0, pair[0].1, pair[1].0, pair[1].1);
                self.report_at(Rule::SwitchRanges, position, &text);
            }
        }
    }
}
