//! What instructions do to a thread in the middle of a step.

use std::collections::BTreeSet;

use raddle_ir::{
    AllocStorage, CheckMessage, CompareOp, IfUnchecked, Inst, InstKind, Lifetime, Operand, Ordering,
    Property, RmwOp, Rvalue, Shape, Type,
};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::{ObjectId, values};

use crate::build::Builder;
use crate::memory::Spots;
use crate::objects::Kind;
use crate::options::{Reason, Refused};
use crate::state::{RawAccess, RawSpawn, State};
use crate::walk::{Next, Paths};

/// An access that is about to be made.
#[derive(Clone, Copy, Debug)]
struct Access {
    address: Operand,
    ty: Type,
    writes: bool,
    is_atomic: bool,
}

impl Builder<'_> {
    /// Executes the next instruction.
    #[expect(clippy::too_many_lines, reason = "one flat match over the instructions")]
    pub(crate) fn instruction(
        &mut self,
        state: &mut State,
        inst: &Inst,
        paths: &mut Paths,
    ) -> Result<Next, Refused> {
        match &inst.kind {
            InstKind::Assign { dest, value } => {
                if value.lock_word().is_some() {
                    return Ok(self.ask(state, inst, paths));
                }
                let ty = self.register_type(state, *dest);
                let (value, defined) = self.compute(state, value, ty);
                if let Some(defined) = defined
                    && self.terms.as_bool(defined) != Some(true)
                {
                    let opposite = self.terms.not(defined);
                    let mut stuck = state.clone();
                    if self.assume(&mut stuck, opposite) {
                        stuck.record(inst.span);
                        self.stops(stuck, paths);
                    }
                    if !self.assume(state, defined) {
                        return Ok(Next::Over);
                    }
                }
                state.record(inst.span);
                state.top_mut().registers.insert(*dest, value);
                Ok(Next::Falls)
            }
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. } => Ok(self.access(state, inst, paths)),
            InstKind::Fence(_) => {
                state.record(inst.span);
                Ok(Next::Falls)
            }
            InstKind::Alloc { .. } => self.alloc(state, inst, paths),
            InstKind::Free { pointer } => {
                let pointer = self.operand(state, *pointer);
                if self.terms.as_bits(pointer) != Some(0) {
                    if !self.acts(state, paths) {
                        return Ok(Next::Over);
                    }
                    if !self.knowledge.frees {
                        self.knowledge.frees = true;
                        self.knowledge.changed = true;
                    }
                    let fits = self.frees(state, pointer);
                    let message = CheckMessage::from("an invalid pointer is freed");
                    if !self.is_excused(Property::MemorySafety)
                        && !self.require(state, fits, (Property::MemorySafety, &message), paths)
                    {
                        return Ok(Next::Over);
                    }
                    self.end_lives(state, pointer);
                }
                state.record(inst.span);
                Ok(Next::Falls)
            }
            InstKind::EndLife(lifetime) => Ok(self.end_life(state, *lifetime, inst, paths)),
            InstKind::Call { dest, callee, arguments } => {
                state.record(inst.span);
                self.call(state, (*callee, arguments), (*dest, inst.span))
            }
            InstKind::Intrinsic { dest, .. } => {
                state.record(inst.span);
                if let Some(dest) = *dest {
                    let ty = self.register_type(state, dest);
                    let value = self.any(ty, "outside");
                    state.top_mut().registers.insert(dest, value);
                }
                Ok(Next::Falls)
            }
            InstKind::Havoc { dest, site } => {
                state.record(inst.span);
                let ty = self.register_type(state, *dest);
                let name = self.program.havocs[*site].name.clone();
                let value = self.any(ty, &name);
                state.havocs.push(value);
                state.top_mut().registers.insert(*dest, value);
                Ok(Next::Falls)
            }
            InstKind::Assume(condition) => {
                let condition = self.operand(state, *condition);
                state.record(inst.span);
                let opposite = self.terms.not(condition);
                let mut stuck = state.clone();
                if self.assume(&mut stuck, opposite) {
                    self.stops(stuck, paths);
                }
                Ok(if self.assume(state, condition) { Next::Falls } else { Next::Over })
            }
            InstKind::WaitUntil(condition) => {
                if !self.acts(state, paths) {
                    return Ok(Next::Over);
                }
                let condition = self.operand(state, *condition);
                state.record(inst.span);
                state.waits = true;
                Ok(if self.assume(state, condition) { Next::Falls } else { Next::Over })
            }
            InstKind::Check { property, condition, message, if_unchecked } => {
                let condition = self.operand(state, *condition);
                let is_asked = self.options.asked.contains(property);
                if !is_asked && *if_unchecked == IfUnchecked::GoesOn {
                    state.record(inst.span);
                    return Ok(Next::Falls);
                }
                if !self.checked(state, condition, (*property, message), paths) {
                    return Ok(Next::Over);
                }
                state.record(inst.span);
                Ok(Next::Falls)
            }
            InstKind::Fork { dest, function, argument } => {
                if !self.acts(state, paths) {
                    return Ok(Next::Over);
                }
                if state.spawn.is_some() || state.joins.is_some() {
                    return Err(Reason::SeveralThreads.at(inst.span));
                }
                let function = self.operand(state, *function);
                let argument = self.operand(state, *argument);
                let function =
                    self.terms.as_bits(function).and_then(|value| self.knowledge.objects.function_at(value));
                let Some(function) = function else { return Err(Reason::UnknownThread.at(inst.span)) };
                self.expose(argument);
                let point = state.point();
                let template = self.knowledge.template(function, self.current, &point);
                let id = self.terms.fresh("id", Sort::BitVec(32));
                state.spawn = Some(RawSpawn { template, point, id, argument });
                state.record(inst.span);
                let ty = self.register_type(state, *dest);
                let bits = self.pointer_bits();
                let value = values::fit(&mut self.terms, id, ty, bits);
                state.top_mut().registers.insert(*dest, value);
                Ok(Next::Falls)
            }
            InstKind::Join { dest, thread } => {
                if !self.acts(state, paths) {
                    return Ok(Next::Over);
                }
                if state.spawn.is_some() || state.joins.is_some() {
                    return Err(Reason::SeveralThreads.at(inst.span));
                }
                let thread = self.operand(state, *thread);
                state.joins = Some(thread);
                state.waits = true;
                state.record(inst.span);
                if let Some(dest) = *dest {
                    let ty = self.register_type(state, dest);
                    let value = self.any(ty, "joined");
                    state.top_mut().registers.insert(dest, value);
                }
                Ok(Next::Falls)
            }
            InstKind::AtomicBegin => {
                if !self.acts(state, paths) {
                    return Ok(Next::Over);
                }
                state.depth += 1;
                state.record(inst.span);
                Ok(Next::Falls)
            }
            InstKind::AtomicEnd => {
                state.depth = state.depth.saturating_sub(1);
                state.record(inst.span);
                Ok(Next::Falls)
            }
        }
    }

    /// A check whose failing counts. Gives whether the path goes on.
    fn checked(
        &mut self,
        state: &mut State,
        condition: TermId,
        (property, message): (Property, &CheckMessage),
        paths: &mut Paths,
    ) -> bool {
        if !self.is_excused(property) {
            return self.require(state, condition, (property, message), paths);
        }
        let span = self.span_at(state);
        let opposite = self.terms.not(condition);
        let mut stuck = state.clone();
        if self.assume(&mut stuck, opposite) {
            stuck.record(span);
            self.stops(stuck, paths);
        }
        self.assume(state, condition)
    }

    /// Resolves an address, and stops where the access is visible and not the first of its step. None: the path is over.
    fn reach(&mut self, state: &mut State, access: Access, paths: &mut Paths) -> Option<Spots> {
        let bytes = values::bytes(access.ty, self.pointer_bits());
        let address = self.operand(state, access.address);
        let spots = self.spots(state, address, bytes, access.writes);
        if spots.shared && !self.acts(state, paths) {
            return None;
        }
        let message = CheckMessage::from("an access outside of all live objects");
        if !self.require(state, spots.valid, (Property::MemorySafety, &message), paths) {
            return None;
        }
        Some(spots)
    }

    /// Writes down a visible access.
    fn note(&mut self, state: &mut State, access: Access, spots: &Spots) {
        if !spots.shared {
            return;
        }
        let address = self.operand(state, access.address);
        let raw = RawAccess {
            variable: self.accessed(spots),
            address,
            bytes: values::bytes(access.ty, self.pointer_bits()),
            writes: access.writes,
            is_atomic: access.is_atomic || state.depth > 0,
            site: state.site(),
        };
        state.accesses.push(raw);
    }

    /// `HoldsLock` and its like.
    fn ask(&mut self, state: &mut State, inst: &Inst, paths: &mut Paths) -> Next {
        let InstKind::Assign { dest, value } = &inst.kind else { return Next::Falls };
        let Some(lock) = value.lock_word() else { return Next::Falls };
        let access = Access { address: lock, ty: Type::Int(32), writes: false, is_atomic: true };
        let Some(spots) = self.reach(state, access, paths) else { return Next::Over };
        let word = self.read(state, &spots, 4);
        self.note(state, access, &spots);
        state.record(inst.span);
        let result = match value {
            Rvalue::HoldsLock(_) => {
                let id = self.own_id();
                let one = self.terms.bits(1, 32);
                let own = self.terms.add(id, one);
                self.terms.eq(word, own)
            }
            Rvalue::LockIsFree(_) => {
                let zero = self.terms.bits(0, 32);
                self.terms.eq(word, zero)
            }
            Rvalue::Peek(_, unwritten) => self.peeked(word, &spots, *unwritten),
            Rvalue::Use(_)
            | Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::PointerAdd(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_) => return Next::Falls,
        };
        state.top_mut().registers.insert(*dest, result);
        Next::Falls
    }

    /// A word, or a number if it was never written, which is so only where it may never have been.
    fn peeked(&mut self, word: TermId, spots: &Spots, unwritten: u32) -> TermId {
        let is_static = spots.list.iter().all(|(_, spot)| match spot {
            crate::memory::Spot::Cell(cell) => {
                matches!(self.knowledge.objects.get(cell.object).kind, Kind::Global(_))
            }
            crate::memory::Spot::Indexed(object, ..) => {
                matches!(self.knowledge.objects.get(*object).kind, Kind::Global(_))
            }
            crate::memory::Spot::Unknown(..) => false,
        });
        if is_static {
            return word;
        }
        let written = self.terms.fresh("written", Sort::Bool);
        let other = self.terms.bits(unwritten.into(), 32);
        self.terms.ite(written, word, other)
    }

    /// A value as it is in memory.
    fn stored(&mut self, value: TermId, bytes: u32) -> TermId {
        let bits = match self.terms.sort(value) {
            Sort::Bool => self.terms.bool_to_bit(value),
            Sort::BitVec(_) | Sort::Array { .. } => value,
        };
        self.terms.resize(bits, 8 * bytes, false)
    }

    /// What memory holds as a value of a type.
    fn loaded(&mut self, word: TermId, ty: Type) -> TermId {
        match ty {
            Type::Int(1) => self.terms.is_nonzero(word),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => {
                let width = values::width(ty, self.pointer_bits());
                self.terms.resize(word, width, false)
            }
        }
    }

    /// Loads, stores, and what does both in one step.
    fn access(&mut self, state: &mut State, inst: &Inst, paths: &mut Paths) -> Next {
        let Some(found) = inst.kind.access() else { return Next::Falls };
        let access = Access {
            address: found.address,
            ty: found.ty,
            writes: found.kind != raddle_ir::AccessKind::Read,
            is_atomic: found.ordering != Ordering::Plain,
        };
        let Some(spots) = self.reach(state, access, paths) else { return Next::Over };
        let bytes = values::bytes(found.ty, self.pointer_bits());
        match &inst.kind {
            InstKind::Load { dest, ty, .. } => {
                let word = self.read(state, &spots, bytes);
                let value = self.loaded(word, *ty);
                state.top_mut().registers.insert(*dest, value);
            }
            InstKind::Store { value, .. } => {
                let value = self.operand(state, *value);
                let value = self.stored(value, bytes);
                self.write(state, &spots, value);
            }
            InstKind::AtomicRmw { dest, op, value, ty, .. } => {
                let word = self.read(state, &spots, bytes);
                let old = self.loaded(word, *ty);
                let operand = self.operand(state, *value);
                let new = self.modified(*op, old, operand, *ty);
                let new = self.stored(new, bytes);
                self.write(state, &spots, new);
                state.top_mut().registers.insert(*dest, old);
            }
            InstKind::CompareExchange { dest, expected, desired, ty, .. } => {
                let word = self.read(state, &spots, bytes);
                let old = self.loaded(word, *ty);
                let (expected, desired) = (self.operand(state, *expected), self.operand(state, *desired));
                let same = self.compare(CompareOp::Equal, old, expected, *ty);
                state.top_mut().registers.insert(*dest, old);
                let different = self.terms.not(same);
                let mut fails = state.clone();
                if self.assume(&mut fails, different) {
                    self.note(&mut fails, Access { writes: false, ..access }, &spots);
                    fails.record(inst.span);
                    fails.index += 1;
                    paths.waiting.push(fails);
                }
                if !self.assume(state, same) {
                    return Next::Over;
                }
                let desired = self.stored(desired, bytes);
                self.write(state, &spots, desired);
            }
            InstKind::Lock { .. } => {
                let word = self.read(state, &spots, bytes);
                let zero = self.terms.bits(0, 32);
                let free = self.terms.eq(word, zero);
                state.waits = true;
                // A lock is a step of its own, or part of a block that waits as a whole.
                if !spots.shared && !self.acts(state, paths) || !self.assume(state, free) {
                    return Next::Over;
                }
                let (id, one) = (self.own_id(), self.terms.bits(1, 32));
                let own = self.terms.add(id, one);
                self.write(state, &spots, own);
            }
            InstKind::Unlock { .. } => {
                let zero = self.terms.bits(0, 32);
                self.write(state, &spots, zero);
            }
            InstKind::Assign { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::Call { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume(_)
            | InstKind::WaitUntil(_)
            | InstKind::Check { .. }
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => {}
        }
        self.note(state, access, &spots);
        state.record(inst.span);
        Next::Falls
    }

    fn modified(&mut self, op: RmwOp, old: TermId, operand: TermId, ty: Type) -> TermId {
        match (op, ty) {
            (RmwOp::Add, Type::Ptr) => self.moved(old, operand),
            (RmwOp::Sub, Type::Ptr) => {
                let back = self.terms.neg(operand);
                self.moved(old, back)
            }
            _ => values::rmw(&mut self.terms, op, old, operand, ty),
        }
    }

    fn alloc(&mut self, state: &mut State, inst: &Inst, paths: &mut Paths) -> Result<Next, Refused> {
        let InstKind::Alloc { dest, size, storage, zeroed, name, shape, .. } = &inst.kind else {
            return Ok(Next::Falls);
        };
        let size = self.operand(state, *size);
        let size = self.terms.as_bits(size).and_then(|size| u64::try_from(size).ok());
        let point = state.point();
        let function = &self.program.functions[state.top().function].name;
        let described = || {
            let name = match storage {
                AllocStorage::Local | AllocStorage::Dynamic => format!("{function}.{name}"),
                AllocStorage::Heap | AllocStorage::Library => format!("{name} in {function}"),
            };
            (size, name, Shape::clone(shape))
        };
        let (object, _) =
            self.knowledge.objects.made((self.current, &point), *storage, described, inst.span)?;
        let life = self.life_of(object);
        let is_shared = matches!(storage, AllocStorage::Heap | AllocStorage::Library);
        let is_followed =
            !self.knowledge.summaries.contains(&object) && !self.knowledge.cells(object).is_empty();
        if (life.is_some() || is_shared && is_followed) && !self.acts(state, paths) {
            return Ok(Next::Over);
        }
        if !self.is_made_once(state, life, paths) {
            return Ok(Next::Over);
        }
        state.made.push(object);
        state.alive.insert(object);
        state.record(inst.span);
        self.make_new(state, object, *zeroed);
        if is_shared {
            for cell in self.knowledge.cells(object) {
                self.knowledge.write(cell);
            }
        }
        let base = self.knowledge.objects.space.first_byte(&mut self.terms, object);
        state.top_mut().registers.insert(*dest, base);
        Ok(Next::Falls)
    }

    fn end_life(&mut self, state: &mut State, lifetime: Lifetime, inst: &Inst, paths: &mut Paths) -> Next {
        let frame = state.top().frame.as_ref().clone();
        let is_first = state.stack.len() == 1;
        let current = self.current;
        let ends = |kind: &Kind, whole_thread: bool, statics: bool| match kind {
            Kind::Made(template, point, AllocStorage::Local | AllocStorage::Dynamic) => {
                *template == current && (whole_thread || point.frame == frame)
            }
            Kind::Global(_) => statics,
            Kind::None
            | Kind::Function(_)
            | Kind::Life(_)
            | Kind::Made(_, _, AllocStorage::Heap | AllocStorage::Library) => false,
        };
        let any_shared = |builder: &Self, whole: bool, statics: bool| {
            builder.knowledge.exposed.iter().any(|&object| {
                let object = builder.knowledge.objects.get(object);
                object.is_own && ends(&object.kind, whole, statics)
            })
        };
        let shared = match lifetime {
            Lifetime::Activation => any_shared(self, false, is_first),
            Lifetime::Activations => any_shared(self, true, false),
            Lifetime::Thread => any_shared(self, true, true),
            Lifetime::Object(pointer) | Lifetime::Contents { pointer, .. } => {
                let pointer = self.operand(state, pointer);
                let value = self.terms.as_bits(pointer);
                let objects = self.objects_of(pointer);
                let shared =
                    value.is_none() || objects.iter().any(|&object| self.knowledge.is_shared(object));
                if shared && !self.acts(state, paths) {
                    return Next::Over;
                }
                state.record(inst.span);
                self.end_objects(state, lifetime, value, objects);
                return Next::Falls;
            }
        };
        if shared && !self.acts(state, paths) {
            return Next::Over;
        }
        state.record(inst.span);
        Next::Falls
    }

    /// What objects hold ends, or the objects themselves. Through a pointer that is not known, any exposed one's.
    fn end_objects(
        &mut self,
        state: &mut State,
        lifetime: Lifetime,
        pointer: Option<u128>,
        mut objects: BTreeSet<ObjectId>,
    ) {
        if pointer.is_none() {
            objects.extend(self.knowledge.exposed.iter().copied());
        }
        for object in objects {
            let range = match (lifetime, pointer) {
                (Lifetime::Contents { size, .. }, Some(pointer)) => {
                    let base = self.knowledge.objects.space.base(object);
                    let from = u64::try_from(pointer.wrapping_sub(base)).unwrap_or(0);
                    (from, from.saturating_add(size))
                }
                (Lifetime::Contents { .. }, None) => (0, u64::MAX),
                (
                    Lifetime::Object(_) | Lifetime::Activation | Lifetime::Activations | Lifetime::Thread,
                    _,
                ) => {
                    state.alive.remove(&object);
                    self.knowledge.changed |= self.knowledge.ended.insert(object);
                    continue;
                }
            };
            self.forget(state, object, range);
        }
    }
}
