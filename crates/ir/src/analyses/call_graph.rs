//! The call graph: which functions may call which, which may start threads, and what is recursive.
//!
//! Over-approximates: every call and fork that can happen is in the graph. Calls through pointers are resolved by
//! [`PointsTo`], or, without it, to every function of fitting type whose address is taken.

use raddle_base::{Id, Table};

use super::points_to::{CallSite, PointsTo};
use crate::inst::{Constant, InstKind, Operand};
use crate::program::{BlockId, FunctionId, Program, Type};

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Calls a function by its name.
    Direct,
    /// Calls through a pointer.
    Indirect,
    /// Starts a thread.
    Fork,
}

/// A call or fork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// In which block.
    pub block: BlockId,
    /// Which instruction.
    pub inst: usize,
    /// What it does.
    pub kind: CallKind,
    /// What may be called or started, in order.
    pub callees: Vec<FunctionId>,
}

/// The calls of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    calls: Table<FunctionId, Vec<Call>>,
    /// Functions that call one another, callees before callers.
    components: Vec<Vec<FunctionId>>,
    recursive: Table<FunctionId, bool>,
    threads: Vec<FunctionId>,
    reached: Table<FunctionId, bool>,
}

impl CallGraph {
    /// With pointers resolved by where they may point. Functions that are never called have no calls.
    #[must_use]
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        Self::build(program, |site, _, _| points_to.callees(site).to_vec())
    }

    /// With pointers resolved by type only.
    #[must_use]
    pub fn by_type(program: &Program) -> Self {
        let taken = address_taken(program);
        Self::build(program, |_, arguments, result| {
            let fits = |id: &FunctionId| program.fits_call(&program.functions[*id], arguments, result);
            taken.iter().copied().filter(fits).collect()
        })
    }

    fn build(
        program: &Program,
        resolve: impl Fn(CallSite, &[Type], Option<Type>) -> Vec<FunctionId>,
    ) -> Self {
        let mut calls: Table<FunctionId, Vec<Call>> = Table::filled(program.functions.len(), Vec::new);
        for (id, function) in program.functions.iter() {
            for (block, contents) in function.blocks.iter() {
                for (index, inst) in contents.insts.iter().enumerate() {
                    let site = CallSite { function: id, block, inst: index };
                    let (target, types, result, is_fork) = match &inst.kind {
                        InstKind::Call { dest, callee, arguments } => {
                            let types =
                                arguments.iter().filter_map(|argument| argument.ty(function)).collect();
                            (*callee, types, dest.map(|dest| function.registers[dest].ty), false)
                        }
                        InstKind::Fork { function: target, .. } => {
                            (*target, vec![Type::Ptr], Some(Type::Ptr), true)
                        }
                        InstKind::Assign { .. }
                        | InstKind::Load { .. }
                        | InstKind::Store { .. }
                        | InstKind::AtomicRmw { .. }
                        | InstKind::CompareExchange { .. }
                        | InstKind::Fence(_)
                        | InstKind::Alloc { .. }
                        | InstKind::Free { .. }
                        | InstKind::EndLife(_)
                        | InstKind::Intrinsic { .. }
                        | InstKind::Havoc { .. }
                        | InstKind::Assume(_)
                        | InstKind::WaitUntil(_)
                        | InstKind::Check { .. }
                        | InstKind::Join { .. }
                        | InstKind::Lock { .. }
                        | InstKind::Unlock { .. }
                        | InstKind::AtomicBegin
                        | InstKind::AtomicEnd => continue,
                    };
                    let (kind, callees) = match target {
                        Operand::Constant(Constant::Function(callee)) => (CallKind::Direct, vec![callee]),
                        Operand::Constant(_) | Operand::Register(_) => {
                            (CallKind::Indirect, resolve(site, &types, result))
                        }
                    };
                    let kind = if is_fork { CallKind::Fork } else { kind };
                    calls[id].push(Call { block, inst: index, kind, callees });
                }
            }
        }
        Self::finish(program, calls)
    }

    fn finish(program: &Program, calls: Table<FunctionId, Vec<Call>>) -> Self {
        let callees: Table<FunctionId, Vec<FunctionId>> = calls
            .values()
            .map(|calls| {
                let is_call = |call: &&Call| call.kind != CallKind::Fork;
                calls.iter().filter(is_call).flat_map(|call| call.callees.iter().copied()).collect()
            })
            .collect();
        let components = strongly_connected(&callees);
        let mut recursive = Table::filled(calls.len(), || false);
        for component in &components {
            // A fork runs elsewhere and later, so it does not make a function recursive.
            for &function in component {
                recursive[function] = component.len() > 1 || callees[function].contains(&function);
            }
        }
        let mut graph = Self { calls, components, recursive, threads: Vec::new(), reached: Table::new() };
        // Threads are started only by functions that may run at all.
        graph.reached = graph.reach(program.entry, |_| true);
        let forks = graph.calls.iter().filter(|(id, _)| graph.reached[*id]).flat_map(|(_, calls)| calls);
        let mut threads: Vec<FunctionId> = (forks.filter(|call| call.kind == CallKind::Fork))
            .flat_map(|call| call.callees.iter().copied())
            .chain(std::iter::once(program.entry))
            .collect();
        threads.sort_unstable();
        threads.dedup();
        graph.threads = threads;
        graph
    }

    fn reach(&self, from: FunctionId, follow: impl Fn(CallKind) -> bool) -> Table<FunctionId, bool> {
        let mut seen = Table::filled(self.calls.len(), || false);
        if seen.get(from).is_none() {
            return seen;
        }
        seen[from] = true;
        let mut waiting = vec![from];
        while let Some(function) = waiting.pop() {
            for call in self.calls[function].iter().filter(|call| follow(call.kind)) {
                for &callee in &call.callees {
                    if !seen[callee] {
                        seen[callee] = true;
                        waiting.push(callee);
                    }
                }
            }
        }
        seen
    }

    /// The calls and forks of a function, in order.
    #[must_use]
    pub fn calls(&self, function: FunctionId) -> &[Call] {
        &self.calls[function]
    }

    /// Sets of functions that call one another, callees before callers.
    #[must_use]
    pub fn components(&self) -> &[Vec<FunctionId>] {
        &self.components
    }

    /// Whether the function may call itself, through others or not.
    #[must_use]
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function]
    }

    /// The functions in which threads start: the entry and all that may be forked, in order.
    #[must_use]
    pub fn thread_functions(&self) -> &[FunctionId] {
        &self.threads
    }

    /// Whether the function may run at all.
    #[must_use]
    pub fn is_reached(&self, function: FunctionId) -> bool {
        self.reached[function]
    }

    /// The functions that a thread which starts in `function` may run, itself included.
    #[must_use]
    pub fn run_by_thread(&self, function: FunctionId) -> Vec<FunctionId> {
        let seen = self.reach(function, |kind| kind != CallKind::Fork);
        seen.iter().filter(|(_, seen)| **seen).map(|(id, _)| id).collect()
    }
}

/// Functions whose address is used other than to call or fork them, in order.
fn address_taken(program: &Program) -> Vec<FunctionId> {
    let mut taken = Table::filled(program.functions.len(), || false);
    let mut mark = |operand: Operand| {
        if let Operand::Constant(Constant::Function(function)) = operand {
            taken[function] = true;
        }
    };
    for part in program.globals.values().flat_map(|global| &global.init) {
        mark(Operand::Constant(part.value));
    }
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        for inst in &block.insts {
            // To be called or forked by name is no taking of the address.
            if let InstKind::Call { callee: _, arguments, .. } = &inst.kind {
                arguments.iter().copied().for_each(&mut mark);
            } else if let InstKind::Fork { function: _, argument, .. } = &inst.kind {
                mark(*argument);
            } else {
                inst.kind.for_each_operand(&mut mark);
            }
        }
        block.terminator.for_each_operand(&mut mark);
    }
    taken.iter().filter(|(_, taken)| **taken).map(|(id, _)| id).collect()
}

/// Tarjan's algorithm, without recursion; each component after those it leads to.
fn strongly_connected(successors: &Table<FunctionId, Vec<FunctionId>>) -> Vec<Vec<FunctionId>> {
    const NEW: usize = usize::MAX;
    let mut number = Table::filled(successors.len(), || NEW);
    let mut low: Table<FunctionId, usize> = Table::filled(successors.len(), || NEW);
    let mut is_open = Table::filled(successors.len(), || false);
    let mut open: Vec<FunctionId> = Vec::new();
    let mut components = Vec::new();
    let mut next_number = 0;
    for root in successors.ids() {
        if number[root] != NEW {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            // The first time here: the node gets its number.
            if *next == 0 {
                number[node] = next_number;
                low[node] = next_number;
                next_number += 1;
                open.push(node);
                is_open[node] = true;
            }
            // One successor a turn, so that the stack is the path.
            if let Some(&target) = successors[node].get(*next) {
                *next += 1;
                if number[target] == NEW {
                    stack.push((target, 0));
                } else if is_open[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            stack.pop();
            // What the child reaches back to, its parent does too.
            if let Some(&(parent, _)) = stack.last() {
                low[parent] = low[parent].min(low[node]);
            }
            // Nothing below reaches further back: what is open from here on is one component.
            if low[node] == number[node] {
                let at = open.iter().rposition(|each| *each == node).unwrap_or_default();
                let mut component = open.split_off(at);
                component.iter().for_each(|each| is_open[*each] = false);
                component.sort_by_key(|each| each.index());
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    fn program(text: &str) -> Program {
        parse_program(&format!("program pointer_bits 64 entry f0 {text}")).expect("parses")
    }

    const EXAMPLE: &str = "global g0 \"handler\" size 8 align 8 { 0: @even }
        function f0 \"main\" () { registers r0: i32, r1: ptr
        b0: r0 = call @even(i32 3) r1 = load ptr [@handler] r0 = call r1(i32 4) r0 = fork @work(@spare) return }
        function f1 \"even\" (r0) -> i32 { registers r0: i32 b0: r0 = call @odd(r0) return r0 }
        function f2 \"odd\" (r0) -> i32 { registers r0: i32 b0: r0 = call @even(r0) return r0 }
        function f3 \"work\" (r0) -> ptr { registers r0: ptr b0: call @leaf() return r0 }
        function f4 \"spare\" (r0) -> i32 { registers r0: i32 b0: return r0 }
        function f5 \"leaf\" () { b0: return }
        function f6 \"dead\" () { b0: call @leaf() return }";

    fn names(program: &Program, functions: &[FunctionId]) -> String {
        let names = functions.iter().map(|id| program.functions[*id].name.as_str());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn points_to_and_types_resolve_pointers() {
        let program = program(EXAMPLE);
        let precise = CallGraph::new(&program, &PointsTo::new(&program));
        let coarse = CallGraph::by_type(&program);
        let show = |graph: &CallGraph| {
            let calls = graph.calls(program.entry).iter();
            calls.map(|call| names(&program, &call.callees)).collect::<Vec<_>>().join(" | ")
        };
        assert_eq!(show(&precise), "even | even | work");
        assert_eq!(show(&coarse), "even | even spare | work");
    }

    #[test]
    fn recursion_threads_and_reach() {
        let program = program(EXAMPLE);
        let graph = CallGraph::new(&program, &PointsTo::new(&program));
        let recursive: Vec<FunctionId> =
            program.functions.ids().filter(|id| graph.is_recursive(*id)).collect();
        assert_eq!(names(&program, &recursive), "even odd");
        assert_eq!(names(&program, graph.thread_functions()), "main work");
        assert_eq!(names(&program, &graph.run_by_thread(program.entry)), "main even odd");
        let dead: Vec<FunctionId> = program.functions.ids().filter(|id| !graph.is_reached(*id)).collect();
        assert_eq!(names(&program, &dead), "spare dead");
        let order: Vec<String> = graph.components().iter().map(|each| names(&program, each)).collect();
        assert_eq!(order, ["even odd", "main", "leaf", "work", "spare", "dead"]);
    }
}
