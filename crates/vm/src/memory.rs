//! Memory: objects with addresses, in arenas.
//!
//! Every object has a place in an *arena*: one for the globals, and for each thread one for its stack and one
//! for its heap. Names and addresses of objects thus depend on what their own thread did before, never on how
//! threads interleaved, so that states reached by different interleavings can be equal.
//!
//! A pointer that knows its origin may only reach into that object while it lives. One that does not (an
//! integer made a pointer, bytes put together) reaches whatever lives at its address.
//!
//! Arenas and objects are shared between snapshots and copied when written.

pub(crate) mod addresses;
mod feed;
mod held;
mod tainted;

use std::num::NonZeroU32;
use std::sync::Arc;

use raddle_ir::GlobalId;

use self::addresses::Addresses;
pub(crate) use self::held::Held;
pub(crate) use self::tainted::TaintedBytes;
use crate::code::Place;
pub use crate::layout::{ArenaIndex, GLOBALS, heap_of, stack_of};
pub(crate) use crate::layout::{PAGE, first_address};
use crate::layout::{is_heap, is_in_no_object};
use crate::mark::{ADDRESSES, MIXED};
use crate::value::{Origin, Value};

/// Objects keep at least this distance, so that one past the end of one is never the start of the next.
const GAP: u64 = 16;
/// No object of an analysed program is larger.
const LARGEST: u64 = 1 << 30;
/// What an object was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Creator {
    /// A global of the program.
    Global(GlobalId),
    /// One thread's copy of a thread-local global.
    ThreadLocal(GlobalId),
    /// An `Alloc` instruction.
    Local(Place),
    /// An `Alloc` instruction that makes heap objects.
    Heap(Place),
}

/// Where an object may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Room {
    /// The arena.
    pub arena: ArenaIndex,
    /// The slot in it.
    pub slot: u32,
}

/// What is asked of a new object.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    /// Whether it starts as zeros; else its bytes are nondeterministic until written.
    pub zeroed: bool,
    /// Stores are violations.
    pub read_only: bool,
    /// Whether other threads can reach it from the start.
    pub shared: bool,
    /// What it is made for.
    pub creator: Creator,
}

/// How far a stack arena was filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StackMark {
    slots: u32,
    next: u64,
}

impl StackMark {
    /// How many objects there were.
    #[must_use]
    pub const fn slots(self) -> u32 {
        self.slots
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its first byte's address.
    pub address: u64,
    /// What its address is a multiple of in every layout.
    pub align: u64,
    /// Its contents; as many bytes as it is large.
    pub bytes: Vec<u8>,
    /// The bytes that were never written. Absent when all were.
    unwritten: Option<Unwritten>,
    /// The addresses, and pieces of them, that are stored in it.
    addresses: Addresses,
    /// What it was made for.
    pub creator: Creator,
    /// Stores are violations.
    pub read_only: bool,
    /// Whether another thread than its owner may reach it.
    pub shared: bool,
    /// Where the program itself asked for it, if a model made it. For messages only: no state differs by it.
    pub user: Option<Place>,
}

/// Which bytes of an object were never written.
#[derive(Clone, Debug)]
struct Unwritten {
    /// One flag a byte.
    flags: Vec<bool>,
    /// How many of them are set.
    left: usize,
}

impl Unwritten {
    fn new(length: usize) -> Option<Self> {
        (length > 0).then(|| Self { flags: vec![true; length], left: length })
    }

    fn any(&self, range: std::ops::Range<usize>) -> bool {
        self.flags[range].contains(&true)
    }

    /// A byte was written; tells whether it had not been before.
    fn clear(&mut self, place: usize) -> bool {
        let was_unwritten = std::mem::replace(&mut self.flags[place], false);
        self.left -= usize::from(was_unwritten);
        was_unwritten
    }
}

/// How an object ended that is not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    generation: NonZeroU32,
    /// What it was made for.
    pub creator: Creator,
    /// Why it ended.
    pub cause: EndCause,
    /// The instruction that ended it.
    pub place: Place,
}

/// Why an object ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// `free`
    Freed,
    /// The block that declares it was left, or is run again.
    BlockLeft,
    /// Its function returned.
    Returned,
    /// Its thread ended.
    ThreadEnded,
}

#[derive(Clone, Debug)]
struct Slot {
    address: u64,
    generation: NonZeroU32,
    object: Option<Arc<Object>>,
    /// How large an object it can hold.
    room: u64,
    /// Whether what was made here last is, or was, an object of the heap.
    is_heap: bool,
    /// Whether a pointer to what was made here was read in pieces, which do not say where they come from.
    exposed: bool,
    /// Whether something that was made before what was here ended may lie here all the same: `realloc` need not move anything.
    may_stay: bool,
}

#[derive(Clone, Debug)]
struct Arena {
    slots: Vec<Slot>,
    /// Where the next object may start.
    next: u64,
    /// Where the arena ends.
    end: u64,
    /// The generation of the next object made here.
    generation: NonZeroU32,
    /// By slot, how the last object that ended there did. For messages only: no state differs by it.
    endings: Arc<Vec<Option<Ending>>>,
}

impl Arena {
    /// Ends the object in a slot, if there is one.
    fn end(&mut self, slot: usize, cause: EndCause, place: Place) {
        let ended = &mut self.slots[slot];
        let Some(object) = ended.object.take() else { return };
        let endings = Arc::make_mut(&mut self.endings);
        if endings.len() <= slot {
            endings.resize(slot + 1, None);
        }
        endings[slot] = Some(Ending { generation: ended.generation, creator: object.creator, cause, place });
    }
}

/// All memory.
#[derive(Clone, Debug)]
pub struct Memory {
    arenas: Vec<Arc<Arena>>,
    pointer_bits: u8,
    /// Where values lie that were never written, if anybody asks.
    pub(crate) tainted: TaintedBytes,
    /// Whether an object could have had the address of another that has ended, and was not given it: see [`crate::reuse`].
    pub(crate) missed: bool,
    /// The locks that are held.
    held: Vec<Held>,
}

/// Why an access is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Through a null pointer, perhaps with a small offset.
    Null,
    /// At an address where nothing lives.
    Wild,
    /// Outside the object the pointer was derived from.
    OutOfBounds {
        /// That object.
        origin: Origin,
        /// Where in it the access would begin.
        offset: i64,
    },
    /// The heap object was freed.
    Freed(Origin),
    /// The local or thread-local object has ended.
    Dead(Origin),
    /// A store to a constant.
    ReadOnly(Origin),
    /// `free` of something else than the start of a live heap object.
    InvalidFree,
    /// More memory than the simulated address space has.
    Exhausted,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The value.
    pub value: Value,
    /// Whether every byte had been written before.
    pub initialised: bool,
}

/// A spot in a live object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The object.
    pub origin: Origin,
    /// Bytes from its start.
    pub offset: u32,
}

impl Memory {
    /// No objects.
    #[must_use]
    pub fn new(pointer_bits: u8) -> Self {
        Self {
            arenas: Vec::new(),
            pointer_bits,
            tainted: TaintedBytes::default(),
            missed: false,
            held: Vec::new(),
        }
    }

    /// Bits of a pointer.
    #[must_use]
    pub const fn pointer_bits(&self) -> u8 {
        self.pointer_bits
    }

    /// Addresses of an arena: from, and up to. Wide apart where there is room, so that no program fills one. In 32 bits the
    /// globals and the main thread get most of it, and there is room for some 150 threads; later ones get none.
    fn bounds(&self, arena: ArenaIndex) -> (u64, u64) {
        const MEBI: u64 = 1 << 20;
        const FIRST: u64 = 64 * MEBI;
        const SPACE: u64 = 4096 * MEBI;
        if self.pointer_bits == 64 {
            let start = first_address(arena, 8);
            return (start, start + (1 << 36));
        }
        let thread = u64::from(arena.saturating_sub(3) / 2);
        let others = FIRST + 2176 * MEBI + thread * 12 * MEBI;
        let (start, size) = match arena {
            GLOBALS => (FIRST, 1024 * MEBI),
            1 => (FIRST + 1024 * MEBI, 128 * MEBI),
            2 => (FIRST + 1152 * MEBI, 1024 * MEBI),
            _ if arena % 2 == 1 => (others, 4 * MEBI),
            _ => (others + 4 * MEBI, 8 * MEBI),
        };
        (start, (start + size).min(SPACE))
    }

    fn arena_mut(&mut self, index: ArenaIndex) -> &mut Arena {
        while self.arenas.len() <= index as usize {
            let next = u32::try_from(self.arenas.len()).unwrap_or(u32::MAX);
            let (start, end) = self.bounds(next);
            self.arenas.push(Arc::new(Arena {
                slots: Vec::new(),
                next: start,
                end,
                generation: NonZeroU32::MIN,
                endings: Arc::default(),
            }));
        }
        Arc::make_mut(&mut self.arenas[index as usize])
    }

    /// Makes an object in an arena. With `reuse`, it takes the place of an earlier object that was no smaller; a local one ends if
    /// it has not before.
    pub fn allocate(
        &mut self,
        arena: ArenaIndex,
        request: Request,
        reuse: Option<u32>,
    ) -> Result<(Origin, u64), Fault> {
        let home = self.arena_mut(arena);
        let (index, address) = match reuse {
            Some(index) => {
                if let Creator::Local(place) = request.creator {
                    home.end(index as usize, EndCause::BlockLeft, place);
                }
                (index, home.slots[index as usize].address)
            }
            None => {
                let address =
                    home.next.checked_next_multiple_of(request.align.max(1)).ok_or(Fault::Exhausted)?;
                let end = address.checked_add(request.size).and_then(|end| end.checked_add(GAP));
                home.next =
                    end.filter(|&end| end <= home.end && request.size <= LARGEST).ok_or(Fault::Exhausted)?;
                home.slots.push(Slot {
                    address,
                    generation: home.generation,
                    object: None,
                    // One past the end is still before the next object.
                    room: request.size + GAP - 1,
                    is_heap: false,
                    exposed: false,
                    may_stay: false,
                });
                (u32::try_from(home.slots.len() - 1).map_err(|_| Fault::Exhausted)?, address)
            }
        };
        let length = usize::try_from(request.size).map_err(|_| Fault::Exhausted)?;
        let slot = &mut home.slots[index as usize];
        // No generation comes twice in an arena, or a stack slot could come back as its ancestor.
        slot.generation = home.generation;
        slot.is_heap = matches!(request.creator, Creator::Heap(_));
        home.generation = home.generation.checked_add(1).ok_or(Fault::Exhausted)?;
        slot.object = Some(Arc::new(Object {
            address,
            align: request.align.max(1),
            bytes: vec![0; length],
            unwritten: if request.zeroed { None } else { Unwritten::new(length) },
            addresses: Addresses::default(),
            creator: request.creator,
            read_only: request.read_only,
            shared: request.shared,
            user: None,
        }));
        Ok((Origin::new(arena, index, slot.generation), address))
    }

    /// How far a stack arena is filled, to be given back with [`pop_to`](Self::pop_to).
    #[must_use]
    pub fn mark(&self, arena: ArenaIndex) -> StackMark {
        match self.arenas.get(arena as usize) {
            Some(home) => {
                StackMark { slots: u32::try_from(home.slots.len()).unwrap_or(u32::MAX), next: home.next }
            }
            None => StackMark { slots: 0, next: self.bounds(arena).0 },
        }
    }

    /// Ends every object made in a stack arena since the mark was taken, and gives the room back.
    pub fn pop_to(&mut self, arena: ArenaIndex, mark: StackMark, cause: EndCause, place: Place) {
        if self.mark(arena) != mark {
            let home = self.arena_mut(arena);
            for slot in mark.slots as usize..home.slots.len() {
                home.end(slot, cause, place);
            }
            home.slots.truncate(mark.slots as usize);
            home.next = mark.next;
        }
    }

    /// The objects that live in a stack arena and were made since the mark was taken.
    pub fn since(&self, arena: ArenaIndex, mark: StackMark) -> impl Iterator<Item = (Origin, &Object)> {
        let slots = self.arenas.get(arena as usize).map_or(&[][..], |home| &home.slots);
        slots.iter().zip(0..).skip(mark.slots as usize).filter_map(move |(slot, index)| {
            let object = slot.object.as_deref()?;
            Some((Origin::new(arena, index, slot.generation), object))
        })
    }

    /// Ends an object, if it lives.
    pub fn end(&mut self, origin: Origin, cause: EndCause, place: Place) {
        if self.object(origin).is_some() {
            self.arena_mut(origin.arena).end(origin.slot as usize, cause, place);
        }
    }

    /// The places of the heap where nothing lives any more, with how large an object each can hold, its address, and whether
    /// somebody may know that address who has no pointer.
    pub(crate) fn vacant(&self) -> impl Iterator<Item = (Room, u64, u64, bool)> {
        self.arenas.iter().zip(0..).filter(|&(_, index)| is_heap(index)).flat_map(|(arena, index)| {
            arena.slots.iter().zip(0..).filter(|(slot, _)| slot.is_heap && slot.object.is_none()).map(
                move |(slot, place)| {
                    (Room { arena: index, slot: place }, slot.room, slot.address, slot.exposed)
                },
            )
        })
    }

    /// How far into the place of a heap object a pointer points, whether the object lives or not; if what lies there is known.
    pub(crate) fn heap_offset(&self, pointer: Value, origin: Origin) -> Option<u64> {
        let slot = self.arenas.get(origin.arena as usize)?.slots.get(origin.slot as usize)?;
        let is_known = is_heap(origin.arena) && slot.is_heap && !slot.may_stay;
        is_known.then(|| pointer.low().wrapping_sub(slot.address))
    }

    /// What took over the contents of an object that has ended may lie where that lay.
    pub(crate) fn may_stay(&mut self, origin: Origin) {
        self.arena_mut(origin.arena).slots[origin.slot as usize].may_stay = true;
    }

    /// A pointer to an object was read in pieces.
    pub(crate) fn expose(&mut self, origin: Origin) {
        let Some(arena) = self.arenas.get(origin.arena as usize) else { return };
        if arena.slots.get(origin.slot as usize).is_some_and(|slot| !slot.exposed) && is_heap(origin.arena) {
            self.arena_mut(origin.arena).slots[origin.slot as usize].exposed = true;
        }
    }

    /// How an object ended, if that is known still.
    #[must_use]
    pub fn ending(&self, origin: Origin) -> Option<Ending> {
        let endings = &self.arenas.get(origin.arena as usize)?.endings;
        let ending = endings.get(origin.slot as usize).copied().flatten()?;
        (ending.generation == origin.generation).then_some(ending)
    }

    /// Ends a heap object.
    pub fn free(&mut self, pointer: Value, place: Place) -> Result<Origin, Fault> {
        let spot = self.resolve(pointer, 0)?;
        let object = self.object(spot.origin).ok_or(Fault::InvalidFree)?;
        if spot.offset != 0 || !matches!(object.creator, Creator::Heap(_)) {
            return Err(Fault::InvalidFree);
        }
        self.end(spot.origin, EndCause::Freed, place);
        Ok(spot.origin)
    }

    /// Takes down where the program itself asked for an object.
    pub(crate) fn note_user(&mut self, origin: Origin, user: Place) {
        if let Some(object) = self.object_mut(origin) {
            object.user = Some(user);
        }
    }

    /// The live object of an origin.
    #[inline]
    #[must_use]
    pub fn object(&self, origin: Origin) -> Option<&Object> {
        let slot = self.arenas.get(origin.arena as usize)?.slots.get(origin.slot as usize)?;
        if slot.generation == origin.generation { slot.object.as_deref() } else { None }
    }

    fn object_mut(&mut self, origin: Origin) -> Option<&mut Object> {
        self.object(origin)?;
        let slot = &mut Arc::make_mut(&mut self.arenas[origin.arena as usize]).slots[origin.slot as usize];
        slot.object.as_mut().map(Arc::make_mut)
    }

    /// All live objects with their origins, in order of arena and slot.
    pub fn objects(&self) -> impl Iterator<Item = (Origin, &Object)> {
        self.arenas.iter().zip(0..).flat_map(|(arena, index)| {
            arena.slots.iter().zip(0..).filter_map(move |(slot, place)| {
                let object = slot.object.as_deref()?;
                Some((Origin::new(index, place, slot.generation), object))
            })
        })
    }

    /// The spot that a pointer reaches, if `size` bytes can be accessed there.
    pub fn resolve(&self, pointer: Value, size: u64) -> Result<Spot, Fault> {
        self.locate(pointer, size).map(|(spot, _)| spot)
    }

    /// The spot that a pointer reaches, if `size` bytes can be accessed there, and the object it is in.
    #[inline]
    pub fn locate(&self, pointer: Value, size: u64) -> Result<(Spot, &Object), Fault> {
        self.locate_address(pointer.low(), pointer.origin, size)
    }

    /// The same for a pointer given in its parts.
    #[inline]
    pub fn locate_address(
        &self,
        address: u64,
        origin: Option<Origin>,
        size: u64,
    ) -> Result<(Spot, &Object), Fault> {
        let Some(origin) = origin else {
            let spot = self.resolve_address(address, size)?;
            return Ok((spot, self.object(spot.origin).ok_or(Fault::Wild)?));
        };
        let Some(object) = self.object(origin) else { return Err(self.gone(origin)) };
        let offset = address.wrapping_sub(object.address);
        let length = object.bytes.len() as u64;
        match u32::try_from(offset) {
            Ok(place) if offset.checked_add(size).is_some_and(|end| end <= length) => {
                Ok((Spot { origin, offset: place }, object))
            }
            _ => Err(Fault::OutOfBounds { origin, offset: offset.cast_signed() }),
        }
    }

    /// The same for a pointer that does not know where it comes from.
    fn resolve_address(&self, address: u64, size: u64) -> Result<Spot, Fault> {
        if address < PAGE {
            return Err(Fault::Null);
        }
        for (arena, index) in self.arenas.iter().zip(0..) {
            let (start, end) = self.bounds(index);
            if !(start..end).contains(&address) {
                continue;
            }
            // Slots are in order of address; a freed one has none, so search among the living before the address.
            let found = arena.slots.iter().enumerate().rev().find_map(|(place, slot)| {
                let object = slot.object.as_deref()?;
                (object.address <= address).then_some((slot.generation, place, object))
            });
            let (generation, place, object) = found.ok_or(Fault::Wild)?;
            let offset = address - object.address;
            let fits = offset.checked_add(size).is_some_and(|end| end <= object.bytes.len() as u64);
            let slot = u32::try_from(place).map_err(|_| Fault::Wild)?;
            let origin = Origin::new(index, slot, generation);
            return u32::try_from(offset)
                .ok()
                .filter(|_| fits)
                .map(|offset| Spot { origin, offset })
                .ok_or(Fault::Wild);
        }
        Err(Fault::Wild)
    }

    /// What the address of an object is a multiple of in every layout; 1 if it is gone.
    pub(crate) fn alignment(&self, origin: Origin) -> u64 {
        self.object(origin).map_or(1, |object| 1 << object.align.trailing_zeros().min(31))
    }

    /// Whether a pointer points to a byte of a live object.
    pub(crate) fn is_inside(&self, pointer: Value, origin: Origin) -> bool {
        self.object(origin)
            .is_some_and(|object| pointer.low().wrapping_sub(object.address) < object.bytes.len() as u64)
    }

    /// The object that lives at an address, or ends there.
    pub(crate) fn lives_at(&self, address: u64) -> Option<Origin> {
        self.resolve_address(address, 0).ok().map(|spot| spot.origin)
    }

    /// What a number is that lay beside addresses in a longer one: the address of an object, a plain number, or not known.
    fn taken_out(&self, number: u64) -> Option<Origin> {
        match self.lives_at(number) {
            Some(origin) => Some(origin),
            None if is_in_no_object(self.pointer_bits, number.into()) => None,
            None => Some(MIXED),
        }
    }

    /// Reads `size` bytes at a spot that [`resolve`](Self::resolve) gave for this size.
    #[must_use]
    pub fn read(&self, spot: Spot, size: u64) -> Read {
        match self.object(spot.origin) {
            Some(object) => {
                let mut read = object.read(spot.offset, size, self.pointer_bits);
                if read.value.origin == Some(ADDRESSES) && size * 8 == u64::from(self.pointer_bits) {
                    read.value.origin = self.taken_out(read.value.low());
                }
                read
            }
            None => Read { value: Value::ZERO, initialised: true },
        }
    }

    /// Writes `size` bytes at a spot that [`resolve`](Self::resolve) gave for this size.
    pub fn write(&mut self, spot: Spot, size: u64, value: Value) {
        let pointer_bits = self.pointer_bits;
        self.let_go(spot, size);
        if let Some(object) = self.object_mut(spot.origin) {
            object.write(spot.offset, size, value, pointer_bits);
        }
    }

    /// These bytes count as never written.
    pub(crate) fn forget(&mut self, spot: Spot, size: u64) {
        let pointer_bits = self.pointer_bits;
        self.let_go(spot, size);
        let Some(object) = self.object_mut(spot.origin) else { return };
        object.forget(spot.offset, size, pointer_bits);
    }

    /// Takes down which bytes of a range were never written.
    pub(crate) fn taint_unwritten(&mut self, spot: Spot, size: u64) {
        let Some(unwritten) = self.object(spot.origin).and_then(|object| object.unwritten.as_ref()) else {
            return;
        };
        let flags = range(spot.offset, size).map(|place| unwritten.flags[place]).collect::<Vec<bool>>();
        for (offset, _) in (spot.offset..).zip(flags).filter(|(_, is_unwritten)| *is_unwritten) {
            self.tainted.set(Spot { offset, ..spot }, 1, 0xff);
        }
    }

    /// Gives the bytes that were never written the bits of `value`; the others stay.
    pub fn write_unwritten(&mut self, spot: Spot, size: u64, value: Value) {
        if let Some(object) = self.object_mut(spot.origin) {
            object.write_unwritten(spot.offset, size, value);
        }
    }

    /// The origins of the pointers that lie, wholly or in part, in a range of an object.
    pub fn pointers_in(&self, spot: Spot, size: u64) -> impl Iterator<Item = Origin> {
        let object = self.object(spot.origin);
        object.into_iter().flat_map(move |object| object.pointers_in(spot.offset, size))
    }

    /// Why an object that an origin means is not there any more.
    pub(crate) fn gone(&self, origin: Origin) -> Fault {
        match self.ending(origin).map(|ending| ending.cause) {
            Some(EndCause::Freed) => Fault::Freed(origin),
            Some(EndCause::BlockLeft | EndCause::Returned | EndCause::ThreadEnded) => Fault::Dead(origin),
            None if is_heap(origin.arena) => Fault::Freed(origin),
            None => Fault::Dead(origin),
        }
    }

    /// From now on other threads may reach this object, and whatever it points to.
    pub fn share(&mut self, origin: Origin) {
        let mut work = vec![origin];
        while let Some(origin) = work.pop() {
            if self.object(origin).is_some_and(|object| !object.shared)
                && let Some(object) = self.object_mut(origin)
            {
                object.shared = true;
                work.extend(object.pointers());
            }
        }
    }
}

impl Object {
    /// Whether it lives as long as the program.
    #[must_use]
    pub const fn is_static(&self) -> bool {
        match self.creator {
            Creator::Global(_) => true,
            Creator::ThreadLocal(_) | Creator::Local(_) | Creator::Heap(_) => false,
        }
    }

    /// Reads `size` bytes at an offset; they lie in the object.
    #[inline]
    #[must_use]
    pub fn read(&self, offset: u32, size: u64, pointer_bits: u8) -> Read {
        let range = range(offset, size);
        let bits = fetch(&self.bytes[range.clone()]);
        let origin = if self.addresses.is_empty() {
            None
        } else {
            self.addresses.at(&self.bytes, offset, size, u64::from(pointer_bits / 8))
        };
        let initialised = self.unwritten.as_ref().is_none_or(|unwritten| !unwritten.any(range));
        Read { value: Value { bits, origin }, initialised }
    }

    /// Writes `size` bytes at an offset; they lie in the object.
    #[inline]
    pub(crate) fn write(&mut self, offset: u32, size: u64, value: Value, pointer_bits: u8) {
        let range = range(offset, size);
        self.addresses.write(&self.bytes, offset, size, value.origin, u64::from(pointer_bits / 8));
        store(&mut self.bytes[range.clone()], value.bits);
        if let Some(unwritten) = &mut self.unwritten {
            range.for_each(|place| {
                unwritten.clear(place);
            });
            if unwritten.left == 0 {
                self.unwritten = None;
            }
        }
    }

    /// These bytes, which lie in the object, count as never written.
    fn forget(&mut self, offset: u32, size: u64, pointer_bits: u8) {
        self.addresses.forget(&self.bytes, offset, size, u64::from(pointer_bits / 8));
        let length = self.bytes.len();
        let none = || Unwritten { flags: vec![false; length], left: 0 };
        let unwritten = self.unwritten.get_or_insert_with(none);
        for place in range(offset, size) {
            self.bytes[place] = 0;
            unwritten.left += usize::from(!std::mem::replace(&mut unwritten.flags[place], true));
        }
        if unwritten.left == 0 {
            self.unwritten = None;
        }
    }

    /// Gives the bytes that were never written the bits of `value`; the others stay.
    fn write_unwritten(&mut self, offset: u32, size: u64, value: Value) {
        let Some(unwritten) = &mut self.unwritten else { return };
        let bytes = value.bits.to_le_bytes();
        for (place, byte) in range(offset, size).zip(bytes) {
            if unwritten.clear(place) {
                self.bytes[place] = byte;
            }
        }
        if unwritten.left == 0 {
            self.unwritten = None;
        }
    }

    /// The origins of the pointers that lie, wholly or in part, in a range.
    pub(crate) fn pointers_in(&self, offset: u32, size: u64) -> impl Iterator<Item = Origin> {
        self.addresses.origins_in(offset, size)
    }

    /// Whether it holds no pointers, and no bytes that were never written.
    #[inline]
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.addresses.is_empty() && self.unwritten.is_none()
    }

    /// The number in `size` bytes at an offset; they lie in the object.
    #[inline]
    #[must_use]
    pub fn fetch(&self, offset: u32, size: u64) -> u128 {
        fetch(&self.bytes[range(offset, size)])
    }

    /// The origins of the pointers stored in it, also in pieces, in order of their offsets.
    pub fn pointers(&self) -> impl Iterator<Item = Origin> {
        self.addresses.origins()
    }

    /// The objects whose addresses are in it whole, perhaps in pieces beside each other. A piece alone leads nobody there.
    pub(crate) fn addresses(&self, pointer_bits: u8) -> impl Iterator<Item = Origin> {
        self.addresses.whole(&self.bytes, u64::from(pointer_bits / 8))
    }
}

/// The number that little-endian bytes stand for. The usual sizes are told apart, so that each is one access.
#[inline]
fn fetch(bytes: &[u8]) -> u128 {
    match *bytes {
        [byte] => byte.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]).into(),
        _ => bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)),
    }
}

/// Writes the low bytes of a number, little-endian.
#[inline]
fn store(bytes: &mut [u8], number: u128) {
    let all = number.to_le_bytes();
    match bytes.len() {
        1 => bytes.copy_from_slice(&all[..1]),
        2 => bytes.copy_from_slice(&all[..2]),
        4 => bytes.copy_from_slice(&all[..4]),
        8 => bytes.copy_from_slice(&all[..8]),
        length => bytes.copy_from_slice(&all[..length]),
    }
}

/// The indices of `size` bytes from `offset`.
fn range(offset: u32, size: u64) -> std::ops::Range<usize> {
    let start = offset as usize;
    start..start + usize::try_from(size).expect("an access is at most 16 bytes")
}

#[cfg(test)]
mod tests;
