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

use std::collections::BTreeMap;

use raddle_base::{Id, Span};
use raddle_ir::analyses::address_reuse::moves;
use raddle_ir::analyses::points_to::{self, ObjectKind};
use raddle_ir::{CompareOp, FunctionId, Operand, Type};
use raddle_logic::term::{Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::execute::Executor;
use super::path::Path;
use super::world::{Origin, Reach};
use crate::execution_graph::events::{InstanceId, Limit, LimitKind, Space, StepId};
use crate::semantics::pointers::signed_bits;
use crate::semantics::values;
use crate::semantics::{ObjectId, Target};

/// No object lies in the first page or in the last.
const PAGE: u128 = 4096;
/// A pointer or number with more candidates than this is not followed.
const MOST_CANDIDATES: usize = 16;
/// Pointers that are compared with more candidates than this compare in any way where that depends on where objects lie.
const MOST_PLACES: usize = 4;
/// What a counterexample may depend on that is another in the VM.
const BY_PLACE: &str = "where objects lie in memory";
const BY_NUMBER: &str = "a pointer that comes from a number";

/// Where objects lie.
#[derive(Debug, Default)]
pub(crate) struct Places {
    list: Vec<PlaceOf>,
    of_object: FxHashMap<ObjectId, usize>,
    /// The numbers that pointers were made of.
    made_of: FxHashMap<TermId, TermId>,
    /// Heap objects, each with the thread that makes it.
    made: Vec<(InstanceId, ObjectId)>,
    /// Pairs of heap objects, with when both live at one time for sure.
    together: Vec<(ObjectId, ObjectId, TermId)>,
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
pub(crate) struct Guess {
    reached: TermId,
    span: Span,
}

impl Executor<'_, '_> {
    /// Where an object lies.
    fn place_of(&mut self, object: ObjectId) -> TermId {
        if let Some(&index) = self.places.of_object.get(&object) {
            return self.places.list[index].number;
        }
        let bits = self.pointer_bits();
        let facts = if self.exists(object) { self.objects.get(&object).cloned() } else { None };
        let low = facts.as_ref().map_or(0, |facts| facts.align.max(1).trailing_zeros()).min(bits - 1);
        let symbol = self.out.terms.fresh("place", Sort::BitVec(bits - low));
        let number = if low == 0 {
            symbol
        } else {
            let zeros = self.out.terms.bits(0, low);
            self.out.terms.concat(symbol, zeros)
        };
        let first = self.out.terms.bits(PAGE, bits);
        let behind_first = self.out.terms.ule(first, number);
        self.out.constraints.push(behind_first);
        let size = facts.map_or_else(|| self.out.terms.bits(1, bits), |facts| facts.size);
        let last = self.out.terms.bits((1 << bits) - PAGE, bits);
        let end = self.out.terms.sub(last, size);
        let before_last = self.out.terms.ule(number, end);
        self.out.constraints.push(before_last);
        self.places.of_object.insert(object, self.places.list.len());
        self.places.list.push(PlaceOf { object, number, symbol, low });
        number
    }

    /// The number of a pointer that belongs to an object.
    fn number_in(&mut self, object: ObjectId, pointer: TermId) -> TermId {
        if object.index() == 0 {
            return pointer;
        }
        let place = self.place_of(object);
        let offset = self.offset_in(pointer, object);
        self.out.terms.add(place, offset)
    }

    /// The number of a pointer, and when it counts.
    pub(crate) fn number_of(
        &mut self,
        path: &Path,
        counts: TermId,
        pointer: TermId,
        operand: Operand,
    ) -> TermId {
        if let Some(number) = self.places.made_of.get(&pointer) {
            return *number;
        }
        let is_number = self.is_number(pointer);
        let by_place = self.out.terms.not(is_number);
        let by_place = self.out.terms.and(counts, by_place);
        self.note_dependence(path, by_place, BY_PLACE);
        if let Some(list) = self.world.addresses().targets(&mut self.out.terms, pointer) {
            let mut number = None;
            for Target { condition, object, address } in list.into_iter().rev() {
                let this = if self.is_nowhere(object) {
                    self.opaque(path, Type::Ptr, "the number of a pointer that has left its object by far")
                } else {
                    self.number_in(object, address)
                };
                number = Some(number.map_or(this, |rest| self.out.terms.ite(condition, this, rest)));
            }
            return number.expect("a pointer has a target");
        }
        let candidates = self.candidates(operand);
        if candidates.is_empty() && self.out.terms.as_bool(is_number) == Some(true) {
            return pointer;
        }
        let mut unknown = self.out.terms.not(is_number);
        let mut here = Vec::new();
        for &object in candidates.iter().take(MOST_CANDIDATES) {
            let condition = self.is_in(pointer, object);
            let elsewhere = self.out.terms.not(condition);
            unknown = self.out.terms.and(unknown, elsewhere);
            here.push((condition, self.number_in(object, pointer)));
        }
        let mut number = pointer;
        if self.out.terms.as_bool(unknown) != Some(false) {
            let happens = self.out.terms.and(path.guard.term(), unknown);
            self.report.opaque.push((happens, "the number of an address"));
            let anything = self.fresh("number", Type::Ptr);
            number = self.out.terms.ite(unknown, anything, pointer);
        }
        for (condition, this) in here {
            number = self.out.terms.ite(condition, this, number);
        }
        number
    }

    /// The objects that there are so far and that an operand may point to.
    fn candidates(&self, operand: Operand) -> Vec<ObjectId> {
        self.candidates_of(self.place().function, operand)
    }

    /// The same for an operand of a function.
    pub(crate) fn candidates_of(&self, function: FunctionId, operand: Operand) -> Vec<ObjectId> {
        let found = self.world.points_to.targets(function, operand);
        let objects = (1..self.world.object_count()).map(ObjectId::from_index);
        objects
            .filter(|object| found.iter().any(|(candidate, _)| self.stands_for(*candidate, *object)))
            .collect()
    }

    /// Whether an abstract object stands for an object.
    pub(crate) fn stands_for(&self, candidate: points_to::ObjectId, object: ObjectId) -> bool {
        let kind = &self.world.points_to.objects()[candidate].kind;
        match self.world.origin(object) {
            Origin::Global(global) | Origin::ThreadLocal(_, global) => *kind == ObjectKind::Global(global),
            Origin::Function(function) => *kind == ObjectKind::Function(function),
            Origin::Alloc(_) => {
                let site = self.objects.get(&object).and_then(|facts| facts.site);
                site.is_some_and(|site| is_made_at(kind, site))
            }
            Origin::Nothing | Origin::Nowhere => false,
        }
    }

    /// A counterexample in which this holds may be none in the VM, where objects lie elsewhere.
    fn note_dependence(&mut self, path: &Path, condition: TermId, what: &'static str) {
        let happens = self.out.terms.and(path.guard.term(), condition);
        if self.out.terms.as_bool(happens) != Some(false) {
            self.report.opaque.push((happens, what));
        }
    }

    /// Whether a number may be the address of something: it is not in the first page or in the last.
    fn is_possible_address(&mut self, number: TermId) -> TermId {
        let bits = self.pointer_bits();
        let first = self.out.terms.bits(PAGE, bits);
        let last = self.out.terms.bits((1 << bits) - PAGE, bits);
        let (behind, before) = (self.out.terms.ule(first, number), self.out.terms.ult(number, last));
        self.out.terms.and(behind, before)
    }

    /// The pointer that a number becomes.
    pub(crate) fn pointer_of(&mut self, path: &Path, number: TermId) -> TermId {
        if let Some(pointer) = self.provenance(number) {
            return pointer;
        }
        let nowhere = self.pointer(self.world.base(self.world.addresses().nowhere()));
        self.unknown_pointers = true;
        let possible = self.is_possible_address(number);
        self.note_dependence(path, possible, BY_NUMBER);
        if signed_bits(&self.out.terms, number, 0) < self.world.addresses().offset_bits()
            && self.places.list.is_empty()
        {
            return number;
        }
        let places: Vec<PlaceOf> = self.places.list.clone();
        let is_number = self.is_number(number);
        let mut pointer = self.out.terms.ite(is_number, number, nowhere);
        let bits = self.pointer_bits();
        // Inside of an object comes before one past the end of another.
        for inside in [false, true] {
            for place in places.iter().take(MOST_CANDIDATES) {
                let size = match self.objects.get(&place.object) {
                    Some(facts) => facts.size,
                    None => self.out.terms.bits(1, bits),
                };
                let offset = self.out.terms.sub(number, place.number);
                let here =
                    if inside { self.out.terms.ult(offset, size) } else { self.out.terms.eq(offset, size) };
                let base = self.pointer(self.world.base(place.object));
                let there = self.out.terms.add(base, offset);
                pointer = self.out.terms.ite(here, there, pointer);
            }
        }
        self.places.made_of.insert(pointer, number);
        pointer
    }

    /// The pointer that a number is by the way it was computed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into has no provenance")]
    fn provenance(&mut self, number: TermId) -> Option<TermId> {
        if let Some(pointer) = self.tagged(number) {
            return Some(pointer);
        }
        match self.out.terms[number] {
            Term::Bits { value, .. } => {
                let addresses = self.world.addresses();
                let range = value >> addresses.offset_bits();
                (range == 0 || range >= addresses.room() as u128).then_some(number)
            }
            Term::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (self.provenance(then)?, self.provenance(otherwise)?);
                Some(self.out.terms.ite(condition, then, otherwise))
            }
            Term::Add(left, right) => {
                let found = [(left, right), (right, left)].into_iter().find_map(|(address, offset)| {
                    if self.out.terms.as_bits(address).is_some() || self.has_place(offset) {
                        return None;
                    }
                    Some((self.provenance(address)?, offset))
                });
                let (pointer, offset) = found?;
                Some(self.moved(pointer, offset))
            }
            _ => None,
        }
    }

    /// The same for a place of which at most the low bits, which its alignment leaves free, were changed.
    fn tagged(&mut self, number: TermId) -> Option<TermId> {
        let bits = self.pointer_bits();
        let mut known: Vec<(u32, TermId)> = Vec::new();
        for index in 0..self.places.list.len() {
            let place = self.places.list[index];
            if place.number == number {
                return Some(self.pointer(self.world.base(place.object)));
            }
            let high = match known.iter().find(|(low, _)| *low == place.low) {
                Some((_, high)) => *high,
                None => {
                    let high = self.out.terms.extract(bits - 1, place.low, number);
                    known.push((place.low, high));
                    high
                }
            };
            if high == place.symbol && place.low > 0 {
                let tag = self.out.terms.extract(place.low - 1, 0, number);
                let tag = self.out.terms.resize(tag, bits, false);
                let base = self.pointer(self.world.base(place.object));
                return Some(self.out.terms.add(base, tag));
            }
        }
        None
    }

    /// Whether a term depends on where an object lies.
    fn has_place(&self, term: TermId) -> bool {
        let subterms = self.out.terms.subterms(&[term]);
        self.places.list.iter().any(|place| subterms.contains(&place.symbol))
    }

    /// A value that comes from outside or was never written. A pointer that does is a number, and may be one that is the address
    /// of something.
    pub(crate) fn unknown_value(&mut self, ty: Type, value: TermId) {
        if ty != Type::Ptr {
            return;
        }
        self.unknown_pointers = true;
        let possible = self.is_possible_address(value);
        self.report.opaque.push((possible, BY_NUMBER));
        if self.out.terms.as_symbol(value).is_some() {
            let is_number = self.is_number(value);
            self.out.constraints.push(is_number);
        }
    }

    /// Here it counts whether a number that nobody knows is the address of something.
    pub(crate) fn guess(&mut self, path: &Path, condition: TermId) {
        let reached = self.out.terms.and(path.guard.term(), condition);
        if self.out.terms.as_bool(reached) != Some(false) {
            let span = self.span();
            self.guesses.push(Guess { reached, span });
        }
    }

    /// Whether a pointer is a number that may be the address of something: not in the first page or in the last. A number that
    /// is no pointer here points nowhere.
    pub(crate) fn may_be_address(&mut self, pointer: TermId) -> TermId {
        let is_number = self.is_number(pointer);
        let between = self.is_possible_address(pointer);
        let number = self.out.terms.and(is_number, between);
        let nowhere = self.world.addresses().nowhere();
        let is_nowhere = self.is_in(pointer, nowhere);
        self.out.terms.or(number, is_nowhere)
    }

    fn is_nowhere(&self, object: ObjectId) -> bool {
        matches!(self.world.origin(object), Origin::Nowhere)
    }

    /// Compares pointers.
    pub(crate) fn compare_pointers(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        op: CompareOp,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
    ) -> TermId {
        let plain = values::compare(&mut self.out.terms, op, left, right, Type::Ptr);
        if left == right || self.is_in_no_object(left) || self.is_in_no_object(right) {
            return plain;
        }
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let lists = (
            self.world.addresses().targets(&mut self.out.terms, left),
            self.world.addresses().targets(&mut self.out.terms, right),
        );
        let (Some(lefts), Some(rights)) = lists else {
            return self.compare_unknown(path, step, op, (left, left_operand), (right, right_operand), plain);
        };
        let mut result = plain;
        let many = lefts.len().max(rights.len()) > MOST_PLACES;
        for a in &lefts {
            for b in &rights {
                let nowhere = self.is_nowhere(a.object) || self.is_nowhere(b.object);
                if a.object == b.object && !nowhere {
                    continue;
                }
                let both = self.out.terms.and(a.condition, b.condition);
                if self.out.terms.as_bool(both) == Some(false) {
                    continue;
                }
                if nowhere {
                    self.guess(path, both);
                    self.note_dependence(path, both, "a pointer that has left its object by far");
                    let anything = self.flag("compares");
                    result = self.out.terms.ite(both, anything, result);
                    continue;
                }
                let mut depends = self.out.terms.bool(true);
                if a.object.index() == 0 || b.object.index() == 0 {
                    let number = if a.object.index() == 0 { a.address } else { b.address };
                    depends = self.may_be_address(number);
                } else if equality {
                    depends = self.depends(path, step, (a, b));
                }
                let depends = self.out.terms.and(both, depends);
                if self.out.terms.as_bool(depends) == Some(false) {
                    continue;
                }
                self.note_dependence(path, depends, BY_PLACE);
                let by_number = if many {
                    self.flag("compares")
                } else {
                    let (x, y) = (self.number_in(a.object, a.address), self.number_in(b.object, b.address));
                    values::compare(&mut self.out.terms, op, x, y, Type::Ptr)
                };
                result = self.out.terms.ite(depends, by_number, result);
            }
        }
        result
    }

    /// The same where the objects are not known.
    fn compare_unknown(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        op: CompareOp,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
        plain: TermId,
    ) -> TermId {
        for (number, other) in [(left, right), (right, left)] {
            let unknown = self.may_be_address(number);
            let other = self.is_number(other);
            let other = self.out.terms.not(other);
            let unknown = self.out.terms.and(unknown, other);
            self.guess(path, unknown);
        }
        let same = self.is_same_range(left, right);
        let mut depends = self.out.terms.not(same);
        for pointer in [left, right] {
            let is_number = self.is_number(pointer);
            let is_pointer = self.out.terms.not(is_number);
            depends = self.out.terms.and(depends, is_pointer);
        }
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            let mut outside = self.out.terms.bool(false);
            let mut gone = outside;
            for (pointer, operand) in [(left, left_operand), (right, right_operand)] {
                let (this_outside, this_gone) =
                    (self.outside(pointer, operand), self.may_be_gone(path, step, pointer, operand));
                outside = self.out.terms.or(outside, this_outside);
                gone = self.out.terms.or(gone, this_gone);
            }
            let reuse = self.out.terms.and(depends, gone);
            self.depends_on_reuse(path, reuse);
            let loose = self.out.terms.or(outside, gone);
            depends = self.out.terms.and(depends, loose);
        }
        if self.out.terms.as_bool(depends) == Some(false) {
            return plain;
        }
        let count = |operand: Operand| self.candidates(operand).len();
        if count(left_operand).max(count(right_operand)) > MOST_PLACES {
            self.note_dependence(path, depends, BY_PLACE);
            let anything = self.flag("compares");
            return self.out.terms.ite(depends, anything, plain);
        }
        let x = self.number_of(path, depends, left, left_operand);
        let y = self.number_of(path, depends, right, right_operand);
        let by_number = values::compare(&mut self.out.terms, op, x, y, Type::Ptr);
        self.out.terms.ite(depends, by_number, plain)
    }

    /// Whether two pointers belong to one object.
    fn is_same_range(&mut self, left: TermId, right: TermId) -> TermId {
        let (terms, addresses) = (&mut self.out.terms, self.world.addresses());
        let (a, b) = (addresses.range_of(terms, left), addresses.range_of(terms, right));
        terms.eq(a, b)
    }

    /// Whether a pointer is surely a number in the first page or in the last, where no object lies.
    fn is_in_no_object(&self, pointer: TermId) -> bool {
        let last = (1_u128 << self.pointer_bits()) - PAGE;
        self.out.terms.as_bits(pointer).is_some_and(|number| number < PAGE || number >= last)
    }

    /// Whether it depends on the layout if pointers into two different objects are equal. They are not if both point inside of
    /// their objects while these live, or if one of these lives all the time.
    fn depends(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        (left, right): (&Target, &Target),
    ) -> TermId {
        let (left_inside, right_inside) = (self.is_inside(left), self.is_inside(right));
        let inside = self.out.terms.and(left_inside, right_inside);
        let outside = self.out.terms.not(inside);
        if self.is_lasting(left.object) || self.is_lasting(right.object) {
            return outside;
        }
        let (left_gone, right_gone) =
            (self.is_gone(path, step, left.object), self.is_gone(path, step, right.object));
        let gone = self.out.terms.or(left_gone, right_gone);
        self.depends_on_reuse(path, gone);
        self.out.terms.or(outside, gone)
    }

    /// Here it counts whether an object has the address of another that has ended. Counterexamples know of no such addresses.
    fn depends_on_reuse(&mut self, path: &Path, gone: TermId) {
        let happens = self.out.terms.and(path.guard.term(), gone);
        if self.out.terms.as_bool(happens) != Some(false) {
            self.report.opaque.push((happens, "whether two objects get the same address"));
        }
    }

    /// Whether a pointer points inside of its object, if that lives.
    fn is_inside(&mut self, target: &Target) -> TermId {
        if matches!(self.world.origin(target.object), Origin::Function(_)) {
            return self.out.terms.bool(true);
        }
        if !self.exists(target.object) {
            // Made by a thread that is executed later, if at all.
            let begins = self.out.terms.as_bits(target.address) == Some(self.world.base(target.object));
            return self.out.terms.bool(begins);
        }
        let size = self.objects[&target.object].size;
        let offset = self.offset_in(target.address, target.object);
        self.out.terms.ult(offset, size)
    }

    /// Whether something lives as long as the program.
    fn is_lasting(&self, object: ObjectId) -> bool {
        match self.world.origin(object) {
            Origin::Global(_) | Origin::Function(_) => true,
            Origin::Nothing | Origin::ThreadLocal(..) | Origin::Alloc(_) | Origin::Nowhere => false,
        }
    }

    /// Whether an object has ended whose address may come again.
    fn is_gone(&mut self, path: &mut Path, step: Option<StepId>, object: ObjectId) -> TermId {
        let comparisons = self.world.comparisons;
        if !self.options.address_reuse || !(comparisons.heap || comparisons.locals) {
            return self.out.terms.bool(false);
        }
        if !self.exists(object) {
            // Made by a thread that is executed later, if at all.
            return self.out.terms.bool(true);
        }
        let facts = self.objects[&object].clone();
        let counts = if facts.is_heap { comparisons.heap } else { comparisons.locals };
        if !counts || self.is_own_thread_local(object) {
            return self.out.terms.bool(false);
        }
        if facts.reach == Reach::Own || !path.forked {
            let dead = path.memory.contents(object).map(|contents| contents.ended());
            return match dead {
                Some(Some(dead)) => dead,
                Some(None) => self.out.terms.bool(false),
                None => self.out.terms.bool(true),
            };
        }
        let base = self.pointer(self.world.base(object));
        self.reads_gone(path, step, base)
    }

    /// Whether an object is one that the thread at hand has for itself as long as it runs.
    fn is_own_thread_local(&self, object: ObjectId) -> bool {
        matches!(self.world.origin(object), Origin::ThreadLocal(thread, _) if thread == self.thread_name)
    }

    /// Whether what a pointer points to has ended and its address may come again, if it is not known what that is.
    fn may_be_gone(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        pointer: TermId,
        operand: Operand,
    ) -> TermId {
        let mut gone = self.out.terms.bool(false);
        let comparisons = self.world.comparisons;
        if !self.options.address_reuse || !(comparisons.heap || comparisons.locals) {
            return gone;
        }
        for object in self.candidates(operand) {
            let is_known = self.exists(object) && (self.objects[&object].reach == Reach::Own || !path.forked);
            if !is_known || self.is_lasting(object) {
                continue;
            }
            let this = self.is_gone(path, step, object);
            let here = self.is_in(pointer, object);
            let this = self.out.terms.and(here, this);
            gone = self.out.terms.or(gone, this);
        }
        if !path.forked {
            return gone;
        }
        let first = self.first_address(pointer);
        let shared = self.reads_gone(path, step, first);
        self.out.terms.or(gone, shared)
    }

    fn reads_gone(&mut self, path: &mut Path, step: Option<StepId>, first: TermId) -> TermId {
        let own = step.is_none();
        let step = step.unwrap_or_else(|| self.step_for(path, false));
        let always = self.out.terms.bool(true);
        let dead = self.read_shared(path, step, Space::Life, first, (1, always), None);
        if own {
            self.complete(path, step);
        }
        self.out.terms.is_nonzero(dead)
    }

    /// Whether a pointer does not point inside of an object that there is so far.
    fn outside(&mut self, pointer: TermId, operand: Operand) -> TermId {
        if !self.may_be_at_end(operand) {
            return self.out.terms.bool(false);
        }
        let bits = self.pointer_bits();
        let offset = self.world.addresses().offset_in_range(&mut self.out.terms, pointer);
        let mut by_size: BTreeMap<TermId, TermId> = BTreeMap::new();
        for object in self.candidates(operand) {
            let size = match self.objects.get(&object) {
                Some(facts) => facts.size,
                None => self.out.terms.bits(1, bits),
            };
            let here = self.is_in(pointer, object);
            let never = self.out.terms.bool(false);
            let before = by_size.get(&size).copied().unwrap_or(never);
            by_size.insert(size, self.out.terms.or(before, here));
        }
        let mut inside = self.out.terms.bool(false);
        for (size, here) in by_size {
            let fits = self.out.terms.ult(offset, size);
            let fits = self.out.terms.and(fits, here);
            inside = self.out.terms.or(inside, fits);
        }
        self.out.terms.not(inside)
    }

    /// Whether an operand may point to the end of an object.
    fn may_be_at_end(&self, operand: Operand) -> bool {
        let function = self.place().function;
        let program = self.world.program;
        self.world.points_to.targets(function, operand).iter().any(|(object, offsets)| {
            match &self.world.points_to.objects()[*object].kind {
                ObjectKind::Global(global) => {
                    let size = i64::try_from(program.globals[*global].size).unwrap_or(i64::MAX);
                    offsets.exact().is_none_or(|offset| !(0..size).contains(&offset))
                }
                ObjectKind::Alloc { .. } => offsets.exact() != Some(0),
                ObjectKind::Function(_) => false,
            }
        })
    }

    /// The distance of two pointers.
    pub(crate) fn distance(
        &mut self,
        path: &Path,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
    ) -> TermId {
        let plain = self.out.terms.sub(left, right);
        let known =
            [left, right].map(|pointer| self.world.addresses().known_object(&self.out.terms, pointer));
        if known[0].is_some() && known[0] == known[1] {
            return plain;
        }
        let same = self.is_same_range(left, right);
        let (x, y) = (self.is_number(left), self.is_number(right));
        let numbers = self.out.terms.and(x, y);
        let same = self.out.terms.or(same, numbers);
        if self.out.terms.as_bool(same) == Some(true) {
            return plain;
        }
        let differ = self.out.terms.not(same);
        let x = self.number_of(path, differ, left, left_operand);
        let y = self.number_of(path, differ, right, right_operand);
        let by_number = self.out.terms.sub(x, y);
        self.out.terms.ite(same, plain, by_number)
    }

    /// A heap object was made: those that its thread made before and that live still lie elsewhere.
    pub(crate) fn note_made(&mut self, path: &mut Path, object: ObjectId) {
        if !self.options.address_reuse || !self.world.comparisons.heap {
            return;
        }
        let thread = self.thread_name;
        if moves(&self.world.program.functions[self.place().function]) {
            self.places.made.push((thread, object));
            return;
        }
        let before: Vec<ObjectId> =
            self.places.made.iter().filter(|(maker, _)| *maker == thread).map(|(_, made)| *made).collect();
        for earlier in before.into_iter().rev().take(MOST_CANDIDATES) {
            let gone = self.is_gone(path, None, earlier);
            let lives = self.out.terms.not(gone);
            let together = self.out.terms.and(path.guard.term(), lives);
            if self.out.terms.as_bool(together) != Some(false) {
                self.places.together.push((earlier, object, together));
            }
        }
        self.places.made.push((thread, object));
    }

    /// Two objects do not overlap.
    fn apart(&mut self, a: &PlaceOf, b: &PlaceOf) -> TermId {
        let (a_size, b_size) = (self.objects[&a.object].size, self.objects[&b.object].size);
        let terms = &mut self.out.terms;
        let (a_end, b_end) = (terms.add(a.number, a_size), terms.add(b.number, b_size));
        let (before, behind) = (terms.ule(a_end, b.number), terms.ule(b_end, a.number));
        terms.or(before, behind)
    }

    /// When all is known: objects that live all the time do not overlap, and guesses count if anything was to be guessed.
    pub(crate) fn settle_places(&mut self) {
        let lasting: Vec<PlaceOf> = self
            .places
            .list
            .iter()
            .copied()
            .filter(|place| {
                let facts = self.objects.get(&place.object);
                let lasts =
                    facts.is_some_and(|facts| !facts.is_mortal || facts.is_heap && !self.world.frees());
                lasts || facts.is_some() && !self.options.address_reuse
            })
            .collect();
        for (index, a) in lasting.iter().enumerate() {
            for b in &lasting[index + 1..] {
                let apart = self.apart(a, b);
                self.out.constraints.push(apart);
            }
        }
        for (a, b, together) in std::mem::take(&mut self.places.together) {
            let place =
                |object: ObjectId| self.places.of_object.get(&object).map(|&index| self.places.list[index]);
            let (Some(a), Some(b)) = (place(a), place(b)) else { continue };
            // What has no bytes has an address of its own all the same.
            let same = self.out.terms.eq(a.number, b.number);
            let (apart, different) = (self.apart(&a, &b), self.out.terms.not(same));
            let apart = self.out.terms.and(apart, different);
            let holds = self.out.terms.implies(together, apart);
            self.out.constraints.push(holds);
        }
        for place in &self.places.list {
            let Some(facts) = self.objects.get(&place.object) else { continue };
            let global = match self.world.origin(place.object) {
                Origin::Global(global) => Some(global),
                Origin::Nothing
                | Origin::Function(_)
                | Origin::ThreadLocal(..)
                | Origin::Alloc(_)
                | Origin::Nowhere => None,
            };
            self.report.places.push((place.number, facts.size, global));
        }
        if self.unknown_pointers {
            for guess in std::mem::take(&mut self.guesses) {
                let what = "a pointer that comes from a number which may be the address of any object";
                let kind = LimitKind::Unsupported(what.to_owned());
                self.out.limits.push(Limit { kind, reached: guess.reached, span: guess.span });
            }
        }
    }
}

/// Whether an abstract object stands for what an instruction makes.
fn is_made_at(kind: &ObjectKind, place: raddle_vm::code::Place) -> bool {
    match kind {
        ObjectKind::Alloc { site, .. } => {
            site.function == place.function && site.block == place.block && site.inst == place.index as usize
        }
        ObjectKind::Global(_) | ObjectKind::Function(_) => false,
    }
}
