//! Objects: how they come about, what they hold at first, and how they end.

use raddle_ir::{AllocStorage, Constant, Lifetime, Operand, Ordering, Property, Type};
use raddle_logic::term::{Sort, TermId};

use super::access::{Request, Role};
use super::execute::{Executor, Flow, ObjectFacts, Registers};
use super::path::Path;
use super::range::at_most;
use super::world::{Origin, Reach};
use crate::execution_graph::events::Space;
use crate::semantics::View;
use crate::semantics::values;
use crate::semantics::{Background, Contents, ObjectId, Target};

impl Executor<'_, '_> {
    /// Makes an object.
    pub(crate) fn allocate(
        &mut self,
        path: &mut Path,
        size: TermId,
        align: u64,
        storage: AllocStorage,
        zeroed: bool,
    ) -> Option<TermId> {
        self.operation(path);
        let place = self.place();
        let object = self.world.object(Origin::Alloc(self.site()));
        if self.world.object_count() >= self.world.addresses().room() {
            self.unsupported(path, "more objects than there is room for");
            return None;
        }
        let largest = self.pointer(self.world.addresses().largest());
        let fits = self.out.terms.ule(size, largest);
        let too_large = self.out.terms.not(fits);
        let what = "an object that is larger than there is room for";
        if matches!(self.unsupported_under(path, too_large, what), Flow::Ends) {
            return None;
        }
        // It is only there where it is made.
        let before = self.objects.get(&object).map_or(0, |facts| facts.most);
        let most = at_most(&self.out.terms, path.guard.term(), size).max(before);
        let reach = self.world.site_reach(place.function, place.block, place.index as usize);
        let background = if zeroed { Background::Zero } else { Background::Unwritten };
        if storage == AllocStorage::Heap {
            self.report.heap.push(path.guard.term());
        }
        let is_heap = match storage {
            AllocStorage::Heap | AllocStorage::Library => true,
            AllocStorage::Local | AllocStorage::Dynamic => false,
        };
        self.objects.insert(
            object,
            ObjectFacts {
                size,
                most,
                align,
                reach,
                read_only: false,
                background,
                is_heap,
                is_mortal: true,
                site: Some(place),
            },
        );
        if reach == Reach::Own || !path.forked {
            path.memory.add(object, Contents::new(background, self.layout()));
        }
        if is_heap {
            self.note_made(path, object);
        } else {
            self.frames.last_mut().expect("something is being executed").locals.push(object);
        }
        Some(self.pointer(self.world.base(object)))
    }

    /// Makes sure that an object that need not be allocated is there; says whether it exists at all.
    pub(crate) fn exists(&mut self, object: ObjectId) -> bool {
        if self.objects.contains_key(&object) {
            return true;
        }
        match self.world.origin(object) {
            Origin::Nothing | Origin::Function(_) | Origin::Nowhere | Origin::Alloc(_) => false,
            Origin::Global(global) | Origin::ThreadLocal(_, global) => {
                let program = self.world.program;
                let global = &program.globals[global];
                let size = self.pointer(global.size.into());
                let reach = self.world.reach(object);
                let facts = ObjectFacts {
                    size,
                    most: global.size.into(),
                    align: global.align,
                    reach,
                    read_only: global.read_only,
                    background: Background::Zero,
                    is_heap: false,
                    is_mortal: global.thread_local,
                    site: None,
                };
                self.objects.insert(object, facts);
                true
            }
        }
    }

    /// What a global holds at first.
    pub(crate) fn first_contents(&mut self, global: raddle_ir::GlobalId) -> Contents {
        let program = self.world.program;
        let mut contents = Contents::new(Background::Zero, self.layout());
        for init in &program.globals[global].init {
            let value = self.constant(init.value);
            let ty = init.value.ty();
            let size = values::width(ty, self.pointer_bits()).div_ceil(8);
            // A number that there are no marks for goes there in two parts.
            let parts = if self.layout().is_too_wide(size) { 2 } else { 1 };
            let size = size / parts;
            for part in 0..parts {
                let value = if parts == 1 {
                    value
                } else {
                    self.out.terms.extract(8 * size * (part + 1) - 1, 8 * size * part, value)
                };
                let (layout, addresses) = (self.layout(), self.world.addresses());
                let word = layout.word(&mut self.out.terms, value, size, View::Value(ty), addresses);
                contents.write(init.offset + u64::from(size * part), size, word, &mut self.out.terms);
            }
        }
        contents
    }

    /// This thread's copy of a thread-local global.
    pub(crate) fn thread_local(&mut self, global: raddle_ir::GlobalId) -> TermId {
        let object = self.world.object(Origin::ThreadLocal(self.thread_name, global));
        self.pointer(self.world.base(object))
    }

    /// Ends a heap object.
    pub(crate) fn free(&mut self, path: &mut Path, pointer: TermId, operand: Operand) -> Flow {
        self.operation(path);
        let null = self.pointer(0);
        let is_null = self.out.terms.eq(pointer, null);
        if self.out.terms.as_bool(is_null) == Some(true) {
            return Flow::Next;
        }
        let mut freeing = path.clone();
        let some = self.out.terms.not(is_null);
        freeing.guard = freeing.guard.and(&mut self.out.terms, some);
        let flow = self.free_some(&mut freeing, pointer, operand);
        let mut nothing = path.clone();
        nothing.guard = nothing.guard.and(&mut self.out.terms, is_null);
        let nothing_false = nothing.guard.is_false(&self.out.terms);
        match flow {
            Flow::Ends if nothing_false => return Flow::Ends,
            Flow::Ends => *path = nothing,
            Flow::Next if nothing_false => *path = freeing,
            Flow::Next => {
                freeing.join(&nothing, &mut self.out.terms);
                *path = freeing;
            }
        }
        Flow::Next
    }

    fn free_some(&mut self, path: &mut Path, pointer: TermId, operand: Operand) -> Flow {
        let Some(destination) = self.destination(path, pointer, 0, false, operand) else {
            return Flow::Ends;
        };
        let step = destination.shared.map(|_| self.step_for(path, true));
        if let Some(step) = step
            && self.lives(path, step, pointer, &destination).is_none()
        {
            return Flow::Ends;
        }
        let first = self.first_address(pointer);
        let mut right = self.out.terms.eq(first, pointer);
        for &(condition, object, _) in &destination.own {
            if !self.objects[&object].is_heap {
                let elsewhere = self.out.terms.not(condition);
                right = self.out.terms.and(right, elsewhere);
            }
        }
        if destination.shared.is_some() {
            let heap = self.is_heap(first);
            right = self.out.terms.and(right, heap);
        }
        self.check(path, Property::MemorySafety, right, "`free` of something that is no heap object");
        if matches!(self.assume(path, right), Flow::Ends) {
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
            self.note_access(path, step, request, shared, true);
            let one = self.out.terms.bits(1, 8);
            self.write_shared(path, step, Space::Life, first, (1, shared), one);
            self.complete(path, step);
        }
        for &(condition, object, _) in &destination.own {
            let terms = &mut self.out.terms;
            let Some(contents) = path.memory.contents_mut(object) else { continue };
            contents.end(condition, terms);
        }
        Flow::Next
    }

    /// Whether an address is the first of a heap object that was made so far or will be.
    fn is_heap(&mut self, first: TermId) -> TermId {
        let Some(list) = self.world.addresses().targets(&mut self.out.terms, first) else {
            // Which objects there will be is not known yet; the analysis of pointers says where they come from.
            let flag = self.flag("heap");
            self.report.heap_questions.push((flag, first));
            return flag;
        };
        let mut heap = self.out.terms.bool(false);
        for Target { condition, object, address } in list {
            match self.objects.get(&object) {
                Some(facts) if facts.is_heap => heap = self.out.terms.or(heap, condition),
                Some(_) => {}
                None => {
                    // Perhaps made by a thread that is executed later.
                    let flag = self.flag("heap");
                    self.report.heap_questions.push((flag, address));
                    let this = self.out.terms.and(condition, flag);
                    heap = self.out.terms.or(heap, this);
                }
            }
        }
        heap
    }

    /// The objects whose lives end, each with its condition; none if they are not known.
    pub(crate) fn ending(
        &mut self,
        lifetime: Lifetime,
        registers: &Registers,
    ) -> Option<Vec<(TermId, ObjectId)>> {
        let always = self.out.terms.bool(true);
        let frame = self.frames.last_mut().expect("something is being executed");
        let mut objects = match lifetime {
            Lifetime::Object(pointer) => {
                let pointer = self.operand(registers, pointer);
                return self.local_cases(pointer);
            }
            Lifetime::Activation => {
                frame.has_ended = true;
                frame.locals.clone()
            }
            Lifetime::Thread => {
                frame.has_ended = true;
                self.frames.iter().flat_map(|frame| frame.locals.clone()).collect()
            }
            Lifetime::Activations => {
                let locals = self.frames.iter().flat_map(|frame| frame.locals.clone());
                return Some(locals.map(|object| (always, object)).collect());
            }
            // The objects live on.
            Lifetime::Contents { .. } => return Some(Vec::new()),
        };
        if lifetime == Lifetime::Thread || self.frames.len() == 1 {
            objects.extend(self.thread_locals());
        }
        Some(objects.into_iter().map(|object| (always, object)).collect())
    }

    /// The local objects that a pointer may point to.
    fn local_cases(&mut self, pointer: TermId) -> Option<Vec<(TermId, ObjectId)>> {
        let targets = self.world.addresses().targets(&mut self.out.terms, pointer)?;
        let is_local = |object: ObjectId| {
            matches!(self.world.origin(object), Origin::Alloc(_))
                && self.objects.get(&object).is_some_and(|facts| !facts.is_heap)
        };
        let locals = targets.into_iter().filter(|target| is_local(target.object));
        Some(locals.map(|target| (target.condition, target.object)).collect())
    }

    /// The copies of thread-local objects of the thread at hand.
    fn thread_locals(&mut self) -> Vec<ObjectId> {
        let program = self.world.program;
        let globals = program.globals.iter().filter(|(_, info)| info.thread_local);
        globals.map(|(global, _)| self.world.object(Origin::ThreadLocal(self.thread_name, global))).collect()
    }

    /// Objects of the thread at hand end, all in one step, which others can come before.
    /// What a pointer points to counts as never written. Followed where the path knows the object.
    pub(crate) fn forget(&mut self, path: &mut Path, pointer: TermId, size: u64) -> Flow {
        if let Some(address) = self.out.terms.as_bits(pointer)
            && let Some(object) = self.world.object_at(address)
            && let Ok(offset) = u64::try_from(address - self.world.base(object))
            && let Some(facts) = self.objects.get(&object)
            && let Some(bytes) = self.out.terms.as_bits(facts.size)
            && u128::from(offset) + u128::from(size) <= bytes
            && (facts.reach == Reach::Own || !path.forked)
            && let Some(contents) = path.memory.contents_mut(object)
        {
            contents.forget(offset, size, &mut self.out.terms);
            return Flow::Next;
        }
        self.unsupported(path, "memory that becomes new while others may look at it")
    }

    pub(crate) fn end_objects(&mut self, path: &mut Path, objects: &[(TermId, ObjectId)]) {
        let mut step = None;
        for &(condition, object) in objects {
            if self.objects[&object].reach == Reach::Own || !path.forked {
                let terms = &mut self.out.terms;
                let Some(contents) = path.memory.contents_mut(object) else { continue };
                contents.end(condition, terms);
                continue;
            }
            let step = *step.get_or_insert_with(|| self.step_for(path, false));
            let address = self.pointer(self.world.base(object));
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
            self.note_access(path, step, request, condition, true);
            let one = self.out.terms.bits(1, 8);
            self.write_shared(path, step, Space::Life, address, (1, condition), one);
        }
        if let Some(step) = step {
            self.complete(path, step);
        }
    }

    /// Objects end with their function, if they have not before. That belongs to the thread's last step, if that is on this
    /// path: nobody can come between.
    pub(crate) fn drop_locals(&mut self, path: &mut Path, locals: &[ObjectId], have_ended: bool) {
        for &object in locals {
            if self.objects[&object].reach == Reach::Own || !path.forked {
                path.memory.remove(object);
                continue;
            }
            if have_ended {
                continue;
            }
            let last = self.last_step();
            let completes = self.out.steps[last].completes;
            let step = if path.section.is_some() || path.guard.implies(completes) {
                last
            } else {
                self.step(path, false)
            };
            let address = self.pointer(self.world.base(object));
            let one = self.out.terms.bits(1, 8);
            let always = self.out.terms.bool(true);
            self.write_shared(path, step, Space::Life, address, (1, always), one);
        }
    }

    /// The locals of all activations end, if they have not before.
    pub(crate) fn leave_all(&mut self, path: &mut Path) {
        let locals: Vec<ObjectId> = self.frames.iter().flat_map(|frame| frame.locals.clone()).collect();
        let have_ended = self.frames.last().is_some_and(|frame| frame.has_ended);
        self.drop_locals(path, &locals, have_ended);
    }

    /// Bytes of the live object at an address that may be in any shared one, or zero.
    fn unknown_size(&mut self, path: &mut Path, pointer: TermId) -> TermId {
        let bits = self.pointer_bits();
        let size = self.out.terms.fresh("size", Sort::BitVec(bits));
        let first = self.first_address(pointer);
        let step = self.step_for(path, false);
        let always = self.out.terms.bool(true);
        let dead = self.read_shared(path, step, Space::Life, first, (1, always), None);
        let zero = self.out.terms.bits(0, 8);
        let lives = self.out.terms.eq(dead, zero);
        self.complete(path, step);
        self.report.size_questions.push((size, pointer, lives));
        size
    }

    /// Bytes of a live object, or zero.
    pub(crate) fn object_size(&mut self, path: &mut Path, pointer: TermId) -> Option<TermId> {
        self.operation(path);
        let bits = self.pointer_bits();
        let Some(list) = self.world.addresses().targets(&mut self.out.terms, pointer) else {
            return Some(self.unknown_size(path, pointer));
        };
        let unknown = |executor: &mut Self, object: ObjectId| {
            !executor.exists(object) && matches!(executor.world.origin(object), Origin::Alloc(_))
        };
        if path.forked && list.iter().any(|target| unknown(self, target.object)) {
            return Some(self.unknown_size(path, pointer));
        }
        let mut size = self.out.terms.bits(0, bits);
        for Target { condition, object, address } in list {
            if !self.exists(object) {
                continue;
            }
            let facts = self.objects[&object].clone();
            let base = self.pointer(self.world.base(object));
            let offset = self.offset_in(address, object);
            let mut here = self.within(offset, 0, facts.size);
            here = self.out.terms.and(here, condition);
            if facts.reach == Reach::Own || !path.forked {
                match path.memory.contents(object).map(|contents| contents.ended()) {
                    None => continue,
                    Some(None) => {}
                    Some(Some(dead)) => {
                        let lives = self.out.terms.not(dead);
                        here = self.out.terms.and(here, lives);
                    }
                }
            } else if facts.is_mortal {
                let step = self.step_for(path, false);
                let dead = self.read_shared(path, step, Space::Life, base, (1, condition), None);
                let zero = self.out.terms.bits(0, 8);
                let lives = self.out.terms.eq(dead, zero);
                here = self.out.terms.and(here, lives);
                self.complete(path, step);
            }
            size = self.out.terms.ite(here, facts.size, size);
        }
        Some(size)
    }
}
