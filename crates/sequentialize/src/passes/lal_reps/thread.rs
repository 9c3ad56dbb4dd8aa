//! What becomes of statements: switch points, the end of a thread, violations, and the primitives of the thread models.

use crate::steps::fork_argument;
use raddle_base::Span;
use raddle_cfront::ast::{ExprId, ExprKind, FunctionId, LabelId, Stmt, StmtId, StmtKind, VarId};
use raddle_cfront::primitive::{Checked, Primitive};
use raddle_cfront::types::{Type, Types};
use rustc_hash::FxHashSet;

use super::runtime::Runtime;
use super::unread::{begins_quietly, read_variables};
use super::violations::{Violation, failing, stays, violation};
use crate::calls::{Call, named_function, statement_call};
use crate::copy::copy_expr;
use crate::pass::Refusal;
use crate::passes::labels;
use crate::passes::threads::called_functions;
use crate::program::Program;
use crate::visit::{Node, stmts_in, walk};

/// Code that the schema brings in comes from nowhere.
pub(super) fn made(program: &mut Program, kind: StmtKind) -> StmtId {
    program.ast_mut().stmts.push(Stmt { kind, span: Span::NONE })
}

/// A call of a function of the runtime.
pub(super) fn call_of(program: &mut Program, function: FunctionId, numbers: &[i128]) -> StmtId {
    let arguments = numbers.iter().map(|&number| program.int(number, Span::NONE)).collect();
    let call = program.call(function, arguments, Span::NONE);
    made(program, StmtKind::Expr(call))
}

/// Rewrites the statements of all functions.
pub(super) struct Threads<'p> {
    pub(super) program: &'p mut Program,
    pub(super) runtime: &'p Runtime,
    pub(super) functions: &'p [FunctionId],
    /// What each thread is given: a variable for each parameter.
    pub(super) given: &'p [Vec<VarId>],
    /// The violations that were found, as statements that report them; the first has the number 1.
    pub(super) violations: Vec<StmtId>,
    /// Whether misused locks are violations.
    misuse: bool,
    /// Functions in which a thread may find a violation.
    failing: FxHashSet<FunctionId>,
    /// Functions that are called by their names.
    called: FxHashSet<FunctionId>,
}

/// Where the statements of a function lead.
#[derive(Clone, Copy)]
enum Home {
    /// A thread's own function: its number, where it ends in good order, and where it is just left.
    Thread { number: usize, finish: LabelId, exit: LabelId },
    /// Another function.
    Other(FunctionId),
}

impl<'p> Threads<'p> {
    pub(super) fn new(
        program: &'p mut Program,
        runtime: &'p Runtime,
        functions: &'p [FunctionId],
        given: &'p [Vec<VarId>],
        misuse: bool,
    ) -> Self {
        let failing = failing(program, misuse);
        let called = called_functions(program);
        Self { program, runtime, functions, given, violations: Vec::new(), misuse, failing, called }
    }

    pub(super) fn run(&mut self) -> Result<(), Refusal> {
        let read = read_variables(self.program);
        for (_, function) in self.program.definitions() {
            if stays(self.program, function) {
                continue;
            }
            let Some(body) = self.program.body(function) else { continue };
            let home = match self.functions.iter().position(|&thread| thread == function) {
                Some(number) => {
                    let finish = self.program.fresh_label("finish", Span::NONE);
                    let exit = self.program.fresh_label("exit", Span::NONE);
                    Home::Thread { number, finish, exit }
                }
                None => Home::Other(function),
            };
            let last = labels::count(self.program, function).saturating_sub(1);
            for stmt in stmts_in(self.program.ast(), body) {
                self.stmt(home, last, stmt, &read)?;
            }
        }
        Ok(())
    }

    fn stmt(&mut self, home: Home, last: u32, stmt: StmtId, read: &FxHashSet<VarId>) -> Result<(), Refusal> {
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Label(label, inner) => {
                if let (Some(at), Home::Thread { number, finish, exit }) =
                    (labels::number(self.program, label), home)
                {
                    self.label(stmt, (label, inner), (at, last), (number, finish, exit));
                }
                Ok(())
            }
            StmtKind::Return(value) => {
                if let Home::Thread { number, finish, .. } = home {
                    let value = value.map(|value| self.program.bare(value));
                    self.end(stmt, value, number, finish);
                }
                Ok(())
            }
            StmtKind::Expr(_) => match statement_call(self.program, stmt) {
                Some(call) => self.call(home, stmt, &call, read),
                None => Ok(()),
            },
            StmtKind::Asm(asm) if asm.outputs.len() + asm.inputs.len() > 0 => {
                let span = self.program.ast().stmts[stmt].span;
                Err(Refusal::new(span, "assembler statements with operands cannot be followed"))
            }
            _ => Ok(()),
        }
    }

    /// A switch point, or the end of the thread.
    fn label(
        &mut self,
        stmt: StmtId,
        (label, inner): (LabelId, StmtId),
        (at, last): (u32, u32),
        (number, finish, exit): (usize, LabelId, LabelId),
    ) {
        if at == 0
            && (number == 0 || begins_quietly(self.program, self.functions[number], &self.given[number]))
        {
            // Nothing is done before the next one that others could see, and the thread gets there.
            self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![inner]);
            return;
        }
        if at == last {
            let number = i128::try_from(number).unwrap_or(0);
            let done = call_of(self.program, self.runtime.finish, &[number]);
            let finished = made(self.program, StmtKind::Label(finish, done));
            let nothing = made(self.program, StmtKind::Empty);
            let left = made(self.program, StmtKind::Label(exit, nothing));
            self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![inner, finished, left]);
            return;
        }
        let at = self.program.int(i128::from(at), Span::NONE);
        let switch = self.program.call(self.runtime.switch, vec![at], Span::NONE);
        let condition = self.program.tree.condition(switch);
        let then = made(self.program, StmtKind::Goto(exit));
        let test = made(self.program, StmtKind::If { condition, then, otherwise: None });
        let mark = made(self.program, StmtKind::Label(label, test));
        self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![mark, inner]);
    }

    /// The thread's result is kept, and control goes to its end.
    fn end(&mut self, stmt: StmtId, value: Option<ExprId>, number: usize, finish: LabelId) {
        let span = self.program.ast().stmts[stmt].span;
        let mut list = Vec::new();
        // What `main` returns nobody asks for.
        if let (Some(value), true) = (value, number > 0) {
            let all = self.program.var(self.runtime.result, span);
            let index = self.program.int(i128::try_from(number).unwrap_or(0), span);
            let place = self.program.tree.primaries().index(all, index, span);
            let pointer = self.program.tree.explicit_cast(value, Types::void_pointer().into(), span);
            list.push(self.program.assign_stmt(place, pointer, stmt));
        }
        list.push(self.program.goto(finish, stmt));
        self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
    }

    /// Leaves the thread where it is.
    fn leave(&mut self, home: Home, stmt: StmtId) -> Vec<StmtId> {
        let function = match home {
            Home::Thread { exit, .. } => return vec![self.program.goto(exit, stmt)],
            Home::Other(function) => function,
        };
        let result = match self.program.ast().types.kind(self.program.ast().functions[function].ty.id) {
            Type::Function(ty) => ty.result,
            _ => return Vec::new(),
        };
        if matches!(self.program.ast().types.kind(result.id), Type::Void) {
            return vec![self.program.stmt(StmtKind::Return(None), stmt)];
        }
        // Nobody looks at it.
        let span = self.program.ast().stmts[stmt].span;
        let result = self.program.ast().types.unqualified(result);
        let (var, declaration) = self.program.local(function, "none", result, span, stmt);
        let value = self.program.read(var, span);
        vec![declaration, self.program.stmt(StmtKind::Return(Some(value)), stmt)]
    }

    fn call(
        &mut self,
        home: Home,
        stmt: StmtId,
        call: &Call,
        read: &FxHashSet<VarId>,
    ) -> Result<(), Refusal> {
        let Some(callee) = call.function else { return Ok(()) };
        let definition = self.program.definition_of(callee);
        let span = self.program.ast().stmts[stmt].span;
        if let Some(found) = violation(self.program, call, self.misuse) {
            self.violated(home, stmt, call, &found);
            return Ok(());
        }
        if self.program.body(definition).is_some() {
            if self.failing.contains(&definition) && !self.functions.contains(&definition) {
                let kind = self.program.ast().stmts[stmt].kind.clone();
                let calls = self.program.stmt(kind, stmt);
                let stopped = self.program.var(self.runtime.stopped, Span::NONE);
                let condition = self.program.tree.condition(stopped);
                let leave = self.leave(home, stmt);
                let then = self.program.block(leave, stmt);
                let test = made(self.program, StmtKind::If { condition, then, otherwise: None });
                self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![calls, test]);
            }
            return Ok(());
        }
        let Some(primitive) = self.program.primitive(callee) else {
            let name = self.program.function_text(callee);
            if fork_argument(self.program, callee).is_some() {
                let message = format!("`{name}` is called directly");
                return Err(Refusal::new(span, message).help("run the pass `models` first"));
            }
            if matches!(name, "exit" | "_exit" | "_Exit") {
                self.stop(stmt);
            }
            return Ok(());
        };
        match primitive {
            Primitive::AtomicBegin
            | Primitive::AtomicEnd
            | Primitive::EndLocals
            | Primitive::Check(Checked::Lock | Checked::Memory) => {
                self.program.ast_mut().stmts[stmt].kind = StmtKind::Empty;
            }
            Primitive::Abort | Primitive::ExitProcess => self.stop(stmt),
            Primitive::ExitThread => match home {
                Home::Thread { number, finish, .. } => {
                    let value = call.arguments.first().map(|&argument| self.program.bare(argument));
                    self.end(stmt, value, number, finish);
                }
                Home::Other(function) => self.not_inlined(function, stmt)?,
            },
            Primitive::Fork => match home {
                Home::Thread { .. } => self.create(stmt, call)?,
                Home::Other(function) => self.not_inlined(function, stmt)?,
            },
            Primitive::Join => self.join(stmt, call, read),
            Primitive::Check(Checked::Assertion)
            | Primitive::Nondet
            | Primitive::Assume
            | Primitive::WaitUntil
            | Primitive::Lock
            | Primitive::Unlock
            | Primitive::HoldsLock
            | Primitive::LockIsFree
            | Primitive::Peek
            | Primitive::Unwritten
            | Primitive::CurrentThread
            | Primitive::ThreadExists
            | Primitive::Allocate(_)
            | Primitive::Free
            | Primitive::ObjectSize
            | Primitive::Question(_)
            | Primitive::Unsupported
            | Primitive::Fence
            | Primitive::Print(_)
            | Primitive::FloatByte
            | Primitive::Decimal
            | Primitive::Mathematics(_)
            | Primitive::AssertFail
            | Primitive::Error
            | Primitive::BoundReached
            | Primitive::CheckAlone
            | Primitive::Deadlock => {
                if let Some(replacement) = self.runtime.replacement(primitive) {
                    self.replace(call, replacement);
                }
            }
        }
        Ok(())
    }

    /// The process ends: nothing goes on.
    fn stop(&mut self, stmt: StmtId) {
        let stop = call_of(self.program, self.runtime.assume, &[0]);
        let kind = self.program.ast().stmts[stop].kind.clone();
        self.program.ast_mut().stmts[stmt].kind = kind;
    }

    /// A thread is started or ended in a function that does not belong to one thread.
    fn not_inlined(&mut self, function: FunctionId, stmt: StmtId) -> Result<(), Refusal> {
        if self.called.contains(&function) {
            let span = self.program.ast().stmts[stmt].span;
            return Err(Refusal::new(span, "a thread is started or ended in a function that is not inlined"));
        }
        // Nobody calls it by its name: only a pointer that was not distinguished could lead here.
        let stop = call_of(self.program, self.runtime.assume, &[0]);
        let kind = self.program.ast().stmts[stop].kind.clone();
        self.program.ast_mut().stmts[stmt].kind = kind;
        Ok(())
    }

    fn replace(&mut self, call: &Call, replacement: FunctionId) {
        let span = self.program.ast().exprs[call.expr].span;
        let arguments = call.arguments.iter().map(|&argument| self.program.bare(argument)).collect();
        let new = self.program.call(replacement, arguments, span);
        let new = self.program.ast().exprs[new].clone();
        self.program.ast_mut().exprs[call.expr] = new;
    }

    /// The violation is written down, and the thread left. It is reported when it is sure that memory was guessed right.
    fn violated(&mut self, home: Home, stmt: StmtId, call: &Call, found: &Violation) {
        let kind = self.program.ast().stmts[stmt].kind.clone();
        let span = self.program.ast().stmts[stmt].span;
        let report = match found {
            Violation::Reached => {
                let report = self.program.stmt(kind, stmt);
                self.without_locals(call);
                report
            }
            Violation::Unless(_) => {
                let mut arguments = vec![self.program.int(0, span)];
                for &argument in call.arguments.iter().skip(1) {
                    let copy = copy_expr(self.program, argument);
                    arguments.push(self.program.bare(copy));
                }
                let function = call.function.expect("a violation is a call by name");
                let new = self.program.call(function, arguments, span);
                self.program.expr_stmt(new, stmt)
            }
            Violation::NotAlone => call_of(self.program, self.runtime.not_alone, &[]),
        };
        self.violations.push(report);
        let number = i128::try_from(self.violations.len()).unwrap_or(0);
        let mut list = vec![call_of(self.program, self.runtime.fail, &[number])];
        list.extend(self.leave(home, stmt));
        self.program.ast_mut().stmts[stmt].kind = match found {
            Violation::Reached => StmtKind::Block(list),
            Violation::Unless(condition) => {
                let then = self.program.block(list, stmt);
                let condition = self.program.not(*condition);
                let condition = self.program.tree.condition(condition);
                StmtKind::If { condition, then, otherwise: None }
            }
            Violation::NotAlone => {
                let then = self.program.block(list, stmt);
                let alone = self.program.call(self.runtime.is_alone, Vec::new(), span);
                let condition = self.program.not(alone);
                let condition = self.program.tree.condition(condition);
                StmtKind::If { condition, then, otherwise: None }
            }
        };
    }

    /// What only the function knows in which a violation is met cannot be reported elsewhere.
    fn without_locals(&mut self, call: &Call) {
        for &argument in &call.arguments {
            let mut local = false;
            walk(self.program.ast(), Node::Expr(argument), &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Var(var) = self.program.ast().exprs[expr].kind
                {
                    local |= self.program.ast().vars[var].owner.is_some();
                }
                !local
            });
            if local && self.program.ast().types.pointee(self.program.ast().exprs[argument].ty.id).is_none() {
                let span = self.program.ast().exprs[argument].span;
                let zero = self.program.int(0, span);
                let ty = self.program.ast().exprs[argument].ty;
                let zero = self.program.tree.explicit_cast(zero, ty, span);
                let zero = self.program.ast().exprs[zero].clone();
                self.program.ast_mut().exprs[argument] = zero;
            }
        }
    }

    /// `number = __raddle_fork(function, argument);` hands the argument over and notes the round.
    fn create(&mut self, stmt: StmtId, call: &Call) -> Result<(), Refusal> {
        let span = self.program.ast().stmts[stmt].span;
        let thread = call
            .arguments
            .first()
            .and_then(|&argument| named_function(self.program, argument))
            .map(|(_, function)| self.program.definition_of(function))
            .and_then(|function| self.functions.iter().position(|&known| known == function));
        let (Some(thread), Some(&argument)) = (thread, call.arguments.get(1)) else {
            return Err(Refusal::new(span, "it is not known which function a thread runs"));
        };
        let mut list = Vec::new();
        if let Some(&given) = self.given[thread].first() {
            let ty = self.program.ast().vars[given].ty;
            let argument = self.program.bare(argument);
            let value = self.program.tree.explicit_cast(argument, ty, span);
            let target = self.program.var(given, span);
            list.push(self.program.assign_stmt(target, value, stmt));
        }
        let number = self.program.int(i128::try_from(thread).unwrap_or(0), span);
        let new = self.program.call(self.runtime.create, vec![number], span);
        let new = self.program.ast().exprs[new].clone();
        self.program.ast_mut().exprs[call.expr] = new;
        let kind = self.program.ast().stmts[stmt].kind.clone();
        list.push(self.program.stmt(kind, stmt));
        self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
        Ok(())
    }

    /// Waits for a thread; what it gave back is only looked at if somebody asks.
    fn join(&mut self, stmt: StmtId, call: &Call, read: &FxHashSet<VarId>) {
        let asked = match call.target.map(|target| &self.program.ast().exprs[target].kind) {
            Some(ExprKind::Var(var)) => read.contains(var),
            Some(_) => true,
            None => false,
        };
        if asked {
            self.replace(call, self.runtime.join_result);
            return;
        }
        let span = self.program.ast().stmts[stmt].span;
        let arguments = call.arguments.iter().map(|&argument| self.program.bare(argument)).collect();
        let wait = self.program.call(self.runtime.join_wait, arguments, span);
        let wait = self.program.expr_stmt(wait, stmt);
        let kind = self.program.ast().stmts[wait].kind.clone();
        self.program.ast_mut().stmts[stmt].kind = kind;
    }
}
