//! Objects: how they come about, and how their lifetimes end.

use raddle_ir::{AllocStorage, Constant, GlobalId, Operand, Ordering, Property, Type};
use raddle_logic::term::{Sort, TermId};

use super::context::{Context, Flow};
use super::heap::ObjectFacts;
use super::memory::{Memory, Request, Role, note_access};
use super::path::Path;
use super::range::at_most;
use super::shared::{SharedRead, end_lifetime};
use super::world::{Origin, Reach};
use raddle_semantics::{Background, Contents, ObjectId, Target, View};

impl Memory {
    /// Makes an object. Gives a pointer to it, and the object if it ends with the function at hand.
    pub(crate) fn allocate(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        (size, align): (TermId, u64),
        storage: AllocStorage,
        zeroed: bool,
    ) -> Option<(TermId, Option<ObjectId>)> {
        cx.operation(path);
        let place = cx.point();
        let site = cx.site();
        let object = cx.world.object(Origin::Alloc(site));
        if cx.world.object_count() >= cx.world.addresses().room() {
            cx.unsupported(path, "more objects than there is room for");
            return None;
        }
        let largest = cx.pointer(cx.world.addresses().largest());
        let fits = cx.out.terms.ule(size, largest);
        let too_large = cx.out.terms.not(fits);
        let what = "an object that is larger than there is room for";
        if matches!(cx.unsupported_under(path, too_large, what), Flow::Ends) {
            return None;
        }
        // It is only there where it is made.
        let before = self.heap.get(object).map_or(0, |facts| facts.most);
        let most = at_most(&cx.out.terms, path.guard.term(), size).max(before);
        let reach = cx.world.site_reach(place.function, place.block, place.index as usize);
        let background = if zeroed { Background::Zero } else { Background::Unwritten };
        if storage == AllocStorage::Heap {
            cx.report.heap.push(path.guard.term());
        }
        let is_heap = match storage {
            AllocStorage::Heap | AllocStorage::Library => true,
            AllocStorage::Local | AllocStorage::Dynamic => false,
        };
        self.heap.add(
            object,
            ObjectFacts {
                size,
                most,
                align,
                reach,
                read_only: false,
                background,
                is_heap,
                may_end: true,
                site: Some(place),
            },
        );
        if reach == Reach::Own || !path.forked {
            path.memory.add(object, Contents::new(background, cx.layout()));
        }
        if is_heap {
            self.note_made(cx, path, object);
        }
        Some((cx.pointer(cx.world.base(object)), (!is_heap).then_some(object)))
    }

    /// Ends a heap object.
    pub(crate) fn free(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        pointer: TermId,
        operand: Operand,
    ) -> Flow {
        cx.operation(path);
        let null = cx.pointer(0);
        let is_null = cx.out.terms.eq(pointer, null);
        if cx.out.terms.as_bool(is_null) == Some(true) {
            return Flow::Next;
        }
        let mut freeing = path.clone();
        let some = cx.out.terms.not(is_null);
        freeing.guard = freeing.guard.and(&mut cx.out.terms, some);
        let flow = self.free_some(cx, &mut freeing, pointer, operand);
        let mut nothing = path.clone();
        nothing.guard = nothing.guard.and(&mut cx.out.terms, is_null);
        let nothing_false = nothing.guard.is_false(&cx.out.terms);
        match flow {
            Flow::Ends if nothing_false => return Flow::Ends,
            Flow::Ends => *path = nothing,
            Flow::Next if nothing_false => *path = freeing,
            Flow::Next => {
                freeing.join(&nothing, &mut cx.out.terms);
                *path = freeing;
            }
        }
        Flow::Next
    }

    pub(crate) fn free_some(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        pointer: TermId,
        operand: Operand,
    ) -> Flow {
        let Some(destination) = self.destination(cx, path, (pointer, 0), false, operand) else {
            return Flow::Ends;
        };
        let step = destination.shared.map(|_| cx.step_for(path, true));
        if let Some(step) = step
            && self.lives(cx, path, step, pointer, &destination).is_none()
        {
            return Flow::Ends;
        }
        let first = cx.first_address(pointer);
        let mut right = cx.out.terms.eq(first, pointer);
        for &(condition, object, _) in &destination.own {
            if !self.heap.facts(object).is_heap {
                let elsewhere = cx.out.terms.not(condition);
                right = cx.out.terms.and(right, elsewhere);
            }
        }
        if destination.shared.is_some() {
            let heap = self.heap.is_heap(cx, first);
            right = cx.out.terms.and(right, heap);
        }
        cx.check(path, Property::MemorySafety, right, "`free` of something that is no heap object");
        if matches!(cx.assume(path, right), Flow::Ends) {
            return Flow::Ends;
        }
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            let request = Request {
                address: pointer,
                operand,
                size: 0,
                ordering: Ordering::Plain,
                failure: Ordering::Plain,
                role: Role::Alone,
                view: View::Value(Type::Int(8)),
            };
            note_access(cx, path, step, request, shared, true);
            end_lifetime(cx, path, step, first, shared);
            cx.complete(path, step);
        }
        for &(condition, object, _) in &destination.own {
            let terms = &mut cx.out.terms;
            let Some(contents) = path.memory.contents_mut(object) else { continue };
            contents.end(condition, terms);
        }
        Flow::Next
    }

    /// The local objects that a pointer may point to.
    pub(crate) fn local_cases(
        &mut self,
        cx: &mut Context<'_, '_>,
        pointer: TermId,
    ) -> Option<Vec<(TermId, ObjectId)>> {
        let targets = cx.world.addresses().targets(&mut cx.out.terms, pointer)?;
        let is_local = |object: ObjectId| {
            matches!(cx.world.origin(object), Origin::Alloc(_))
                && self.heap.get(object).is_some_and(|facts| !facts.is_heap)
        };
        let locals = targets.into_iter().filter(|target| is_local(target.object));
        Some(locals.map(|target| (target.condition, target.object)).collect())
    }

    /// What a pointer points to counts as never written. Followed where the path knows the object.
    pub(crate) fn forget(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        pointer: TermId,
        size: u64,
    ) -> Flow {
        if let Some(address) = cx.out.terms.as_bits(pointer)
            && let Some(object) = cx.world.object_at(address)
            && let Ok(offset) = u64::try_from(address - cx.world.base(object))
            && let Some(facts) = self.heap.get(object)
            && let Some(bytes) = cx.out.terms.as_bits(facts.size)
            && u128::from(offset) + u128::from(size) <= bytes
            && (facts.reach == Reach::Own || !path.forked)
            && let Some(contents) = path.memory.contents_mut(object)
        {
            contents.forget(offset, size, &mut cx.out.terms);
            return Flow::Next;
        }
        cx.unsupported(path, "memory that becomes new while others may look at it")
    }

    /// Objects of the thread at hand end, all in one step, which others can come before.
    pub(crate) fn end_objects(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        objects: &[(TermId, ObjectId)],
    ) {
        let mut step = None;
        for &(condition, object) in objects {
            if self.heap.facts(object).reach == Reach::Own || !path.forked {
                let terms = &mut cx.out.terms;
                let Some(contents) = path.memory.contents_mut(object) else { continue };
                contents.end(condition, terms);
                continue;
            }
            let step = *step.get_or_insert_with(|| cx.step_for(path, false));
            let address = cx.pointer(cx.world.base(object));
            let operand = Operand::Constant(Constant::Null);
            let request = Request {
                address,
                operand,
                size: 0,
                ordering: Ordering::Plain,
                failure: Ordering::Plain,
                role: Role::Alone,
                view: View::Value(Type::Int(8)),
            };
            note_access(cx, path, step, request, condition, true);
            end_lifetime(cx, path, step, address, condition);
        }
        if let Some(step) = step {
            cx.complete(path, step);
        }
    }

    /// Objects end with their function, if they have not before. That belongs to the thread's last step, if that is on this
    /// path: nobody can come between.
    pub(crate) fn drop_locals(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        locals: &[ObjectId],
        have_ended: bool,
    ) {
        for &object in locals {
            if self.heap.facts(object).reach == Reach::Own || !path.forked {
                path.memory.remove(object);
                continue;
            }
            if have_ended {
                continue;
            }
            let last = cx.last_step();
            let completes = cx.out.steps[last].completes;
            let step = if path.block.is_some() || path.guard.implies(completes) {
                last
            } else {
                cx.step(path, false)
            };
            let address = cx.pointer(cx.world.base(object));
            let always = cx.out.terms.bool(true);
            end_lifetime(cx, path, step, address, always);
        }
    }

    /// Bytes of the live object at an address that may be in any shared one, or zero.
    pub(crate) fn unknown_size(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        pointer: TermId,
    ) -> TermId {
        let bits = cx.pointer_bits();
        let size = cx.out.terms.fresh("size", Sort::BitVec(bits));
        let first = cx.first_address(pointer);
        let step = cx.step_for(path, false);
        let always = cx.out.terms.bool(true);
        let dead = self.shared.read(cx, path, step, SharedRead::lifetime(first, always));
        let zero = cx.out.terms.bits(0, 8);
        let lives = cx.out.terms.eq(dead, zero);
        cx.complete(path, step);
        cx.report.size_questions.push((size, pointer, lives));
        size
    }

    /// Bytes of a live object, or zero.
    pub(crate) fn object_size(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        pointer: TermId,
    ) -> Option<TermId> {
        cx.operation(path);
        let bits = cx.pointer_bits();
        let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, pointer) else {
            return Some(self.unknown_size(cx, path, pointer));
        };
        let mut unknown = |object: ObjectId| {
            !self.heap.exists(cx, object) && matches!(cx.world.origin(object), Origin::Alloc(_))
        };
        if path.forked && list.iter().any(|target| unknown(target.object)) {
            return Some(self.unknown_size(cx, path, pointer));
        }
        let mut size = cx.out.terms.bits(0, bits);
        for Target { condition, object, address } in list {
            if !self.heap.exists(cx, object) {
                continue;
            }
            let facts = self.heap.facts(object).clone();
            let base = cx.pointer(cx.world.base(object));
            let offset = cx.offset_in(address, object);
            let mut here = cx.within(offset, 0, facts.size);
            here = cx.out.terms.and(here, condition);
            if facts.reach == Reach::Own || !path.forked {
                match path.memory.contents(object).map(|contents| contents.ended()) {
                    None => continue,
                    Some(None) => {}
                    Some(Some(dead)) => {
                        let lives = cx.out.terms.not(dead);
                        here = cx.out.terms.and(here, lives);
                    }
                }
            } else if facts.may_end {
                let step = cx.step_for(path, false);
                let dead = self.shared.read(cx, path, step, SharedRead::lifetime(base, condition));
                let zero = cx.out.terms.bits(0, 8);
                let lives = cx.out.terms.eq(dead, zero);
                here = cx.out.terms.and(here, lives);
                cx.complete(path, step);
            }
            size = cx.out.terms.ite(here, facts.size, size);
        }
        Some(size)
    }
}

/// The copies of thread-local objects of the thread at hand.
pub(crate) fn thread_locals(cx: &mut Context<'_, '_>) -> Vec<ObjectId> {
    let program = cx.world.program;
    let globals = program.globals.iter().filter(|(_, info)| info.thread_local);
    globals.map(|(global, _)| cx.world.object(Origin::ThreadLocal(cx.thread_name(), global))).collect()
}

/// This thread's copy of a thread-local global.
pub(crate) fn thread_local(cx: &mut Context<'_, '_>, global: GlobalId) -> TermId {
    let object = cx.world.object(Origin::ThreadLocal(cx.thread_name(), global));
    cx.pointer(cx.world.base(object))
}
