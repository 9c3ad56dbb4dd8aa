//! Initialisers of static objects: constants only.
//!
//! What the front end accepted as constant and is not understood here is an error of its own, never left out.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named is not understood, which may only refuse too much"
)]

use raddle_base::{Diagnostic, Span};
use raddle_cfront::ast::{Ast, BinaryOp, CastKind, ExprId, ExprKind, Init, InitPart, Subobject, UnaryOp};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate_initializer};
use raddle_cfront::types::{ArrayLength, FloatKind, QualType, Type as CType};
use raddle_ir::{Constant, Global, GlobalId, GlobalInit, Type};

use crate::lowering::Lowering;
use crate::place::{label_number, mask, signed};
use crate::refused::Refused;
use crate::types::{self, Class};

impl Lowering<'_> {
    /// A static object without a name: a compound literal at file scope.
    pub(crate) fn unnamed_global(&mut self, init: &Init, ty: QualType, span: Span) -> GlobalId {
        let name = self.names.other_global("compound literal".to_owned());
        let id = self.globals.push(Global {
            name,
            size: types::size_of(self.ast, ty),
            align: raddle_cfront::layout::align_of(self.ast, ty).unwrap_or(1),
            init: Vec::new(),
            read_only: types::is_constant(self.ast, ty),
            thread_local: false,
            span,
            shape: types::shape(self.ast, ty),
        });
        self.fill_global(id, init, ty);
        id
    }

    /// Gives an object its first contents; a flexible array member makes it larger than its type.
    pub(crate) fn fill_global(&mut self, id: GlobalId, init: &Init, ty: QualType) {
        let mut contents = StaticContents { program: self, parts: Vec::new() };
        contents.static_initializer(init, ty, 0);
        let mut parts = contents.parts;
        parts.sort_by_key(|part| part.offset);
        // A flexible array member has elements behind the end of the type.
        self.globals[id].size = self.globals[id].size.max(extent(self.ast, init, ty, 0));
        self.globals[id].init = parts;
    }
}

/// One past the last byte that an initialiser reaches.
fn extent(ast: &Ast, init: &Init, ty: QualType, offset: u64) -> u64 {
    match (init, ast.types.kind(ty.id)) {
        (Init::Aggregate(parts), CType::Record(id)) => {
            let fields = ast.records[*id].fields.as_deref().unwrap_or_default();
            let of_part = |part: &InitPart| match part.subobject {
                Subobject::Field(index) => fields.get(index as usize).map_or(0, |field| match field.width {
                    Some(_) => 0,
                    None => extent(ast, &part.value, field.ty, offset + field.bit_offset / 8),
                }),
                Subobject::Elements { .. } => 0,
            };
            parts.iter().map(of_part).max().unwrap_or(0)
        }
        (Init::Aggregate(parts), CType::Array { element, length: ArrayLength::Unknown }) => {
            let stride = types::size_of(ast, *element);
            let end_of = |part: &InitPart| match part.subobject {
                Subobject::Elements { last, .. } => offset + (last + 1) * stride,
                Subobject::Field(_) => 0,
            };
            parts.iter().map(end_of).max().unwrap_or(0)
        }
        (Init::Expr(expr), CType::Array { element, length: ArrayLength::Unknown }) => {
            match &ast.exprs[*expr].kind {
                ExprKind::String(literal) => {
                    offset + (literal.units.len() as u64 + 1) * types::size_of(ast, *element)
                }
                _ => 0,
            }
        }
        _ => offset + types::size_of(ast, ty),
    }
}

/// The bytes of a constant whose type has no arithmetic here: nobody computes with it, but it may lie in memory.
pub(crate) fn opaque_constant(ast: &Ast, expr: ExprId, ty: QualType) -> Option<Vec<(u64, Constant)>> {
    match types::class(ast, ty) {
        Class::Unsupported(Refused::LongDouble) => match evaluate_initializer(ast, expr) {
            Some(CConstant::Float(value)) => Some(extended(value)),
            _ => None,
        },
        Class::Unsupported(Refused::Complex) => complex_constant(ast, expr, ty),
        Class::Unsupported(_) | Class::Scalar(_) | Class::Aggregate | Class::Void | Class::Function => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to float is what the type asks for")]
#[expect(clippy::cast_precision_loss, reason = "an integer becomes the nearest floating number")]
fn complex_constant(ast: &Ast, expr: ExprId, ty: QualType) -> Option<Vec<(u64, Constant)>> {
    let (real, imaginary) = match evaluate_initializer(ast, expr)? {
        CConstant::Complex(real, imaginary) => (real, imaginary),
        CConstant::Float(real) => (real, 0.0),
        CConstant::Integer(real) => (real as f64, 0.0),
        CConstant::Address | CConstant::Aggregate => return None,
    };
    match ast.types.kind(ty.id) {
        CType::Complex(FloatKind::Float | FloatKind::Float32) => {
            let part = |value: f64| Constant::F32((value as f32).to_bits());
            Some(vec![(0, part(real)), (4, part(imaginary))])
        }
        CType::Complex(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x) => {
            let part = |value: f64| Constant::F64(value.to_bits());
            Some(vec![(0, part(real)), (8, part(imaginary))])
        }
        _ => None,
    }
}

/// The first contents of a static object, as they are put together.
struct StaticContents<'p, 'a> {
    program: &'p mut Lowering<'a>,
    parts: Vec<GlobalInit>,
}

impl StaticContents<'_, '_> {
    /// The first contents of a static object at `offset`.
    fn static_initializer(&mut self, init: &Init, ty: QualType, offset: u64) {
        match init {
            Init::Expr(expr) => self.static_value(*expr, ty, offset),
            Init::Aggregate(list) => {
                for part in list {
                    self.static_part(part, ty, offset);
                }
            }
        }
    }

    fn static_part(&mut self, part: &InitPart, ty: QualType, offset: u64) {
        let ast = self.program.ast;
        match (part.subobject, ast.types.kind(ty.id)) {
            (Subobject::Field(index), CType::Record(id)) => {
                let fields = ast.records[*id].fields.as_deref().unwrap_or_default();
                let Some(field) = fields.get(index as usize) else { return };
                match field.width {
                    Some(width) => self.static_bits(&part.value, field.bit_offset, width, offset),
                    None => {
                        self.static_initializer(&part.value, field.ty, offset + field.bit_offset / 8);
                    }
                }
            }
            (Subobject::Elements { first, last }, CType::Array { element, .. }) => {
                let stride = types::size_of(ast, *element);
                // As many parts as elements: static objects are data, and no loop fills them.
                for index in first..=last {
                    self.static_initializer(&part.value, *element, offset + index * stride);
                }
            }
            // A scalar in braces.
            _ => self.static_initializer(&part.value, ty, offset),
        }
    }

    fn static_value(&mut self, expr: ExprId, ty: QualType, offset: u64) {
        let ast = self.program.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ExprKind::String(literal) if matches!(ast.types.kind(ty.id), CType::Array { .. }) => {
                let size = match ast.types.kind(ty.id) {
                    CType::Array { length: ArrayLength::Unknown, .. } => u64::MAX,
                    _ => types::size_of(ast, ty),
                };
                let bits = types::int_bits(ast, types::unit_kind(ast, literal.encoding));
                let bytes = u64::from(bits / 8);
                for (&unit, index) in literal.units.iter().zip(0_u64..) {
                    if unit != 0 && (index + 1) * bytes <= size {
                        let value = Constant::Int(bits, u128::from(unit) & mask(bits));
                        self.parts.push(GlobalInit { offset: offset + index * bytes, value });
                    }
                }
            }
            ExprKind::CompoundLiteral { init, .. } => self.static_initializer(init, ty, offset),
            ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand, .. }
                if types::class(ast, ty) == Class::Aggregate =>
            {
                self.static_value(*operand, ty, offset);
            }
            // GNU C: a constant object may be copied.
            ExprKind::Var(var) if ast.vars[*var].init.is_some() => {
                let init = ast.vars[*var].init.clone().expect("asked just now");
                self.static_initializer(&init, ty, offset);
            }
            _ => self.static_scalar(expr, ty, offset),
        }
    }

    fn static_scalar(&mut self, expr: ExprId, ty: QualType, offset: u64) {
        let found = match types::class(self.program.ast, ty) {
            Class::Scalar(scalar) => self.static_constant(expr, scalar).map(|value| vec![(0, value)]),
            Class::Unsupported(_) | Class::Aggregate | Class::Void | Class::Function => {
                opaque_constant(self.program.ast, expr, ty)
            }
        };
        match found {
            Some(list) => {
                let nonzero = list.into_iter().filter(|(_, value)| !is_zero(*value));
                self.parts.extend(nonzero.map(|(at, value)| GlobalInit { offset: offset + at, value }));
            }
            None => self.program.diagnostics.push(
                Diagnostic::error(
                    self.program.ast.exprs[expr].span,
                    "this initialiser of a static object is not supported",
                )
                .help("assign the value at the start of `main`"),
            ),
        }
    }

    /// Bit-fields share bytes: their bits are put together into the bytes they cover.
    fn static_bits(&mut self, init: &Init, bit_offset: u64, width: u32, offset: u64) {
        /// A bit-field and those it shares bytes with were put in last.
        const RECENT: usize = 40;
        let expr = match init {
            Init::Expr(expr) => *expr,
            Init::Aggregate(list) => match list.first() {
                Some(part) => return self.static_bits(&part.value, bit_offset, width, offset),
                None => return,
            },
        };
        let Some(CConstant::Integer(value)) = evaluate_initializer(self.program.ast, expr) else {
            self.program.diagnostics.push(
                Diagnostic::error(
                    self.program.ast.exprs[expr].span,
                    "this initialiser of a bit-field is not supported",
                )
                .help("assign the value at the start of `main`"),
            );
            return;
        };
        // Only the bits of the field; a negative value has more.
        let mut bits = value.cast_unsigned() & mask(u8::try_from(width).unwrap_or(128));
        let mut place = bit_offset;
        let end = bit_offset + u64::from(width);
        while place < end {
            let (byte, shift) = (offset + place / 8, place % 8);
            let taken = (8 - shift).min(end - place);
            // The least significant bits go first, as on all machines that we know.
            let piece = (bits & ((1 << taken) - 1)) << shift;
            let known = self.parts.iter_mut().rev().take(RECENT).find(|part| part.offset == byte);
            match known {
                Some(GlobalInit { value: Constant::Int(8, old), .. }) => *old |= piece,
                _ => self.parts.push(GlobalInit { offset: byte, value: Constant::Int(8, piece) }),
            }
            bits >>= taken;
            place += taken;
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "rounding to the floating type is what the program asks for"
    )]
    fn static_constant(&mut self, expr: ExprId, scalar: Type) -> Option<Constant> {
        match (evaluate_initializer(self.program.ast, expr), scalar) {
            (Some(CConstant::Integer(value)), Type::Int(bits)) => {
                Some(Constant::Int(bits, value.cast_unsigned() & mask(bits)))
            }
            (Some(CConstant::Integer(0)), Type::Ptr) => Some(Constant::Null),
            (Some(CConstant::Integer(value)), Type::Ptr) => Some(Constant::Int(
                self.program.pointer_bits,
                value.cast_unsigned() & mask(self.program.pointer_bits),
            )),
            (Some(CConstant::Float(value)), Type::F64) => Some(Constant::F64(value.to_bits())),
            (Some(CConstant::Float(value)), Type::F32) => Some(Constant::F32((value as f32).to_bits())),
            (Some(CConstant::Integer(value)), Type::F64) => Some(Constant::F64((value as f64).to_bits())),
            (Some(CConstant::Integer(value)), Type::F32) => Some(Constant::F32((value as f32).to_bits())),
            _ => self.address_constant(expr),
        }
    }

    /// The address of an object or function, plus an offset.
    fn address_constant(&mut self, expr: ExprId) -> Option<Constant> {
        let ast = self.program.ast;
        match &ast.exprs[expr].kind {
            ExprKind::Cast { kind, operand, .. } => match kind {
                CastKind::ArrayToPointer | CastKind::FunctionToPointer => self.place_constant(*operand),
                CastKind::Pointer
                | CastKind::NoOp
                | CastKind::PointerToInteger
                | CastKind::IntegerToPointer
                | CastKind::Integer => {
                    // An address that is cut is no address.
                    let whole =
                        types::size_of(ast, ast.exprs[expr].ty) * 8 == u64::from(self.program.pointer_bits);
                    if whole { self.address_constant(*operand) } else { None }
                }
                // A constant pointer variable.
                CastKind::Load => match ast.exprs[*operand].kind {
                    ExprKind::Var(var) => match &ast.vars[var].init {
                        Some(Init::Expr(value)) => self.address_constant(*value),
                        Some(Init::Aggregate(_)) | None => None,
                    },
                    _ => None,
                },
                CastKind::ToBool
                | CastKind::IntegerToFloat
                | CastKind::FloatToInteger
                | CastKind::Float
                | CastKind::NullToPointer
                | CastKind::ToVoid
                | CastKind::ToUnion
                | CastKind::RealToComplex
                | CastKind::ComplexToReal
                | CastKind::Complex
                | CastKind::VectorBits
                | CastKind::ScalarToVector => None,
            },
            ExprKind::Unary(UnaryOp::AddressOf, operand) => self.place_constant(*operand),
            ExprKind::Unary(UnaryOp::Plus, operand) => self.address_constant(*operand),
            ExprKind::LabelAddress(label) => {
                Some(Constant::Int(self.program.pointer_bits, label_number(*label)))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (address, index) = match evaluate_initializer(ast, *right) {
                    Some(CConstant::Integer(index)) => (*left, index),
                    _ => match evaluate_initializer(ast, *left) {
                        Some(CConstant::Integer(index)) if *op == BinaryOp::Add => (*right, index),
                        _ => return None,
                    },
                };
                // An address that was made an integer moves by bytes.
                // An integer moves by bytes, a pointer by elements.
                let stride = ast
                    .types
                    .pointee(ast.exprs[address].ty.id)
                    .map_or(1, |element| types::size_of(ast, element).max(1));
                let distance = i64::try_from(index).ok()?.checked_mul(signed(stride))?;
                let distance = if *op == BinaryOp::Sub { -distance } else { distance };
                moved(self.address_constant(address)?, distance)
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                match evaluate_initializer(ast, *condition)? {
                    CConstant::Integer(0) => self.address_constant(*otherwise),
                    CConstant::Integer(_) | CConstant::Address => self.address_constant(*then),
                    CConstant::Float(_) | CConstant::Complex(..) | CConstant::Aggregate => None,
                }
            }
            _ => match evaluate_initializer(ast, expr) {
                Some(CConstant::Integer(value)) => Some(Constant::Int(
                    self.program.pointer_bits,
                    value.cast_unsigned() & mask(self.program.pointer_bits),
                )),
                _ => None,
            },
        }
    }

    /// The address of what an lvalue designates.
    fn place_constant(&mut self, expr: ExprId) -> Option<Constant> {
        let ast = self.program.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ExprKind::Var(var) if self.program.is_weak_undefined(*var) => Some(Constant::Null),
            ExprKind::Var(var) => Some(Constant::Global(self.program.global(*var), 0)),
            ExprKind::Function(function) => Some(self.program.function_address(*function)),
            ExprKind::String(literal) => Some(Constant::Global(self.program.string(literal), 0)),
            ExprKind::FunctionName(_, text) => {
                Some(Constant::Global(self.program.string(&crate::place::plain_string(text)), 0))
            }
            ExprKind::CompoundLiteral { init, .. } => {
                Some(Constant::Global(self.program.unnamed_global(init, node.ty, node.span), 0))
            }
            ExprKind::Unary(UnaryOp::Deref, pointer) => self.address_constant(*pointer),
            ExprKind::Member { base, record, field, arrow } => {
                let base = if *arrow { self.address_constant(*base)? } else { self.place_constant(*base)? };
                let field = ast.records[*record].fields.as_ref()?.get(*field as usize)?;
                moved(base, signed(field.bit_offset / 8))
            }
            ExprKind::Index { base, index } => {
                let (pointer, index) = if ast.types.pointee(ast.exprs[*base].ty.id).is_some() {
                    (*base, *index)
                } else {
                    (*index, *base)
                };
                let Some(CConstant::Integer(index)) = evaluate_initializer(ast, index) else { return None };
                let stride = types::size_of(ast, node.ty);
                moved(
                    self.address_constant(pointer)?,
                    i64::try_from(index).ok()?.checked_mul(signed(stride))?,
                )
            }
            _ => None,
        }
    }
}

fn moved(address: Constant, distance: i64) -> Option<Constant> {
    match address {
        Constant::Global(id, at) => Some(Constant::Global(id, at.checked_add(distance)?)),
        Constant::Int(bits, at) => {
            Some(Constant::Int(bits, at.wrapping_add_signed(distance.into()) & mask(bits)))
        }
        Constant::Null | Constant::Function(_) if distance == 0 => Some(address),
        Constant::Null | Constant::Function(_) | Constant::F32(_) | Constant::F64(_) => None,
    }
}

fn is_zero(constant: Constant) -> bool {
    matches!(constant, Constant::Int(_, 0) | Constant::F32(0) | Constant::F64(0) | Constant::Null)
}

/// The 80-bit form of a floating number: its mantissa with the leading bit written out, then sign and exponent.
fn extended(value: f64) -> Vec<(u64, Constant)> {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63) << 15;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = bits >> FRACTION_BITS & 0x7ff;
    let (exponent, mantissa) = match biased {
        // A subnormal `double` is a normal number in the wider format.
        0 if fraction == 0 => (0, 0),
        0 => {
            let shift = fraction.leading_zeros();
            (15_372 - u128::from(shift), fraction << shift)
        }
        0x7ff => (0x7fff, 1 << 63 | fraction << 11),
        _ => (u128::from(biased) - 1_023 + 16_383, 1 << 63 | fraction << 11),
    };
    vec![(0, Constant::Int(64, mantissa.into())), (8, Constant::Int(16, sign | exponent))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_numbers_are_those_of_the_coprocessor() {
        let parts = |value| match extended(value).as_slice() {
            [(0, Constant::Int(64, mantissa)), (8, Constant::Int(16, top))] => (*mantissa, *top),
            other => panic!("{other:?}"),
        };
        assert_eq!(parts(0.0), (0, 0));
        assert_eq!(parts(1.0), (1 << 63, 0x3fff));
        assert_eq!(parts(-2.5), (0xa000_0000_0000_0000, 0xc000));
        assert_eq!(parts(f64::INFINITY), (1 << 63, 0x7fff));
        // The smallest number, 2^-1074.
        assert_eq!(parts(f64::from_bits(1)), (1 << 63, 16_383 - 1_074));
    }
}
