//! Reads and writes of memory that others may see: events, or what an atomic block knows already.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::Type;
use raddle_logic::term::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::assumptions::{ReadKey, ValueSet, bits_between};
use super::atomic_block::Written;
use super::context::Context;
use super::forwarding::{forward_read, forward_write, forwarded};
use super::path::Path;
use super::region::locks;
use super::report::ConstantRead;
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, Location, Space, StepId, SynchronisationId,
};
use raddle_semantics::pointers::overlap;
use raddle_semantics::possible;

/// A read of shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedRead {
    pub(crate) location: Location,
    /// When it is shared memory that is read.
    pub(crate) condition: TermId,
    /// The input that it asks for if it reads what was never written.
    pub(crate) ty: Option<Type>,
    /// Whether it is an event even if it reads the same constant always.
    pub(crate) is_event: bool,
    /// Whether it can read nothing but a number.
    pub(crate) is_number: bool,
    /// What memory counts as that was never written, if that is no input.
    pub(crate) unwritten_is: Option<u32>,
}

impl SharedRead {
    /// Whether the lifetime of the object that begins at an address is over: zero if it is not.
    pub(crate) fn lifetime(address: TermId, condition: TermId) -> Self {
        let location = Location { space: Space::Life, address, size: 1 };
        Self { location, condition, ty: None, is_event: false, is_number: false, unwritten_is: None }
    }
}

/// The writes of an atomic block that come later than the one at hand, by where they go.
#[derive(Default)]
struct Later {
    targets: Vec<Target>,
    numbers: FxHashMap<Location, usize>,
    /// The targets at constant addresses, and all others.
    constant: BTreeMap<(Space, u128), Vec<usize>>,
    symbolic: Vec<(Space, usize)>,
}

/// Where some of them go.
struct Target {
    location: Location,
    /// Whether any of them happens. One term for all earlier writes to look at: a term for each pair would be too many.
    any: TermId,
}

impl Later {
    fn add(&mut self, terms: &mut Terms, location: Location, happens: TermId) {
        if let Some(&number) = self.numbers.get(&location) {
            let target = &mut self.targets[number];
            target.any = terms.or(target.any, happens);
            return;
        }
        let number = self.targets.len();
        self.targets.push(Target { location, any: happens });
        self.numbers.insert(location, number);
        match terms.as_bits(location.address) {
            Some(address) => self.constant.entry((location.space, address)).or_default().push(number),
            None => self.symbolic.push((location.space, number)),
        }
    }

    /// The targets that may share bytes with a location, and perhaps some others.
    fn near(&self, location: Location, constant: Option<u128>) -> impl Iterator<Item = &Target> {
        /// No access has more bytes.
        const LARGEST: u128 = 16;
        let Location { space, size, .. } = location;
        let range = match constant {
            Some(address) => address.saturating_sub(LARGEST)..address + u128::from(size),
            None => 0..u128::MAX,
        };
        let constant = self.constant.range((space, range.start)..(space, range.end));
        let symbolic = self.symbolic.iter().filter(move |(other, _)| *other == space);
        let numbers = constant.flat_map(|(_, list)| list).chain(symbolic.map(|(_, number)| number));
        numbers.map(|&number| &self.targets[number])
    }
}

/// See the [module](self).
#[derive(Default)]
pub(crate) struct Shared {
    /// What atomic blocks and critical sections have read, whatever the path.
    hoisted: FxHashMap<(StepId, Location), TermId>,
}

impl Shared {
    /// Reads shared memory at the time of a step: what the step's own atomic block wrote, else what others did.
    pub(crate) fn read(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: StepId,
        read: SharedRead,
    ) -> TermId {
        let location = read.location;
        if !read.is_event
            && let Some(value) = forwarded(cx, path, location)
        {
            return value;
        }
        let (base, maybe) = read_back(cx, path, location);
        let mut value = match base {
            Some(value) => value,
            None => self.read_outside(cx, path, step, read),
        };
        // The oldest write that may be the one comes first, so that later ones are preferred.
        for (holds, written) in maybe.into_iter().rev() {
            value = cx.out.terms.ite(holds, written, value);
        }
        if cx.out.terms.as_bool(read.condition) == Some(true) {
            forward_read(cx, path, location, value);
        }
        value
    }

    fn read_outside(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: StepId,
        read: SharedRead,
    ) -> TermId {
        let location @ Location { space, address, size } = read.location;
        let unwritten_is = read.unwritten_is.filter(|_| !cx.is_global(address));
        if let Some(block) = &path.block
            && unwritten_is.is_none()
            && let Some(value) = block.read_before(location)
        {
            return value;
        }
        // What a block reads it may as well read on every path: all of them read it at the same time. Not so what may never
        // have been written, for which the VM asks when it is really read.
        let hoists = path.block.is_some() && cx.is_global(address);
        if hoists && let Some(value) = self.hoisted.get(&(step, location)) {
            return *value;
        }
        let value = match assumed_value(cx, read, unwritten_is.is_none()) {
            Ok(constant) => return constant,
            Err(value) => value,
        };
        let guard = if hoists {
            self.hoisted.insert((step, location), value);
            cx.out.steps[step].begun
        } else {
            cx.out.terms.and(path.guard.term(), read.condition)
        };
        let uninitialised = read.ty.filter(|_| unwritten_is.is_none());
        let access = AccessKind::Read { value, initial: None, uninitialised };
        let event = cx.event(step, guard, EventKind::Access { location, access });
        cx.report.unwritten_is.extend(unwritten_is.map(|number| (event, number)));
        cx.report.reads.push((read_key(cx, space), event));
        if space == Space::Data && cx.layout().marked {
            let bytes = cx.layout().bytes(&mut cx.out.terms, value, size);
            cx.report.bytes.insert(event, bytes);
        }
        note_locks(cx, path, event);
        cx.report.read_operations.insert(event, path.operations);
        if let Some(block) = &mut path.block {
            cx.report.acquisitions.extend(block.acquisition().map(|acquisition| (event, acquisition)));
            if unwritten_is.is_none() {
                block.note_read(location, value);
            }
        }
        value
    }
}

/// Names the read of the instruction at hand.
fn read_key(cx: &Context<'_, '_>, space: Space) -> ReadKey {
    let kind = match space {
        Space::Data => 0,
        Space::Life => 1,
    };
    (cx.site(), kind)
}

/// What a read reads, by what is assumed of it. Where that is always the same constant, the read is no event.
fn assumed_value(
    cx: &mut Context<'_, '_>,
    read: SharedRead,
    may_be_constant: bool,
) -> Result<TermId, TermId> {
    let Location { space, address, size } = read.location;
    let width = match space {
        Space::Data => cx.layout().width(size),
        Space::Life => 8 * size,
    };
    let key = read_key(cx, space);
    match cx.assumed.values.known.get(&key) {
        Some(ValueSet::OneOf(values)) => {
            let mut chosen = None;
            // Numbers have no marks.
            let can_be = |value: &&u128| !read.is_number || size >= 16 || **value >> (8 * size) == 0;
            let values: Vec<u128> = values.iter().filter(can_be).copied().collect();
            for value in &values {
                let value = cx.out.terms.bits(*value, width);
                chosen = Some(match chosen {
                    None => value,
                    Some(rest) => {
                        let flag = cx.flag("sees");
                        cx.out.terms.ite(flag, value, rest)
                    }
                });
            }
            if let ([_], Some(constant)) = (&values[..], chosen)
                && !read.is_event
                && may_be_constant
            {
                let read = ConstantRead { key, space, address, size, bits: width, initial: None };
                cx.report.constant_reads.push(read);
                return Ok(constant);
            }
            if let Some(chosen) = chosen {
                return Err(chosen);
            }
        }
        Some(&ValueSet::Between { low, high }) => return Err(between(cx, low, high, width)),
        None => {}
    }
    Err(if read.is_number {
        cx.layout().unknown(&mut cx.out.terms, "read", size)
    } else {
        cx.out.terms.fresh("read", Sort::BitVec(width))
    })
}

/// A number from one to another.
fn between(cx: &mut Context<'_, '_>, low: i128, high: i128, width: u32) -> TermId {
    let bits = bits_between(low, high);
    let terms = &mut cx.out.terms;
    let (number, said) = match u128::try_from(high) {
        // It stays a symbol: what is written is recognised by it.
        Ok(high) if low >= 0 => terms.fresh_up_to("read", bits, high.max(1)),
        Ok(_) | Err(_) => {
            let number = terms.fresh("read", Sort::BitVec(bits));
            let (least, most) = (terms.signed_bits(low, bits), terms.signed_bits(high, bits));
            let (below, above) = (terms.slt(number, least), terms.slt(most, number));
            let outside = terms.or(below, above);
            (number, terms.not(outside))
        }
    };
    // It follows from all the rest, but hardly so that a solver would find out.
    if terms.as_bool(said).is_none() {
        cx.out.constraints.push(said);
    }
    cx.out.terms.resize(number, width, low < 0)
}

/// What the atomic block of a path has written to a location: what it wrote last for sure, and what it may have written since, each
/// with its condition, the newest first.
fn read_back(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    location @ Location { space, address, size }: Location,
) -> (Option<TermId>, Vec<(TermId, TermId)>) {
    let mut maybe = Vec::new();
    let Some(block) = &path.block else { return (None, maybe) };
    let constant = cx.out.terms.as_bits(address);
    for written in block.newest_first() {
        let other = written.location;
        if other.space != space {
            continue;
        }
        if let (Some(own), Some(at)) = (constant, cx.out.terms.as_bits(other.address))
            && !overlap((own, size), (at, other.size))
        {
            continue;
        }
        let same = cx.out.terms.eq(other.address, address);
        if cx.out.terms.as_bool(same) == Some(false) {
            if other.size != size || cx.overlaps(other, location) {
                mixed_sizes(cx, path, &written, location);
            }
            continue;
        }
        if other.size != size {
            mixed_sizes(cx, path, &written, location);
            continue;
        }
        if cx.out.terms.as_bool(same) == Some(true) && path.guard.implies(written.guard.term()) {
            return (Some(written.value), maybe);
        }
        let holds = cx.out.terms.and(written.guard.term(), same);
        maybe.push((holds, written.value));
    }
    (None, maybe)
}

/// A block reads back what it wrote, by other sizes: not followed.
fn mixed_sizes(cx: &mut Context<'_, '_>, path: &mut Path, written: &Written, location: Location) {
    let other = written.location;
    let disjoint = match (cx.out.terms.as_bits(other.address), cx.out.terms.as_bits(location.address)) {
        (Some(_), Some(_)) => !cx.overlaps(other, location),
        (_, _) => false,
    };
    if !disjoint {
        let what = "an atomic block that reads what it wrote in pieces of another size";
        cx.unsupported_under(path, written.guard.term(), what);
    }
}

/// Writes shared memory where the condition holds.
pub(crate) fn write_shared(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    step: StepId,
    location: Location,
    (condition, value): (TermId, TermId),
    store: Option<SynchronisationId>,
) {
    let guard = path.guard.and(&mut cx.out.terms, condition);
    if guard.is_false(&cx.out.terms) {
        return;
    }
    if location.space == Space::Data {
        forward_write(cx, path, location, (condition, value));
    }
    if let Some(block) = &mut path.block {
        block.write(location, value, guard, store, cx.point());
    } else {
        let kind = EventKind::Access { location, access: AccessKind::Write { value } };
        let event = cx.event(step, guard.term(), kind);
        cx.emit().made_by(event, store);
        note_locks(cx, path, event);
    }
}

/// The lifetime of the object that begins at an address is over, where the condition holds.
pub(crate) fn end_lifetime(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    step: StepId,
    address: TermId,
    condition: TermId,
) {
    let location = Location { space: Space::Life, address, size: 1 };
    let one = cx.out.terms.bits(1, 8);
    write_shared(cx, path, step, location, (condition, one), None);
}

fn note_locks(cx: &mut Context<'_, '_>, path: &Path, event: EventId) {
    let locks = locks(cx, path);
    if !locks.is_empty() {
        cx.report.locks.insert(event, locks);
    }
}

/// The writes of an atomic block that commits happen, each location once.
pub(crate) fn flush(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    writes: &[Rc<Written>],
    step: StepId,
    acquisition: Option<usize>,
) {
    let mut mixed = cx.out.terms.bool(false);
    let mut later_writes = Later::default();
    let mut events = Vec::new();
    // From the last one on, so that those that come later are known.
    for written in writes.iter().rev() {
        let happens = if path.guard.implies(written.guard.term()) {
            cx.out.terms.bool(true)
        } else {
            written.guard.term()
        };
        let mut guard = cx.out.terms.and(path.guard.term(), happens);
        let constant = cx.out.terms.as_bits(written.location.address);
        for later in later_writes.near(written.location, constant) {
            let same = cx.out.terms.eq(later.location.address, written.location.address);
            if later.location.size == written.location.size {
                let overwritten = cx.out.terms.and(later.any, same);
                let stays = cx.out.terms.not(overwritten);
                guard = cx.out.terms.and(guard, stays);
            } else if cx.out.terms.as_bool(same) != Some(false)
                || cx.overlaps(later.location, written.location)
            {
                let both = cx.out.terms.and(later.any, written.guard.term());
                mixed = cx.out.terms.or(mixed, both);
            }
        }
        later_writes.add(&mut cx.out.terms, written.location, happens);
        if possible(guard, &cx.out.terms).is_some() {
            events.push((guard, written));
        }
    }
    for (guard, written) in events.into_iter().rev() {
        let kind = EventKind::Access {
            location: written.location,
            access: AccessKind::Write { value: written.value },
        };
        let mut emitter = cx.emit();
        let event = emitter.add(step, guard, kind, written.place);
        emitter.made_by(event, written.store);
        note_locks(cx, path, event);
        cx.report.acquisitions.extend(acquisition.map(|acquisition| (event, acquisition)));
    }
    cx.unsupported_under(
        path,
        mixed,
        "an atomic block that writes a memory location in pieces of different sizes",
    );
}
