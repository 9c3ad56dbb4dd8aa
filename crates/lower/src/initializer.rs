//! Initialisers of local objects.

use raddle_cfront::ast::{ExprKind, Init, InitPart, Place};
use raddle_cfront::types::{QualType, Type as CType};
use raddle_ir::{Operand, Ordering, Type};

use crate::function::int;
use crate::place::{Body, Lvalue, signed};
use crate::types::{self, Class};

impl Body<'_, '_> {
    /// The value of a scalar's initialiser, perhaps in braces.
    pub(crate) fn scalar_initializer(&mut self, init: &Init, ty: QualType) -> Operand {
        match init {
            Init::Expr(expr) => self.scalar(*expr),
            Init::Aggregate(parts) => match parts.first() {
                Some(part) => self.scalar_initializer(&part.value, ty),
                None => self.zero(ty),
            },
        }
    }

    pub(crate) fn zero(&mut self, ty: QualType) -> Operand {
        match self.class(ty) {
            Class::Scalar(Type::F32) => Operand::Constant(raddle_ir::Constant::F32(0)),
            Class::Scalar(Type::F64) => Operand::Constant(raddle_ir::Constant::F64(0)),
            _ => self.integer(0, ty),
        }
    }

    /// Initialises the object at an address. A `fresh` object holds nothing yet, so what the initialiser leaves out is set to
    /// zero explicitly.
    pub(crate) fn initialize(&mut self, address: Operand, init: &Init, ty: QualType, fresh: bool) {
        match init {
            Init::Expr(expr) => {
                if let ExprKind::String(literal) = &self.ast.exprs[*expr].kind
                    && matches!(self.ast.types.kind(ty.id), CType::Array { .. })
                {
                    let units = literal.units.clone();
                    return self.initialize_string(address, &units, ty);
                }
                let value = self.value(*expr);
                self.store_value(address, value, ty);
            }
            Init::Aggregate(parts) => {
                if fresh {
                    self.clear(address, parts, ty);
                }
                for part in parts {
                    self.initialize_part(address, part, ty);
                }
            }
        }
    }

    /// Sets to zero what the parts leave out. Everything is cleared by words when that is not little; the parts then overwrite it.
    fn clear(&mut self, address: Operand, parts: &[InitPart], ty: QualType) {
        let complete = match self.ast.types.kind(ty.id) {
            CType::Array { length: raddle_cfront::types::ArrayLength::Fixed(count), .. } => {
                let named: u64 = parts
                    .iter()
                    .map(|part| match part.place {
                        Place::Elements { first, last } => last - first + 1,
                        Place::Field(_) => 0,
                    })
                    .sum();
                named >= *count && parts.iter().all(|part| matches!(part.value, Init::Expr(_)))
            }
            CType::Record(id) => {
                let fields = self.ast.records[*id].fields.as_ref().map_or(0, Vec::len);
                let plain = !types::holds_union(self.ast, ty);
                plain && parts.len() >= fields && parts.iter().all(|part| matches!(part.value, Init::Expr(_)))
            }
            _ => false,
        };
        if complete {
            return;
        }
        let size = types::size_of(self.ast, ty);
        let word = u64::from(self.b.pointer_bits / 8);
        let mut offset = 0;
        while offset < size {
            let rest = size - offset;
            let step =
                [word, 4, 2, 1].into_iter().find(|&step| step <= rest && offset % step == 0).unwrap_or(1);
            let bits = u8::try_from(step * 8).expect("a word has at most 64 bits");
            let target = self.b.offset(address, signed(offset));
            self.b.store(target, int(bits, 0), Type::Int(bits), Ordering::Plain);
            offset += step;
        }
    }

    fn initialize_part(&mut self, address: Operand, part: &InitPart, ty: QualType) {
        match (part.place, self.ast.types.kind(ty.id).clone()) {
            (Place::Field(index), CType::Record(id)) => {
                let Some(field) =
                    self.ast.records[id].fields.as_ref().and_then(|fields| fields.get(index as usize))
                else {
                    return;
                };
                let (field_ty, bit_field) = (field.ty, field.width.is_some());
                let place = self.member(address, id, index);
                if bit_field {
                    let value = self.scalar_initializer(&part.value, field_ty);
                    let scalar = self.scalar_type(field_ty);
                    self.write(place, value, scalar);
                } else if let Lvalue::Memory(target, _) = place {
                    self.initialize(target, &part.value, field_ty, false);
                }
            }
            (Place::Elements { first, last }, CType::Array { element, .. }) => {
                let stride = types::size_of(self.ast, element);
                // The value of a range is evaluated once.
                let start = self.b.offset(address, signed(first.saturating_mul(stride)));
                self.initialize(start, &part.value, element, false);
                for index in first + 1..=last {
                    let target = self.b.offset(address, signed(index.saturating_mul(stride)));
                    self.copy(target, start, element);
                }
            }
            _ => {
                // A scalar in braces.
                let value = self.scalar_initializer(&part.value, ty);
                let scalar = self.scalar_type(ty);
                self.b.store(address, value, scalar, Ordering::Plain);
            }
        }
    }

    fn initialize_string(&mut self, address: Operand, units: &[u32], ty: QualType) {
        let CType::Array { element, length } = *self.ast.types.kind(ty.id) else { return };
        let Class::Scalar(Type::Int(bits)) = self.class(element) else { return };
        let raddle_cfront::types::ArrayLength::Fixed(count) = length else { return };
        let stride = u64::from(bits / 8);
        let mut rest = units.iter().copied();
        for index in 0..count {
            let target = self.b.offset(address, signed(index * stride));
            let unit = rest.next().unwrap_or(0);
            self.b.store(target, int(bits, unit.into()), Type::Int(bits), Ordering::Plain);
        }
    }

    /// `(type){ … }` in a function: an object of its own, filled each time it is met.
    pub(crate) fn compound_literal(&mut self, init: &Init, ty: QualType) -> Operand {
        let home = Operand::Register(self.temporary(ty, "compound literal"));
        self.initialize(home, init, ty, true);
        home
    }
}
