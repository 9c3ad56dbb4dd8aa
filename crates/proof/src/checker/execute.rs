//! What instructions do to a thread on a path.

use raddle_base::{Id, Span};
use raddle_ir::{
    AllocStorage, CompareOp, IfUnchecked, InstKind, Lifetime, Operand, Point, Property, RegisterId, RmwOp,
    Type,
};
use raddle_logic::term::TermId;
use raddle_semantics::{ObjectId, values};

use super::Refusal;
use super::explore::{Explorer, Flow, top_frame};
use super::objects::Origin;
use super::races::Touch;
use super::state::{OwnObject, State};

/// A lock word.
const WORD: Type = Type::Int(32);

impl Explorer<'_> {
    pub(super) fn set(&mut self, state: &mut State, register: RegisterId, value: TermId) {
        state.registers.insert((top_frame(state), register), value);
    }

    pub(super) fn register_type(&self, state: &State, register: RegisterId) -> Type {
        self.operand_type(state, Operand::Register(register))
    }

    pub(super) fn set_any(&mut self, state: &mut State, dest: Option<RegisterId>) {
        if let Some(dest) = dest {
            let ty = self.register_type(state, dest);
            let any = self.any(ty);
            self.set(state, dest, any);
        }
    }

    /// The id of the thread.
    pub(super) fn own_id(&self, state: &State) -> TermId {
        self.identities[state.template]
    }

    /// Whether a thread goes on where it may have to wait.
    fn wait(&mut self, state: &mut State, granted: TermId) -> Flow {
        self.note_wait(state, granted);
        if self.assume(state, granted) { Flow::Next } else { Flow::Over }
    }

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(super) fn execute(
        &mut self,
        state: &mut State,
        kind: &InstKind,
        span: Span,
    ) -> Result<Flow, Refusal> {
        let bits = self.objects.pointer_bits;
        match kind {
            InstKind::Assign { dest, value } => return self.assign(state, *dest, value, span),
            InstKind::Load { dest, address, ty, ordering } => {
                let address = self.operand(state, *address)?;
                let access = self.resolve(state, address, values::bytes(*ty, bits).into(), false);
                let touch = Touch::of(*ordering, false);
                if self.begin(state, &access, span, touch) == Flow::Over {
                    return Ok(Flow::Over);
                }
                let value = self.read(state, &access, *ty);
                self.set(state, *dest, value);
            }
            InstKind::Store { address, value, ty, ordering } => {
                let (address, value) = (self.operand(state, *address)?, self.operand(state, *value)?);
                let access = self.resolve(state, address, values::bytes(*ty, bits).into(), true);
                let touch = Touch::of(*ordering, true);
                if self.begin(state, &access, span, touch) == Flow::Over {
                    return Ok(Flow::Over);
                }
                state.blocks.release_by(touch);
                self.write(state, &access, value, *ty);
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                let (address, operand) = (self.operand(state, *address)?, self.operand(state, *value)?);
                let access = self.resolve(state, address, values::bytes(*ty, bits).into(), true);
                let touch = Touch::of(*ordering, true);
                if self.begin(state, &access, span, touch) == Flow::Over {
                    return Ok(Flow::Over);
                }
                state.blocks.release_by(touch);
                let old = self.read(state, &access, *ty);
                let new = if *op == RmwOp::Exchange {
                    operand
                } else if *ty == Type::Ptr {
                    // An address that is computed in memory is not followed.
                    self.escape(old);
                    self.any(*ty)
                } else {
                    values::rmw(&mut self.terms, *op, old, operand, *ty)
                };
                self.write(state, &access, new, *ty);
                self.set(state, *dest, old);
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, .. } => {
                let address = self.operand(state, *address)?;
                let (expected, desired) = (self.operand(state, *expected)?, self.operand(state, *desired)?);
                let access = self.resolve(state, address, values::bytes(*ty, bits).into(), true);
                let touch = Touch::of(*ordering, true);
                if self.begin(state, &access, span, touch) == Flow::Over {
                    return Ok(Flow::Over);
                }
                state.blocks.release_by(touch);
                let old = self.read(state, &access, *ty);
                let equal = if *ty == Type::Ptr {
                    self.compare_pointers(CompareOp::Equal, old, expected)
                } else {
                    values::compare(&mut self.terms, CompareOp::Equal, old, expected, *ty)
                };
                let made = self.terms.ite(equal, desired, old);
                let new = self.objects.derive(&self.terms, made, &[desired, old]);
                self.write(state, &access, new, *ty);
                self.set(state, *dest, old);
            }
            InstKind::Fence(_) => state.blocks.release(),
            InstKind::Alloc { dest, size, storage, zeroed, .. } => {
                return self.allocate(state, *dest, *size, (*storage, *zeroed), span);
            }
            InstKind::Free { pointer } => return self.free(state, *pointer, span),
            InstKind::EndLife(lifetime) => return self.end_life(state, *lifetime, span),
            InstKind::Call { dest, callee, arguments } => {
                return self.call(state, *dest, *callee, arguments, span);
            }
            InstKind::Intrinsic { dest, arguments, .. } => {
                // A pointer that is printed is known to the world.
                for argument in arguments {
                    let value = self.operand(state, *argument)?;
                    self.escape(value);
                }
                self.set_any(state, *dest);
            }
            InstKind::Havoc { dest, .. } => self.set_any(state, Some(*dest)),
            InstKind::Assume(condition) => {
                let holds = self.operand(state, *condition)?;
                let mut other = state.clone();
                let fails = self.terms.not(holds);
                if self.assume(&mut other, fails) {
                    self.stop(&other);
                }
                return Ok(if self.assume(state, holds) { Flow::Next } else { Flow::Over });
            }
            InstKind::WaitUntil(condition) => {
                if self.visible(state, span) == Flow::Over {
                    return Ok(Flow::Over);
                }
                let holds = self.operand(state, *condition)?;
                return Ok(self.wait(state, holds));
            }
            InstKind::Check { property, condition, message, if_unchecked } => {
                let is_asked = self.asked.contains(property);
                if !is_asked && *if_unchecked == IfUnchecked::GoesOn {
                    return Ok(Flow::Next);
                }
                let holds = self.operand(state, *condition)?;
                let what = || message.claim();
                return Ok(self.demand(state, *property, (holds, holds), what, span));
            }
            InstKind::Fork { dest, function, argument } => {
                let flow = self.fork(state, *dest, *function, *argument, span);
                state.blocks.release();
                return flow;
            }
            InstKind::Join { dest, thread } => {
                if self.visible(state, span) == Flow::Over {
                    return Ok(Flow::Over);
                }
                let thread = self.operand(state, *thread)?;
                self.note_join(state, thread);
                state.joins.push(thread);
                self.set_any(state, *dest);
            }
            InstKind::Lock { lock } => {
                let address = self.operand(state, *lock)?;
                let access = self.resolve(state, address, 4, true);
                if self.begin(state, &access, span, Touch::Lock) == Flow::Over {
                    return Ok(Flow::Over);
                }
                let word = self.read(state, &access, WORD);
                let zero = self.terms.bits(0, 32);
                let is_free = self.terms.eq(word, zero);
                if self.wait(state, is_free) == Flow::Over {
                    return Ok(Flow::Over);
                }
                let (id, one) = (self.own_id(state), self.terms.bits(1, 32));
                let held = self.terms.add(id, one);
                self.write(state, &access, held, WORD);
            }
            InstKind::Unlock { lock } => {
                let address = self.operand(state, *lock)?;
                let access = self.resolve(state, address, 4, true);
                if self.begin(state, &access, span, Touch::Unlock) == Flow::Over {
                    return Ok(Flow::Over);
                }
                state.blocks.release_by(Touch::Unlock);
                let zero = self.terms.bits(0, 32);
                self.write(state, &access, zero, WORD);
            }
            InstKind::AtomicBegin => {
                if state.atomic_depth == 0 {
                    state.block_is_visible = false;
                    state.block = state.stack.last().map(|top| (top.frame, top.site()));
                }
                let by_model =
                    state.stack.last().is_some_and(|top| self.program.functions[top.function].model);
                state.blocks.begin(by_model, state.guards.len());
                state.atomic_depth += 1;
            }
            InstKind::AtomicEnd => {
                let Some(depth) = state.atomic_depth.checked_sub(1) else {
                    return Err(Refusal::new("a location is inside of an atomic block", span));
                };
                state.atomic_depth = depth;
                state.blocks.end();
                state.block_is_visible &= depth > 0;
            }
        }
        Ok(Flow::Next)
    }

    /// Makes an object.
    fn allocate(
        &mut self,
        state: &mut State,
        dest: RegisterId,
        size: Operand,
        (storage, zeroed): (AllocStorage, bool),
        span: Span,
    ) -> Result<Flow, Refusal> {
        let top = state.stack.last().expect("a thread that runs has an activation");
        let (frame, site) = (top.frame, top.site());
        let point = Point { frame: self.frames[frame].clone(), site };
        let object = self.objects.id(Origin::Made { template: state.template, point, storage });
        let object = object
            .ok_or_else(|| Refusal::new("there are too many objects for pointers of this width", span))?;
        let size = self.operand(state, size)?;
        let size = self.terms.as_bits(size).and_then(|size| u64::try_from(size).ok());
        if size.is_some_and(|size| u128::from(size) > self.objects.space.largest()) {
            return Err(Refusal::new("an object is too large for this checker", span));
        }
        let is_followed =
            self.cells.iter().any(|cell| cell.object == object) || self.life_of(object).is_some();
        if is_followed && self.visible(state, span) == Flow::Over {
            return Ok(Flow::Over);
        }
        if self.is_made(state, object, span) == Flow::Over {
            return Ok(Flow::Over);
        }
        self.facts.has_size(object, size);
        // Of those that live until their function returns there may be several.
        if storage == AllocStorage::Dynamic {
            self.facts.escape(object);
        }
        self.facts.happens(state, frame, site);
        self.make_stale(state, object);
        state.own.insert(object, OwnObject { is_new: true, ..OwnObject::default() });
        for index in 0..self.cells.len() {
            if self.cells[index].object == object {
                let width = 8 * self.cells[index].bytes;
                let sort = raddle_logic::term::Sort::BitVec(width);
                state.shared[index] =
                    if zeroed { self.terms.bits(0, width) } else { self.terms.fresh("any", sort) };
            }
        }
        state.made.insert(object);
        state.dead.remove(&object);
        let pointer = self.objects.pointer(&mut self.terms, object, 0);
        self.set(state, dest, pointer);
        Ok(Flow::Next)
    }

    /// The instruction that made an object runs again: what still has the old one's address has not that of the new one.
    fn make_stale(&mut self, state: &mut State, object: ObjectId) {
        let is_private = self.is_private(object);
        let nowhere = self.objects.nowhere(&mut self.terms);
        let (terms, objects) = (&mut self.terms, &self.objects);
        let held = state.registers.values_mut();
        let held = held.chain(state.own.values_mut().flat_map(|own| own.slots.values_mut()));
        let held = held.chain(&mut state.shared);
        for value in held {
            if objects.mentions(terms, *value).contains(&object) {
                // The old one of a private object is gone, and whatever else the pointer may lead to is lost as well.
                *value = if is_private && terms.as_bits(*value).is_some() {
                    nowhere
                } else {
                    let sort = terms.sort(*value);
                    terms.fresh("any", sort)
                };
            }
        }
    }

    fn free(&mut self, state: &mut State, pointer: Operand, span: Span) -> Result<Flow, Refusal> {
        let pointer = self.operand(state, pointer)?;
        let null = self.terms.bits(0, self.objects.pointer_bits);
        let is_null = self.terms.eq(pointer, null);
        let mut ends = Vec::new();
        match self.known_targets(pointer) {
            Some(targets) => {
                for target in targets {
                    if target.object.index() > 1 {
                        self.facts.free(target.object);
                        ends.push(Some(target.object));
                    }
                }
            }
            None => {
                self.facts.free_anything();
                ends.push(None);
            }
        }
        if !self.lives.is_empty() && self.visible(state, span) == Flow::Over {
            return Ok(Flow::Over);
        }
        // That what is freed is a heap object that lives is known of null, and where it is followed.
        let lives = self.may_be_freed(state, pointer);
        let (surely, yes) = (self.terms.or(is_null, lives), self.terms.bool(true));
        let what = || "what is freed lives and is of the heap".to_owned();
        if self.demand(state, Property::MemorySafety, (surely, yes), what, span) == Flow::Over {
            return Ok(Flow::Over);
        }
        self.is_freed(state, pointer);
        if !self.lives.is_empty() {
            self.note_seen_ends(state, &ends, span);
            state.blocks.release();
            return Ok(Flow::Next);
        }
        let flow = self.note_ends(state, &ends, span);
        state.blocks.release();
        Ok(flow)
    }

    fn end_life(&mut self, state: &mut State, lifetime: Lifetime, span: Span) -> Result<Flow, Refusal> {
        let frame = top_frame(state);
        match lifetime {
            Lifetime::Object(pointer) => {
                let pointer = self.operand(state, pointer)?;
                let Some(targets) = self.known_targets(pointer) else {
                    return Ok(self.refuse_path(state, "no unknown object's lifetime ends", span));
                };
                let objects = targets.iter().map(|target| target.object).filter(|object| object.index() > 1);
                return Ok(self.end_lives(state, &objects.collect::<Vec<_>>(), span));
            }
            Lifetime::Activation => {
                let is_last = state.stack.len() == 1;
                let locals = self.locals(state, |owner| owner == frame, is_last);
                return Ok(self.end_lives(state, &locals, span));
            }
            Lifetime::Activations => {
                let locals = self.locals(state, |_| true, false);
                return Ok(self.end_lives(state, &locals, span));
            }
            Lifetime::Thread => {
                let locals = self.locals(state, |_| true, true);
                return Ok(self.end_lives(state, &locals, span));
            }
            Lifetime::Contents { pointer, size } => {
                let pointer = self.operand(state, pointer)?;
                let access = self.resolve(state, pointer, size, true);
                if self.begin(state, &access, span, Touch::Looks) == Flow::Over {
                    return Ok(Flow::Over);
                }
                self.havoc(state, &access);
            }
        }
        Ok(Flow::Next)
    }

    /// Lives of objects end, which others may notice.
    fn end_lives(&mut self, state: &mut State, objects: &[ObjectId], span: Span) -> Flow {
        let living: Vec<Option<ObjectId>> =
            objects.iter().filter(|object| !state.dead.contains(object)).copied().map(Some).collect();
        if self.note_ends(state, &living, span) == Flow::Over {
            return Flow::Over;
        }
        for &object in objects {
            state.dead.insert(object);
            state.made.remove(&object);
        }
        Flow::Next
    }

    /// Local objects of activations, and perhaps the thread's own copies of globals.
    fn locals(&self, state: &State, of: impl Fn(usize) -> bool, with_own_globals: bool) -> Vec<ObjectId> {
        let is_over = |object: &ObjectId| match self.objects.origin(*object) {
            Origin::Made { template, point, storage: AllocStorage::Local | AllocStorage::Dynamic } => {
                *template == state.template && self.frames.get_index_of(&point.frame).is_some_and(&of)
            }
            Origin::ThreadLocal(_) => with_own_globals,
            Origin::Made { storage: AllocStorage::Heap | AllocStorage::Library, .. }
            | Origin::Number
            | Origin::Nowhere
            | Origin::Function(_)
            | Origin::Life(_)
            | Origin::Global(_) => false,
        };
        self.objects.ids().filter(is_over).collect()
    }

    /// The same end where nobody else can have their addresses any more: at the end of a function [`Lifetime::Activation`] comes before.
    pub(super) fn end_locals(&self, state: &mut State, ends: impl Fn(usize) -> bool, thread_ends: bool) {
        for object in self.locals(state, ends, thread_ends) {
            state.dead.insert(object);
            state.made.remove(&object);
        }
    }
}
