//! Copies of structures in shared memory, piece by piece, as lowering makes them
//! ([`raddle_cfront::layout::access`]): each piece is read and then written, before the next one is read.

use raddle_cfront::ast::{BinaryOp, CastKind, ExprId, ExprKind, RecordId, StmtKind, UnaryOp, VarId};
use raddle_cfront::layout::access::{FEW, is_copied_by_members, pieces, unit};
use raddle_cfront::layout::{align_of, size_of};
use raddle_cfront::types::{ArrayLength, QualType, Qualifiers, Type, Types};

use super::Simplifier;
use crate::access::is_atomic;
use crate::copy::copy_expr;
use crate::passes::declarations::assignable;
use crate::views::integer_of;

/// One step from an object to a part of it.
#[derive(Clone, Copy, Debug)]
enum CopyStep {
    Field(RecordId, u32),
    Element(u64),
}

/// A scalar in an object.
#[derive(Clone, Debug)]
struct Leaf {
    way: Vec<CopyStep>,
    offset: u64,
    ty: QualType,
}

impl Simplifier<'_> {
    /// Whether a copy to or from this lvalue is made of several accesses that can be distinguished.
    pub(super) fn splits(&self, place: ExprId) -> bool {
        let ast = self.program.ast();
        let ty = ast.exprs[place].ty;
        matches!(ast.types.kind(ty.id), Type::Record(_))
            && size_of(ast, ty).is_ok()
            && self.is_shared(place)
            && !is_atomic(ast, place)
    }

    /// The scalars in an object of this type, in order.
    fn leaves(&self, ty: QualType) -> Vec<Leaf> {
        let mut found = Vec::new();
        self.collect(ty, 0, &mut Vec::new(), &mut found);
        found
    }

    fn collect(&self, ty: QualType, offset: u64, way: &mut Vec<CopyStep>, found: &mut Vec<Leaf>) {
        let ast = self.program.ast();
        match *ast.types.kind(ty.id) {
            Type::Record(id) => {
                for (place, field) in (0_u32..).zip(ast.records[id].fields.iter().flatten()) {
                    way.push(CopyStep::Field(id, place));
                    self.collect(field.ty, offset + field.bit_offset / 8, way, found);
                    way.pop();
                }
            }
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                let stride = size_of(ast, element).unwrap_or(0);
                for place in 0..length {
                    way.push(CopyStep::Element(place));
                    self.collect(element, offset + place * stride, way, found);
                    way.pop();
                }
            }
            // A flexible member is not copied.
            Type::Array { .. } => {}
            Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::Enum(_)
            | Type::Typedef(_)
            | Type::VaList
            | Type::Function(_)
            | Type::Void
            | Type::Error => found.push(Leaf { way: way.clone(), offset, ty }),
        }
    }

    /// The part of an object that a way leads to.
    fn part(&mut self, object: ExprId, leaf: &Leaf) -> ExprId {
        let ty = self.program.ast().exprs[object].ty;
        if !assignable(self.program, self.program.ast().types.unqualified(ty).into()) {
            // A constant member cannot be named where it gets its value.
            let ty = self.program.ast().types.unqualified(leaf.ty);
            return self.program.view(object, leaf.offset, ty);
        }
        let mut place = copy_expr(self.program, object);
        let span = self.program.ast().exprs[object].span;
        for &step in &leaf.way {
            let qualifiers = self.program.ast().types.qualifiers(self.program.ast().exprs[place].ty);
            let qualifiers = qualifiers.without(Qualifiers::ATOMIC);
            match step {
                CopyStep::Field(record, field) => {
                    let fields = self.program.ast().records[record].fields.as_deref().unwrap_or_default();
                    let Some(ty) = fields.get(field as usize).map(|field| field.ty.with(qualifiers)) else {
                        return place;
                    };
                    let kind = ExprKind::Member { base: place, record, field, arrow: false };
                    place = self.program.tree.expr(kind, ty, true, span);
                }
                CopyStep::Element(index) => {
                    let index = self.program.int(i128::from(index), span);
                    place = self.program.tree.primaries().index(place, index, span);
                }
            }
        }
        place
    }

    /// Reads a structure into a variable of one's own.
    pub(super) fn read_record(&mut self, place: ExprId) -> ExprId {
        let (ty, span) = (self.program.ast().exprs[place].ty, self.program.ast().exprs[place].span);
        let ty = self.program.ast().types.unqualified(ty);
        let hint = self.place_name(place);
        let var = self.temporary(&hint, ty, span);
        let target = self.program.var(var, span);
        self.copy_record(target, place);
        self.program.read(var, span)
    }

    /// `target = value` for structures in shared memory. Gives the value of the whole if it is wanted.
    pub(super) fn assign_record(&mut self, target: ExprId, value: ExprId, wanted: bool) -> Option<ExprId> {
        let from = self.source(value, target);
        let place = self.place(target);
        self.copy_record(place, from);
        if !wanted {
            return None;
        }
        let copy = copy_expr(self.program, place);
        let load = self.program.tree.rvalue(copy);
        Some(self.value(load))
    }

    /// The lvalue that a structure is copied from, before the lvalue that it goes to is looked for.
    fn source(&mut self, value: ExprId, target: ExprId) -> ExprId {
        let span = self.program.ast().exprs[value].span;
        let place = match self.program.ast().exprs[value].kind {
            ExprKind::Cast { kind: CastKind::Load, operand, explicit: false } if self.splits(operand) => {
                self.place(operand)
            }
            // What was written is read again.
            ExprKind::Assign(inner, value) if self.splits(inner) => {
                self.assign(inner, value, false);
                copy_expr(self.program, inner)
            }
            _ => {
                let value = self.child(value);
                let place = self.program.bare(value);
                if !self.program.ast().exprs[place].lvalue {
                    let var = self.keep(value, "whole");
                    return self.program.var(var, span);
                }
                place
            }
        };
        if self.is_plain(target) {
            return place;
        }
        // What is done to find the target must not move the source.
        let address = self.program.tree.operators().unary(UnaryOp::AddressOf, place, span);
        let var = self.keep(address, "from");
        let pointer = self.program.var(var, span);
        self.program.tree.operators().unary(UnaryOp::Deref, pointer, span)
    }

    /// Copies a structure as lowering does.
    fn copy_record(&mut self, to: ExprId, from: ExprId) {
        let ast = self.program.ast();
        let ty = ast.exprs[to].ty;
        if is_copied_by_members(ast, ty) {
            for leaf in self.leaves(ty) {
                let (target, source) = (self.part(to, &leaf), self.part(from, &leaf));
                self.copy_piece(target, source);
            }
            return;
        }
        let (size, alignment) = (size_of(ast, ty).unwrap_or(0), align_of(ast, ty).unwrap_or(1));
        let unit = unit(ast.model, alignment);
        let mut start = 0;
        if size > FEW * unit {
            start = size / unit * unit;
            self.copy_loop(to, from, start / unit, unit);
        }
        for (offset, bytes) in pieces(start, size, unit) {
            let ty = integer_of(bytes);
            let (target, source) = (self.program.view(to, offset, ty), self.program.view(from, offset, ty));
            self.copy_piece(target, source);
        }
    }

    fn copy_piece(&mut self, target: ExprId, source: ExprId) {
        let value = self.program.tree.rvalue(source);
        self.assign(target, value, false);
    }

    /// `for (place = 0; place < count; place++)`, with the copy of a unit in it.
    fn copy_loop(&mut self, to: ExprId, from: ExprId, count: u64, unit: u64) {
        let span = self.program.ast().exprs[to].span;
        let place = self.temporary("place", Types::long(), span);
        let zero = self.program.int(0, span);
        let target = self.program.var(place, span);
        let start = self.program.assign_stmt(target, zero, self.like);
        self.out.push(start);
        let (counted, last) = (self.program.var(place, span), self.program.int(i128::from(count), span));
        let condition = self.program.tree.operators().binary(BinaryOp::Less, counted, last, span);
        let condition = self.program.tree.condition(condition);
        let list = self.aside(|inner| {
            let (target, source) = (inner.element(to, place, unit), inner.element(from, place, unit));
            inner.copy_piece(target, source);
            let (counted, one) = (inner.program.var(place, span), inner.program.int(1, span));
            let next = inner.program.tree.operators().binary(BinaryOp::Add, counted, one, span);
            let target = inner.program.var(place, span);
            let step = inner.program.assign_stmt(target, next, inner.like);
            inner.out.push(step);
        });
        let body = self.program.block(list, self.like);
        let repeat = self.program.stmt(StmtKind::While { condition, body }, self.like);
        self.out.push(repeat);
    }

    /// The unit of an object that a variable counts.
    fn element(&mut self, object: ExprId, place: VarId, unit: u64) -> ExprId {
        let span = self.program.ast().exprs[object].span;
        let (bytes, start) = self.program.bytes_of(object);
        let (place, unit_size) = (self.program.var(place, span), self.program.int(i128::from(unit), span));
        let mut offset = self.program.tree.operators().binary(BinaryOp::Mul, place, unit_size, span);
        if start > 0 {
            let start = self.program.int(i128::from(start), span);
            offset = self.program.tree.operators().binary(BinaryOp::Add, offset, start, span);
        }
        let at = self.program.tree.operators().binary(BinaryOp::Add, bytes, offset, span);
        self.program.at(at, integer_of(unit))
    }
}
