//! What calls of functions that no file defines do.
//!
//! `reach` says what such a function may do: change what it can reach, call, keep, end.
//!
//! [`stop_at_undefined`] makes a program that goes no further than the first such call of each thread: whatever goes wrong in
//! it rests on none. [`over_approximate`] makes one whose calls return, with any value: whatever is proved of it holds whatever
//! they do. Flags see to that, and whoever finds one up stops:
//!
//! - A call was made: stops who accesses what unknown functions can reach. It is plain memory, so accesses that may race with what
//!   an unknown function does race on it, and so do two calls that can reach the same.
//! - Something ended that unknown functions may hold: stops their calls.
//! - A thread ended in an unknown function: stops who looks at the result of a thread.
//!
//! Where a call cannot be bounded like this (it may call back or hold a thread's handle, it is where a thread starts, it returns a
//! pointer that is used) it still stops.

mod flags;
mod reach;

use raddle_base::{Span, Table};

use crate::inst::{Constant, Inst, InstKind, Lifetime, Operand, Ordering, Terminator};
use crate::program::{Block, BlockId, Function, FunctionId, Havoc, HavocKind, Program, Register, Type};
use flags::{Flag, FlagAction};
use reach::Reach;

pub use reach::{JUMP_FRAME, VARIADIC_AREA};

/// What a path that ends at a call of the function says.
#[must_use]
pub fn depends_on(function: &str) -> String {
    format!("depends on `{function}`, which has no body: give a stub")
}

/// Gives every undefined function a body that stops, at the source location of its first call, unless it does nothing and nobody
/// looks at what it returns.
pub fn stop_at_undefined(program: &mut Program) {
    for undefined in program.outside.functions.clone() {
        if undefined.pure && !is_result_used(program, undefined.id) {
            continue;
        }
        let span = first_call(program, undefined.id).unwrap_or(program.functions[undefined.id].span);
        let function = &mut program.functions[undefined.id];
        let terminator = Terminator::Unsupported(depends_on(&function.name).into());
        function.blocks = Table::from_iter([Block { insts: Vec::new(), terminator, span }]);
    }
}

/// The undefined function at whose calls a path ended with these words, and where that is.
#[must_use]
pub fn undefined_function<'p>(program: &'p Program, what: &str) -> Option<&'p Function> {
    let functions = program.outside.functions.iter().map(|undefined| &program.functions[undefined.id]);
    functions.into_iter().find(|function| depends_on(&function.name) == what)
}

fn is_undefined(program: &Program, function: FunctionId) -> bool {
    program.outside.functions.iter().any(|undefined| undefined.id == function)
}

fn first_call(program: &Program, callee: FunctionId) -> Option<Span> {
    let target = Operand::Constant(Constant::Function(callee));
    let names_it = |inst: &&Inst| {
        let mut found = false;
        inst.kind.for_each_operand(|operand| found |= operand == target);
        found
    };
    let own = program.functions.values().filter(|function| !function.model);
    let mut insts = own.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    insts.find(names_it).map(|inst| inst.span)
}

/// Whether a thread may end in an unknown function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadEnds {
    /// It may, and then whoever joins it goes on.
    Possible,
    /// Executions in which it does are left aside.
    Ignored,
}

/// A program whose unknown calls return.
#[derive(Clone, Debug)]
pub struct OverApproximation {
    /// The program.
    pub program: Program,
    /// Whether calls do nothing but return, so that the same can be said of the program in C.
    pub only_returns: bool,
}

/// Lets calls return where what they may do can be bounded; nothing if no call that may be reached does.
#[must_use]
pub fn over_approximate(program: &Program, ends: ThreadEnds) -> Option<OverApproximation> {
    let reach = Reach::new(program);
    let points_to = reach.points_to();
    let mut reached = program.outside.functions.iter().filter(|f| points_to.is_reached(f.id)).peekable();
    reached.peek()?;
    let is_bounded = reach.only_change_memory();
    let returning: Vec<_> = reached
        .filter(|function| {
            (function.pure || is_bounded)
                && !points_to.thread_functions().contains(&function.id)
                && (program.functions[function.id].result != Some(Type::Ptr)
                    || !is_result_used(program, function.id))
        })
        .collect();
    if returning.is_empty() {
        return None;
    }
    let mut made = program.clone();
    for function in &returning {
        made.functions[function.id].blocks = Table::new();
    }
    let impure: Vec<FunctionId> =
        returning.iter().filter(|function| !function.pure).map(|function| function.id).collect();
    let deeds = impure.first().map(|first| {
        let what = depends_on(&program.functions[*first].name);
        Deeds::new(&mut made, &reach, ends, &what)
    });
    let only_returns = deeds.as_ref().is_none_or(Deeds::is_nothing);
    if let Some(deeds) = deeds.filter(|deeds| !deeds.is_nothing()) {
        impure.into_iter().for_each(|function| deeds.give_body(&mut made, function));
    }
    crate::validate::debug_validate(&made, "letting unknown calls return");
    Some(OverApproximation { program: made, only_returns })
}

/// What an unknown call does in a program that looks at the flags.
struct Deeds {
    /// Says that it was made.
    called: Option<Flag>,
    /// Stops if something has ended that it may hold.
    ended: Option<Flag>,
    /// May end its thread.
    leaves: bool,
    /// Says so.
    left: Option<Flag>,
}

impl Deeds {
    /// Lets the program look at flags wherever what unknown calls do may matter.
    fn new(program: &mut Program, reach: &Reach, ends: ThreadEnds, what: &str) -> Self {
        let (accesses, endings) = (reach.accesses(), reach.ends());
        let leaves = reach.has_threads() && ends == ThreadEnds::Possible;
        let results = if leaves { reach.uses_of_results() } else { Vec::new() };
        let is_shared = reach.has_threads() && reach.is_shared();
        let raised = if is_shared { Ordering::Plain } else { Ordering::Release };
        let called = (is_shared || !accesses.is_empty())
            .then(|| Flag::new(program, "an unknown function was called", raised, Ordering::Plain));
        let ended = (!endings.is_empty()).then(|| {
            let name = "what an unknown function may hold has ended";
            Flag::new(program, name, Ordering::Release, Ordering::Plain)
        });
        // Who sees that it is up stops: nothing is ordered by looking.
        let left = (!results.is_empty()).then(|| {
            let name = "a thread ended in an unknown function";
            Flag::new(program, name, Ordering::Release, Ordering::Acquire)
        });
        let mut actions = Vec::new();
        let stops = [(called, accesses), (left, results)];
        for (flag, sites) in stops {
            actions.extend(
                flag.iter().flat_map(|flag| sites.iter().map(|site| (*site, FlagAction::StopIf(*flag)))),
            );
        }
        actions.extend(
            ended.iter().flat_map(|flag| endings.iter().map(|site| (*site, FlagAction::Raise(*flag)))),
        );
        flags::instrument(program, actions, what);
        Self { called, ended, leaves, left }
    }

    const fn is_nothing(&self) -> bool {
        self.called.is_none() && self.ended.is_none() && !self.leaves
    }

    /// Makes the body of an unknown function.
    fn give_body(&self, program: &mut Program, id: FunctionId) {
        let function = &mut program.functions[id];
        let (span, name) = (function.span, function.name.clone());
        let block = |kinds: Vec<InstKind>, terminator: Terminator| {
            let insts = kinds.into_iter().map(|kind| Inst { kind, span }).collect();
            Block { insts, terminator, span }
        };
        let mut input = |function: &mut Function, name: String, ty: Type| {
            let site = program.havocs.push(Havoc { name, ty, signed: true, kind: HavocKind::Input, span });
            let dest = function.registers.push(Register { ty, name: None });
            (InstKind::Havoc { dest, site }, Operand::Register(dest))
        };
        let result = function.result.map(|ty| input(function, format!("result of `{name}`"), ty));
        let (havoc, value) = result.map_or((None, None), |(havoc, value)| (Some(havoc), Some(value)));
        let mut first: Vec<InstKind> = self.called.map(Flag::raise).into_iter().collect();
        let returns = Terminator::Return(value);
        if self.leaves {
            let (choice, stays) = input(function, format!("whether `{name}` returns"), Type::Int(1));
            first.push(choice);
            let [back, away] = [1, 2].map(raddle_base::Id::from_index);
            let ends = [self.left, self.ended];
            let mut last: Vec<InstKind> = ends.into_iter().flatten().map(Flag::raise).collect();
            last.push(InstKind::EndLife(Lifetime::Thread));
            function.blocks = Table::from_iter([
                block(first, Terminator::Branch(stays, back, away)),
                block(havoc.into_iter().collect(), returns),
                block(last, Terminator::ExitThread(Operand::Constant(Constant::Null))),
            ]);
        } else {
            first.extend(havoc);
            function.blocks = Table::from_iter([block(first, returns)]);
        }
        if let Some(ended) = self.ended {
            let start: BlockId = raddle_base::Id::from_index(0);
            flags::stop_if(function, ended, (start, 0), &depends_on(&name));
        }
    }
}

/// Whether some caller may read what the function returns: one that does, or one that calls it through a pointer.
fn is_result_used(program: &Program, callee: FunctionId) -> bool {
    let target = Constant::Function(callee);
    let stored = program.globals.values().flat_map(|global| &global.init).any(|part| part.value == target);
    program.functions[callee].result.is_some()
        && (stored || program.functions.values().any(|function| uses_result(function, target.into())))
}

fn uses_result(function: &Function, callee: Operand) -> bool {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    let mut results = Vec::new();
    let mut named = 0;
    for inst in insts() {
        inst.kind.for_each_operand(|operand| named += usize::from(operand == callee));
        if let InstKind::Call { dest, callee: called, .. } = &inst.kind
            && *called == callee
        {
            named -= 1;
            results.extend(dest.map(Operand::Register));
        }
    }
    let mut used = named > 0;
    let mut look = |operand: Operand| used |= operand == callee || results.contains(&operand);
    function.blocks.values().for_each(|block| block.terminator.for_each_operand(&mut look));
    let mut look = |operand: Operand| used |= results.contains(&operand);
    insts().for_each(|inst| inst.kind.for_each_operand(&mut look));
    used
}

#[cfg(test)]
mod tests;
