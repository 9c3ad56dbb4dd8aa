//! A small interpreter for tests of this crate: just enough to see that passes keep what programs do.
//!
//! Threads are functions without calls, over globals of single integers that are addressed directly. All
//! interleavings are explored, instruction by instruction.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Id;

use crate::fold::evaluate;
use crate::inst::{Constant, InstKind, Operand, Terminator};
use crate::program::{BlockId, Function, FunctionId, GlobalId, Program, RegisterId, Type};

type Value = (u8, u128);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    function: FunctionId,
    block: BlockId,
    inst: usize,
    registers: BTreeMap<RegisterId, Value>,
    depth: u32,
    /// What it returned; nothing while it runs.
    result: Option<Option<Value>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    threads: Vec<Thread>,
    memory: BTreeMap<GlobalId, Value>,
}

/// What all executions together do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    /// Messages of checks that fail in some execution.
    pub(crate) violations: BTreeSet<String>,
    /// Memory and results, whenever all threads have returned.
    pub(crate) finals: BTreeSet<String>,
    /// For each thread that has returned, memory and its result at that time.
    pub(crate) returns: BTreeSet<String>,
    /// Whether exploration ended early.
    pub(crate) cut: bool,
}

const MAX_STATES: usize = 2_000;

/// Runs the functions as threads in every order.
pub(crate) fn explore(program: &Program, functions: &[FunctionId]) -> Outcomes {
    let thread = |function: &FunctionId| Thread {
        function: *function,
        block: BlockId::from_index(0),
        inst: 0,
        registers: BTreeMap::new(),
        depth: 0,
        result: None,
    };
    let initial = State { threads: functions.iter().map(thread).collect(), memory: BTreeMap::new() };
    let mut outcomes = Outcomes::default();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut waiting = vec![initial];
    while let Some(state) = waiting.pop() {
        if seen.len() > MAX_STATES {
            outcomes.cut = true;
            break;
        }
        if state.threads.iter().all(|thread| thread.result.is_some()) {
            let results: Vec<_> = state.threads.iter().map(|thread| thread.result).collect();
            outcomes.finals.insert(format!("{:?} {results:?}", state.memory));
        }
        for index in 0..state.threads.len() {
            for next in steps(program, &state, index, &mut outcomes) {
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    outcomes
}

/// The states after one step of a thread: an instruction, or an atomic block as a whole.
fn steps(program: &Program, state: &State, index: usize, outcomes: &mut Outcomes) -> Vec<State> {
    let mut done = Vec::new();
    let mut inside = vec![state.clone()];
    let mut fuel = 200;
    while let Some(state) = inside.pop() {
        fuel -= 1;
        if fuel == 0 {
            break;
        }
        for next in step(program, &state, index, outcomes) {
            if next.threads[index].depth > 0 && next.threads[index].result.is_none() {
                inside.push(next);
            } else {
                done.push(next);
            }
        }
    }
    done
}

fn value(thread: &Thread, operand: Operand) -> Constant {
    match operand {
        Operand::Constant(constant) => constant,
        Operand::Register(register) => {
            let (bits, value) = thread.registers.get(&register).copied().unwrap_or((1, 0));
            Constant::Int(bits, value)
        }
    }
}

fn int(constant: Constant) -> Value {
    if let Constant::Int(bits, value) = constant { (bits, value) } else { (64, 0) }
}

fn cell(address: Operand) -> GlobalId {
    let Operand::Constant(Constant::Global(global, _)) = address else {
        panic!("tests address globals directly");
    };
    global
}

fn step(program: &Program, state: &State, index: usize, outcomes: &mut Outcomes) -> Vec<State> {
    let thread = &state.threads[index];
    if thread.result.is_some() {
        return Vec::new();
    }
    let function = &program.functions[thread.function];
    let Some(inst) = function.blocks[thread.block].insts.get(thread.inst) else {
        return terminate(function, state, index, outcomes);
    };
    let mut next = state.clone();
    let memory = &mut next.memory;
    let after = &mut next.threads[index];
    after.inst += 1;
    let is_true = |operand: Operand| int(value(thread, operand)).1 == 1;
    let stored = |memory: &BTreeMap<GlobalId, Value>, address: Operand, ty: Type| {
        let Type::Int(bits) = ty else { panic!("tests use integers") };
        memory.get(&cell(address)).copied().unwrap_or((bits, 0))
    };
    match &inst.kind {
        InstKind::Assign { dest, value: computed } => {
            let ty = function.registers[*dest].ty;
            let Some(result) = evaluate(computed, ty, |operand| Some(value(thread, operand))) else {
                // Undefined: the thread stops.
                return Vec::new();
            };
            after.registers.insert(*dest, int(result));
        }
        InstKind::Load { dest, address, ty, .. } => {
            after.registers.insert(*dest, stored(memory, *address, *ty));
        }
        InstKind::Store { address, value: operand, .. } => {
            memory.insert(cell(*address), int(value(thread, *operand)));
        }
        InstKind::CompareExchange { dest, address, expected, desired, ty, .. } => {
            let old = stored(memory, *address, *ty);
            if old == int(value(thread, *expected)) {
                memory.insert(cell(*address), int(value(thread, *desired)));
            }
            after.registers.insert(*dest, old);
        }
        InstKind::Havoc { dest, .. } => {
            let Type::Int(bits) = function.registers[*dest].ty else { panic!("tests use integers") };
            return [0, 1]
                .map(|input| {
                    let mut next = next.clone();
                    next.threads[index].registers.insert(*dest, (bits, input));
                    next
                })
                .to_vec();
        }
        InstKind::Assume(condition) | InstKind::WaitUntil(condition) => {
            if !is_true(*condition) {
                return Vec::new();
            }
        }
        InstKind::Check { condition, message, .. } => {
            if !is_true(*condition) {
                outcomes.violations.insert(message.to_string());
                return Vec::new();
            }
        }
        InstKind::AtomicBegin => after.depth += 1,
        InstKind::AtomicEnd => after.depth -= 1,
        InstKind::AtomicRmw { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. } => panic!("tests do not use {inst:?}"),
    }
    vec![next]
}

fn terminate(function: &Function, state: &State, index: usize, outcomes: &mut Outcomes) -> Vec<State> {
    let mut next = state.clone();
    let thread = &state.threads[index];
    let after = &mut next.threads[index];
    let target = match &function.blocks[thread.block].terminator {
        Terminator::Jump(target) => *target,
        Terminator::Branch(condition, yes, no) => {
            if int(value(thread, *condition)).1 == 1 {
                *yes
            } else {
                *no
            }
        }
        Terminator::Switch { value: operand, cases, default } => {
            let found = int(value(thread, *operand)).1;
            cases
                .iter()
                .find(|(low, high, _)| (*low..=*high).contains(&found))
                .map_or(*default, |case| case.2)
        }
        Terminator::Return(result) => {
            after.result = Some(result.map(|result| int(value(thread, result))));
            outcomes.returns.insert(format!("{index} {:?} {:?}", after.result, next.memory));
            // Registers of a thread that is over do not matter.
            next.threads[index].registers.clear();
            return vec![next];
        }
        Terminator::Unreachable => return Vec::new(),
        Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unsupported(_) => panic!("tests do not end so"),
    };
    after.block = target;
    after.inst = 0;
    vec![next]
}

/// How often each block of a function runs, when it is run alone with all inputs zero; `None` when it takes too long.
pub(crate) fn count_blocks(program: &Program, function: FunctionId) -> Option<Vec<u32>> {
    let mut counts = vec![0; program.functions[function].blocks.len()];
    let mut state = State {
        threads: vec![Thread {
            function,
            block: BlockId::from_index(0),
            inst: 0,
            registers: BTreeMap::new(),
            depth: 0,
            result: None,
        }],
        memory: BTreeMap::new(),
    };
    for _ in 0..3000 {
        let thread = &state.threads[0];
        if thread.result.is_some() {
            return Some(counts);
        }
        if thread.inst == 0 {
            counts[thread.block.index()] += 1;
        }
        state = step(program, &state, 0, &mut Outcomes::default()).into_iter().next()?;
    }
    None
}
