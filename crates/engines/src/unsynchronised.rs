//! Where co-enabled accesses are enough to find all data races.
//!
//! A data race is decided by happens-before everywhere. But what an execution may leave out, and still have a race if the whole has one,
//! depends on whether racing accesses can be brought together: whether some execution has both *co-enabled*, as what their
//! threads do next.

use raddle_ir::analyses::unsynchronised::communication;
use raddle_ir::{InstKind, Program};

/// Whether a program with a data race has an execution in which two accesses that race are co-enabled.
///
/// The precondition is twofold. No thread learns of another without being ordered behind it, as API models declare it
/// ([`raddle_ir::analyses::unsynchronised`]): then what does not happen after the first access can be done before it, and the second one
/// is next. And the program has no atomic blocks of its own: a block may commit only behind the access that it races with.
///
/// May say no where it is so; never yes where it is not.
pub(crate) fn co_enabled_suffices(program: &Program) -> bool {
    let mut own = program.functions.values().filter(|function| !function.model);
    let has_blocks = own.any(|function| {
        let mut insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.any(|inst| matches!(inst.kind, InstKind::AtomicBegin))
    });
    !has_blocks && communication(program).is_none()
}
