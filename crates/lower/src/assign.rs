//! Assignments, increments, and copies of aggregates.

use raddle_cfront::ast::{BinaryOp as COp, ExprId};
use raddle_cfront::types::{ArrayLength, IntKind, QualType, Type as CType, Types};
use raddle_ir::{CompareOp, InstKind, Operand, Ordering, RmwOp, Rvalue, Type};

use crate::place::{Body, Lvalue, Val, signed};
use crate::types::{self, Class};

/// Bytes of a type in memory.
pub(crate) fn bytes(ty: Type, pointer_bits: u8) -> u64 {
    let bits = match ty {
        Type::Int(bits) => bits,
        Type::F32 => 32,
        Type::F64 => 64,
        Type::Ptr => pointer_bits,
    };
    u64::from(bits).div_ceil(8)
}

impl Body<'_, '_> {
    /// `target = value`
    pub(crate) fn assignment(&mut self, target: ExprId, value: ExprId) -> Val {
        let ty = self.ast.exprs[target].ty;
        let value = self.value(value);
        let place = self.lvalue(target);
        self.b.span = self.ast.exprs[target].span;
        match (value, place) {
            (Val::Scalar(value), place) => {
                let scalar = self.scalar_type(ty);
                Val::Scalar(self.write(place, value, scalar))
            }
            (Val::Aggregate(from), Lvalue::Memory(to, _)) => {
                self.copy(to, from, ty);
                Val::Aggregate(to)
            }
            (Val::Aggregate(_), Lvalue::Register(_) | Lvalue::Bits { .. }) | (Val::Void, _) => Val::Void,
        }
    }

    /// `target op= value`
    pub(crate) fn compound_assignment(
        &mut self,
        op: COp,
        target: ExprId,
        value: ExprId,
        computation: QualType,
    ) -> Val {
        let ty = self.ast.exprs[target].ty;
        let value_ty = self.ast.exprs[value].ty;
        let place = self.lvalue(target);
        if let Lvalue::Memory(address, Ordering::SequentiallyConsistent) = place {
            let operand = self.scalar(value);
            return self.atomic_update(op, address, operand, value_ty, ty, computation, false);
        }
        let scalar = self.scalar_type(ty);
        let old = self.read(place, scalar);
        let right = self.scalar(value);
        self.b.span = self.ast.exprs[target].span;
        let new = self.combine(op, old, ty, right, value_ty, computation);
        Val::Scalar(self.write(place, new, scalar))
    }

    /// The new value of a compound assignment: converted to the computation type, combined, and back.
    fn combine(
        &mut self,
        op: COp,
        old: Operand,
        ty: QualType,
        right: Operand,
        right_ty: QualType,
        computation: QualType,
    ) -> Operand {
        let left = self.convert_plain(old, ty, computation);
        let result = self.operate(op, left, computation, right, right_ty, computation);
        self.convert_plain(result, computation, ty)
    }

    /// `++`, `--`, before or after.
    pub(crate) fn increment(&mut self, operand: ExprId, minus: bool, post: bool) -> Val {
        let ty = self.ast.exprs[operand].ty;
        let place = self.lvalue(operand);
        let op = if minus { COp::Sub } else { COp::Add };
        let scalar = self.scalar_type(ty);
        let int_ty = QualType::plain(Types::int());
        let one = self.integer(1, int_ty);
        let computation = self.increment_type(ty);
        let (right, right_ty) = if self.ast.types.pointee(ty.id).is_some() {
            (one, int_ty)
        } else {
            (self.convert_plain(one, int_ty, computation), computation)
        };
        if let Lvalue::Memory(address, Ordering::SequentiallyConsistent) = place {
            return self.atomic_update(op, address, right, right_ty, ty, computation, post);
        }
        let old = self.read(place, scalar);
        let new = self.combine(op, old, ty, right, right_ty, computation);
        let written = self.write(place, new, scalar);
        Val::Scalar(if post { old } else { written })
    }

    /// The type in which `x + 1` is computed.
    fn increment_type(&self, ty: QualType) -> QualType {
        match types::integer_kind(self.ast, ty.id) {
            Some(kind) if types::int_bits(self.ast, kind) < 32 => QualType::plain(Types::int()),
            _ => QualType::plain(self.ast.types.unqualified(ty)),
        }
    }

    /// A read-modify-write of an `_Atomic` object: one instruction where there is one, else a loop around compare-exchange.
    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    fn atomic_update(
        &mut self,
        op: COp,
        address: Operand,
        right: Operand,
        right_ty: QualType,
        ty: QualType,
        computation: QualType,
        post: bool,
    ) -> Val {
        let scalar = self.scalar_type(ty);
        let ordering = Ordering::SequentiallyConsistent;
        let simple = match op {
            COp::Add => Some(RmwOp::Add),
            COp::Sub => Some(RmwOp::Sub),
            COp::BitAnd => Some(RmwOp::And),
            COp::BitOr => Some(RmwOp::Or),
            COp::BitXor => Some(RmwOp::Xor),
            _ => None,
        };
        let is_bool = matches!(self.ast.types.kind(ty.id), CType::Int(IntKind::Bool));
        let int_computation = matches!(self.class(computation), Class::Scalar(Type::Int(_)));
        if let (Some(rmw), Type::Int(_), false, true) = (simple, scalar, is_bool, int_computation) {
            let operand = self.convert_plain(right, right_ty, ty);
            let dest = self.b.register(scalar, None);
            self.b.emit(InstKind::AtomicRmw { dest, op: rmw, address, value: operand, ty: scalar, ordering });
            let old = Operand::Register(dest);
            if post {
                return Val::Scalar(old);
            }
            return Val::Scalar(self.combine(op, old, ty, right, right_ty, computation));
        }
        let seen = self.b.register(scalar, None);
        let first = self.b.load(address, scalar, ordering);
        self.b.set(seen, first);
        let (again, done) = (self.b.block(), self.b.block());
        self.b.fall_into(again);
        let old = self.b.assign(scalar, Rvalue::Use(Operand::Register(seen)));
        let new = self.combine(op, old, ty, right, right_ty, computation);
        self.b.emit(InstKind::CompareExchange {
            dest: seen,
            address,
            expected: old,
            desired: new,
            ty: scalar,
            ordering,
        });
        let same = self.same_bits(Operand::Register(seen), old, scalar);
        self.b.branch(same, done, again);
        self.b.switch_to(done);
        Val::Scalar(if post { old } else { new })
    }

    /// Whether two scalars have the same bits (a NaN equals itself).
    pub(crate) fn same_bits(&mut self, left: Operand, right: Operand, ty: Type) -> Operand {
        let bits = match ty {
            Type::F32 => Some(Type::Int(32)),
            Type::F64 => Some(Type::Int(64)),
            Type::Int(_) | Type::Ptr => None,
        };
        let (left, right) = match bits {
            Some(bits) => (
                self.b.cast(raddle_ir::CastOp::Bits, bits, left),
                self.b.cast(raddle_ir::CastOp::Bits, bits, right),
            ),
            None => (left, right),
        };
        self.b.compare(CompareOp::Equal, left, right)
    }

    /// Copies an object, one scalar at a time: that is the grain at which other threads can see it half done.
    pub(crate) fn copy(&mut self, to: Operand, from: Operand, ty: QualType) {
        if types::holds_union(self.ast, ty) || !self.few_members(ty) {
            self.copy_words(to, from, types::size_of(self.ast, ty));
        } else {
            self.copy_members(to, from, ty, 0);
        }
    }

    /// Large arrays are copied by words as well: as exact, and with fewer instructions.
    fn few_members(&self, ty: QualType) -> bool {
        const FEW: u64 = 64;
        types::size_of(self.ast, ty) <= FEW * 8
    }

    fn copy_members(&mut self, to: Operand, from: Operand, ty: QualType, offset: u64) {
        match self.ast.types.kind(ty.id).clone() {
            CType::Record(id) => {
                let fields = self.ast.records[id].fields.clone().unwrap_or_default();
                for field in fields {
                    self.copy_members(to, from, field.ty, offset + field.bit_offset / 8);
                }
            }
            CType::Array { element, length: ArrayLength::Fixed(count) } => {
                let stride = types::size_of(self.ast, element);
                for index in 0..count {
                    self.copy_members(to, from, element, offset + index * stride);
                }
            }
            _ => {
                if let Class::Scalar(scalar) = self.class(ty) {
                    self.copy_scalar(to, from, offset, scalar);
                } else {
                    let size = types::size_of(self.ast, ty);
                    let (to, from) = (self.b.offset(to, signed(offset)), self.b.offset(from, signed(offset)));
                    self.copy_words(to, from, size);
                }
            }
        }
    }

    fn copy_scalar(&mut self, to: Operand, from: Operand, offset: u64, ty: Type) {
        let source = self.b.offset(from, signed(offset));
        let value = self.b.load(source, ty, Ordering::Plain);
        let target = self.b.offset(to, signed(offset));
        self.b.store(target, value, ty, Ordering::Plain);
    }

    fn copy_words(&mut self, to: Operand, from: Operand, size: u64) {
        let mut offset = 0;
        let word = u64::from(self.b.pointer_bits / 8);
        while offset < size {
            let rest = size - offset;
            let step =
                [word, 4, 2, 1].into_iter().find(|&step| step <= rest && offset % step == 0).unwrap_or(1);
            let bits = u8::try_from(step * 8).expect("a word has at most 64 bits");
            self.copy_scalar(to, from, offset, Type::Int(bits));
            offset += step;
        }
    }

    /// GNU's cast to a union: a fresh object whose member of that type holds the value.
    pub(crate) fn to_union(&mut self, operand: ExprId, ty: QualType) -> Val {
        let from = self.ast.exprs[operand].ty;
        let value = self.value(operand);
        let home = Operand::Register(self.temporary(ty, "temporary"));
        match value {
            Val::Scalar(value) => {
                let scalar = self.scalar_type(from);
                self.b.store(home, value, scalar, Ordering::Plain);
            }
            Val::Aggregate(address) => self.copy(home, address, from),
            Val::Void => {}
        }
        Val::Aggregate(home)
    }

    /// A new local object of a C type.
    pub(crate) fn temporary(&mut self, ty: QualType, name: &str) -> raddle_ir::RegisterId {
        let size = types::size_of(self.ast, ty);
        let align = raddle_cfront::layout::align_of(self.ast, ty).unwrap_or(1);
        let shape = types::shape(self.ast, ty);
        self.b.local(size, align, false, name, shape)
    }

    /// Converts for an initialiser or argument where the front end has made the conversions already.
    pub(crate) fn store_value(&mut self, to: Operand, value: Val, ty: QualType) {
        match value {
            Val::Scalar(value) => {
                let scalar = self.scalar_type(ty);
                self.b.store(to, value, scalar, Ordering::Plain);
            }
            Val::Aggregate(from) => self.copy(to, from, ty),
            Val::Void => {}
        }
    }
}
