//! Assignments, increments, and copies of aggregates.
//!
//! A copy of an object moves one scalar at a time, or one unit where there are too many or they overlap (see
//! [`raddle_cfront::layout::access`]): that is the grain at which other threads can see it half done.

use raddle_cfront::ast::{BinaryOp as COp, ExprId};
use raddle_cfront::layout::access::{FEW, is_copied_by_members, pieces, unit};
use raddle_cfront::types::{ArrayLength, QualType, Type as CType, Types};
use raddle_ir::layout::unit_type;
use raddle_ir::{BinaryOp, CompareOp, InstKind, Operand, Ordering, RmwOp, Rvalue, Type};

use crate::place::{Body, Lvalue, Val, signed};
use crate::refused::Refused;
use crate::types::{self, Class};

impl Body<'_, '_> {
    /// `target = value`
    pub(crate) fn assignment(&mut self, target: ExprId, value: ExprId) -> Val {
        let ty = self.ast.exprs[target].ty;
        // The value before the place: C leaves the order open, and gcc does it so.
        let value = self.value(value);
        let place = self.lvalue(target);
        self.b.span = self.ast.exprs[target].span;
        match (value, place) {
            (Val::Scalar(value), place) => {
                let scalar = self.scalar_type(ty);
                Val::Scalar(self.write(place, value, scalar))
            }
            (Val::Aggregate(from), Lvalue::Memory(to, Ordering::Plain)) => {
                self.copy(to, from, ty);
                Val::Aggregate(to)
            }
            // An atomic structure is written at once, as the integer of its size.
            (Val::Aggregate(from), Lvalue::Memory(to, ordering)) => {
                let Some(whole) = self.whole(ty) else { return self.refuse(Refused::LargeAtomic) };
                let value = self.b.load(from, whole, Ordering::Plain);
                self.b.store(to, value, whole, ordering);
                Val::Aggregate(from)
            }
            (Val::Aggregate(_), Lvalue::Register(_) | Lvalue::Bits { .. }) | (Val::Void, _) => Val::Void,
        }
    }

    /// The integer as large as an atomic structure, if an instruction of the processor covers it.
    pub(crate) fn whole(&self, ty: QualType) -> Option<Type> {
        match types::size_of(self.ast, ty) {
            bytes @ (1 | 2 | 4 | 8 | 16) => Some(Type::Int(u8::try_from(bytes * 8).ok()?)),
            _ => None,
        }
    }

    /// The value of an atomic structure, taken at once.
    pub(crate) fn load_whole(&mut self, address: Operand, ty: QualType, ordering: Ordering) -> Val {
        let Some(whole) = self.whole(ty) else { return self.refuse(Refused::LargeAtomic) };
        let value = self.b.load(address, whole, ordering);
        let home = Operand::Register(self.temporary(ty, "temporary"));
        self.b.store(home, value, whole, Ordering::Plain);
        Val::Aggregate(home)
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
        // On `_Atomic` objects these wrap around, as `atomic_fetch_add` does (C11 7.17.7.5), so nothing is checked.
        // The operation is one instruction, so the value is computed again from what that read.
        if self.ordering(ty) == Ordering::SequentiallyConsistent
            && let Some((_, wrapping)) = self.atomic_operation(op, ty, computation)
        {
            let scalar = self.scalar_type(ty);
            let operand = self.convert_plain(right, right_ty, ty);
            return self.b.binary(wrapping, scalar, old, operand);
        }
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
        // Pointers move by one element; everything else adds a one of its own type.
        let (right, right_ty) = if self.ast.types.pointee(ty.id).is_some() {
            (one, int_ty)
        } else {
            (self.convert_plain(one, int_ty, computation), computation)
        };
        if let Lvalue::Memory(address, Ordering::SequentiallyConsistent) = place {
            // An atomic object is changed in one step, so reading and writing must not be apart.
            return self.atomic_update(op, address, right, right_ty, ty, computation, post);
        }
        let old = self.read(place, scalar);
        let new = self.combine(op, old, ty, right, right_ty, computation);
        let written = self.write(place, new, scalar);
        Val::Scalar(if post { old } else { written })
    }

    /// The type in which `x + 1` is computed.
    fn increment_type(&self, ty: QualType) -> QualType {
        let narrow =
            types::integer_kind(self.ast, ty.id).is_some_and(|kind| types::int_bits(self.ast, kind) < 32);
        QualType::plain(if narrow { Types::int() } else { self.ast.types.unqualified(ty) })
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
        if let Some((rmw, computed)) = self.atomic_operation(op, ty, computation) {
            let operand = self.convert_plain(right, right_ty, ty);
            let dest = self.b.register(scalar, None);
            self.b.emit(InstKind::AtomicRmw { dest, op: rmw, address, value: operand, ty: scalar, ordering });
            let old = Operand::Register(dest);
            if post {
                return Val::Scalar(old);
            }
            // It wraps around, as `atomic_fetch_add` does (C11 7.17.7.5), so nothing is checked.
            return Val::Scalar(self.b.binary(computed, scalar, old, operand));
        }
        // No instruction does it: read, compute, and try until nobody has come between.
        let seen = self.b.register(scalar, None);
        let first = self.b.load(address, scalar, ordering);
        self.b.set(seen, first);
        let (again, done) = (self.b.block(), self.b.block());
        self.b.fall_into(again);
        // A copy, because the exchange below writes to `seen`.
        let old = self.b.assign(scalar, Rvalue::Use(Operand::Register(seen)));
        let new = self.combine(op, old, ty, right, right_ty, computation);
        self.b.emit(InstKind::CompareExchange {
            dest: seen,
            address,
            expected: old,
            desired: new,
            ty: scalar,
            ordering,
            failure: ordering,
        });
        // Bits are compared, as the instruction does: a NaN must not go around for ever.
        let same = self.same_bits(Operand::Register(seen), old, scalar);
        self.b.branch(same, done, again);
        self.b.switch_to(done);
        Val::Scalar(if post { old } else { new })
    }

    /// The operation that does in one step, and wraps around, what an operator does to an integer; with what it computes.
    fn atomic_operation(&self, op: COp, ty: QualType, computation: QualType) -> Option<(RmwOp, BinaryOp)> {
        let is_integer = |ty: QualType| matches!(self.class(ty), Class::Scalar(Type::Int(_)));
        if !is_integer(ty) || !is_integer(computation) || types::is_bool(self.ast, ty.id) {
            return None;
        }
        match op {
            COp::Add => Some((RmwOp::Add, BinaryOp::Add)),
            COp::Sub => Some((RmwOp::Sub, BinaryOp::Sub)),
            COp::BitAnd => Some((RmwOp::And, BinaryOp::And)),
            COp::BitOr => Some((RmwOp::Or, BinaryOp::Or)),
            COp::BitXor => Some((RmwOp::Xor, BinaryOp::Xor)),
            COp::Mul
            | COp::Div
            | COp::Rem
            | COp::Shl
            | COp::Shr
            | COp::Less
            | COp::Greater
            | COp::LessEqual
            | COp::GreaterEqual
            | COp::Equal
            | COp::NotEqual
            | COp::And
            | COp::Or => None,
        }
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

    /// Copies an object: member by member when they are few and none overlap, else by units; many units by a loop.
    pub(crate) fn copy(&mut self, to: Operand, from: Operand, ty: QualType) {
        let size = types::size_of(self.ast, ty);
        let alignment = raddle_cfront::layout::align_of(self.ast, ty).unwrap_or(1);
        let unit = unit(self.ast.model, alignment);
        if is_copied_by_members(self.ast, ty) {
            self.copy_members(to, from, ty, 0);
        } else if size <= FEW * unit {
            self.copy_units(to, from, (0, size), unit);
        } else {
            // The loop moves whole units, and what is left is moved behind it.
            let whole = size / unit * unit;
            let piece = unit_type(unit);
            self.each_offset(0, whole, unit, |body, offset| {
                let source = body.b.assign(Type::Ptr, Rvalue::PointerAdd(from, offset));
                let value = body.b.load(source, piece, Ordering::Plain);
                let target = body.b.assign(Type::Ptr, Rvalue::PointerAdd(to, offset));
                body.b.store(target, value, piece, Ordering::Plain);
            });
            self.copy_units(to, from, (whole, size), unit);
        }
    }

    /// A loop whose offset goes from `start` up to `end` in steps of `stride`; it runs at least once.
    pub(crate) fn each_offset(
        &mut self,
        start: u64,
        end: u64,
        stride: u64,
        work: impl FnOnce(&mut Self, Operand),
    ) {
        let ty = self.b.size_type();
        let counter = self.b.register(ty, None);
        let (first, last, step) = (self.b.size(start), self.b.size(end), self.b.size(stride));
        self.b.set(counter, first);
        let (again, after) = (self.b.block(), self.b.block());
        self.b.fall_into(again);
        let offset = self.b.assign(ty, Rvalue::Use(Operand::Register(counter)));
        work(self, offset);
        let next = self.b.binary(BinaryOp::Add, ty, offset, step);
        self.b.set(counter, next);
        let more = self.b.compare(CompareOp::UnsignedLess, next, last);
        self.b.branch(more, again, after);
        self.b.switch_to(after);
    }

    fn copy_members(&mut self, to: Operand, from: Operand, ty: QualType, offset: u64) {
        let ast = self.ast;
        if let Class::Scalar(scalar) = self.class(ty) {
            self.copy_scalar(to, from, offset, scalar);
        } else if let CType::Record(id) = ast.types.kind(ty.id) {
            for field in ast.records[*id].fields.iter().flatten() {
                // Field by field, so that padding is not read, which nobody has written.
                self.copy_members(to, from, field.ty, offset + field.bit_offset / 8);
            }
        } else if let CType::Array { element, length: ArrayLength::Fixed(count) } = ast.types.kind(ty.id) {
            let stride = types::size_of(ast, *element);
            for index in 0..*count {
                self.copy_members(to, from, *element, offset + index * stride);
            }
        } else {
            let size = types::size_of(ast, ty);
            let alignment = raddle_cfront::layout::align_of(ast, ty).unwrap_or(1);
            // An aggregate of a size that is not known as fields.
            let (to, from) = (self.b.offset(to, signed(offset)), self.b.offset(from, signed(offset)));
            self.copy_units(to, from, (0, size), unit(self.ast.model, alignment));
        }
    }

    fn copy_scalar(&mut self, to: Operand, from: Operand, offset: u64, ty: Type) {
        let source = self.b.offset(from, signed(offset));
        let value = self.b.load(source, ty, Ordering::Plain);
        let target = self.b.offset(to, signed(offset));
        self.b.store(target, value, ty, Ordering::Plain);
    }

    /// Copies the bytes from an offset up to a size by units.
    fn copy_units(&mut self, to: Operand, from: Operand, (start, size): (u64, u64), unit: u64) {
        for (offset, bytes) in pieces(start, size, unit) {
            self.copy_scalar(to, from, offset, unit_type(bytes));
        }
    }

    /// GNU's cast to a union: a fresh object whose member of that type holds the value.
    pub(crate) fn union_of(&mut self, operand: ExprId, ty: QualType) -> Val {
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

    /// A new local object of a C type, its contents to be written.
    pub(crate) fn temporary(&mut self, ty: QualType, name: &str) -> raddle_ir::RegisterId {
        let register = self.new_object(ty, name, false);
        self.note_temporary(register, ty);
        register
    }

    /// A new local object of a C type.
    pub(crate) fn new_object(&mut self, ty: QualType, name: &str, zeroed: bool) -> raddle_ir::RegisterId {
        let size = types::size_of(self.ast, ty);
        let align = raddle_cfront::layout::align_of(self.ast, ty).unwrap_or(1);
        let shape = types::shape(self.ast, ty);
        self.b.local(size, align, zeroed, name, shape)
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
