//! Objects, addresses, pointers in memory, snapshots.

use super::*;
use crate::mark::{MIXED, is_several};
use raddle_base::Id;

fn here() -> Place {
    Place { function: Id::from_index(0), block: Id::from_index(0), index: 0 }
}

fn request(size: u64) -> Request {
    Request { size, align: 8, zeroed: true, read_only: false, shared: false, creator: Creator::Heap(here()) }
}

fn allocate(memory: &mut Memory, arena: ArenaIndex, size: u64) -> Value {
    let (origin, address) = memory.allocate(arena, request(size), None).unwrap();
    Value { bits: address.into(), origin: Some(origin) }
}

fn moved(pointer: Value, distance: i64) -> Value {
    Value { bits: u128::from(pointer.low().wrapping_add_signed(distance)), ..pointer }
}

#[test]
fn a_pointer_reaches_its_object_and_nothing_else() {
    let mut memory = Memory::new(64);
    let first = allocate(&mut memory, heap_of(0), 8);
    let second = allocate(&mut memory, heap_of(0), 8);
    let origin = first.origin.unwrap();
    assert_eq!(memory.resolve(moved(first, 4), 4), Ok(Spot { origin, offset: 4 }));
    assert_eq!(memory.resolve(moved(first, 8), 0), Ok(Spot { origin, offset: 8 }), "one past the end");
    assert_eq!(memory.resolve(moved(first, 8), 1), Err(Fault::OutOfBounds { origin, offset: 8 }));
    assert_eq!(memory.resolve(moved(first, 5), 4), Err(Fault::OutOfBounds { origin, offset: 5 }));
    assert_eq!(memory.resolve(moved(first, -1), 1), Err(Fault::OutOfBounds { origin, offset: -1 }));
    let across = i64::try_from(second.low() - first.low()).unwrap();
    assert!(memory.resolve(moved(first, across), 1).is_err(), "not even where another one lives");
    let forgotten = Value::plain(moved(first, across).bits);
    assert_eq!(memory.resolve(forgotten, 8).unwrap().origin, second.origin.unwrap(), "found by address");
    assert_eq!(memory.resolve(Value::plain(12), 1), Err(Fault::Null));
    assert_eq!(memory.resolve(Value::plain(1 << 20), 1), Err(Fault::Wild));
    assert_eq!(memory.resolve(Value::plain(u128::from(u64::MAX)), 8), Err(Fault::Wild));
}

#[test]
fn freed_and_popped_objects_are_gone_for_good() {
    let mut memory = Memory::new(64);
    let heap = allocate(&mut memory, heap_of(0), 8);
    assert_eq!(memory.free(moved(heap, 1), here()), Err(Fault::InvalidFree));
    memory.free(heap, here()).unwrap();
    assert_eq!(memory.free(heap, here()), Err(Fault::Freed(heap.origin.unwrap())));
    assert_eq!(memory.resolve(Value::plain(heap.bits), 1), Err(Fault::Wild));
    let mark = memory.mark(stack_of(0));
    let local = allocate(&mut memory, stack_of(0), 8);
    memory.pop_to(stack_of(0), mark, EndCause::Returned, here());
    let next = allocate(&mut memory, stack_of(0), 8);
    assert_eq!(
        (next.bits, next.origin.unwrap().slot),
        (local.bits, local.origin.unwrap().slot),
        "the same place"
    );
    assert_eq!(memory.resolve(local, 1), Err(Fault::Dead(local.origin.unwrap())), "but another object");
    assert!(memory.resolve(next, 8).is_ok());
}

#[test]
fn addresses_depend_on_the_allocating_thread_only() {
    let (mut one, mut other) = (Memory::new(64), Memory::new(64));
    let a = allocate(&mut one, heap_of(1), 8);
    let b = allocate(&mut one, heap_of(2), 24);
    let b_first = allocate(&mut other, heap_of(2), 24);
    let a_second = allocate(&mut other, heap_of(1), 8);
    assert_eq!((a, b), (a_second, b_first));
}

#[test]
fn numbers_of_every_size_come_back() {
    let mut memory = Memory::new(64);
    let pointer = allocate(&mut memory, heap_of(0), 32);
    let spot = memory.resolve(pointer, 16).unwrap();
    let number = 0x1122_3344_5566_7788_99aa_bbcc_ddee_ff01;
    for size in 1..=16 {
        memory.write(spot, size, Value::plain(number));
        let bits = memory.read(spot, size).value.bits;
        assert_eq!(bits, number & crate::value::mask(u8::try_from(size * 8).unwrap()), "{size} bytes");
    }
    assert_eq!(memory.read(Spot { offset: 1, ..spot }, 2).value.bits, 0xeeff, "little-endian");
}

#[test]
fn a_stored_pointer_keeps_its_origin_until_a_byte_of_it_is_overwritten() {
    let is_piece = |value: Value| value.origin.is_some_and(is_several);
    let mut memory = Memory::new(64);
    let target = allocate(&mut memory, heap_of(0), 8);
    let cell = allocate(&mut memory, heap_of(0), 24);
    let spot = memory.resolve(cell, 8).unwrap();
    memory.write(spot, 8, target);
    memory.write(Spot { offset: 16, ..spot }, 8, target);
    assert_eq!(memory.read(spot, 8).value, target);
    assert!(is_piece(memory.read(spot, 4).value), "half of an address");
    assert_eq!(memory.pointers_in(Spot { offset: 4, ..spot }, 13).count(), 2);
    let last = memory.read(Spot { offset: 7, ..spot }, 1).value;
    memory.write(Spot { offset: 7, ..spot }, 1, Value::ZERO);
    assert_eq!(memory.read(spot, 8).value.origin, Some(MIXED), "a byte of it is another number");
    memory.write(Spot { offset: 7, ..spot }, 1, last);
    assert_eq!(memory.read(spot, 8).value, target, "its own byte is back");
    assert_eq!(memory.read(Spot { offset: 16, ..spot }, 8).value, target, "the other one is whole");
}

#[test]
fn what_was_never_written_is_written_once() {
    let mut memory = Memory::new(64);
    let asked = Request { zeroed: false, ..request(4) };
    let (origin, _) = memory.allocate(heap_of(0), asked, None).unwrap();
    let spot = Spot { origin, offset: 0 };
    assert!(!memory.read(spot, 4).initialised);
    memory.write(Spot { offset: 1, ..spot }, 1, Value::plain(0xaa));
    assert!(memory.read(Spot { offset: 1, ..spot }, 1).initialised);
    memory.write_unwritten(spot, 4, Value::plain(0x1122_3344));
    let read = memory.read(spot, 4);
    assert_eq!((read.value.bits, read.initialised), (0x1122_aa44, true), "a written byte stays");
    assert!(memory.object(origin).unwrap().is_plain());
}

#[test]
fn sharing_goes_through_pointers() {
    let mut memory = Memory::new(64);
    let [a, b, c] = [(); 3].map(|()| allocate(&mut memory, heap_of(0), 8));
    let at = |memory: &Memory, pointer: Value| memory.resolve(pointer, 8).unwrap();
    let (spot_a, spot_b) = (at(&memory, a), at(&memory, b));
    memory.write(spot_a, 8, b);
    memory.write(spot_b, 8, a);
    memory.share(a.origin.unwrap());
    let shared = |pointer: Value| memory.object(pointer.origin.unwrap()).unwrap().shared;
    assert!(shared(a) && shared(b) && !shared(c));
}

#[test]
fn a_snapshot_does_not_see_later_writes() {
    let mut memory = Memory::new(64);
    let pointer = allocate(&mut memory, heap_of(0), 8);
    let spot = memory.resolve(pointer, 8).unwrap();
    let snapshot = memory.clone();
    memory.write(spot, 8, Value::plain(7));
    memory.free(pointer, here()).unwrap();
    assert_eq!(snapshot.read(spot, 8).value.bits, 0);
    assert!(snapshot.object(spot.origin).is_some());
}

#[test]
fn the_address_space_has_an_end() {
    let mut memory = Memory::new(32);
    assert_eq!(memory.allocate(heap_of(0), request(1 << 31), None).unwrap_err(), Fault::Exhausted);
    assert_eq!(memory.allocate(heap_of(0), request(u64::MAX), None).unwrap_err(), Fault::Exhausted);
    assert!((0..100).any(|_| memory.allocate(heap_of(1), request(1 << 20), None).is_err()));
    assert!(memory.allocate(heap_of(2), request(8), None).is_ok(), "another thread's is untouched");
    let last = (0..1000).take_while(|&thread| memory.allocate(heap_of(thread), request(8), None).is_ok());
    assert!((150..200).contains(&last.count()), "threads beyond the address space get nothing");
}

#[test]
fn arenas_lie_apart() {
    for bits in [32, 64] {
        let memory = Memory::new(bits);
        for arena in 0..200 {
            let ((_, end), (start, _)) = (memory.bounds(arena), memory.bounds(arena + 1));
            assert!(end <= start, "arena {arena} of {bits} bits");
        }
    }
}
