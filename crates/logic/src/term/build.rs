//! The constructors: what a caller may ask for, spelled in the operators that the arena keeps.

use super::bits::{self, MAX_WIDTH, mask};
use super::{Sort, SymbolId, Term, TermFacts, TermId, Terms};
use raddle_base::Id;

/// Leaves.
impl Terms {
    /// The uninterpreted constant of this name, made at its first use. Panics when the name is in use for
    /// another sort, or a width is not between 1 and 128.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> TermId {
        let width_fits = |width: u32| (1..=MAX_WIDTH).contains(&width);
        assert!(
            match sort {
                Sort::Bool => true,
                Sort::BitVec(width) => width_fits(width),
                Sort::Array { index, element } => width_fits(index) && width_fits(element),
            },
            "`{name}` cannot have the sort {sort:?}"
        );
        let index = match self.symbols.get_full(name) {
            Some((index, _, &old)) => {
                assert_eq!(old, sort, "`{name}` has two sorts");
                index
            }
            None => self.symbols.insert_full(name.to_owned(), sort).0,
        };
        self.intern(Term::Symbol(SymbolId::from_index(index)))
    }

    /// A new uninterpreted constant, whose name starts with `prefix` and is in use nowhere else.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            self.fresh += 1;
            let name = format!("{prefix}!{}", self.fresh);
            if !self.symbols.contains_key(&name) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// A new bit-vector symbol that stands for numbers up to `most` only, and the term that says so.
    ///
    /// Rules rely on this, so no later term says it again. Whoever makes one vouches that no other value is ever asked for, or
    /// asserts it.
    pub fn fresh_up_to(&mut self, prefix: &str, width: u32, most: u128) -> (TermId, TermId) {
        let symbol = self.fresh(prefix, Sort::BitVec(width));
        let limit = self.bits(most, width);
        let above = self.ult(limit, symbol);
        let said = self.not(above);
        if most < mask(width) {
            let facts = TermFacts::up_to(most, width);
            self.infos[symbol.index()].facts = Some(self.facts.push(facts));
        }
        (symbol, said)
    }

    /// The symbol behind a term that is one.
    #[must_use]
    pub fn as_symbol(&self, term: TermId) -> Option<SymbolId> {
        if let Term::Symbol(symbol) = self[term] { Some(symbol) } else { None }
    }

    /// A Boolean constant.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Term::Bool(value))
    }

    /// The bit-vector constant with the low `width` bits of `value`.
    pub fn bits(&mut self, value: u128, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "{width} is no width");
        self.intern(Term::Bits { width, value: value & mask(width) })
    }

    /// The bit-vector constant that is `value` in two's complement.
    pub fn signed_bits(&mut self, value: i128, width: u32) -> TermId {
        self.bits(value.cast_unsigned(), width)
    }
}

/// Booleans.
impl Terms {
    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.expect_bool(a);
        self.make(Term::Not(a))
    }

    /// Conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        self.expect_bool(b);
        let (a, b) = self.ordered(a, b);
        self.make(Term::And(a, b))
    }

    /// Conjunction of any number; true of none.
    pub fn and_all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let mut parts: Vec<TermId> = parts.into_iter().collect();
        parts.sort_unstable();
        parts.dedup();
        let mut result = self.bool(true);
        for part in parts {
            result = self.and(result, part);
        }
        result
    }

    /// Disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Disjunction of any number; false of none.
    pub fn or_all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let negated: Vec<TermId> = parts.into_iter().map(|part| self.not(part)).collect();
        let none = self.and_all(negated);
        self.not(none)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(a);
        self.expect_bool(b);
        let (a, b) = self.ordered(a, b);
        self.make(Term::Xor(a, b))
    }

    /// Exclusive or of any number: whether an odd number hold.
    pub fn xor_all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let start = self.bool(false);
        parts.into_iter().fold(start, |result, part| self.xor(result, part))
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        let broken = self.and(a, b);
        self.not(broken)
    }

    /// If-then-else of two terms of one sort.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.expect_bool(condition);
        self.expect_same(a, b);
        self.make(Term::Ite(condition, a, b))
    }

    /// Equality of two terms of one sort, which may be any.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_same(a, b);
        if self.sort(a) == Sort::Bool {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        let (a, b) = self.ordered(a, b);
        self.make(Term::Eq(a, b))
    }

    /// Not equal.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Whether all differ pairwise.
    pub fn distinct(&mut self, parts: &[TermId]) -> TermId {
        let mut pairs = Vec::new();
        for (position, &a) in parts.iter().enumerate() {
            for &b in &parts[position + 1..] {
                pairs.push(self.ne(a, b));
            }
        }
        self.and_all(pairs)
    }

    /// The Boolean as a bit: one for true.
    pub fn bool_to_bit(&mut self, a: TermId) -> TermId {
        let (one, zero) = (self.bits(1, 1), self.bits(0, 1));
        self.ite(a, one, zero)
    }

    /// Whether a bit-vector is not zero, which is what C takes for true.
    pub fn is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.bits(0, self.width(a));
        self.ne(a, zero)
    }
}

/// Bitwise operators.
impl Terms {
    /// Bitwise negation.
    pub fn bvnot(&mut self, a: TermId) -> TermId {
        let _checked = self.width(a);
        self.make(Term::BvNot(a))
    }

    /// Bitwise conjunction.
    pub fn bvand(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::BvAnd)
    }

    /// Bitwise disjunction.
    pub fn bvor(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.bvnot(a), self.bvnot(b));
        let neither = self.bvand(a, b);
        self.bvnot(neither)
    }

    /// Bitwise exclusive or.
    pub fn bvxor(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::BvXor)
    }

    /// Negated conjunction.
    pub fn bvnand(&mut self, a: TermId, b: TermId) -> TermId {
        let both = self.bvand(a, b);
        self.bvnot(both)
    }

    /// Negated disjunction.
    pub fn bvnor(&mut self, a: TermId, b: TermId) -> TermId {
        let either = self.bvor(a, b);
        self.bvnot(either)
    }

    /// Negated exclusive or.
    pub fn bvxnor(&mut self, a: TermId, b: TermId) -> TermId {
        let differ = self.bvxor(a, b);
        self.bvnot(differ)
    }

    /// One bit: whether both are equal.
    pub fn bvcomp(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.bool_to_bit(equal)
    }

    /// One bit: whether all bits are one.
    pub fn reduce_and(&mut self, a: TermId) -> TermId {
        let ones = self.bits(u128::MAX, self.width(a));
        self.bvcomp(a, ones)
    }

    /// One bit: whether some bit is one.
    pub fn reduce_or(&mut self, a: TermId) -> TermId {
        let some = self.is_nonzero(a);
        self.bool_to_bit(some)
    }
}

/// Arithmetic.
impl Terms {
    /// Two's complement negation.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let minus_one = self.bits(u128::MAX, self.width(a));
        self.mul(minus_one, a)
    }

    /// Sum.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::Add)
    }

    /// Difference.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// Product.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::Mul)
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b, Term::Udiv)
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b, Term::Urem)
    }

    /// The sign bit, as a Boolean.
    pub fn is_negative(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.bit(a, top)
    }

    /// One bit, as a Boolean.
    pub fn bit(&mut self, a: TermId, position: u32) -> TermId {
        let bit = self.extract(position, position, a);
        let one = self.bits(1, 1);
        self.eq(bit, one)
    }

    /// The magnitude of a two's complement number.
    fn magnitude(&mut self, a: TermId) -> TermId {
        let (negative, negated) = (self.is_negative(a), self.neg(a));
        self.ite(negative, negated, a)
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let (size_a, size_b) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.udiv(size_a, size_b);
        let negated = self.neg(quotient);
        let signs_differ = self.xor(negative_a, negative_b);
        self.ite(signs_differ, negated, quotient)
    }

    /// Signed remainder, with the sign of the dividend.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let (size_a, size_b) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.urem(size_a, size_b);
        let negated = self.neg(remainder);
        let negative = self.is_negative(a);
        self.ite(negative, negated, remainder)
    }

    /// Signed remainder, with the sign of the divisor.
    pub fn smod(&mut self, a: TermId, b: TermId) -> TermId {
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let (size_a, size_b) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.urem(size_a, size_b);
        let negated = self.neg(remainder);
        let signed = self.ite(negative_a, negated, remainder);
        let shifted = self.add(signed, b);
        let zero = self.bits(0, self.width(a));
        let exact = self.eq(remainder, zero);
        let signs_differ = self.xor(negative_a, negative_b);
        let inexact = self.not(exact);
        let correct = self.and(signs_differ, inexact);
        self.ite(correct, shifted, signed)
    }
}

/// Shifts and rotations.
impl Terms {
    /// Shift to the left; zero when the amount is not below the width.
    pub fn shl(&mut self, a: TermId, amount: TermId) -> TermId {
        self.same_width(a, amount, Term::Shl)
    }

    /// Shift to the right, filling with zeros.
    pub fn lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.same_width(a, amount, Term::Lshr)
    }

    /// Shift to the right, filling with the sign.
    pub fn ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.same_width(a, amount, Term::Ashr)
    }

    /// Rotation to the left by a fixed number of positions.
    pub fn rotate_left(&mut self, a: TermId, positions: u32) -> TermId {
        let width = self.width(a);
        let positions = positions % width;
        if positions == 0 {
            return a;
        }
        let (high, low) =
            (self.extract(width - positions - 1, 0, a), self.extract(width - 1, width - positions, a));
        self.concat(high, low)
    }

    /// Rotation to the right by a fixed number of positions.
    pub fn rotate_right(&mut self, a: TermId, positions: u32) -> TermId {
        let width = self.width(a);
        self.rotate_left(a, width - positions % width)
    }

    /// Rotation to the left by an amount of the same width, taken modulo the width.
    pub fn rotate_left_by(&mut self, a: TermId, amount: TermId) -> TermId {
        self.rotate_by(a, amount, true)
    }

    /// Rotation to the right by an amount of the same width, taken modulo the width.
    pub fn rotate_right_by(&mut self, a: TermId, amount: TermId) -> TermId {
        self.rotate_by(a, amount, false)
    }

    fn rotate_by(&mut self, a: TermId, amount: TermId, left: bool) -> TermId {
        let width = self.width(a);
        self.expect_same(a, amount);
        // The width itself always fits: it is below two to its own power.
        let full = self.bits(u128::from(width), width);
        let amount = self.urem(amount, full);
        let rest = self.sub(full, amount);
        let (there, back) = if left {
            (self.shl(a, amount), self.lshr(a, rest))
        } else {
            (self.lshr(a, amount), self.shl(a, rest))
        };
        self.bvor(there, back)
    }
}

/// Changing the width.
impl Terms {
    /// The first above the second.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        assert!(width <= MAX_WIDTH, "{width} bits are too wide");
        self.make(Term::Concat(high, low))
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, of: TermId) -> TermId {
        assert!(low <= high && high < self.width(of), "bits {high}..{low} are not in {of}");
        self.make(Term::Extract { high, low, of })
    }

    /// Widening by `by` zeros.
    pub fn zero_extend(&mut self, by: u32, of: TermId) -> TermId {
        if by == 0 {
            return of;
        }
        let zeros = self.bits(0, by);
        self.concat(zeros, of)
    }

    /// Widening by `by` copies of the sign.
    pub fn sign_extend(&mut self, by: u32, of: TermId) -> TermId {
        assert!(self.width(of) + by <= MAX_WIDTH, "{} bits are too wide", self.width(of) + by);
        if by == 0 {
            return of;
        }
        self.make(Term::SignExtend { by, of })
    }

    /// The value at another width: cut off, or widened with zeros or (`signed`) with the sign.
    pub fn resize(&mut self, of: TermId, width: u32, signed: bool) -> TermId {
        let old = self.width(of);
        if width <= old {
            self.extract(width - 1, 0, of)
        } else if signed {
            self.sign_extend(width - old, of)
        } else {
            self.zero_extend(width - old, of)
        }
    }

    /// The value `times` times, side by side.
    pub fn repeat(&mut self, times: u32, of: TermId) -> TermId {
        (1..times).fold(of, |result, _| self.concat(of, result))
    }
}

/// Comparisons.
impl Terms {
    /// Unsigned less-than.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b, Term::Ult)
    }

    /// Unsigned less-or-equal.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.ult(b, a);
        self.not(above)
    }

    /// Unsigned greater-than.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned greater-or-equal.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b, Term::Slt)
    }

    /// Signed less-or-equal.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.slt(b, a);
        self.not(above)
    }

    /// Signed greater-than.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed greater-or-equal.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }
}

/// Overflow predicates: whether the mathematical result does not fit the width.
impl Terms {
    /// Of unsigned addition.
    pub fn uadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// Of signed addition.
    pub fn sadd_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let negative_sum = self.is_negative(sum);
        let (from_a, from_b) = (self.xor(negative_a, negative_sum), self.xor(negative_b, negative_sum));
        self.and(from_a, from_b)
    }

    /// Of unsigned subtraction.
    pub fn usub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// Of signed subtraction.
    pub fn ssub_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let negative_difference = self.is_negative(difference);
        let signs_differ = self.xor(negative_a, negative_b);
        let changed = self.xor(negative_a, negative_difference);
        self.and(signs_differ, changed)
    }

    /// Of unsigned multiplication.
    pub fn umul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::UmulOverflow)
    }

    /// Of signed multiplication.
    pub fn smul_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        self.commutative(a, b, Term::SmulOverflow)
    }

    /// Of signed negation: of the least number alone.
    pub fn neg_overflows(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let least = self.bits(bits::sign_bit(width), width);
        self.eq(a, least)
    }

    /// Of signed division: of the least number by minus one alone.
    pub fn sdiv_overflows(&mut self, a: TermId, b: TermId) -> TermId {
        let least = self.neg_overflows(a);
        let minus_one = self.bits(u128::MAX, self.width(b));
        let by_minus_one = self.eq(b, minus_one);
        self.and(least, by_minus_one)
    }
}

/// Arrays.
impl Terms {
    /// The element of an array at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        assert_eq!(self.array_widths(array).0, self.width(index), "the index has the wrong width");
        self.make(Term::Select(array, index))
    }

    /// The array, but with `element` at `index`.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        assert_eq!(
            self.array_widths(array),
            (self.width(index), self.width(element)),
            "index or element has the wrong width"
        );
        self.make(Term::Store(array, index, element))
    }

    /// The array that has the same element at every index.
    pub fn const_array(&mut self, index_width: u32, element: TermId) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&index_width), "{index_width} is no width");
        let _checked = self.width(element);
        self.make(Term::ConstArray { index: index_width, element })
    }
}

/// What the constructors check, and how they order operands.
impl Terms {
    fn expect_bool(&self, a: TermId) {
        assert_eq!(self.sort(a), Sort::Bool, "{a} is no Boolean");
    }

    fn expect_same(&self, a: TermId, b: TermId) {
        assert_eq!(self.sort(a), self.sort(b), "{a} and {b} differ in sort");
    }

    /// The operands of a commutative operator in their one order: a constant first, then by age.
    pub(super) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |id: TermId| (!matches!(self[id], Term::Bits { .. } | Term::Bool(_)), id);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    fn commutative(&mut self, a: TermId, b: TermId, node: fn(TermId, TermId) -> Term) -> TermId {
        let (a, b) = self.ordered(a, b);
        self.same_width(a, b, node)
    }

    fn same_width(&mut self, a: TermId, b: TermId, node: fn(TermId, TermId) -> Term) -> TermId {
        assert_eq!(self.width(a), self.width(b), "{a} and {b} differ in width");
        self.make(node(a, b))
    }
}
