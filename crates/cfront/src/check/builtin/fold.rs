//! Built-in calls with constant arguments.

use crate::ast::{CastKind, ExprId, ExprKind};
use crate::check::builtin::{Builtin, FloatCompare, FloatTest, OverflowOp};
use crate::check::constant::{Evaluator, Value, float_as};
use crate::check::shape::{Shape, shape};
use crate::types::{FloatKind, IntKind};

/// The value of a call of an ordinary built-in, by its name without `__builtin_`.
pub(crate) fn fold_call(evaluator: &mut Evaluator<'_>, name: &str, arguments: &[ExprId]) -> Option<Value> {
    match name {
        "expect" | "expect_with_probability" => evaluator.argument(arguments, 0),
        "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" | "inff128" | "huge_valf128" => {
            Some(Value::Float(f64::INFINITY))
        }
        "inff32" | "inff64" | "inff32x" | "inff64x" | "huge_valf32" | "huge_valf64" | "huge_valf32x"
        | "huge_valf64x" | "infq" | "huge_valq" => Some(Value::Float(f64::INFINITY)),
        "nan" | "nanf" | "nanl" | "nanf128" | "nanf32" | "nanf64" | "nanf32x" | "nanf64x" | "nanq"
        | "nans" | "nansf" | "nansl" => {
            string_argument(evaluator, arguments)?;
            Some(Value::Float(f64::NAN))
        }
        "fabs" | "fabsf" | "fabsl" | "fabsf128" => Some(Value::Float(float(evaluator, arguments, 0)?.abs())),
        "copysign" | "copysignf" | "copysignl" => {
            Some(Value::Float(float(evaluator, arguments, 0)?.copysign(float(evaluator, arguments, 1)?)))
        }
        "sqrt" => Some(Value::Float(float(evaluator, arguments, 0)?.sqrt())),
        "sqrtf" => Some(Value::Float(float_as(float(evaluator, arguments, 0)?.sqrt(), FloatKind::Float))),
        "floor" | "floorf" => Some(Value::Float(float(evaluator, arguments, 0)?.floor())),
        "ceil" | "ceilf" => Some(Value::Float(float(evaluator, arguments, 0)?.ceil())),
        "trunc" | "truncf" => Some(Value::Float(float(evaluator, arguments, 0)?.trunc())),
        "strlen" => {
            let units = string_argument(evaluator, arguments)?;
            let length = units.iter().position(|&unit| unit == 0).unwrap_or(units.len());
            Some(Value::Integer(i128::try_from(length).ok()?))
        }
        _ => fold_bits(evaluator, name, arguments),
    }
}

fn fold_bits(evaluator: &mut Evaluator<'_>, name: &str, arguments: &[ExprId]) -> Option<Value> {
    let (stem, kind) = match name {
        "clz" | "ctz" | "popcount" | "parity" | "clrsb" | "ffs" | "abs" | "bswap32" => (name, IntKind::Int),
        "clzl" | "ctzl" | "popcountl" | "parityl" | "clrsbl" | "ffsl" => {
            (&name[..name.len() - 1], IntKind::Long)
        }
        "clzll" | "ctzll" | "popcountll" | "parityll" | "clrsbll" | "ffsll" => {
            (&name[..name.len() - 2], IntKind::LongLong)
        }
        "labs" => ("abs", IntKind::Long),
        "llabs" => ("abs", IntKind::LongLong),
        "bswap16" => (name, IntKind::UnsignedShort),
        "bswap64" => (name, IntKind::LongLong),
        "bswap128" => (name, IntKind::Int128),
        _ => return None,
    };
    // All of these take a value of one integer type, which the names tell.
    let Value::Integer(value) = evaluator.argument(arguments, 0)? else { return None };
    let bytes = u32::try_from(evaluator.ast().model.int_bytes(kind)).ok()?;
    let bits = 8 * bytes;
    // The value in the low bits, zeroes above.
    let pattern = (value << (128 - bits)).cast_unsigned() >> (128 - bits);
    let zeroes = pattern.leading_zeros() - (128 - bits);
    let result = match stem {
        // What these do on zero is not defined.
        "clz" | "ctz" if pattern == 0 => return None,
        "clz" => i128::from(zeroes),
        "ctz" => i128::from(pattern.trailing_zeros()),
        "popcount" => i128::from(pattern.count_ones()),
        "parity" => i128::from(pattern.count_ones() % 2),
        "ffs" => i128::from(if pattern == 0 { 0 } else { pattern.trailing_zeros() + 1 }),
        // Bits below the sign that equal it: of a negative number the complement has zeros there.
        "clrsb" => {
            let magnitude = if value < 0 { !value } else { value };
            i128::from(bits - 1) - i128::from(128 - magnitude.leading_zeros())
        }
        "abs" => evaluator.ast().model.wrap(value.checked_abs()?, kind),
        _ => (pattern << (128 - bits)).swap_bytes().cast_signed(),
    };
    Some(Value::Integer(result))
}

/// The value of a call of a generic built-in.
pub(crate) fn fold_builtin(
    evaluator: &mut Evaluator<'_>,
    builtin: Builtin,
    arguments: &[ExprId],
) -> Option<Value> {
    match builtin {
        Builtin::FloatTest(test) => {
            let value = float(evaluator, arguments, 0)?;
            let result = match test {
                FloatTest::IsNan => i128::from(value.is_nan()),
                FloatTest::IsInf => i128::from(value.is_infinite()),
                FloatTest::IsInfSign if !value.is_infinite() => 0,
                FloatTest::IsInfSign => {
                    if value > 0.0 {
                        1
                    } else {
                        -1
                    }
                }
                FloatTest::IsFinite => i128::from(value.is_finite()),
                // Whether a value is normal depends on its type.
                FloatTest::IsNormal => return None,
                FloatTest::SignBit => i128::from(value.is_sign_negative()),
            };
            Some(Value::Integer(result))
        }
        Builtin::FloatCompare(compare) => {
            let (left, right) = (float(evaluator, arguments, 0)?, float(evaluator, arguments, 1)?);
            let result = match compare {
                FloatCompare::Less => left < right,
                FloatCompare::LessEqual => left <= right,
                FloatCompare::Greater => left > right,
                FloatCompare::GreaterEqual => left >= right,
                FloatCompare::LessGreater => left < right || right < left,
                FloatCompare::Unordered => left.is_nan() || right.is_nan(),
            };
            Some(Value::Integer(i128::from(result)))
        }
        Builtin::Complex => {
            Some(Value::Complex(float(evaluator, arguments, 0)?, float(evaluator, arguments, 1)?))
        }
        Builtin::OverflowPredicate(op) => {
            let (Value::Integer(left), Value::Integer(right)) =
                (evaluator.argument(arguments, 0)?, evaluator.argument(arguments, 1)?)
            else {
                return None;
            };
            let ast = evaluator.ast();
            // The third argument gives only its type.
            let integer = |place: usize| shape(ast, ast.exprs[*arguments.get(place)?].ty.id).integer();
            if [integer(0)?, integer(1)?, integer(2)?].contains(&IntKind::UnsignedInt128) {
                return None;
            }
            let exact = match op {
                OverflowOp::Add => left.checked_add(right),
                OverflowOp::Sub => left.checked_sub(right),
                OverflowOp::Mul => left.checked_mul(right),
            };
            let kind = integer(2)?;
            let fits = exact.is_some_and(|exact| ast.model.wrap(exact, kind) == exact);
            Some(Value::Integer(i128::from(!fits)))
        }
        Builtin::SpeculationSafeValue => evaluator.argument(arguments, 0),
        Builtin::VaStart
        | Builtin::VaEnd
        | Builtin::VaCopy
        | Builtin::Overflow(_)
        | Builtin::FloatClassify
        | Builtin::Shuffle
        | Builtin::ShuffleVector
        | Builtin::ConvertVector
        | Builtin::SyncFetch(_)
        | Builtin::SyncOpFetch(_)
        | Builtin::SyncBoolCompareAndSwap
        | Builtin::SyncValCompareAndSwap
        | Builtin::SyncLockTestAndSet
        | Builtin::SyncSwap
        | Builtin::SyncLockRelease
        | Builtin::SyncSynchronize
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
        | Builtin::AtomicClear
        | Builtin::AtomicThreadFence
        | Builtin::AtomicSignalFence
        | Builtin::Machine(_) => None,
    }
}

fn float(evaluator: &mut Evaluator<'_>, arguments: &[ExprId], place: usize) -> Option<f64> {
    match evaluator.argument(arguments, place)? {
        Value::Float(value) => Some(value),
        Value::Integer(_) | Value::Complex(..) | Value::Address(..) | Value::Distance | Value::Aggregate => {
            None
        }
    }
}

/// The units of the string literal that the first argument is.
fn string_argument<'a>(evaluator: &Evaluator<'a>, arguments: &[ExprId]) -> Option<&'a [u32]> {
    let ast = evaluator.ast();
    let mut expr = *arguments.first()?;
    // Library twins and ordinary built-ins are calls like any other from here on.
    while let ExprKind::Cast {
        kind: CastKind::Pointer | CastKind::ArrayToPointer | CastKind::NoOp,
        operand,
        ..
    } = ast.exprs[expr].kind
    {
        expr = operand;
    }
    match &ast.exprs[expr].kind {
        ExprKind::String(string) if matches!(shape(ast, ast.exprs[expr].ty.id), Shape::Array(..)) => {
            Some(&string.units)
        }
        _ => None,
    }
}
