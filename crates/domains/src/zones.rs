//! Bounds of variables and of differences of two: difference bound matrices (Miné 2001).

use std::sync::Arc;

use crate::form::{least, next_threshold};
use crate::{Constraint, Domain, Form, Interval, Relation};

/// Bounds `x - y <= c`, all that follow from others included (the matrix is closed), so that over the integers it is empty only if it says so.
/// Row and column 0 stand for the number zero, variable `v` for row `v + 1`.
#[derive(Clone, Debug)]
pub struct Zones {
    side: usize,
    bounds: Vec<Option<i128>>,
    empty: bool,
    /// Of what was widened: the bounds without what follows. Who widens again starts from these: a bound that only follows would come back
    /// each time, a little greater, and chains would never end.
    widened: Option<Arc<[Option<i128>]>>,
}

impl PartialEq for Zones {
    fn eq(&self, other: &Self) -> bool {
        (self.side, self.empty) == (other.side, other.empty) && self.bounds == other.bounds
    }
}

impl Eq for Zones {}

/// How many terms a form may have for its differences to be looked at.
const PAIRED_TERMS: usize = 6;

impl Zones {
    /// The greatest value of the difference of two rows.
    pub(crate) fn bound(&self, left: usize, right: usize) -> Option<i128> {
        self.bounds[left * self.side + right]
    }

    /// Whether both say the same of the variables of a form.
    pub(crate) fn agree_on(&self, other: &Self, form: &Form) -> bool {
        let rows = || std::iter::once(0).chain(form.terms().iter().map(|(variable, _)| variable + 1));
        rows().all(|left| rows().all(|right| self.bound(left, right) == other.bound(left, right)))
    }

    fn set(&mut self, left: usize, right: usize, bound: Option<i128>) {
        self.widened = None;
        self.bounds[left * self.side + right] = bound;
    }

    /// Adds `left - right <= bound`, and what follows.
    pub(crate) fn add(&mut self, left: usize, right: usize, bound: i128) {
        if self.empty || self.bound(left, right).is_some_and(|known| known <= bound) {
            return;
        }
        if left == right {
            self.empty |= bound < 0;
            return;
        }
        // A cycle of negative length.
        if self.bound(right, left).and_then(|back| back.checked_add(bound)).is_some_and(|sum| sum < 0) {
            self.empty = true;
            return;
        }
        // Every shorter way leads over the new edge once.
        for from in 0..self.side {
            let Some(before) = self.bound(from, left).and_then(|before| before.checked_add(bound)) else {
                continue;
            };
            for to in 0..self.side {
                let sum = self.bound(right, to).and_then(|after| before.checked_add(after));
                if from != to {
                    self.set(from, to, least(self.bound(from, to), sum));
                }
            }
        }
    }

    /// All shortest ways (Floyd and Warshall).
    fn close(&mut self) {
        for over in 0..self.side {
            for from in 0..self.side {
                let Some(before) = self.bound(from, over) else { continue };
                for to in 0..self.side {
                    let sum = self.bound(over, to).and_then(|after| before.checked_add(after));
                    self.set(from, to, least(self.bound(from, to), sum));
                }
            }
        }
        for row in 0..self.side {
            self.empty |= self.bound(row, row).is_some_and(|around| around < 0);
            self.set(row, row, Some(0));
        }
    }

    fn interval(&self, variable: usize) -> Interval {
        let low = self.bound(0, variable + 1).and_then(i128::checked_neg);
        Interval { low, high: self.bound(variable + 1, 0) }
    }

    /// The greatest value of a sum of terms, each alone or in pairs of opposite signs.
    fn highest(&self, terms: &[(usize, i128)]) -> Option<i128> {
        let Some((&(variable, coefficient), rest)) = terms.split_first() else { return Some(0) };
        let row = variable + 1;
        let size = coefficient.checked_abs()?;
        let scaled = |bound: Option<i128>, by: i128| bound.and_then(|bound| bound.checked_mul(by));
        let add = |one: Option<i128>, other: Option<i128>| one?.checked_add(other?);
        let alone = if coefficient > 0 { self.bound(row, 0) } else { self.bound(0, row) };
        let mut best = add(scaled(alone, size), self.highest(rest));
        for (index, &(other, its)) in rest.iter().enumerate() {
            if (its > 0) == (coefficient > 0) {
                continue;
            }
            let common = size.min(its.checked_abs()?);
            let pair = if coefficient > 0 { self.bound(row, other + 1) } else { self.bound(other + 1, row) };
            if pair.is_none() {
                continue;
            }
            let mut left: Vec<(usize, i128)> = rest.to_vec();
            left[index].1 += if its > 0 { -common } else { common };
            left.push((variable, if coefficient > 0 { size - common } else { common - size }));
            left.retain(|(_, coefficient)| *coefficient != 0);
            best = least(best, add(scaled(pair, common), self.highest(&left)));
        }
        best
    }

    fn at_most_zero(&mut self, form: &Form) {
        let terms = form.terms();
        let Some(room) = form.offset().checked_neg() else { return };
        match *terms {
            [] => self.empty |= room < 0,
            [(left, 1), (right, -1)] => self.add(left + 1, right + 1, room),
            [(right, -1), (left, 1)] => self.add(left + 1, right + 1, room),
            [..] => {
                for (index, &(variable, coefficient)) in terms.iter().enumerate() {
                    let mut rest: Vec<(usize, i128)> = terms.to_vec();
                    rest.remove(index);
                    self.bound_by(variable, coefficient, &rest, room);
                    self.bound_pairs(index, terms, room);
                }
            }
        }
    }

    /// Adds `variable <= …` or `>= …` of `coefficient · variable + rest <= room`.
    fn bound_by(&mut self, variable: usize, coefficient: i128, rest: &[(usize, i128)], room: i128) {
        let opposite: Vec<(usize, i128)> =
            rest.iter().map(|(variable, factor)| (*variable, factor.saturating_neg())).collect();
        let Some(room) = self.highest_of(&opposite).and_then(|most| most.checked_add(room)) else { return };
        if coefficient > 0 {
            self.add(variable + 1, 0, room.div_euclid(coefficient));
        } else if let Some(by) = coefficient.checked_neg() {
            self.add(0, variable + 1, room.div_euclid(by));
        }
    }

    /// Adds bounds of differences of the variable at an index with others of opposite coefficients.
    fn bound_pairs(&mut self, index: usize, terms: &[(usize, i128)], room: i128) {
        let (variable, coefficient) = terms[index];
        for (other_index, &(other, its)) in terms.iter().enumerate() {
            if coefficient <= 0 || its.checked_neg() != Some(coefficient) || terms.len() > PAIRED_TERMS {
                continue;
            }
            let others =
                terms.iter().enumerate().filter(|(place, _)| *place != index && *place != other_index);
            let opposite: Vec<(usize, i128)> =
                others.map(|(_, (variable, factor))| (*variable, factor.saturating_neg())).collect();
            if let Some(room) = self.highest_of(&opposite).and_then(|most| most.checked_add(room)) {
                self.add(variable + 1, other + 1, room.div_euclid(coefficient));
            }
        }
    }

    fn highest_of(&self, terms: &[(usize, i128)]) -> Option<i128> {
        if terms.len() <= PAIRED_TERMS {
            return self.highest(terms);
        }
        terms.iter().try_fold(0i128, |sum, (variable, factor)| {
            sum.checked_add(Interval::only(0).plus(self.interval(*variable), *factor).high?)
        })
    }

    fn of_pairs(&self, other: &Self, pair: impl Fn(Option<i128>, Option<i128>) -> Option<i128>) -> Self {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(own, its)| pair(*own, *its)).collect();
        Self { side: self.side, bounds, empty: false, widened: None }
    }
}

impl Domain for Zones {
    fn top(dims: usize) -> Self {
        let side = dims + 1;
        let mut bounds = vec![None; side * side];
        (0..side).for_each(|row| bounds[row * side + row] = Some(0));
        Self { side, bounds, empty: false, widened: None }
    }

    fn dims(&self) -> usize {
        self.side - 1
    }

    fn is_empty(&self) -> bool {
        self.empty
    }

    fn includes(&self, other: &Self) -> bool {
        let covers =
            |own: &Option<i128>, its: &Option<i128>| own.is_none_or(|own| its.is_some_and(|its| its <= own));
        other.empty || !self.empty && self.bounds.iter().zip(&other.bounds).all(|(own, its)| covers(own, its))
    }

    fn join(&self, other: &Self) -> Self {
        match (self.empty, other.empty) {
            (true, _) => other.clone(),
            (false, true) => self.clone(),
            // The greater bounds of two closed matrices are closed.
            (false, false) => self.of_pairs(other, |own, its| own.zip(its).map(|(own, its)| own.max(its))),
        }
    }

    fn meet(&self, other: &Self) -> Self {
        if self.empty || other.empty {
            return if self.empty { self.clone() } else { other.clone() };
        }
        let mut met = self.of_pairs(other, least);
        if met.bounds != self.bounds && met.bounds != other.bounds {
            met.close();
        }
        met
    }

    fn widen(&self, next: &Self, thresholds: &[i128]) -> Self {
        if self.empty || next.empty {
            return self.join(next);
        }
        let own = self.widened.as_deref().unwrap_or(&self.bounds);
        let bounds: Vec<Option<i128>> = (own.iter().zip(&next.bounds))
            .map(|(own, its)| match (own, its) {
                (Some(own), Some(its)) if its <= own => Some(*own),
                (Some(_), Some(its)) => next_threshold(*its, thresholds),
                (None, _) | (_, None) => None,
            })
            .collect();
        let before = Arc::from(bounds.as_slice());
        let mut widened = Self { side: self.side, bounds, empty: false, widened: None };
        widened.close();
        widened.widened = Some(before);
        widened
    }

    fn guard(&mut self, constraint: &Constraint) {
        if self.empty {
            return;
        }
        let form = &constraint.form;
        let opposite = form.times(-1);
        match constraint.relation {
            Relation::Equal => {
                self.empty |= self.bounds(form).meet(Interval::only(0)).is_empty();
                self.at_most_zero(form);
                opposite.iter().for_each(|opposite| self.at_most_zero(opposite));
            }
            Relation::LessEqual => {
                self.empty |= self.bounds(form).low.is_some_and(|low| low > 0);
                self.at_most_zero(form);
            }
            Relation::NotEqual => {
                let bounds = self.bounds(form);
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
        if self.empty {
            return;
        }
        let row = variable + 1;
        // What the new value is compared with every other variable, before the old one is forgotten.
        let difference = |other: usize, sign: i128| {
            let other = other.checked_sub(1).map_or(Form::constant(0), Form::variable);
            value
                .times(sign)
                .and_then(|value| value.plus(&other, -sign))
                .and_then(|form| self.bounds(&form).high)
        };
        let news: Vec<(usize, Option<i128>, Option<i128>)> = (0..self.side)
            .filter(|other| *other != row)
            .map(|other| (other, difference(other, 1), difference(other, -1)))
            .collect();
        self.forget(variable);
        for (other, above, below) in news {
            self.set(row, other, above);
            self.set(other, row, below);
        }
        self.close();
    }

    fn forget(&mut self, variable: usize) {
        let row = variable + 1;
        for other in (0..self.side).filter(|other| *other != row) {
            self.set(row, other, None);
            self.set(other, row, None);
        }
    }

    fn bounds(&self, form: &Form) -> Interval {
        let high = self.highest_of(form.terms()).and_then(|high| high.checked_add(form.offset()));
        let low = form.times(-1).and_then(|opposite| {
            self.highest_of(opposite.terms())?.checked_add(opposite.offset())?.checked_neg()
        });
        Interval { low, high }
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![Constraint::equal(Form::constant(1))];
        }
        let side = |row: usize| row.checked_sub(1).map_or(Form::constant(0), Form::variable);
        let mut all = Vec::new();
        for left in 0..self.side {
            for right in 0..self.side {
                let Some(bound) = self.bound(left, right).filter(|_| left != right) else { continue };
                let equal = self.bound(right, left).and_then(i128::checked_neg) == Some(bound);
                if equal && left < right {
                    continue;
                }
                let form =
                    side(left).plus(&side(right), -1).and_then(|form| form.plus(&Form::constant(bound), -1));
                all.extend(form.map(|form| {
                    if equal { Constraint::equal(form) } else { Constraint::at_most_zero(form) }
                }));
            }
        }
        all
    }

    fn remap(&self, dims: usize, to: &[Option<usize>]) -> Self {
        let mut moved = Self::top(dims);
        moved.empty = self.empty;
        let place =
            |row: usize| row.checked_sub(1).map_or(Some(0), |variable| to[variable].map(|place| place + 1));
        for left in 0..self.side {
            for right in 0..self.side {
                if let (Some(to_left), Some(to_right)) = (place(left), place(right)) {
                    moved.set(to_left, to_right, self.bound(left, right));
                }
            }
        }
        moved
    }
}
