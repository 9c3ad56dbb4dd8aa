//! What a well-formed program is.
//!
//! [`validate`] reports everything that breaks a rule, as text for people. Passes and lowering run it in debug
//! builds; a program from outside (a text file) must pass it before anything else looks at it, since analyses
//! and engines index tables by ids without asking.
//!
//! The rules, one [`Rule`] each; everything is judged function by function, so the check is linear in the program.

mod atomic;
mod global;
mod inst;
mod rvalue;
mod terminator;
#[cfg(test)]
mod tests;

use std::fmt;

use indexmap::IndexSet;
use raddle_base::Id;
use rustc_hash::FxBuildHasher;

use crate::analyses::liveness::read_before_assigned;
use crate::inst::{Constant, Operand};
use crate::program::{BlockId, Function, FunctionId, GlobalId, Outside, Program, RegisterId, Type};

/// A rule of well-formedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Pointers have 32 or 64 bits.
    PointerBits,
    /// The entry function exists, has a body and takes no parameters.
    Entry,
    /// Every id names an entry of its table.
    IdInRange,
    /// No two functions, and no two globals, have the same name.
    UniqueName,
    /// Parameters are different registers.
    Parameters,
    /// Integers have 1 to 128 bits and constants fit their type.
    IntegerRange,
    /// Operands and destinations have the types that the operation takes and gives.
    OperandType,
    /// Memory holds whole bytes.
    StorableType,
    /// Conditions are `i1`.
    Condition,
    /// Loads do not release, stores do not acquire, read-modify-writes and fences are not plain.
    MemoryOrder,
    /// Alignments are powers of two.
    Alignment,
    /// Direct calls pass what the callee takes and take what it returns.
    CallSignature,
    /// A thread starts in a function of one pointer parameter that returns a pointer.
    ForkSignature,
    /// A thread-local global is reached through `thread_local`, and only such a global is.
    ThreadLocal,
    /// Intrinsics take the arguments they are described with.
    IntrinsicSignature,
    /// A function returns a value exactly if it says so.
    ReturnValue,
    /// A switch's ranges are not empty, fit the value's type and do not overlap.
    SwitchRanges,
    /// atomic blocks nest: the same depth on every way to a block, never negative, zero at a return.
    AtomicBlocks,
    /// A register is assigned on every way before it is read.
    AssignedBeforeRead,
    /// A global's first contents lie inside it, in order, without overlap; its shape fits in.
    GlobalContents,
}

/// A broken rule and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// In which function, if in one.
    pub function: Option<FunctionId>,
    /// In which block, if in one.
    pub block: Option<BlockId>,
    /// At which instruction; the number of instructions for the terminator.
    pub inst: Option<usize>,
    /// All of it for people, with the position.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Every broken rule, in the order of the program. Empty for a well-formed program.
#[must_use]
pub fn validate(program: &Program) -> Vec<Finding> {
    let mut validator = Validator { program, findings: Vec::new() };
    validator.program();
    validator.findings
}

/// Panics in debug builds when the program is not well-formed. `after` says who made it.
pub fn debug_validate(program: &Program, after: &str) {
    if cfg!(debug_assertions) {
        let findings = validate(program);
        let listed: Vec<String> = findings.iter().take(20).map(ToString::to_string).collect();
        assert!(listed.is_empty(), "the program is not well-formed after {after}:\n{}", listed.join("\n"));
    }
}

struct Validator<'p> {
    program: &'p Program,
    findings: Vec<Finding>,
}

/// Where in a function the check is.
#[derive(Clone, Copy)]
struct InstPosition<'p> {
    id: FunctionId,
    function: &'p Function,
    block: BlockId,
    inst: usize,
}

impl<'p> Validator<'p> {
    fn program(&mut self) {
        let program = self.program;
        if !matches!(program.pointer_bits, 32 | 64) {
            self.report(Rule::PointerBits, format!("pointers have {} bits", program.pointer_bits));
        }
        match program.functions.get(program.entry) {
            None => self.report(Rule::Entry, format!("the entry {} does not exist", program.entry)),
            Some(entry) if entry.blocks.is_empty() => {
                self.report(Rule::Entry, format!("the entry `{}` has no body", entry.name));
            }
            Some(entry) if !entry.parameters.is_empty() => {
                self.report(Rule::Entry, format!("the entry `{}` takes parameters", entry.name));
            }
            Some(_) => {}
        }
        let Outside { functions, objects, entries, hidden, handlers } = &program.outside;
        for id in functions.iter().map(|function| &function.id).chain(entries) {
            if program.functions.get(*id).is_none() {
                self.report(Rule::IdInRange, format!("the function {id} does not exist"));
            }
        }
        for id in
            objects.iter().chain(hidden).chain(handlers).filter(|id| program.globals.get(**id).is_none())
        {
            self.report(Rule::IdInRange, format!("the global {id} does not exist"));
        }
        self.unique_names("function", program.functions.values().map(|function| function.name.as_str()));
        self.unique_names("global", program.globals.values().map(|global| global.name.as_str()));
        for (id, havoc) in program.havocs.iter() {
            if let Type::Int(0 | 129..) = havoc.ty {
                self.report(Rule::IntegerRange, format!("{id} gives an integer of 0 or over 128 bits"));
            }
        }
        for (id, global) in program.globals.iter() {
            self.global(id, global);
        }
        for (id, function) in program.functions.iter() {
            self.function(id, function);
        }
    }

    fn unique_names<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        for name in names {
            if !seen.insert(name) {
                self.report(Rule::UniqueName, format!("two {what}s are called `{name}`"));
            }
        }
    }

    fn function(&mut self, id: FunctionId, function: &'p Function) {
        let found_before = self.findings.len();
        for (register, known) in function.registers.iter() {
            if let Type::Int(0 | 129..) = known.ty {
                let text = format!("{register} is an integer of 0 or over 128 bits");
                self.report_in(Rule::IntegerRange, id, &text);
            }
        }
        for (index, &parameter) in function.parameters.iter().enumerate() {
            if function.registers.get(parameter).is_none() {
                self.report_in(Rule::IdInRange, id, &format!("the parameter {parameter} does not exist"));
            }
            if function.parameters[..index].contains(&parameter) {
                self.report_in(Rule::Parameters, id, &format!("{parameter} is a parameter twice"));
            }
        }
        for (block_id, block) in function.blocks.iter() {
            let mut position = InstPosition { id, function, block: block_id, inst: 0 };
            for (index, inst) in block.insts.iter().enumerate() {
                position.inst = index;
                self.inst(position, &inst.kind);
            }
            position.inst = block.insts.len();
            self.terminator(position, &block.terminator);
        }
        // What follows control flow needs ids in range.
        if self.findings[found_before..].iter().any(|finding| finding.rule == Rule::IdInRange) {
            return;
        }
        self.atomic_blocks(id, function);
        for register in read_before_assigned(function) {
            let name = function.registers[register].name.as_deref().unwrap_or("an intermediate value");
            let text = format!("{register} ({name}) may be read before it is assigned");
            self.report_in(Rule::AssignedBeforeRead, id, &text);
        }
    }

    fn report(&mut self, rule: Rule, message: String) {
        self.findings.push(Finding { rule, function: None, block: None, inst: None, message });
    }

    fn report_in(&mut self, rule: Rule, function: FunctionId, text: &str) {
        let message = format!("in `{}` ({function}): {text}", self.program.functions[function].name);
        self.findings.push(Finding { rule, function: Some(function), block: None, inst: None, message });
    }

    fn report_at(&mut self, rule: Rule, position: InstPosition<'p>, text: &str) {
        let block = &position.function.blocks[position.block];
        let where_in_block = match block.insts.get(position.inst) {
            Some(inst) => format!(
                "instruction {} `{}`",
                position.inst,
                crate::text::print_inst(self.program, position.function, inst)
            ),
            None => "terminator".to_owned(),
        };
        let message = format!(
            "in `{}` ({}), {}, {where_in_block}: {text}",
            position.function.name, position.id, position.block
        );
        self.findings.push(Finding {
            rule,
            function: Some(position.id),
            block: Some(position.block),
            inst: Some(position.inst),
            message,
        });
    }

    fn pointer_int(&self) -> Type {
        Type::Int(self.program.pointer_bits)
    }

    /// The type of an operand, `None` (and a finding) when it has none.
    fn operand(&mut self, position: InstPosition<'p>, operand: Operand) -> Option<Type> {
        match operand {
            Operand::Register(register) => self.register(position, register),
            Operand::Constant(constant) => {
                if let Some((rule, text)) = self.wrong_constant(constant) {
                    self.report_at(rule, position, &text);
                    return None;
                }
                Some(constant.ty())
            }
        }
    }

    fn register(&mut self, position: InstPosition<'p>, register: RegisterId) -> Option<Type> {
        let known = position.function.registers.get(register);
        if known.is_none() {
            self.report_at(Rule::IdInRange, position, &format!("{register} does not exist"));
        }
        known.map(|known| known.ty)
    }

    /// What is wrong with a constant, if anything.
    fn wrong_constant(&self, constant: Constant) -> Option<(Rule, String)> {
        match constant {
            Constant::Int(bits @ (0 | 129..), _) => {
                Some((Rule::IntegerRange, format!("there is no integer of {bits} bits")))
            }
            Constant::Int(bits, value) if bits < 128 && value >> bits != 0 => {
                Some((Rule::IntegerRange, format!("{value} does not fit {bits} bits")))
            }
            Constant::Global(global, _) => match self.program.globals.get(global) {
                None => Some((Rule::IdInRange, format!("{global} does not exist"))),
                Some(known) if known.thread_local => Some((
                    Rule::ThreadLocal,
                    format!("`{}` is thread-local: its address is no constant", known.name),
                )),
                Some(_) => None,
            },
            Constant::Function(function) if function.index() >= self.program.functions.len() => {
                Some((Rule::IdInRange, format!("{function} does not exist")))
            }
            Constant::Int(..)
            | Constant::F32(_)
            | Constant::F64(_)
            | Constant::Null
            | Constant::Function(_) => None,
        }
    }

    fn thread_local(&mut self, position: InstPosition<'p>, global: GlobalId) {
        match self.program.globals.get(global) {
            None => self.report_at(Rule::IdInRange, position, &format!("{global} does not exist")),
            Some(known) if !known.thread_local => {
                let text = format!("`{}` is not thread-local", known.name);
                self.report_at(Rule::ThreadLocal, position, &text);
            }
            Some(_) => {}
        }
    }

    /// The operand has the type it must have.
    fn expect(&mut self, position: InstPosition<'p>, what: &str, operand: Operand, expected: Type) {
        if let Some(found) = self.operand(position, operand) {
            self.expect_type(position, what, found, expected);
        }
    }

    fn expect_type(&mut self, position: InstPosition<'p>, what: &str, found: Type, expected: Type) {
        if found != expected {
            let text = format!("{what} is {}, expected {}", show(found), show(expected));
            self.report_at(Rule::OperandType, position, &text);
        }
    }

    fn expect_dest(&mut self, position: InstPosition<'p>, dest: RegisterId, expected: Type) {
        if let Some(found) = self.register(position, dest) {
            self.expect_type(position, "the destination", found, expected);
        }
    }

    fn condition(&mut self, position: InstPosition<'p>, operand: Operand) {
        if let Some(found) = self.operand(position, operand)
            && found != Type::Int(1)
        {
            self.report_at(
                Rule::Condition,
                position,
                &format!("the condition is {}, expected i1", show(found)),
            );
        }
    }

    /// The type can be loaded and stored.
    fn storable(&mut self, position: InstPosition<'p>, ty: Type) {
        if ty.bytes(self.program.pointer_bits).is_none() {
            self.report_at(Rule::StorableType, position, &format!("{} has no form in memory", show(ty)));
        }
    }

    fn alignment(&mut self, position: InstPosition<'p>, align: u64) {
        if !align.is_power_of_two() {
            self.report_at(Rule::Alignment, position, &format!("the alignment {align} is no power of two"));
        }
    }
}

fn show(ty: Type) -> String {
    match ty {
        Type::Int(bits) => format!("i{bits}"),
        Type::F32 => "f32".to_owned(),
        Type::F64 => "f64".to_owned(),
        Type::Ptr => "ptr".to_owned(),
    }
}
