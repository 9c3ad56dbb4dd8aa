//! Constant folding, copy propagation inside blocks, dead assignments, jump threading, unreachable blocks.
//!
//! Keeps every access to memory, every check, every input and every call, in their order on every path through a
//! function; only computations between them and empty blocks go. A computation that may be undefined stays.

use fixedbitset::FixedBitSet;
use raddle_base::{Id, Table};
use rustc_hash::FxHashMap;

use crate::analyses::cfg::ControlFlow;
use crate::analyses::liveness::{Liveness, add_terminator, step_back};
use crate::analyses::side_effects::may_fault;
use crate::fold::evaluate;
use crate::inst::{Constant, Inst, InstKind, Operand, Rvalue, Terminator};
use crate::program::{Block, BlockId, Function, FunctionId, Program, RegisterId, Type};
use crate::validate::debug_validate;

/// Turns after which a function is left as it is; two or three are usual.
const MAX_ROUNDS: u32 = 20;

/// Simplifies all functions.
pub fn simplify(program: &mut Program) {
    let signatures: Table<FunctionId, Signature> = program.functions.values().map(Signature::of).collect();
    for (_, function) in program.functions.iter_mut() {
        for _ in 0..MAX_ROUNDS {
            let mut changed = propagate(function, &signatures);
            changed |= simplify_terminators(function);
            changed |= thread_jumps(function);
            changed |= merge_chains(function);
            changed |= remove_dead_assignments(function);
            changed |= remove_unreachable(function);
            if !changed {
                break;
            }
        }
    }
    debug_validate(program, "simplify");
}

/// What a call of a function passes and takes.
struct Signature {
    parameters: Vec<Type>,
    result: Option<Type>,
}

impl Signature {
    fn of(function: &Function) -> Self {
        let ty = |register: &RegisterId| function.registers[*register].ty;
        Self { parameters: function.parameters.iter().map(ty).collect(), result: function.result }
    }
}

/// Values of registers at one program point of a block.
#[derive(Default)]
struct KnownValues {
    values: FxHashMap<RegisterId, Operand>,
}

impl KnownValues {
    /// Replaces a register whose value is known.
    fn replace(&self, operand: &mut Operand) -> bool {
        let Operand::Register(register) = *operand else { return false };
        let Some(value) = self.values.get(&register) else { return false };
        *operand = *value;
        true
    }

    /// The register gets a new value: what was known of it, and of its copies, no longer holds.
    fn assign(&mut self, dest: RegisterId, value: Option<Operand>) {
        self.values.remove(&dest);
        self.values.retain(|_, known| *known != Operand::Register(dest));
        if let Some(value) = value.filter(|value| *value != Operand::Register(dest)) {
            self.values.insert(dest, value);
        }
    }
}

/// Replaces registers by constants and by what they are copies of, and folds what becomes constant.
fn propagate(function: &mut Function, signatures: &Table<FunctionId, Signature>) -> bool {
    let mut changed = false;
    let registers = function.registers.clone();
    for (_, block) in function.blocks.iter_mut() {
        let mut known = KnownValues::default();
        for inst in &mut block.insts {
            changed |= replace_operands(
                &mut inst.kind,
                &known,
                |operand| match operand {
                    Operand::Register(register) => registers[register].ty,
                    Operand::Constant(constant) => constant.ty(),
                },
                signatures,
            );
            if let InstKind::Assign { dest, value } = &mut inst.kind {
                if !matches!(value, Rvalue::Use(_))
                    && let Some(constant) = evaluate(value, registers[*dest].ty, Operand::constant)
                {
                    *value = Rvalue::Use(Operand::Constant(constant));
                    changed = true;
                }
                let copied = if let Rvalue::Use(operand) = value { Some(*operand) } else { None };
                known.assign(*dest, copied);
            } else if let Some(dest) = inst.kind.dest() {
                known.assign(dest, None);
            }
        }
        block.terminator.for_each_operand_mut(|operand| changed |= known.replace(operand));
    }
    changed
}

fn replace_operands(
    kind: &mut InstKind,
    known: &KnownValues,
    ty: impl Fn(Operand) -> Type,
    signatures: &Table<FunctionId, Signature>,
) -> bool {
    let mut changed = false;
    let before = if let InstKind::Call { callee: target, .. } | InstKind::Fork { function: target, .. } = kind
    {
        Some(*target)
    } else {
        None
    };
    let original = before.map(|_| kind.clone());
    kind.for_each_operand_mut(|operand| changed |= known.replace(operand));
    let (Some(before), Some(original)) = (before, original) else { return changed };
    // A call through a pointer to a function that does not fit is a violation when it happens; by name it would be malformed.
    let fits = |function: FunctionId, arguments: &[Operand], result: Option<Type>| {
        let signature = &signatures[function];
        let types: Vec<Type> = arguments.iter().map(|argument| ty(*argument)).collect();
        signature.parameters == types && (result.is_none() || signature.result == result)
    };
    if let InstKind::Call { dest, callee, arguments } = kind
        && let Operand::Constant(Constant::Function(function)) = *callee
        && !fits(function, arguments, dest.map(|dest| ty(Operand::Register(dest))))
    {
        *callee = before;
    }
    if let InstKind::Fork { function: target, argument, .. } = kind
        && let Operand::Constant(Constant::Function(function)) = *target
        && !fits(function, &[*argument], Some(Type::Ptr))
    {
        *target = before;
    }
    *kind != original
}

/// Branches and switches that can go one way only become jumps.
fn simplify_terminators(function: &mut Function) -> bool {
    let mut changed = false;
    for (_, block) in function.blocks.iter_mut() {
        let targets = block.terminator.successors();
        let only = match &block.terminator {
            Terminator::Branch(Operand::Constant(Constant::Int(_, value)), yes, no) => {
                Some(if *value == 1 { *yes } else { *no })
            }
            Terminator::Switch { value: Operand::Constant(Constant::Int(_, value)), cases, default } => {
                let case = cases.iter().find(|(low, high, _)| (low..=high).contains(&value));
                Some(case.map_or(*default, |case| case.2))
            }
            Terminator::Branch(..) | Terminator::Switch { .. } => {
                targets.first().copied().filter(|first| targets.iter().all(|target| target == first))
            }
            Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::ExitThread(_)
            | Terminator::ExitProcess(_)
            | Terminator::Abort
            | Terminator::Unreachable
            | Terminator::Unsupported(_) => None,
        };
        if let Some(target) = only {
            block.terminator = Terminator::Jump(target);
            changed = true;
        }
    }
    changed
}

/// Edges to an empty block that only jumps on go where it jumps.
fn thread_jumps(function: &mut Function) -> bool {
    let next: Table<BlockId, Option<BlockId>> =
        function.blocks.iter().map(|(id, block)| jumps_on(id, block)).collect();
    let mut changed = false;
    for (_, block) in function.blocks.iter_mut() {
        block.terminator.for_each_successor_mut(|target| {
            let mut end = *target;
            // Empty blocks that jump in a circle are an endless loop, which stays as it is.
            for _ in 0..next.len() {
                match next[end] {
                    Some(onward) => end = onward,
                    None => {
                        changed |= end != *target;
                        *target = end;
                        break;
                    }
                }
            }
        });
    }
    changed
}

/// Where an empty block jumps to.
fn jumps_on(id: BlockId, block: &Block) -> Option<BlockId> {
    let Terminator::Jump(target) = block.terminator else { return None };
    (block.insts.is_empty() && target != id).then_some(target)
}

/// A block and the one it jumps to become one, when there is no other way there.
fn merge_chains(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    let mut changed = false;
    let mut gone: Table<BlockId, bool> = Table::filled(function.blocks.len(), || false);
    for &id in flow.reverse_postorder() {
        if gone[id] {
            continue;
        }
        while let Terminator::Jump(next) = function.blocks[id].terminator {
            let is_entry = next.index() == 0;
            let others = flow.predecessors(next).iter().filter(|from| flow.is_reachable(**from)).count();
            if is_entry || next == id || others != 1 || gone[next] {
                break;
            }
            gone[next] = true;
            changed = true;
            let taken = std::mem::take(&mut function.blocks[next].insts);
            let terminator =
                std::mem::replace(&mut function.blocks[next].terminator, Terminator::Unreachable);
            let span = function.blocks[next].span;
            let block = &mut function.blocks[id];
            block.insts.extend(taken);
            block.terminator = terminator;
            block.span = span;
        }
    }
    changed
}

/// Assignments whose value is never read go, unless computing it may be undefined.
fn remove_dead_assignments(function: &mut Function) -> bool {
    let liveness = Liveness::new(function, &ControlFlow::new(function));
    let mut changed = false;
    for (id, block) in function.blocks.iter_mut() {
        let mut live: FixedBitSet = liveness.live_out_set(id);
        add_terminator(&mut live, &block.terminator);
        let mut kept: Vec<Inst> = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts).into_iter().rev() {
            let is_dead = if let InstKind::Assign { dest, value } = &inst.kind {
                (!live.contains(dest.index()) && !may_fault(&inst))
                    || *value == Rvalue::Use(Operand::Register(*dest))
            } else {
                false
            };
            if is_dead {
                changed = true;
                continue;
            }
            step_back(&mut live, &inst);
            kept.push(inst);
        }
        kept.reverse();
        block.insts = kept;
    }
    changed
}

/// Blocks that cannot be reached go; the others keep their order. Gives whether there were any.
pub fn remove_unreachable(function: &mut Function) -> bool {
    let flow = ControlFlow::new(function);
    if function.blocks.ids().all(|id| flow.is_reachable(id)) {
        return false;
    }
    let mut renamed: Table<BlockId, Option<BlockId>> = Table::filled(function.blocks.len(), || None);
    for (next, id) in function.blocks.ids().filter(|id| flow.is_reachable(*id)).enumerate() {
        renamed[id] = Some(BlockId::from_index(next));
    }
    let old = std::mem::take(&mut function.blocks);
    let mut blocks: Table<BlockId, Block> = Table::new();
    for (id, block) in old.iter().filter(|(id, _)| renamed[*id].is_some()) {
        let mut block = block.clone();
        block.terminator.for_each_successor_mut(|target| {
            *target = renamed[*target].expect("what a reachable block leads to is reachable");
        });
        debug_assert!(renamed[id] == Some(blocks.next_id()), "the order is kept");
        blocks.push(block);
    }
    function.blocks = blocks;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse_program, print_function};
    use crate::validate::validate;

    /// The body of `main` after simplification, on one line.
    fn simplified(body: &str) -> String {
        let text = format!(
            "program pointer_bits 64 entry f0 havoc h0 \"n\" i32 global g0 \"x\" size 4 align 4 {{ }}
             function f0 \"main\" () {{
             registers r0: i32, r1: i32, r2: i1, r3: ptr, r4: i32, r5: i64 {body} }}
             function f1 \"take\" (r0) -> i32 {{ registers r0: i32 b0: return r0 }}"
        );
        let mut program = parse_program(&text).expect("parses");
        assert_eq!(validate(&program), []);
        simplify(&mut program);
        let printed = print_function(&program, program.entry, None);
        let lines = printed.lines().skip(2).map(str::trim).filter(|line| *line != "}");
        lines.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn constants_fold_through_copies_and_branches() {
        let result = simplified(
            "b0: r0 = i32 2 r1 = r0 r4 = add r1, i32 3 r2 = signed_less r4, i32 9 branch r2, b1, b2
             b1: store i32 [@x], i32 1 jump b3 b2: store i32 [@x], i32 2 jump b3 b3: exit_process i32 0",
        );
        assert_eq!(result, "b0: | store i32 [@x], i32 1 | exit_process i32 0");
    }

    #[test]
    fn values_from_one_block_reach_the_next_after_merging() {
        let result = simplified("b0: r0 = i32 2 jump b1 b1: r1 = mul r0, i32 4 exit_process r1");
        assert_eq!(result, "b0: | exit_process i32 8");
    }

    #[test]
    fn accesses_checks_inputs_and_faults_stay() {
        let result = simplified(
            "b0: r0 = load i32 [@x] r1 = havoc h0 check assertion true, \"t\" r4 = signed_div i32 1, r1
             r4 = add r0, r1 return",
        );
        assert_eq!(
            result,
            "b0: | r0 = load i32 [@x] | r1 = havoc h0 | check assertion true, \"t\" | r4 = signed_div i32 1, r1 | return"
        );
    }

    #[test]
    fn asking_about_a_lock_stays_and_is_never_a_constant() {
        let result = simplified("b0: r2 = holds_lock @x r2 = lock_is_free null r5 = object_size @x return");
        assert_eq!(result, "b0: | r2 = holds_lock @x | r2 = lock_is_free null | return");
    }

    #[test]
    fn a_copy_ends_when_its_source_changes() {
        let result = simplified(
            "b0: r0 = load i32 [@x] r1 = r0 r0 = load i32 [@x] store i32 [@x], r1 exit_process r0",
        );
        assert_eq!(
            result,
            "b0: | r0 = load i32 [@x] | r1 = r0 | r0 = load i32 [@x] | store i32 [@x], r1 | exit_process r0"
        );
    }

    #[test]
    fn pointers_to_functions_become_names_only_when_they_fit() {
        let fitting = simplified("b0: r3 = @take r0 = call r3(i32 1) exit_process r0");
        assert_eq!(fitting, "b0: | r0 = call @take(i32 1) | exit_process r0");
        let other = simplified("b0: r3 = @take r5 = call r3(i32 1) return");
        assert_eq!(other, "b0: | r3 = @take | r5 = call r3(i32 1) | return");
    }

    #[test]
    fn empty_blocks_are_skipped_and_endless_loops_kept() {
        let result = simplified(
            "b0: r0 = load i32 [@x] r2 = equal r0, i32 0 branch r2, b1, b2 b1: jump b3 b2: jump b3 b3: jump b4
             b4: r2 = equal r0, i32 1 branch r2, b5, b6 b5: jump b5 b6: jump b7 b7: jump b6",
        );
        assert_eq!(
            result,
            "b0: | r0 = load i32 [@x] | r2 = equal r0, i32 1 | branch r2, b1, b2 | b1: | jump b1 | b2: | jump b2"
        );
    }

    #[test]
    fn switches_on_constants() {
        let result = simplified(
            "b0: r0 = i32 5 switch r0 { 0: b1, 3..9: b2, default: b3 } b1: return b2: exit_process i32 2 b3: return",
        );
        assert_eq!(result, "b0: | exit_process i32 2");
    }
}
