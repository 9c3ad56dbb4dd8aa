//! What answers take for granted of the world around the program.

use raddle_base::{Location, Span};
use raddle_ir::{InstKind, Program};
use raddle_lower::{LowerOptions, address_assumption, assumptions, first_kept_over_jump, first_open_order};

use crate::load::Runnable;

/// A sentence for each thing that is taken for granted.
pub(crate) fn environment(runnable: &Runnable, is_weak: bool) -> Vec<String> {
    let LowerOptions { environment, arguments, .. } = &runnable.lowering;
    let mut all = assumptions(&runnable.ast, environment, arguments);
    all.extend(address_assumption(&runnable.program));
    if is_weak && frees(&runnable.program) {
        all.push("`free` waits until all stores of its thread are visible to others".to_owned());
    }
    let is_user = |span: Span| {
        let location = runnable.sources.locate(span.lo);
        location.is_some_and(|location| !location.file.starts_with('<'))
            && !runnable.sources.is_system(span.lo)
    };
    if let Some(open) = first_open_order(&runnable.ast, is_user)
        && let Some(Location { file, line, .. }) = runnable.sources.locate(open.lo)
    {
        all.push(format!(
            "operands and arguments are evaluated from left to right, where C leaves that open (first at {file}:{line})"
        ));
    }
    if let Some(kept) = first_kept_over_jump(&runnable.ast, is_user)
        && let Some(Location { file, line, .. }) = runnable.sources.locate(kept.lo)
    {
        all.push(format!(
            "variables in memory keep their values when `longjmp` goes back, which C only promises if they are `volatile` (first at {file}:{line})"
        ));
    }
    all
}

/// Whether memory may be freed somewhere.
fn frees(program: &Program) -> bool {
    let blocks = program.functions.values().flat_map(|function| function.blocks.values());
    blocks.flat_map(|block| &block.insts).any(|inst| matches!(inst.kind, InstKind::Free { .. }))
}
