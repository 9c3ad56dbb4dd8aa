//! Reading and writing memory.

use std::rc::Rc;

use raddle_ir::{AllocStorage, Operand, Ordering, Property, Type};
use raddle_logic::term::{Sort, TermId};

use super::execute::{ConstantRead, Executor, Flow, Known, ObjectFacts};
use super::memory::{Background, Contents, known};
use super::path::{Path, Written};
use super::pointer::{Destination, cases};
use super::values;
use super::world::{ObjectId, Origin, Reach};
use crate::po_bmc::events::{Access, Event, EventId, EventKind, Space, Step, StepId};

/// Symbolic offsets are followed into at most so many places of an object that the path knows.
const MOST_PLACES: u64 = 4096;

/// An access to memory by the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) address: TermId,
    /// What the address was computed from.
    pub(crate) operand: Operand,
    pub(crate) size: u32,
    pub(crate) ordering: Ordering,
}

impl Executor<'_, '_> {
    /// A new step of the thread at hand.
    pub(crate) fn step(&mut self, path: &Path, fence: bool) -> StepId {
        let begun = path.guard.term();
        let place = self.place();
        let step = Step {
            thread: self.thread,
            begun,
            completes: begun,
            events: Vec::new(),
            operations: path.operations,
            fence,
            place,
        };
        let id = self.out.steps.push(step);
        self.out.threads[self.thread].steps.push(id);
        id
    }

    /// An event in a step.
    pub(crate) fn event(&mut self, step: StepId, guard: TermId, kind: EventKind) -> EventId {
        let place = self.place();
        let id = self.out.events.push(Event { step, guard, kind, place });
        self.out.steps[step].events.push(id);
        id
    }

    /// The step that an operation belongs to: that of its section, or a new one.
    pub(crate) fn step_for(&mut self, path: &Path, fence: bool) -> StepId {
        match &path.section {
            Some(section) => section.step,
            None => self.step(path, fence),
        }
    }

    /// One more operation was made.
    pub(crate) fn operation(&mut self, path: &mut Path) {
        let one = self.out.terms.bits(1, 32);
        path.operations = self.out.terms.add(path.operations, one);
    }

    /// After what a step does on a path, it has come so far.
    pub(crate) fn complete(&mut self, path: &Path, step: StepId) {
        if path.section.is_none() {
            let step = &mut self.out.steps[step];
            step.completes = path.guard.term();
            step.operations = path.operations;
        }
    }

    /// Reads memory. Nothing if the path ends there.
    pub(crate) fn load(&mut self, path: &mut Path, request: Request, ty: Type) -> Option<TermId> {
        self.operation(path);
        let destination = self.destination(path, request.address, request.size, false, request.operand)?;
        if let (Some(_), Some(region)) = (destination.shared, self.region(path, &request)) {
            self.lives_apart(path, &request, &destination)?;
            return Some(self.in_region(path, region, |executor, path, step| {
                executor.read(path, Some(step), request, &destination, ty)
            }));
        }
        let step = destination.shared.map(|_| self.step_for(path, false));
        if let Some(step) = step {
            self.lives(path, step, request.address, &destination)?;
        }
        let value = self.read(path, step, request, &destination, ty);
        if let Some(step) = step {
            self.complete(path, step);
        }
        Some(value)
    }

    /// Writes memory.
    pub(crate) fn store(&mut self, path: &mut Path, request: Request, value: TermId) -> Flow {
        self.operation(path);
        let Some(destination) = self.destination(path, request.address, request.size, true, request.operand)
        else {
            return Flow::Ends;
        };
        if let (Some(_), Some(region)) = (destination.shared, self.region(path, &request)) {
            if self.lives_apart(path, &request, &destination).is_none() {
                return Flow::Ends;
            }
            self.in_region(path, region, |executor, path, step| {
                executor.write(path, Some(step), request, &destination, value);
            });
            return Flow::Next;
        }
        // Such a store goes to memory at once under every memory model.
        let at_once = request.ordering == Ordering::SequentiallyConsistent;
        let step = destination.shared.map(|_| self.step_for(path, at_once));
        if let Some(step) = step
            && self.lives(path, step, request.address, &destination).is_none()
        {
            return Flow::Ends;
        }
        if let Some(step) = step
            && self.options.memory_model.is_weak()
            && path.section.is_none()
            && !self.out.steps[step].events.is_empty()
        {
            // It would have to be known whether the object lives when the store becomes visible.
            let what = "late stores to objects that may end before they become visible";
            return self.unsupported(path, what);
        }
        self.write(path, step, request, &destination, value);
        if let Some(step) = step {
            self.complete(path, step);
        }
        Flow::Next
    }

    /// Reads, and writes what is made of the value if that is anything, in one step. Nothing if the path ends there.
    pub(crate) fn update(
        &mut self,
        path: &mut Path,
        request: Request,
        ty: Type,
        make: impl FnOnce(&mut Self, TermId) -> (TermId, TermId),
    ) -> Option<TermId> {
        self.operation(path);
        let destination = self.destination(path, request.address, request.size, true, request.operand)?;
        if let (Some(_), Some(region)) = (destination.shared, self.region(path, &request)) {
            self.lives_apart(path, &request, &destination)?;
            return Some(self.in_region(path, region, |executor, path, step| {
                executor.update_in(path, Some(step), request, &destination, ty, make)
            }));
        }
        let step = destination.shared.map(|_| self.step_for(path, true));
        if let Some(step) = step {
            self.lives(path, step, request.address, &destination)?;
        }
        let old = self.update_in(path, step, request, &destination, ty, make);
        if let Some(step) = step {
            self.complete(path, step);
        }
        Some(old)
    }

    /// The reading and writing of an update.
    fn update_in(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        ty: Type,
        make: impl FnOnce(&mut Self, TermId) -> (TermId, TermId),
    ) -> TermId {
        let old = self.read(path, step, request, destination, ty);
        let (condition, new) = make(self, old);
        let mut writer = path.clone();
        writer.guard = path.guard.and(&mut self.out.terms, condition);
        if !writer.guard.is_false(&self.out.terms) {
            self.write(&mut writer, step, request, destination, new);
            let mut untouched = path.clone();
            let otherwise = self.out.terms.not(condition);
            untouched.guard = path.guard.and(&mut self.out.terms, otherwise);
            if untouched.guard.is_false(&self.out.terms) {
                *path = writer;
            } else {
                writer.join(&untouched, &mut self.out.terms);
                *path = writer;
            }
        }
        old
    }

    /// Goes on only where the shared object at an address lives, in a step of its own.
    fn lives_apart(&mut self, path: &mut Path, request: &Request, destination: &Destination) -> Option<()> {
        if !destination.mortal {
            return Some(());
        }
        let step = self.step_for(path, false);
        self.lives(path, step, request.address, destination)?;
        self.complete(path, step);
        Some(())
    }

    /// Goes on only where the shared object at an address lives.
    fn lives(
        &mut self,
        path: &mut Path,
        step: StepId,
        address: TermId,
        destination: &Destination,
    ) -> Option<()> {
        if !destination.mortal {
            return Some(());
        }
        let first = self.first_address(address);
        let shared = destination.shared.unwrap_or_else(|| self.out.terms.bool(false));
        let dead = self.read_shared(path, step, Space::Life, first, (1, shared), None);
        let zero = self.out.terms.bits(0, 8);
        let alive = self.out.terms.eq(dead, zero);
        let elsewhere = self.out.terms.not(shared);
        let fine = self.out.terms.or(alive, elsewhere);
        self.check(path, Property::MemorySafety, fine, "an access to an object that has ended");
        match self.assume(path, fine) {
            Flow::Next => Some(()),
            Flow::Ends => None,
        }
    }

    /// The first address of the object that an address lies in.
    pub(crate) fn first_address(&mut self, address: TermId) -> TermId {
        let (bits, offset_bits) = (self.pointer_bits(), self.world.offset_bits());
        // Case by case, so that constants stay constants.
        if let Some(list) = cases(&mut self.out.terms, address, offset_bits) {
            let mut first = None;
            for (condition, address) in list {
                let masked = self.mask_offset(address, bits, offset_bits);
                first = Some(first.map_or(masked, |rest| self.out.terms.ite(condition, masked, rest)));
            }
            return first.expect("an address has a case");
        }
        self.mask_offset(address, bits, offset_bits)
    }

    fn mask_offset(&mut self, address: TermId, bits: u32, offset_bits: u32) -> TermId {
        let high = self.out.terms.extract(bits - 1, offset_bits, address);
        let zero = self.out.terms.bits(0, offset_bits);
        self.out.terms.concat(high, zero)
    }

    /// Reads where the destination says.
    fn read(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        ty: Type,
    ) -> TermId {
        let mut value = None;
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            self.note_access(path, step, request, shared, false);
            let read =
                self.read_shared(path, step, Space::Data, request.address, (request.size, shared), Some(ty));
            value = Some(read);
        }
        for &(condition, object, offset) in &destination.own {
            let read = self.read_own(path, object, offset, request.size, ty, condition);
            value = Some(value.map_or(read, |rest| self.out.terms.ite(condition, read, rest)));
        }
        let bits = value.expect("an access goes somewhere");
        self.value_of_bytes(bits, ty)
    }

    /// Bytes as a value of a type.
    fn value_of_bytes(&mut self, bits: TermId, ty: Type) -> TermId {
        match ty {
            Type::Int(1) => self.out.terms.is_nonzero(bits),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => {
                let width = values::width(ty, self.pointer_bits());
                self.out.terms.resize(bits, width, false)
            }
        }
    }

    /// A value as so many bytes.
    fn bytes_of_value(&mut self, value: TermId, size: u32) -> TermId {
        let bits = match self.out.terms.sort(value) {
            Sort::Bool => self.out.terms.bool_to_bit(value),
            Sort::BitVec(_) | Sort::Array { .. } => value,
        };
        self.out.terms.resize(bits, 8 * size, false)
    }

    fn write(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        value: TermId,
    ) {
        let value = self.bytes_of_value(value, request.size);
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            self.note_access(path, step, request, shared, true);
            self.write_shared(path, step, Space::Data, request.address, (request.size, shared), value);
        }
        for &(condition, object, offset) in &destination.own {
            self.write_own(path, object, offset, request.size, value, condition);
        }
    }

    fn note_access(&mut self, path: &Path, step: StepId, request: Request, shared: TermId, writes: bool) {
        let in_model = path.section.as_ref().is_some_and(|section| section.model);
        if !self.options.races || in_model {
            return;
        }
        let guard = self.out.terms.and(path.guard.term(), shared);
        let place = self.place();
        self.out.accesses.push(Access {
            step,
            guard,
            address: request.address,
            size: request.size,
            writes,
            ordering: request.ordering,
            in_section: path.section.is_some(),
            place,
        });
    }

    /// Reads shared memory at the time of a step: what the step's own section wrote, else what others did.
    pub(crate) fn read_shared(
        &mut self,
        path: &mut Path,
        step: StepId,
        space: Space,
        address: TermId,
        (size, condition): (u32, TermId),
        ty: Option<Type>,
    ) -> TermId {
        let mut maybe = Vec::new();
        let mut base = None;
        if let Some(section) = &path.section {
            for written in section.writes().into_iter().rev() {
                if written.space != space {
                    continue;
                }
                let same = self.out.terms.eq(written.address, address);
                if self.out.terms.as_bool(same) == Some(false) {
                    if written.size != size || self.overlaps(written.address, written.size, address, size) {
                        self.mixed_section(path, &written, address, size);
                    }
                    continue;
                }
                if written.size != size {
                    self.mixed_section(path, &written, address, size);
                    continue;
                }
                let sure =
                    self.out.terms.as_bool(same) == Some(true) && path.guard.implies(written.guard.term());
                if sure {
                    base = Some(written.value);
                    break;
                }
                let holds = self.out.terms.and(written.guard.term(), same);
                maybe.push((holds, written.value));
            }
        }
        let mut value = match base {
            Some(value) => value,
            None => self.read_outside(path, step, space, address, (size, condition), ty),
        };
        for (holds, written) in maybe.into_iter().rev() {
            value = self.out.terms.ite(holds, written, value);
        }
        value
    }

    /// Whether two accesses at constant addresses share bytes.
    fn overlaps(&self, first: TermId, size: u32, second: TermId, other: u32) -> bool {
        match (self.out.terms.as_bits(first), self.out.terms.as_bits(second)) {
            (Some(a), Some(b)) => a < b + u128::from(other) && b < a + u128::from(size),
            (_, _) => false,
        }
    }

    /// A section reads back what it wrote, by other sizes: not followed.
    fn mixed_section(&mut self, path: &mut Path, written: &Written, address: TermId, size: u32) {
        let disjoint = match (self.out.terms.as_bits(written.address), self.out.terms.as_bits(address)) {
            (Some(_), Some(_)) => !self.overlaps(written.address, written.size, address, size),
            (_, _) => false,
        };
        if !disjoint {
            let mut at = path.clone();
            at.guard = at.guard.and(&mut self.out.terms, written.guard.term());
            let what = "an atomic section that reads what it wrote in pieces of another size";
            self.unsupported(&at, what);
        }
    }

    fn read_outside(
        &mut self,
        path: &mut Path,
        step: StepId,
        space: Space,
        address: TermId,
        (size, condition): (u32, TermId),
        ty: Option<Type>,
    ) -> TermId {
        let place = (space, address, size);
        if let Some(section) = &path.section
            && let Some(value) = section.reads.get(&place)
        {
            return *value;
        }
        // What a section reads it may as well read on every path: all of them read it at the same moment. Not so what may never
        // have been written, for which a machine asks when it is really read.
        let hoists = path.section.is_some() && self.is_global(address);
        if hoists && let Some(value) = self.hoisted.get(&(step, space, address, size)) {
            return *value;
        }
        let kind = match space {
            Space::Data => 0,
            Space::Life => 1,
        };
        let key = (self.site(), kind);
        let value = match self.hints.reads.get(&key) {
            Some(Known::Values(values)) => {
                let mut chosen = None;
                for value in values {
                    let value = self.out.terms.bits(*value, 8 * size);
                    chosen = Some(match chosen {
                        None => value,
                        Some(rest) => {
                            let flag = self.flag("sees");
                            self.out.terms.ite(flag, value, rest)
                        }
                    });
                }
                if values.len() == 1 {
                    let read = ConstantRead { key, space, address, size, initial: None };
                    self.report.constant_reads.push(read);
                    return chosen.expect("there is one");
                }
                chosen
            }
            Some(Known::Bits { bits, signed }) => {
                let low = self.out.terms.fresh("read", Sort::BitVec(*bits));
                Some(self.out.terms.resize(low, 8 * size, *signed))
            }
            None => None,
        };
        let value = value.unwrap_or_else(|| self.out.terms.fresh("read", Sort::BitVec(8 * size)));
        let guard = if hoists {
            self.hoisted.insert((step, space, address, size), value);
            self.out.steps[step].begun
        } else {
            self.out.terms.and(path.guard.term(), condition)
        };
        let event = self.event(
            step,
            guard,
            EventKind::Read { space, address, size, value, initial: None, uninitialised: ty },
        );
        self.report.reads.push((key, event));
        self.note_locks(path, event);
        self.report.read_operations.insert(event, path.operations);
        if let Some(section) = &mut path.section {
            Rc::make_mut(&mut section.reads).insert(place, value);
        }
        value
    }

    /// Whether an address is a constant in a global.
    fn is_global(&self, address: TermId) -> bool {
        let object = self.out.terms.as_bits(address).and_then(|address| self.world.object_at(address));
        object.is_some_and(|object| matches!(self.world.origin(object), Origin::Global(_)))
    }

    pub(crate) fn write_shared(
        &mut self,
        path: &mut Path,
        step: StepId,
        space: Space,
        address: TermId,
        (size, condition): (u32, TermId),
        value: TermId,
    ) {
        let guard = path.guard.and(&mut self.out.terms, condition);
        if guard.is_false(&self.out.terms) {
            return;
        }
        let place = self.place();
        if let Some(section) = &mut path.section {
            let before = section.log.take();
            let depth = before.as_ref().map_or(0, |written| written.depth) + 1;
            section.log = Some(Rc::new(Written { before, depth, space, address, size, value, guard, place }));
        } else {
            let event = self.event(step, guard.term(), EventKind::Write { space, address, size, value });
            self.note_locks(path, event);
        }
    }

    fn note_locks(&mut self, path: &Path, event: EventId) {
        let locks = self.locks(path);
        if !locks.is_empty() {
            self.report.locks.insert(event, locks);
        }
    }

    /// The writes of a section that has come to its end happen, each place once.
    pub(crate) fn flush(&mut self, path: &Path, writes: &[Rc<Written>], step: StepId) {
        for (index, written) in writes.iter().enumerate() {
            let mut guard = if path.guard.implies(written.guard.term()) {
                path.guard.term()
            } else {
                self.out.terms.and(path.guard.term(), written.guard.term())
            };
            for later in &writes[index + 1..] {
                if later.space != written.space {
                    continue;
                }
                let same = self.out.terms.eq(later.address, written.address);
                if later.size != written.size {
                    let apart = self.out.terms.as_bool(same) == Some(false)
                        && !self.overlaps(later.address, later.size, written.address, written.size);
                    if !apart {
                        let what = "an atomic section that writes a place in pieces of different sizes";
                        self.unsupported(path, what);
                    }
                    continue;
                }
                if path.guard.implies(later.guard.term()) {
                    let different = self.out.terms.not(same);
                    guard = self.out.terms.and(guard, different);
                } else {
                    let overwritten = self.out.terms.and(later.guard.term(), same);
                    let stays = self.out.terms.not(overwritten);
                    guard = self.out.terms.and(guard, stays);
                }
            }
            if known(guard, &self.out.terms).is_some() {
                let (space, address, size, value) =
                    (written.space, written.address, written.size, written.value);
                let event = self.event(step, guard, EventKind::Write { space, address, size, value });
                self.out.events[event].place = written.place;
                self.note_locks(path, event);
            }
        }
    }

    /// The offsets that an access to an object may have.
    fn places(&mut self, object: ObjectId, offset: TermId, size: u32) -> Option<Vec<u64>> {
        if let Some(offset) = self.out.terms.as_bits(offset) {
            return Some(vec![u64::try_from(offset).ok()?]);
        }
        let object_size = self.objects[&object].size;
        let object_size = self.out.terms.facts(object_size).max;
        let last = u64::try_from(object_size).ok()?.checked_sub(u64::from(size))?;
        let facts = self.out.terms.facts(offset);
        let step = 1_u64 << (facts.zeros | facts.ones).trailing_ones().min(40);
        let first = u64::try_from(facts.ones).ok()? % step;
        if last / step > MOST_PLACES {
            return None;
        }
        let fits = |place: &u64| {
            let place = u128::from(*place);
            place & facts.zeros == 0
                && place & facts.ones == facts.ones
                && (facts.min..=facts.max).contains(&place)
        };
        Some(
            (0..=last / step)
                .map(|index| first + index * step)
                .filter(|place| *place <= last)
                .filter(fits)
                .collect(),
        )
    }

    fn read_own(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: TermId,
        size: u32,
        ty: Type,
        condition: TermId,
    ) -> TermId {
        let bits = self.pointer_bits();
        let Some(places) = self.places(object, offset, size).filter(|places| !places.is_empty()) else {
            let what = "an index that is not known into a large object";
            self.unsupported_under(path, condition, what);
            return self.out.terms.bits(0, 8 * size);
        };
        let mut value = None;
        for place in places {
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            let cell = contents.cell_at(place, size, &mut self.out.terms);
            let here = self.out.terms.bits(place.into(), bits);
            let here = self.out.terms.eq(offset, here);
            if let Some(unwritten) = cell.unwritten {
                let asked = self.out.terms.and(condition, here);
                let asks = self.out.terms.and(asked, unwritten);
                let name = "unwritten memory".to_owned();
                self.input(path, ty, cell.value, name, asks);
                let rest = self.out.terms.not(asked);
                let rest = self.out.terms.and(unwritten, rest);
                let contents = path.memory.contents_mut(object).expect("the destination says so");
                let cell = contents.cells.get_mut(&place).expect("just made");
                cell.unwritten = known(rest, &self.out.terms);
            }
            value = Some(value.map_or(cell.value, |rest| self.out.terms.ite(here, cell.value, rest)));
        }
        value.expect("there is a place")
    }

    fn write_own(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: TermId,
        size: u32,
        value: TermId,
        condition: TermId,
    ) {
        let bits = self.pointer_bits();
        let Some(places) = self.places(object, offset, size) else {
            let what = "an index that is not known into a large object";
            return self.unsupported_under(path, condition, what);
        };
        for place in places {
            let here = self.out.terms.bits(place.into(), bits);
            let here = self.out.terms.eq(offset, here);
            let happens = self.out.terms.and(condition, here);
            let terms = &mut self.out.terms;
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            if terms.as_bool(happens) == Some(true) {
                contents.write(place, size, value, terms);
                continue;
            }
            let old = contents.cell_at(place, size, terms);
            let new = terms.ite(happens, value, old.value);
            contents.write(place, size, new, terms);
            if let Some(unwritten) = old.unwritten {
                let not = terms.not(happens);
                let still = terms.and(unwritten, not);
                let cell = contents.cells.get_mut(&place).expect("just written");
                cell.unwritten = known(still, terms);
            }
        }
    }

    fn unsupported_under(&mut self, path: &Path, condition: TermId, what: &str) {
        let mut at = path.clone();
        at.guard = at.guard.and(&mut self.out.terms, condition);
        self.unsupported(&at, what);
    }

    /// Makes an object.
    pub(crate) fn allocate(
        &mut self,
        path: &mut Path,
        size: TermId,
        storage: AllocStorage,
        zeroed: bool,
    ) -> Option<TermId> {
        self.operation(path);
        let place = self.place();
        let object = self.world.object(Origin::Alloc(self.site()));
        if self.world.object_count() >= self.world.room() {
            self.unsupported(path, "more objects than there is room for");
            return None;
        }
        let largest = self.pointer(self.world.span() / 2);
        let fits = self.out.terms.ule(size, largest);
        let too_large = self.out.terms.not(fits);
        if known(too_large, &self.out.terms).is_some() {
            self.unsupported_under(path, too_large, "an object that is larger than there is room for");
            if matches!(self.restrict(path, fits), Flow::Ends) {
                return None;
            }
        }
        let reach = self.world.site_reach(place.function, place.block, place.index as usize);
        let background = if zeroed { Background::Zero } else { Background::Unwritten };
        let is_heap = storage == AllocStorage::Heap;
        self.objects.insert(
            object,
            ObjectFacts {
                size,
                reach,
                read_only: false,
                background,
                is_heap,
                is_mortal: true,
                site: Some(place),
            },
        );
        if reach == Reach::Own || !path.forked {
            path.memory.add(object, Contents::new(background));
        }
        if !is_heap {
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
                    reach,
                    read_only: global.read_only,
                    background: Background::Zero,
                    is_heap: false,
                    is_mortal: false,
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
        let mut contents = Contents::new(Background::Zero);
        for init in &program.globals[global].init {
            let value = self.constant(init.value);
            let bits = match self.out.terms.sort(value) {
                Sort::Bool => self.out.terms.bool_to_bit(value),
                Sort::BitVec(_) | Sort::Array { .. } => value,
            };
            let size = self.out.terms.width(bits).div_ceil(8);
            let bits = self.out.terms.resize(bits, 8 * size, false);
            contents.write(init.offset, size, bits, &mut self.out.terms);
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
            let request = Request { address: pointer, operand, size: 0, ordering: Ordering::Plain };
            self.note_access(path, step, request, shared, true);
            let one = self.out.terms.bits(1, 8);
            self.write_shared(path, step, Space::Life, first, (1, shared), one);
            self.complete(path, step);
        }
        for &(condition, object, _) in &destination.own {
            let terms = &mut self.out.terms;
            let Some(contents) = path.memory.contents_mut(object) else { continue };
            let before = contents.dead.unwrap_or_else(|| terms.bool(false));
            contents.dead = known(terms.or(before, condition), terms);
        }
        Flow::Next
    }

    /// Whether an address is the first of a heap object that was made so far or will be.
    fn is_heap(&mut self, first: TermId) -> TermId {
        let offset_bits = self.world.offset_bits();
        let Some(list) = cases(&mut self.out.terms, first, offset_bits) else {
            // Which objects there will be is not known yet; the analysis of pointers says where they come from.
            let flag = self.flag("heap");
            self.report.heap_questions.push((flag, first));
            return flag;
        };
        let mut heap = self.out.terms.bool(false);
        for (condition, address) in list {
            let object = self.out.terms.as_bits(address).and_then(|address| self.world.object_at(address));
            let Some(object) = object else { continue };
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

    /// Objects end with their function.
    pub(crate) fn end_locals(&mut self, path: &mut Path, locals: &[ObjectId]) {
        for &object in locals {
            if self.objects[&object].reach == Reach::Own || !path.forked {
                path.memory.remove(object);
                continue;
            }
            // This belongs to the thread's last step, if that is on this path: nobody can come between.
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

    /// The locals of all activations end.
    pub(crate) fn leave_all(&mut self, path: &mut Path) {
        let locals: Vec<ObjectId> = self.frames.iter().flat_map(|frame| frame.locals.clone()).collect();
        self.end_locals(path, &locals);
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
        let offset_bits = self.world.offset_bits();
        let Some(list) = cases(&mut self.out.terms, pointer, offset_bits) else {
            return Some(self.unknown_size(path, pointer));
        };
        let unknown = |executor: &mut Self, address: TermId| {
            let object = super::pointer::constant_part(&executor.out.terms, address)
                .and_then(|constant| executor.world.object_at(constant));
            object.is_some_and(|object| {
                !executor.exists(object) && matches!(executor.world.origin(object), Origin::Alloc(_))
            })
        };
        if path.forked && list.iter().any(|(_, address)| unknown(self, *address)) {
            return Some(self.unknown_size(path, pointer));
        }
        let mut size = self.out.terms.bits(0, bits);
        for (condition, address) in list {
            let object = super::pointer::constant_part(&self.out.terms, address)
                .and_then(|constant| self.world.object_at(constant));
            let Some(object) = object.filter(|object| self.exists(*object)) else { continue };
            let facts = self.objects[&object].clone();
            let base = self.pointer(self.world.base(object));
            let offset = self.out.terms.sub(address, base);
            let mut here = self.within(offset, 0, facts.size);
            here = self.out.terms.and(here, condition);
            if facts.reach == Reach::Own || !path.forked {
                match path.memory.contents(object).map(|contents| contents.dead) {
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
