//! Whether objects of the heap live: a byte for each of those of which a certificate asks.
//!
//! It changes with the instruction that makes the object, and where it is freed. That the instruction does not make a second one is demanded, so one
//! number stands for one object there. Whoever accesses such an object looks at the byte, and that is a step that others may notice: others may
//! free it.

use raddle_base::Span;
use raddle_logic::term::TermId;
use raddle_semantics::ObjectId;

use super::explore::{Explorer, Flow};
use super::state::State;

/// The object was not made yet.
pub(super) const NEVER: u128 = 0;
/// It lives.
const LIVES: u128 = 1;
/// It was freed.
const FREED: u128 = 2;

impl Explorer<'_> {
    /// The cell that says whether an object lives, if there is one.
    pub(super) fn life_of(&self, object: ObjectId) -> Option<usize> {
        self.lives.get(&object).copied()
    }

    /// When an object lives, if that is followed.
    pub(super) fn is_alive(&mut self, state: &State, object: ObjectId) -> Option<TermId> {
        let cell = self.life_of(object)?;
        let lives = self.terms.bits(LIVES, 8);
        Some(self.terms.eq(state.shared[cell], lives))
    }

    /// An object is made. If it is followed whether it lives, it must be the first one.
    pub(super) fn is_made(&mut self, state: &mut State, object: ObjectId, span: Span) -> Flow {
        let Some(cell) = self.life_of(object) else { return Flow::Next };
        let never = self.terms.bits(NEVER, 8);
        let is_first = self.terms.eq(state.shared[cell], never);
        let mut other = state.clone();
        let again = self.terms.not(is_first);
        if self.assume(&mut other, again) {
            self.forbid(&other, "one object at most is made here".to_owned(), span);
        }
        if !self.assume(state, is_first) {
            return Flow::Over;
        }
        state.shared[cell] = self.terms.bits(LIVES, 8);
        Flow::Next
    }

    /// When a pointer is to the first byte of an object of which it is known that it lives.
    pub(super) fn may_be_freed(&mut self, state: &State, pointer: TermId) -> TermId {
        let mut valid = self.terms.bool(false);
        for (object, here) in self.first_bytes(pointer) {
            let Some(lives) = self.is_alive(state, object) else { continue };
            let fits = self.terms.and(here, lives);
            valid = self.terms.or(valid, fits);
        }
        valid
    }

    /// What a pointer leads to is freed.
    pub(super) fn is_freed(&mut self, state: &mut State, pointer: TermId) {
        for (object, here) in self.first_bytes(pointer) {
            let Some(cell) = self.life_of(object) else { continue };
            let freed = self.terms.bits(FREED, 8);
            state.shared[cell] = self.terms.ite(here, freed, state.shared[cell]);
        }
    }

    /// The objects of which it is followed whether they live, and when a pointer is to the first byte of each.
    fn first_bytes(&mut self, pointer: TermId) -> Vec<(ObjectId, TermId)> {
        let objects: Vec<ObjectId> = self.lives.keys().copied().collect();
        let of = |object| {
            let first = self.objects.pointer(&mut self.terms, object, 0);
            (object, self.terms.eq(pointer, first))
        };
        objects.into_iter().map(of).collect()
    }
}
