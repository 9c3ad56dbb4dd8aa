//! Linear equations over rational numbers, by Gauss elimination with 128-bit numbers. What no longer fits has no answer.

/// A rational number in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    /// Above zero.
    denominator: i128,
}

fn greatest_common_divisor(left: i128, right: i128) -> Option<i128> {
    let (mut left, mut right) = (left.checked_abs()?, right.checked_abs()?);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    Some(left)
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Self = Self::whole(0);
    /// One.
    pub const ONE: Self = Self::whole(1);

    /// An integer.
    #[must_use]
    pub const fn whole(number: i128) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    /// A quotient; none of a division by zero.
    #[must_use]
    pub fn of(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator)?;
        if denominator == 0 {
            return None;
        }
        let divisor = if denominator < 0 { -divisor } else { divisor };
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// What is above the line.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// What is below the line: above zero.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// Whether it is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::of(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.times(Self::whole(-1))?)
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::of(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// The quotient; none by zero.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        Self::of(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }
}

/// The row, less so much of another one that its entry in `column` becomes zero; the other one's is one.
fn without(row: &[Fraction], column: usize, by: &[Fraction]) -> Option<Vec<Fraction>> {
    let factor = row[column];
    if factor.is_zero() {
        return Some(row.to_vec());
    }
    row.iter().zip(by).map(|(&own, &its)| own.minus(factor.times(its)?)).collect()
}

/// A solution of `matrix · x = right`, one equation a row, with zero for what the equations leave free. The earlier of several unknowns is
/// the one that is determined.
///
/// None if there is no solution or a number on the way does not fit.
#[must_use]
pub fn solve(unknowns: usize, matrix: &[Vec<Fraction>], right: &[Fraction]) -> Option<Vec<Fraction>> {
    // Rows whose first nonzero entry is one, in a column where all others have zero; the right side comes last.
    let mut solved: Vec<(usize, Vec<Fraction>)> = Vec::new();
    for (row, &value) in matrix.iter().zip(right) {
        let mut row: Vec<Fraction> = row.iter().copied().chain([value]).collect();
        for (column, by) in &solved {
            row = without(&row, *column, by)?;
        }
        let Some(column) = row[..unknowns].iter().position(|entry| !entry.is_zero()) else {
            if row[unknowns].is_zero() {
                continue;
            }
            return None;
        };
        let first = row[column];
        row = row.into_iter().map(|entry| entry.over(first)).collect::<Option<_>>()?;
        for (_, other) in &mut solved {
            *other = without(other, column, &row)?;
        }
        solved.push((column, row));
    }
    let mut solution = vec![Fraction::ZERO; unknowns];
    for (column, row) in solved {
        solution[column] = row[unknowns];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_base::random::SplitMix;

    fn whole(row: &[i128]) -> Vec<Fraction> {
        row.iter().map(|&number| Fraction::whole(number)).collect()
    }

    fn satisfies(matrix: &[Vec<Fraction>], right: &[Fraction], solution: &[Fraction]) -> bool {
        matrix.iter().zip(right).all(|(row, &value)| {
            let sum = row.iter().zip(solution).fold(Fraction::ZERO, |sum, (&factor, &unknown)| {
                sum.plus(factor.times(unknown).unwrap()).unwrap()
            });
            sum == value
        })
    }

    fn random_rows(random: &mut SplitMix, rows: usize, unknowns: usize) -> Vec<Vec<Fraction>> {
        let mut entry = || i128::try_from(random.below(7)).unwrap() - 3;
        (0..rows).map(|_| (0..unknowns).map(|_| Fraction::whole(entry())).collect()).collect()
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(Fraction::of(6, -4), Fraction::of(-3, 2));
        assert_eq!(Fraction::of(0, -5), Some(Fraction::ZERO));
        assert_eq!(Fraction::of(1, 0), None);
        assert_eq!(
            Fraction::ONE.over(Fraction::whole(3)).unwrap().times(Fraction::whole(3)),
            Some(Fraction::ONE)
        );
        assert_eq!(Fraction::whole(i128::MAX).plus(Fraction::ONE), None);
        assert_eq!(Fraction::of(i128::MIN, 1), None);
    }

    #[test]
    fn what_is_free_is_zero() {
        assert_eq!(solve(3, &[whole(&[0, 1, 1])], &whole(&[2])), Some(whole(&[0, 2, 0])));
        assert_eq!(solve(2, &[], &[]), Some(whole(&[0, 0])));
    }

    #[test]
    fn a_contradiction_has_no_solution() {
        assert_eq!(solve(2, &[whole(&[1, 1]), whole(&[2, 2])], &whole(&[1, 3])), None);
        assert_eq!(solve(1, &[whole(&[0])], &whole(&[1])), None);
    }

    #[test]
    fn systems_made_from_a_solution_are_solved() {
        let mut random = SplitMix::new(15);
        for _ in 0..2_000 {
            let (rows, unknowns) = (1 + random.below(5), 1 + random.below(5));
            let matrix = random_rows(&mut random, rows, unknowns);
            let hidden = random_rows(&mut random, 1, unknowns).remove(0);
            let right: Vec<Fraction> = matrix
                .iter()
                .map(|row| {
                    row.iter().zip(&hidden).fold(Fraction::ZERO, |sum, (&factor, &unknown)| {
                        sum.plus(factor.times(unknown).unwrap()).unwrap()
                    })
                })
                .collect();
            let solution = solve(unknowns, &matrix, &right).expect("there is one");
            assert!(satisfies(&matrix, &right, &solution), "{matrix:?} {right:?} {solution:?}");
        }
    }

    /// Fredholm: there is a solution, or else factors of the rows whose combination reads 0 = 1.
    #[test]
    fn either_a_solution_or_a_contradiction() {
        let mut random = SplitMix::new(16);
        let mut contradictions = 0;
        for _ in 0..2_000 {
            let (rows, unknowns) = (1 + random.below(4), 1 + random.below(4));
            let matrix = random_rows(&mut random, rows, unknowns);
            let right = random_rows(&mut random, 1, rows).remove(0);
            if let Some(solution) = solve(unknowns, &matrix, &right) {
                assert!(satisfies(&matrix, &right, &solution), "{matrix:?} {right:?} {solution:?}");
                continue;
            }
            contradictions += 1;
            let mut dual: Vec<Vec<Fraction>> =
                (0..unknowns).map(|column| matrix.iter().map(|row| row[column]).collect()).collect();
            dual.push(right);
            let mut one = vec![Fraction::ZERO; unknowns];
            one.push(Fraction::ONE);
            assert!(solve(rows, &dual, &one).is_some(), "{matrix:?}");
        }
        assert!(contradictions > 100, "{contradictions}");
    }
}
