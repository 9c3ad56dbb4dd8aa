//! Threads: starting them, what they begin with, and what is settled when all have been executed.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_base::{Exhausted, Id};
use raddle_ir::{FunctionId, Property, Type};
use raddle_logic::term::{Sort, TermId};

use super::execute::{Executor, Flow, Validity};
use super::forwarding::Forwarded;
use super::guard::Guard;
use super::memory::Memory;
use super::path::Path;
use super::world::{Origin, Reach};
use crate::execution_graph::emitter::Here;
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, InstanceId, LimitKind, Location, Space, Sync, SynchronisationKind,
};
use crate::semantics::{Background, Contents, ObjectId, Target, possible};

/// A thread that was started and is still to be executed.
#[derive(Debug)]
pub(crate) struct Pending {
    instance: InstanceId,
    name: InstanceId,
    /// The functions it may run, with their conditions.
    functions: Vec<(TermId, FunctionId)>,
    argument: TermId,
    site: super::world::SiteKey,
    /// What it knows of shared memory when it begins.
    forwarded: Forwarded,
}

impl Executor<'_, '_> {
    /// Executes all threads.
    pub(crate) fn run(&mut self) -> Result<(), Exhausted> {
        let program = self.world.program;
        let mut memory = Memory::default();
        for (global, info) in program.globals.iter() {
            if !info.thread_local {
                let object = self.world.object(Origin::Global(global));
                self.exists(object);
                let contents = self.first_contents(global);
                memory.add(object, contents);
            }
        }
        let always = self.terms().bool(true);
        let zero = self.terms().bits(0, 32);
        self.begin_thread(None, always, zero);
        self.report.names.push(self.thread_name);
        let path = self.first_path(always, memory.clone(), false);
        let entry = program.entry;
        self.execute_thread(path, &[(always, entry)], &[], None)?;
        while let Some(pending) = self.pending.pop_front() {
            self.thread = pending.instance;
            self.thread_name = pending.name;
            // The fork takes effect only with the section it is in.
            let fork = self.out.threads[self.thread].fork.expect("it was forked");
            let started = self.out.effective(fork);
            self.out.emit(self.thread).start(started);
            let mut path = self.first_path(started, memory.clone(), true);
            path.forwarded = pending.forwarded;
            if path.guard.is_false(&self.out.terms) {
                self.mark(&path);
                self.mark(&path);
                continue;
            }
            let argument = [pending.argument];
            self.execute_thread(path, &pending.functions, &argument, Some(pending.site))?;
        }
        Ok(())
    }

    fn first_path(&mut self, started: TermId, mut memory: Memory, forked: bool) -> Path {
        // A thread has its copies of thread-local objects from the start, on all paths.
        let program = self.world.program;
        for (global, _) in program.globals.iter().filter(|(_, info)| info.thread_local) {
            let object = self.world.object(Origin::ThreadLocal(self.thread_name, global));
            self.exists(object);
            if self.objects[&object].reach == Reach::Own || !forked {
                let contents = self.first_contents(global);
                memory.add(object, contents);
            }
        }
        let zero = self.out.terms.bits(0, 32);
        Path {
            guard: Guard::new(started),
            memory,
            forked,
            section: None,
            held: Rc::default(),
            regions: Vec::new(),
            forwarded: Forwarded::default(),
            operations: zero,
            forks: zero,
        }
    }

    fn begin_thread(&mut self, fork: Option<EventId>, started: TermId, thread_id: TermId) -> InstanceId {
        let bits = self.pointer_bits();
        self.out.begin_thread(fork, started, thread_id, bits)
    }

    /// A step in which nothing happens.
    fn mark(&mut self, path: &Path) {
        use raddle_ir::BlockId;
        let entry = self.world.program.entry;
        let place = raddle_vm::code::Place { function: entry, block: BlockId::from_index(0), index: 0 };
        self.out.emit(self.thread).mark(Here {
            guard: path.guard.term(),
            operations: path.operations,
            place,
        });
    }

    fn execute_thread(
        &mut self,
        path: Path,
        functions: &[(TermId, FunctionId)],
        arguments: &[TermId],
        site: Option<super::world::SiteKey>,
    ) -> Result<(), Exhausted> {
        self.mark(&path);
        let bits = self.pointer_bits();
        let zero = self.out.terms.bits(0, bits);
        for &(condition, function) in functions {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.out.terms, condition);
            if taken.guard.is_false(&self.out.terms) {
                continue;
            }
            let wanted = self.world.program.functions[function].parameters.len();
            let arguments = &arguments[..wanted.min(arguments.len())];
            if let Some((mut returned, result)) = self.call(function, arguments, taken, site)? {
                self.end_thread(&mut returned);
                let result = result.map_or(zero, |result| match self.out.terms.sort(result) {
                    Sort::BitVec(_) => self.out.terms.resize(result, bits, false),
                    Sort::Bool | Sort::Array { .. } => zero,
                });
                self.ends.push((returned, result));
            }
        }
        let ends = std::mem::take(&mut self.ends);
        let ends = ends.into_iter().map(|(path, result)| (path, Some(result))).collect();
        let end = match self.join_returns(ends) {
            Some((end, result)) => {
                let result = result.unwrap_or(zero);
                self.out.emit(self.thread).end(end.guard.term(), result, end.operations);
                end
            }
            None => {
                let mut never = path;
                never.guard = Guard::new(self.out.terms.bool(false));
                never
            }
        };
        self.mark(&end);
        Ok(())
    }

    /// Starts a thread and gives its number.
    pub(crate) fn fork(&mut self, path: &mut Path, function: TermId, argument: TermId) -> Option<TermId> {
        self.operation(path);
        let candidates: Vec<(TermId, FunctionId)> = self
            .callees(path, function)
            .into_iter()
            .filter(|(_, function)| {
                let callee = &self.world.program.functions[*function];
                !callee.blocks.is_empty()
                    && match *callee.parameters {
                        [] => true,
                        [only] => callee.registers[only].ty == Type::Ptr,
                        _ => false,
                    }
            })
            .collect();
        let some = self.out.terms.or_all(candidates.iter().map(|(condition, _)| *condition));
        self.check(
            path,
            Property::MemorySafety,
            some,
            "a thread is started at something that is not a function",
        );
        if matches!(self.assume(path, some), Flow::Ends) {
            return None;
        }
        if self.out.threads.len() >= self.options.bounds.max_threads as usize {
            let span = self.span();
            self.limit(path, LimitKind::Threads, span);
            return None;
        }
        if !path.forked {
            self.publish(path);
        }
        let one = self.out.terms.bits(1, 32);
        path.forks = self.out.terms.add(path.forks, one);
        let is_main = self.out.threads[self.thread].fork.is_none();
        let number = if !self.assumed.fixed_thread_ids.0 {
            self.out.terms.fresh("thread", Sort::BitVec(32))
        } else {
            if !is_main {
                self.report.others_fork = true;
            }
            path.forks
        };
        let step = self.step_for(path, true);
        let guard = path.guard.term();
        let instance = InstanceId::from_index(self.out.threads.len());
        let fork = self.event(step, guard, EventKind::Sync(Sync::Fork { thread: instance }));
        self.synchronise(path, SynchronisationKind::Fork(fork));
        self.begin_thread(Some(fork), guard, number);
        let identity = self.identity(&candidates, argument);
        self.identities.push(identity);
        let name = self.world.instance(self.site());
        self.report.names.push(name);
        let forwarded = self.forward_to_thread(path, name);
        let pending =
            Pending { instance, name, functions: candidates, argument, site: self.site(), forwarded };
        self.pending.push_back(pending);
        self.complete(path, step);
        Some(number)
    }

    /// From here on others may see shared memory: what is known about it becomes what it holds initially, or, if that was
    /// settled on another path, is written.
    pub(crate) fn publish(&mut self, path: &mut Path) {
        path.forked = true;
        let shared: Vec<ObjectId> = path
            .memory
            .objects()
            .map(|(object, _)| object)
            .filter(|object| self.objects[object].reach == Reach::Shared)
            .collect();
        let mut contents: BTreeMap<ObjectId, Rc<Contents>> = BTreeMap::new();
        for object in shared {
            contents.extend(path.memory.remove(object).map(|known| (object, known)));
        }
        self.forward_initial(path, &contents);
        let Some(mut initial) = self.initial.take() else {
            let mut initial = Memory::default();
            for (object, known) in contents {
                initial.add(object, Contents::clone(&known));
            }
            // What was made before and is not there any more has ended.
            for object in self.sorted_objects() {
                let facts = &self.objects[&object];
                if facts.reach == Reach::Shared && facts.is_mortal && initial.contents(object).is_none() {
                    let mut ended = Contents::new(facts.background, self.layout());
                    let always = self.out.terms.bool(true);
                    ended.end(always, &mut self.out.terms);
                    initial.add(object, ended);
                }
            }
            self.initial = Some(initial);
            return;
        };
        // The thread may be started inside of an atomic block: what it finds is written before that ends.
        let step = self.step_for(path, true);
        for (object, known) in contents {
            if initial.contents(object).is_none() {
                let background = self.objects[&object].background;
                initial.add(object, Contents::new(background, self.layout()));
            }
            let base = self.world.base(object);
            // Where only the other path wrote, this one finds what was there at first.
            let mut known = Contents::clone(&known);
            let others: Vec<(u64, u32)> = initial
                .contents(object)
                .map(|first| first.cells().map(|(at, cell)| (at, cell.size)).collect())
                .unwrap_or_default();
            for (at, size) in others {
                known.cell_at(at, size, &mut self.out.terms);
            }
            for (at, cell) in known.cells() {
                let terms = &mut self.out.terms;
                let first = initial.contents_mut(object).expect("just made").cell_at(at, cell.size, terms);
                if first.value == cell.value {
                    continue;
                }
                let always = terms.bool(true);
                if let Some(unwritten) = cell.unwritten {
                    if cell.unwritten == first.unwritten && unwritten == always {
                        continue;
                    }
                    // What the other path wrote is not there on this one, but anything. The VM asks for that when it is read.
                    let anything = terms.and(path.guard.term(), unwritten);
                    self.report.opaque.push((anything, "unwritten memory"));
                    self.report.uninitialised.push(anything);
                }
                let address = self.pointer(base + u128::from(at));
                self.write_shared(path, step, Space::Data, address, (cell.size, always), cell.value);
            }
            let alive = initial.contents(object).is_none_or(|first| first.ended().is_none());
            if let (Some(dead), true) = (known.ended(), alive) {
                let (address, one) = (self.pointer(base), self.out.terms.bits(1, 8));
                self.write_shared(path, step, Space::Life, address, (1, dead), one);
            }
        }
        self.initial = Some(initial);
    }

    /// Now that all objects and events are known: what reads see initially, which addresses are valid.
    pub(crate) fn settle(&mut self) -> Result<(), Exhausted> {
        if self.split_mixed() {
            self.settle_reads()?;
        }
        self.settle_pointers();
        self.settle_places();
        self.look_at_locks();
        self.find_symmetry();
        Ok(())
    }

    /// What reads see initially.
    pub(crate) fn settle_reads(&mut self) -> Result<(), Exhausted> {
        for event in self.out.events.ids().collect::<Vec<_>>() {
            self.budget.poll()?;
            if let EventKind::Access {
                location: Location { space, address, size },
                access: AccessKind::Read { initial: None, uninitialised, .. },
            } = self.out.events[event].kind
            {
                let (mut first, mut unwritten) = self.initial_value(space, address, size);
                if let (Some(number), Some(never)) = (self.report.unwritten_is.get(&event), unwritten) {
                    let number = self.layout().constant(&mut self.out.terms, (*number).into(), size);
                    first = self.out.terms.ite(never, number, first);
                    unwritten = None;
                }
                self.out.set_initial(event, first, unwritten.and(uninitialised));
                if let Some(unwritten) = unwritten {
                    if let Some(ty) = uninitialised {
                        let bytes = self.layout().bytes(&mut self.out.terms, first, size);
                        self.unknown_value(ty, bytes);
                    }
                    self.report.unwritten.insert(event, unwritten);
                }
            }
        }
        for index in 0..self.report.constant_reads.len() {
            let read = self.report.constant_reads[index];
            let (first, _) = self.initial_value(read.space, read.address, read.size);
            self.report.constant_reads[index].initial = Some(first);
        }
        Ok(())
    }

    /// Which addresses are valid.
    fn settle_pointers(&mut self) {
        for validity in std::mem::take(&mut self.validities) {
            self.settle_validity(&validity);
        }
        for (size, pointer, lives) in std::mem::take(&mut self.report.size_questions) {
            let zero = self.pointer(0);
            let mut known = zero;
            for object in self.sorted_objects() {
                let facts = self.objects[&object].clone();
                if facts.reach == Reach::Own {
                    continue;
                }
                let here = self.is_in(pointer, object);
                let offset = self.offset_in(pointer, object);
                let within = self.within(offset, 0, facts.size);
                let this = self.out.terms.and(here, within);
                known = self.out.terms.ite(this, facts.size, known);
            }
            let answer = self.out.terms.ite(lives, known, zero);
            let same = self.out.terms.eq(size, answer);
            self.out.constraints.push(same);
        }
        for (flag, first) in std::mem::take(&mut self.report.heap_questions) {
            let mut heap = self.out.terms.bool(false);
            for object in self.sorted_objects() {
                if self.objects[&object].is_heap {
                    let base = self.pointer(self.world.base(object));
                    let this = self.out.terms.eq(first, base);
                    heap = self.out.terms.or(heap, this);
                }
            }
            let same = self.out.terms.xor(flag, heap);
            let same = self.out.terms.not(same);
            self.out.constraints.push(same);
        }
    }

    fn sorted_objects(&self) -> Vec<ObjectId> {
        let mut list: Vec<ObjectId> = Vec::new();
        for index in 0..self.world.object_count() {
            let object = ObjectId::from_index(index);
            if self.objects.contains_key(&object) {
                list.push(object);
            }
        }
        list
    }

    fn settle_validity(&mut self, validity: &Validity) {
        let objects = match self.world.addresses().known_object(&self.out.terms, validity.address) {
            Some(object) => vec![object],
            None => self.sorted_objects(),
        };
        let mut valid = self.out.terms.bool(false);
        for object in objects {
            let Some(facts) = self.objects.get(&object).cloned() else { continue };
            if facts.reach == Reach::Own || validity.writes && facts.read_only {
                continue;
            }
            let here = self.is_in(validity.address, object);
            let offset = self.offset_in(validity.address, object);
            let fits = self.within(offset, validity.size, facts.size);
            let this = self.out.terms.and(here, fits);
            valid = self.out.terms.or(valid, this);
        }
        let same = self.out.terms.xor(validity.valid, valid);
        let same = self.out.terms.not(same);
        self.out.constraints.push(same);
    }

    /// What a read sees when nobody has written, and the condition under which a machine would ask for an input then.
    fn initial_value(&mut self, space: Space, address: TermId, size: u32) -> (TermId, Option<TermId>) {
        let Some(list) = self.world.addresses().targets(&mut self.out.terms, address) else {
            return self.initial_anywhere(space, address, size);
        };
        let mut result: Option<(TermId, Option<TermId>)> = None;
        for Target { condition, object, address } in list {
            if !self.objects.contains_key(&object) {
                continue;
            }
            let (value, unwritten) = self.initial_in(space, object, address, size);
            result = Some(match result {
                None => (value, unwritten),
                Some((rest, others)) => {
                    let value = self.out.terms.ite(condition, value, rest);
                    (value, self.either(condition, unwritten, others))
                }
            });
        }
        result.unwrap_or_else(|| (self.zero_in(space, size), None))
    }

    /// Zero as memory holds it.
    fn zero_in(&mut self, space: Space, size: u32) -> TermId {
        match space {
            Space::Data => self.layout().constant(&mut self.out.terms, 0, size),
            Space::Life => self.out.terms.bits(0, 8 * size),
        }
    }

    /// The one condition if `selector` holds, else the other; none stands for never.
    fn either(
        &mut self,
        selector: TermId,
        then: Option<TermId>,
        otherwise: Option<TermId>,
    ) -> Option<TermId> {
        if then == otherwise {
            return then;
        }
        let never = self.out.terms.bool(false);
        let (then, otherwise) = (then.unwrap_or(never), otherwise.unwrap_or(never));
        possible(self.out.terms.ite(selector, then, otherwise), &self.out.terms)
    }

    /// The same for an address that may be in any shared object.
    fn initial_anywhere(&mut self, space: Space, address: TermId, size: u32) -> (TermId, Option<TermId>) {
        let mut result = self.zero_in(space, size);
        let mut unwritten = None;
        for object in self.sorted_objects() {
            if self.objects[&object].reach == Reach::Own {
                continue;
            }
            let (value, asks) = self.initial_in(space, object, address, size);
            let here = self.is_in(address, object);
            result = self.out.terms.ite(here, value, result);
            unwritten = self.either(here, asks, unwritten);
        }
        (result, unwritten)
    }

    fn initial_in(
        &mut self,
        space: Space,
        object: ObjectId,
        address: TermId,
        size: u32,
    ) -> (TermId, Option<TermId>) {
        let known = self.initial.as_ref().and_then(|initial| initial.contents(object).cloned());
        let mut contents = match known {
            Some(contents) => Contents::clone(&contents),
            None => match self.world.origin(object) {
                Origin::ThreadLocal(_, global) | Origin::Global(global) => self.first_contents(global),
                Origin::Nothing | Origin::Function(_) | Origin::Alloc(_) | Origin::Nowhere => {
                    Contents::new(self.objects[&object].background, self.layout())
                }
            },
        };
        if space == Space::Life {
            let (zero, one) = (self.out.terms.bits(0, 8), self.out.terms.bits(1, 8));
            let dead = contents.ended().map_or(zero, |dead| self.out.terms.ite(dead, one, zero));
            return (dead, None);
        }
        let base = self.world.base(object);
        if let Some(constant) = self.out.terms.as_bits(address) {
            let Ok(at) = u64::try_from(constant.wrapping_sub(base)) else {
                return (self.zero_in(space, size), None);
            };
            let cell = contents.cell_at(at, size, &mut self.out.terms);
            // The same unwritten memory must look the same to all who read it.
            if let Some(initial) = &mut self.initial {
                initial.add(object, contents);
            }
            return (cell.value, cell.unwritten);
        }
        let (mut value, mut unwritten) = match contents.background {
            Background::Zero => (self.zero_in(space, size), None),
            Background::Unwritten => {
                self.report.opaque.push((self.out.terms.bool(true), "unwritten memory"));
                let unknown = self.layout().unknown(&mut self.out.terms, "unwritten", size);
                (unknown, Some(self.out.terms.bool(true)))
            }
        };
        // Every place of this size that holds a part of what is known.
        let mut places = std::collections::BTreeSet::new();
        let facts = self.out.terms.facts(address);
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
            let terms = &mut self.out.terms;
            let cell = contents.cell_at(at, size, terms);
            let place = terms.bits(base + u128::from(at), u32::from(self.world.program.pointer_bits));
            let here = terms.eq(address, place);
            value = terms.ite(here, cell.value, value);
            unwritten = self.either(here, cell.unwritten, unwritten);
        }
        (value, unwritten)
    }

    /// Accesses of different sizes that may overlap are split into bytes. Says whether there were any.
    fn split_mixed(&mut self) -> bool {
        super::split::split(&mut self.out, self.world, &mut self.report)
    }

    /// Lock events are meant for lock words that nothing else touches.
    fn look_at_locks(&mut self) {
        if !self.assumed.lock_words_apart.0 || self.report.touches_lock_words {
            return;
        }
        let mut unique: Vec<TermId> =
            self.out.events.values().filter_map(|event| event.kind.lock_word()).collect();
        unique.sort_unstable();
        unique.dedup();
        let zero = self.out.terms.bits(0, 32);
        for &address in &unique {
            let (first, _) = self.initial_value(Space::Data, address, 4);
            let first = self.layout().bytes(&mut self.out.terms, first, 4);
            if first != zero && self.initial.is_some() {
                // Never written counts as zero for a lock word.
                let unwritten = self.out.terms.as_symbol(first).is_some();
                self.report.touches_lock_words |= !unwritten;
            }
        }
        let mut accesses: Vec<(TermId, u32)> = self.report.touched.iter().copied().collect();
        accesses.sort_unstable();
        for (access, size) in accesses {
            for &lock in &unique {
                if self.may_touch(access, size, lock) {
                    self.report.touches_lock_words = true;
                    return;
                }
            }
        }
    }

    /// Whether an access may be to a lock word.
    pub(crate) fn may_touch(&mut self, access: TermId, size: u32, lock: TermId) -> bool {
        if let (Some(access), Some(lock)) = (self.out.terms.as_bits(access), self.out.terms.as_bits(lock)) {
            return access < lock + 4 && lock < access + u128::from(size);
        }
        let objects = super::split::objects_of(&mut self.out.terms, self.world, access);
        let locks = super::split::objects_of(&mut self.out.terms, self.world, lock);
        match (objects, locks) {
            (Some(objects), Some(locks)) => !objects.is_disjoint(&locks),
            (_, _) => true,
        }
    }
}
