//! Writing a bit-field: its storage unit is read, and then written with the field in it, so that what others write into the unit
//! between is lost.

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, StmtId, UnaryOp, VarId};
use raddle_cfront::check::conversion::arithmetic::{int_type, promoted};
use raddle_cfront::layout::access::{bit_unit, pieces};
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::{IntKind, Type, TypeId, Types};

use super::Simplifier;
use crate::copy::copy_expr;
use crate::views::integer_of;

/// A piece of a storage unit: where it begins in the record, its type, and the variable that keeps it.
type Kept = (u64, TypeId, VarId);

impl Simplifier<'_> {
    /// `place = value` for a bit-field in shared memory.
    pub(super) fn assign_bits(&mut self, place: ExprId, value: ExprId) {
        let ExprKind::Member { base, record, field, arrow } = self.program.ast().exprs[place].kind else {
            return;
        };
        let span = self.program.ast().exprs[place].span;
        let (start, bytes) = bit_unit(&self.program.ast().records[record], field as usize);
        let whole = if arrow {
            let pointer = copy_expr(self.program, base);
            let pointer = self.program.bare(pointer);
            self.program.tree.operators().unary(UnaryOp::Deref, pointer, span)
        } else {
            base
        };
        let mut kept: Vec<Kept> = Vec::new();
        let read = self.aside(|inner| {
            for (offset, bytes) in pieces(start, start + bytes, largest(start, bytes)) {
                let ty = integer_of(bytes);
                let piece = inner.program.view(whole, offset, ty);
                let value = inner.program.tree.rvalue(piece);
                kept.push((offset, ty, inner.keep(value, "unit")));
            }
        });
        self.together_in_time(read);
        let write = self.aside(|inner| {
            for (offset, ty, var) in kept {
                let piece = inner.program.view(whole, offset, ty);
                let value = inner.program.read(var, span);
                let stmt = inner.program.assign_stmt(piece, value, inner.like);
                inner.out.push(stmt);
            }
            let stmt = inner.program.assign_stmt(place, value, inner.like);
            inner.out.push(stmt);
        });
        self.together_in_time(write);
    }

    /// Adds statements that are one step together.
    fn together_in_time(&mut self, stmts: Vec<StmtId>) {
        let is_one = stmts.len() <= 1;
        if !is_one {
            self.atomic_border(Primitive::AtomicBegin);
        }
        self.out.extend(stmts);
        if !is_one {
            self.atomic_border(Primitive::AtomicEnd);
        }
    }

    fn atomic_border(&mut self, border: Primitive) {
        let unit = self.program.unit_of(self.function).unwrap_or(0);
        let function = self.program.external_primitive(border, Types::void(), &[], unit);
        let span = self.program.ast().stmts[self.like].span;
        let call = self.program.call(function, Vec::new(), span);
        let stmt = self.program.expr_stmt(call, self.like);
        self.out.push(stmt);
    }

    /// What a bit-field of this width holds when a value was written into it: the value, cut to that. Nothing if it is too wide.
    pub(super) fn cut(&mut self, value: ExprId, place: ExprId, width: u32) -> Option<ExprId> {
        let ast = self.program.ast();
        let ty = ast.types.unqualified(ast.exprs[place].ty);
        let kind = match *ast.types.kind(ty) {
            Type::Int(kind) => kind,
            Type::Enum(id) => ast.enums[id].underlying,
            _ => return None,
        };
        let (signed, span) = (ast.model.is_signed(kind), ast.exprs[value].span);
        let unused = 64_u32.checked_sub(width)?;
        let value = self.program.bare(value);
        let value = self.program.tree.explicit_cast(value, ty.into(), span);
        // What it is promoted to.
        let ty = int_type(promoted(self.program.ast().model, kind, Some(width)));
        if kind == IntKind::Bool {
            return Some(self.program.tree.explicit_cast(value, ty.into(), span));
        }
        let wide = self.program.tree.explicit_cast(value, Types::unsigned_long_long().into(), span);
        let amount = self.program.int(i128::from(unused), span);
        let mut high = self.program.tree.operators().binary(BinaryOp::Shl, wide, amount, span);
        if signed {
            high = self.program.tree.explicit_cast(high, Types::long_long().into(), span);
        }
        let amount = self.program.int(i128::from(unused), span);
        let low = self.program.tree.operators().binary(BinaryOp::Shr, high, amount, span);
        Some(self.program.tree.explicit_cast(low, ty.into(), span))
    }
}

/// The largest integer that a unit of these bytes can be read as.
fn largest(start: u64, bytes: u64) -> u64 {
    [8, 4, 2].into_iter().find(|&size| bytes == size && start.is_multiple_of(size)).unwrap_or(1)
}
