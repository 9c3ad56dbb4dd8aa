//! Values that are known: constants, addresses, what globals hold at first.

use raddle_base::Span;
use raddle_ir::{Constant, GlobalId, Point, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::{ObjectId, values};

use super::Refusal;
use super::explore::Explorer;
use super::facts::Kind;
use super::objects::Origin;
use super::operate::PAGE;
use super::state::Slot;
use crate::certificate::Known;

impl Explorer<'_> {
    /// The constant as a term.
    pub(super) fn constant(&mut self, constant: Constant, span: Span) -> Result<TermId, Refusal> {
        let bits = self.objects.pointer_bits;
        let too_many = || Refusal::new("there are too many objects for pointers of this width", span);
        Ok(match constant {
            Constant::Int(width, value) => values::constant(&mut self.terms, Type::Int(width), value, bits),
            Constant::F32(value) => self.terms.bits(value.into(), 32),
            Constant::F64(value) => self.terms.bits(value.into(), 64),
            Constant::Null => self.terms.bits(0, bits),
            Constant::Global(global, offset) => {
                let object = self.objects.id(Origin::Global(global)).ok_or_else(too_many)?;
                self.pointer_at(object, offset)
            }
            Constant::Function(function) => {
                let object = self.objects.id(Origin::Function(function)).ok_or_else(too_many)?;
                self.objects.pointer(&mut self.terms, object, 0)
            }
        })
    }

    /// A pointer to a byte of an object, or nowhere if that is far off.
    pub(super) fn pointer_at(&mut self, object: ObjectId, offset: i64) -> TermId {
        if u128::from(offset.unsigned_abs()) < self.objects.space.largest() {
            self.objects.pointer(&mut self.terms, object, offset)
        } else {
            self.objects.nowhere(&mut self.terms)
        }
    }

    /// What bytes of a global hold at first, where they are accessed as this; `None` where that is no single value. A value that
    /// was there from the start counts as written: no number is a pointer, and what a pointer is as a number is not known.
    pub(super) fn initial_value(
        &mut self,
        global: GlobalId,
        offset: u64,
        bytes: u64,
        kind: Kind,
    ) -> Option<TermId> {
        let program = self.program;
        let mut number = 0_u128;
        for part in &program.globals[global].init {
            let size = raddle_ir::layout::bytes(part.value.ty(), program.pointer_bits);
            if !super::state::overlap((offset, bytes), (part.offset, size)) {
                continue;
            }
            let value = match part.value {
                Constant::Int(_, value) => value,
                Constant::F32(bits) => bits.into(),
                Constant::F64(bits) => bits.into(),
                Constant::Null => 0,
                Constant::Global(..) | Constant::Function(_) => {
                    let is_exact = part.offset == offset && size == bytes;
                    return (is_exact && !kind.number).then(|| self.constant(part.value, Span::NONE).ok())?;
                }
            };
            for byte in 0..size {
                let (at, last) = (part.offset + byte, offset + bytes);
                if at >= offset && at < last {
                    number |= (value >> (8 * byte) & 0xff) << (8 * (at - offset));
                }
            }
        }
        // A number where a pointer is read leads nowhere that is known.
        if kind.pointer && number != 0 {
            return None;
        }
        Some(self.terms.bits(number, super::memory::width(bytes)))
    }

    /// The known value of a register or an own cell of a thread that stands at a point.
    pub(super) fn known(
        &mut self,
        known: &Known,
        (slot, width): (Slot, u32),
        point: &Point,
    ) -> Result<TermId, Refusal> {
        let value = match known {
            // The number of an object says nothing of where a pointer came from.
            Known::Constant(Constant::Int(_, number)) if *number >= PAGE && self.is_pointer(slot, point) => {
                return Err(Refusal::new("the known value of a pointer is a number", Span::NONE));
            }
            Known::Constant(Constant::F32(_) | Constant::F64(_)) if self.is_pointer(slot, point) => {
                return Err(Refusal::new("the known value of a pointer is a number", Span::NONE));
            }
            Known::Constant(constant) => self.constant(*constant, Span::NONE)?,
            Known::Address(object, offset) => {
                let named = self.objects.named(self.program, object);
                let named =
                    named.ok_or_else(|| Refusal::new("a known address is of no object", Span::NONE))?;
                self.pointer_at(named, *offset)
            }
        };
        let found = match self.terms.sort(value) {
            Sort::Bool => 0,
            Sort::BitVec(width) => width,
            Sort::Array { .. } => unreachable!("no value is an array"),
        };
        if width != found {
            return Err(Refusal::new("a known value has not the type of what holds it", Span::NONE));
        }
        Ok(value)
    }

    /// Whether a slot of a thread that stands at a point holds pointers.
    fn is_pointer(&self, slot: Slot, point: &Point) -> bool {
        match slot {
            Slot::Register(frame, register) => {
                let site = point.frame.iter().chain([&point.site]).nth(self.frames[frame].len());
                let function = site.map(|site| &self.program.functions[site.function]);
                function.is_none_or(|function| function.registers[register].ty == Type::Ptr)
            }
            Slot::Own(..) => self.facts.kind_of_slot(slot).pointer,
        }
    }
}
