//! Addresses and reads of constant objects.

use super::{Base, Evaluator, Value};
use crate::ast::{CastKind, ExprId, ExprKind, Init, OffsetStep, Storage, Subobject, UnaryOp};
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{QualType, Qualifiers};

impl<'a> Evaluator<'a> {
    /// The address of an lvalue or function.
    pub(super) fn address(&mut self, expr: ExprId) -> Option<Value> {
        let node = &self.ast.exprs[expr];
        match &node.kind {
            ExprKind::Var(var) => {
                let entry = &self.ast.vars[*var];
                let fixed = match entry.storage {
                    Storage::External | Storage::Static => !entry.thread_local,
                    Storage::Automatic | Storage::Register | Storage::Parameter => false,
                };
                fixed.then_some(Value::Address(Base::Var(*var), 0))
            }
            ExprKind::Function(function) => Some(Value::Address(Base::Function(*function), 0)),
            ExprKind::String(_) | ExprKind::FunctionName(..) => Some(Value::Address(Base::String(expr), 0)),
            ExprKind::CompoundLiteral { static_storage: true, .. } => {
                Some(Value::Address(Base::Literal(expr), 0))
            }
            ExprKind::Unary(UnaryOp::Deref, pointer) => self.value(*pointer),
            ExprKind::Unary(UnaryOp::Real, operand) => self.address(*operand),
            ExprKind::Unary(UnaryOp::Imag, operand) => {
                let start = self.address(*operand)?;
                let part = i128::from(layout::size_of(self.ast, node.ty).ok()?);
                self.shifted(start, part)
            }
            ExprKind::Member { base, record, field, arrow } => {
                let start = if *arrow { self.value(*base)? } else { self.address(*base)? };
                let field = self.ast.records[*record].fields.as_ref()?.get(*field as usize)?;
                self.shifted(start, i128::from(field.bit_offset / 8))
            }
            ExprKind::Index { base, index } => {
                let (pointer, index) =
                    if self.shape(*base).is_integer() { (index, base) } else { (base, index) };
                // The address of the real part is that of the whole.
                let start = self.value(*pointer)?;
                let Value::Integer(index) = self.value(*index)? else { return None };
                let size = i128::from(layout::size_of(self.ast, node.ty).ok()?);
                self.shifted(start, index.checked_mul(size)?)
            }
            // The address of what an explicit cast to the same type or a conditional gives is that of no object.
            _ => None,
        }
    }

    fn shifted(&self, start: Value, offset: i128) -> Option<Value> {
        match start {
            Value::Integer(start) => {
                let model = self.ast.model;
                Some(Value::Integer(model.wrap(start.checked_add(offset)?, model.size_type())))
            }
            Value::Address(base, start) => Some(Value::Address(base, start.checked_add(offset)?)),
            Value::Float(_) | Value::Complex(..) | Value::Distance | Value::Aggregate => None,
        }
    }

    /// The value of an object, where the initialiser of another may read it.
    pub(super) fn load(&mut self, lvalue: ExprId) -> Option<Value> {
        // An integer constant expression reads no objects; gcc lets an initialiser do so.
        if !self.initializer {
            return None;
        }
        if let ExprKind::CompoundLiteral { init, .. } = &self.ast.exprs[lvalue].kind {
            return self.aggregate(init);
        }
        if let Some(unit) = self.character(lvalue) {
            return Some(unit);
        }
        match self.constant_part(lvalue)? {
            Init::Expr(value) => self.value(*value),
            init @ Init::Aggregate(_) => self.aggregate(init),
        }
    }

    /// A character of a string literal, or of a constant array that one initialises, by subscript.
    fn character(&mut self, lvalue: ExprId) -> Option<Value> {
        let ExprKind::Index { base, index } = self.ast.exprs[lvalue].kind else { return None };
        let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } = self.ast.exprs[base].kind else {
            return None;
        };
        let string = match &self.ast.exprs[operand].kind {
            ExprKind::String(string) => string,
            _ => {
                let Init::Expr(init) = self.constant_part(operand)? else { return None };
                let ExprKind::String(string) = &self.ast.exprs[*init].kind else { return None };
                string
            }
        };
        let Value::Integer(index) = self.value(index)? else { return None };
        let unit = usize::try_from(index).ok()?;
        let unit = match string.units.get(unit) {
            Some(unit) => i128::from(*unit),
            None if unit == string.units.len() => 0,
            None => return None,
        };
        let kind = self.shape(lvalue).integer()?;
        Some(Value::Integer(self.ast.model.wrap(unit, kind)))
    }

    /// What initialises an object, if it is `const`.
    fn constant_part(&mut self, lvalue: ExprId) -> Option<&'a Init> {
        let mut ty = self.ast.types.canonical(self.ast.exprs[lvalue].ty);
        // The elements of a `const` array are `const`, though only the array was declared so.
        while let Shape::Array(element, _) = shape(self.ast, ty.id) {
            ty = self.ast.types.canonical(element.with(ty.qualifiers));
        }
        let readable =
            ty.qualifiers.contains(Qualifiers::CONST) && !ty.qualifiers.contains(Qualifiers::VOLATILE);
        if readable { self.part(lvalue) } else { None }
    }

    /// What initialises an lvalue that is a variable, or a part of one at a constant offset. gcc does not look for what
    /// is zero because nothing initialises it.
    fn part(&mut self, lvalue: ExprId) -> Option<&'a Init> {
        match &self.ast.exprs[lvalue].kind {
            ExprKind::Var(var) => self.ast.vars[*var].init.as_ref(),
            ExprKind::Member { base, field, arrow: false, .. } => {
                let Init::Aggregate(parts) = self.part(*base)? else { return None };
                let found = parts.iter().find(|part| part.subobject == Subobject::Field(*field))?;
                Some(&found.value)
            }
            ExprKind::Index { base, index } => {
                let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } =
                    self.ast.exprs[*base].kind
                else {
                    return None;
                };
                let Value::Integer(index) = self.value(*index)? else { return None };
                let index = u64::try_from(index).ok()?;
                let Init::Aggregate(parts) = self.part(operand)? else { return None };
                let holds = |place: Subobject| matches!(place, Subobject::Elements { first, last } if first <= index && index <= last);
                let found = parts.iter().find(|part| holds(part.subobject))?;
                Some(&found.value)
            }
            _ => None,
        }
    }

    /// `offsetof`
    pub(super) fn offset_of(&mut self, path: &[OffsetStep]) -> Option<i128> {
        let mut offset = 0_i128;
        let mut ty: Option<QualType> = None;
        for step in path {
            match step {
                OffsetStep::Field(record, field) => {
                    let field = self.ast.records[*record].fields.as_ref()?.get(*field as usize)?;
                    offset = offset.checked_add(i128::from(field.bit_offset / 8))?;
                    ty = Some(field.ty);
                }
                OffsetStep::Index(index) => {
                    let Shape::Array(element, _) = shape(self.ast, ty?.id) else { return None };
                    let Value::Integer(index) = self.value(*index)? else { return None };
                    let size = i128::from(layout::size_of(self.ast, element).ok()?);
                    offset = offset.checked_add(index.checked_mul(size)?)?;
                    ty = Some(element);
                }
            }
        }
        Some(self.ast.model.wrap(offset, self.ast.model.size_type()))
    }
}
