//! Values, conditions and assertions.

use super::{Feature, Generator, Scope};
use crate::tree::Node;

impl Generator {
    /// A value of small integers; reads at most a few shared variables.
    pub(super) fn value(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.chance(45) {
            return self.atom(scope);
        }
        let left = self.atom(scope);
        let right = self.value(scope, depth - 1);
        let right = if right.contains(' ') { format!("({right})") } else { right };
        match self.random.below(10) {
            0..3 => format!("{left} + {right}"),
            3 => format!("{left} - {right}"),
            4 => format!("({left} ^ {right})"),
            5 => format!("({left} & {right})"),
            6 => format!("({left} == {right})"),
            7 => format!("({left} < {right})"),
            8 => {
                let other = self.atom(scope);
                format!("({left} ? {right} : {other})")
            }
            _ => format!("({left} | {right})"),
        }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        if self.has(Feature::Input) && self.chance(15) {
            return self.input();
        }
        if self.chance(40)
            && let Some(read) = self.readable(scope)
        {
            return read;
        }
        self.value_of_locals(scope)
    }

    /// A nondeterministic value of one bit; of any where enumeration is not asked.
    pub(super) fn input(&mut self) -> String {
        if self.has(Feature::FreeInput) && self.chance(70) {
            "__VERIFIER_nondet_int()".to_owned()
        } else if self.chance(70) {
            "__VERIFIER_nondet_bool()".to_owned()
        } else {
            "(__VERIFIER_nondet_int() & 1)".to_owned()
        }
    }

    /// A value that reads nothing that is shared.
    pub(super) fn value_of_locals(&mut self, scope: &Scope) -> String {
        let locals = scope.readable_locals();
        if self.chance(45) && !locals.is_empty() {
            self.pick(&locals)
        } else {
            self.random.below(4).to_string()
        }
    }

    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        let left = self.value(scope, 1);
        let left = if left.contains(' ') { format!("({left})") } else { left };
        let right = self.random.below(3);
        match self.random.below(9) {
            0 | 1 => format!("{left} == {right}"),
            2 => format!("{left} != {right}"),
            3 => format!("{left} < {}", right + 1),
            4 => format!("{left} >= {right}"),
            5 => {
                let other = self.atom(scope);
                format!("{left} && {other}")
            }
            6 => {
                let other = self.atom(scope);
                format!("{left} || {other} == {right}")
            }
            7 => format!("!{left}"),
            _ => left,
        }
    }

    /// An assertion that may or may not hold.
    pub(super) fn assertion(&mut self, scope: &Scope) -> Node {
        let claim = self.claim(scope);
        self.assert(&claim)
    }

    /// An assertion of a claim, in one of the forms that there are.
    pub(super) fn assert(&mut self, claim: &str) -> Node {
        match self.random.below(5) {
            0 => Node::block(&format!("if (!({claim}))"), vec![Node::line("reach_error();")]),
            1 => Node::block(
                &format!("if (!({claim}))"),
                vec![Node::line("reach_error();"), Node::line("abort();")],
            ),
            _ => Node::line(format!("assert({claim});")),
        }
    }

    /// Something that holds more often than a condition does.
    fn claim(&mut self, scope: &Scope) -> String {
        let read = self.readable(scope).unwrap_or_else(|| self.value_of_locals(scope));
        let number = self.random.below(4);
        match self.random.below(9) {
            0 => format!("{read} != {}", number + 1),
            1 => format!("{read} <= {}", number + 1),
            2 => {
                let other = self.atom(scope);
                format!("!({read} == {number} && {other} == {})", self.random.below(3))
            }
            3 => {
                let other = self.atom(scope);
                format!("{read} == {number} || {other} != {}", self.random.below(3))
            }
            4 => format!("{read} + 1 != {}", number + 3),
            5 => format!("({read} & 3) != {number}"),
            6 => {
                let other = self.atom(scope);
                format!("{read} + {other} != {}", number + 2)
            }
            7 => format!("{read} * 2 != {}", 2 * number + 2),
            _ => format!("{read} != {number}"),
        }
    }
}
