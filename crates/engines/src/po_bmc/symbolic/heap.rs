//! The objects that there are, what they hold when the first thread is started, and what is asked of objects that are not known yet.

use raddle_base::Id;
use raddle_ir::analyses::points_to::{self, ObjectKind};
use raddle_ir::{FunctionId, GlobalId, Operand};
use raddle_logic::term::TermId;
use raddle_vm::code::Place;
use rustc_hash::FxHashMap;

use super::context::Context;
use super::known::KnownMemory;
use super::world::{Origin, Reach};
use crate::execution_graph::events::Space;
use raddle_semantics::{Background, Contents, ObjectId, Target, View, possible, values};

/// What is known of an object in this execution.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts {
    /// In bytes, of pointer width.
    pub(crate) size: TermId,
    /// The most that its size can be.
    pub(crate) most: u128,
    /// In bytes.
    pub(crate) align: u64,
    pub(crate) reach: Reach,
    pub(crate) read_only: bool,
    pub(crate) background: Background,
    /// Whether `free` ends it.
    pub(crate) is_heap: bool,
    /// Whether it can end at all.
    pub(crate) may_end: bool,
    /// The instruction that makes it.
    pub(crate) site: Option<Place>,
}

/// An address that may not lead to a live object, to be told apart at the end, when all objects are known.
#[derive(Clone, Debug)]
pub(crate) struct Validity {
    /// The Boolean symbol that says so.
    pub(crate) valid: TermId,
    pub(crate) address: TermId,
    pub(crate) size: u32,
    pub(crate) writes: bool,
}

/// See the [module](self).
#[derive(Default)]
pub(crate) struct Heap {
    objects: FxHashMap<ObjectId, ObjectFacts>,
    /// What shared objects hold when the first thread is started.
    initial: Option<KnownMemory>,
    validities: Vec<Validity>,
}

impl Heap {
    /// What is known of an object that there is.
    pub(crate) fn facts(&self, object: ObjectId) -> &ObjectFacts {
        &self.objects[&object]
    }

    /// The same for one that there may be.
    pub(crate) fn get(&self, object: ObjectId) -> Option<&ObjectFacts> {
        self.objects.get(&object)
    }

    /// There is an object.
    pub(crate) fn add(&mut self, object: ObjectId, facts: ObjectFacts) {
        self.objects.insert(object, facts);
    }

    /// It is to be found out, when all objects are known, whether an address is valid.
    pub(crate) fn resolve_later(&mut self, validity: Validity) {
        self.validities.push(validity);
    }

    /// What shared objects hold when the first thread is started, if that is known by now.
    pub(crate) fn take_initial(&mut self) -> Option<KnownMemory> {
        self.initial.take()
    }

    pub(crate) fn set_initial(&mut self, initial: KnownMemory) {
        self.initial = Some(initial);
    }

    pub(crate) fn has_initial(&self) -> bool {
        self.initial.is_some()
    }

    /// Makes sure that an object that need not be allocated is there; says whether it exists at all.
    pub(crate) fn exists(&mut self, cx: &mut Context<'_, '_>, object: ObjectId) -> bool {
        if self.objects.contains_key(&object) {
            return true;
        }
        match cx.world.origin(object) {
            Origin::Nothing | Origin::Function(_) | Origin::Nowhere | Origin::Alloc(_) => false,
            Origin::Global(global) | Origin::ThreadLocal(_, global) => {
                let program = cx.world.program;
                let global = &program.globals[global];
                let size = cx.pointer(global.size.into());
                let reach = cx.world.reach(object);
                let facts = ObjectFacts {
                    size,
                    most: global.size.into(),
                    align: global.align,
                    reach,
                    read_only: global.read_only,
                    background: Background::Zero,
                    is_heap: false,
                    may_end: global.thread_local,
                    site: None,
                };
                self.objects.insert(object, facts);
                true
            }
        }
    }

    /// What a global holds at first.
    pub(crate) fn first_contents(&mut self, cx: &mut Context<'_, '_>, global: GlobalId) -> Contents {
        let program = cx.world.program;
        let mut contents = Contents::new(Background::Zero, cx.layout());
        for init in &program.globals[global].init {
            let value = cx.constant(init.value);
            let ty = init.value.ty();
            let size = values::width(ty, cx.pointer_bits()).div_ceil(8);
            // A number that there are no marks for goes there in two parts.
            let parts = if cx.layout().is_too_wide(size) { 2 } else { 1 };
            let size = size / parts;
            for part in 0..parts {
                let value = if parts == 1 {
                    value
                } else {
                    cx.out.terms.extract(8 * size * (part + 1) - 1, 8 * size * part, value)
                };
                let (layout, addresses) = (cx.layout(), cx.world.addresses());
                let word = layout.word(&mut cx.out.terms, value, size, View::Value(ty), addresses);
                contents.write(init.offset + u64::from(size * part), size, word, &mut cx.out.terms);
            }
        }
        contents
    }

    pub(crate) fn sorted_objects(&self, cx: &Context<'_, '_>) -> Vec<ObjectId> {
        let mut list: Vec<ObjectId> = Vec::new();
        for index in 0..cx.world.object_count() {
            let object = ObjectId::from_index(index);
            if self.objects.contains_key(&object) {
                list.push(object);
            }
        }
        list
    }

    /// What a read reads when nobody has written, and the condition under which a VM would ask for an input then.
    pub(crate) fn initial_value(
        &mut self,
        cx: &mut Context<'_, '_>,
        space: Space,
        address: TermId,
        size: u32,
    ) -> (TermId, Option<TermId>) {
        let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, address) else {
            return self.initial_anywhere(cx, space, address, size);
        };
        let mut result: Option<(TermId, Option<TermId>)> = None;
        for Target { condition, object, address } in list {
            if !self.objects.contains_key(&object) {
                continue;
            }
            let (value, unwritten) = self.initial_in(cx, space, object, address, size);
            result = Some(match result {
                None => (value, unwritten),
                Some((rest, others)) => {
                    let value = cx.out.terms.ite(condition, value, rest);
                    (value, either(cx, condition, unwritten, others))
                }
            });
        }
        result.unwrap_or_else(|| (zero_in(cx, space, size), None))
    }

    /// The same for an address that may be in any shared object.
    pub(crate) fn initial_anywhere(
        &mut self,
        cx: &mut Context<'_, '_>,
        space: Space,
        address: TermId,
        size: u32,
    ) -> (TermId, Option<TermId>) {
        let mut result = zero_in(cx, space, size);
        let mut unwritten = None;
        for object in self.sorted_objects(cx) {
            if self.objects[&object].reach == Reach::Own {
                continue;
            }
            let (value, asks) = self.initial_in(cx, space, object, address, size);
            let here = cx.is_in(address, object);
            result = cx.out.terms.ite(here, value, result);
            unwritten = either(cx, here, asks, unwritten);
        }
        (result, unwritten)
    }

    pub(crate) fn initial_in(
        &mut self,
        cx: &mut Context<'_, '_>,
        space: Space,
        object: ObjectId,
        address: TermId,
        size: u32,
    ) -> (TermId, Option<TermId>) {
        let known = self.initial.as_ref().and_then(|initial| initial.contents(object).cloned());
        let mut contents = match known {
            Some(contents) => Contents::clone(&contents),
            None => match cx.world.origin(object) {
                Origin::ThreadLocal(_, global) | Origin::Global(global) => self.first_contents(cx, global),
                Origin::Nothing | Origin::Function(_) | Origin::Alloc(_) | Origin::Nowhere => {
                    Contents::new(self.objects[&object].background, cx.layout())
                }
            },
        };
        if space == Space::Life {
            let (zero, one) = (cx.out.terms.bits(0, 8), cx.out.terms.bits(1, 8));
            let dead = contents.ended().map_or(zero, |dead| cx.out.terms.ite(dead, one, zero));
            return (dead, None);
        }
        let base = cx.world.base(object);
        if let Some(constant) = cx.out.terms.as_bits(address) {
            let Ok(at) = u64::try_from(constant.wrapping_sub(base)) else {
                return (zero_in(cx, space, size), None);
            };
            let cell = contents.cell_at(at, size, &mut cx.out.terms);
            // The same unwritten memory must look the same to all who read it.
            if let Some(initial) = &mut self.initial {
                initial.add(object, contents);
            }
            return (cell.value, cell.unwritten);
        }
        let (mut value, mut unwritten) = match contents.background {
            Background::Zero => (zero_in(cx, space, size), None),
            Background::Unwritten => {
                cx.report.havocked.push((cx.out.terms.bool(true), "unwritten memory"));
                let unknown = cx.layout().unknown(&mut cx.out.terms, "unwritten", size);
                (unknown, Some(cx.out.terms.bool(true)))
            }
        };
        // Every place of this size that holds a part of what is known.
        let mut places = std::collections::BTreeSet::new();
        let facts = cx.out.terms.facts(address);
        let residue = u64::try_from(facts.ones & u128::from(size - 1)).unwrap_or(0);
        for (at, cell) in contents.cells() {
            let (size, end) = (u64::from(size), at + u64::from(cell.size));
            let mut place = at.saturating_sub((at + size - residue) % size);
            while place < end {
                places.insert(place);
                place += size;
            }
        }
        let object_size = self.objects[&object].most;
        for at in places {
            if u128::from(at) + u128::from(size) > object_size {
                continue;
            }
            let terms = &mut cx.out.terms;
            let cell = contents.cell_at(at, size, terms);
            let place = terms.bits(base + u128::from(at), u32::from(cx.world.program.pointer_bits));
            let here = terms.eq(address, place);
            value = terms.ite(here, cell.value, value);
            unwritten = either(cx, here, cell.unwritten, unwritten);
        }
        (value, unwritten)
    }

    /// Whether an abstract object stands for an object.
    pub(crate) fn stands_for(
        &self,
        cx: &Context<'_, '_>,
        candidate: points_to::ObjectId,
        object: ObjectId,
    ) -> bool {
        let kind = &cx.world.points_to.objects()[candidate].kind;
        match cx.world.origin(object) {
            Origin::Global(global) | Origin::ThreadLocal(_, global) => *kind == ObjectKind::Global(global),
            Origin::Function(function) => *kind == ObjectKind::Function(function),
            Origin::Alloc(_) => {
                let site = self.objects.get(&object).and_then(|facts| facts.site);
                site.is_some_and(|site| is_made_at(kind, site))
            }
            Origin::Nothing | Origin::Nowhere => false,
        }
    }

    /// The same for an operand of a function.
    pub(crate) fn candidates_of(
        &self,
        cx: &Context<'_, '_>,
        function: FunctionId,
        operand: Operand,
    ) -> Vec<ObjectId> {
        let found = cx.world.points_to.targets(function, operand);
        let objects = (1..cx.world.object_count()).map(ObjectId::from_index);
        objects
            .filter(|object| found.iter().any(|(candidate, _)| self.stands_for(cx, *candidate, *object)))
            .collect()
    }

    /// The objects that there are so far and that an operand may point to.
    pub(crate) fn candidates(&self, cx: &Context<'_, '_>, operand: Operand) -> Vec<ObjectId> {
        self.candidates_of(cx, cx.point().function, operand)
    }

    pub(crate) fn resolve_validity(&mut self, cx: &mut Context<'_, '_>, validity: &Validity) {
        let objects = match cx.world.addresses().known_object(&cx.out.terms, validity.address) {
            Some(object) => vec![object],
            None => self.sorted_objects(cx),
        };
        let mut valid = cx.out.terms.bool(false);
        for object in objects {
            let Some(facts) = self.objects.get(&object).cloned() else { continue };
            if facts.reach == Reach::Own || validity.writes && facts.read_only {
                continue;
            }
            let here = cx.is_in(validity.address, object);
            let offset = cx.offset_in(validity.address, object);
            let fits = cx.within(offset, validity.size, facts.size);
            let this = cx.out.terms.and(here, fits);
            valid = cx.out.terms.or(valid, this);
        }
        let same = cx.out.terms.xor(validity.valid, valid);
        let same = cx.out.terms.not(same);
        cx.out.constraints.push(same);
    }

    /// Which addresses are valid.
    pub(crate) fn resolve_pointers(&mut self, cx: &mut Context<'_, '_>) {
        for validity in std::mem::take(&mut self.validities) {
            self.resolve_validity(cx, &validity);
        }
        for (size, pointer, lives) in std::mem::take(&mut cx.report.size_questions) {
            let zero = cx.pointer(0);
            let mut known = zero;
            for object in self.sorted_objects(cx) {
                let facts = self.objects[&object].clone();
                if facts.reach == Reach::Own {
                    continue;
                }
                let here = cx.is_in(pointer, object);
                let offset = cx.offset_in(pointer, object);
                let within = cx.within(offset, 0, facts.size);
                let this = cx.out.terms.and(here, within);
                known = cx.out.terms.ite(this, facts.size, known);
            }
            let answer = cx.out.terms.ite(lives, known, zero);
            let same = cx.out.terms.eq(size, answer);
            cx.out.constraints.push(same);
        }
        for (flag, first) in std::mem::take(&mut cx.report.heap_questions) {
            let mut heap = cx.out.terms.bool(false);
            for object in self.sorted_objects(cx) {
                if self.objects[&object].is_heap {
                    let base = cx.pointer(cx.world.base(object));
                    let this = cx.out.terms.eq(first, base);
                    heap = cx.out.terms.or(heap, this);
                }
            }
            let same = cx.out.terms.xor(flag, heap);
            let same = cx.out.terms.not(same);
            cx.out.constraints.push(same);
        }
    }

    /// Whether an address is the first of a heap object that was made so far or will be.
    pub(crate) fn is_heap(&mut self, cx: &mut Context<'_, '_>, first: TermId) -> TermId {
        let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, first) else {
            // Which objects there will be is not known yet; the analysis of pointers says where they come from.
            let flag = cx.flag("heap");
            cx.report.heap_questions.push((flag, first));
            return flag;
        };
        let mut heap = cx.out.terms.bool(false);
        for Target { condition, object, address } in list {
            match self.objects.get(&object) {
                Some(facts) if facts.is_heap => heap = cx.out.terms.or(heap, condition),
                Some(_) => {}
                None => {
                    // Perhaps made by a thread that is executed later.
                    let flag = cx.flag("heap");
                    cx.report.heap_questions.push((flag, address));
                    let this = cx.out.terms.and(condition, flag);
                    heap = cx.out.terms.or(heap, this);
                }
            }
        }
        heap
    }
}

/// Zero as memory holds it.
pub(crate) fn zero_in(cx: &mut Context<'_, '_>, space: Space, size: u32) -> TermId {
    match space {
        Space::Data => cx.layout().constant(&mut cx.out.terms, 0, size),
        Space::Life => cx.out.terms.bits(0, 8 * size),
    }
}

/// The one condition if `selector` holds, else the other; none stands for never.
pub(crate) fn either(
    cx: &mut Context<'_, '_>,
    selector: TermId,
    then: Option<TermId>,
    otherwise: Option<TermId>,
) -> Option<TermId> {
    if then == otherwise {
        return then;
    }
    let never = cx.out.terms.bool(false);
    let (then, otherwise) = (then.unwrap_or(never), otherwise.unwrap_or(never));
    possible(cx.out.terms.ite(selector, then, otherwise), &cx.out.terms)
}

/// Whether an abstract object stands for what an instruction makes.
fn is_made_at(kind: &ObjectKind, place: Place) -> bool {
    match kind {
        ObjectKind::Alloc { site, .. } => {
            site.function == place.function && site.block == place.block && site.inst == place.index as usize
        }
        ObjectKind::Global(_) | ObjectKind::Function(_) => false,
    }
}
