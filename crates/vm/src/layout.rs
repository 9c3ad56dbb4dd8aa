//! Where things lie: arenas of threads, pages where nothing is, functions; and how large lock words are.

use raddle_base::Id;
use raddle_ir::{FunctionId, Program};

use crate::value::{Value, mask};

/// A thread id: the main thread is 0, others count in the order they were started.
pub type ThreadId = u32;

/// A lock word has 32 bits.
pub(crate) const LOCK_BYTES: u64 = 4;

/// Addresses below are null pointers with an offset. The last page is as empty as the first.
pub(crate) const PAGE: u64 = 4096;

/// An arena of objects. Number 0 holds the globals; thread `t` has `2t + 1` for its stack and `2t + 2` for its heap.
pub type ArenaIndex = u32;

/// The arena of the globals.
pub const GLOBALS: ArenaIndex = 0;

/// The lowest address that an arena has where addresses are long; zero where they are short.
pub(crate) const fn first_address(arena: ArenaIndex, pointer_bytes: u64) -> u64 {
    if pointer_bytes == 8 { (arena as u64 + 1) << 36 } else { 0 }
}

/// The stack arena of a thread.
#[must_use]
pub const fn stack_of(thread: ThreadId) -> ArenaIndex {
    2 * thread + 1
}

/// Whether an arena is one for heap objects.
pub(crate) const fn is_heap(arena: ArenaIndex) -> bool {
    arena != GLOBALS && arena.is_multiple_of(2)
}

/// The heap arena of a thread.
#[must_use]
pub const fn heap_of(thread: ThreadId) -> ArenaIndex {
    2 * thread + 2
}

/// Whether a number is in the first page or in the last.
pub(crate) fn is_in_no_object(pointer_bits: u8, number: u128) -> bool {
    number < u128::from(PAGE) || number > mask(pointer_bits) - u128::from(PAGE)
}

/// Functions have addresses from here on, this far apart; below the arenas of both pointer widths.
const TEXT_START: u64 = 0x10_0000;
const TEXT_STEP: u64 = 16;

/// The address of a function.
pub(crate) fn function_address(function: FunctionId) -> u64 {
    TEXT_START + TEXT_STEP * function.index() as u64
}

/// The function at an address.
pub(crate) fn function_at(program: &Program, pointer: Value) -> Option<FunctionId> {
    let offset = pointer.low().checked_sub(TEXT_START)?;
    let index = usize::try_from(offset / TEXT_STEP).ok()?;
    (offset % TEXT_STEP == 0 && index < program.functions.len()).then(|| FunctionId::from_index(index))
}

/// Whether a number is in the range of functions: no object lies there.
pub(crate) const fn is_code(number: u64) -> bool {
    const END: u64 = 1 << 24;
    number >= TEXT_START && number < END
}
