//! Removes nondeterministic values that no instruction reads.
//!
//! C says that an uninitialised variable holds any value, and lowering writes that down at each declaration. Most
//! variables are assigned before they are read; for those the value is no choice at all, and must not show up as
//! an input of the program. Only the value and plain copies of it are removed: they touch nothing and cannot fail,
//! so the program means the same.

use crate::analyses::cfg::ControlFlow;
use crate::analyses::liveness::{Liveness, add_terminator, step_back};
use crate::inst::{Inst, InstKind, Rvalue};
use crate::program::{Function, Program};
use raddle_base::Id;

/// Does so in every function; gives how many were removed.
pub fn remove_dead_havocs(program: &mut Program) -> usize {
    let mut removed = 0;
    for id in program.functions.ids() {
        removed += in_function(&mut program.functions[id]);
    }
    crate::validate::debug_validate(program, "removing dead havocs");
    removed
}

/// Whether an instruction only gives a register a value: dropping it changes nothing when the register is dead.
fn only_gives_a_value(inst: &Inst) -> bool {
    matches!(inst.kind, InstKind::Havoc { .. } | InstKind::Assign { value: Rvalue::Use(_), .. })
}

fn in_function(function: &mut Function) -> usize {
    if function.blocks.is_empty() {
        return 0;
    }
    let liveness = Liveness::new(function, &ControlFlow::new(function));
    let mut removed = 0;
    for block in function.blocks.ids() {
        let mut live = liveness.live_out_set(block);
        let block = &mut function.blocks[block];
        add_terminator(&mut live, &block.terminator);
        let mut kept = Vec::with_capacity(block.insts.len());
        // Backwards, so that a copy goes before what it copies is looked at.
        for inst in block.insts.drain(..).rev() {
            let dead = inst.kind.dest().is_some_and(|dest| !live.contains(dest.index()));
            if dead && only_gives_a_value(&inst) {
                removed += 1;
                continue;
            }
            step_back(&mut live, &inst);
            kept.push(inst);
        }
        kept.reverse();
        block.insts = kept;
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::print_program;

    #[test]
    fn a_value_that_is_overwritten_goes_and_one_that_is_read_stays() {
        use crate::inst::{Constant, Operand, Terminator};
        use crate::program::{Block, Havoc, Register, Type};
        use raddle_base::{Span, Table};

        let mut registers = Table::new();
        let [fresh, dead, other, read] =
            [(); 4].map(|()| registers.push(Register { ty: Type::Int(32), name: None }));
        let mut havocs = Table::new();
        let havoc = Havoc {
            name: "x".to_owned(),
            ty: Type::Int(32),
            signed: true,
            kind: crate::HavocKind::Input,
            span: Span::NONE,
        };
        let sites = [havocs.push(havoc.clone()), havocs.push(havoc)];
        let inst = |kind| Inst { kind, span: Span::NONE };
        let copy = |dest, from| inst(InstKind::Assign { dest, value: Rvalue::Use(from) });
        let insts = vec![
            inst(InstKind::Havoc { dest: fresh, site: sites[0] }),
            copy(dead, Operand::Register(fresh)),
            copy(dead, Operand::Constant(Constant::Int(32, 1))),
            inst(InstKind::Havoc { dest: other, site: sites[1] }),
            copy(read, Operand::Register(other)),
        ];
        let mut blocks = Table::new();
        let terminator = Terminator::ExitProcess(Operand::Register(read));
        blocks.push(Block { insts, terminator, span: Span::NONE });
        let mut functions = Table::new();
        let entry = functions.push(Function {
            name: "main".to_owned(),
            parameters: Vec::new(),
            result: None,
            registers,
            blocks,
            model: false,
            foreign_reads: None,
            span: Span::NONE,
        });
        let globals = Table::new();
        let mut program = Program {
            pointer_bits: 64,
            functions,
            globals,
            havocs,
            entry,
            address_reuse: crate::AddressReuse::Possible,
            outside: crate::Outside::default(),
        };
        assert_eq!(remove_dead_havocs(&mut program), 3);
        let left: Vec<_> = program.functions[entry].blocks.values().flat_map(|block| &block.insts).collect();
        assert_eq!(left.len(), 2, "{}", print_program(&program, None));
        assert!(matches!(left[0].kind, InstKind::Havoc { site, .. } if site == sites[1]));
    }
}
