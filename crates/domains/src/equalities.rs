//! Affine equalities (Karr: "Affine relationships among variables of a program", 1976), as integer rows.

use crate::{Constraint, Domain, Form, Interval, Relation};

/// Rows `Σ a_i · x_i + c = 0`, each with its constant last, in reduced echelon form without common factors: equal sets have equal
/// rows. What does not fit into 128 bits is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equalities {
    dims: usize,
    rows: Vec<Vec<i128>>,
    empty: bool,
}

fn gcd(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// Without its common factor, the first coefficient positive.
fn normalized(mut row: Vec<i128>) -> Vec<i128> {
    let common = row.iter().fold(0, |common, entry| gcd(common, entry.unsigned_abs()));
    let negative = row.iter().find(|entry| **entry != 0).is_some_and(|first| *first < 0);
    if let Ok(common) = i128::try_from(common)
        && common != 0
    {
        let by = if negative { -common } else { common };
        row.iter_mut().for_each(|entry| *entry = entry.checked_div(by).unwrap_or(*entry));
    }
    row
}

/// A row without the column, by means of another one; none if it does not fit.
fn eliminated(row: &[i128], column: usize, by: &[i128]) -> Option<Vec<i128>> {
    let common = i128::try_from(gcd(row[column].unsigned_abs(), by[column].unsigned_abs())).ok()?;
    let (own, its) = (by[column] / common, row[column] / common);
    let combined: Option<Vec<i128>> = row
        .iter()
        .zip(by)
        .map(|(entry, other)| entry.checked_mul(own)?.checked_sub(other.checked_mul(its)?))
        .collect();
    combined.map(normalized)
}

/// Reduced echelon form.
fn reduced(rows: Vec<Vec<i128>>) -> Vec<Vec<i128>> {
    let mut done: Vec<Vec<i128>> = Vec::new();
    let mut left: Vec<Vec<i128>> = rows.into_iter().map(normalized).collect();
    let columns = left.first().map_or(0, Vec::len);
    for column in 0..columns {
        let Some(place) = left.iter().position(|row| row[column] != 0) else { continue };
        let pivot = left.swap_remove(place);
        let clear = |rows: Vec<Vec<i128>>| -> Vec<Vec<i128>> {
            let rows = rows.into_iter();
            rows.filter_map(|row| if row[column] == 0 { Some(row) } else { eliminated(&row, column, &pivot) })
                .collect()
        };
        left = clear(left);
        done = clear(done);
        done.push(pivot);
    }
    done
}

impl Equalities {
    fn row(&self, form: &Form) -> Vec<i128> {
        let mut row = vec![0; self.dims + 1];
        form.terms().iter().for_each(|(variable, coefficient)| row[*variable] = *coefficient);
        row[self.dims] = form.offset();
        row
    }

    fn with_rows(dims: usize, rows: Vec<Vec<i128>>) -> Self {
        let rows = reduced(rows);
        // A row without variables says that a number is zero.
        let empty = rows.iter().any(|row| row[..dims].iter().all(|entry| *entry == 0) && row[dims] != 0);
        Self { dims, rows: if empty { Vec::new() } else { rows }, empty }
    }

    /// Its rows as forms that are zero.
    pub(crate) fn forms(&self) -> impl Iterator<Item = Form> + '_ {
        self.rows.iter().filter_map(|row| {
            let start = Form::constant(row[self.dims]);
            let terms = row[..self.dims].iter().enumerate().filter(|(_, entry)| **entry != 0);
            terms
                .into_iter()
                .try_fold(start, |form, (variable, entry)| form.plus(&Form::variable(variable), *entry))
        })
    }

    /// A row without all that others determine; none if it does not fit.
    fn rest(&self, row: &[i128]) -> Option<Vec<i128>> {
        let mut row = row.to_vec();
        for by in &self.rows {
            let pivot = by.iter().position(|entry| *entry != 0)?;
            if row[pivot] != 0 {
                row = eliminated(&row, pivot, by)?;
            }
        }
        Some(row)
    }

    /// Adds `form = 0`. Whether anything is new.
    pub(crate) fn add(&mut self, form: &Form) -> bool {
        if self.empty || self.rest(&self.row(form)).is_none_or(|rest| rest.iter().all(|entry| *entry == 0)) {
            return false;
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.push(self.row(form));
        *self = Self::with_rows(self.dims, rows);
        true
    }
}

impl Domain for Equalities {
    fn top(dims: usize) -> Self {
        Self { dims, rows: Vec::new(), empty: false }
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn is_empty(&self) -> bool {
        self.empty
    }

    fn includes(&self, other: &Self) -> bool {
        let follows =
            |row: &Vec<i128>| other.rest(row).is_some_and(|rest| rest.iter().all(|entry| *entry == 0));
        other.empty || !self.empty && self.rows.iter().all(follows)
    }

    fn join(&self, other: &Self) -> Self {
        match (self.empty, other.empty) {
            (true, _) => return other.clone(),
            (false, true) => return self.clone(),
            (false, false) if self.rows == other.rows || self.rows.is_empty() => return self.clone(),
            (false, false) => {}
        }
        // What follows from both: the intersection of the spaces of rows (Zassenhaus).
        let width = self.dims + 1;
        let doubled = self.rows.iter().map(|row| [row.as_slice(), row.as_slice()].concat());
        let single = other.rows.iter().map(|row| [row.as_slice(), &vec![0; width]].concat());
        let common = reduced(doubled.chain(single).collect()).into_iter();
        let common = common.filter(|row| row[..width].iter().all(|entry| *entry == 0));
        Self::with_rows(self.dims, common.map(|row| row[width..].to_vec()).collect())
    }

    fn meet(&self, other: &Self) -> Self {
        if self.empty || other.empty {
            return Self { dims: self.dims, rows: Vec::new(), empty: true };
        }
        if other.includes(self) {
            return self.clone();
        }
        Self::with_rows(self.dims, self.rows.iter().chain(&other.rows).cloned().collect())
    }

    fn widen(&self, next: &Self, _: &[i128]) -> Self {
        // Chains are no longer than there are dimensions.
        self.join(next)
    }

    fn guard(&mut self, constraint: &Constraint) {
        match constraint.relation {
            Relation::Equal => {
                self.add(&constraint.form);
            }
            Relation::LessEqual | Relation::NotEqual => {
                let bounds = self.bounds(&constraint.form);
                let broken = |value| {
                    constraint.relation == Relation::LessEqual && value > 0
                        || constraint.relation == Relation::NotEqual && value == 0
                };
                if !self.empty && bounds.single().is_some_and(broken) {
                    *self = Self { dims: self.dims, rows: Vec::new(), empty: true };
                }
            }
        }
    }

    fn assign(&mut self, variable: usize, value: &Form) {
        let factor = value.coefficient(variable);
        if factor == 0 {
            self.forget(variable);
            if let Some(form) = value.plus(&Form::variable(variable), -1) {
                self.add(&form);
            }
            return;
        }
        // The old value is (new - rest) / factor.
        let value = self.row(value);
        let substituted = |row: &Vec<i128>| -> Option<Vec<i128>> {
            let own = row[variable];
            let entry = |(place, entry): (usize, &i128)| {
                if place == variable {
                    Some(own)
                } else {
                    entry.checked_mul(factor)?.checked_sub(own.checked_mul(value[place])?)
                }
            };
            row.iter().enumerate().map(entry).collect()
        };
        let rows = self.rows.iter().filter_map(substituted).collect();
        let empty = self.empty;
        *self = Self::with_rows(self.dims, rows);
        self.empty |= empty;
    }

    fn forget(&mut self, variable: usize) {
        let Some(place) = self.rows.iter().position(|row| row[variable] != 0) else { return };
        let by = self.rows.swap_remove(place);
        let rows = std::mem::take(&mut self.rows).into_iter();
        let rows = rows
            .filter_map(|row| if row[variable] == 0 { Some(row) } else { eliminated(&row, variable, &by) });
        self.rows = reduced(rows.collect());
    }

    fn bounds(&self, form: &Form) -> Interval {
        // Exact if the rest is a number, scaled as the elimination scaled the form.
        let mut row = self.row(form);
        let mut scale: i128 = 1;
        for by in &self.rows {
            let Some(pivot) = by.iter().position(|entry| *entry != 0) else { continue };
            if row[pivot] == 0 {
                continue;
            }
            let (own, its) = (by[pivot], row[pivot]);
            let combined: Option<Vec<i128>> = row
                .iter()
                .zip(by)
                .map(|(entry, other)| entry.checked_mul(own)?.checked_sub(other.checked_mul(its)?))
                .collect();
            let (Some(combined), Some(scaled)) = (combined, scale.checked_mul(own)) else {
                return Interval::ALL;
            };
            (row, scale) = (combined, scaled);
        }
        let value = row[self.dims];
        if row[..self.dims].iter().any(|entry| *entry != 0) || value % scale != 0 {
            return Interval::ALL;
        }
        Interval::only(value / scale)
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![Constraint::equal(Form::constant(1))];
        }
        self.forms().map(Constraint::equal).collect()
    }

    fn remap(&self, dims: usize, to: &[Option<usize>]) -> Self {
        let mut kept = self.clone();
        (0..self.dims).filter(|variable| to[*variable].is_none()).for_each(|variable| kept.forget(variable));
        let moved = kept.rows.iter().map(|row| {
            let mut moved = vec![0; dims + 1];
            for (entry, place) in row.iter().zip(to) {
                if let Some(place) = place {
                    moved[*place] = *entry;
                }
            }
            moved[dims] = row[self.dims];
            moved
        });
        let mut moved = Self::with_rows(dims, moved.collect());
        moved.empty |= self.empty;
        moved
    }
}
