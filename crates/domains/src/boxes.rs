//! An interval for each variable.

use crate::form::{next_threshold, previous_threshold};
use crate::{Constraint, Domain, Form, Interval, Relation};

/// An interval for each variable; none of them is empty unless the whole is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxes {
    intervals: Vec<Interval>,
    empty: bool,
}

impl Boxes {
    fn set(&mut self, variable: usize, interval: Interval) {
        self.empty |= interval.is_empty();
        self.intervals[variable] = interval;
    }

    fn of_pairs(own: &Self, other: &Self, pair: impl Fn(Interval, Interval) -> Interval) -> Self {
        let intervals: Vec<Interval> =
            own.intervals.iter().zip(&other.intervals).map(|(own, its)| pair(*own, *its)).collect();
        Self { empty: intervals.iter().any(|interval| interval.is_empty()), intervals }
    }

    /// Bounds each variable of `form <= 0` by the least that the others can give.
    fn at_most_zero(&mut self, form: &Form) {
        for &(variable, coefficient) in form.terms() {
            let Some(rest) = form.plus(&Form::variable(variable), -coefficient) else { continue };
            let Some(room) = self.bounds(&rest).low.and_then(i128::checked_neg) else { continue };
            let bound = if coefficient > 0 {
                Interval { low: None, high: Some(room.div_euclid(coefficient)) }
            } else {
                // coefficient · v <= room, so v >= room / coefficient, rounded up.
                Interval { low: coefficient.checked_neg().map(|by| -room.div_euclid(by)), high: None }
            };
            self.set(variable, self.intervals[variable].meet(bound));
        }
    }
}

impl Domain for Boxes {
    fn top(dims: usize) -> Self {
        Self { intervals: vec![Interval::ALL; dims], empty: false }
    }

    fn dims(&self) -> usize {
        self.intervals.len()
    }

    fn is_empty(&self) -> bool {
        self.empty
    }

    fn includes(&self, other: &Self) -> bool {
        other.empty
            || !self.empty && self.intervals.iter().zip(&other.intervals).all(|(own, its)| own.includes(*its))
    }

    fn join(&self, other: &Self) -> Self {
        match (self.empty, other.empty) {
            (true, _) => other.clone(),
            (false, true) => self.clone(),
            (false, false) => Self::of_pairs(self, other, Interval::join),
        }
    }

    fn meet(&self, other: &Self) -> Self {
        let mut met = Self::of_pairs(self, other, Interval::meet);
        met.empty |= self.empty || other.empty;
        met
    }

    fn widen(&self, next: &Self, thresholds: &[i128]) -> Self {
        if self.empty || next.empty {
            return self.join(next);
        }
        Self::of_pairs(self, next, |own, its| {
            let kept = own.join(its);
            let low = kept.low.and_then(|low| {
                if own.low == Some(low) { Some(low) } else { previous_threshold(low, thresholds) }
            });
            let high = kept.high.and_then(|high| {
                if own.high == Some(high) { Some(high) } else { next_threshold(high, thresholds) }
            });
            Interval { low, high }
        })
    }

    fn guard(&mut self, constraint: &Constraint) {
        let bounds = self.bounds(&constraint.form);
        let form = &constraint.form;
        let opposite = form.times(-1);
        match constraint.relation {
            Relation::Equal => {
                self.empty |= bounds.meet(Interval::only(0)).is_empty();
                self.at_most_zero(form);
                opposite.iter().for_each(|opposite| self.at_most_zero(opposite));
            }
            Relation::LessEqual => {
                self.empty |= bounds.low.is_some_and(|low| low > 0);
                self.at_most_zero(form);
            }
            Relation::NotEqual => {
                self.empty |= bounds == Interval::only(0);
                if bounds.high == Some(0) {
                    form.plus_constant(1).iter().for_each(|form| self.at_most_zero(form));
                }
                if bounds.low == Some(0) {
                    let form = opposite.and_then(|opposite| opposite.plus_constant(1));
                    form.iter().for_each(|form| self.at_most_zero(form));
                }
            }
        }
    }

    fn assign(&mut self, variable: usize, value: &Form) {
        let bounds = self.bounds(value);
        self.set(variable, bounds);
    }

    fn forget(&mut self, variable: usize) {
        self.intervals[variable] = Interval::ALL;
    }

    fn bounds(&self, form: &Form) -> Interval {
        let start = Interval::only(form.offset());
        form.terms()
            .iter()
            .fold(start, |sum, (variable, factor)| sum.plus(self.intervals[*variable], *factor))
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![Constraint::equal(Form::constant(1))];
        }
        let mut all = Vec::new();
        for (variable, interval) in self.intervals.iter().enumerate() {
            let form = Form::variable(variable);
            if let Some(number) = interval.single() {
                all.extend(form.plus(&Form::constant(number), -1).map(Constraint::equal));
                continue;
            }
            let high = interval.high.and_then(|high| form.plus(&Form::constant(high), -1));
            let low = interval.low.and_then(|low| Form::constant(low).plus(&form, -1));
            all.extend(high.into_iter().chain(low).map(Constraint::at_most_zero));
        }
        all
    }

    fn remap(&self, dims: usize, to: &[Option<usize>]) -> Self {
        let mut moved = Self { intervals: vec![Interval::ALL; dims], empty: self.empty };
        for (interval, place) in self.intervals.iter().zip(to) {
            if let Some(place) = place {
                moved.intervals[*place] = *interval;
            }
        }
        moved
    }
}
