//! Liveness: which registers may still be read. A backward data-flow analysis (Kildall 1973).
//!
//! A register is live at a program point when some path from there reads it before assigning it. Over-approximates: a
//! register that is reported dead is dead.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use raddle_base::{Id, Table};
use rustc_hash::FxHashSet;

use super::cfg::ControlFlow;
use crate::inst::{Inst, Operand, Terminator};
use crate::program::{BlockId, Function, RegisterId};

/// Live registers at the start and end of each block. Few of many are live at one program point, so they are lists, in order.
#[derive(Clone, Debug)]
pub struct Liveness {
    registers: usize,
    live_in: Table<BlockId, Vec<RegisterId>>,
    live_out: Table<BlockId, Vec<RegisterId>>,
}

fn mark(live: &mut FixedBitSet, operand: Operand) {
    if let Operand::Register(register) = operand {
        live.insert(register.index());
    }
}

/// From what is live after an instruction to what is live before it.
pub fn step_back(live: &mut FixedBitSet, inst: &Inst) {
    if let Some(dest) = inst.kind.dest() {
        // First the assignment, then the reads: an instruction may read what it assigns.
        live.set(dest.index(), false);
    }
    inst.kind.for_each_operand(|operand| mark(live, operand));
}

/// Adds what a terminator reads.
pub fn add_terminator(live: &mut FixedBitSet, terminator: &Terminator) {
    terminator.for_each_operand(|operand| mark(live, operand));
}

impl Liveness {
    /// Of a function.
    #[must_use]
    pub fn new(function: &Function, flow: &ControlFlow) -> Self {
        let blocks = function.blocks.len();
        let mut found = Self {
            registers: function.registers.len(),
            live_in: Table::filled(blocks, Vec::new),
            live_out: Table::filled(blocks, Vec::new),
        };
        let Exposed { reads, assigned } = Exposed::of(function);
        // From each read back to the assignments, one register after the other. Most registers live in one
        // block only; this touches nothing else, where bit sets over all registers would.
        let mut waiting: Vec<BlockId> = Vec::new();
        for (register, blocks) in reads {
            // Registers come in order, so a list that has this one has it last.
            let is_new = |list: &[RegisterId]| list.last() != Some(&register);
            waiting.extend(blocks);
            for &block in &waiting {
                found.live_in[block].push(register);
            }
            while let Some(block) = waiting.pop() {
                for &before in flow.predecessors(block) {
                    if is_new(&found.live_out[before]) {
                        found.live_out[before].push(register);
                    }
                    // A block that assigns the register and reads it before is a starting point already.
                    if is_new(&found.live_in[before]) && !assigned.contains(&(register, before)) {
                        found.live_in[before].push(register);
                        waiting.push(before);
                    }
                }
            }
        }
        found
    }

    /// Whether the register may be read after the block's start.
    #[must_use]
    pub fn is_live_in(&self, block: BlockId, register: RegisterId) -> bool {
        self.live_in[block].binary_search(&register).is_ok()
    }

    /// Whether the register may be read after the block's end.
    #[must_use]
    pub fn is_live_out(&self, block: BlockId, register: RegisterId) -> bool {
        self.live_out[block].binary_search(&register).is_ok()
    }

    /// The registers live at the block's start, in order.
    pub fn live_in(&self, block: BlockId) -> impl Iterator<Item = RegisterId> + '_ {
        self.live_in[block].iter().copied()
    }

    /// The set of registers live at the block's end, to walk backwards from.
    #[must_use]
    pub fn live_out_set(&self, block: BlockId) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.registers);
        for register in &self.live_out[block] {
            set.insert(register.index());
        }
        set
    }
}

/// What blocks read of others.
struct Exposed {
    /// Registers in order, each with the blocks that read it before they assign it.
    reads: BTreeMap<RegisterId, Vec<BlockId>>,
    /// Which of those registers each block assigns.
    assigned: FxHashSet<(RegisterId, BlockId)>,
}

impl Exposed {
    fn of(function: &Function) -> Self {
        let mut reads: BTreeMap<RegisterId, Vec<BlockId>> = BTreeMap::new();
        let mut assigned = FxHashSet::default();
        for (id, block) in function.blocks.iter() {
            let mut read = |operand: Operand, assigned: &FxHashSet<(RegisterId, BlockId)>| {
                if let Operand::Register(register) = operand
                    && !assigned.contains(&(register, id))
                {
                    let blocks = reads.entry(register).or_default();
                    // The blocks come in order, so looking at the last one is enough.
                    if blocks.last() != Some(&id) {
                        blocks.push(id);
                    }
                }
            };
            for inst in &block.insts {
                inst.kind.for_each_operand(|operand| read(operand, &assigned));
                assigned.extend(inst.kind.dest().map(|dest| (dest, id)));
            }
            block.terminator.for_each_operand(|operand| read(operand, &assigned));
        }
        Self { reads, assigned }
    }
}

/// The registers that are no parameters and may be read before they are assigned. A well-formed function has none.
#[must_use]
pub fn read_before_assigned(function: &Function) -> Vec<RegisterId> {
    let Some(entry) = function.blocks.ids().next() else { return Vec::new() };
    let liveness = Liveness::new(function, &ControlFlow::new(function));
    liveness.live_in(entry).filter(|register| !function.parameters.contains(register)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn a_loop_keeps_its_counter_alive() {
        let program = parse_program(
            "program pointer_bits 64 entry f0 function f0 \"main\" () { registers r0: i32, r1: i1, r2: i32
             b0: r0 = i32 0 jump b1
             b1: r1 = signed_less r0, i32 9 branch r1, b2, b3
             b2: r2 = add r0, i32 1 r0 = r2 jump b1
             b3: return }",
        )
        .expect("parses");
        let function = &program.functions[program.entry];
        let liveness = Liveness::new(function, &ControlFlow::new(function));
        let live = |block| liveness.live_in(BlockId::from_index(block)).map(Id::index).collect::<Vec<_>>();
        assert_eq!([live(0), live(1), live(2), live(3)], [vec![], vec![0], vec![0], vec![]]);
        assert!(liveness.is_live_out(BlockId::from_index(2), RegisterId::from_index(0)));
        assert!(!liveness.is_live_out(BlockId::from_index(2), RegisterId::from_index(2)));
    }

    #[test]
    fn what_one_way_leaves_unassigned_is_found() {
        let program = parse_program(
            "program pointer_bits 64 entry f0 function f0 \"main\" (r0) -> i32 { registers r0: i1, r1: i32
             b0: branch r0, b1, b2
             b1: r1 = i32 1 jump b2
             b2: return r1 }",
        )
        .expect("parses");
        let found = read_before_assigned(&program.functions[program.entry]);
        assert_eq!(found, [RegisterId::from_index(1)]);
    }
}
