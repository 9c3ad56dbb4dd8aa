//! Reading and writing memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::{Operand, Ordering, Property, RegisterId, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_vm::memory_model::keeps_stores_before;

use super::assumptions::{ValueSet, bits_between};
use super::execute::{ConstantRead, Executor, Flow};
use super::path::{Path, Written};
use super::pointer::Destination;
use super::world::Origin;
use crate::execution_graph::emitter::Here;
use crate::execution_graph::events::{
    Access, AccessKind, EventId, EventKind, Limit, LimitKind, Location, Space, StepId, StoreOrder,
};
use crate::semantics::pointers::{overlap, possible_offsets};
use crate::semantics::{ObjectId, View, possible};

/// What is not followed.
const CONFUSED: &str =
    "a pointer that is read as a number or put together from pieces, or a number that is read as a pointer";
/// There is no room for so many marks.
const TOO_WIDE: &str = "an access of more than 8 bytes in a program that may read pointers as numbers";

/// Writes of a section, by where they go.
#[derive(Default)]
struct Later {
    constant: BTreeMap<(Space, u128), Vec<usize>>,
    symbolic: Vec<(Space, usize)>,
}

impl Later {
    fn add(&mut self, space: Space, address: Option<u128>, index: usize) {
        match address {
            Some(address) => self.constant.entry((space, address)).or_default().push(index),
            None => self.symbolic.push((space, index)),
        }
    }

    /// Those that may touch a place, and perhaps some others.
    fn near(&self, space: Space, address: Option<u128>, size: u32) -> Vec<usize> {
        /// No access has more bytes.
        const LARGEST: u128 = 16;
        let range = match address {
            Some(address) => address.saturating_sub(LARGEST)..address + u128::from(size),
            None => 0..u128::MAX,
        };
        let constant = self.constant.range((space, range.start)..(space, range.end));
        let symbolic = self.symbolic.iter().filter(|(other, _)| *other == space).map(|(_, index)| *index);
        constant.flat_map(|(_, list)| list.iter().copied()).chain(symbolic).collect()
    }
}

/// An access to memory by the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) address: TermId,
    /// What the address was computed from.
    pub(crate) operand: Operand,
    pub(crate) size: u32,
    pub(crate) ordering: Ordering,
    /// The ordering of an update that writes nothing.
    pub(crate) failure: Ordering,
    pub(crate) role: Role,
    /// What the bytes are taken for.
    pub(crate) view: View,
}

impl Request {
    /// The same, where it goes if it goes anywhere.
    fn at(self, destination: &Destination) -> Self {
        Self { address: destination.address.unwrap_or(self.address), ..self }
    }
}

/// What an access is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing else.
    Alone,
    /// A read-modify-write.
    Update,
    /// Taking, releasing or looking at a lock.
    LockWord,
    /// Looking at a word that counts as this number if it was never written. It never races.
    Peek(u32),
}

impl Role {
    /// What memory counts as that was never written, if that is no input.
    fn unwritten_is(self) -> Option<u32> {
        match self {
            Self::Alone | Self::Update => None,
            Self::LockWord => Some(0),
            Self::Peek(number) => Some(number),
        }
    }
}

impl Executor<'_, '_> {
    /// A new step of the thread at hand.
    pub(crate) fn step(&mut self, path: &Path, fence: bool) -> StepId {
        let here = self.here(path);
        self.out.emit(self.thread).open_step(here, fence)
    }

    /// Where a path is.
    pub(crate) fn here(&self, path: &Path) -> Here {
        Here { guard: path.guard.term(), operations: path.operations, place: self.place() }
    }

    /// An event in a step.
    pub(crate) fn event(&mut self, step: StepId, guard: TermId, kind: EventKind) -> EventId {
        let place = self.place();
        let event = self.out.emit(self.thread).add(step, guard, kind, place);
        self.out.emit(self.thread).made_by(event, self.store_at_hand);
        event
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
            self.out.emit(self.thread).close_step(step, path.guard.term(), path.operations);
        }
    }

    /// Reads memory. Nothing if the path ends there.
    pub(crate) fn load(&mut self, path: &mut Path, request: Request) -> Option<TermId> {
        self.operation(path);
        self.is_followed(path, &request)?;
        let destination = self.destination(path, request.address, request.size, false, request.operand)?;
        let request = request.at(&destination);
        self.watch_lock_words(path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = self.region(path, &request)
        {
            self.lives_apart(path, &request, &destination)?;
            return Some(self.in_region(path, region, |executor, path, step| {
                executor.read(path, Some(step), request, &destination)
            }));
        }
        let step = destination.shared.map(|_| self.step_for(path, false));
        if let Some(step) = step {
            self.lives(path, step, request.address, &destination)?;
        }
        let value = self.read(path, step, request, &destination);
        if let Some(step) = step {
            self.complete(path, step);
        }
        Some(value)
    }

    /// Writes memory.
    pub(crate) fn store(&mut self, path: &mut Path, request: Request, value: TermId) -> Flow {
        self.operation(path);
        if self.is_followed(path, &request).is_none() {
            return Flow::Ends;
        }
        let Some(destination) = self.destination(path, request.address, request.size, true, request.operand)
        else {
            return Flow::Ends;
        };
        let request = request.at(&destination);
        self.watch_lock_words(path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = self.region(path, &request)
        {
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
        if let (Some(step), None, true) = (step, &path.section, keeps_stores_before(request.ordering)) {
            self.out.emit(self.thread).order_stores(step, StoreOrder::Last);
        }
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
        make: impl FnOnce(&mut Self, &mut Path, Option<StepId>, TermId) -> (TermId, TermId),
    ) -> Option<TermId> {
        self.operation(path);
        self.is_followed(path, &request)?;
        let destination = self.destination(path, request.address, request.size, true, request.operand)?;
        let request = request.at(&destination);
        self.watch_lock_words(path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = self.region(path, &request)
        {
            self.lives_apart(path, &request, &destination)?;
            return Some(self.in_region(path, region, |executor, path, step| {
                executor.update_in(path, Some(step), request, &destination, make)
            }));
        }
        let step = destination.shared.map(|_| self.step_for(path, true));
        if let Some(step) = step {
            self.lives(path, step, request.address, &destination)?;
        }
        let old = self.update_in(path, step, request, &destination, make);
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
        make: impl FnOnce(&mut Self, &mut Path, Option<StepId>, TermId) -> (TermId, TermId),
    ) -> TermId {
        let request = Request { role: Role::Update, ..request };
        let old = self.read(path, step, request, destination);
        let (condition, new) = make(self, path, step, old);
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            self.note_update(path, step, request, shared, condition);
            if path.is_in_model() {
                self.note_access(path, step, request, shared, false);
            }
        }
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
    pub(crate) fn lives(
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

    /// A pointer to the first byte of the object that a pointer belongs to.
    pub(crate) fn first_address(&mut self, address: TermId) -> TermId {
        self.world.addresses().first_address(&mut self.out.terms, address)
    }

    /// Whether a register of the function at hand only holds what is copied.
    pub(crate) fn is_copied(&self, register: RegisterId) -> bool {
        self.world.is_copied(self.place().function, register)
    }

    /// What an instruction takes what it reads for.
    pub(crate) fn view(&self, dest: RegisterId, ty: Type) -> View {
        let (place, is_copied) = (self.place(), self.is_copied(dest));
        let is_bytes = matches!(ty, Type::Int(bits) if bits.is_multiple_of(8));
        if is_copied && is_bytes {
            View::Copy
        } else if is_copied || self.world.is_punned(place) {
            View::Punned(ty)
        } else {
            View::Value(ty)
        }
    }

    /// What a word means to an access. It must be marked as what it is taken for.
    fn value_of_word(&mut self, path: &Path, word: TermId, size: u32, view: View) -> TermId {
        let (layout, bits) = (self.layout(), self.pointer_bits());
        if let View::Punned(ty) = view
            && layout.marked
        {
            let (terms, addresses) = (&mut self.out.terms, self.world.addresses());
            let right = layout.is_what_it_is_taken_for(terms, word, size, ty, addresses);
            let wrong = terms.not(right);
            let reached = terms.and(path.guard.term(), wrong);
            if terms.as_bool(reached) != Some(false) {
                // What is made of the value counts for nothing: a counterexample need not replay.
                self.report.opaque.push((reached, CONFUSED));
                let kind = LimitKind::Unsupported(CONFUSED.to_owned());
                self.out.limits.push(Limit { kind, reached, span: self.span() });
            }
        }
        layout.value(&mut self.out.terms, word, size, view, bits)
    }

    /// Reads where the destination says. A load of an API's model happens after what it acquires: what the model waits for has
    /// come. So that is noted first; for an update, by its caller.
    fn read(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
    ) -> TermId {
        let ty = match request.view {
            View::Value(ty) | View::Punned(ty) => ty,
            View::Copy => Type::Int(u8::try_from(8 * request.size).unwrap_or(u8::MAX)),
        };
        let mut value = None;
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            let acquires_first = path.is_in_model();
            if !acquires_first {
                self.note_access(path, step, request, shared, false);
            }
            self.keeps_reads = self.is_exact(&request);
            self.unwritten_is = request.role.unwritten_is();
            self.sees_number = self.is_number_for_sure(&request);
            let read =
                self.read_shared(path, step, Space::Data, request.address, (request.size, shared), Some(ty));
            self.keeps_reads = false;
            self.unwritten_is = None;
            self.sees_number = false;
            if request.role != Role::Update {
                self.note_load(path, step, request, shared);
                if acquires_first {
                    self.note_access(path, step, request, shared, false);
                }
            }
            value = Some(read);
        }
        for &(condition, object, offset) in &destination.own {
            let read = match request.role.unwritten_is() {
                Some(number) => self.look_at_own(path, object, offset, request.size, number),
                None => self.read_own(path, object, offset, request.size, ty, condition),
            };
            value = Some(value.map_or(read, |rest| self.out.terms.ite(condition, read, rest)));
        }
        let word = value.expect("an access goes somewhere");
        self.value_of_word(path, word, request.size, request.view)
    }

    /// Whether nothing but a number can be where an access reads.
    fn is_number_for_sure(&self, request: &Request) -> bool {
        let is_program = matches!(request.role, Role::Alone | Role::Update);
        self.layout().marked && is_program && matches!(request.view, View::Value(ty) if ty != Type::Ptr)
    }

    /// Ends the path at an access that is not followed.
    fn is_followed(&mut self, path: &Path, request: &Request) -> Option<()> {
        if self.layout().is_too_wide(request.size) {
            self.unsupported(path, TOO_WIDE);
            return None;
        }
        Some(())
    }

    fn write(
        &mut self,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        value: TermId,
    ) {
        let (layout, addresses) = (self.layout(), self.world.addresses());
        let value = layout.word(&mut self.out.terms, value, request.size, request.view, addresses);
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            self.note_access(path, step, request, shared, true);
            self.store_at_hand = self.note_store(path, request, shared);
            self.write_shared(path, step, Space::Data, request.address, (request.size, shared), value);
            self.store_at_hand = None;
        }
        for &(condition, object, offset) in &destination.own {
            self.write_own(path, object, offset, request.size, value, condition);
        }
    }

    pub(crate) fn note_access(
        &mut self,
        path: &Path,
        step: StepId,
        request: Request,
        shared: TermId,
        writes: bool,
    ) {
        // Plain accesses in sections of the API's models are the models' own business, and asking about a lock is none.
        let asks = request.role == Role::LockWord && !writes;
        let is_own = path.is_in_model() && request.ordering == Ordering::Plain;
        if !self.options.races || is_own || asks || matches!(request.role, Role::Peek(_)) {
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
            synchronised: self.out.synchronisations.len(),
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
        if !self.keeps_reads
            && let Some(value) = self.forwarded(path, space, address, size)
        {
            return value;
        }
        let mut maybe = Vec::new();
        let mut base = None;
        if let Some(section) = &path.section {
            let constant = self.out.terms.as_bits(address);
            let mut next = section.log.clone();
            while let Some(written) = next {
                next = written.before.clone();
                if written.space != space {
                    continue;
                }
                if let (Some(own), Some(other)) = (constant, self.out.terms.as_bits(written.address))
                    && !overlap((own, size), (other, written.size))
                {
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
        if self.out.terms.as_bool(condition) == Some(true) {
            self.forward_read(path, space, address, size, value);
        }
        value
    }

    /// Whether two accesses at constant addresses share bytes.
    fn overlaps(&self, first: TermId, size: u32, second: TermId, other: u32) -> bool {
        match (self.out.terms.as_bits(first), self.out.terms.as_bits(second)) {
            (Some(a), Some(b)) => overlap((a, size), (b, other)),
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
            let what = "an atomic block that reads what it wrote in pieces of another size";
            self.unsupported_under(path, written.guard.term(), what);
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
        let unwritten_is = self.unwritten_is.filter(|_| !self.is_global(address));
        if let Some(section) = &path.section
            && unwritten_is.is_none()
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
        let (kind, width) = match space {
            Space::Data => (0, self.layout().width(size)),
            Space::Life => (1, 8 * size),
        };
        let key = (self.site(), kind);
        let value = match self.assumed.values.known.get(&key) {
            Some(ValueSet::OneOf(values)) => {
                let mut chosen = None;
                // Numbers have no marks.
                let seen = |value: &&u128| !self.sees_number || size >= 16 || **value >> (8 * size) == 0;
                let values: Vec<u128> = values.iter().filter(seen).copied().collect();
                for value in &values {
                    let value = self.out.terms.bits(*value, width);
                    chosen = Some(match chosen {
                        None => value,
                        Some(rest) => {
                            let flag = self.flag("sees");
                            self.out.terms.ite(flag, value, rest)
                        }
                    });
                }
                if values.len() == 1 && !self.keeps_reads && unwritten_is.is_none() {
                    let read = ConstantRead { key, space, address, size, bits: width, initial: None };
                    self.report.constant_reads.push(read);
                    return chosen.expect("there is one");
                }
                chosen
            }
            Some(ValueSet::Between { low, high }) => {
                let bits = bits_between(*low, *high);
                let terms = &mut self.out.terms;
                let (number, said) = match u128::try_from(*high) {
                    // It stays a symbol: what is written is recognised by it.
                    Ok(high) if *low >= 0 => terms.fresh_up_to("read", bits, high.max(1)),
                    Ok(_) | Err(_) => {
                        let number = terms.fresh("read", Sort::BitVec(bits));
                        let (least, most) = (terms.signed_bits(*low, bits), terms.signed_bits(*high, bits));
                        let (below, above) = (terms.slt(number, least), terms.slt(most, number));
                        let outside = terms.or(below, above);
                        (number, terms.not(outside))
                    }
                };
                // It follows from all the rest, but hardly so that a solver would find out.
                if terms.as_bool(said).is_none() {
                    self.out.constraints.push(said);
                }
                Some(self.out.terms.resize(number, width, *low < 0))
            }
            None => None,
        };
        let value = match value {
            Some(value) => value,
            None if self.sees_number => self.layout().unknown(&mut self.out.terms, "read", size),
            None => self.out.terms.fresh("read", Sort::BitVec(width)),
        };
        let guard = if hoists {
            self.hoisted.insert((step, space, address, size), value);
            self.out.steps[step].begun
        } else {
            self.out.terms.and(path.guard.term(), condition)
        };
        let uninitialised = ty.filter(|_| unwritten_is.is_none());
        let event = self.event(
            step,
            guard,
            EventKind::Access {
                location: Location { space, address, size },
                access: AccessKind::Read { value, initial: None, uninitialised },
            },
        );
        self.report.unwritten_is.extend(unwritten_is.map(|number| (event, number)));
        self.report.reads.push((key, event));
        if space == Space::Data && self.layout().marked {
            let bytes = self.layout().bytes(&mut self.out.terms, value, size);
            self.report.bytes.insert(event, bytes);
        }
        self.note_locks(path, event);
        self.report.read_operations.insert(event, path.operations);
        if let Some(section) = &mut path.section {
            self.report.acquisitions.extend(section.acquisition.map(|acquisition| (event, acquisition)));
            if unwritten_is.is_none() {
                Rc::make_mut(&mut section.reads).insert(place, value);
            }
        }
        value
    }

    /// Whether an address is a constant in a global.
    pub(crate) fn is_global(&self, address: TermId) -> bool {
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
        if space == Space::Data {
            self.forward_write(path, address, (size, condition), value);
        }
        let (store, place) = (self.store_at_hand, self.place());
        if let Some(section) = &mut path.section {
            let before = section.log.take();
            let depth = before.as_ref().map_or(0, |written| written.depth) + 1;
            let written = Written { before, depth, space, address, size, value, guard, store, place };
            section.log = Some(Rc::new(written));
        } else {
            let location = Location { space, address, size };
            let kind = EventKind::Access { location, access: AccessKind::Write { value } };
            let event = self.event(step, guard.term(), kind);
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
    pub(crate) fn flush(
        &mut self,
        path: &mut Path,
        writes: &[Rc<Written>],
        step: StepId,
        acquisition: Option<usize>,
    ) {
        let mut mixed = self.out.terms.bool(false);
        let mut later_writes = Later::default();
        let mut events = Vec::new();
        // From the last one on, so that those that come later are known.
        for (index, written) in writes.iter().enumerate().rev() {
            let mut guard = if path.guard.implies(written.guard.term()) {
                path.guard.term()
            } else {
                self.out.terms.and(path.guard.term(), written.guard.term())
            };
            let constant = self.out.terms.as_bits(written.address);
            for later in later_writes.near(written.space, constant, written.size) {
                let later = &writes[later];
                let same = self.out.terms.eq(later.address, written.address);
                if later.size != written.size {
                    let apart = self.out.terms.as_bool(same) == Some(false)
                        && !self.overlaps(later.address, later.size, written.address, written.size);
                    if !apart {
                        let both = self.out.terms.and(later.guard.term(), written.guard.term());
                        mixed = self.out.terms.or(mixed, both);
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
            later_writes.add(written.space, constant, index);
            if possible(guard, &self.out.terms).is_some() {
                events.push((guard, written));
            }
        }
        for (guard, written) in events.into_iter().rev() {
            let location = Location { space: written.space, address: written.address, size: written.size };
            let kind = EventKind::Access { location, access: AccessKind::Write { value: written.value } };
            let event = self.out.emit(self.thread).add(step, guard, kind, written.place);
            self.out.emit(self.thread).made_by(event, written.store);
            self.note_locks(path, event);
            self.report.acquisitions.extend(acquisition.map(|acquisition| (event, acquisition)));
        }
        self.unsupported_under(
            path,
            mixed,
            "an atomic block that writes a memory location in pieces of different sizes",
        );
    }

    /// The offsets that an access to an object may have.
    fn places(&self, object: ObjectId, offset: TermId, size: u32) -> Option<Vec<u64>> {
        possible_offsets(&self.out.terms, offset, size, self.objects[&object].most)
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
            return self.layout().constant(&mut self.out.terms, 0, size);
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
                let taken = self.out.terms.and(path.guard.term(), asks);
                self.report.uninitialised.push(taken);
                let bytes = self.layout().bytes(&mut self.out.terms, cell.value, size);
                self.unknown_value(ty, bytes);
                self.input(path, ty, bytes, name, asks);
                let rest = self.out.terms.not(asked);
                let rest = self.out.terms.and(unwritten, rest);
                let contents = path.memory.contents_mut(object).expect("the destination says so");
                contents.set_unwritten(place, possible(rest, &self.out.terms));
            }
            value = Some(value.map_or(cell.value, |rest| self.out.terms.ite(here, cell.value, rest)));
        }
        value.expect("there is a place")
    }

    /// Reads what the path knows, where memory that was never written counts as a number.
    fn look_at_own(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: TermId,
        size: u32,
        number: u32,
    ) -> TermId {
        let bits = self.pointer_bits();
        let unwritten_is = self.layout().constant(&mut self.out.terms, number.into(), size);
        let mut value = unwritten_is;
        let Some(places) = self.places(object, offset, size) else {
            let always = self.out.terms.bool(true);
            self.unsupported_under(path, always, "an index that is not known into a large object");
            return value;
        };
        for place in places {
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            let cell = contents.cell_at(place, size, &mut self.out.terms);
            let found = match cell.unwritten {
                Some(unwritten) => self.out.terms.ite(unwritten, unwritten_is, cell.value),
                None => cell.value,
            };
            let here = self.out.terms.bits(place.into(), bits);
            let here = self.out.terms.eq(offset, here);
            value = self.out.terms.ite(here, found, value);
        }
        value
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
            self.unsupported_under(path, condition, what);
            return;
        };
        for place in places {
            let here = self.out.terms.bits(place.into(), bits);
            let here = self.out.terms.eq(offset, here);
            let happens = self.out.terms.and(condition, here);
            if !self.world.is_torn() && self.out.terms.as_bool(happens) != Some(false) {
                self.report.tears_pointers |= self.tears_pointer(path, object, place, size);
            }
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
                contents.set_unwritten(place, possible(still, terms));
            }
        }
    }

    /// Whether a write to an object that the path knows leaves a part of a pointer.
    fn tears_pointer(&mut self, path: &Path, object: ObjectId, place: u64, size: u32) -> bool {
        let Some(contents) = path.memory.contents(object) else { return false };
        let pointer = self.layout().pointer_bytes;
        let end = place + u64::from(size);
        let is_cut = |at: u64| {
            at < end && at + u64::from(pointer) > place && (at < place || at + u64::from(pointer) > end)
        };
        let near = contents.cells_in(place.saturating_sub(pointer.into())..end);
        let cut = near.filter(|(at, cell)| cell.size == pointer && is_cut(*at)).map(|(_, cell)| cell.value);
        let cut: Vec<TermId> = cut.collect();
        cut.into_iter().any(|word| {
            let value = self.layout().bytes(&mut self.out.terms, word, pointer);
            self.world.addresses().may_lead_somewhere(&mut self.out.terms, value)
        })
    }

    /// What cannot be followed under a condition. The path goes on without it.
    pub(crate) fn unsupported_under(&mut self, path: &mut Path, condition: TermId, what: &str) -> Flow {
        let mut at = path.clone();
        at.guard = at.guard.and(&mut self.out.terms, condition);
        if at.guard.is_false(&self.out.terms) {
            return Flow::Next;
        }
        self.unsupported(&at, what);
        let otherwise = self.out.terms.not(condition);
        self.restrict(path, otherwise)
    }
}
