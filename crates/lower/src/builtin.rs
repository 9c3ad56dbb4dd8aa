//! Built-ins of the compiler that have no ordinary type: overflow arithmetic, floating tests. Atomic ones are in `atomic`,
//! variadic lists in `call`.

use raddle_cfront::ast::ExprId;
use raddle_cfront::check::builtin::{Builtin, FloatCompare, FloatTest, OverflowOp};
use raddle_cfront::types::QualType;
use raddle_ir::{BinaryOp, CastOp, CompareOp, Constant, InstKind, Operand, Ordering, Rvalue, Type};

use crate::function::int;
use crate::place::{Body, Val};
use crate::refused::Refused;
use crate::types::{self, Class};

impl Body<'_, '_> {
    /// A call of a built-in.
    pub(crate) fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], ty: QualType) -> Val {
        match builtin {
            Builtin::VaStart => self.va_start(arguments[0]),
            Builtin::VaEnd => Val::Void,
            Builtin::VaCopy => self.va_copy(arguments[0], arguments[1]),
            Builtin::Overflow(op) => self.overflow(op, arguments, true),
            Builtin::OverflowPredicate(op) => self.overflow(op, arguments, false),
            Builtin::FloatTest(test) => self.float_test(test, arguments[0], ty),
            Builtin::FloatCompare(compare) => self.float_compare(compare, arguments, ty),
            Builtin::SpeculationSafeValue => self.value(arguments[0]),
            Builtin::SyncSynchronize => {
                self.code.b.emit(InstKind::Fence(Ordering::SequentiallyConsistent));
                Val::Void
            }
            Builtin::AtomicThreadFence => {
                // The order may be chosen at run time, and then the fence is there once for each.
                let order = self.order(arguments.first().copied());
                self.code
                    .atomics()
                    .under(order, |atomics, ordering| atomics.code.b.emit(InstKind::Fence(ordering)));
                Val::Void
            }
            // A fence against a signal handler of the same thread: nothing happens at run time.
            Builtin::AtomicSignalFence => Val::Void,
            Builtin::FloatClassify => self.float_classify(arguments, ty),
            Builtin::Complex
            | Builtin::Shuffle
            | Builtin::ShuffleVector
            | Builtin::ConvertVector
            | Builtin::Machine(_) => {
                let name = builtin.name(&self.code.ast.names).into_owned();
                self.code.unsupported(&name)
            }
            Builtin::SyncFetch(_)
            | Builtin::SyncOpFetch(_)
            | Builtin::SyncBoolCompareAndSwap
            | Builtin::SyncValCompareAndSwap
            | Builtin::SyncLockTestAndSet
            | Builtin::SyncSwap
            | Builtin::SyncLockRelease
            | Builtin::AtomicLoadN
            | Builtin::AtomicLoad
            | Builtin::AtomicStoreN
            | Builtin::AtomicStore
            | Builtin::AtomicExchangeN
            | Builtin::AtomicExchange
            | Builtin::AtomicCompareExchangeN
            | Builtin::AtomicCompareExchange
            | Builtin::AtomicFetch(_)
            | Builtin::AtomicOpFetch(_)
            | Builtin::AtomicTestAndSet
            | Builtin::AtomicClear => self.atomic(builtin, arguments),
        }
    }

    /// Exact arithmetic: operands and result are taken at twice the widest width, where nothing overflows.
    pub(crate) fn overflow(&mut self, op: OverflowOp, arguments: &[ExprId], stores: bool) -> Val {
        let like = self.code.ast.exprs[arguments[2]].ty;
        let target = if stores { self.code.ast.types.pointee(like.id) } else { Some(like) };
        let Some(target) = target else { return Val::Void };
        let Class::Scalar(Type::Int(target_bits)) = self.code.class(target) else { return Val::Void };
        // In the order of the text.
        let operands: Vec<(Operand, bool)> = arguments[..2]
            .iter()
            .map(|&argument| {
                (self.scalar(argument), types::is_signed(self.code.ast, self.code.ast.exprs[argument].ty.id))
            })
            .collect();
        let pointer = stores.then(|| self.scalar(arguments[2]));
        let width = operands.iter().filter_map(|(value, _)| match self.code.b.type_of(*value) {
            Type::Int(bits) => Some(bits),
            Type::F32 | Type::F64 | Type::Ptr => None,
        });
        let widest = width.chain([target_bits]).max().unwrap_or(64);
        // In 128 bits every sum and product of 64-bit operands is exact, whatever their signs.
        if widest > 64 {
            return self.code.refuse(Refused::WideOverflow);
        }
        let exact = Type::Int(128);
        let [left, right] =
            [operands[0], operands[1]].map(|(value, signed)| self.code.resize(value, exact, signed));
        let combine = match op {
            OverflowOp::Add => BinaryOp::Add,
            OverflowOp::Sub => BinaryOp::Sub,
            OverflowOp::Mul => BinaryOp::Mul,
        };
        let result = self.code.b.binary(combine, exact, left, right);
        // Cut to the result's type and taken back: what differs has overflowed.
        let narrow = self.code.resize(result, Type::Int(target_bits), false);
        let back = self.code.resize(narrow, exact, types::is_signed(self.code.ast, target.id));
        let mut lost = self.code.b.compare(CompareOp::NotEqual, back, result);
        if let Some(pointer) = pointer {
            self.code.b.store(pointer, narrow, Type::Int(target_bits), Ordering::Plain);
        }
        lost = self.code.resize(lost, Type::Int(8), false);
        Val::Scalar(lost)
    }

    fn float_test(&mut self, test: FloatTest, argument: ExprId, ty: QualType) -> Val {
        let value = self.scalar(argument);
        let float = self.code.b.type_of(value);
        let (infinity, bits) = match float {
            Type::F32 => (Constant::F32(f32::INFINITY.to_bits()), Type::Int(32)),
            Type::F64 => (Constant::F64(f64::INFINITY.to_bits()), Type::Int(64)),
            Type::Int(_) | Type::Ptr => return self.code.refuse(Refused::FloatTest),
        };
        let infinity = Operand::Constant(infinity);
        let size = self.code.b.assign(float, Rvalue::Unary(raddle_ir::UnaryOp::FloatAbs, value));
        let raw = self.code.b.cast(CastOp::Bits, bits, value);
        // As bits, because minus zero and a NaN have a sign, too.
        let sign =
            self.code.b.compare(CompareOp::SignedLess, raw, int(if float == Type::F32 { 32 } else { 64 }, 0));
        let answer = match test {
            FloatTest::IsNan => {
                let ordered = self.code.b.compare(CompareOp::FloatEqual, value, value);
                self.code.b.negate(ordered)
            }
            FloatTest::IsInf | FloatTest::IsInfSign => {
                self.code.b.compare(CompareOp::FloatEqual, size, infinity)
            }
            FloatTest::IsFinite => self.code.b.compare(CompareOp::FloatLess, size, infinity),
            FloatTest::IsNormal => {
                let least = match float {
                    Type::F32 => Constant::F32(f32::MIN_POSITIVE.to_bits()),
                    Type::F64 | Type::Int(_) | Type::Ptr => Constant::F64(f64::MIN_POSITIVE.to_bits()),
                };
                let large = self.code.b.compare(CompareOp::FloatLessEqual, Operand::Constant(least), size);
                let finite = self.code.b.compare(CompareOp::FloatLess, size, infinity);
                self.code.b.binary(BinaryOp::And, Type::Int(1), large, finite)
            }
            FloatTest::SignBit => sign,
        };
        let scalar = self.code.scalar_type(ty);
        let plain = self.code.resize(answer, scalar, false);
        if test == FloatTest::IsInfSign {
            let minus = self.code.b.assign(scalar, Rvalue::Unary(raddle_ir::UnaryOp::Neg, plain));
            return Val::Scalar(self.code.b.assign(scalar, Rvalue::Select(sign, minus, plain)));
        }
        Val::Scalar(plain)
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: the argument that says what `x` is.
    fn float_classify(&mut self, arguments: &[ExprId], ty: QualType) -> Val {
        let [answers @ .., operand] = arguments else { return self.code.refuse(Refused::Erroneous) };
        let answers: Vec<Operand> = answers.iter().map(|&answer| self.scalar(answer)).collect();
        let value = self.scalar(*operand);
        let float = self.code.b.type_of(value);
        let (infinity, least, zero) = match float {
            Type::F32 => (
                Constant::F32(f32::INFINITY.to_bits()),
                Constant::F32(f32::MIN_POSITIVE.to_bits()),
                Constant::F32(0),
            ),
            Type::F64 => (
                Constant::F64(f64::INFINITY.to_bits()),
                Constant::F64(f64::MIN_POSITIVE.to_bits()),
                Constant::F64(0),
            ),
            Type::Int(_) | Type::Ptr => return self.code.refuse(Refused::FloatTest),
        };
        let [Some(nan), Some(infinite), Some(normal), Some(subnormal), Some(nothing)] =
            [0, 1, 2, 3, 4].map(|place: usize| answers.get(place).copied())
        else {
            return self.code.refuse(Refused::Erroneous);
        };
        let size = self.code.b.assign(float, Rvalue::Unary(raddle_ir::UnaryOp::FloatAbs, value));
        let scalar = self.code.scalar_type(ty);
        // From the general to the special: a later test overrides an earlier one, and a NaN fails all of
        // them.
        let mut answer = nan;
        for (op, limit, then) in [
            (CompareOp::FloatEqual, infinity, infinite),
            (CompareOp::FloatLess, infinity, normal),
            (CompareOp::FloatLess, least, subnormal),
            (CompareOp::FloatEqual, zero, nothing),
        ] {
            let holds = self.code.b.compare(op, size, Operand::Constant(limit));
            answer = self.code.b.assign(scalar, Rvalue::Select(holds, then, answer));
        }
        Val::Scalar(answer)
    }

    fn float_compare(&mut self, compare: FloatCompare, arguments: &[ExprId], ty: QualType) -> Val {
        let (left, right) = (self.scalar(arguments[0]), self.scalar(arguments[1]));
        let answer = match compare {
            FloatCompare::Less => self.code.b.compare(CompareOp::FloatLess, left, right),
            FloatCompare::LessEqual => self.code.b.compare(CompareOp::FloatLessEqual, left, right),
            FloatCompare::Greater => self.code.b.compare(CompareOp::FloatLess, right, left),
            FloatCompare::GreaterEqual => self.code.b.compare(CompareOp::FloatLessEqual, right, left),
            FloatCompare::LessGreater => {
                let less = self.code.b.compare(CompareOp::FloatLess, left, right);
                let greater = self.code.b.compare(CompareOp::FloatLess, right, left);
                self.code.b.binary(BinaryOp::Or, Type::Int(1), less, greater)
            }
            FloatCompare::Unordered => {
                let left_ordered = self.code.b.compare(CompareOp::FloatEqual, left, left);
                let right_ordered = self.code.b.compare(CompareOp::FloatEqual, right, right);
                let both = self.code.b.binary(BinaryOp::And, Type::Int(1), left_ordered, right_ordered);
                self.code.b.negate(both)
            }
        };
        let scalar = self.code.scalar_type(ty);
        Val::Scalar(self.code.resize(answer, scalar, false))
    }
}
