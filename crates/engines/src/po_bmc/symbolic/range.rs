//! Ranges of numbers, and what the conditions of a write say about the number that it writes.
//!
//! `if (0 <= x && x < 10) shared = x;` writes a small number, whatever `x` is. Over-approximates: only a few of the
//! conditions are looked at, and only comparisons with constants.

use std::collections::VecDeque;

use raddle_logic::term::bits::mask;
use raddle_logic::term::{Sort, Term, TermId, Terms};

use super::assumptions::{ValueSet, bits_between};

/// All numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Range {
    /// All numbers of a width.
    pub(crate) fn all(width: u32) -> Self {
        if width >= 127 {
            return Self { low: i128::MIN, high: i128::MAX };
        }
        Self { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }
    }

    /// The range, unless it leaves the width: then anything may be, for numbers wrap around.
    pub(crate) fn within(low: Option<i128>, high: Option<i128>, width: u32) -> Self {
        let all = Self::all(width);
        match (low, high) {
            (Some(low), Some(high)) if low >= all.low && high <= all.high => Self { low, high },
            (_, _) => all,
        }
    }

    /// What to know about a read with this range, if that is worth anything.
    pub(crate) fn narrow(self, width: u32) -> Option<ValueSet> {
        /// Fewer bits than this are not worth the trouble.
        const GAIN: u32 = 4;
        let needed = bits_between(self.low, self.high);
        (needed + GAIN <= width).then_some(ValueSet::Between { low: self.low, high: self.high })
    }

    /// The range of a term, or of its bytes without their marks.
    pub(crate) fn of_bytes(self, terms: &Terms, term: TermId) -> Self {
        match terms.sort(term) {
            Sort::BitVec(width) => Self::within(Some(self.low), Some(self.high), width),
            Sort::Bool | Sort::Array { .. } => self,
        }
    }

    /// What is in both.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }
}

/// The smallest range that covers both.
pub(crate) fn join(first: Option<Range>, second: Option<Range>) -> Option<Range> {
    match (first, second) {
        (Some(a), Some(b)) => Some(Range { low: a.low.min(b.low), high: a.high.max(b.high) }),
        (a, b) => a.or(b),
    }
}

/// How many conditions of a write are looked at.
const MOST_CONDITIONS: usize = 48;

/// What the last conditions of a write say about what it writes.
pub(crate) fn condition(terms: &Terms, guard: TermId, written: TermId) -> Option<Range> {
    within(terms, (guard, true), written)
}

/// The most that a term can be, as a number without a sign, where a condition holds.
pub(crate) fn at_most(terms: &Terms, condition: TermId, term: TermId) -> u128 {
    most(terms, condition, term, 0)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into has the bounds of its width")]
fn most(terms: &Terms, condition: TermId, term: TermId, depth: u32) -> u128 {
    const DEEP: u32 = 8;
    let general = terms.facts(term).max;
    if depth > DEEP || terms.as_bits(term).is_some() {
        return general;
    }
    let of = |term: TermId| most(terms, condition, term, depth + 1);
    let fits = |number: &u128| *number <= mask(terms.width(term));
    let structural = match terms[term] {
        // It stays the same if it is not negative.
        Term::SignExtend { of: inner, .. } => {
            Some(of(inner)).filter(|most| *most <= mask(terms.width(inner) - 1))
        }
        Term::Extract { low: 0, of: inner, .. } => Some(of(inner)),
        Term::Concat(high, low) => {
            of(high).checked_mul(1 << terms.width(low).min(127)).and_then(|high| high.checked_add(of(low)))
        }
        Term::Add(left, right) => of(left).checked_add(of(right)).filter(fits),
        Term::Mul(left, right) => of(left).checked_mul(of(right)).filter(fits),
        Term::Ite(_, then, otherwise) => Some(of(then).max(of(otherwise))),
        _ => None,
    };
    let said = within(terms, (condition, true), term).filter(|range| range.low >= 0);
    let said = said.and_then(|range| u128::try_from(range.high).ok());
    structural.into_iter().chain(said).fold(general, u128::min)
}

/// What a condition says about a value, if it holds, or if it does not.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into says nothing")]
pub(crate) fn within(terms: &Terms, (guard, holds): (TermId, bool), written: TermId) -> Option<Range> {
    let Sort::BitVec(width) = terms.sort(written) else { return None };
    // They may speak of what it was computed from.
    let (value, more) = match terms[written] {
        Term::Add(a, b) => match (terms.as_bits(a), terms.as_bits(b)) {
            (Some(constant), None) => (b, constant),
            (None, Some(constant)) => (a, constant),
            (_, _) => (written, 0),
        },
        _ => (written, 0),
    };
    // A number that was widened has the same value as before.
    let (narrow, can_be_negative) = match terms[value] {
        Term::SignExtend { of, .. } => (of, true),
        Term::Concat(high, low) if terms.as_bits(high) == Some(0) => (low, false),
        _ => (value, true),
    };
    let mut range = Range::all(width);
    // The outer conjuncts first: they are the newest.
    let mut open = VecDeque::from([(guard, holds)]);
    let mut looked = 0;
    let limit_of = |subject: TermId, limit: TermId, is_signed: bool| {
        let limit_width = terms.width(limit);
        let plain = subject == value || subject == narrow && (is_signed == can_be_negative);
        let bits = terms.as_bits(limit).filter(|_| plain)?;
        if is_signed {
            Some(raddle_logic::term::bits::signed(bits, limit_width))
        } else {
            i128::try_from(bits).ok()
        }
    };
    while let Some((fact, holds)) = open.pop_front() {
        looked += 1;
        if looked > MOST_CONDITIONS {
            break;
        }
        match terms[fact] {
            Term::And(left, right) if holds => open.extend([(left, true), (right, true)]),
            Term::Not(inner) => open.push_front((inner, !holds)),
            _ => {}
        }
        if let Term::Eq(a, b) = terms[fact] {
            for (subject, other) in [(a, b), (b, a)] {
                let Some(constant) = terms.as_bits(other) else { continue };
                if let Term::Extract { high, low, of } = terms[subject]
                    && of == value
                    && high == low
                    && high + 1 == width
                {
                    // The sign.
                    if (constant == 1) == holds {
                        range.high = range.high.min(-1);
                    } else {
                        range.low = range.low.max(0);
                    }
                } else if subject == value && holds {
                    let number = raddle_logic::term::bits::signed(constant, width);
                    range = Range { low: range.low.max(number), high: range.high.min(number) };
                } else if (subject == narrow || subject == value)
                    && constant == 0
                    && !holds
                    && !can_be_negative
                {
                    // Not negative and not zero.
                    range.low = range.low.max(1);
                }
            }
            continue;
        }
        let bound = match terms[fact] {
            Term::Slt(a, b) => (limit_of(a, b, true).map(|limit| (limit, true, true)))
                .or_else(|| limit_of(b, a, true).map(|limit| (limit, false, true))),
            Term::Ult(a, b) => (limit_of(a, b, false).map(|limit| (limit, true, false)))
                .or_else(|| limit_of(b, a, false).map(|limit| (limit, false, false))),
            _ => None,
        };
        let Some((limit, below, is_signed)) = bound else { continue };
        // `value < limit`, `value >= limit`, `limit < value`, `limit >= value`.
        let (low, high) = match (below, holds) {
            (true, true) => (None, limit.checked_sub(1)),
            (true, false) => (Some(limit), None),
            (false, true) => (limit.checked_add(1), None),
            (false, false) => (None, Some(limit)),
        };
        // Unsigned, only small bounds from above say something about the signed number, unless it is not negative anyway.
        let (low, high) = match (is_signed, high) {
            (true, _) => (low, high),
            (false, Some(high)) if high <= Range::all(width).high => (Some(0), Some(high)),
            (false, None) if !can_be_negative => (low, None),
            (false, _) => (None, None),
        };
        range.low = range.low.max(low.unwrap_or(range.low));
        range.high = range.high.min(high.unwrap_or(range.high));
    }
    if range == Range::all(width) || range.low > range.high {
        return None;
    }
    let more = raddle_logic::term::bits::signed(more, width);
    let moved = Range::within(range.low.checked_add(more), range.high.checked_add(more), width);
    (moved != Range::all(width)).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(terms: &mut Terms, value: i32) -> TermId {
        terms.bits(u128::from(value.cast_unsigned()), 32)
    }

    #[test]
    fn an_unsigned_bound_from_above_is_a_range() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(32));
        let limit = number(&mut terms, 800);
        let guard = terms.ult(x, limit);
        assert_eq!(condition(&terms, guard, x), Some(Range { low: 0, high: 799 }));
        // From below it says nothing about the sign.
        let guard = terms.not(guard);
        assert_eq!(condition(&terms, guard, x), None);
    }

    #[test]
    fn what_does_not_hold_says_the_opposite() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(32));
        let (zero, ten) = (number(&mut terms, 0), number(&mut terms, 10));
        let positive = terms.slt(zero, x);
        assert_eq!(within(&terms, (positive, true), x).map(|range| range.low), Some(1));
        assert_eq!(within(&terms, (positive, false), x).map(|range| range.high), Some(0));
        let small = terms.slt(x, ten);
        let both = terms.and(positive, small);
        assert_eq!(within(&terms, (both, true), x), Some(Range { low: 1, high: 9 }));
        assert_eq!(within(&terms, (both, false), x), None, "one of them may hold");
    }

    #[test]
    fn bounds_move_with_what_is_added() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(32));
        let (zero, ten, five) = (number(&mut terms, 0), number(&mut terms, 10), number(&mut terms, 5));
        let negative = terms.slt(x, zero);
        let from = terms.not(negative);
        let to = terms.slt(x, ten);
        let guard = terms.and(from, to);
        let sum = terms.add(x, five);
        assert_eq!(condition(&terms, guard, x), Some(Range { low: 0, high: 9 }));
        assert_eq!(condition(&terms, guard, sum), Some(Range { low: 5, high: 14 }));
    }

    #[test]
    fn sums_that_wrap_around_are_anything() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(32));
        let (limit, one) = (number(&mut terms, i32::MAX - 1), number(&mut terms, 1));
        let guard = terms.slt(limit, x);
        let sum = terms.add(x, one);
        assert_eq!(
            condition(&terms, guard, x),
            Some(Range { low: i128::from(i32::MAX), high: i128::from(i32::MAX) })
        );
        assert_eq!(condition(&terms, guard, sum), None);
    }

    #[test]
    fn what_is_widened_is_known_by_what_it_was() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(4));
        let wide = terms.resize(x, 32, false);
        let (zero, minus_one) = (terms.bits(0, 4), number(&mut terms, -1));
        let is_zero = terms.eq(x, zero);
        let guard = terms.not(is_zero);
        let less = terms.add(wide, minus_one);
        let range = condition(&terms, guard, less).expect("it is bounded from below");
        assert_eq!(range.low, 0);
        // Sign-extended, it may be negative.
        let wide = terms.resize(x, 32, true);
        let less = terms.add(wide, minus_one);
        assert_eq!(condition(&terms, guard, less), None);
    }

    #[test]
    fn conditions_on_something_else_say_nothing() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
        let limit = number(&mut terms, 10);
        let guard = terms.ult(y, limit);
        assert_eq!(condition(&terms, guard, x), None);
        let product = terms.mul(x, y);
        assert_eq!(condition(&terms, guard, product), None);
    }
}
