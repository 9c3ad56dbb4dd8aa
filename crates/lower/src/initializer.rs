//! Initialisers of local objects.
//!
//! An object with a list in braces starts as zeros, so only what the list names is stored.

use raddle_cfront::ast::{ExprKind, Init, InitPart, Subobject};
use raddle_cfront::types::{ArrayLength, QualType, Type as CType};
use raddle_ir::{Constant, Operand, Ordering, Type};

use crate::assign::Objects;
use crate::code::Code;
use crate::function::int;
use crate::global::opaque_constant;
use crate::place::{Body, Lvalue, signed};
use crate::types::{self, Class};

/// A range of more elements than this is filled by a loop.
const FEW_ELEMENTS: u64 = 16;

impl Body<'_, '_> {
    /// The value of a scalar's initialiser, perhaps in braces.
    pub(crate) fn scalar_initializer(&mut self, init: &Init, ty: QualType) -> Operand {
        match init {
            Init::Expr(expr) => self.scalar(*expr),
            Init::Aggregate(parts) => match parts.first() {
                Some(part) => self.scalar_initializer(&part.value, ty),
                None => self.code.zero(ty),
            },
        }
    }

    /// Initialises the object at an address, which holds zeros if [`starts_as_zeros`](Objects::starts_as_zeros) says so.
    pub(crate) fn initialize(&mut self, address: Operand, init: &Init, ty: QualType) {
        match init {
            Init::Expr(expr) => {
                if let ExprKind::String(literal) = &self.code.ast.exprs[*expr].kind
                    && matches!(self.code.ast.types.kind(ty.id), CType::Array { .. })
                {
                    // A string is stored unit by unit; the zeros are there.
                    let units = literal.units.clone();
                    return self.code.objects().initialize_string(address, &units, ty);
                }
                // Values of types without arithmetic are stored as bytes.
                if let Some(parts) = opaque_constant(self.code.ast, *expr, ty) {
                    for (offset, value) in parts {
                        let target = self.code.b.offset(address, signed(offset));
                        self.code.b.store(target, Operand::Constant(value), value.ty(), Ordering::Plain);
                    }
                    return;
                }
                let value = self.value(*expr);
                self.code.objects().store_value(address, value, ty);
            }
            Init::Aggregate(parts) => {
                for part in parts {
                    self.initialize_part(address, part, ty);
                }
            }
        }
    }

    fn initialize_part(&mut self, address: Operand, part: &InitPart, ty: QualType) {
        match (part.subobject, self.code.ast.types.kind(ty.id).clone()) {
            (Subobject::Field(index), CType::Record(id)) => {
                let fields = self.code.ast.records[id].fields.as_deref().unwrap_or_default();
                let Some(field) = fields.get(index as usize) else { return };
                let (field_ty, bit_field) = (field.ty, field.width.is_some());
                // A bit-field shares its bytes, so it is read, changed and written.
                let place = self.code.member(address, id, index);
                if bit_field {
                    let value = self.scalar_initializer(&part.value, field_ty);
                    let scalar = self.code.scalar_type(field_ty);
                    self.code.write(place, value, scalar);
                } else if let Lvalue::Memory(target, _) = place {
                    self.initialize(target, &part.value, field_ty);
                }
            }
            (Subobject::Elements { first, last }, CType::Array { element, .. }) => {
                let stride = types::size_of(self.code.ast, element);
                // The value of a range is evaluated once.
                let start = self.code.b.offset(address, signed(first.saturating_mul(stride)));
                self.initialize(start, &part.value, element);
                // Later elements of the range are copies of the first, so effects happen once.
                self.code.objects().repeat_element(address, start, (first + 1, last), element);
            }
            _ => {
                // A scalar in braces.
                let value = self.scalar_initializer(&part.value, ty);
                let scalar = self.code.scalar_type(ty);
                self.code.b.store(address, value, scalar, Ordering::Plain);
            }
        }
    }

    /// `(type){ … }` in a function: an object of its own, filled each time it is met.
    pub(crate) fn compound_literal(&mut self, init: &Init, ty: QualType) -> Operand {
        // Where control cannot come again, making it once is enough.
        let zeroed = self.code.objects().starts_as_zeros(init);
        if !self.scopes.comes_again() {
            let register = self.code.objects().new_object(ty, "compound literal", zeroed);
            self.scopes.note_literal(register);
            self.initialize(Operand::Register(register), init, ty);
            return Operand::Register(register);
        }
        // It is the same object each time until its scope is left.
        let register = self.code.b.register(Type::Ptr, None);
        self.scopes.note_literal(register);
        let home = Operand::Register(register);
        // Made at the first time, and found again in later iterations.
        let (make, made) = (self.code.b.block(), self.code.b.block());
        let is_there = self.code.b.truth(home);
        self.code.b.branch(is_there, made, make);
        self.code.b.switch_to(make);
        let (size, shape) = (types::size_of(self.code.ast, ty), types::shape(self.code.ast, ty));
        let align = raddle_cfront::layout::align_of(self.code.ast, ty).unwrap_or(1);
        self.code.b.alloc_into(register, size, align, zeroed, "compound literal", shape);
        self.code.b.fall_into(made);
        if zeroed {
            self.code.objects().fill_with_zeros(home, ty);
        }
        self.initialize(home, init, ty);
        home
    }
}

impl Code<'_, '_> {
    pub(crate) fn zero(&mut self, ty: QualType) -> Operand {
        match self.class(ty) {
            Class::Scalar(Type::F32) => Operand::Constant(Constant::F32(0)),
            Class::Scalar(Type::F64) => Operand::Constant(Constant::F64(0)),
            Class::Scalar(Type::Int(_) | Type::Ptr)
            | Class::Aggregate
            | Class::Void
            | Class::Function
            | Class::Unsupported(_) => self.integer(0, ty),
        }
    }
}

impl Objects<'_, '_, '_> {
    /// Whether an initialiser leaves to zeros what it does not name.
    pub(crate) fn starts_as_zeros(&self, init: &Init) -> bool {
        match init {
            Init::Expr(expr) => matches!(self.code.ast.exprs[*expr].kind, ExprKind::String(_)),
            Init::Aggregate(_) => true,
        }
    }

    /// Copies the element at `start` to the elements `next ..= last` of the array.
    fn repeat_element(
        &mut self,
        array: Operand,
        start: Operand,
        (next, last): (u64, u64),
        element: QualType,
    ) {
        let stride = types::size_of(self.code.ast, element);
        // The range ends here, or the elements have no size.
        if next > last || stride == 0 {
            return;
        }
        if last - next < FEW_ELEMENTS {
            for index in next..=last {
                let target = self.code.b.offset(array, signed(index.saturating_mul(stride)));
                self.copy(target, start, element);
            }
            return;
        }
        self.code.each_offset(next * stride, (last + 1) * stride, stride, |code, offset| {
            let target = code.b.assign(Type::Ptr, raddle_ir::Rvalue::PointerAdd(array, offset));
            code.objects().copy(target, start, element);
        });
    }

    /// Fills an object that was used before with zeros.
    pub(crate) fn fill_with_zeros(&mut self, address: Operand, ty: QualType) {
        let size = types::size_of(self.code.ast, ty);
        let align = raddle_cfront::layout::align_of(self.code.ast, ty).unwrap_or(1);
        let word =
            [8, 4, 2].into_iter().find(|&word| align.is_multiple_of(word) && size.is_multiple_of(word));
        let word = word.unwrap_or(1);
        let bits = u8::try_from(word * 8).expect("a word has at most 64 bits");
        if size == 0 {
            return;
        }
        self.code.each_offset(0, size, word, |code, offset| {
            let target = code.b.assign(Type::Ptr, raddle_ir::Rvalue::PointerAdd(address, offset));
            code.b.store(target, int(bits, 0), Type::Int(bits), Ordering::Plain);
        });
    }

    fn initialize_string(&mut self, address: Operand, units: &[u32], ty: QualType) {
        let CType::Array { element, length: ArrayLength::Fixed(count) } = *self.code.ast.types.kind(ty.id)
        else {
            return;
        };
        let Class::Scalar(Type::Int(bits)) = self.code.class(element) else { return };
        let stride = u64::from(bits / 8);
        for (&unit, index) in units.iter().zip(0..count) {
            if unit != 0 {
                let target = self.code.b.offset(address, signed(index * stride));
                self.code.b.store(target, int(bits, unit.into()), Type::Int(bits), Ordering::Plain);
            }
        }
    }
}
