//! Of which numbers an integer register is made: enough to distinguish `a[i].x` from `a[i].y`.
//!
//! Pointers that are made of null are numbers too: `&((struct s *)0)->member` is an offset.
//!
//! Looks through registers that are assigned once. What may wrap around keeps only what survives wrapping.

use rustc_hash::FxHashMap;

use super::offsets::Offsets;
use crate::fold::signed;
use crate::inst::{BinaryOp, CastOp, Constant, InstKind, Operand, Rvalue, UnaryOp};
use crate::program::{Function, RegisterId, Type};

/// Facts about an integer, read as a signed number.
#[derive(Clone, Copy, Debug)]
struct NumberFacts {
    values: Offsets,
    /// The magnitude is at most two to this.
    log_magnitude: u32,
}

/// Finds the values that integer operands of a function may have.
#[derive(Debug)]
pub(super) struct Strides<'f> {
    function: &'f Function,
    /// The computation of each register that is assigned once, by an assignment.
    single: FxHashMap<RegisterId, &'f Rvalue>,
}

/// Deeper chains of computation are not followed.
const MAX_DEPTH: u32 = 40;

impl<'f> Strides<'f> {
    pub(super) fn new(function: &'f Function) -> Self {
        let mut assigned: FxHashMap<RegisterId, u32> = FxHashMap::default();
        let mut single = FxHashMap::default();
        for &parameter in &function.parameters {
            assigned.insert(parameter, 1);
        }
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        // Two walks: an assignment further down may make a register one that is assigned twice.
        for inst in insts.clone() {
            if let Some(dest) = inst.kind.dest() {
                *assigned.entry(dest).or_insert(0) += 1;
            }
        }
        for inst in insts {
            if let InstKind::Assign { dest, value } = &inst.kind
                && assigned.get(dest) == Some(&1)
                && !function.parameters.contains(dest)
            {
                single.insert(*dest, value);
            }
        }
        Self { function, single }
    }

    /// The values that the operand may have, as a signed number; any where it is a pointer to something.
    pub(super) fn values(&self, operand: Operand) -> Offsets {
        self.number(operand, MAX_DEPTH).values
    }

    fn width(&self, operand: Operand) -> u32 {
        match operand.ty(self.function) {
            Some(Type::Int(bits)) => bits.into(),
            Some(Type::F32 | Type::F64 | Type::Ptr) | None => 128,
        }
    }

    fn number(&self, operand: Operand, depth: u32) -> NumberFacts {
        let width = self.width(operand);
        let unknown = NumberFacts { values: Offsets::ANY, log_magnitude: width.saturating_sub(1) };
        match operand {
            Operand::Constant(Constant::Int(bits, value)) => match i64::try_from(signed(bits, value)) {
                Ok(value) => NumberFacts {
                    values: Offsets::exactly(value),
                    log_magnitude: 64 - value.unsigned_abs().leading_zeros(),
                },
                Err(_) => unknown,
            },
            Operand::Constant(Constant::Null) => {
                NumberFacts { values: Offsets::exactly(0), log_magnitude: 0 }
            }
            Operand::Constant(
                // The address of an object is a number that nobody knows.
                Constant::F32(_) | Constant::F64(_) | Constant::Global(..) | Constant::Function(_),
            ) => unknown,
            Operand::Register(register) => match (self.single.get(&register), depth.checked_sub(1)) {
                (Some(value), Some(depth)) => self.computed(value, width, depth).unwrap_or(unknown),
                _ => unknown,
            },
        }
    }

    /// The result of a computation of `width` bits; `None` when nothing is known.
    fn computed(&self, value: &Rvalue, width: u32, depth: u32) -> Option<NumberFacts> {
        let exact = match *value {
            // Casts that keep the number. Truncation does, too, unless it does not fit: that is looked at
            // below.
            Rvalue::Use(a)
            | Rvalue::Cast(CastOp::SignExtend | CastOp::PointerToInt | CastOp::IntToPointer, a) => {
                self.number(a, depth)
            }
            Rvalue::Cast(CastOp::Truncate, a) => self.number(a, depth),
            Rvalue::Cast(CastOp::ZeroExtend, a) => {
                // A negative number becomes large: it is moved by a power of two.
                let from = self.width(a);
                let values = self.number(a, depth).values;
                let moved = 1u64.checked_shl(from).map_or(Offsets::ANY, |power| Offsets::every(power, 0));
                let is_positive = values.exact().is_some_and(|value| value >= 0);
                NumberFacts {
                    values: if is_positive { values } else { values.plus(moved) },
                    log_magnitude: from,
                }
            }
            Rvalue::Unary(UnaryOp::Neg, a) => {
                let number = self.number(a, depth);
                NumberFacts { values: number.values.times(-1), ..number }
            }
            Rvalue::PointerAdd(a, b) => {
                let (a, b) = (self.number(a, depth), self.number(b, depth));
                // An address has 32 bits or more.
                Some(sum(a, b.values, b.log_magnitude)).filter(|sum| sum.log_magnitude < 31)?
            }
            Rvalue::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (self.number(a, depth), self.number(b, depth));
                sum(a, b.values, b.log_magnitude)
            }
            Rvalue::Binary(BinaryOp::Sub, a, b) | Rvalue::PointerDifference(a, b) => {
                let (a, b) = (self.number(a, depth), self.number(b, depth));
                sum(a, b.values.times(-1), b.log_magnitude)
            }
            Rvalue::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (self.number(a, depth), self.number(b, depth));
                // Only a factor that is known scales the set.
                let (number, factor) = match (a.values.exact(), b.values.exact()) {
                    (_, Some(factor)) => (a, factor),
                    (Some(factor), None) => (b, factor),
                    (None, None) => return None,
                };
                product(number, factor)
            }
            Rvalue::Binary(BinaryOp::Shl, a, b) => {
                let amount = self.number(b, depth).values.exact()?;
                let factor = 1i64.checked_shl(u32::try_from(amount).ok()?).filter(|factor| *factor > 0)?;
                product(self.number(a, depth), factor)
            }
            Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_)
            | Rvalue::HoldsLock(_)
            | Rvalue::LockIsFree(_)
            | Rvalue::Peek(..) => return None,
        };
        // With a sign, and one bit to spare because the magnitude is reached.
        let fits = exact.log_magnitude + 1 < width;
        Some(if fits {
            exact
        } else {
            NumberFacts { values: exact.values.wrapped(width), log_magnitude: width.saturating_sub(1) }
        })
    }
}

fn sum(a: NumberFacts, values: Offsets, log_magnitude: u32) -> NumberFacts {
    NumberFacts { values: a.values.plus(values), log_magnitude: a.log_magnitude.max(log_magnitude) + 1 }
}

fn product(number: NumberFacts, factor: i64) -> NumberFacts {
    let log_factor = 64 - factor.unsigned_abs().leading_zeros();
    NumberFacts { values: number.values.times(factor), log_magnitude: number.log_magnitude + log_factor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    /// The values of the register that is assigned last.
    fn values(body: &str) -> Offsets {
        let text = format!(
            "program pointer_bits 64 entry f0 function f0 \"main\" (r0, r1) {{
             registers r0: i32, r1: i64, r2: i64, r3: i64, r4: i32, r5: i8, r6: ptr, r7: ptr b0: {body} return }}"
        );
        let program = parse_program(&text).expect("parses");
        let function = &program.functions[program.entry];
        let last =
            function.blocks.values().next().and_then(|block| block.insts.last()).expect("an instruction");
        Strides::new(function).values(Operand::Register(last.kind.dest().expect("a destination")))
    }

    #[test]
    fn indices_scale_to_strides() {
        assert_eq!(values("r2 = sign_extend r0 r3 = mul r2, i64 12"), Offsets::every(12, 0));
        assert_eq!(values("r2 = zero_extend r0 r3 = mul i64 12, r2"), Offsets::every(12, 0));
        assert_eq!(values("r2 = shl r1, i64 3 r3 = add r2, i64 4"), Offsets::every(8, 4));
        assert_eq!(values("r2 = sign_extend i32 3 r3 = sub r2, i64 5"), Offsets::exactly(-2));
    }

    #[test]
    fn offsets_of_members_are_numbers() {
        let body = "r6 = pointer_add null, i64 24 r2 = pointer_to_int r6 r3 = sub i64 0, r2";
        assert_eq!(values(body), Offsets::exactly(-24));
        assert_eq!(
            values("r6 = pointer_add null, i64 24 r3 = pointer_difference r6, null"),
            Offsets::exactly(24)
        );
        let body = "r6 = pointer_add r7, i64 24 r2 = pointer_to_int r6 r3 = mul r2, i64 12";
        assert_eq!(values(body), Offsets::every(4, 0));
    }

    #[test]
    fn what_may_wrap_keeps_powers_of_two_only() {
        assert_eq!(values("r3 = mul r1, i64 12"), Offsets::every(4, 0));
        assert_eq!(values("r4 = mul r0, i32 12 r3 = sign_extend r4"), Offsets::every(4, 0));
        assert_eq!(values("r4 = mul r0, i32 12 r3 = zero_extend r4"), Offsets::every(4, 0));
        assert_eq!(values("r5 = i8 -1 r3 = zero_extend r5"), Offsets::every(256, 255));
    }

    #[test]
    fn registers_assigned_twice_may_be_anything() {
        assert_eq!(values("r2 = i64 8 r2 = i64 16"), Offsets::ANY);
        assert_eq!(values("r1 = i64 8"), Offsets::ANY);
    }
}
