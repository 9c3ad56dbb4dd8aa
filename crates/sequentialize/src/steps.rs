//! What other threads can see of a statement: nothing, a step, the borders of an atomic block, or the end of its thread.
//!
//! A function whose call is at most one step, as most models of the API are, need not be copied into its callers: control can
//! only change before it. The analysis counts steps from above: a function said to make at most one makes at most one.

use raddle_cfront::ast::{CastKind, ExprId, ExprKind, FunctionId, StmtId, StmtKind, UnaryOp};
use raddle_cfront::check::builtin::Builtin;
use raddle_cfront::primitive::{Primitive, is_atomic_function};
use raddle_cfront::types::{IntKind, Type};
use rustc_hash::FxHashMap;

use crate::calls::{Call, direct, statement_call};
use crate::escape::Sharing;
use crate::program::Program;
use crate::visit::{Node, Part, expr_parts, parts, walk};

/// What a statement by itself, without the statements in it, does that others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    /// Nothing.
    Quiet,
    /// The thread may end here: an assumption, a bound, the end of the process.
    Stop,
    /// It only reads what others may write.
    Read,
    /// A step that others may notice.
    Change,
    /// An atomic block begins.
    Begin,
    /// It ends.
    End,
}

/// How a known function counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownSteps {
    Action(Action),
    /// A thread is started.
    Fork,
    /// The thread ends in good order.
    Exit,
}

/// How a function without a body counts.
fn known(program: &Program, function: FunctionId) -> Option<KnownSteps> {
    if let Some(primitive) = program.ast().primitive(function) {
        return Some(known_primitive(primitive));
    }
    Some(match program.function_text(function) {
        "pthread_create" | "thrd_create" => KnownSteps::Fork,
        "pthread_exit" | "thrd_exit" => KnownSteps::Exit,
        "printf" | "fprintf" | "puts" | "putchar" | "malloc" | "calloc" => KnownSteps::Action(Action::Quiet),
        _ => return None,
    })
}

fn known_primitive(primitive: Primitive) -> KnownSteps {
    KnownSteps::Action(match primitive {
        Primitive::Fork => return KnownSteps::Fork,
        Primitive::ExitThread => return KnownSteps::Exit,
        Primitive::AtomicBegin => Action::Begin,
        Primitive::AtomicEnd => Action::End,
        Primitive::Assume
        | Primitive::BoundReached
        | Primitive::Abort
        | Primitive::ExitProcess
        | Primitive::Unsupported
        // Where others look for something else, these only end the process.
        | Primitive::AssertFail
        | Primitive::Error
        | Primitive::Deadlock => Action::Stop,
        // What mathematics gives depends on nothing but its arguments.
        Primitive::Nondet
        | Primitive::Mathematics(_)
        | Primitive::CurrentThread
        | Primitive::CheckAlone
        | Primitive::Unwritten
        | Primitive::EndLocals
        | Primitive::Allocate(_)
        | Primitive::Question(_)
        | Primitive::Check(_)
        | Primitive::Print(_)
        | Primitive::FloatByte
        | Primitive::Decimal
        | Primitive::Fence => Action::Quiet,
        Primitive::ThreadExists
        | Primitive::ObjectSize
        | Primitive::HoldsLock
        | Primitive::LockIsFree
        | Primitive::Peek => Action::Read,
        Primitive::Join
        | Primitive::Lock
        | Primitive::Unlock
        | Primitive::WaitUntil
        | Primitive::Free => Action::Change,
    })
}

/// What a function does that takes a format, and any number of arguments: those have no models that could be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formats {
    /// It prints.
    Output,
    /// It reads or writes what it is given.
    Memory,
}

fn formats(name: &str) -> Option<Formats> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    match name {
        "printf" | "fprintf" | "dprintf" | "vprintf" | "vfprintf" | "vdprintf" | "wprintf" | "fwprintf" => {
            Some(Formats::Output)
        }
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "asprintf" | "vasprintf" | "swprintf"
        | "vswprintf" | "scanf" | "fscanf" | "sscanf" | "vscanf" | "vfscanf" | "vsscanf" => {
            Some(Formats::Memory)
        }
        _ => None,
    }
}

/// What a thread may have to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// That a condition holds.
    Condition,
    /// That a lock is free.
    Lock,
    /// That a thread has ended.
    Join,
}

/// What a primitive waits for, if it does.
fn wait(primitive: Primitive) -> Option<Wait> {
    match primitive {
        Primitive::WaitUntil => Some(Wait::Condition),
        Primitive::Lock => Some(Wait::Lock),
        Primitive::Join => Some(Wait::Join),
        Primitive::Nondet
        | Primitive::Assume
        | Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::Unlock
        | Primitive::HoldsLock
        | Primitive::LockIsFree
        | Primitive::Peek
        | Primitive::Unwritten
        | Primitive::EndLocals
        | Primitive::Fork
        | Primitive::CurrentThread
        | Primitive::ThreadExists
        | Primitive::ExitThread
        | Primitive::ExitProcess
        | Primitive::Abort
        | Primitive::Allocate(_)
        | Primitive::Free
        | Primitive::ObjectSize
        | Primitive::Check(_)
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
        | Primitive::Deadlock => None,
    }
}

/// The index of the function's name among the arguments of a call that starts a thread.
pub(crate) fn fork_argument(program: &Program, function: FunctionId) -> Option<usize> {
    if program.ast().primitive(function) == Some(Primitive::Fork) {
        return Some(0);
    }
    match program.function_text(function) {
        "thrd_create" => Some(1),
        "pthread_create" => Some(2),
        _ => None,
    }
}

/// Which functions are copied into their callers, or have their loops unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All of them.
    All,
    /// Those whose calls are more than one step to other threads.
    Visible,
}

impl Which {
    /// As they are written in a pipeline.
    pub(crate) const WORDS: &[&str] = &["all", "visible"];

    /// The choice at this index of [`Self::WORDS`].
    pub(crate) fn of(choice: usize) -> Self {
        match choice {
            0 => Self::All,
            _ => Self::Visible,
        }
    }
}

/// What a call of a function may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// How many steps it makes at most; two stands for more.
    pub(crate) steps: u32,
    /// Whether the thread may end in it.
    pub(crate) stops: bool,
    /// Whether it must be copied into its caller: it starts a thread, ends the own one, or leaves an atomic block open.
    pub(crate) special: bool,
    /// Whether it may have to wait for another thread.
    pub(crate) waits: bool,
    /// Whether it may change what others can see.
    pub(crate) changes: bool,
}

impl Summary {
    const NOTHING: Self = Self { steps: 0, stops: false, special: false, waits: false, changes: false };
    const ANYTHING: Self = Self { steps: 2, stops: true, special: true, waits: true, changes: true };

    /// Whether the function may stay a function where steps count.
    pub(crate) fn stays(self, which: Which) -> bool {
        match which {
            Which::All => false,
            Which::Visible => self.steps <= 1 && !self.special,
        }
    }
}

/// What calls of each function may do.
#[derive(Debug)]
pub(crate) struct Steps<'a> {
    sharing: &'a Sharing,
    summaries: FxHashMap<FunctionId, Summary>,
}

impl<'a> Steps<'a> {
    /// Looks at all functions of a program that was simplified.
    pub(crate) fn of(program: &Program, sharing: &'a Sharing) -> Self {
        let mut steps = Self { sharing, summaries: FxHashMap::default() };
        for (_, function) in program.definitions() {
            steps.visit(program, function, &mut Vec::new());
        }
        steps
    }

    /// What is known of variables.
    pub(crate) fn sharing(&self) -> &'a Sharing {
        self.sharing
    }

    /// What a call of a defined function may do.
    pub(crate) fn summary(&self, function: FunctionId) -> Summary {
        self.summaries.get(&function).copied().unwrap_or(Summary::ANYTHING)
    }

    fn visit(&mut self, program: &Program, function: FunctionId, open: &mut Vec<FunctionId>) -> Summary {
        if let Some(&known) = self.summaries.get(&function) {
            return known;
        }
        if open.contains(&function) {
            // Recursion: whatever it does, it may do it many times.
            return Summary::ANYTHING;
        }
        let Some(body) = program.body(function) else { return Summary::ANYTHING };
        open.push(function);
        for callee in callees(program, body) {
            self.visit(program, callee, open);
        }
        open.pop();
        let mut count = StepCount { program, steps: self, depth: 0, summary: Summary::NOTHING };
        count.stmt(body);
        let mut summary = count.summary;
        if count.depth != 0 {
            summary.special = true;
        }
        if is_atomic_function(program.function_text(function)) {
            summary.steps = 1;
        }
        self.summaries.insert(function, summary);
        summary
    }

    /// What the expressions of a statement do, those of the statements in it left out.
    pub(crate) fn action(&self, program: &Program, stmt: StmtId) -> Action {
        let mut action = Action::Quiet;
        for part in parts(program.ast(), Node::Stmt(stmt)) {
            if let Node::Expr(expr) = part {
                action = action.max(self.expr_action(program, expr));
            }
        }
        action
    }

    /// Whether a statement calls a function of the library that reads or writes shared memory in several steps, and has no model
    /// that could be followed.
    pub(crate) fn is_torn(&self, program: &Program, stmt: StmtId) -> bool {
        let ast = program.ast();
        let mut found = false;
        for part in parts(ast, Node::Stmt(stmt)) {
            let Node::Expr(expr) = part else { continue };
            walk(ast, Node::Expr(expr), &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call { callee, arguments } = &ast.exprs[expr].kind
                    && let Some(function) = direct(program, *callee)
                {
                    found |= self.tears(program, program.definition_of(function), arguments);
                }
                true
            });
        }
        found
    }

    /// The same for one call. Who only prints is never seen to have read in several steps, but for `%n` it writes.
    fn tears(&self, program: &Program, function: FunctionId, arguments: &[ExprId]) -> bool {
        let ast = program.ast();
        let Some(formats) = formats(program.function_text(function)) else { return false };
        let counts = |&argument: &ExprId| {
            let Some(pointee) = ast.types.pointee(ast.exprs[argument].ty.id) else { return false };
            match (formats, ast.types.kind(pointee.id)) {
                (Formats::Memory, _) => true,
                (Formats::Output, Type::Int(kind)) => {
                    !matches!(kind, IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar)
                }
                (Formats::Output, _) => false,
            }
        };
        program.body(function).is_none()
            && arguments
                .iter()
                .filter(|argument| counts(argument))
                .any(|&argument| self.sharing.may_lead_to_shared(program, argument))
    }

    /// How many accesses to shared memory the expressions of a statement make; a call is one, a structure too.
    pub(crate) fn accesses(&self, program: &Program, stmt: StmtId) -> usize {
        let ast = program.ast();
        let mut count = 0;
        for part in parts(ast, Node::Stmt(stmt)) {
            let Node::Expr(expr) = part else { continue };
            walk(ast, Node::Expr(expr), &mut |node| {
                if let Node::Expr(expr) = node {
                    count += match &ast.exprs[expr].kind {
                        ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                            usize::from(self.shared(program, *operand))
                        }
                        ExprKind::Assign(target, _) => usize::from(self.shared(program, *target)),
                        ExprKind::CompoundAssign { target, .. }
                        | ExprKind::Unary(
                            UnaryOp::PreIncrement
                            | UnaryOp::PreDecrement
                            | UnaryOp::PostIncrement
                            | UnaryOp::PostDecrement,
                            target,
                        ) => {
                            // One access if it is atomic, else a read and a write.
                            let each = if crate::access::is_atomic(ast, *target) { 1 } else { 2 };
                            if self.shared(program, *target) { each } else { 0 }
                        }
                        ExprKind::Call { .. } | ExprKind::Builtin { .. } => 1,
                        ExprKind::ExprQuery(..) => return false,
                        _ => 0,
                    };
                }
                true
            });
        }
        count
    }

    fn expr_action(&self, program: &Program, expr: ExprId) -> Action {
        let ast = program.ast();
        let mut action = Action::Quiet;
        walk(ast, Node::Expr(expr), &mut |node| {
            let Node::Expr(expr) = node else { return true };
            let own = match &ast.exprs[expr].kind {
                ExprKind::Cast { kind: CastKind::Load, operand, .. } if self.shared(program, *operand) => {
                    Action::Read
                }
                ExprKind::Assign(target, _) | ExprKind::CompoundAssign { target, .. }
                    if self.shared(program, *target) =>
                {
                    Action::Change
                }
                ExprKind::Unary(
                    UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement,
                    target,
                ) if self.shared(program, *target) => Action::Change,
                ExprKind::Builtin { builtin, arguments } => {
                    let pointer = |&argument: &ExprId| ast.types.pointee(ast.exprs[argument].ty.id).is_some();
                    match builtin {
                        Builtin::AtomicLoadN => Action::Read,
                        _ if arguments.iter().any(pointer) => Action::Change,
                        _ => Action::Quiet,
                    }
                }
                ExprKind::Call { callee, arguments } => self.call_action(program, *callee, arguments),
                // Asked for its size, nothing is read.
                ExprKind::ExprQuery(..) => return false,
                _ => Action::Quiet,
            };
            action = action.max(own);
            true
        });
        action
    }

    fn shared(&self, program: &Program, lvalue: ExprId) -> bool {
        self.sharing.may_be_shared(program, lvalue)
    }

    fn call_action(&self, program: &Program, callee: ExprId, arguments: &[ExprId]) -> Action {
        let Some(function) = direct(program, callee) else { return Action::Change };
        let function = program.definition_of(function);
        if program.body(function).is_none() || program.primitive(function) == Some(Primitive::Error) {
            if self.tears(program, function, arguments) {
                return Action::Change;
            }
            return match known(program, function) {
                Some(KnownSteps::Action(action)) => action,
                Some(KnownSteps::Fork | KnownSteps::Exit) => Action::Change,
                // What the library does with what it is shown, nobody knows.
                None => {
                    let ast = program.ast();
                    let pointer = |&argument: &ExprId| ast.types.pointee(ast.exprs[argument].ty.id).is_some();
                    if arguments.iter().any(pointer) { Action::Change } else { Action::Quiet }
                }
            };
        }
        let summary = self.summary(function);
        match (summary.steps, summary.stops) {
            (0, false) => Action::Quiet,
            (0, true) => Action::Stop,
            _ if summary.changes => Action::Change,
            _ => Action::Read,
        }
    }

    /// Whether a statement by itself may have to wait: a primitive, or a call of a function that may.
    pub(crate) fn may_wait(&self, program: &Program, stmt: StmtId) -> bool {
        wait_of(program, stmt).is_some()
            || defined_callee(program, stmt).is_some_and(|function| self.summary(function).waits)
    }

    /// Whether a statement starts a thread, or ends its own in good order.
    pub(crate) fn is_special(program: &Program, stmt: StmtId) -> bool {
        let mut found = false;
        for part in parts(program.ast(), Node::Stmt(stmt)) {
            let Node::Expr(expr) = part else { continue };
            walk(program.ast(), Node::Expr(expr), &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind
                    && let Some(function) = direct(program, callee)
                {
                    let function = program.definition_of(function);
                    found |= program.body(function).is_none()
                        && matches!(known(program, function), Some(KnownSteps::Fork | KnownSteps::Exit));
                }
                true
            });
        }
        found
    }
}

/// The function with a body that a statement calls.
pub(crate) fn defined_callee(program: &Program, stmt: StmtId) -> Option<FunctionId> {
    let function = program.definition_of(statement_call(program, stmt)?.function?);
    program.body(function).is_some().then_some(function)
}

/// What a statement waits for, with the call, if it is a primitive that waits.
pub(crate) fn wait_of(program: &Program, stmt: StmtId) -> Option<(Wait, Call)> {
    let call = statement_call(program, stmt)?;
    let function = call.function?;
    Some((wait(program.primitive(function)?)?, call))
}

/// The defined functions that a body calls or names.
fn callees(program: &Program, body: StmtId) -> Vec<FunctionId> {
    let mut found = Vec::new();
    walk(program.ast(), Node::Stmt(body), &mut |node| {
        if let Node::Expr(expr) = node
            && let ExprKind::Function(function) = program.ast().exprs[expr].kind
        {
            let function = program.definition_of(function);
            if program.body(function).is_some() && !found.contains(&function) {
                found.push(function);
            }
        }
        true
    });
    found
}

/// Counts the steps of one body from above.
struct StepCount<'a, 'b> {
    program: &'a Program,
    steps: &'a Steps<'b>,
    /// How many atomic blocks are open.
    depth: u32,
    summary: Summary,
}

impl StepCount<'_, '_> {
    fn step(&mut self, count: u32) {
        self.summary.steps = (self.summary.steps + count).min(2);
    }

    fn own(&mut self, stmt: StmtId) {
        if Steps::is_special(self.program, stmt) {
            self.summary.special = true;
        }
        self.special_callees(stmt);
        let action = self.steps.action(self.program, stmt);
        self.summary.changes |= action == Action::Change;
        match action {
            Action::Quiet => {}
            Action::Stop => {
                // Behind a step of its own it must be possible to stop in between.
                if self.depth == 0 && self.summary.steps > 0 {
                    self.summary.steps = 2;
                }
                self.summary.stops = true;
            }
            Action::Read | Action::Change => {
                if self.depth == 0 {
                    let least = if self.steps.is_torn(self.program, stmt) { 2 } else { 1 };
                    self.step(self.called_steps(stmt).max(least));
                }
            }
            Action::Begin => {
                if self.depth == 0 {
                    self.step(1);
                }
                self.depth += 1;
            }
            Action::End => self.depth = self.depth.saturating_sub(1),
        }
    }

    /// The functions called in a statement, itself only.
    fn called(&self, stmt: StmtId) -> Vec<FunctionId> {
        let mut found = Vec::new();
        for part in parts(self.program.ast(), Node::Stmt(stmt)) {
            let Node::Expr(expr) = part else { continue };
            walk(self.program.ast(), Node::Expr(expr), &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call { callee, .. } = self.program.ast().exprs[expr].kind
                    && let Some(function) = direct(self.program, callee)
                {
                    found.push(self.program.definition_of(function));
                }
                true
            });
        }
        found
    }

    fn special_callees(&mut self, stmt: StmtId) {
        for function in self.called(stmt) {
            if self.program.body(function).is_some() {
                let summary = self.steps.summary(function);
                self.summary.special |= summary.special;
                self.summary.stops |= summary.stops;
                self.summary.waits |= summary.waits;
                self.summary.changes |= summary.changes;
            } else {
                self.summary.waits |= self.program.primitive(function).and_then(wait).is_some();
            }
        }
    }

    fn called_steps(&self, stmt: StmtId) -> u32 {
        let steps = self.called(stmt).into_iter().filter(|&function| self.program.body(function).is_some());
        steps.map(|function| self.steps.summary(function).steps).max().unwrap_or(0)
    }

    fn stmt(&mut self, stmt: StmtId) {
        self.own(stmt);
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Block(list) => list.into_iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If { then, otherwise, .. } => {
                let (depth, before) = (self.depth, self.summary);
                self.stmt(then);
                let (then_depth, then_summary) = (self.depth, self.summary);
                (self.depth, self.summary.steps) = (depth, before.steps);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
                self.summary.steps = self.summary.steps.max(then_summary.steps);
                let jumps = |stmt: StmtId| crate::flow::ends_with_jump(self.program, stmt);
                if jumps(then) {
                    // The depth is that of the other way.
                } else if otherwise.is_some_and(jumps) {
                    self.depth = then_depth;
                } else if self.depth != then_depth {
                    self.summary.special = true;
                }
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. } => {
                let (depth, steps) = (self.depth, self.summary.steps);
                if let StmtKind::For { init: Some(init), .. } = self.program.ast().stmts[stmt].kind {
                    self.stmt(init);
                }
                self.stmt(body);
                if self.summary.steps > steps {
                    self.summary.steps = 2;
                }
                if self.depth != depth {
                    self.summary.special = true;
                    self.depth = depth;
                }
            }
            StmtKind::Label(_, body) | StmtKind::Case { body, .. } | StmtKind::Default(body) => {
                self.stmt(body)
            }
            StmtKind::Expr(expr) => self.inner_stmts(expr),
            StmtKind::Return(_) => {
                // A function that returns with an atomic block open leaves it to the caller to close.
                if self.depth != 0 {
                    self.summary.special = true;
                }
            }
            StmtKind::Empty
            | StmtKind::Declare(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Error => {}
        }
    }

    /// Statement expressions, if somebody left them.
    fn inner_stmts(&mut self, expr: ExprId) {
        let mut found = false;
        expr_parts(&mut self.program.ast().exprs[expr].kind.clone(), &mut |part| {
            found |= matches!(part, Part::Stmt(_));
        });
        if found {
            self.summary = Summary::ANYTHING;
        }
    }
}
