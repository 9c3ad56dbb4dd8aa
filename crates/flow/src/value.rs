//! Operands and values computed without memory.
//!
//! Direction of error: what depends on where objects lie, or is not followed, is any value.

use std::collections::BTreeSet;

use raddle_ir::{BinaryOp, CastOp, CompareOp, Constant, Operand, RegisterId, Rvalue, Type};
use raddle_logic::term::TermId;
use raddle_semantics::{ObjectId, values};
use rustc_hash::FxHashSet;

use crate::build::Builder;
use crate::model::Existing;
use crate::objects::{Kind, Objects};
use crate::state::State;

/// A value, and a condition under which there is one.
pub(crate) type Computed = (TermId, Option<TermId>);

impl Builder<'_> {
    pub(crate) fn pointer_bits(&self) -> u32 {
        u32::from(self.program.pointer_bits)
    }

    /// Any value of a type.
    pub(crate) fn any(&mut self, ty: Type, name: &str) -> TermId {
        let sort = values::sort(ty, self.pointer_bits());
        self.terms.fresh(name, sort)
    }

    pub(crate) fn type_of(&self, state: &State, operand: Operand) -> Type {
        operand.ty(&self.program.functions[state.top().function]).expect("a validated program has types")
    }

    pub(crate) fn register_type(&self, state: &State, register: RegisterId) -> Type {
        self.program.functions[state.top().function].registers[register].ty
    }

    pub(crate) fn constant(&mut self, constant: Constant) -> TermId {
        let bits = self.pointer_bits();
        match constant {
            Constant::Int(width, value) => values::constant(&mut self.terms, Type::Int(width), value, bits),
            Constant::F32(value) => self.terms.bits(value.into(), 32),
            Constant::F64(value) => self.terms.bits(value.into(), 64),
            Constant::Null => self.terms.bits(0, bits),
            Constant::Global(global, offset) => {
                let space = self.knowledge.objects.space;
                let base = space.first_byte(&mut self.terms, Objects::global(global));
                let offset = self.terms.signed_bits(offset.into(), bits);
                space.moved(&mut self.terms, base, offset)
            }
            Constant::Function(function) => {
                let object = self.knowledge.objects.function(function);
                self.knowledge.objects.space.first_byte(&mut self.terms, object)
            }
        }
    }

    pub(crate) fn operand(&mut self, state: &mut State, operand: Operand) -> TermId {
        match operand {
            Operand::Constant(constant) => self.constant(constant),
            Operand::Register(register) => {
                if let Some(&value) = state.top().registers.get(&register) {
                    return value;
                }
                let ty = self.register_type(state, register);
                let value = self.any(ty, "unassigned");
                state.top_mut().registers.insert(register, value);
                value
            }
        }
    }

    /// A value that looks at no memory that others may change; those that do are instructions of their own.
    pub(crate) fn compute(&mut self, state: &mut State, value: &Rvalue, ty: Type) -> Computed {
        let bits = self.pointer_bits();
        let result = match value {
            Rvalue::Use(operand) => self.operand(state, *operand),
            Rvalue::Unary(op, operand) => {
                let ty = self.type_of(state, *operand);
                if matches!(ty, Type::F32 | Type::F64) {
                    return (self.any(ty, "float"), None);
                }
                let term = self.operand(state, *operand);
                values::unary(&mut self.terms, *op, term, ty)
            }
            Rvalue::Binary(op, left, right) => return self.binary(state, *op, (*left, *right), ty),
            Rvalue::Compare(op, left, right) => {
                let ty = self.type_of(state, *left);
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                self.compare(*op, left, right, ty)
            }
            Rvalue::Cast(op, operand) => {
                let from = self.type_of(state, *operand);
                let term = self.operand(state, *operand);
                self.cast(*op, term, (from, ty))
            }
            Rvalue::Select(condition, yes, no) => {
                let condition = self.operand(state, *condition);
                let (yes, no) = (self.operand(state, *yes), self.operand(state, *no));
                self.terms.ite(condition, yes, no)
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let (pointer, offset) = (self.operand(state, *pointer), self.operand(state, *offset));
                self.moved(pointer, offset)
            }
            Rvalue::PointerDifference(left, right) => {
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                if self.are_in_one_object(left, right) {
                    self.terms.sub(left, right)
                } else {
                    self.any(Type::Int(self.program.pointer_bits), "distance")
                }
            }
            Rvalue::Overflows(op, left, right) => {
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                values::overflows(&mut self.terms, *op, left, right)
            }
            Rvalue::ThreadLocal(global) => {
                self.knowledge.objects.space.first_byte(&mut self.terms, Objects::global(*global))
            }
            Rvalue::CurrentThread => self.own_id(),
            Rvalue::ThreadExists(thread) => {
                let thread = self.operand(state, *thread);
                let holds = self.any(ty, "exists");
                let is_after_spawn = state.spawn.is_some();
                state.existing.push(Existing { holds, thread, is_after_spawn });
                holds
            }
            Rvalue::ObjectSize(pointer) => {
                let pointer = self.operand(state, *pointer);
                self.object_size(pointer, bits)
            }
            Rvalue::HoldsLock(_) | Rvalue::LockIsFree(_) | Rvalue::Peek(..) => self.any(ty, "word"),
        };
        (result, None)
    }

    /// The id of the thread that runs.
    pub(crate) fn own_id(&mut self) -> TermId {
        use raddle_base::Id as _;
        if self.current.index() == 0 {
            return self.terms.bits(0, 32);
        }
        let id = self.identity(self.current);
        self.variables[id].now
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        operands: (Operand, Operand),
        ty: Type,
    ) -> Computed {
        let operand_type = self.type_of(state, operands.0);
        let (left, right) = (self.operand(state, operands.0), self.operand(state, operands.1));
        match op {
            BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul | BinaryOp::FloatDiv => {
                (self.any(ty, "float"), None)
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::SignedDiv
            | BinaryOp::UnsignedDiv
            | BinaryOp::SignedRem
            | BinaryOp::UnsignedRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::SignedShr
            | BinaryOp::UnsignedShr => {
                let made = values::binary(&mut self.terms, op, left, right, operand_type);
                (made.result, Some(made.defined))
            }
        }
    }

    /// A pointer moved by an offset. Invariant: the constants in a pointer's term are in the ranges of the objects that it may lead to; where the
    /// sum of constants would leave them, it is any pointer.
    pub(crate) fn moved(&mut self, pointer: TermId, offset: TermId) -> TermId {
        let space = self.knowledge.objects.space;
        let before = self.objects_of(pointer);
        let moved = space.moved(&mut self.terms, pointer, offset);
        if self.terms.as_bits(moved).is_some() || before.is_subset(&self.objects_of(moved)) {
            return moved;
        }
        self.expose(pointer);
        self.any(Type::Ptr, "pointer")
    }

    fn are_in_one_object(&self, left: TermId, right: TermId) -> bool {
        let space = self.knowledge.objects.space;
        let object = |term| space.known_object(&self.terms, term);
        match (object(left), object(right)) {
            (Some(one), Some(other)) => {
                one == other
                    && !self.knowledge.summaries.contains(&one)
                    && !matches!(self.knowledge.objects.get(one).kind, Kind::None | Kind::Function(_))
            }
            _ => false,
        }
    }

    /// Whether a constant pointer is to something that nothing else is ever at the address of.
    fn is_unique(&self, pointer: TermId) -> bool {
        let Some(value) = self.terms.as_bits(pointer) else { return false };
        let Some(object) = self.knowledge.objects.space.real_object_at(value) else { return true };
        match self.knowledge.objects.get(object).kind {
            Kind::Global(_) => !self.knowledge.summaries.contains(&object),
            Kind::Function(_) => true,
            Kind::None | Kind::Made(..) | Kind::Life(_) => false,
        }
    }

    /// A comparison.
    pub(crate) fn compare(&mut self, op: CompareOp, left: TermId, right: TermId, ty: Type) -> TermId {
        match ty {
            Type::Int(_) => values::compare(&mut self.terms, op, left, right, ty),
            Type::F32 | Type::F64 => self.any(Type::Int(1), "float"),
            Type::Ptr => match op {
                CompareOp::Equal | CompareOp::NotEqual => {
                    let no_others = !self.knowledge.exposed.iter().any(|&object| {
                        matches!(self.knowledge.objects.get(object).kind, Kind::Made(..))
                            || self.knowledge.summaries.contains(&object)
                    });
                    let both_local =
                        self.terms.as_bits(left).is_some() && self.terms.as_bits(right).is_some() && {
                            let is_own = |pointer: TermId| {
                                let object = self
                                    .terms
                                    .as_bits(pointer)
                                    .and_then(|value| self.knowledge.objects.memory_at(value));
                                object.is_none_or(|object| {
                                    !self.knowledge.is_shared(object)
                                        && !self.knowledge.summaries.contains(&object)
                                })
                            };
                            is_own(left) || is_own(right)
                        };
                    if no_others || both_local || self.is_unique(left) || self.is_unique(right) {
                        values::compare(&mut self.terms, op, left, right, ty)
                    } else {
                        self.any(Type::Int(1), "same")
                    }
                }
                CompareOp::SignedLess
                | CompareOp::SignedLessEqual
                | CompareOp::UnsignedLess
                | CompareOp::UnsignedLessEqual
                | CompareOp::FloatEqual
                | CompareOp::FloatLess
                | CompareOp::FloatLessEqual => {
                    if self.are_in_one_object(left, right) {
                        values::compare(&mut self.terms, op, left, right, ty)
                    } else {
                        self.any(Type::Int(1), "before")
                    }
                }
            },
        }
    }

    fn cast(&mut self, op: CastOp, term: TermId, (from, to): (Type, Type)) -> TermId {
        let bits = self.pointer_bits();
        match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Bits => {
                values::cast(&mut self.terms, op, term, (from, to), bits)
            }
            CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToFloat => self.any(to, "float"),
            CastOp::PointerToInt => {
                self.expose(term);
                let null = self.terms.bits(0, bits);
                if term == null { term } else { self.any(to, "address") }
            }
            CastOp::IntToPointer => {
                let is_number = self.terms.as_bits(term).is_some_and(|value| {
                    let space = self.knowledge.objects.space;
                    value < space.span() || value >> space.offset_bits() >= space.room() as u128
                });
                if is_number { term } else { self.any(to, "pointer") }
            }
        }
    }

    fn object_size(&mut self, pointer: TermId, bits: u32) -> TermId {
        let object = self.terms.as_bits(pointer).and_then(|value| self.knowledge.objects.memory_at(value));
        match object.map(|object| self.knowledge.objects.get(object)) {
            Some(object) if matches!(object.kind, Kind::Global(_)) => {
                let size = object.size.unwrap_or(0);
                self.terms.bits(size.into(), bits)
            }
            Some(_) | None => self.any(Type::Int(self.program.pointer_bits), "size"),
        }
    }

    /// The objects that a value may be an address of, by the constants in it. See [`moved`](Self::moved).
    pub(crate) fn objects_of(&self, value: TermId) -> BTreeSet<ObjectId> {
        let (mut seen, mut stack) = (FxHashSet::default(), vec![value]);
        let mut objects = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(constant) = self.terms.as_bits(term)
                && self.terms.width(term) == self.pointer_bits()
            {
                objects.extend(self.knowledge.objects.memory_at(constant));
            }
            stack.extend(self.terms[term].children());
        }
        objects
    }

    /// Others may have the addresses that a value may be.
    pub(crate) fn expose(&mut self, value: TermId) {
        for object in self.objects_of(value) {
            self.knowledge.expose(object);
        }
    }

    pub(crate) fn expose_constant(&mut self, constant: u128) {
        if let Some(object) = self.knowledge.objects.memory_at(constant) {
            self.knowledge.expose(object);
        }
    }
}
