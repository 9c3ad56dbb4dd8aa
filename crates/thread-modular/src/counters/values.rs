//! What a thread would know of values if no other thread wrote in between.
//!
//! Counters are guesses that are never wrong, only perhaps of no use: a counter is defined by where threads stand, and the engine proves
//! what it has to do with a variable. So this reads a program as people do: `r = g; …; g = r + 1` adds one (some lock will see
//! to it), and numbers do not overflow.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Flow, VariableId};
use raddle_logic::term::{Sort, Term, TermId};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number, read as signed.
    Number(i128),
    /// What a variable holds, and a number.
    Sum(VariableId, i128),
}

/// What is believed of variables at a place. Of shared ones: their values; of a thread's own: also how they compare with
/// shared ones.
pub(super) type Beliefs = BTreeMap<VariableId, Value>;

/// The variables by their symbols.
pub(super) type Symbols = BTreeMap<TermId, VariableId>;

/// How many nodes of a term are looked at: there is no more depth than this either.
const MAX_NODES: u32 = 400;

/// The symbols of all variables.
pub(super) fn symbols(flow: &Flow) -> Symbols {
    flow.variables.iter().map(|(variable, entry)| (entry.now, variable)).collect()
}

/// What is known when an edge is taken, for the terms of its guards and updates.
#[derive(Debug)]
pub(super) struct View<'a> {
    flow: &'a Flow,
    symbols: &'a Symbols,
    /// What is believed, and what guards say.
    pub(super) beliefs: Beliefs,
    holds: BTreeSet<TermId>,
    fails: BTreeSet<TermId>,
    /// Whether values are numbers only, of terms over what is known.
    is_exact: bool,
}

/// The number in the low `width` bits, read as signed.
fn signed(bits: u128, width: u32) -> i128 {
    if width >= 128 {
        return bits.cast_signed();
    }
    let unused = 128 - width;
    (bits << unused).cast_signed() >> unused
}

/// What a variable of this kind holds when it should hold `number`.
pub(super) fn wrapped(number: i128, sort: Sort) -> i128 {
    match sort {
        // One bit: as a number that is not negative.
        Sort::Bool | Sort::BitVec(1) => number & 1,
        Sort::Array { .. } => number,
        Sort::BitVec(width) => signed(number.cast_unsigned(), width),
    }
}

impl<'a> View<'a> {
    /// Where these guards hold.
    pub(super) fn new(flow: &'a Flow, symbols: &'a Symbols, beliefs: &Beliefs, guards: &[TermId]) -> Self {
        let mut view = Self {
            flow,
            symbols,
            beliefs: beliefs.clone(),
            holds: BTreeSet::new(),
            fails: BTreeSet::new(),
            is_exact: false,
        };
        for &guard in guards {
            view.assume(guard);
        }
        view
    }

    /// Where variables have these numbers.
    pub(super) fn exact(flow: &'a Flow, symbols: &'a Symbols, numbers: &Beliefs) -> Self {
        Self { is_exact: true, ..Self::new(flow, symbols, numbers, &[]) }
    }

    /// Learns what a guard says.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not learned is a counter less, never an error"
    )]
    fn assume(&mut self, guard: TermId) {
        let mut parts = vec![guard];
        while let Some(part) = parts.pop() {
            match self.flow.terms[part] {
                Term::And(a, b) => parts.extend([b, a]),
                Term::Not(of) => {
                    self.fails.insert(of);
                    self.learn_bool(of, 0);
                }
                Term::Eq(a, b) => {
                    self.holds.insert(part);
                    if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
                        self.learn_equal(a, b);
                        self.learn_equal(b, a);
                    }
                }
                _ => {
                    self.holds.insert(part);
                    self.learn_bool(part, 1);
                }
            }
        }
    }

    fn learn_bool(&mut self, term: TermId, value: i128) {
        if let Some(&variable) = self.symbols.get(&term) {
            self.beliefs.insert(variable, Value::Number(value));
        }
    }

    fn learn_equal(&mut self, left: Value, right: Value) {
        let Value::Sum(variable, added) = left else {
            return;
        };
        if self.is_identity(variable) {
            return;
        }
        let value = match right {
            Value::Number(number) => number.checked_sub(added).map(Value::Number),
            Value::Sum(base, number) if base != variable && self.may_be_base(base) => {
                number.checked_sub(added).map(|number| Value::Sum(base, number))
            }
            Value::Sum(..) => None,
        };
        // A shared variable is compared with ids only: of others it would be forgotten when they change.
        let is_of_use = match value {
            Some(Value::Sum(base, _)) => !self.is_shared(variable) || !self.is_shared(base),
            Some(Value::Number(_)) => true,
            None => false,
        };
        if let Some(value) = value.filter(|_| is_of_use) {
            self.beliefs.insert(variable, value);
        }
    }

    fn is_shared(&self, variable: VariableId) -> bool {
        self.flow.variables[variable].owner.is_none()
    }

    /// Whether values may be remembered as sums with it: it changes where others see it, or never.
    fn may_be_base(&self, variable: VariableId) -> bool {
        self.is_shared(variable) || self.is_identity(variable)
    }

    /// Whether it is a thread's id.
    pub(super) fn is_identity(&self, variable: VariableId) -> bool {
        is_identity(self.flow, variable)
    }

    /// The value of a term.
    pub(super) fn value(&self, term: TermId) -> Option<Value> {
        self.value_within(term, &mut { MAX_NODES })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not followed is a counter less, never an error"
    )]
    fn value_within(&self, term: TermId, left: &mut u32) -> Option<Value> {
        *left = left.checked_sub(1)?;
        let sort = self.flow.terms.sort(term);
        let result = match self.flow.terms[term] {
            Term::Bits { width, value } => Value::Number(wrapped(signed(value, width), sort)),
            Term::Symbol(_) => {
                let variable = *self.symbols.get(&term)?;
                let known =
                    self.beliefs.get(&variable).filter(|_| self.is_exact || !self.is_shared(variable));
                match known {
                    Some(value) => *value,
                    None if self.is_exact => return None,
                    None => Value::Sum(variable, 0),
                }
            }
            Term::Add(a, b) => match (self.value_within(a, left)?, self.value_within(b, left)?) {
                (Value::Number(a), Value::Number(b)) => Value::Number(a.checked_add(b)?),
                (Value::Sum(base, a), Value::Number(b)) | (Value::Number(a), Value::Sum(base, b)) => {
                    Value::Sum(base, a.checked_add(b)?)
                }
                (Value::Sum(..), Value::Sum(..)) => return None,
            },
            Term::Mul(a, b) => match (self.value_within(a, left)?, self.value_within(b, left)?) {
                (Value::Number(a), Value::Number(b)) => Value::Number(a.checked_mul(b)?),
                _ => return None,
            },
            Term::Extract { low, of, .. } => match self.value_within(of, left)? {
                // A word of a variable compares as the variable does, unless its numbers are large.
                Value::Number(number) => Value::Number(number >> low),
                Value::Sum(base, added) if low == 0 => Value::Sum(base, added),
                Value::Sum(..) => return None,
            },
            // A single bit is read without a sign.
            Term::SignExtend { of, .. } if self.flow.terms.width(of) > 1 => self.value_within(of, left)?,
            Term::Concat(high, low) if self.flow.terms.as_bits(high) == Some(0) => {
                match self.value_within(low, left)? {
                    Value::Number(number) if number < 0 => {
                        Value::Number(number.checked_add(1_i128.checked_shl(self.flow.terms.width(low))?)?)
                    }
                    value => value,
                }
            }
            Term::Ite(condition, a, b) => match self.truth(condition, left) {
                Some(true) => self.value_within(a, left)?,
                Some(false) => self.value_within(b, left)?,
                None => {
                    let (a, b) = (self.value_within(a, left)?, self.value_within(b, left)?);
                    Some(a).filter(|a| *a == b)?
                }
            },
            _ if sort == Sort::Bool => Value::Number(i128::from(self.truth(term, left)?)),
            _ => return None,
        };
        Some(match result {
            Value::Number(number) => Value::Number(wrapped(number, sort)),
            Value::Sum(base, added) => Value::Sum(base, wrapped(added, sort)),
        })
    }

    /// Whether a Boolean term is known not to hold.
    pub(super) fn excludes(&self, term: TermId) -> bool {
        self.truth(term, &mut { MAX_NODES }) == Some(false)
    }

    /// Whether a Boolean term holds.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not followed is a counter less, never an error"
    )]
    fn truth(&self, term: TermId, left: &mut u32) -> Option<bool> {
        if self.holds.contains(&term) {
            return Some(true);
        }
        if self.fails.contains(&term) {
            return Some(false);
        }
        *left = left.checked_sub(1)?;
        match self.flow.terms[term] {
            Term::Bool(value) => Some(value),
            Term::Not(of) => self.truth(of, left).map(|holds| !holds),
            Term::And(a, b) => match (self.truth(a, left), self.truth(b, left)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Term::Ult(a, b) | Term::Slt(a, b) => {
                let is_signed = matches!(self.flow.terms[term], Term::Slt(..));
                let mut number = |of: TermId| {
                    let value = self.value_within(of, left)?;
                    match self.resolved(value) {
                        // As unsigned numbers those below zero come last, in the same order.
                        Value::Number(number) => Some((!is_signed && number < 0, number)),
                        Value::Sum(..) => None,
                    }
                };
                Some(number(a)? < number(b)?)
            }
            Term::Symbol(_) => match self.beliefs.get(self.symbols.get(&term)?)? {
                Value::Number(number) => Some(*number != 0),
                Value::Sum(..) => None,
            },
            Term::Eq(a, b) => {
                let (a, b) = (self.value_within(a, left)?, self.value_within(b, left)?);
                match (self.resolved(a), self.resolved(b)) {
                    (Value::Number(a), Value::Number(b)) => Some(a == b),
                    (Value::Sum(base, a), Value::Sum(other, b)) if base == other => Some(a == b),
                    // An id plus one is never zero.
                    (Value::Sum(base, 1), Value::Number(0)) | (Value::Number(0), Value::Sum(base, 1)) => {
                        self.is_identity(base).then_some(false)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// With what is believed of a shared variable put in.
    fn resolved(&self, value: Value) -> Value {
        let Value::Sum(base, added) = value else {
            return value;
        };
        match self.beliefs.get(&base) {
            Some(Value::Number(number)) => Value::Number(number.saturating_add(added)),
            Some(Value::Sum(other, number)) => Value::Sum(*other, number.saturating_add(added)),
            None => value,
        }
    }

    /// What is believed after variables get new values.
    pub(super) fn after(self, updates: &[(VariableId, TermId)]) -> Beliefs {
        let written: Vec<(VariableId, Option<Value>)> =
            updates.iter().map(|&(variable, term)| (variable, self.value(term))).collect();
        let mut after = self.beliefs.clone();
        for &(variable, value) in written.iter().filter(|(variable, _)| !self.is_shared(*variable)) {
            let kept = value.filter(|value| match value {
                Value::Number(_) => true,
                Value::Sum(base, _) => self.may_be_base(*base),
            });
            match kept {
                Some(value) => after.insert(variable, value),
                None => after.remove(&variable),
            };
        }
        for &(variable, value) in written.iter().filter(|(variable, _)| self.is_shared(*variable)) {
            self.change(&mut after, variable, value);
        }
        after
    }

    /// A shared variable gets a value: what was remembered as a sum with it moves along.
    fn change(&self, after: &mut Beliefs, variable: VariableId, value: Option<Value>) {
        let old = match self.beliefs.get(&variable) {
            Some(Value::Number(number)) => Some(*number),
            Some(Value::Sum(..)) | None => None,
        };
        let (moved, now) = match value {
            Some(Value::Sum(base, added)) if base == variable => {
                (Some(added), old.and_then(|old| old.checked_add(added)).map(Value::Number))
            }
            Some(Value::Sum(base, added)) => {
                (None, self.is_identity(base).then_some(Value::Sum(base, added)))
            }
            Some(Value::Number(number)) => {
                (old.and_then(|old| number.checked_sub(old)), Some(Value::Number(number)))
            }
            None => (None, None),
        };
        match now {
            Some(now) => after.insert(variable, now),
            None => after.remove(&variable),
        };
        after.retain(|_, entry| match entry {
            Value::Sum(base, added) if *base == variable => {
                let new = moved.and_then(|moved| added.checked_sub(moved));
                *added = new.unwrap_or(*added);
                new.is_some()
            }
            Value::Sum(..) | Value::Number(_) => true,
        });
    }
}

/// Whether a variable is a thread's id.
pub(super) fn is_identity(flow: &Flow, variable: VariableId) -> bool {
    flow.variables[variable].owner.is_some_and(|owner| flow.templates[owner].identity == variable)
}

/// What both believe.
pub(super) fn common(left: &Beliefs, right: &Beliefs) -> Beliefs {
    left.iter()
        .filter(|(variable, value)| right.get(variable) == Some(value))
        .map(|(&variable, &value)| (variable, value))
        .collect()
}
