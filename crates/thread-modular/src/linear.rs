//! Terms as sums over mathematical integers, where machine arithmetic does not wrap.
//!
//! A bit-vector is read as a signed or an unsigned number. A sum of readings is a reading of the sum if it is within the range of the type; what is
//! known of the state says whether it is. Where it always wraps the same number of times, that is corrected; else there is no sum.
//! Direction of error: what has no sum may have any value of its type.

use std::cell::RefCell;

use raddle_domains::{Constraint, Form, Interval};
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// How deep terms are looked into.
const DEPTH: u32 = 24;

/// A dimension that stands for a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dim {
    /// Which.
    pub index: usize,
}

/// Reads terms in one state. What it has read it keeps, as terms share their parts.
pub(crate) struct Reader<'r> {
    terms: &'r Terms,
    dims: &'r FxHashMap<TermId, Dim>,
    bounds: &'r dyn Fn(&Form) -> Interval,
    /// By term, and whether it is read as signed.
    forms: RefCell<FxHashMap<(TermId, bool), Option<Form>>>,
    truths: RefCell<FxHashMap<TermId, Option<bool>>>,
}

/// The numbers of a type.
pub(crate) fn range(width: u32, signed: bool) -> Interval {
    if signed {
        let half = 1_i128 << (width - 1);
        Interval::between(-half, half - 1)
    } else {
        Interval::between(0, (1_i128 << width) - 1)
    }
}

/// Bits that are numbers here.
pub(crate) const fn numeric(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) if width <= 64 => Some(width),
        Sort::BitVec(_) | Sort::Array { .. } => None,
    }
}

impl<'r> Reader<'r> {
    /// A reader of terms where symbols have these dimensions. `bounds` tells between which numbers a form is.
    pub(crate) fn new(
        terms: &'r Terms,
        dims: &'r FxHashMap<TermId, Dim>,
        bounds: &'r dyn Fn(&Form) -> Interval,
    ) -> Self {
        Self { terms, dims, bounds, forms: RefCell::default(), truths: RefCell::default() }
    }

    /// A term as a sum, read as signed or not.
    pub(crate) fn form(&self, term: TermId, signed: bool) -> Option<Form> {
        self.form_within(term, signed, DEPTH)
    }

    fn form_within(&self, term: TermId, signed: bool, depth: u32) -> Option<Form> {
        let width = numeric(self.terms.sort(term))?;
        if let Some(dim) = self.dims.get(&term) {
            return self.fit(Form::variable(dim.index), width, signed);
        }
        if depth == 0 {
            return None;
        }
        if let Some(known) = self.forms.borrow().get(&(term, signed)) {
            return known.clone();
        }
        let form = self.form_of_parts(term, width, signed, depth);
        self.forms.borrow_mut().insert((term, signed), form.clone());
        form
    }

    fn form_of_parts(&self, term: TermId, width: u32, signed: bool, depth: u32) -> Option<Form> {
        let either = |term: TermId| {
            self.form_within(term, true, depth - 1).or_else(|| self.form_within(term, false, depth - 1))
        };
        let sum = match self.terms[term] {
            Term::Bool(value) => return Some(Form::constant(value.into())),
            Term::Bits { value, width } => Form::constant(constant(value, width, signed)),
            Term::Add(a, b) => either(a)?.plus(&either(b)?, 1)?,
            Term::Mul(a, b) => {
                let (factor, other) = if self.terms.as_bits(a).is_some() { (a, b) } else { (b, a) };
                either(other)?.times(constant(self.terms.as_bits(factor)?, width, true))?
            }
            Term::BvNot(a) => Form::constant(-1).plus(&either(a)?, -1)?,
            Term::Shl(a, amount) => {
                let amount = u32::try_from(self.terms.as_bits(amount)?).ok().filter(|&bits| bits < width)?;
                either(a)?.times(1_i128 << amount)?
            }
            Term::Concat(high, low) => {
                let low_width = self.terms.width(low);
                let low = self.form_within(low, false, depth - 1)?;
                let high = self.form_within(high, signed, depth - 1)?;
                high.times(1_i128 << low_width)?.plus(&low, 1)?
            }
            Term::Extract { low: 0, of, .. } => either(of)?,
            Term::SignExtend { of, .. } => self.form_within(of, true, depth - 1)?,
            Term::Ite(_, a, b) => {
                let (a, b) =
                    (self.form_within(a, signed, depth - 1)?, self.form_within(b, signed, depth - 1)?);
                return (a == b).then_some(a);
            }
            Term::Symbol(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Eq(..)
            | Term::Ult(..)
            | Term::Slt(..)
            | Term::UmulOverflow(..)
            | Term::SmulOverflow(..)
            | Term::BvAnd(..)
            | Term::BvXor(..)
            | Term::Udiv(..)
            | Term::Urem(..)
            | Term::Lshr(..)
            | Term::Ashr(..)
            | Term::Extract { .. }
            | Term::Select(..)
            | Term::Store(..)
            | Term::ConstArray { .. } => return None,
        };
        self.fit(sum, width, signed)
    }

    /// The number of a type that equals a sum but for multiples of `2^width`, if it is the same multiple for all values of the sum.
    fn fit(&self, sum: Form, width: u32, signed: bool) -> Option<Form> {
        let range = range(width, signed);
        let bounds = (self.bounds)(&sum);
        if range.includes(bounds) {
            return Some(sum);
        }
        let (low, high) = (bounds.low?, bounds.high?);
        let times =
            |value: i128| value.checked_sub(range.low?).map(|above| above.div_euclid(1_i128 << width));
        let around = times(low).filter(|&around| times(high) == Some(around))?;
        sum.plus_constant((1_i128 << width).checked_mul(around)?.checked_neg()?)
    }

    /// Between which numbers a term is, read as signed or not; of what is not understood by what is known of its bits.
    pub(crate) fn bounds(&self, term: TermId, signed: bool) -> Interval {
        let Some(width) = numeric(self.terms.sort(term)) else { return Interval::ALL };
        if let Some(form) = self.form(term, signed) {
            return (self.bounds)(&form).meet(range(width, signed));
        }
        let all = range(width, signed);
        if self.terms.sort(term) == Sort::Bool {
            return all;
        }
        let facts = self.terms.facts(term);
        let (Ok(least), Ok(most)) = (i128::try_from(facts.min), i128::try_from(facts.max)) else {
            return all;
        };
        let known = Interval::between(least, most);
        if all.includes(known) { known } else { all }
    }

    /// What a condition says of the dimensions: all of these hold where it does.
    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is is treated alike")]
    pub(crate) fn constraints(&self, condition: TermId) -> Vec<Constraint> {
        let (positive, holds) =
            if let Term::Not(of) = self.terms[condition] { (of, false) } else { (condition, true) };
        match self.terms[positive] {
            Term::And(a, b) if holds => [a, b].into_iter().flat_map(|part| self.constraints(part)).collect(),
            // Where one part holds the other one does not.
            Term::And(a, b) => match (self.truth(a, DEPTH), self.truth(b, DEPTH)) {
                (Some(true), _) => self.constraint(b, false).into_iter().collect(),
                (_, Some(true)) => self.constraint(a, false).into_iter().collect(),
                // Both may be the same, as far as is known: that a sum is negative, and that its sign is not that of what it was added to.
                (_, _) => {
                    let (one, other) = (self.resolved(a, true), self.resolved(b, true));
                    let same = (one == other).then(|| self.constraint(one.0, !one.1));
                    same.flatten().into_iter().collect()
                }
            },
            Term::Xor(a, b) => match (self.truth(a, DEPTH), self.truth(b, DEPTH)) {
                (Some(known), _) => self.constraint(b, known != holds).into_iter().collect(),
                (_, Some(known)) => self.constraint(a, known != holds).into_iter().collect(),
                (_, _) => Vec::new(),
            },
            Term::Bool(known) if known != holds => vec![Constraint::equal(Form::constant(1))],
            _ => self.constraint(positive, holds).into_iter().collect(),
        }
    }

    /// A condition without negations and without what is known: that it is so is that the term is what the flag says.
    fn resolved(&self, condition: TermId, holds: bool) -> (TermId, bool) {
        if let Term::Not(of) = self.terms[condition] {
            return self.resolved(of, !holds);
        }
        if let Term::Xor(a, b) = self.terms[condition] {
            if let Some(known) = self.truth(a, DEPTH) {
                return self.resolved(b, known != holds);
            }
            if let Some(known) = self.truth(b, DEPTH) {
                return self.resolved(a, known != holds);
            }
        }
        (condition, holds)
    }

    /// Whether a condition holds in the whole state, or nowhere in it.
    pub(crate) fn truth(&self, condition: TermId, depth: u32) -> Option<bool> {
        if depth == 0 {
            return None;
        }
        if let Some(&known) = self.truths.borrow().get(&condition) {
            return known;
        }
        let truth = self.truth_of_parts(condition, depth);
        self.truths.borrow_mut().insert(condition, truth);
        truth
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is is treated alike")]
    fn truth_of_parts(&self, condition: TermId, depth: u32) -> Option<bool> {
        match self.terms[condition] {
            Term::Bool(known) => Some(known),
            Term::Not(of) => self.truth(of, depth - 1).map(|known| !known),
            Term::And(a, b) => match (self.truth(a, depth - 1), self.truth(b, depth - 1)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (_, _) => None,
            },
            Term::Xor(a, b) => Some(self.truth(a, depth - 1)? != self.truth(b, depth - 1)?),
            _ => {
                let constraint = self.constraint(condition, true)?;
                let bounds = (self.bounds)(&constraint.form);
                if constraint.holds_within(bounds) {
                    Some(true)
                } else if constraint.fails_within(bounds) {
                    Some(false)
                } else {
                    None
                }
            }
        }
    }

    /// What the highest bit of a term says of the dimensions: whether the term is negative.
    fn sign(&self, of: TermId, negative: bool) -> Option<Constraint> {
        let width = self.terms.width(of);
        // Read as signed it is below zero; read as unsigned, where a sum has gone beyond the signed numbers, it is in the upper half.
        let (form, first) = match self.form(of, true) {
            Some(form) => (form, 0),
            None => (self.form(of, false)?, 1_i128 << (width - 1)),
        };
        let form = form.plus_constant(-first)?;
        Some(match (negative, first) {
            (true, 0) => Constraint::at_most_zero(form.plus_constant(1)?),
            (false, 0) | (true, _) => Constraint::at_most_zero(form.times(-1)?),
            (false, _) => Constraint::at_most_zero(form.plus_constant(1)?),
        })
    }

    /// What an atom or its opposite says of the dimensions.
    fn constraint(&self, atom: TermId, holds: bool) -> Option<Constraint> {
        if let Term::Not(of) = self.terms[atom] {
            return self.constraint(of, !holds);
        }
        if let Some(dim) = self.dims.get(&atom) {
            return Form::variable(dim.index).plus_constant(-i128::from(holds)).map(Constraint::equal);
        }
        if let Some((of, set)) = highest_bit(self.terms, atom) {
            return self.sign(of, set == holds);
        }
        let at_most = |a: TermId, b: TermId, signed: bool, by: i128| {
            let form = self.form(a, signed)?.plus(&self.form(b, signed)?, -1)?.plus_constant(by)?;
            Some(Constraint::at_most_zero(form))
        };
        match self.terms[atom] {
            Term::Eq(a, b) => [true, false].into_iter().find_map(|signed| {
                let form = self.form(a, signed)?.plus(&self.form(b, signed)?, -1)?;
                Some(if holds { Constraint::equal(form) } else { Constraint::not_equal(form) })
            }),
            Term::Ult(a, b) if holds => at_most(a, b, false, 1),
            Term::Ult(a, b) => at_most(b, a, false, 0),
            Term::Slt(a, b) if holds => at_most(a, b, true, 1),
            Term::Slt(a, b) => at_most(b, a, true, 0),
            Term::Symbol(_)
            | Term::Bool(_)
            | Term::Bits { .. }
            | Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Ite(..)
            | Term::UmulOverflow(..)
            | Term::SmulOverflow(..)
            | Term::BvNot(_)
            | Term::BvAnd(..)
            | Term::BvXor(..)
            | Term::Add(..)
            | Term::Mul(..)
            | Term::Udiv(..)
            | Term::Urem(..)
            | Term::Shl(..)
            | Term::Lshr(..)
            | Term::Ashr(..)
            | Term::Concat(..)
            | Term::Extract { .. }
            | Term::SignExtend { .. }
            | Term::Select(..)
            | Term::Store(..)
            | Term::ConstArray { .. } => None,
        }
    }
}

/// Of a condition that compares the highest bit of a term: which term, and whether the bit is set.
pub(crate) fn highest_bit(terms: &Terms, condition: TermId) -> Option<(TermId, bool)> {
    let Term::Eq(a, b) = terms[condition] else { return None };
    let (bit, value) = if terms.as_bits(a).is_some() { (b, a) } else { (a, b) };
    let Term::Extract { high, low, of } = terms[bit] else { return None };
    let is_highest = high == low && high + 1 == terms.width(of);
    is_highest.then_some((of, terms.as_bits(value)? == 1))
}

/// The number that bits stand for.
pub(crate) fn constant(value: u128, width: u32, signed: bool) -> i128 {
    let value = value.cast_signed();
    let is_negative = signed && width < 128 && value >> (width - 1) & 1 == 1;
    if is_negative { value - (1_i128 << width) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols of a width, all numbers of it possible, but for what `known` says of the first.
    fn read(terms: &Terms, symbols: &[TermId], known: Interval, term: TermId, signed: bool) -> Option<Form> {
        let dims = symbols.iter().enumerate().map(|(index, &symbol)| (symbol, Dim { index })).collect();
        let bounds = |form: &Form| {
            form.terms().iter().fold(Interval::only(form.offset()), |sum, &(dim, factor)| {
                let range = if dim == 0 { known } else { range(8, true) };
                sum.plus(range, factor)
            })
        };
        Reader::new(terms, &dims, &bounds).form(term, signed)
    }

    #[test]
    fn terms_that_share_their_parts_are_read_in_time() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(8));
        let (mut sum, mut parity) = (x, terms.bool(true));
        // Each part is there twice, and read as signed and as unsigned: read anew each time, there are 4^23 of them.
        for _ in 1..DEPTH {
            let shifted = terms.shl(sum, x);
            sum = terms.add(sum, shifted);
            let two = terms.bits(2, 8);
            let twice = terms.mul(sum, two);
            sum = terms.add(twice, sum);
            let atom = terms.ult(sum, x);
            let other = terms.and(parity, atom);
            parity = terms.xor(parity, other);
        }
        assert_eq!(read(&terms, &[x], range(8, true), sum, true), None);
        let dims: FxHashMap<TermId, Dim> = std::iter::once((x, Dim { index: 0 })).collect();
        let reader = Reader::new(&terms, &dims, &|_| range(8, true));
        assert_eq!(reader.truth(parity, DEPTH), None);
    }

    #[test]
    fn a_sum_that_may_wrap_is_none_and_one_that_always_wraps_is_corrected() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(8));
        let one = terms.bits(1, 8);
        let sum = terms.add(x, one);
        let of = |low, high| read(&terms, &[x], Interval::between(low, high), sum, true);
        assert_eq!(of(-128, 127), None);
        assert_eq!(of(-128, 126), Form::variable(0).plus_constant(1));
        assert_eq!(of(127, 127), Form::variable(0).plus_constant(1 - 256));
    }

    #[test]
    fn readings_agree_where_numbers_are_not_negative() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(8));
        let wide = terms.resize(x, 32, false);
        let of = |low, high| read(&terms, &[x], Interval::between(low, high), wide, true);
        assert_eq!(of(0, 127), Some(Form::variable(0)));
        assert_eq!(of(-5, -1), Form::variable(0).plus_constant(256));
        assert_eq!(of(-5, 127), None);
    }

    #[test]
    fn every_sum_equals_its_term_on_all_values() {
        let mut terms = Terms::new();
        let symbols = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(4)));
        let [x, y] = symbols;
        let three = terms.bits(3, 4);
        let times = terms.mul(three, x);
        let composed = [
            terms.add(x, y),
            terms.sub(x, y),
            terms.add(times, y),
            terms.bvnot(x),
            terms.sign_extend(3, x),
            terms.zero_extend(3, y),
            terms.extract(1, 0, x),
            terms.concat(x, y),
        ];
        let dims: FxHashMap<TermId, Dim> =
            symbols.iter().enumerate().map(|(index, &symbol)| (symbol, Dim { index })).collect();
        for (low, high) in (-8..8).flat_map(|low| (low..8).map(move |high| (low, high))) {
            let bounds = |form: &Form| {
                form.terms().iter().fold(Interval::only(form.offset()), |sum, &(_, factor)| {
                    sum.plus(Interval::between(low, high), factor)
                })
            };
            let reader = Reader::new(&terms, &dims, &bounds);
            for (term, signed) in composed.iter().flat_map(|&term| [(term, true), (term, false)]) {
                let Some(form) = reader.form(term, signed) else { continue };
                let width = terms.width(term);
                for (a, b) in (low..=high).flat_map(|a| (low..=high).map(move |b| (a, b))) {
                    let model = |symbol: TermId| if symbol == x { a } else { b };
                    let bits = evaluate(&terms, term, &model);
                    let expected = constant(bits, width, signed);
                    assert_eq!(form.value(&[a, b]), Some(expected), "{term:?} at {a}, {b}, signed {signed}");
                }
            }
        }
    }

    /// The bits of a term, by the evaluator of terms.
    fn evaluate(terms: &Terms, term: TermId, model: &dyn Fn(TermId) -> i128) -> u128 {
        let mut values = raddle_logic::term::Model::new();
        for symbol in terms.symbols() {
            let id = terms.ids().find(|&id| terms.as_symbol(id) == Some(symbol)).expect("it is a term");
            values.set_bits(symbol, model(id).cast_unsigned() & 15);
        }
        values.eval(terms, term).as_bits().expect("it is a bit-vector")
    }
}
