//! Ranges of signed numbers that terms lie in, given those of the reads they are made of.
//!
//! Over-approximates: a term's value, taken as a signed number of its width, is in its range. An empty range (`None`) belongs
//! to a term that depends on a read of which nothing is known to be seen yet.

use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::symbolic::Known;

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
    fn within(low: Option<i128>, high: Option<i128>, width: u32) -> Self {
        let all = Self::all(width);
        match (low, high) {
            (Some(low), Some(high)) if low >= all.low && high <= all.high => Self { low, high },
            (_, _) => all,
        }
    }

    /// What to know about a read with this range, if that is worth anything.
    pub(crate) fn narrow(self, width: u32) -> Option<Known> {
        /// Fewer bits than this are not worth the trouble.
        const GAIN: u32 = 4;
        let bits = |number: i128| 128 - number.leading_zeros();
        let (needed, signed) = if self.low >= 0 {
            (bits(self.high).max(1), false)
        } else {
            (bits(self.high.max(!self.low)) + 1, true)
        };
        (needed + GAIN <= width).then_some(Known::Bits { bits: needed, signed })
    }
}

/// The smallest range that covers both.
pub(crate) fn join(first: Option<Range>, second: Option<Range>) -> Option<Range> {
    match (first, second) {
        (Some(a), Some(b)) => Some(Range { low: a.low.min(b.low), high: a.high.max(b.high) }),
        (a, b) => a.or(b),
    }
}

/// The ranges of terms.
pub(crate) struct Ranges<'t> {
    pub(crate) terms: &'t Terms,
    /// Those of the reads, by the term of the value.
    pub(crate) reads: FxHashMap<TermId, Option<Range>>,
    pub(crate) memo: FxHashMap<TermId, Option<Range>>,
}

impl Ranges<'_> {
    /// The range of a term.
    pub(crate) fn of(&mut self, term: TermId) -> Option<Range> {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(known) = self.reads.get(&top) {
                self.memo.insert(top, *known);
                stack.pop();
                continue;
            }
            let children = self.terms[top].children();
            let is_number = |child: &TermId| matches!(self.terms.sort(*child), Sort::BitVec(_));
            let open: Vec<TermId> = children
                .iter()
                .copied()
                .filter(|child| is_number(child) && !self.memo.contains_key(child))
                .collect();
            if open.is_empty() {
                let range = self.combine(top);
                self.memo.insert(top, range);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.memo[&term]
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
    fn combine(&self, term: TermId) -> Option<Range> {
        let Sort::BitVec(width) = self.terms.sort(term) else { return Some(Range::all(127)) };
        let known = |child: TermId| self.memo.get(&child).copied().flatten();
        let plain = || {
            let facts = self.terms.facts(term);
            match i128::try_from(facts.max) {
                Ok(high) if facts.max >> (width - 1) == 0 => {
                    let low = i128::try_from(facts.min).unwrap_or(0);
                    Range { low, high }
                }
                _ => Range::all(width),
            }
        };
        Some(match self.terms[term] {
            Term::Bits { value, .. } => {
                let number = raddle_logic::term::bits::signed(value, width);
                Range { low: number, high: number }
            }
            Term::Ite(_, then, otherwise) => return join(known(then), known(otherwise)),
            Term::Add(left, right) => {
                let (a, b) = (known(left)?, known(right)?);
                Range::within(a.low.checked_add(b.low), a.high.checked_add(b.high), width)
            }
            Term::Mul(left, right) => {
                let (a, b) = (known(left)?, known(right)?);
                let products = [
                    a.low.checked_mul(b.low),
                    a.low.checked_mul(b.high),
                    a.high.checked_mul(b.low),
                    a.high.checked_mul(b.high),
                ];
                let all: Option<Vec<i128>> = products.into_iter().collect();
                let all = all.unwrap_or_default();
                Range::within(all.iter().copied().min(), all.iter().copied().max(), width)
            }
            Term::SignExtend { of, .. } => known(of)?,
            Term::Concat(high, low) if self.terms.as_bits(high) == Some(0) => match known(low)? {
                range if range.low >= 0 => range,
                _ => plain(),
            },
            Term::Extract { low: 0, of, .. } => {
                let range = known(of)?;
                Range::within(Some(range.low), Some(range.high), width)
            }
            _ => {
                for child in self.terms[term].children() {
                    if matches!(self.terms.sort(child), Sort::BitVec(_)) {
                        known(child)?;
                    }
                }
                plain()
            }
        })
    }
}
