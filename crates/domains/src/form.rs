//! Linear forms, constraints and intervals, over 128-bit integers with checked arithmetic.

/// `Σ coefficient · variable + constant`; variables in ascending order, no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    terms: Vec<(usize, i128)>,
    constant: i128,
}

/// How a form compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// It is zero.
    Equal,
    /// It is zero or less.
    LessEqual,
    /// It is not zero.
    NotEqual,
}

/// A form that is compared with zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// The form.
    pub form: Form,
    /// How it compares.
    pub relation: Relation,
}

/// The numbers between two bounds, both included; none is infinity. Empty if the lower one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least number.
    pub low: Option<i128>,
    /// The greatest number.
    pub high: Option<i128>,
}

impl Form {
    /// A number.
    #[must_use]
    pub const fn constant(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// A variable.
    #[must_use]
    pub fn variable(variable: usize) -> Self {
        Self { terms: vec![(variable, 1)], constant: 0 }
    }

    /// Its variables with their coefficients, in ascending order.
    #[must_use]
    pub fn terms(&self) -> &[(usize, i128)] {
        &self.terms
    }

    /// What is added to them.
    #[must_use]
    pub const fn offset(&self) -> i128 {
        self.constant
    }

    /// Its value, if it has no variables.
    #[must_use]
    pub const fn as_constant(&self) -> Option<i128> {
        if self.terms.is_empty() { Some(self.constant) } else { None }
    }

    /// The coefficient of a variable.
    #[must_use]
    pub fn coefficient(&self, variable: usize) -> i128 {
        self.terms.iter().find(|(other, _)| *other == variable).map_or(0, |(_, coefficient)| *coefficient)
    }

    /// `self + factor · other`; none if it does not fit.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: i128) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (variable, coefficient) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&(variable, own)), None) => {
                    left.next();
                    (variable, own)
                }
                (None, Some(&&(variable, its))) => {
                    right.next();
                    (variable, its.checked_mul(factor)?)
                }
                (Some(&&(variable, own)), Some(&&(other, its))) => {
                    if variable <= other {
                        left.next();
                    }
                    if other <= variable {
                        right.next();
                    }
                    let own = if variable <= other { own } else { 0 };
                    let its = if other <= variable { its.checked_mul(factor)? } else { 0 };
                    (variable.min(other), own.checked_add(its)?)
                }
            };
            if coefficient != 0 {
                terms.push((variable, coefficient));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Self { terms, constant })
    }

    /// A multiple; none if it does not fit.
    #[must_use]
    pub fn times(&self, factor: i128) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    /// With a number added; none if it does not fit.
    #[must_use]
    pub fn plus_constant(&self, constant: i128) -> Option<Self> {
        self.plus(&Self::constant(constant), 1)
    }

    /// With other variables: each becomes what `to` gives; none if one has no place.
    #[must_use]
    pub fn renamed(&self, to: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let mut renamed = Self::constant(self.constant);
        for &(variable, coefficient) in &self.terms {
            renamed = renamed.plus(&Self::variable(to(variable)?), coefficient)?;
        }
        Some(renamed)
    }

    /// Its value at a vector; none if it does not fit.
    #[must_use]
    pub fn value(&self, at: &[i128]) -> Option<i128> {
        self.terms.iter().try_fold(self.constant, |sum, &(variable, coefficient)| {
            sum.checked_add(at[variable].checked_mul(coefficient)?)
        })
    }
}

impl Constraint {
    /// `form = 0`
    #[must_use]
    pub const fn equal(form: Form) -> Self {
        Self { form, relation: Relation::Equal }
    }

    /// `form <= 0`
    #[must_use]
    pub const fn at_most_zero(form: Form) -> Self {
        Self { form, relation: Relation::LessEqual }
    }

    /// `form != 0`
    #[must_use]
    pub const fn not_equal(form: Form) -> Self {
        Self { form, relation: Relation::NotEqual }
    }

    /// Whether it holds at a vector; none if a number does not fit.
    #[must_use]
    pub fn holds(&self, at: &[i128]) -> Option<bool> {
        let value = self.form.value(at)?;
        Some(match self.relation {
            Relation::Equal => value == 0,
            Relation::LessEqual => value <= 0,
            Relation::NotEqual => value != 0,
        })
    }

    /// Whether it holds for all values of its form that are in an interval.
    #[must_use]
    pub fn holds_within(&self, bounds: Interval) -> bool {
        match self.relation {
            Relation::Equal => bounds.low == Some(0) && bounds.high == Some(0),
            Relation::LessEqual => bounds.high.is_some_and(|high| high <= 0),
            Relation::NotEqual => {
                bounds.low.is_some_and(|low| low > 0) || bounds.high.is_some_and(|high| high < 0)
            }
        }
    }

    /// Whether it fails for all values of its form that are in an interval.
    #[must_use]
    pub fn fails_within(&self, bounds: Interval) -> bool {
        match self.relation {
            Relation::Equal => {
                bounds.low.is_some_and(|low| low > 0) || bounds.high.is_some_and(|high| high < 0)
            }
            Relation::LessEqual => bounds.low.is_some_and(|low| low > 0),
            Relation::NotEqual => bounds.low == Some(0) && bounds.high == Some(0),
        }
    }

    /// What holds when it does not; none if a number does not fit.
    #[must_use]
    pub fn negated(&self) -> Option<Self> {
        Some(match self.relation {
            Relation::Equal => Self::not_equal(self.form.clone()),
            Relation::NotEqual => Self::equal(self.form.clone()),
            Relation::LessEqual => Self::at_most_zero(self.form.times(-1)?.plus_constant(1)?),
        })
    }
}

impl Interval {
    /// All numbers.
    pub const ALL: Self = Self { low: None, high: None };

    /// A number alone.
    #[must_use]
    pub const fn only(number: i128) -> Self {
        Self { low: Some(number), high: Some(number) }
    }

    /// The numbers between two.
    #[must_use]
    pub const fn between(low: i128, high: i128) -> Self {
        Self { low: Some(low), high: Some(high) }
    }

    /// The number, if there is only one.
    #[must_use]
    pub fn single(self) -> Option<i128> {
        self.low.filter(|low| self.high == Some(*low))
    }

    /// Whether there is no number.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    /// Whether all numbers of another one, which is not empty, are in it.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        self.low.is_none_or(|low| other.low.is_some_and(|its| low <= its))
            && self.high.is_none_or(|high| other.high.is_some_and(|its| its <= high))
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { low: greatest(self.low, other.low), high: least(self.high, other.high) }
    }

    /// The least interval around both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let low = self.low.zip(other.low).map(|(own, its)| own.min(its));
        Self { low, high: self.high.zip(other.high).map(|(own, its)| own.max(its)) }
    }

    /// The sums, with the numbers of the other one multiplied.
    #[must_use]
    pub fn plus(self, other: Self, factor: i128) -> Self {
        let scaled = |bound: Option<i128>| bound.and_then(|bound| bound.checked_mul(factor));
        let (low, high) = match factor {
            0 => (Some(0), Some(0)),
            1.. => (scaled(other.low), scaled(other.high)),
            ..0 => (scaled(other.high), scaled(other.low)),
        };
        let add = |own: Option<i128>, its: Option<i128>| own?.checked_add(its?);
        Self { low: add(self.low, low), high: add(self.high, high) }
    }
}

/// The greater of two lower bounds.
pub(crate) fn greatest(left: Option<i128>, right: Option<i128>) -> Option<i128> {
    left.max(right)
}

/// The lesser of two upper bounds.
pub(crate) fn least(left: Option<i128>, right: Option<i128>) -> Option<i128> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (left, None) => left,
        (None, right) => right,
    }
}

/// The least threshold that is not below a bound.
pub(crate) fn next_threshold(bound: i128, thresholds: &[i128]) -> Option<i128> {
    thresholds.get(thresholds.partition_point(|threshold| *threshold < bound)).copied()
}

/// The greatest threshold that is not above a bound.
pub(crate) fn previous_threshold(bound: i128, thresholds: &[i128]) -> Option<i128> {
    let above = thresholds.partition_point(|threshold| *threshold <= bound);
    above.checked_sub(1).map(|index| thresholds[index])
}
