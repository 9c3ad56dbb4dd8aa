//! Loads and stores: which memory an address may lead to, what is read there and what changes.
//!
//! A pointer whose objects are known leads to these. Any other leads to no private object, because a private object is one whose address
//! the checker never lost sight of. So a write through it may change every followed cell of an object whose address escaped, and nothing that
//! only the thread has. Memory that is neither followed nor private holds any value at any time; an access of it is no step that anybody
//! could notice, because no claim speaks of it.

use raddle_base::Span;
use raddle_ir::{AllocStorage, Property, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::{ObjectId, values};

use super::explore::{Explorer, Flow};
use super::facts::Kind;
use super::objects::Origin;
use super::races::Touch;
use super::state::{OwnObject, Slot, State, overlap};

/// Some memory that an access may lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// When it does.
    condition: TermId,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// Of a private object, at a known offset.
    Own(ObjectId, u64),
    /// Somewhere in a private object.
    OwnSomewhere(ObjectId),
    /// Of another object, at an offset.
    Object(ObjectId, TermId),
    /// Where this pointer leads.
    Unknown(TermId),
}

/// What an address leads to.
pub(super) struct Access {
    pieces: Vec<Piece>,
    /// When the access is known to be valid.
    surely: TermId,
    /// When it may be.
    possibly: TermId,
    bytes: u64,
}

impl Access {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What others may access as well: when, which object, and the offset in it; no object where a pointer is not known.
    pub(super) fn shared_pieces(&self) -> impl Iterator<Item = (TermId, Option<ObjectId>, TermId)> {
        self.pieces.iter().filter_map(|piece| match piece.place {
            Place::Own(..) | Place::OwnSomewhere(_) => None,
            Place::Object(object, offset) => Some((piece.condition, Some(object), offset)),
            Place::Unknown(pointer) => Some((piece.condition, None, pointer)),
        })
    }
}

impl Explorer<'_> {
    /// Whether only the thread itself can access an object.
    pub(super) fn is_private(&self, object: ObjectId) -> bool {
        !self.facts.escaped.contains(&object)
            && match self.objects.origin(object) {
                Origin::ThreadLocal(_) => true,
                // Of these at most one lives in a thread at any time.
                Origin::Made { storage, .. } => *storage == AllocStorage::Local,
                Origin::Number
                | Origin::Nowhere
                | Origin::Function(_)
                | Origin::Global(_)
                | Origin::Life(_) => false,
            }
    }

    /// Whether an object that a constant pointer of the thread leads to is known to live.
    fn lives(&self, state: &State, object: ObjectId) -> bool {
        if state.dead.contains(&object) {
            return false;
        }
        match self.objects.origin(object) {
            Origin::Number | Origin::Nowhere | Origin::Function(_) | Origin::Life(_) => false,
            Origin::Global(_) => true,
            Origin::ThreadLocal(_) => self.is_private(object),
            // That is said by a cell.
            Origin::Made { .. } if self.life_of(object).is_some() => true,
            Origin::Made { storage: AllocStorage::Heap | AllocStorage::Library, .. } => {
                !self.facts.frees_anything && !self.facts.freed.contains(&object)
            }
            Origin::Made { storage: AllocStorage::Local | AllocStorage::Dynamic, template, .. } => {
                state.made.contains(&object)
                    || (*template == state.template
                        && self.facts.live[state.from].as_ref().is_none_or(|live| live.contains(&object)))
            }
        }
    }

    pub(super) fn size(&self, object: ObjectId) -> Option<u64> {
        match self.objects.origin(object) {
            Origin::Global(global) | Origin::ThreadLocal(global) => Some(self.program.globals[*global].size),
            Origin::Made { .. } => self.facts.sizes.get(&object).copied().flatten(),
            Origin::Number | Origin::Nowhere | Origin::Function(_) | Origin::Life(_) => Some(0),
        }
    }

    /// When an access at an offset stays within an object; `None` if its size is not known.
    fn within(&mut self, object: ObjectId, offset: TermId, bytes: u64) -> Option<TermId> {
        let size = self.size(object)?;
        let size = self.terms.bits(size.into(), self.objects.pointer_bits);
        let bytes = u32::try_from(bytes).ok()?;
        Some(self.objects.space.within(&mut self.terms, offset, bytes, size))
    }

    pub(super) fn is_read_only(&self, object: ObjectId) -> bool {
        match self.objects.origin(object) {
            Origin::Global(global) | Origin::ThreadLocal(global) => self.program.globals[*global].read_only,
            Origin::Number
            | Origin::Nowhere
            | Origin::Function(_)
            | Origin::Made { .. }
            | Origin::Life(_) => false,
        }
    }

    /// What an address leads to.
    pub(super) fn resolve(&mut self, state: &mut State, address: TermId, bytes: u64, writes: bool) -> Access {
        let (yes, no) = (self.terms.bool(true), self.terms.bool(false));
        let mut access = Access { pieces: Vec::new(), surely: no, possibly: no, bytes };
        let Some(targets) = self.known_targets(address) else {
            // Lost sight of: what it may lead to is private no more.
            self.escape(address);
            access.pieces.push(Piece { condition: yes, place: Place::Unknown(address) });
            access.surely = self.surely_valid(state, address, bytes, writes);
            let null = self.terms.bits(0, self.objects.pointer_bits);
            access.possibly = self.terms.ne(address, null);
            return access;
        };
        for target in targets {
            let object = target.object;
            let is_memory = match self.objects.origin(object) {
                Origin::Number | Origin::Nowhere | Origin::Function(_) | Origin::Life(_) => false,
                Origin::Global(_) | Origin::ThreadLocal(_) | Origin::Made { .. } => true,
            };
            let is_dead = state.dead.contains(&object) && self.is_private(object);
            if !is_memory || is_dead || (writes && self.is_read_only(object)) {
                continue;
            }
            let offset = self.objects.space.offset_in(&mut self.terms, target.address, object);
            let within = self.within(object, offset, bytes);
            let possibly = within.unwrap_or(yes);
            let surely = if self.lives(state, object) { within.unwrap_or(no) } else { no };
            let lives = self.is_alive(state, object).unwrap_or(yes);
            let (surely, possibly) = (self.terms.and(lives, surely), self.terms.and(lives, possibly));
            let (surely, possibly) =
                (self.terms.and(target.condition, surely), self.terms.and(target.condition, possibly));
            access.surely = self.terms.or(access.surely, surely);
            access.possibly = self.terms.or(access.possibly, possibly);
            let known = self.terms.as_bits(offset).and_then(|offset| u64::try_from(offset).ok());
            let place = match (self.is_private(object), known) {
                (true, Some(offset)) => Place::Own(object, offset),
                (true, None) => Place::OwnSomewhere(object),
                (false, _) => Place::Object(object, offset),
            };
            access.pieces.push(Piece { condition: target.condition, place });
        }
        access
    }

    /// When a pointer that may lead anywhere leads to memory that lives for ever.
    fn surely_valid(&mut self, state: &State, pointer: TermId, bytes: u64, writes: bool) -> TermId {
        let mut valid = self.terms.bool(false);
        for object in self.facts.escaped.clone() {
            let lasts = match self.objects.origin(object) {
                Origin::Global(_) => true,
                Origin::Made { .. } if self.life_of(object).is_some() => true,
                Origin::Made { storage: AllocStorage::Heap | AllocStorage::Library, .. } => {
                    !self.facts.frees_anything && !self.facts.freed.contains(&object)
                }
                Origin::Made { storage: AllocStorage::Local | AllocStorage::Dynamic, .. }
                | Origin::Number
                | Origin::Nowhere
                | Origin::Function(_)
                | Origin::Life(_)
                | Origin::ThreadLocal(_) => false,
            };
            if !lasts || (writes && self.is_read_only(object)) {
                continue;
            }
            let offset = self.objects.space.offset_in(&mut self.terms, pointer, object);
            if let Some(within) = self.within(object, offset, bytes) {
                let here = self.objects.space.is_in(&mut self.terms, pointer, object);
                let within = self.terms.and(here, within);
                let lives = self.is_alive(state, object);
                let within = lives.map_or(within, |lives| self.terms.and(lives, within));
                valid = self.terms.or(valid, within);
            }
        }
        valid
    }

    /// An access begins: it must be valid, and if others could notice it, it is the step of the path.
    pub(super) fn begin(&mut self, state: &mut State, access: &Access, span: Span, touch: Touch) -> Flow {
        let what = || "the access is valid".to_owned();
        let flow = self.demand(state, Property::MemorySafety, (access.surely, access.possibly), what, span);
        if flow == Flow::Over {
            return Flow::Over;
        }
        let is_seen = touch == Touch::Lock
            || access.pieces.iter().any(|piece| self.touches_cells(piece.place, access.bytes))
            || self.may_race(state, access, touch);
        if is_seen && self.visible(state, span) == Flow::Over {
            return Flow::Over;
        }
        self.note_access(state, access, touch, span);
        Flow::Next
    }

    fn touches_cells(&self, place: Place, bytes: u64) -> bool {
        match place {
            Place::Own(..) | Place::OwnSomewhere(_) => false,
            // Others may notice that it was accessed while it lived.
            Place::Object(object, _) if self.life_of(object).is_some() => true,
            Place::Object(object, offset) => {
                let offset = self.terms.as_bits(offset).and_then(|offset| u64::try_from(offset).ok());
                self.cells.iter().any(|cell| {
                    cell.object == object
                        && offset
                            .is_none_or(|offset| overlap((offset, bytes), (cell.offset, cell.bytes.into())))
                })
            }
            Place::Unknown(_) => {
                !self.lives.is_empty()
                    || self.cells.iter().any(|cell| self.facts.escaped.contains(&cell.object))
            }
        }
    }

    /// Reads memory as a value of a type.
    pub(super) fn read(&mut self, state: &mut State, access: &Access, ty: Type) -> TermId {
        let mut result = None;
        for piece in &access.pieces {
            let value = self.read_piece(state, piece.place, access.bytes, ty);
            result = Some(match result {
                None => value,
                Some(rest) => {
                    let made = self.terms.ite(piece.condition, value, rest);
                    self.objects.derive(&self.terms, made, &[value, rest])
                }
            });
        }
        result.unwrap_or_else(|| self.any(ty))
    }

    fn read_piece(&mut self, state: &mut State, place: Place, bytes: u64, ty: Type) -> TermId {
        match place {
            Place::Own(object, offset) => {
                let slot = Slot::Own(object, offset, bytes);
                self.escape_pieces(state, object, (offset, bytes));
                let value = self.own_value(state, (object, offset, bytes), true);
                if self.is_mixed(slot, ty) {
                    self.escape(value);
                    return self.any(ty);
                }
                value
            }
            Place::OwnSomewhere(object) => {
                let held: Vec<TermId> = state
                    .own
                    .get(&object)
                    .map(|own| own.slots.values().copied().collect())
                    .unwrap_or_default();
                for value in held {
                    self.escape(value);
                }
                let all = Slot::Own(object, 0, u64::MAX);
                state.reads.insert(all);
                self.facts.needs(state.from, all);
                self.any(ty)
            }
            Place::Object(object, offset) => {
                if let Some(value) = self.read_only_value(object, offset, ty) {
                    return value;
                }
                let any = self.any(ty);
                self.read_cells(state, object, offset, bytes, ty, any)
            }
            Place::Unknown(pointer) => {
                let mut value = self.any(ty);
                for object in self.escaped_with_cells() {
                    let offset = self.objects.space.offset_in(&mut self.terms, pointer, object);
                    value = self.read_cells(state, object, offset, bytes, ty, value);
                }
                value
            }
        }
    }

    /// Pointers that are read in pieces may be put together again.
    fn escape_pieces(&mut self, state: &State, object: ObjectId, range: (u64, u64)) {
        let Some(own) = state.own.get(&object) else { return };
        let other = |slot: &(u64, u64)| *slot != range && overlap(*slot, range);
        let pieces: Vec<TermId> =
            own.slots.iter().filter(|(slot, _)| other(slot)).map(|(_, value)| *value).collect();
        for value in pieces {
            self.escape(value);
        }
    }

    /// What a constant object holds.
    fn read_only_value(&mut self, object: ObjectId, offset: TermId, ty: Type) -> Option<TermId> {
        let Origin::Global(global) = *self.objects.origin(object) else { return None };
        if !self.program.globals[global].read_only || self.cells.iter().any(|cell| cell.object == object) {
            return None;
        }
        let offset = u64::try_from(self.terms.as_bits(offset)?).ok()?;
        let bytes = u64::from(values::bytes(ty, self.objects.pointer_bits));
        self.initial_value(global, offset, bytes, Kind::of(ty))
    }

    /// What a private object holds; `reads` says that the program looks.
    pub(super) fn own_value(
        &mut self,
        state: &mut State,
        (object, offset, bytes): (ObjectId, u64, u64),
        reads: bool,
    ) -> TermId {
        let slot = Slot::Own(object, offset, bytes);
        let own = state.own.entry(object).or_default();
        if let Some(&value) = own.slots.get(&(offset, bytes)) {
            return value;
        }
        let changed = own.is_new || own.written.iter().any(|&range| overlap(range, (offset, bytes)));
        let value = if changed {
            self.terms.fresh("any", Sort::BitVec(width(bytes)))
        } else {
            if reads {
                state.reads.insert(slot);
                self.facts.needs(state.from, slot);
            }
            self.slot_symbol(state.template, slot, width(bytes))
        };
        state.own.entry(object).or_default().slots.insert((offset, bytes), value);
        value
    }

    /// Writes memory. The value may go where others find it.
    pub(super) fn write(&mut self, state: &mut State, access: &Access, value: TermId, ty: Type) {
        for piece in &access.pieces {
            match piece.place {
                Place::Own(object, offset) => {
                    self.is_mixed(Slot::Own(object, offset, access.bytes), ty);
                    let is_certain = self.terms.as_bool(piece.condition) == Some(true);
                    let new = if is_certain {
                        value
                    } else {
                        let old = self.own_value(state, (object, offset, access.bytes), true);
                        let made = self.terms.ite(piece.condition, value, old);
                        self.objects.derive(&self.terms, made, &[value, old])
                    };
                    self.forget_own(state, object, (offset, access.bytes));
                    let own = state.own.entry(object).or_default();
                    own.slots.insert((offset, access.bytes), new);
                }
                Place::OwnSomewhere(object) => {
                    self.escape(value);
                    self.blur(state, object);
                }
                Place::Object(object, offset) => {
                    self.escape(value);
                    self.write_cells(
                        state,
                        object,
                        (offset, access.bytes),
                        (piece.condition, Some(value)),
                        ty,
                    );
                }
                Place::Unknown(pointer) => {
                    self.escape(value);
                    for object in self.escaped_with_cells() {
                        let offset = self.objects.space.offset_in(&mut self.terms, pointer, object);
                        let what = (piece.condition, Some(value));
                        self.write_cells(state, object, (offset, access.bytes), what, ty);
                    }
                }
            }
        }
    }

    /// The memory holds anything from now on.
    pub(super) fn havoc(&mut self, state: &mut State, access: &Access) {
        for piece in &access.pieces {
            match piece.place {
                Place::Own(object, offset) => self.forget_own(state, object, (offset, access.bytes)),
                Place::OwnSomewhere(object) => self.blur(state, object),
                Place::Object(object, offset) => {
                    self.facts.forget(object);
                    let at = (offset, access.bytes);
                    self.write_cells(state, object, at, (piece.condition, None), Type::Int(8));
                }
                Place::Unknown(pointer) => {
                    self.facts.forget_anything();
                    for object in self.escaped_with_cells() {
                        let offset = self.objects.space.offset_in(&mut self.terms, pointer, object);
                        let at = (offset, access.bytes);
                        self.write_cells(state, object, at, (piece.condition, None), Type::Int(8));
                    }
                }
            }
        }
    }

    /// Slots that share bytes with a range hold anything.
    fn forget_own(&mut self, state: &mut State, object: ObjectId, range: (u64, u64)) {
        let own = state.own.entry(object).or_default();
        let hit: Vec<(u64, u64)> = own.slots.keys().copied().filter(|&slot| overlap(slot, range)).collect();
        let mut pieces = Vec::new();
        for slot in hit {
            let value = own.slots.remove(&slot);
            let is_covered = range.0 <= slot.0 && slot.0 + slot.1 <= range.0.saturating_add(range.1);
            pieces.extend(value.filter(|_| !is_covered));
        }
        own.written.push(range);
        // What is left of a pointer may be read in pieces.
        for value in pieces {
            self.escape(value);
        }
    }

    fn blur(&mut self, state: &mut State, object: ObjectId) {
        let own = state.own.entry(object).or_default();
        let held: Vec<TermId> = own.slots.values().copied().collect();
        *own = OwnObject { is_new: true, ..OwnObject::default() };
        for value in held {
            self.escape(value);
        }
    }
}

/// Bits of so many bytes.
pub(super) fn width(bytes: u64) -> u32 {
    u32::try_from(8 * bytes).expect("accesses are small")
}
