//! One case of an invariant: bounds of quantities and of their differences, and sums.

use std::collections::BTreeMap;

use crate::certificate::Relation;

/// With more quantities, what follows from two differences is not looked for.
const MOST_CLOSED: usize = 40;

/// The least and the greatest value; none: there is none.
pub(super) type Range = (Option<i128>, Option<i128>);

/// A sum that is compared with zero: factors of quantities, a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    pub(super) terms: Vec<(usize, i128)>,
    pub(super) constant: i128,
    /// Whether it is zero; else it is zero or less.
    pub(super) is_equal: bool,
}

/// What holds in one case. Quantities are numbers of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// Of what is not named nothing is known.
    ranges: BTreeMap<usize, Range>,
    /// The first less the second is so much at most.
    differences: BTreeMap<(usize, usize), i128>,
    sums: Vec<Sum>,
    /// Values that a quantity does not have.
    excluded: Vec<(usize, i128)>,
}

impl Case {
    /// Nothing is known but these ranges.
    pub(super) fn new(ranges: BTreeMap<usize, Range>) -> Self {
        Self { ranges, ..Self::default() }
    }

    /// This holds, too. Numbers that do not fit say nothing.
    pub(super) fn add(&mut self, sum: Sum, relation: Relation) {
        match (relation, sum.terms.as_slice()) {
            (Relation::NotEqual, &[(quantity, 1)]) => self.excluded.push((quantity, -sum.constant)),
            (Relation::NotEqual, &[(quantity, -1)]) => self.excluded.push((quantity, sum.constant)),
            (Relation::NotEqual, _) => {}
            (Relation::LessEqual, _) => self.at_most_zero(sum),
            (Relation::Equal, _) => {
                let terms = sum.terms.iter().map(|&(quantity, factor)| (quantity, -factor)).collect();
                let opposite = Sum { terms, constant: -sum.constant, is_equal: false };
                self.at_most_zero(Sum { is_equal: false, ..sum.clone() });
                self.at_most_zero(opposite);
                if sum.terms.len() > 2 {
                    self.sums.push(Sum { is_equal: true, ..sum });
                }
            }
        }
    }

    fn at_most_zero(&mut self, sum: Sum) {
        match *sum.terms.as_slice() {
            [(quantity, 1)] => self.narrow(quantity, (None, Some(-sum.constant))),
            [(quantity, -1)] => self.narrow(quantity, (Some(sum.constant), None)),
            [(first, 1), (second, -1)] => self.bound((first, second), -sum.constant),
            [(second, -1), (first, 1)] => self.bound((first, second), -sum.constant),
            _ => self.sums.push(sum),
        }
    }

    fn narrow(&mut self, quantity: usize, (low, high): Range) {
        let range = self.ranges.entry(quantity).or_default();
        range.0 = range.0.max(low);
        range.1 = match (range.1, high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (bound, None) | (None, bound) => bound,
        };
    }

    fn bound(&mut self, pair: (usize, usize), most: i128) {
        let bound = self.differences.entry(pair).or_insert(most);
        *bound = (*bound).min(most);
    }

    /// Draws conclusions from differences and ranges.
    pub(super) fn close(&mut self) {
        let quantities: Vec<usize> = self.ranges.keys().copied().collect();
        if quantities.len() > MOST_CLOSED {
            return;
        }
        for &middle in &quantities {
            for &first in &quantities {
                let Some(&left) = self.differences.get(&(first, middle)) else { continue };
                for &second in quantities.iter().filter(|&&second| second != first) {
                    if let Some(&right) = self.differences.get(&(middle, second)) {
                        self.bound((first, second), left.saturating_add(right));
                    }
                }
            }
        }
        for ((first, second), most) in self.differences.clone() {
            let (low, high) = (self.range(first).0, self.range(second).1);
            self.narrow(first, (None, high.map(|high| high.saturating_add(most))));
            self.narrow(second, (low.map(|low| low.saturating_sub(most)), None));
        }
    }

    /// What values a quantity has.
    pub(super) fn range(&self, quantity: usize) -> Range {
        let (mut low, mut high) = self.ranges.get(&quantity).copied().unwrap_or_default();
        // Bounds move over values that are excluded.
        while let Some(bound) = low.filter(|&bound| self.excluded.contains(&(quantity, bound))) {
            low = Some(bound + 1);
        }
        while let Some(bound) = high.filter(|&bound| self.excluded.contains(&(quantity, bound))) {
            high = Some(bound - 1);
        }
        (low, high)
    }

    /// The only value of a quantity.
    pub(super) fn value(&self, quantity: usize) -> Option<i128> {
        let (low, high) = self.range(quantity);
        low.filter(|_| low == high)
    }

    /// Whether a quantity cannot have a value.
    pub(super) fn excludes(&self, quantity: usize, value: i128) -> bool {
        let (low, high) = self.range(quantity);
        self.excluded.contains(&(quantity, value))
            || low.is_some_and(|low| value < low)
            || high.is_some_and(|high| value > high)
    }

    /// By how much the first exceeds the second at most.
    pub(super) fn difference(&self, first: usize, second: usize) -> Option<i128> {
        let by_range =
            self.range(first).1.zip(self.range(second).0).map(|(high, low)| high.saturating_sub(low));
        let by_bound = self.differences.get(&(first, second)).copied();
        by_range.into_iter().chain(by_bound).min()
    }

    /// The quantities of which something is known.
    pub(super) fn quantities(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges.keys().copied()
    }

    pub(super) fn sums(&self) -> &[Sum] {
        &self.sums
    }

    /// Whether a sum is known to be as it says.
    pub(super) fn implies(&self, sum: &Sum) -> bool {
        let bound = |sign: i128| {
            sum.terms.iter().try_fold(sign * sum.constant, |total, &(quantity, factor)| {
                let (low, high) = self.range(quantity);
                let factor = factor * sign;
                let most = if factor > 0 { high } else { low }?;
                total.checked_add(factor.checked_mul(most)?)
            })
        };
        let is_low = |most: Option<i128>| most.is_some_and(|most| most <= 0);
        self.sums.contains(sum)
            || is_low(bound(1)) && (!sum.is_equal || is_low(bound(-1)))
            || !sum.is_equal && self.sums.contains(&Sum { is_equal: true, ..sum.clone() })
    }
}
