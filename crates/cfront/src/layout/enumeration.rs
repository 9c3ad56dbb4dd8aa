//! The integer type behind an enumeration.

use crate::ast::{Ast, EnumId};
use crate::layout::DataModel;
use crate::types::{IntKind, Type};

/// Chooses the underlying type of an enumeration whose constants have just been set, and the constants' types.
///
/// As gcc: `unsigned int` unless some value is negative, then `int`; the next larger type where that is
/// too small; the smallest that fits when packed. A constant that fits `int` has type `int`, another one the
/// underlying type.
pub fn lay_out_enum(ast: &mut Ast, id: EnumId) {
    let model = ast.model;
    let enumeration = &ast.enums[id];
    let values = enumeration.constants.iter().flatten().map(|constant| constant.value);
    let (low, high) =
        values.fold((0, 0), |(low, high): (i128, i128), value| (low.min(value), high.max(value)));
    let underlying = fitting_integer(model, low, high, enumeration.packed);
    let large = ast.types.intern(Type::Int(underlying));
    let small = crate::types::Types::int();
    let enumeration = &mut ast.enums[id];
    enumeration.underlying = underlying;
    for constant in enumeration.constants.iter_mut().flatten() {
        constant.ty = if model.fits(constant.value, IntKind::Int) { small } else { large };
    }
}

/// The integer type of an enumeration with values from `low` to `high`.
#[must_use]
pub fn fitting_integer(model: DataModel, low: i128, high: i128, packed: bool) -> IntKind {
    use IntKind::{
        Int, Int128, Long, LongLong, Short, SignedChar, UnsignedChar, UnsignedInt, UnsignedInt128,
        UnsignedLong, UnsignedLongLong, UnsignedShort,
    };
    let double_word = match model {
        DataModel::Lp64 => (Long, UnsignedLong),
        DataModel::Ilp32 => (LongLong, UnsignedLongLong),
    };
    let ladder = [
        (SignedChar, UnsignedChar),
        (Short, UnsignedShort),
        (Int, UnsignedInt),
        double_word,
        (Int128, UnsignedInt128),
    ];
    let candidates = &ladder[if packed { 0 } else { 2 }..];
    let pick = |&(signed, unsigned): &(IntKind, IntKind)| if low < 0 { signed } else { unsigned };
    let fits = |kind: &IntKind| model.fits(low, *kind) && model.fits(high, *kind);
    // Only a program full of errors has values beyond 128 bits; `long long` stands in, as in gcc.
    candidates
        .iter()
        .map(pick)
        .find(fits)
        .filter(|kind| *kind != UnsignedInt128 || model.has_int128())
        .unwrap_or(LongLong)
}
