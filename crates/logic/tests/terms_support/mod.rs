//! What the tests of terms share: every operation with its meaning in plain Rust, and random numbers.

#![allow(dead_code, reason = "each test uses a part")]
#![allow(unreachable_pub, reason = "a module of tests, not of the crate")]

pub mod generator;

use raddle_logic::term::{TermId, Terms};

/// A small generator of numbers (xorshift), so that the tests are the same on every run.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("small")
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value of this width, often one of the extreme ones.
    pub fn bits(&mut self, width: u32) -> u128 {
        let mask = u128::MAX >> (128 - width);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(10) {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << (width - 1),
            3 => (1 << (width - 1)) - 1,
            4 => 1,
            5 => u128::from(width),
            6 => any & 0xf,
            7 => 1 << (any % u128::from(width)),
            _ => any,
        };
        value & mask
    }
}

/// The value as a signed number.
pub fn signed(value: u128, width: u32) -> i128 {
    if value >> (width - 1) & 1 == 1 {
        // Fill the bits above with ones.
        i128::from_ne_bytes((value | (u128::MAX << (width - 1))).to_ne_bytes())
    } else {
        i128::from_ne_bytes(value.to_ne_bytes())
    }
}

/// The low bits of a signed number.
pub fn low(value: i128, width: u32) -> u128 {
    u128::from_ne_bytes(value.to_ne_bytes()) & (u128::MAX >> (128 - width))
}

/// An operation on two bit-vectors of one width: its constructor, and its meaning. A Boolean result is zero
/// or one.
pub struct Operation {
    pub name: &'static str,
    pub build: fn(&mut Terms, TermId, TermId) -> TermId,
    pub meaning: fn(u128, u128, u32) -> u128,
}

macro_rules! operation {
    ($name:literal, $build:expr, $meaning:expr) => {
        Operation { name: $name, build: $build, meaning: $meaning }
    };
}

fn fits(value: Option<i128>, width: u32) -> bool {
    value.is_some_and(|value| {
        let half = 1_i128.checked_shl(width - 1).filter(|half| *half > 0);
        half.is_none_or(|half| -half <= value && value < half)
    })
}

fn rotate(a: u128, by: u128, w: u32) -> u128 {
    let mut bits: Vec<bool> = (0..w).map(|position| a >> position & 1 == 1).collect();
    bits.rotate_right(usize::try_from(by % u128::from(w)).expect("small"));
    bits.iter().enumerate().map(|(position, &bit)| u128::from(bit) << position).sum()
}

fn smod(a: i128, b: i128) -> i128 {
    if b == 0 {
        return a;
    }
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
}

/// Every operation.
#[expect(clippy::too_many_lines, reason = "one flat table")]
pub fn operations() -> Vec<Operation> {
    vec![
        operation!("and", Terms::bvand, |a, b, _| a & b),
        operation!("or", Terms::bvor, |a, b, _| a | b),
        operation!("xor", Terms::bvxor, |a, b, _| a ^ b),
        operation!("nand", Terms::bvnand, |a, b, w| low(!signed(a & b, w), w)),
        operation!("nor", Terms::bvnor, |a, b, w| low(!signed(a | b, w), w)),
        operation!("xnor", Terms::bvxnor, |a, b, w| low(!signed(a ^ b, w), w)),
        operation!("not", |t, a, _| t.bvnot(a), |a, _, w| low(-signed(a, w) - 1, w)),
        operation!("neg", |t, a, _| t.neg(a), |a, _, w| low(signed(a, w).wrapping_neg(), w)),
        operation!("add", Terms::add, |a, b, w| low(signed(a, w).wrapping_add(signed(b, w)), w)),
        operation!("sub", Terms::sub, |a, b, w| low(signed(a, w).wrapping_sub(signed(b, w)), w)),
        operation!("mul", Terms::mul, |a, b, w| low(signed(a, w).wrapping_mul(signed(b, w)), w)),
        operation!("udiv", Terms::udiv, |a, b, w| a.checked_div(b).unwrap_or(low(-1, w))),
        operation!("urem", Terms::urem, |a, b, _| a.checked_rem(b).unwrap_or(a)),
        operation!("sdiv", Terms::sdiv, |a, b, w| {
            let (a, b) = (signed(a, w), signed(b, w));
            low(if b == 0 { if a < 0 { 1 } else { -1 } } else { a.wrapping_div(b) }, w)
        }),
        operation!("srem", Terms::srem, |a, b, w| {
            let (a, b) = (signed(a, w), signed(b, w));
            low(if b == 0 { a } else { a.wrapping_rem(b) }, w)
        }),
        operation!("smod", Terms::smod, |a, b, w| low(smod(signed(a, w), signed(b, w)), w)),
        operation!("shl", Terms::shl, |a, b, w| {
            let shifted = u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0);
            if b >= u128::from(w) { 0 } else { shifted & low(-1, w) }
        }),
        operation!("lshr", Terms::lshr, |a, b, _| {
            u32::try_from(b).ok().and_then(|b| a.checked_shr(b)).unwrap_or(0)
        }),
        operation!("ashr", Terms::ashr, |a, b, w| {
            let by = u32::try_from(b).unwrap_or(127).min(127);
            low(signed(a, w) >> by, w)
        }),
        operation!("rotate_left_by", Terms::rotate_left_by, rotate),
        operation!("rotate_right_by", Terms::rotate_right_by, |a, b, w| {
            rotate(a, u128::from(w) - b % u128::from(w), w)
        }),
        operation!("rotate_left", |t, a, _| t.rotate_left(a, 3), |a, _, w| rotate(a, 3, w)),
        operation!("rotate_right", |t, a, _| t.rotate_right(a, 1), |a, _, w| rotate(a, u128::from(w) - 1, w)),
        operation!("comp", Terms::bvcomp, |a, b, _| u128::from(a == b)),
        operation!("reduce_and", |t, a, _| t.reduce_and(a), |a, _, w| u128::from(a == low(-1, w))),
        operation!("reduce_or", |t, a, _| t.reduce_or(a), |a, _, _| u128::from(a != 0)),
        operation!("eq", Terms::eq, |a, b, _| u128::from(a == b)),
        operation!("ne", Terms::ne, |a, b, _| u128::from(a != b)),
        operation!("ult", Terms::ult, |a, b, _| u128::from(a < b)),
        operation!("ule", Terms::ule, |a, b, _| u128::from(a <= b)),
        operation!("ugt", Terms::ugt, |a, b, _| u128::from(a > b)),
        operation!("uge", Terms::uge, |a, b, _| u128::from(a >= b)),
        operation!("slt", Terms::slt, |a, b, w| u128::from(signed(a, w) < signed(b, w))),
        operation!("sle", Terms::sle, |a, b, w| u128::from(signed(a, w) <= signed(b, w))),
        operation!("sgt", Terms::sgt, |a, b, w| u128::from(signed(a, w) > signed(b, w))),
        operation!("sge", Terms::sge, |a, b, w| u128::from(signed(a, w) >= signed(b, w))),
        operation!("is_negative", |t, a, _| t.is_negative(a), |a, _, w| u128::from(signed(a, w) < 0)),
        operation!("is_nonzero", |t, a, _| t.is_nonzero(a), |a, _, _| u128::from(a != 0)),
        operation!("uadd_overflows", Terms::uadd_overflows, |a, b, w| {
            u128::from(a.checked_add(b).is_none_or(|sum| sum > low(-1, w)))
        }),
        operation!("sadd_overflows", Terms::sadd_overflows, |a, b, w| {
            u128::from(!fits(signed(a, w).checked_add(signed(b, w)), w))
        }),
        operation!("usub_overflows", Terms::usub_overflows, |a, b, _| u128::from(a.checked_sub(b).is_none())),
        operation!("ssub_overflows", Terms::ssub_overflows, |a, b, w| {
            u128::from(!fits(signed(a, w).checked_sub(signed(b, w)), w))
        }),
        operation!("umul_overflows", Terms::umul_overflows, |a, b, w| {
            u128::from(a.checked_mul(b).is_none_or(|product| product > low(-1, w)))
        }),
        operation!("smul_overflows", Terms::smul_overflows, |a, b, w| {
            u128::from(!fits(signed(a, w).checked_mul(signed(b, w)), w))
        }),
        operation!("neg_overflows", |t, a, _| t.neg_overflows(a), |a, _, w| {
            u128::from(!fits(signed(a, w).checked_neg(), w))
        }),
        operation!("sdiv_overflows", Terms::sdiv_overflows, |a, b, w| {
            u128::from(b != 0 && !fits(signed(a, w).checked_div(signed(b, w)), w))
        }),
        operation!("extract low", |t, a, _| t.extract(0, 0, a), |a, _, _| a & 1),
        operation!(
            "extract high",
            |t, a, _| {
                let top = t.width(a) - 1;
                t.extract(top, top / 2, a)
            },
            |a, _, w| a >> ((w - 1) / 2)
        ),
        operation!(
            "concat",
            |t, a, b| {
                let (a, b) = halves(t, a, b);
                t.concat(a, b)
            },
            |a, b, w| {
                let half = w.div_ceil(2);
                (a & low(-1, half)) << half | b & low(-1, half)
            }
        ),
        operation!(
            "zero_extend",
            |t, a, b| {
                let (a, _) = halves(t, a, b);
                t.zero_extend(3.min(128 - t.width(a)), a)
            },
            |a, _, w| a & low(-1, w.div_ceil(2))
        ),
        operation!(
            "sign_extend",
            |t, a, b| {
                let (a, _) = halves(t, a, b);
                t.sign_extend(3.min(128 - t.width(a)), a)
            },
            |a, _, w| {
                let half = w.div_ceil(2);
                low(signed(a & low(-1, half), half), (half + 3).min(128))
            }
        ),
        operation!(
            "ite",
            |t, a, b| {
                let less = t.ult(a, b);
                t.ite(less, a, b)
            },
            |a, b, _| a.min(b)
        ),
        operation!(
            "bool_to_bit",
            |t, a, b| {
                let less = t.slt(a, b);
                t.bool_to_bit(less)
            },
            |a, b, w| u128::from(signed(a, w) < signed(b, w))
        ),
        operation!(
            "connectives",
            |t, a, b| {
                let (p, q, r) = (t.ult(a, b), t.slt(a, b), t.is_negative(a));
                let (both, some) = (t.and_all([p, q, r]), t.or_all([p, q, r]));
                let (odd, implied) = (t.xor_all([p, q, r]), t.implies(p, q));
                let all = t.xor(both, some);
                let more = t.xor(odd, implied);
                t.xor(all, more)
            },
            |a, b, w| {
                let (p, q, r) = (a < b, signed(a, w) < signed(b, w), signed(a, w) < 0);
                u128::from((p && q && r) ^ (p || q || r) ^ (p ^ q ^ r) ^ (!p || q))
            }
        ),
    ]
}

/// The low halves of both.
fn halves(terms: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    let top = terms.width(a).div_ceil(2) - 1;
    (terms.extract(top, 0, a), terms.extract(top, 0, b))
}
