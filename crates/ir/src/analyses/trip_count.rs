//! Trip counts: the number of iterations of the usual counted loops.
//!
//! The count is found by running the few instructions that decide an exit, and nothing else, from the constants
//! that hold when the loop is entered. Whatever the counting looks like (up, down, `!=`, a step, doubling, narrow
//! types that wrap) it is computed as the program would. Exact or absent, never wrong: everything that decides
//! must be executed once in each iteration and depend on constants only, and long counts are given up.

use raddle_base::Table;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cfg::ControlFlow;
use super::dominators::Dominators;
use super::loops::{Loop, LoopId, Loops};
use crate::fold::evaluate;
use crate::inst::{Constant, InstKind, Operand, Terminator};
use crate::program::{BlockId, Function, RegisterId};

/// The number of iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TripCount {
    /// Each time the loop is entered, it goes back to its header at most this often.
    pub most: u64,
    /// Each time the loop is entered and left, it goes back to its header exactly this often.
    pub exact: bool,
}

/// Evaluations after which a loop is given up: more iterations than any engine unrolls.
const MAX_EVALUATIONS: u32 = 1 << 18;

/// Steps of looking for a constant through predecessors.
const MAX_SEARCH: u32 = 500;

/// Counts the iterations of a function's loops.
#[derive(Debug)]
pub struct TripCounts<'f> {
    function: &'f Function,
    flow: &'f ControlFlow,
    dominators: &'f Dominators,
    loops: &'f Loops,
    definitions: Table<RegisterId, SmallVec<[(BlockId, usize); 2]>>,
}

impl<'f> TripCounts<'f> {
    /// For the loops of `function`.
    #[must_use]
    pub fn new(
        function: &'f Function,
        flow: &'f ControlFlow,
        dominators: &'f Dominators,
        loops: &'f Loops,
    ) -> Self {
        let mut definitions: Table<RegisterId, SmallVec<_>> =
            Table::filled(function.registers.len(), SmallVec::new);
        for &block in flow.reverse_postorder() {
            for (index, inst) in function.blocks[block].insts.iter().enumerate() {
                if let Some(dest) = inst.kind.dest() {
                    definitions[dest].push((block, index));
                }
            }
        }
        Self { function, flow, dominators, loops, definitions }
    }

    /// The number of iterations of the loop, when that is known.
    #[must_use]
    pub fn count(&self, id: LoopId) -> Option<TripCount> {
        let each = &self.loops.loops[id];
        // In a cycle that is no loop, a block may run twice in one iteration.
        // The slice is evaluated as if each of its instructions ran once in an iteration.
        if self.loops.irreducible.iter().any(|region| region.blocks.iter().any(|block| each.contains(*block)))
        {
            return None;
        }
        // Each exit bounds the count by itself, so the least of them holds. It is exact only if all are known: another exit may
        // be taken before.
        let mut most: Option<u64> = None;
        let mut exact = true;
        // Every exit counts alone: in which iteration it would be taken if all others stayed.
        for &(from, to) in &each.exits {
            match self.exit_count(id, each, from, to) {
                Some(count) => most = Some(most.map_or(count, |known| known.min(count))),
                None => exact = false,
            }
        }
        most.map(|most| TripCount { most, exact })
    }

    /// Whether the block runs exactly once in each iteration.
    fn once_an_iteration(&self, id: LoopId, block: BlockId) -> bool {
        self.loops.innermost(block) == Some(id)
            && self.loops.loops[id].latches.iter().all(|latch| self.dominators.dominates(block, *latch))
    }

    /// In which iteration the edge is taken, if no other exit is taken before.
    fn exit_count(&self, id: LoopId, each: &Loop, from: BlockId, to: BlockId) -> Option<u64> {
        let Terminator::Branch(condition, yes, no) = self.function.blocks[from].terminator else {
            return None;
        };
        // With both targets equal the branch decides nothing; a block that is skipped in some iterations
        // counts other things.
        if yes == no || !self.once_an_iteration(id, from) {
            return None;
        }
        let leaves_when = yes == to;
        let (slice, mut values) = self.slice(id, each, condition)?;
        // A condition that nothing in the loop computes does not change: the loop is left at once or never by
        // it.
        if slice.is_empty() {
            return None;
        }
        let mut evaluations = 0;
        let mut iterations: u64 = 0;
        // A state met before comes again for ever; one is remembered at each power of two.
        let mut remembered = values.clone();
        loop {
            let mut decided = false;
            for &(block, index) in &slice {
                // The branch is between the instructions of the slice: decide with what was assigned before it.
                if !decided && self.flow.position(block) > self.flow.position(from) {
                    decided = true;
                    if is_true(&values, condition)? == leaves_when {
                        return Some(iterations);
                    }
                }
                let InstKind::Assign { dest, value } = &self.function.blocks[block].insts[index].kind else {
                    return None;
                };
                let ty = self.function.registers[*dest].ty;
                // An operand without a known value ends the counting: nothing is guessed.
                let result = evaluate(value, ty, |operand| known(&values, operand))?;
                values.insert(*dest, result);
                evaluations += 1;
            }
            if !decided && is_true(&values, condition)? == leaves_when {
                return Some(iterations);
            }
            iterations += 1;
            // The same values again at the same program point: this exit is never taken.
            if evaluations > MAX_EVALUATIONS || values == remembered {
                return None;
            }
            if iterations.is_power_of_two() {
                remembered.clone_from(&values);
            }
        }
    }

    /// The instructions of the loop that decide the condition, in the order they run, and the values they start with.
    #[expect(clippy::type_complexity, reason = "a pair used once")]
    fn slice(
        &self,
        id: LoopId,
        each: &Loop,
        condition: Operand,
    ) -> Option<(Vec<(BlockId, usize)>, FxHashMap<RegisterId, Constant>)> {
        let mut slice: Vec<(BlockId, usize)> = Vec::new();
        let mut values = FxHashMap::default();
        let mut seen: Vec<RegisterId> = Vec::new();
        let mut waiting: Vec<RegisterId> = condition.register().into_iter().collect();
        while let Some(register) = waiting.pop() {
            if seen.contains(&register) {
                continue;
            }
            seen.push(register);
            // A value at entry is optional here. If it is needed and missing, the evaluation finds out.
            if let Some(value) = self.value_at_entry(each, register) {
                values.insert(register, value);
            }
            for &(block, index) in &self.definitions[register] {
                if !each.contains(block) {
                    continue;
                }
                // An assignment in a branch or in an inner loop happens never or often.
                if !self.once_an_iteration(id, block) {
                    return None;
                }
                let InstKind::Assign { dest: _, value } = &self.function.blocks[block].insts[index].kind
                else {
                    return None;
                };
                slice.push((block, index));
                value.for_each_operand(|operand| waiting.extend(operand.register()));
            }
        }
        // Blocks that run once in an iteration dominate one another, so this is the order they run in.
        slice.sort_by_key(|&(block, index)| (self.flow.position(block), index));
        Some((slice, values))
    }

    /// The register's value whenever the loop is entered from outside.
    fn value_at_entry(&self, each: &Loop, register: RegisterId) -> Option<Constant> {
        let mut fuel = MAX_SEARCH;
        let from_outside = |from: &BlockId| !each.contains(*from);
        // The entry of a function as a header: what comes from outside are the parameters.
        if self.flow.position(each.header) == Some(0) {
            return None;
        }
        self.agreed(each.header, from_outside, register, &mut fuel)
    }

    /// The register's value at the end of all reachable predecessors that count, when it is the same in all.
    fn agreed(
        &self,
        block: BlockId,
        counts: impl Fn(&BlockId) -> bool,
        register: RegisterId,
        fuel: &mut u32,
    ) -> Option<Constant> {
        // Agreement of all predecessors, or nothing.
        let mut value = None;
        for from in
            self.flow.predecessors(block).iter().filter(|from| self.flow.is_reachable(**from) && counts(from))
        {
            let insts = self.function.blocks[*from].insts.len();
            let found = self.value_before(*from, insts, register, fuel)?;
            if value.is_some_and(|known| known != found) {
                return None;
            }
            value = Some(found);
        }
        value
    }

    /// The register's value whenever control is before the instruction, when it is always the same.
    fn value_before(
        &self,
        block: BlockId,
        index: usize,
        register: RegisterId,
        fuel: &mut u32,
    ) -> Option<Constant> {
        // Fuel bounds the recursion through joins, which may go around loops outside of this one.
        *fuel = fuel.checked_sub(1)?;
        let insts = &self.function.blocks[block].insts[..index];
        if let Some(at) = insts.iter().rposition(|inst| inst.kind.dest() == Some(register)) {
            return self.assigned_value(block, at, fuel);
        }
        let is_parameter = self.function.parameters.contains(&register);
        // A single assignment has happened before every read.
        if let ([(home, at)], false) = (self.definitions[register].as_slice(), is_parameter) {
            return self.assigned_value(*home, *at, fuel);
        }
        if self.flow.position(block) == Some(0) {
            return None;
        }
        self.agreed(block, |_| true, register, fuel)
    }

    fn assigned_value(&self, block: BlockId, index: usize, fuel: &mut u32) -> Option<Constant> {
        let InstKind::Assign { dest, value } = &self.function.blocks[block].insts[index].kind else {
            return None;
        };
        evaluate(value, self.function.registers[*dest].ty, |operand| match operand {
            Operand::Constant(constant) => Some(constant),
            Operand::Register(register) => self.value_before(block, index, register, fuel),
        })
    }
}

fn known(values: &FxHashMap<RegisterId, Constant>, operand: Operand) -> Option<Constant> {
    match operand {
        Operand::Constant(constant) => Some(constant),
        Operand::Register(register) => values.get(&register).copied(),
    }
}

fn is_true(values: &FxHashMap<RegisterId, Constant>, condition: Operand) -> Option<bool> {
    match known(values, condition)? {
        Constant::Int(1, value) => Some(value == 1),
        Constant::Int(..)
        | Constant::F32(_)
        | Constant::F64(_)
        | Constant::Null
        | Constant::Global(..)
        | Constant::Function(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    /// The counts of all loops, as `most` with `!` for exact ones and `-` for unknown ones.
    fn counts(body: &str) -> String {
        let text = format!(
            "program pointer_bits 64 entry f0 havoc h0 \"n\" i1 function f0 \"main\" (r7) {{
             registers r0: i32, r1: i1, r2: i32, r3: i8, r4: i1, r5: i32, r6: i1, r7: i32 {body} }}"
        );
        let program = parse_program(&text).expect("parses");
        let function = &program.functions[program.entry];
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(&flow, function.blocks.len());
        let loops = Loops::new(function, &flow, &dominators);
        let counter = TripCounts::new(function, &flow, &dominators, &loops);
        let shown = loops.loops.ids().map(|id| match counter.count(id) {
            None => "-".to_owned(),
            Some(TripCount { most, exact }) => format!("{most}{}", if exact { "!" } else { "" }),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// A `for` loop: start, condition to stay, step.
    fn for_loop(start: &str, stay: &str, step: &str) -> String {
        counts(&format!(
            "b0: r0 = {start} jump b1 b1: r1 = {stay} branch r1, b2, b3 b2: r2 = {step} r0 = r2 jump b1 b3: return"
        ))
    }

    #[test]
    fn counted_for_loops() {
        assert_eq!(for_loop("i32 0", "signed_less r0, i32 10", "add r0, i32 1"), "10!");
        assert_eq!(for_loop("i32 0", "signed_less_equal r0, i32 10", "add r0, i32 1"), "11!");
        assert_eq!(for_loop("i32 0", "not_equal r0, i32 10", "add r0, i32 2"), "5!");
        assert_eq!(for_loop("i32 10", "signed_less i32 0, r0", "sub r0, i32 1"), "10!");
        assert_eq!(for_loop("i32 10", "signed_less_equal i32 0, r0", "add r0, i32 -1"), "11!");
        assert_eq!(for_loop("i32 1", "signed_less r0, i32 100", "mul r0, i32 2"), "7!");
        assert_eq!(for_loop("i32 5", "signed_less r0, i32 5", "add r0, i32 1"), "0!");
        assert_eq!(for_loop("i32 0", "unsigned_less r0, i32 7", "add r0, i32 3"), "3!");
    }

    #[test]
    fn what_is_not_known_is_absent() {
        // Never ends: steps over the bound and wraps for ever.
        assert_eq!(for_loop("i32 0", "not_equal r0, i32 5", "add r0, i32 2"), "-");
        assert_eq!(for_loop("r7", "signed_less r0, i32 5", "add r0, i32 1"), "-");
        assert_eq!(for_loop("i32 0", "signed_less r0, r7", "add r0, i32 1"), "-");
        assert_eq!(for_loop("i32 0", "signed_less r0, i32 5", "add r0, r7"), "-");
        assert_eq!(for_loop("i32 0", "signed_less r0, i32 5", "signed_div r0, i32 0"), "-");
    }

    #[test]
    fn narrow_counters_wrap_as_the_program_does() {
        let body = "b0: r3 = i8 250 jump b1
            b1: r5 = zero_extend r3 r1 = signed_less i32 200, r5 branch r1, b2, b3
            b2: r3 = add r3, i8 1 jump b1 b3: return";
        assert_eq!(counts(body), "6!");
    }

    #[test]
    fn a_break_makes_it_a_bound() {
        let body = "b0: r0 = i32 0 r6 = havoc h0 jump b1
            b1: r1 = signed_less r0, i32 10 branch r1, b2, b4
            b2: r4 = havoc h0 branch r4, b3, b4
            b3: r0 = add r0, i32 1 jump b1 b4: return";
        assert_eq!(counts(body), "10");
    }

    #[test]
    fn a_do_while_with_its_test_at_the_end_and_a_bound_in_a_register() {
        let body = "b0: r0 = i32 0 r5 = i32 4 jump b1
            b1: r0 = add r0, i32 1 jump b2
            b2: r1 = signed_less r0, r5 branch r1, b1, b3 b3: return";
        assert_eq!(counts(body), "3!");
    }

    #[test]
    fn nested_loops_count_each_entry() {
        let body = "b0: r0 = i32 0 jump b1
            b1: r1 = signed_less r0, i32 3 branch r1, b2, b6
            b2: r2 = i32 0 jump b3
            b3: r4 = signed_less r2, i32 4 branch r4, b4, b5
            b4: r2 = add r2, i32 1 jump b3
            b5: r0 = add r0, i32 1 jump b1 b6: return";
        assert_eq!(counts(body), "3! 4!");
    }

    #[test]
    fn a_step_taken_only_sometimes_or_twice_is_not_counted() {
        let sometimes = "b0: r0 = i32 0 r4 = havoc h0 jump b1
            b1: r1 = signed_less r0, i32 10 branch r1, b2, b4
            b2: branch r4, b3, b1 b3: r0 = add r0, i32 1 jump b1 b4: return";
        assert_eq!(counts(sometimes), "-");
        let inner = "b0: r0 = i32 0 r4 = havoc h0 jump b1
            b1: r1 = signed_less r0, i32 10 branch r1, b2, b3
            b2: r0 = add r0, i32 1 branch r4, b2, b1 b3: return";
        assert_eq!(counts(inner), "- -");
        let twice = "b0: r0 = i32 0 jump b1
            b1: r1 = signed_less r0, i32 10 branch r1, b2, b3
            b2: r0 = add r0, i32 1 r0 = add r0, i32 1 jump b1 b3: return";
        assert_eq!(counts(twice), "5!");
    }

    #[test]
    fn an_outer_counter_is_no_constant_of_the_inner_loop() {
        let body = "b0: r0 = i32 0 jump b1
            b1: r1 = signed_less r0, i32 3 branch r1, b2, b6
            b2: r2 = r0 jump b3
            b3: r4 = signed_less r2, i32 4 branch r4, b4, b5
            b4: r2 = add r2, i32 1 jump b3
            b5: r0 = add r0, i32 1 jump b1 b6: return";
        assert_eq!(counts(body), "3! -");
    }
}
