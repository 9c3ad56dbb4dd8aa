//! Comparing pointers, and their distance: what depends on where objects lie, and on whether they live.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_ir::analyses::address_reuse::moves;
use raddle_ir::analyses::points_to::ObjectKind;
use raddle_ir::{CompareOp, Operand, Type};
use raddle_logic::term::TermId;

use super::context::Context;
use super::memory::Memory;
use super::path::Path;
use super::placement::{
    BY_NUMBER, BY_PLACE, MOST_CANDIDATES, MOST_PLACES, is_in_no_object, is_possible_address, may_be_address,
};
use super::shared::SharedRead;
use super::world::{Origin, Reach};
use crate::execution_graph::events::StepId;
use raddle_semantics::pointers::signed_bits;
use raddle_semantics::{ObjectId, Target, values};

/// A comparison of pointers on a path.
pub(crate) struct Comparison<'m> {
    pub(crate) memory: &'m mut Memory,
    pub(crate) path: &'m mut Path,
    /// The step in which lifetimes are read, if it is not one of its own.
    pub(crate) step: Option<StepId>,
}

impl Comparison<'_> {
    /// Compares pointers.
    pub(crate) fn compare(
        &mut self,
        cx: &mut Context<'_, '_>,
        op: CompareOp,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
    ) -> TermId {
        let plain = values::compare(&mut cx.out.terms, op, left, right, Type::Ptr);
        if left == right {
            return plain;
        }
        if is_in_no_object(cx, left) {
            return self.compare_with_none(cx, right, plain);
        }
        if is_in_no_object(cx, right) {
            return self.compare_with_none(cx, left, plain);
        }
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let lists = (
            cx.world.addresses().targets(&mut cx.out.terms, left),
            cx.world.addresses().targets(&mut cx.out.terms, right),
        );
        let (Some(lefts), Some(rights)) = lists else {
            return self.compare_unknown(cx, op, (left, left_operand), (right, right_operand), plain);
        };
        let mut result = plain;
        let many = lefts.len().max(rights.len()) > MOST_PLACES;
        for a in &lefts {
            for b in &rights {
                let nowhere = is_nowhere(cx, a.object) || is_nowhere(cx, b.object);
                if a.object == b.object && !nowhere {
                    continue;
                }
                let both = cx.out.terms.and(a.condition, b.condition);
                if cx.out.terms.as_bool(both) == Some(false) {
                    continue;
                }
                if nowhere {
                    result = self.compare_far(cx, both, result);
                    continue;
                }
                let mut depends = cx.out.terms.bool(true);
                if a.object.index() == 0 || b.object.index() == 0 {
                    let number = if a.object.index() == 0 { a.address } else { b.address };
                    depends = may_be_address(cx, number);
                } else if equality {
                    depends = self.depends(cx, (a, b));
                }
                let depends = cx.out.terms.and(both, depends);
                if cx.out.terms.as_bool(depends) == Some(false) {
                    continue;
                }
                cx.note_dependence(self.path, depends, BY_PLACE);
                let by_number = if many {
                    cx.flag("compares")
                } else {
                    let (x, y) = (
                        self.memory.placement.number_in(cx, &mut self.memory.heap, a.object, a.address),
                        self.memory.placement.number_in(cx, &mut self.memory.heap, b.object, b.address),
                    );
                    values::compare(&mut cx.out.terms, op, x, y, Type::Ptr)
                };
                result = cx.out.terms.ite(depends, by_number, result);
            }
        }
        result
    }

    /// Compares a pointer with null, or with a number where no object lies.
    fn compare_with_none(&mut self, cx: &mut Context<'_, '_>, pointer: TermId, plain: TermId) -> TermId {
        let nowhere = cx.world.addresses().nowhere();
        let is_far = cx.is_in(pointer, nowhere);
        if cx.out.terms.as_bool(is_far) == Some(false) {
            return plain;
        }
        self.compare_far(cx, is_far, plain)
    }

    /// The result of a comparison, which may be either where one of the pointers has left its object by far.
    fn compare_far(&mut self, cx: &mut Context<'_, '_>, is_far: TermId, otherwise: TermId) -> TermId {
        self.memory.placement.guess(cx, self.path, is_far);
        cx.note_dependence(self.path, is_far, "a pointer that has left its object by far");
        let anything = cx.flag("compares");
        cx.out.terms.ite(is_far, anything, otherwise)
    }

    /// The same where the objects are not known.
    fn compare_unknown(
        &mut self,
        cx: &mut Context<'_, '_>,
        op: CompareOp,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
        plain: TermId,
    ) -> TermId {
        for (number, other) in [(left, right), (right, left)] {
            let unknown = may_be_address(cx, number);
            let other = cx.is_number(other);
            let other = cx.out.terms.not(other);
            let unknown = cx.out.terms.and(unknown, other);
            self.memory.placement.guess(cx, self.path, unknown);
        }
        let same = is_same_range(cx, left, right);
        let mut depends = cx.out.terms.not(same);
        for pointer in [left, right] {
            let is_number = cx.is_number(pointer);
            let is_pointer = cx.out.terms.not(is_number);
            depends = cx.out.terms.and(depends, is_pointer);
        }
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            let mut outside = cx.out.terms.bool(false);
            let mut gone = outside;
            for (pointer, operand) in [(left, left_operand), (right, right_operand)] {
                let (this_outside, this_gone) =
                    (self.outside(cx, pointer, operand), self.may_be_gone(cx, pointer, operand));
                outside = cx.out.terms.or(outside, this_outside);
                gone = cx.out.terms.or(gone, this_gone);
            }
            let reuse = cx.out.terms.and(depends, gone);
            self.depends_on_reuse(cx, reuse);
            let loose = cx.out.terms.or(outside, gone);
            depends = cx.out.terms.and(depends, loose);
        }
        if cx.out.terms.as_bool(depends) == Some(false) {
            return plain;
        }
        let count = |operand: Operand| self.memory.heap.candidates(cx, operand).len();
        if count(left_operand).max(count(right_operand)) > MOST_PLACES {
            cx.note_dependence(self.path, depends, BY_PLACE);
            let anything = cx.flag("compares");
            return cx.out.terms.ite(depends, anything, plain);
        }
        let x = self.memory.number_of(cx, self.path, depends, left, left_operand);
        let y = self.memory.number_of(cx, self.path, depends, right, right_operand);
        let by_number = values::compare(&mut cx.out.terms, op, x, y, Type::Ptr);
        cx.out.terms.ite(depends, by_number, plain)
    }

    /// Whether it depends on the layout if pointers into two different objects are equal. They are not if both point inside of
    /// their objects while these live, or if one of these lives all the time.
    fn depends(&mut self, cx: &mut Context<'_, '_>, (left, right): (&Target, &Target)) -> TermId {
        let (left_inside, right_inside) = (self.is_inside(cx, left), self.is_inside(cx, right));
        let inside = cx.out.terms.and(left_inside, right_inside);
        let outside = cx.out.terms.not(inside);
        if is_lasting(cx, left.object) || is_lasting(cx, right.object) {
            return outside;
        }
        let (left_gone, right_gone) = (self.is_gone(cx, left.object), self.is_gone(cx, right.object));
        let gone = cx.out.terms.or(left_gone, right_gone);
        self.depends_on_reuse(cx, gone);
        cx.out.terms.or(outside, gone)
    }

    /// Here it counts whether an object has the address of another that has ended. Counterexamples know of no such addresses.
    fn depends_on_reuse(&mut self, cx: &mut Context<'_, '_>, gone: TermId) {
        let happens = cx.out.terms.and(self.path.guard.term(), gone);
        if cx.out.terms.as_bool(happens) != Some(false) {
            cx.report.havocked.push((happens, "whether two objects get the same address"));
        }
    }

    /// Whether a pointer points inside of its object, if that lives.
    fn is_inside(&mut self, cx: &mut Context<'_, '_>, target: &Target) -> TermId {
        if matches!(cx.world.origin(target.object), Origin::Function(_)) {
            return cx.out.terms.bool(true);
        }
        if !self.memory.heap.exists(cx, target.object) {
            // Made by a thread that is executed later, if at all.
            let begins = cx.out.terms.as_bits(target.address) == Some(cx.world.base(target.object));
            return cx.out.terms.bool(begins);
        }
        let size = self.memory.heap.facts(target.object).size;
        let offset = cx.offset_in(target.address, target.object);
        cx.out.terms.ult(offset, size)
    }

    /// Whether an object has ended whose address may come again.
    pub(crate) fn is_gone(&mut self, cx: &mut Context<'_, '_>, object: ObjectId) -> TermId {
        let comparisons = cx.world.comparisons;
        if !cx.options.address_reuse || !(comparisons.heap || comparisons.locals) {
            return cx.out.terms.bool(false);
        }
        if !self.memory.heap.exists(cx, object) {
            // Made by a thread that is executed later, if at all.
            return cx.out.terms.bool(true);
        }
        let facts = self.memory.heap.facts(object).clone();
        let counts = if facts.is_heap { comparisons.heap } else { comparisons.locals };
        if !counts || is_own_thread_local(cx, object) {
            return cx.out.terms.bool(false);
        }
        if facts.reach == Reach::Own || !self.path.forked {
            let dead = self.path.memory.contents(object).map(|contents| contents.ended());
            return match dead {
                Some(Some(dead)) => dead,
                Some(None) => cx.out.terms.bool(false),
                None => cx.out.terms.bool(true),
            };
        }
        let base = cx.pointer(cx.world.base(object));
        self.reads_gone(cx, base)
    }

    /// Whether what a pointer points to has ended and its address may come again, if it is not known what that is.
    fn may_be_gone(&mut self, cx: &mut Context<'_, '_>, pointer: TermId, operand: Operand) -> TermId {
        let mut gone = cx.out.terms.bool(false);
        let comparisons = cx.world.comparisons;
        if !cx.options.address_reuse || !(comparisons.heap || comparisons.locals) {
            return gone;
        }
        for object in self.memory.heap.candidates(cx, operand) {
            let is_known = self.memory.heap.exists(cx, object)
                && (self.memory.heap.facts(object).reach == Reach::Own || !self.path.forked);
            if !is_known || is_lasting(cx, object) {
                continue;
            }
            let this = self.is_gone(cx, object);
            let here = cx.is_in(pointer, object);
            let this = cx.out.terms.and(here, this);
            gone = cx.out.terms.or(gone, this);
        }
        if !self.path.forked {
            return gone;
        }
        let first = cx.first_address(pointer);
        let shared = self.reads_gone(cx, first);
        cx.out.terms.or(gone, shared)
    }

    fn reads_gone(&mut self, cx: &mut Context<'_, '_>, first: TermId) -> TermId {
        let always = cx.out.terms.bool(true);
        let step = self.step.unwrap_or_else(|| cx.step_for(self.path, false));
        let dead = self.memory.shared.read(cx, self.path, step, SharedRead::lifetime(first, always));
        if self.step.is_none() {
            cx.complete(self.path, step);
        }
        cx.out.terms.is_nonzero(dead)
    }

    /// Whether a pointer does not point inside of an object that there is so far.
    fn outside(&mut self, cx: &mut Context<'_, '_>, pointer: TermId, operand: Operand) -> TermId {
        if !may_be_at_end(cx, operand) {
            return cx.out.terms.bool(false);
        }
        let bits = cx.pointer_bits();
        let offset = cx.world.addresses().offset_in_range(&mut cx.out.terms, pointer);
        let mut by_size: BTreeMap<TermId, TermId> = BTreeMap::new();
        for object in self.memory.heap.candidates(cx, operand) {
            let size = match self.memory.heap.get(object) {
                Some(facts) => facts.size,
                None => cx.out.terms.bits(1, bits),
            };
            let here = cx.is_in(pointer, object);
            let never = cx.out.terms.bool(false);
            let before = by_size.get(&size).copied().unwrap_or(never);
            by_size.insert(size, cx.out.terms.or(before, here));
        }
        let mut inside = cx.out.terms.bool(false);
        for (size, here) in by_size {
            let fits = cx.out.terms.ult(offset, size);
            let fits = cx.out.terms.and(fits, here);
            inside = cx.out.terms.or(inside, fits);
        }
        cx.out.terms.not(inside)
    }
}

impl Memory {
    /// The number of a pointer, and when it counts.
    pub(crate) fn number_of(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &Path,
        counts: TermId,
        pointer: TermId,
        operand: Operand,
    ) -> TermId {
        if let Some(number) = self.placement.number_behind(pointer) {
            return number;
        }
        let is_number = cx.is_number(pointer);
        let by_place = cx.out.terms.not(is_number);
        let by_place = cx.out.terms.and(counts, by_place);
        cx.note_dependence(path, by_place, BY_PLACE);
        if let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, pointer) {
            let mut number = None;
            for Target { condition, object, address } in list.into_iter().rev() {
                let this = if is_nowhere(cx, object) {
                    cx.havoc(path, Type::Ptr, "the number of a pointer that has left its object by far")
                } else {
                    self.placement.number_in(cx, &mut self.heap, object, address)
                };
                number = Some(number.map_or(this, |rest| cx.out.terms.ite(condition, this, rest)));
            }
            return number.expect("a pointer has a target");
        }
        let candidates = self.heap.candidates(cx, operand);
        if candidates.is_empty() && cx.out.terms.as_bool(is_number) == Some(true) {
            return pointer;
        }
        let mut unknown = cx.out.terms.not(is_number);
        let mut here = Vec::new();
        for &object in candidates.iter().take(MOST_CANDIDATES) {
            let condition = cx.is_in(pointer, object);
            let elsewhere = cx.out.terms.not(condition);
            unknown = cx.out.terms.and(unknown, elsewhere);
            here.push((condition, self.placement.number_in(cx, &mut self.heap, object, pointer)));
        }
        let mut number = pointer;
        if cx.out.terms.as_bool(unknown) != Some(false) {
            let happens = cx.out.terms.and(path.guard.term(), unknown);
            cx.report.havocked.push((happens, "the number of an address"));
            let anything = cx.fresh("number", Type::Ptr);
            number = cx.out.terms.ite(unknown, anything, pointer);
        }
        for (condition, this) in here {
            number = cx.out.terms.ite(condition, this, number);
        }
        number
    }

    /// The distance of two pointers.
    pub(crate) fn distance(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &Path,
        (left, left_operand): (TermId, Operand),
        (right, right_operand): (TermId, Operand),
    ) -> TermId {
        let plain = cx.out.terms.sub(left, right);
        let known = [left, right].map(|pointer| cx.world.addresses().known_object(&cx.out.terms, pointer));
        if known[0].is_some() && known[0] == known[1] {
            return plain;
        }
        let same = is_same_range(cx, left, right);
        let (x, y) = (cx.is_number(left), cx.is_number(right));
        let numbers = cx.out.terms.and(x, y);
        let same = cx.out.terms.or(same, numbers);
        if cx.out.terms.as_bool(same) == Some(true) {
            return plain;
        }
        let differ = cx.out.terms.not(same);
        let x = self.number_of(cx, path, differ, left, left_operand);
        let y = self.number_of(cx, path, differ, right, right_operand);
        let by_number = cx.out.terms.sub(x, y);
        cx.out.terms.ite(same, plain, by_number)
    }

    /// The pointer that a number becomes.
    pub(crate) fn pointer_of(&mut self, cx: &mut Context<'_, '_>, path: &Path, number: TermId) -> TermId {
        if let Some(pointer) = self.placement.provenance(cx, number) {
            return pointer;
        }
        let nowhere = cx.pointer(cx.world.base(cx.world.addresses().nowhere()));
        self.placement.note_unknown_pointer();
        let possible = is_possible_address(cx, number);
        cx.note_dependence(path, possible, BY_NUMBER);
        if signed_bits(&cx.out.terms, number, 0) < cx.world.addresses().offset_bits()
            && self.placement.placed().is_empty()
        {
            return number;
        }
        let placed = self.placement.placed();
        let is_number = cx.is_number(number);
        let mut pointer = cx.out.terms.ite(is_number, number, nowhere);
        let bits = cx.pointer_bits();
        // Inside of an object comes before one past the end of another.
        for inside in [false, true] {
            for &(object, place) in placed.iter().take(MOST_CANDIDATES) {
                let size = match self.heap.get(object) {
                    Some(facts) => facts.size,
                    None => cx.out.terms.bits(1, bits),
                };
                let offset = cx.out.terms.sub(number, place);
                let here =
                    if inside { cx.out.terms.ult(offset, size) } else { cx.out.terms.eq(offset, size) };
                let base = cx.pointer(cx.world.base(object));
                let there = cx.out.terms.add(base, offset);
                pointer = cx.out.terms.ite(here, there, pointer);
            }
        }
        self.placement.note_made_of(pointer, number);
        pointer
    }

    /// A heap object was made: those that its thread made before and that live still lie elsewhere.
    pub(crate) fn note_made(&mut self, cx: &mut Context<'_, '_>, path: &mut Path, object: ObjectId) {
        if !cx.options.address_reuse || !cx.world.comparisons.heap {
            return;
        }
        let before = self.placement.note_made(cx.thread_name(), object);
        // Such an object may take the place of another at once.
        if moves(&cx.world.program.functions[cx.point().function]) {
            return;
        }
        for earlier in before {
            let gone = Comparison { memory: self, path, step: None }.is_gone(cx, earlier);
            let lives = cx.out.terms.not(gone);
            let together = cx.out.terms.and(path.guard.term(), lives);
            if cx.out.terms.as_bool(together) != Some(false) {
                self.placement.note_together(earlier, object, together);
            }
        }
    }
}

fn is_nowhere(cx: &Context<'_, '_>, object: ObjectId) -> bool {
    matches!(cx.world.origin(object), Origin::Nowhere)
}

/// Whether two pointers belong to one object.
fn is_same_range(cx: &mut Context<'_, '_>, left: TermId, right: TermId) -> TermId {
    let (terms, addresses) = (&mut cx.out.terms, cx.world.addresses());
    let (a, b) = (addresses.range_of(terms, left), addresses.range_of(terms, right));
    terms.eq(a, b)
}

/// Whether something lives as long as the program.
fn is_lasting(cx: &Context<'_, '_>, object: ObjectId) -> bool {
    match cx.world.origin(object) {
        Origin::Global(_) | Origin::Function(_) => true,
        Origin::Nothing | Origin::ThreadLocal(..) | Origin::Alloc(_) | Origin::Nowhere => false,
    }
}

/// Whether an object is one that the thread at hand has for itself as long as it runs.
fn is_own_thread_local(cx: &Context<'_, '_>, object: ObjectId) -> bool {
    matches!(cx.world.origin(object), Origin::ThreadLocal(thread, _) if thread == cx.thread_name())
}

/// Whether an operand may point to the end of an object.
fn may_be_at_end(cx: &Context<'_, '_>, operand: Operand) -> bool {
    let function = cx.point().function;
    let program = cx.world.program;
    cx.world.points_to.targets(function, operand).iter().any(|(object, offsets)| {
        match &cx.world.points_to.objects()[*object].kind {
            ObjectKind::Global(global) => {
                let size = i64::try_from(program.globals[*global].size).unwrap_or(i64::MAX);
                offsets.exact().is_none_or(|offset| !(0..size).contains(&offset))
            }
            ObjectKind::Alloc { .. } => offsets.exact() != Some(0),
            ObjectKind::Function(_) => false,
        }
    })
}
