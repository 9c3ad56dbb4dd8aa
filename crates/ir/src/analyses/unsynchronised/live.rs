//! Which parts of the models a program can get to.
//!
//! Models ask constant questions: whether the program names a function, whether it looks at handles. What stands behind a question
//! that is answered with no counts for nothing. Constants are propagated through registers, branches and results of models
//! (Wegman and Zadeck 1991, flow-insensitive in the registers). May call dead code live; never the other way round.

use raddle_base::{Id, Table};
use rustc_hash::FxHashSet;

use crate::fold::evaluate;
use crate::inst::{Constant, InstKind, Operand, Terminator};
use crate::program::{BlockId, Function, FunctionId, Program, RegisterId};

/// What a register may hold, or a function give.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    /// Nothing yet.
    None,
    /// This alone.
    One(Constant),
    /// Several values.
    Any,
}

impl Value {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, value) | (value, Self::None) => value,
            (one, other) if one == other => one,
            (Self::One(_) | Self::Any, Self::One(_) | Self::Any) => Self::Any,
        }
    }
}

/// What is known of a function.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    /// The blocks that control can come to; none of a function that nobody calls.
    entered: FxHashSet<BlockId>,
    /// Those of them whose end it can come to.
    left: FxHashSet<BlockId>,
    /// Whether it may return.
    returns: bool,
    /// What it gives then.
    result: Value,
}

/// The live parts of a program.
#[derive(Debug)]
pub(crate) struct Live {
    /// What is known of each function.
    functions: Table<FunctionId, Known>,
}

impl Live {
    /// Looks through the program from what is not a model.
    pub(crate) fn of(program: &Program) -> Self {
        let nothing = || Known {
            entered: FxHashSet::default(),
            left: FxHashSet::default(),
            returns: false,
            result: Value::None,
        };
        let mut live = Self { functions: program.functions.values().map(|_| nothing()).collect() };
        let mut reached = roots(program);
        // Results and reached functions only grow.
        loop {
            let mut grown = false;
            for (id, function) in program.functions.iter() {
                if reached.contains(&id) {
                    grown |= live.visit(program, id, function, &mut reached);
                }
            }
            if !grown {
                return live;
            }
        }
    }

    /// Whether control can come to a block.
    pub(crate) fn contains(&self, function: FunctionId, block: BlockId) -> bool {
        self.functions[function].entered.contains(&block)
    }

    /// Whether control can come to the end of a block.
    pub(super) fn is_left(&self, function: FunctionId, block: BlockId) -> bool {
        self.functions[function].left.contains(&block)
    }

    fn visit(
        &mut self,
        program: &Program,
        id: FunctionId,
        function: &Function,
        reached: &mut FxHashSet<FunctionId>,
    ) -> bool {
        let known = if function.model && !function.blocks.is_empty() {
            self.propagate(program, function)
        } else {
            let all: FxHashSet<BlockId> = function.blocks.iter().map(|(id, _)| id).collect();
            Known { entered: all.clone(), left: all, returns: true, result: Value::Any }
        };
        let before = reached.len();
        for (block, _) in function.blocks.iter().filter(|(id, _)| known.entered.contains(id)) {
            mentioned(function, block, &mut |named| {
                reached.insert(named);
            });
        }
        let grown = known != self.functions[id] || reached.len() != before;
        self.functions[id] = known;
        grown
    }

    /// What is known of a function by what is known of the others.
    fn propagate(&self, program: &Program, function: &Function) -> Known {
        let mut values = self.first_values(function);
        let mut known = Known {
            entered: function.blocks.iter().take(1).map(|(id, _)| id).collect(),
            left: FxHashSet::default(),
            returns: false,
            result: Value::None,
        };
        // Until neither a register nor a block comes in.
        loop {
            let mut grown = false;
            for (id, block) in function.blocks.iter() {
                if !known.entered.contains(&id) {
                    continue;
                }
                let mut ends = false;
                for inst in &block.insts {
                    ends = self.never_returns(program, &inst.kind);
                    if ends {
                        break;
                    }
                    let Some(dest) = inst.kind.dest() else { continue };
                    let value = values[dest].join(self.value(program, function, &inst.kind, &values));
                    grown |= value != values[dest];
                    values[dest] = value;
                }
                if ends {
                    continue;
                }
                grown |= known.left.insert(id);
                for next in taken(&block.terminator, &values) {
                    grown |= known.entered.insert(next);
                }
                if let Terminator::Return(value) = block.terminator {
                    known.returns = true;
                    known.result =
                        known.result.join(value.map_or(Value::Any, |value| operand(value, &values)));
                }
            }
            if !grown {
                return known;
            }
        }
    }

    /// What registers hold before anything is assigned. Nothing is known of parameters.
    fn first_values(&self, function: &Function) -> Table<RegisterId, Value> {
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        let assigned: FxHashSet<RegisterId> = insts.filter_map(|inst| inst.kind.dest()).collect();
        let ids = (0..function.registers.len()).map(RegisterId::from_index);
        ids.map(|id| {
            let is_known = assigned.contains(&id) && !function.parameters.contains(&id);
            if is_known { Value::None } else { Value::Any }
        })
        .collect()
    }

    /// Whether an instruction is a call of a model that control does not come back from, by what is known so far.
    fn never_returns(&self, program: &Program, kind: &InstKind) -> bool {
        match kind {
            InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => {
                program.functions[*callee].model && !self.functions[*callee].returns
            }
            InstKind::Call { .. }
            | InstKind::Assign { .. }
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
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => false,
        }
    }

    /// What an instruction assigns.
    fn value(
        &self,
        program: &Program,
        function: &Function,
        kind: &InstKind,
        values: &Table<RegisterId, Value>,
    ) -> Value {
        match kind {
            InstKind::Assign { dest, value } => {
                let mut waits = false;
                value.for_each_operand(|taken| waits |= operand(taken, values) == Value::None);
                if waits {
                    return Value::None;
                }
                let known = |taken: Operand| match operand(taken, values) {
                    Value::One(constant) => Some(constant),
                    Value::None | Value::Any => None,
                };
                evaluate(value, function.registers[*dest].ty, known).map_or(Value::Any, Value::One)
            }
            InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. }
                if program.functions[*callee].model =>
            {
                self.functions[*callee].result
            }
            InstKind::Call { .. }
            | InstKind::Load { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Alloc { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::Havoc { .. }
            | InstKind::Fork { .. }
            | InstKind::Join { .. } => Value::Any,
            // These assign nothing.
            InstKind::Store { .. }
            | InstKind::Fence(_)
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::Assume(_)
            | InstKind::WaitUntil(_)
            | InstKind::Check { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => Value::None,
        }
    }
}

fn operand(operand: Operand, values: &Table<RegisterId, Value>) -> Value {
    match operand {
        Operand::Register(register) => values[register],
        Operand::Constant(constant) => Value::One(constant),
    }
}

/// Where control may go behind a block.
fn taken(terminator: &Terminator, values: &Table<RegisterId, Value>) -> Vec<BlockId> {
    let asked = match terminator {
        Terminator::Branch(condition, ..) => Some(operand(*condition, values)),
        Terminator::Switch { value, .. } => Some(operand(*value, values)),
        Terminator::Jump(_)
        | Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => None,
    };
    match (terminator, asked) {
        (_, Some(Value::None)) => Vec::new(),
        (Terminator::Branch(_, then, otherwise), Some(Value::One(Constant::Int(_, number)))) => {
            vec![if number != 0 { *then } else { *otherwise }]
        }
        (Terminator::Switch { cases, default, .. }, Some(Value::One(Constant::Int(_, number)))) => {
            let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&number));
            vec![case.map_or(*default, |(_, _, target)| *target)]
        }
        _ => terminator.successors().to_vec(),
    }
}

/// The functions that a block names, to call them or otherwise.
fn mentioned(function: &Function, block: BlockId, visit: &mut dyn FnMut(FunctionId)) {
    let mut look = |operand: Operand| {
        if let Operand::Constant(Constant::Function(named)) = operand {
            visit(named);
        }
    };
    let block = &function.blocks[block];
    block.insts.iter().for_each(|inst| inst.kind.for_each_operand(&mut look));
    block.terminator.for_each_operand(&mut look);
}

/// Where control comes from outside of the models: the entry, all that the user wrote, and what global objects name.
fn roots(program: &Program) -> FxHashSet<FunctionId> {
    let own = program.functions.iter().filter(|(_, function)| !function.model).map(|(id, _)| id);
    let inits = program.globals.values().flat_map(|global| &global.init);
    let named = inits.filter_map(|init| match init.value {
        Constant::Function(named) => Some(named),
        Constant::Int(..) | Constant::F32(_) | Constant::F64(_) | Constant::Null | Constant::Global(..) => {
            None
        }
    });
    let outside = program.outside.entries.iter().copied();
    own.chain(named).chain(outside).chain([program.entry]).collect()
}
