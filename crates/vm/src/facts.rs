//! What is known about a program's atomic sections before it runs.
//!
//! Most sections can neither wait nor be given up half-way; the machine need not try those out before it says that
//! a thread can go on, nor remember the state they began in. Over-approximates: a section told harmless is.

use raddle_base::Table;
use raddle_ir::{BlockId, Constant, Function, FunctionId, InstKind, Operand, Program, Terminator};
use rustc_hash::FxHashMap;

use crate::code::Place;

/// What may happen on the way through some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// It may have to wait: for a lock, a condition, a thread.
    pub(crate) waits: bool,
    /// An assumption may end it.
    pub(crate) stops: bool,
}

impl Effects {
    const ALL: Self = Self { waits: true, stops: true };

    fn join(&mut self, other: Self) {
        self.waits |= other.waits;
        self.stops |= other.stops;
    }

    /// Whether it may end otherwise than by completion.
    pub(crate) fn any(self) -> bool {
        self.waits || self.stops
    }
}

/// The effects of each section, by the place where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    sections: FxHashMap<Place, Effects>,
}

impl Facts {
    pub(crate) fn new(program: &Program) -> Self {
        let functions = function_effects(program);
        let mut sections = FxHashMap::default();
        for (id, function) in program.functions.iter() {
            for (block_id, block) in function.blocks.iter() {
                for (inst, index) in block.insts.iter().zip(0..) {
                    if matches!(inst.kind, InstKind::AtomicBegin) {
                        let effects = section_effects(function, &functions, block_id, index as usize);
                        sections.insert(Place { function: id, block: block_id, index }, effects);
                    }
                }
            }
        }
        Self { sections }
    }

    /// What may happen in the section that begins at a place.
    pub(crate) fn section(&self, place: Place) -> Effects {
        self.sections.get(&place).copied().unwrap_or(Effects::ALL)
    }
}

/// What one instruction may do, given what functions may do.
fn inst_effects(kind: &InstKind, functions: &Table<FunctionId, Effects>) -> Effects {
    match kind {
        InstKind::WaitUntil(_) | InstKind::Lock { .. } | InstKind::Join { .. } => {
            Effects { waits: true, stops: false }
        }
        InstKind::Assume(_) => Effects { waits: false, stops: true },
        InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => functions[*callee],
        InstKind::Call { .. } => Effects::ALL,
        InstKind::Assign { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Check { .. }
        | InstKind::Fork { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => Effects::default(),
    }
}

/// The least solution: what a function's own instructions and its callees do.
fn function_effects(program: &Program) -> Table<FunctionId, Effects> {
    let mut effects = Table::filled(program.functions.len(), Effects::default);
    loop {
        let mut changed = false;
        for (id, function) in program.functions.iter() {
            let mut sum = effects[id];
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                sum.join(inst_effects(&inst.kind, &effects));
            }
            changed |= sum != effects[id];
            effects[id] = sum;
        }
        if !changed {
            return effects;
        }
    }
}

/// Walks from the section's beginning to its end, on all ways.
fn section_effects(
    function: &Function,
    functions: &Table<FunctionId, Effects>,
    block: BlockId,
    index: usize,
) -> Effects {
    let mut sum = Effects::default();
    let mut seen: Table<BlockId, bool> = Table::filled(function.blocks.len(), || false);
    let mut work = vec![(block, index, 0_u32)];
    while let Some((block_id, from, mut depth)) = work.pop() {
        let block = &function.blocks[block_id];
        let mut open = true;
        for inst in &block.insts[from..] {
            sum.join(inst_effects(&inst.kind, functions));
            if matches!(inst.kind, InstKind::AtomicBegin) {
                depth += 1;
            } else if matches!(inst.kind, InstKind::AtomicEnd) {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                open = false;
                break;
            }
        }
        if open {
            // A validated function is as deep at a block's start on every way there.
            for target in block.terminator.successors() {
                if !std::mem::replace(&mut seen[target], true) {
                    work.push((target, 0, depth));
                }
            }
            if let Terminator::Return(_) = block.terminator {
                return Effects::ALL;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_base::Id;
    use raddle_ir::text::parse_program;

    #[test]
    fn waiting_is_found_through_calls_and_branches_and_ends_with_the_section() {
        let program = parse_program(
            r#"program pointer_bits 64 entry f0
            global g0 "m" size 4 align 4 {}
            function f0 "main" () {
              registers r0: i1, r1: i32
            b0:
              atomic_begin
              r1 = load i32 [@m]
              atomic_end
              atomic_begin
              call @helper()
              branch r0, b1, b2
            b1:
              atomic_end
              atomic_begin
              atomic_begin
              atomic_end
              assume true
              atomic_end
              lock [@m]
              exit_process i32 0
            b2:
              jump b1
            }
            function f1 "helper" () { b0: call @inner() return }
            function f2 "inner" () { b0: lock [@m] call @helper() return }"#,
        )
        .unwrap();
        let facts = Facts::new(&program);
        let at = |block, index| {
            facts.section(Place {
                function: FunctionId::from_index(0),
                block: BlockId::from_index(block),
                index,
            })
        };
        assert_eq!(at(0, 0), Effects::default());
        assert_eq!(at(0, 3), Effects { waits: true, stops: false });
        assert_eq!(at(1, 1), Effects { waits: false, stops: true });
        assert_eq!(at(1, 2), Effects::default());
        assert_eq!(at(7, 7), Effects::ALL, "what is not known may do anything");
    }
}
