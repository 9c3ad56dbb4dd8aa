//! The numbers of addresses.
//!
//! A pointer term says which object and which offset, not where the object lies ([`World`](super::world::World)). Where the
//! program makes a number of a pointer, or asks for an order or a distance that depends on where objects lie, the
//! object gets a *place*: a symbol for the number of its first byte. It is a multiple of the object's alignment, the object is
//! neither in the first nor in the last page, and objects that live all the time do not overlap; nothing else is
//! known. So a proof holds for every layout. A counterexample may need a layout that is not the VM's: then the answer is
//! unknown.
//!
//! A number becomes a pointer by its provenance: the sum of an object's place and something else points into that object;
//! what is computed in other ways points into the object with a place that it lies in. A number that nobody knows
//! may be the address of something that has no place: where that would count, the answer is unknown.

use raddle_base::{Id, Span};
use raddle_ir::Type;
use raddle_logic::term::{Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::heap::Heap;
use super::path::Path;
use super::world::Origin;
use crate::execution_graph::events::{InstanceId, Limit, LimitKind, StepId};
use raddle_semantics::ObjectId;

/// No object lies in the first page or in the last.
const PAGE: u128 = 4096;
/// A pointer or number with more candidates than this is not followed.
pub(crate) const MOST_CANDIDATES: usize = 16;
/// Pointers that are compared with more candidates than this compare in any way where that depends on where objects lie.
pub(crate) const MOST_PLACES: usize = 4;
/// What a counterexample may depend on that is another in the VM.
pub(crate) const BY_PLACE: &str = "where objects lie in memory";
pub(crate) const BY_NUMBER: &str = "a pointer that comes from a number";

/// Where objects lie.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    list: Vec<PlaceOf>,
    of_object: FxHashMap<ObjectId, usize>,
    /// The numbers that pointers were made of.
    made_of: FxHashMap<TermId, TermId>,
    /// Heap objects, each with the thread that makes it.
    made: Vec<(InstanceId, ObjectId)>,
    /// Pairs of heap objects, with when both live at one time for sure.
    together: Vec<(ObjectId, ObjectId, TermId)>,
    /// Where it counts what a number stands for that nobody knows.
    guesses: Vec<Guess>,
    /// Whether there are pointers that nobody knows: inputs, numbers, what was never written.
    unknown_pointers: bool,
}

/// Where an object lies.
#[derive(Clone, Copy, Debug)]
struct PlaceOf {
    object: ObjectId,
    /// The number of its first byte.
    number: TermId,
    /// The symbol: the number without the low bits that are zero.
    symbol: TermId,
    /// How many these are.
    low: u32,
}

/// Where a number that nobody knows would count if it were an address.
#[derive(Clone, Copy, Debug)]
struct Guess {
    reached: TermId,
    step: StepId,
    span: Span,
}

impl Placement {
    /// The number that a pointer was made of, if it was.
    pub(crate) fn number_behind(&self, pointer: TermId) -> Option<TermId> {
        self.made_of.get(&pointer).copied()
    }

    /// A pointer was made of a number.
    pub(crate) fn note_made_of(&mut self, pointer: TermId, number: TermId) {
        self.made_of.insert(pointer, number);
    }

    /// There are pointers that nobody knows.
    pub(crate) fn note_unknown_pointer(&mut self) {
        self.unknown_pointers = true;
    }

    /// The objects whose place counts so far, each with the number of its first byte.
    pub(crate) fn placed(&self) -> Vec<(ObjectId, TermId)> {
        self.list.iter().map(|place| (place.object, place.number)).collect()
    }

    /// A thread makes a heap object. Gives those that it made before, the newest first.
    pub(crate) fn note_made(&mut self, thread: InstanceId, object: ObjectId) -> Vec<ObjectId> {
        let before = self.made.iter().rev().filter(|(maker, _)| *maker == thread).map(|(_, made)| *made);
        let before = before.take(MOST_CANDIDATES).collect();
        self.made.push((thread, object));
        before
    }

    /// Two heap objects live at one time for sure, if a condition holds.
    pub(crate) fn note_together(&mut self, first: ObjectId, second: ObjectId, condition: TermId) {
        self.together.push((first, second, condition));
    }

    /// Where an object lies.
    fn place_of(&mut self, cx: &mut Context<'_, '_>, heap: &mut Heap, object: ObjectId) -> TermId {
        if let Some(&index) = self.of_object.get(&object) {
            return self.list[index].number;
        }
        let bits = cx.pointer_bits();
        let facts = if heap.exists(cx, object) { heap.get(object).cloned() } else { None };
        let low = facts.as_ref().map_or(0, |facts| facts.align.max(1).trailing_zeros()).min(bits - 1);
        let symbol = cx.out.terms.fresh("place", Sort::BitVec(bits - low));
        let number = if low == 0 {
            symbol
        } else {
            let zeros = cx.out.terms.bits(0, low);
            cx.out.terms.concat(symbol, zeros)
        };
        let first = cx.out.terms.bits(PAGE, bits);
        let behind_first = cx.out.terms.ule(first, number);
        cx.out.constraints.push(behind_first);
        let size = facts.map_or_else(|| cx.out.terms.bits(1, bits), |facts| facts.size);
        let last = cx.out.terms.bits((1 << bits) - PAGE, bits);
        let end = cx.out.terms.sub(last, size);
        let before_last = cx.out.terms.ule(number, end);
        cx.out.constraints.push(before_last);
        self.of_object.insert(object, self.list.len());
        self.list.push(PlaceOf { object, number, symbol, low });
        number
    }

    /// The number of a pointer that belongs to an object.
    pub(crate) fn number_in(
        &mut self,
        cx: &mut Context<'_, '_>,
        heap: &mut Heap,
        object: ObjectId,
        pointer: TermId,
    ) -> TermId {
        if object.index() == 0 {
            return pointer;
        }
        let place = self.place_of(cx, heap, object);
        let offset = cx.offset_in(pointer, object);
        cx.out.terms.add(place, offset)
    }

    /// The pointer that a number is by the way it was computed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into has no provenance")]
    pub(crate) fn provenance(&mut self, cx: &mut Context<'_, '_>, number: TermId) -> Option<TermId> {
        if let Some(pointer) = self.tagged(cx, number) {
            return Some(pointer);
        }
        match cx.out.terms[number] {
            Term::Bits { value, .. } => {
                let addresses = cx.world.addresses();
                let range = value >> addresses.offset_bits();
                (range == 0 || range >= addresses.room() as u128).then_some(number)
            }
            Term::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (self.provenance(cx, then)?, self.provenance(cx, otherwise)?);
                Some(cx.out.terms.ite(condition, then, otherwise))
            }
            Term::Add(left, right) => {
                let found = [(left, right), (right, left)].into_iter().find_map(|(address, offset)| {
                    if cx.out.terms.as_bits(address).is_some() || self.has_place(cx, offset) {
                        return None;
                    }
                    Some((self.provenance(cx, address)?, offset))
                });
                let (pointer, offset) = found?;
                Some(cx.moved(pointer, offset))
            }
            _ => None,
        }
    }

    /// The same for a place of which at most the low bits, which its alignment leaves free, were changed.
    fn tagged(&mut self, cx: &mut Context<'_, '_>, number: TermId) -> Option<TermId> {
        let bits = cx.pointer_bits();
        let mut known: Vec<(u32, TermId)> = Vec::new();
        for index in 0..self.list.len() {
            let place = self.list[index];
            if place.number == number {
                return Some(cx.pointer(cx.world.base(place.object)));
            }
            let high = match known.iter().find(|(low, _)| *low == place.low) {
                Some((_, high)) => *high,
                None => {
                    let high = cx.out.terms.extract(bits - 1, place.low, number);
                    known.push((place.low, high));
                    high
                }
            };
            if high == place.symbol && place.low > 0 {
                let tag = cx.out.terms.extract(place.low - 1, 0, number);
                let tag = cx.out.terms.resize(tag, bits, false);
                let base = cx.pointer(cx.world.base(place.object));
                return Some(cx.out.terms.add(base, tag));
            }
        }
        None
    }

    /// Whether a term depends on where an object lies.
    fn has_place(&self, cx: &Context<'_, '_>, term: TermId) -> bool {
        let subterms = cx.out.terms.subterms(&[term]);
        self.list.iter().any(|place| subterms.contains(&place.symbol))
    }

    /// A value that comes from outside or was never written. A pointer that does is a number, and may be one that is the address
    /// of something.
    pub(crate) fn unknown_value(&mut self, cx: &mut Context<'_, '_>, ty: Type, value: TermId) {
        if ty != Type::Ptr {
            return;
        }
        self.unknown_pointers = true;
        let possible = is_possible_address(cx, value);
        cx.report.havocked.push((possible, BY_NUMBER));
        if cx.out.terms.as_symbol(value).is_some() {
            let is_number = cx.is_number(value);
            cx.out.constraints.push(is_number);
        }
    }

    /// Here it counts whether a number that nobody knows is the address of something.
    pub(crate) fn guess(&mut self, cx: &mut Context<'_, '_>, path: &Path, condition: TermId) {
        let reached = cx.out.terms.and(path.guard.term(), condition);
        if cx.out.terms.as_bool(reached) != Some(false) {
            let (step, span) = (cx.step_at(path), cx.span());
            self.guesses.push(Guess { reached, step, span });
        }
    }

    /// Two objects do not overlap.
    fn apart(&self, cx: &mut Context<'_, '_>, heap: &Heap, a: &PlaceOf, b: &PlaceOf) -> TermId {
        let (a_size, b_size) = (heap.facts(a.object).size, heap.facts(b.object).size);
        let terms = &mut cx.out.terms;
        let (a_end, b_end) = (terms.add(a.number, a_size), terms.add(b.number, b_size));
        let (before, behind) = (terms.ule(a_end, b.number), terms.ule(b_end, a.number));
        terms.or(before, behind)
    }

    /// When all is known: objects that live all the time do not overlap, and guesses count if anything was to be guessed.
    pub(crate) fn resolve(&mut self, cx: &mut Context<'_, '_>, heap: &Heap) {
        let lasting: Vec<PlaceOf> = self
            .list
            .iter()
            .copied()
            .filter(|place| {
                let facts = heap.get(place.object);
                let lasts = facts.is_some_and(|facts| !facts.may_end || facts.is_heap && !cx.world.frees());
                lasts || facts.is_some() && !cx.options.address_reuse
            })
            .collect();
        for (index, a) in lasting.iter().enumerate() {
            for b in &lasting[index + 1..] {
                let apart = self.apart(cx, heap, a, b);
                cx.out.constraints.push(apart);
            }
        }
        for (a, b, together) in std::mem::take(&mut self.together) {
            let place = |object: ObjectId| self.of_object.get(&object).map(|&index| self.list[index]);
            let (Some(a), Some(b)) = (place(a), place(b)) else { continue };
            // What has no bytes has an address of its own all the same.
            let same = cx.out.terms.eq(a.number, b.number);
            let (apart, different) = (self.apart(cx, heap, &a, &b), cx.out.terms.not(same));
            let apart = cx.out.terms.and(apart, different);
            let holds = cx.out.terms.implies(together, apart);
            cx.out.constraints.push(holds);
        }
        for place in &self.list {
            let Some(facts) = heap.get(place.object) else { continue };
            let global = match cx.world.origin(place.object) {
                Origin::Global(global) => Some(global),
                Origin::Nothing
                | Origin::Function(_)
                | Origin::ThreadLocal(..)
                | Origin::Alloc(_)
                | Origin::Nowhere => None,
            };
            cx.report.places.push((place.number, facts.size, global));
        }
        if self.unknown_pointers {
            for guess in std::mem::take(&mut self.guesses) {
                let what = "a pointer that comes from a number which may be the address of any object";
                let kind = LimitKind::Unsupported(what.to_owned());
                let Guess { reached, step, span } = guess;
                cx.out.limits.push(Limit { kind, reached, step, span });
            }
        }
    }
}

/// Whether a number may be the address of something: it is not in the first page or in the last.
pub(crate) fn is_possible_address(cx: &mut Context<'_, '_>, number: TermId) -> TermId {
    let bits = cx.pointer_bits();
    let first = cx.out.terms.bits(PAGE, bits);
    let last = cx.out.terms.bits((1 << bits) - PAGE, bits);
    let (behind, before) = (cx.out.terms.ule(first, number), cx.out.terms.ult(number, last));
    cx.out.terms.and(behind, before)
}

/// Whether a pointer is a number that may be the address of something: not in the first page or in the last. A number that
/// is no pointer here points nowhere.
pub(crate) fn may_be_address(cx: &mut Context<'_, '_>, pointer: TermId) -> TermId {
    let is_number = cx.is_number(pointer);
    let between = is_possible_address(cx, pointer);
    let number = cx.out.terms.and(is_number, between);
    let nowhere = cx.world.addresses().nowhere();
    let is_nowhere = cx.is_in(pointer, nowhere);
    cx.out.terms.or(number, is_nowhere)
}

/// Whether a pointer is surely a number in the first page or in the last, where no object lies.
pub(crate) fn is_in_no_object(cx: &Context<'_, '_>, pointer: TermId) -> bool {
    let last = (1_u128 << cx.pointer_bits()) - PAGE;
    cx.out.terms.as_bits(pointer).is_some_and(|number| number < PAGE || number >= last)
}
