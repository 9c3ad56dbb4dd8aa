//! Whether objects of the heap live: a ghost of one byte each, for objects of which there is one at most.
//!
//! It is 0 before the object is made, 1 while it lives, and 2 from when it was freed. So who frees an object twice, or accesses it behind that, fails a
//! check that invariants may exclude. That it is made once control tells; it is a check as well, because the checker asks for it.
//!
//! Direction of error: none that counts. Certificates say which objects have one, and the checker gives it its meaning again.

use raddle_ir::{AllocStorage, CheckMessage, Property};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::ObjectId;

use crate::build::Builder;
use crate::knowledge::Cell;
use crate::objects::Kind;
use crate::state::State;
use crate::walk::Paths;

/// It lives.
const LIVES: u128 = 1;
/// It was freed.
const FREED: u128 = 2;

impl Builder<'_> {
    /// Whether an object is one that can be freed.
    pub(crate) fn is_of_heap(&self, object: ObjectId) -> bool {
        matches!(self.knowledge.objects.get(object).kind, Kind::Made(_, _, AllocStorage::Heap))
    }

    /// Whether it is followed whether an object lives: where objects are freed, of those of which there is one.
    pub(crate) fn has_life(&self, object: ObjectId) -> bool {
        self.knowledge.frees && self.is_of_heap(object) && !self.knowledge.summaries.contains(&object)
    }

    /// What says whether an object lives, if that is followed.
    pub(crate) fn life_of(&mut self, object: ObjectId) -> Option<Cell> {
        if !self.has_life(object) {
            return None;
        }
        let life = Cell { object: self.knowledge.objects.life(object)?, offset: 0, bytes: 1 };
        self.knowledge.access(life).then_some(life)
    }

    /// When an object lives, if that is followed.
    pub(crate) fn lives(&mut self, state: &State, object: ObjectId) -> Option<TermId> {
        let life = self.life_of(object)?;
        let now = match state.cells.get(&life) {
            Some(&now) => now,
            None => self.cell_before(life),
        };
        let lives = self.terms.bits(LIVES, 8);
        Some(self.terms.eq(now, lives))
    }

    /// Whether an object was made or freed on the way.
    pub(crate) fn changes_a_life(&self, state: &State) -> bool {
        let is_life = |cell: &Cell| matches!(self.knowledge.objects.get(cell.object).kind, Kind::Life(_));
        state.cells.keys().any(is_life)
    }

    /// An object is made, for the first time. Gives whether the path goes on.
    pub(crate) fn is_made_once(&mut self, state: &mut State, life: Option<Cell>, paths: &mut Paths) -> bool {
        let Some(life) = life else { return true };
        let now = self.read_cell(state, life);
        let never = self.terms.bits(0, 8);
        let is_first = self.terms.eq(now, never);
        let property = self.options.asked.first().copied().unwrap_or(Property::Assertion);
        let message = CheckMessage::from("more than one object is made here");
        if !self.require(state, is_first, (property, &message), paths) {
            return false;
        }
        let (lives, yes) = (self.terms.bits(LIVES, 8), self.terms.bool(true));
        self.write_cell(state, life, lives, yes);
        true
    }

    /// The objects that a pointer that is freed may be of; nothing is known of others.
    fn freed(&mut self, pointer: TermId) -> (Vec<ObjectId>, bool) {
        let space = self.knowledge.objects.space;
        let objects: Vec<ObjectId> = match space.targets(&mut self.terms, pointer) {
            Some(targets) => targets.into_iter().map(|target| target.object).collect(),
            None => self.knowledge.exposed.iter().copied().collect(),
        };
        let heap: Vec<ObjectId> = objects.into_iter().filter(|&object| self.is_of_heap(object)).collect();
        let are_followed = heap.iter().all(|&object| self.has_life(object));
        (heap, are_followed)
    }

    /// When a pointer may be freed.
    pub(crate) fn frees(&mut self, state: &State, pointer: TermId) -> TermId {
        let (objects, are_followed) = self.freed(pointer);
        let null = self.terms.bits(0, self.pointer_bits());
        let mut valid = self.terms.eq(pointer, null);
        for object in objects {
            let Some(lives) = self.lives(state, object) else { continue };
            let base = self.knowledge.objects.space.first_byte(&mut self.terms, object);
            let here = self.terms.eq(pointer, base);
            let fits = self.terms.and(here, lives);
            valid = self.terms.or(valid, fits);
        }
        if !are_followed {
            let other = self.terms.fresh("valid", Sort::Bool);
            valid = self.terms.or(valid, other);
        }
        valid
    }

    /// A pointer is freed.
    pub(crate) fn end_lives(&mut self, state: &mut State, pointer: TermId) {
        for object in self.freed(pointer).0 {
            let Some(life) = self.life_of(object) else { continue };
            let base = self.knowledge.objects.space.first_byte(&mut self.terms, object);
            let (here, freed) = (self.terms.eq(pointer, base), self.terms.bits(FREED, 8));
            if self.terms.as_bool(here) != Some(false) {
                self.write_cell(state, life, freed, here);
            }
        }
    }
}
