//! Zones and affine equalities together, each made sharper by what the other knows.

use crate::{Constraint, Domain, Equalities, Form, Interval, Zones};

/// What is in both.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    zones: Zones,
    equalities: Equalities,
}

/// How many ways to write a form by means of the equalities are tried for its bounds.
const WAYS: usize = 40;

/// How long equalities are for which bounds are propagated.
const PROPAGATED_TERMS: usize = 8;

impl Product {
    /// Lets the parts learn from each other. What one equality says of bounds that were the same before was learnt then.
    fn reduce(&mut self, before: &Self) {
        let mut known = before.clone();
        for _ in 0..3 {
            if self.is_empty() {
                return;
            }
            let before = self.clone();
            let rows: Vec<Form> =
                self.equalities.forms().filter(|form| form.terms().len() <= PROPAGATED_TERMS).collect();
            let old: Vec<Form> = known.equalities.forms().collect();
            for form in rows {
                if !old.contains(&form) || !known.zones.agree_on(&self.zones, &form) {
                    self.zones.guard(&Constraint::equal(form));
                }
            }
            let news = self.learn();
            if !news && self.zones == before.zones {
                return;
            }
            known = before;
        }
    }

    /// Equalities that the zones know. Whether there are new ones.
    fn learn(&mut self) -> bool {
        if self.zones.is_empty() {
            return false;
        }
        let mut news = false;
        let side = self.zones.dims() + 1;
        let term = |row: usize| row.checked_sub(1).map_or(Form::constant(0), Form::variable);
        for left in 1..side {
            // The first variable that it equals is enough: the others are equal to that.
            for right in 0..left {
                let Some(bound) = self.zones.bound(left, right) else { continue };
                if self.zones.bound(right, left).and_then(i128::checked_neg) != Some(bound) {
                    continue;
                }
                let form =
                    term(left).plus(&term(right), -1).and_then(|form| form.plus(&Form::constant(bound), -1));
                news |= form.is_some_and(|form| self.equalities.add(&form));
                break;
            }
        }
        news
    }

    /// Bounds of the form as it is written, and as the equalities let it be written.
    fn sharp_bounds(&self, form: &Form) -> Interval {
        self.bounds_and_ways(form).0
    }

    /// The same, and the ways to write it, the form itself first.
    fn bounds_and_ways(&self, form: &Form) -> (Interval, Vec<Form>) {
        let mut bounds = self.zones.bounds(form);
        if bounds.single().is_some() || form.terms().is_empty() {
            return (bounds, vec![form.clone()]);
        }
        let rows: Vec<Form> = self.equalities.forms().collect();
        let mut ways = vec![form.clone()];
        let mut next = 0;
        while next < ways.len() && ways.len() < WAYS {
            let way = ways[next].clone();
            next += 1;
            for row in &rows {
                for &(variable, coefficient) in way.terms() {
                    let its = row.coefficient(variable);
                    if its == 0 || coefficient % its != 0 {
                        continue;
                    }
                    let written = way.plus(row, -(coefficient / its));
                    if let Some(written) = written.filter(|written| !ways.contains(written)) {
                        bounds = bounds.meet(self.zones.bounds(&written));
                        ways.push(written);
                    }
                }
            }
        }
        (bounds, ways)
    }
}

/// Whether zones keep what is known of a form: it is a variable or a difference of two.
fn is_zone(form: &Form) -> bool {
    matches!(form.terms(), [_] | [(_, 1), (_, -1)] | [(_, -1), (_, 1)])
}

impl Domain for Product {
    fn top(dims: usize) -> Self {
        Self { zones: Zones::top(dims), equalities: Equalities::top(dims) }
    }

    fn dims(&self) -> usize {
        self.zones.dims()
    }

    fn is_empty(&self) -> bool {
        self.zones.is_empty() || self.equalities.is_empty()
    }

    fn includes(&self, other: &Self) -> bool {
        other.is_empty() || self.zones.includes(&other.zones) && self.equalities.includes(&other.equalities)
    }

    fn join(&self, other: &Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other.clone(),
            (false, true) => self.clone(),
            (false, false) => Self {
                zones: self.zones.join(&other.zones),
                equalities: self.equalities.join(&other.equalities),
            },
        }
    }

    fn meet(&self, other: &Self) -> Self {
        let mut met = Self {
            zones: self.zones.meet(&other.zones),
            equalities: self.equalities.meet(&other.equalities),
        };
        if met != *self && met != *other {
            met.reduce(self);
        }
        met
    }

    fn widen(&self, next: &Self, thresholds: &[i128]) -> Self {
        if self.is_empty() || next.is_empty() {
            return self.join(next);
        }
        Self {
            zones: self.zones.widen(&next.zones, thresholds),
            equalities: self.equalities.widen(&next.equalities, thresholds),
        }
    }

    fn guard(&mut self, constraint: &Constraint) {
        // What the zones know is nothing new.
        if self.is_empty() || constraint.holds_within(self.zones.bounds(&constraint.form)) {
            return;
        }
        let (sharp, ways) = self.bounds_and_ways(&constraint.form);
        if constraint.fails_within(sharp) {
            self.zones.guard(&Constraint::equal(Form::constant(1)));
            return;
        }
        // A bound that only the equalities show may be the one that an inequality takes away.
        if constraint.relation == crate::Relation::NotEqual {
            let form = &constraint.form;
            let above = sharp.low.filter(|low| *low == 0).and_then(|_| Form::constant(1).plus(form, -1));
            let below = sharp.high.filter(|high| *high == 0).and_then(|_| form.plus_constant(1));
            let bound = above.into_iter().chain(below).map(Constraint::at_most_zero);
            bound.for_each(|bound| self.zones.guard(&bound));
        }
        let before = self.clone();
        self.zones.guard(constraint);
        self.equalities.guard(constraint);
        // A sum may be one variable, by the equalities.
        if constraint.relation == crate::Relation::LessEqual && !is_zone(&constraint.form) {
            let known = ways.into_iter().skip(1).filter(is_zone);
            known.for_each(|form| self.zones.guard(&Constraint::at_most_zero(form)));
        }
        if *self != before {
            self.reduce(&before);
        }
    }

    fn assign(&mut self, variable: usize, value: &Form) {
        if self.is_empty() {
            return;
        }
        let bounds = self.sharp_bounds(value);
        let before = self.clone();
        self.zones.assign(variable, value);
        let form = Form::variable(variable);
        let high = bounds.high.and_then(|high| form.plus(&Form::constant(high), -1));
        let low = bounds.low.and_then(|low| Form::constant(low).plus(&form, -1));
        high.into_iter().chain(low).for_each(|form| self.zones.guard(&Constraint::at_most_zero(form)));
        self.equalities.assign(variable, value);
        self.reduce(&before);
    }

    fn forget(&mut self, variable: usize) {
        self.zones.forget(variable);
        self.equalities.forget(variable);
    }

    fn bounds(&self, form: &Form) -> Interval {
        self.sharp_bounds(form)
    }

    fn constraints(&self) -> Vec<Constraint> {
        let mut all = self.equalities.constraints();
        for constraint in self.zones.constraints() {
            // What the equalities say need not be said again.
            if !self.equalities.entails(&constraint) || self.is_empty() {
                all.push(constraint);
            }
        }
        all
    }

    fn remap(&self, dims: usize, to: &[Option<usize>]) -> Self {
        Self { zones: self.zones.remap(dims, to), equalities: self.equalities.remap(dims, to) }
    }
}
