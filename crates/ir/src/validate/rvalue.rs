//! Types of computed values.

use super::{InstPosition, Rule, Validator, show};
use crate::inst::{BinaryOp, CastOp, CompareOp, Operand, Rvalue, UnaryOp};
use crate::program::{RegisterId, Type};

const fn is_int(ty: Type) -> bool {
    matches!(ty, Type::Int(_))
}

const fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

const fn float_bits(ty: Type) -> Option<u8> {
    match ty {
        Type::F32 => Some(32),
        Type::F64 => Some(64),
        Type::Int(_) | Type::Ptr => None,
    }
}

impl<'p> Validator<'p> {
    pub(super) fn assign(&mut self, position: InstPosition<'p>, dest: RegisterId, value: &Rvalue) {
        let thread_id = Type::Int(32);
        let found = match value {
            Rvalue::Use(a) => self.operand(position, *a),
            Rvalue::Unary(op, a) => self.unary(position, *op, *a),
            Rvalue::Binary(op, a, b) => self.binary(position, *op, *a, *b),
            Rvalue::Compare(op, a, b) => {
                self.compare(position, *op, *a, *b);
                Some(Type::Int(1))
            }
            Rvalue::Cast(op, a) => {
                self.cast(position, *op, *a, dest);
                return;
            }
            Rvalue::Select(condition, a, b) => {
                self.condition(position, *condition);
                self.same_types(position, *a, *b, "any type", |_| true)
            }
            Rvalue::PointerAdd(pointer, offset) => {
                self.expect(position, "the pointer", *pointer, Type::Ptr);
                self.expect(position, "the offset", *offset, self.pointer_int());
                Some(Type::Ptr)
            }
            Rvalue::PointerDifference(a, b) => {
                self.expect(position, "the first pointer", *a, Type::Ptr);
                self.expect(position, "the second pointer", *b, Type::Ptr);
                Some(self.pointer_int())
            }
            Rvalue::Overflows(_, a, b) => {
                self.same_types(position, *a, *b, "an integer", is_int);
                Some(Type::Int(1))
            }
            Rvalue::ThreadLocal(global) => {
                self.thread_local(position, *global);
                Some(Type::Ptr)
            }
            Rvalue::CurrentThread => Some(thread_id),
            Rvalue::ThreadExists(thread) => {
                self.expect(position, "the thread id", *thread, thread_id);
                Some(Type::Int(1))
            }
            Rvalue::ObjectSize(pointer) => {
                self.expect(position, "the pointer", *pointer, Type::Ptr);
                Some(self.pointer_int())
            }
            Rvalue::HoldsLock(lock) | Rvalue::LockIsFree(lock) => {
                self.expect(position, "the lock", *lock, Type::Ptr);
                Some(Type::Int(1))
            }
            Rvalue::Peek(word, _) => {
                self.expect(position, "the word", *word, Type::Ptr);
                Some(Type::Int(32))
            }
        };
        match found {
            Some(ty) => self.expect_dest(position, dest, ty),
            // The operand was reported; the destination still has to exist.
            None => {
                self.register(position, dest);
            }
        }
    }

    /// The type of an operand, reported when it is not as `fits` wants it.
    fn fitting(
        &mut self,
        position: InstPosition<'p>,
        operand: Operand,
        expected: &str,
        fits: impl Fn(Type) -> bool,
    ) -> Option<Type> {
        let ty = self.operand(position, operand)?;
        if fits(ty) {
            return Some(ty);
        }
        self.report_at(
            Rule::OperandType,
            position,
            &format!("the operand is {}, expected {expected}", show(ty)),
        );
        None
    }

    /// The type of both operands, reported when they differ or are not as `fits` wants them.
    fn same_types(
        &mut self,
        position: InstPosition<'p>,
        a: Operand,
        b: Operand,
        expected: &str,
        fits: impl Fn(Type) -> bool,
    ) -> Option<Type> {
        let first = self.fitting(position, a, expected, &fits);
        let second = self.fitting(position, b, expected, &fits);
        let (first, second) = (first?, second?);
        if first != second {
            let text = format!("the operands are {} and {}, expected one type", show(first), show(second));
            self.report_at(Rule::OperandType, position, &text);
            return None;
        }
        Some(first)
    }

    fn unary(&mut self, position: InstPosition<'p>, op: UnaryOp, a: Operand) -> Option<Type> {
        match op {
            UnaryOp::Neg
            | UnaryOp::Not
            | UnaryOp::CountLeadingZeros
            | UnaryOp::CountTrailingZeros
            | UnaryOp::PopCount => self.fitting(position, a, "an integer", is_int),
            UnaryOp::ByteSwap => self.fitting(
                position,
                a,
                "an integer of whole bytes",
                |ty| matches!(ty, Type::Int(bits) if bits.is_multiple_of(8)),
            ),
            UnaryOp::FloatNeg | UnaryOp::FloatSqrt | UnaryOp::FloatAbs => {
                self.fitting(position, a, "a floating type", is_float)
            }
        }
    }

    fn binary(&mut self, position: InstPosition<'p>, op: BinaryOp, a: Operand, b: Operand) -> Option<Type> {
        match op {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::SignedDiv
            | BinaryOp::UnsignedDiv
            | BinaryOp::SignedRem
            | BinaryOp::UnsignedRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.same_types(position, a, b, "an integer", is_int),
            BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr => {
                self.fitting(position, b, "an integer", is_int);
                self.fitting(position, a, "an integer", is_int)
            }
            BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul | BinaryOp::FloatDiv => {
                self.same_types(position, a, b, "a floating type", is_float)
            }
        }
    }

    fn compare(&mut self, position: InstPosition<'p>, op: CompareOp, a: Operand, b: Operand) {
        match op {
            CompareOp::Equal
            | CompareOp::NotEqual
            | CompareOp::UnsignedLess
            | CompareOp::UnsignedLessEqual => {
                self.same_types(position, a, b, "an integer or a pointer", |ty| !is_float(ty));
            }
            CompareOp::SignedLess | CompareOp::SignedLessEqual => {
                self.same_types(position, a, b, "an integer", is_int);
            }
            CompareOp::FloatEqual | CompareOp::FloatLess | CompareOp::FloatLessEqual => {
                self.same_types(position, a, b, "a floating type", is_float);
            }
        }
    }

    fn cast(&mut self, position: InstPosition<'p>, op: CastOp, a: Operand, dest: RegisterId) {
        let (Some(from), Some(to)) = (self.operand(position, a), self.register(position, dest)) else {
            return;
        };
        let pointer_int = self.pointer_int();
        let fits = match op {
            CastOp::Truncate => matches!((from, to), (Type::Int(from), Type::Int(to)) if to < from),
            CastOp::ZeroExtend | CastOp::SignExtend => {
                matches!((from, to), (Type::Int(from), Type::Int(to)) if to > from)
            }
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => is_int(from) && is_float(to),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => is_float(from) && is_int(to),
            CastOp::FloatToFloat => is_float(from) && is_float(to) && from != to,
            CastOp::PointerToInt => from == Type::Ptr && to == pointer_int,
            CastOp::IntToPointer => from == pointer_int && to == Type::Ptr,
            CastOp::Bits => match (from, to) {
                (Type::Int(bits), float) | (float, Type::Int(bits)) => float_bits(float) == Some(bits),
                _ => false,
            },
        };
        if !fits {
            let text = format!("there is no {} from {} to {}", op.word(), show(from), show(to));
            self.report_at(Rule::OperandType, position, &text);
        }
    }
}
