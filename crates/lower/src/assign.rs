//! Assignments, increments, and copies of aggregates.
//!
//! A copy of an object moves one scalar at a time, or one unit where there are too many or they overlap (see
//! [`raddle_cfront::layout::access`]): that is the grain at which other threads can see it half done.

use raddle_cfront::ast::{BinaryOp as COp, ExprId};
use raddle_cfront::layout::access::{FEW, is_copied_by_members, pieces, unit};
use raddle_cfront::types::{ArrayLength, QualType, Type as CType, Types};
use raddle_ir::layout::unit_type;
use raddle_ir::{BinaryOp, CompareOp, InstKind, Operand, Ordering, RmwOp, Rvalue, Type};

use crate::atomic::Atomics;
use crate::code::Code;
use crate::place::{Body, Lvalue, Val, signed};
use crate::refused::Refused;
use crate::types::{self, Class};

/// Makes objects, and fills and copies them.
pub(crate) struct Objects<'c, 'l, 'a> {
    pub(crate) code: &'c mut Code<'l, 'a>,
}

impl Body<'_, '_> {
    /// `target = value`
    pub(crate) fn assignment(&mut self, target: ExprId, value: ExprId) -> Val {
        let ty = self.code.ast.exprs[target].ty;
        // The value before the place: C leaves the order open, and gcc does it so.
        let value = self.value(value);
        let place = self.lvalue(target);
        self.code.b.span = self.code.ast.exprs[target].span;
        match (value, place) {
            (Val::Scalar(value), place) => {
                let scalar = self.code.scalar_type(ty);
                Val::Scalar(self.code.write(place, value, scalar))
            }
            (Val::Aggregate(from), Lvalue::Memory(to, Ordering::Plain)) => {
                self.code.objects().copy(to, from, ty);
                Val::Aggregate(to)
            }
            // An atomic structure is written at once, as the integer of its size.
            (Val::Aggregate(from), Lvalue::Memory(to, ordering)) => {
                let Some(whole) = self.code.whole(ty) else { return self.code.refuse(Refused::LargeAtomic) };
                let value = self.code.b.load(from, whole, Ordering::Plain);
                self.code.b.store(to, value, whole, ordering);
                Val::Aggregate(from)
            }
            (Val::Aggregate(_), Lvalue::Register(_) | Lvalue::Bits { .. }) | (Val::Void, _) => Val::Void,
        }
    }

    /// The value of an atomic structure, taken at once.
    pub(crate) fn load_whole(&mut self, address: Operand, ty: QualType, ordering: Ordering) -> Val {
        let Some(whole) = self.code.whole(ty) else { return self.code.refuse(Refused::LargeAtomic) };
        let value = self.code.b.load(address, whole, ordering);
        let home = Operand::Register(self.temporary(ty, "temporary"));
        self.code.b.store(home, value, whole, Ordering::Plain);
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
        let ty = self.code.ast.exprs[target].ty;
        let value_ty = self.code.ast.exprs[value].ty;
        let place = self.lvalue(target);
        if let Lvalue::Memory(address, Ordering::SequentiallyConsistent) = place {
            let operand = self.scalar(value);
            return self.atomic_update(op, address, operand, value_ty, ty, computation, false);
        }
        let scalar = self.code.scalar_type(ty);
        let old = self.code.read(place, scalar);
        let right = self.scalar(value);
        self.code.b.span = self.code.ast.exprs[target].span;
        let new = self.combine(op, old, ty, right, value_ty, computation);
        Val::Scalar(self.code.write(place, new, scalar))
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
        if self.code.ordering(ty) == Ordering::SequentiallyConsistent
            && let Some((_, wrapping)) = self.code.atomics().atomic_operation(op, ty, computation)
        {
            let scalar = self.code.scalar_type(ty);
            let operand = self.code.convert_plain(right, right_ty, ty);
            return self.code.b.binary(wrapping, scalar, old, operand);
        }
        let left = self.code.convert_plain(old, ty, computation);
        let result = self.operate(op, left, computation, right, right_ty, computation);
        self.code.convert_plain(result, computation, ty)
    }

    /// `++`, `--`, before or after.
    pub(crate) fn increment(&mut self, operand: ExprId, minus: bool, post: bool) -> Val {
        let ty = self.code.ast.exprs[operand].ty;
        let place = self.lvalue(operand);
        let op = if minus { COp::Sub } else { COp::Add };
        let scalar = self.code.scalar_type(ty);
        let int_ty = QualType::plain(Types::int());
        let one = self.code.integer(1, int_ty);
        let computation = self.code.atomics().increment_type(ty);
        // Pointers move by one element; everything else adds a one of its own type.
        let (right, right_ty) = if self.code.ast.types.pointee(ty.id).is_some() {
            (one, int_ty)
        } else {
            (self.code.convert_plain(one, int_ty, computation), computation)
        };
        if let Lvalue::Memory(address, Ordering::SequentiallyConsistent) = place {
            // An atomic object is changed in one step, so reading and writing must not be apart.
            return self.atomic_update(op, address, right, right_ty, ty, computation, post);
        }
        let old = self.code.read(place, scalar);
        let new = self.combine(op, old, ty, right, right_ty, computation);
        let written = self.code.write(place, new, scalar);
        Val::Scalar(if post { old } else { written })
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
        let scalar = self.code.scalar_type(ty);
        let ordering = Ordering::SequentiallyConsistent;
        if let Some((rmw, computed)) = self.code.atomics().atomic_operation(op, ty, computation) {
            let operand = self.code.convert_plain(right, right_ty, ty);
            let dest = self.code.b.register(scalar, None);
            self.code.b.emit(InstKind::AtomicRmw {
                dest,
                op: rmw,
                address,
                value: operand,
                ty: scalar,
                ordering,
            });
            let old = Operand::Register(dest);
            if post {
                return Val::Scalar(old);
            }
            // It wraps around, as `atomic_fetch_add` does (C11 7.17.7.5), so nothing is checked.
            return Val::Scalar(self.code.b.binary(computed, scalar, old, operand));
        }
        // No instruction does it: read, compute, and try until nobody has come between.
        let seen = self.code.b.register(scalar, None);
        let first = self.code.b.load(address, scalar, ordering);
        self.code.b.set(seen, first);
        let (again, done) = (self.code.b.block(), self.code.b.block());
        self.code.b.fall_into(again);
        // A copy, because the exchange below writes to `seen`.
        let old = self.code.b.assign(scalar, Rvalue::Use(Operand::Register(seen)));
        let new = self.combine(op, old, ty, right, right_ty, computation);
        self.code.b.emit(InstKind::CompareExchange {
            dest: seen,
            address,
            expected: old,
            desired: new,
            ty: scalar,
            ordering,
            failure: ordering,
        });
        // Bits are compared, as the instruction does: a NaN must not go around for ever.
        let same = self.code.same_bits(Operand::Register(seen), old, scalar);
        self.code.b.branch(same, done, again);
        self.code.b.switch_to(done);
        Val::Scalar(if post { old } else { new })
    }

    /// GNU's cast to a union: a fresh object whose member of that type holds the value.
    pub(crate) fn union_of(&mut self, operand: ExprId, ty: QualType) -> Val {
        let from = self.code.ast.exprs[operand].ty;
        let value = self.value(operand);
        let home = Operand::Register(self.temporary(ty, "temporary"));
        match value {
            Val::Scalar(value) => {
                let scalar = self.code.scalar_type(from);
                self.code.b.store(home, value, scalar, Ordering::Plain);
            }
            Val::Aggregate(address) => self.code.objects().copy(home, address, from),
            Val::Void => {}
        }
        Val::Aggregate(home)
    }

    /// A new local object of a C type, its contents to be written.
    pub(crate) fn temporary(&mut self, ty: QualType, name: &str) -> raddle_ir::RegisterId {
        let register = self.code.objects().new_object(ty, name, false);
        self.scopes.note_temporary(&mut self.code, register, ty);
        register
    }
}

impl Code<'_, '_> {
    /// The integer as large as an atomic structure, if an instruction of the processor covers it.
    pub(crate) fn whole(&self, ty: QualType) -> Option<Type> {
        match types::size_of(self.ast, ty) {
            bytes @ (1 | 2 | 4 | 8 | 16) => Some(Type::Int(u8::try_from(bytes * 8).ok()?)),
            _ => None,
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
}

impl Atomics<'_, '_, '_> {
    /// The type in which `x + 1` is computed.
    fn increment_type(&self, ty: QualType) -> QualType {
        let narrow = types::integer_kind(self.code.ast, ty.id)
            .is_some_and(|kind| types::int_bits(self.code.ast, kind) < 32);
        QualType::plain(if narrow { Types::int() } else { self.code.ast.types.unqualified(ty) })
    }

    /// The operation that does in one step, and wraps around, what an operator does to an integer; with what it computes.
    fn atomic_operation(&self, op: COp, ty: QualType, computation: QualType) -> Option<(RmwOp, BinaryOp)> {
        let is_integer = |ty: QualType| matches!(self.code.class(ty), Class::Scalar(Type::Int(_)));
        if !is_integer(ty) || !is_integer(computation) || types::is_bool(self.code.ast, ty.id) {
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
}

impl Objects<'_, '_, '_> {
    /// Copies an object: member by member when they are few and none overlap, else by units; many units by a loop.
    pub(crate) fn copy(&mut self, to: Operand, from: Operand, ty: QualType) {
        let size = types::size_of(self.code.ast, ty);
        let alignment = raddle_cfront::layout::align_of(self.code.ast, ty).unwrap_or(1);
        let unit = unit(self.code.ast.model, alignment);
        if is_copied_by_members(self.code.ast, ty) {
            self.copy_members(to, from, ty, 0);
        } else if size <= FEW * unit {
            self.copy_units(to, from, (0, size), unit);
        } else {
            // The loop moves whole units, and what is left is moved behind it.
            let whole = size / unit * unit;
            let piece = unit_type(unit);
            self.code.each_offset(0, whole, unit, |code, offset| {
                let source = code.b.assign(Type::Ptr, Rvalue::PointerAdd(from, offset));
                let value = code.b.load(source, piece, Ordering::Plain);
                let target = code.b.assign(Type::Ptr, Rvalue::PointerAdd(to, offset));
                code.b.store(target, value, piece, Ordering::Plain);
            });
            self.copy_units(to, from, (whole, size), unit);
        }
    }

    fn copy_members(&mut self, to: Operand, from: Operand, ty: QualType, offset: u64) {
        let ast = self.code.ast;
        if let Class::Scalar(scalar) = self.code.class(ty) {
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
            let (to, from) =
                (self.code.b.offset(to, signed(offset)), self.code.b.offset(from, signed(offset)));
            self.copy_units(to, from, (0, size), unit(self.code.ast.model, alignment));
        }
    }

    fn copy_scalar(&mut self, to: Operand, from: Operand, offset: u64, ty: Type) {
        let source = self.code.b.offset(from, signed(offset));
        let value = self.code.b.load(source, ty, Ordering::Plain);
        let target = self.code.b.offset(to, signed(offset));
        self.code.b.store(target, value, ty, Ordering::Plain);
    }

    /// Copies the bytes from an offset up to a size by units.
    fn copy_units(&mut self, to: Operand, from: Operand, (start, size): (u64, u64), unit: u64) {
        for (offset, bytes) in pieces(start, size, unit) {
            self.copy_scalar(to, from, offset, unit_type(bytes));
        }
    }

    /// A new local object of a C type.
    pub(crate) fn new_object(&mut self, ty: QualType, name: &str, zeroed: bool) -> raddle_ir::RegisterId {
        let size = types::size_of(self.code.ast, ty);
        let align = raddle_cfront::layout::align_of(self.code.ast, ty).unwrap_or(1);
        let shape = types::shape(self.code.ast, ty);
        self.code.b.local(size, align, zeroed, name, shape)
    }

    /// Converts for an initialiser or argument where the front end has made the conversions already.
    pub(crate) fn store_value(&mut self, to: Operand, value: Val, ty: QualType) {
        match value {
            Val::Scalar(value) => {
                let scalar = self.code.scalar_type(ty);
                self.code.b.store(to, value, scalar, Ordering::Plain);
            }
            Val::Aggregate(from) => self.copy(to, from, ty),
            Val::Void => {}
        }
    }
}
