//! Initialisers of static objects: constants only.

use raddle_base::{Diagnostic, Span};
use raddle_cfront::ast::{BinaryOp, CastKind, ExprId, ExprKind, Init, Place, UnaryOp};
use raddle_cfront::check::constant::{self, Constant as CConstant};
use raddle_cfront::types::{QualType, Type as CType};
use raddle_ir::{Constant, Global, GlobalId, GlobalInit, Type};

use crate::lowering::Lowering;
use crate::place::signed;
use crate::types::{self, Class};

impl Lowering<'_> {
    /// A static object without a name: a compound literal at file scope.
    pub(crate) fn unnamed_global(&mut self, init: &Init, ty: QualType, span: Span) -> GlobalId {
        let mut parts = Vec::new();
        self.static_initializer(init, ty, 0, &mut parts);
        parts.sort_by_key(|part| part.offset);
        self.globals.push(Global {
            name: "compound literal".to_owned(),
            size: types::size_of(self.ast, ty),
            align: raddle_cfront::layout::align_of(self.ast, ty).unwrap_or(1),
            init: parts,
            read_only: false,
            thread_local: false,
            span,
            shape: types::shape(self.ast, ty),
        })
    }

    /// The first contents of a static object at `offset`.
    pub(crate) fn static_initializer(
        &mut self,
        init: &Init,
        ty: QualType,
        offset: u64,
        parts: &mut Vec<GlobalInit>,
    ) {
        let ast = self.ast;
        match init {
            Init::Expr(expr) => self.static_value(*expr, ty, offset, parts),
            Init::Aggregate(list) => {
                for part in list {
                    match (part.place, ast.types.kind(ty.id)) {
                        (Place::Field(index), CType::Record(id)) => {
                            let Some(field) = ast.records[*id]
                                .fields
                                .as_ref()
                                .and_then(|fields| fields.get(index as usize))
                            else {
                                continue;
                            };
                            match field.width {
                                Some(width) => {
                                    self.static_bits(&part.value, field.bit_offset, width, offset, parts)
                                }
                                None => self.static_initializer(
                                    &part.value,
                                    field.ty,
                                    offset + field.bit_offset / 8,
                                    parts,
                                ),
                            }
                        }
                        (Place::Elements { first, last }, CType::Array { element, .. }) => {
                            let stride = types::size_of(ast, *element);
                            for index in first..=last {
                                self.static_initializer(
                                    &part.value,
                                    *element,
                                    offset + index * stride,
                                    parts,
                                );
                            }
                        }
                        _ => self.static_initializer(&part.value, ty, offset, parts),
                    }
                }
            }
        }
    }

    fn static_value(&mut self, expr: ExprId, ty: QualType, offset: u64, parts: &mut Vec<GlobalInit>) {
        let node = &self.ast.exprs[expr];
        match &node.kind {
            ExprKind::String(literal) if matches!(self.ast.types.kind(ty.id), CType::Array { .. }) => {
                let size = types::size_of(self.ast, ty);
                let bits = types::int_bits(self.ast, types::unit_kind(self.ast, literal.encoding));
                let bytes = u64::from(bits / 8);
                for (&unit, index) in literal.units.iter().zip(0_u64..) {
                    if unit != 0 && (index + 1) * bytes <= size {
                        let value = Constant::Int(bits, u128::from(unit) & ((1 << bits) - 1));
                        parts.push(GlobalInit { offset: offset + index * bytes, value });
                    }
                }
            }
            ExprKind::CompoundLiteral { init, .. } => self.static_initializer(init, ty, offset, parts),
            ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand, .. }
                if self.class(ty) == Class::Aggregate =>
            {
                self.static_value(*operand, ty, offset, parts);
            }
            _ => match self.static_constant(expr, ty) {
                Some(value) if is_zero(value) => {}
                Some(value) => parts.push(GlobalInit { offset, value }),
                None => self.diagnostics.push(
                    Diagnostic::error(node.span, "this initialiser of a static object is not supported")
                        .help("assign the value at the start of `main`"),
                ),
            },
        }
    }

    fn class(&self, ty: QualType) -> Class {
        types::class(self.ast, ty)
    }

    /// Bit-fields share bytes: their bits are put together into the bytes they cover.
    fn static_bits(
        &mut self,
        init: &Init,
        bit_offset: u64,
        width: u32,
        offset: u64,
        parts: &mut Vec<GlobalInit>,
    ) {
        let expr = match init {
            Init::Expr(expr) => *expr,
            Init::Aggregate(list) => match list.first() {
                Some(part) => return self.static_bits(&part.value, bit_offset, width, offset, parts),
                None => return,
            },
        };
        let Some(CConstant::Integer(value)) = constant::evaluate(self.ast, expr) else { return };
        let all = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let mut bits = value.cast_unsigned() & all;
        let mut place = bit_offset;
        let end = bit_offset + u64::from(width);
        while place < end {
            let (byte, shift) = (offset + place / 8, place % 8);
            let taken = (8 - shift).min(end - place);
            let piece = (bits & ((1 << taken) - 1)) << shift;
            let known = parts.iter_mut().find(|part| part.offset == byte);
            match known {
                Some(GlobalInit { value: Constant::Int(8, old), .. }) => *old |= piece,
                _ => parts.push(GlobalInit { offset: byte, value: Constant::Int(8, piece) }),
            }
            bits >>= taken;
            place += taken;
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounding to float is what the type asks for")]
    fn static_constant(&mut self, expr: ExprId, ty: QualType) -> Option<Constant> {
        let Class::Scalar(scalar) = self.class(ty) else { return None };
        match (constant::evaluate(self.ast, expr), scalar) {
            (Some(CConstant::Integer(value)), Type::Int(bits)) => {
                let all = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
                Some(Constant::Int(bits, value.cast_unsigned() & all))
            }
            (Some(CConstant::Integer(0)), Type::Ptr) => Some(Constant::Null),
            (Some(CConstant::Integer(value)), Type::Ptr) => {
                let all = (1_u128 << self.pointer_bits) - 1;
                Some(Constant::Int(self.pointer_bits, value.cast_unsigned() & all))
            }
            (Some(CConstant::Float(value)), Type::F64) => Some(Constant::F64(value.to_bits())),
            (Some(CConstant::Float(value)), Type::F32) => Some(Constant::F32((value as f32).to_bits())),
            (Some(CConstant::Integer(value)), Type::F64) => Some(Constant::F64((value as f64).to_bits())),
            _ => self.address_constant(expr),
        }
    }

    /// The address of an object or function, plus an offset.
    fn address_constant(&mut self, expr: ExprId) -> Option<Constant> {
        let ast = self.ast;
        match &ast.exprs[expr].kind {
            ExprKind::Cast { kind, operand, .. } => match kind {
                CastKind::ArrayToPointer | CastKind::FunctionToPointer => self.place_constant(*operand),
                CastKind::Pointer
                | CastKind::NoOp
                | CastKind::PointerToInteger
                | CastKind::IntegerToPointer
                | CastKind::Integer => self.address_constant(*operand),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::AddressOf, operand) => self.place_constant(*operand),
            ExprKind::Unary(UnaryOp::Plus, operand) => self.address_constant(*operand),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (pointer, index) = if ast.types.pointee(ast.exprs[*left].ty.id).is_some() {
                    (*left, *right)
                } else {
                    (*right, *left)
                };
                let Some(CConstant::Integer(index)) = constant::evaluate(ast, index) else { return None };
                let stride = ast
                    .types
                    .pointee(ast.exprs[pointer].ty.id)
                    .map_or(1, |element| types::size_of(ast, element).max(1));
                let distance = i64::try_from(index).ok()?.checked_mul(signed(stride))?;
                let distance = if *op == BinaryOp::Sub { -distance } else { distance };
                moved(self.address_constant(pointer)?, distance)
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                match constant::evaluate(ast, *condition)? {
                    CConstant::Integer(0) => self.address_constant(*otherwise),
                    _ => self.address_constant(*then),
                }
            }
            _ => None,
        }
    }

    /// The address of what an lvalue designates.
    fn place_constant(&mut self, expr: ExprId) -> Option<Constant> {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ExprKind::Var(var) => Some(Constant::Global(self.global(*var), 0)),
            ExprKind::Function(function) => Some(Constant::Function(self.function(*function))),
            ExprKind::String(literal) => Some(Constant::Global(self.string(literal), 0)),
            ExprKind::CompoundLiteral { init, .. } => {
                Some(Constant::Global(self.unnamed_global(init, node.ty, node.span), 0))
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
                let Some(CConstant::Integer(index)) = constant::evaluate(ast, index) else { return None };
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
        other if distance == 0 => Some(other),
        _ => None,
    }
}

fn is_zero(constant: Constant) -> bool {
    matches!(constant, Constant::Int(_, 0) | Constant::F32(0) | Constant::F64(0) | Constant::Null)
}
