//! Which addresses in a function lead to memory that no other thread writes: objects of the activation, thread-local objects, and
//! constants.
//!
//! An object counts as private as long as its address goes nowhere but to functions that keep it to themselves. May call private
//! memory foreign; never the other way round.

use raddle_base::{Id, Table};
use rustc_hash::FxHashSet;

use crate::inst::{AllocStorage, Constant, InstKind, Operand, Rvalue, Terminator};
use crate::program::{Function, FunctionId, GlobalId, Program, RegisterId};

/// What is known of the addresses in a program.
#[derive(Debug)]
pub(super) struct Addresses {
    /// For each function, which of its parameters it passes on to where they are lost sight of.
    escaping: Table<FunctionId, FxHashSet<RegisterId>>,
    /// The thread-local objects that others may know.
    published: FxHashSet<GlobalId>,
}

impl Addresses {
    /// Looks through the whole program.
    pub(super) fn of(program: &Program) -> Self {
        let escaping = program.functions.values().map(|_| FxHashSet::default()).collect();
        let mut addresses = Self { escaping, published: FxHashSet::default() };
        // Least fixed point: what escapes in a callee escapes in its callers.
        loop {
            let mut grown = false;
            for (id, function) in program.functions.iter() {
                for &parameter in &function.parameters {
                    if !addresses.escaping[id].contains(&parameter)
                        && addresses.escapes(program, function, parameter)
                    {
                        addresses.escaping[id].insert(parameter);
                        grown = true;
                    }
                }
            }
            if !grown {
                break;
            }
        }
        for function in program.functions.values() {
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                if let InstKind::Assign { dest, value: Rvalue::ThreadLocal(global) } = inst.kind
                    && addresses.escapes(program, function, dest)
                {
                    addresses.published.insert(global);
                }
            }
        }
        addresses
    }

    /// The registers of a function that hold addresses of private memory and nothing else.
    pub(super) fn private(&self, program: &Program, function: &Function) -> FxHashSet<RegisterId> {
        let mut private: FxHashSet<RegisterId> =
            (0..function.registers.len()).map(RegisterId::from_index).collect();
        for parameter in &function.parameters {
            private.remove(parameter);
        }
        // Greatest fixed point: a register is dropped as soon as one assignment gives it something else.
        loop {
            let before = private.len();
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                let Some(dest) = inst.kind.dest() else { continue };
                if !self.gives_private(program, function, &inst.kind, &private) {
                    private.remove(&dest);
                }
            }
            if private.len() == before {
                return private;
            }
        }
    }

    fn gives_private(
        &self,
        program: &Program,
        function: &Function,
        kind: &InstKind,
        private: &FxHashSet<RegisterId>,
    ) -> bool {
        let is = |operand: &Operand| is_private(program, private, *operand);
        if let InstKind::Alloc { dest, storage: AllocStorage::Local | AllocStorage::Dynamic, .. } = kind {
            return !self.escapes(program, function, *dest);
        }
        let InstKind::Assign { value, .. } = kind else { return false };
        match value {
            Rvalue::ThreadLocal(global) => !self.published.contains(global),
            Rvalue::Use(from) | Rvalue::PointerAdd(from, _) => is(from),
            Rvalue::Select(_, one, other) => is(one) && is(other),
            Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::CurrentThread
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_)
            | Rvalue::HoldsLock(_)
            | Rvalue::LockIsFree(_)
            | Rvalue::Peek(..) => false,
        }
    }

    /// Whether the address in a register gets where it is lost sight of.
    fn escapes(&self, program: &Program, function: &Function, root: RegisterId) -> bool {
        let mut aliases = FxHashSet::from_iter([root]);
        loop {
            let before = aliases.len();
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                if let InstKind::Assign { dest, value } = &inst.kind
                    && moves(value).into_iter().any(|from| is_among(&aliases, from))
                {
                    aliases.insert(*dest);
                }
            }
            if aliases.len() == before {
                break;
            }
        }
        function.blocks.values().any(|block| {
            block.insts.iter().any(|inst| self.lets_out(program, &inst.kind, &aliases))
                || match &block.terminator {
                    Terminator::Return(Some(value)) | Terminator::ExitThread(value) => {
                        is_among(&aliases, *value)
                    }
                    Terminator::Return(None)
                    | Terminator::Jump(_)
                    | Terminator::Branch(..)
                    | Terminator::Switch { .. }
                    | Terminator::ExitProcess(_)
                    | Terminator::Abort
                    | Terminator::Unreachable
                    | Terminator::Unsupported(_) => false,
                }
        })
    }

    /// Whether an instruction puts one of these addresses where it is lost sight of.
    fn lets_out(&self, program: &Program, kind: &InstKind, aliases: &FxHashSet<RegisterId>) -> bool {
        let is = |operand: &Operand| is_among(aliases, *operand);
        match kind {
            InstKind::Store { value, .. } | InstKind::AtomicRmw { value, .. } => is(value),
            InstKind::CompareExchange { expected, desired, .. } => is(expected) || is(desired),
            InstKind::Intrinsic { arguments, .. } => arguments.iter().any(is),
            InstKind::Fork { argument, function, .. } => is(argument) || is(function),
            // A number that was made of an address can become one again.
            InstKind::Assign { value: Rvalue::Cast(_, from) | Rvalue::Unary(_, from), .. } => is(from),
            InstKind::Assign { value: Rvalue::Binary(_, one, other), .. } => is(one) || is(other),
            InstKind::Call { callee, arguments, .. } => {
                let Operand::Constant(Constant::Function(callee)) = callee else {
                    return arguments.iter().any(is);
                };
                // What a function does is known by its body; what has none may do anything.
                let known = &program.functions[*callee];
                let places = arguments.iter().enumerate().filter(|(_, argument)| is(argument));
                places.into_iter().any(|(place, _)| {
                    let parameter = known.parameters.get(place);
                    known.blocks.is_empty()
                        || parameter.is_none_or(|parameter| self.escaping[*callee].contains(parameter))
                })
            }
            InstKind::Assign { .. }
            | InstKind::Load { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::Havoc { .. }
            | InstKind::Assume(_)
            | InstKind::WaitUntil(_)
            | InstKind::Check { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => false,
        }
    }
}

/// Whether an address is one of private memory.
pub(super) fn is_private(program: &Program, private: &FxHashSet<RegisterId>, address: Operand) -> bool {
    match address {
        Operand::Register(register) => private.contains(&register),
        Operand::Constant(Constant::Global(global, _)) => program.globals[global].read_only,
        // An access there is a fault.
        Operand::Constant(Constant::Null | Constant::Function(_)) => true,
        Operand::Constant(Constant::Int(..) | Constant::F32(_) | Constant::F64(_)) => false,
    }
}

/// The operands whose address a value may be, or lie beside.
pub(super) fn moves(value: &Rvalue) -> Vec<Operand> {
    match value {
        Rvalue::Use(from) | Rvalue::PointerAdd(from, _) => vec![*from],
        Rvalue::Select(_, one, other) => vec![*one, *other],
        Rvalue::Unary(..)
        | Rvalue::Binary(..)
        | Rvalue::Compare(..)
        | Rvalue::Cast(..)
        | Rvalue::PointerDifference(..)
        | Rvalue::Overflows(..)
        | Rvalue::ThreadLocal(_)
        | Rvalue::CurrentThread
        | Rvalue::ThreadExists(_)
        | Rvalue::ObjectSize(_)
        | Rvalue::HoldsLock(_)
        | Rvalue::LockIsFree(_)
        | Rvalue::Peek(..) => Vec::new(),
    }
}

fn is_among(registers: &FxHashSet<RegisterId>, operand: Operand) -> bool {
    match operand {
        Operand::Register(register) => registers.contains(&register),
        Operand::Constant(_) => false,
    }
}
