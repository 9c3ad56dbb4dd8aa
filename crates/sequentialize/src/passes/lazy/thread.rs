//! One thread function: jumps at its labels, guards where control comes by a jump, and its end.

use raddle_base::Span;
use raddle_cfront::ast::{
    BinaryOp, ExprId, ExprKind, FunctionId, LabelId, Stmt, StmtId, StmtKind, Storage, VarId,
};
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::Types;
use rustc_hash::FxHashMap;

use super::probe::Probes;
use super::runtime::Runtime;
use crate::calls::{Call, named_function, statement_call};
use crate::pass::Refusal;
use crate::passes::labels;
use crate::program::Program;
use crate::visit::{declared_here, exprs_in, stmts_in};

/// Code that the schema brings in comes from nowhere.
pub(super) fn made(program: &mut Program, kind: StmtKind) -> StmtId {
    program.ast_mut().stmts.push(Stmt { kind, span: Span::NONE })
}

/// `number = __raddle_fork(function, argument);` becomes `number = __raddle_seq_create(thread, argument);`.
pub(super) fn create(
    program: &mut Program,
    runtime: &Runtime,
    stmt: StmtId,
    call: &Call,
    threads: &[FunctionId],
) -> Result<(), Refusal> {
    let span = program.ast().stmts[stmt].span;
    let number =
        // The driver calls thread functions by number, so each thread must be known by its function.
        call.arguments.first().and_then(|&argument| named_function(program, argument)).and_then(
            |(_, function)| threads.iter().position(|&known| known == program.definition_of(function)),
        );
    let (Some(number), Some(&argument)) = (number, call.arguments.get(1)) else {
        return Err(Refusal::new(span, "it is not known which function a thread runs"));
    };
    let number = program.int(i128::try_from(number).unwrap_or(0), span);
    let argument = program.bare(argument);
    let new = program.call(runtime.create, vec![number, argument], span);
    let new = program.ast().exprs[new].clone();
    // In place, so that whoever holds the expression finds the new call.
    program.ast_mut().exprs[call.expr] = new;
    Ok(())
}

/// Which thread a function belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose<'a> {
    /// The thread's id.
    pub(super) number: usize,
    /// Its last label.
    pub(super) end: u32,
    /// What the function was given.
    pub(super) parameters: &'a [VarId],
}

/// Rewrites the body of a thread function.
pub(super) fn transform(
    program: &mut Program,
    runtime: &Runtime,
    function: FunctionId,
    whose: Whose<'_>,
    probes: &Probes,
) -> Result<(), Refusal> {
    let Whose { number, end, parameters } = whose;
    let Some(body) = program.body(function) else { return Ok(()) };
    // In this order: what the function is given are reads of parameters, and those are gone before labels are
    // counted.
    no_automatic(program, body)?;
    given(program, runtime, body, number, parameters);
    // Counted before the body is rewritten: the rewriting asks what comes behind a jump.
    let numbered = numbered_labels(program, body);
    let places = places(program, body);
    let exit = program.fresh_label("exit", Span::NONE);
    let mut thread = ThreadRewriter {
        program,
        runtime,
        probes,
        number,
        numbered,
        next: 0,
        places,
        exit,
        exit_from: None,
        end,
    };
    let StmtKind::Block(list) = thread.program.ast().stmts[body].kind.clone() else { return Ok(()) };
    let mut list = thread.list(&list);
    let exit_from = thread.exit_from;
    // In front of the last label, which is the end of the thread.
    let last = list.len().saturating_sub(1);
    if let Some(from) = exit_from {
        // Who returns early comes here by a jump.
        // Without a guard when no switch point was jumped over.
        let marked = if from < end { guard(program, runtime, end) } else { made(program, StmtKind::Empty) };
        let label = made(program, StmtKind::Label(exit, marked));
        list.insert(last, label);
    }
    if number == 0 {
        let over = over(program, runtime);
        list.insert(last, over);
    }
    program.ast_mut().stmts[body].kind = StmtKind::Block(list);
    Ok(())
}

/// `__raddle_over = 1;`: `main` returns.
fn over(program: &mut Program, runtime: &Runtime) -> StmtId {
    let (place, one) = (program.var(runtime.over, Span::NONE), program.int(1, Span::NONE));
    let value = program.tree.operators().assign(place, one, Span::NONE);
    made(program, StmtKind::Expr(value))
}

/// What is not static loses its value between two turns.
fn no_automatic(program: &Program, body: StmtId) -> Result<(), Refusal> {
    for stmt in stmts_in(program.ast(), body) {
        for var in declared_here(program.ast(), stmt) {
            let variable = &program.ast().vars[var];
            let fleeting = matches!(variable.storage, Storage::Automatic | Storage::Register);
            // An automatic variable without a value that is copied at once stands for any value.
            if fleeting && !program.origins.is_temporary(var) {
                return Err(Refusal::new(
                    variable.span,
                    "a thread function has a variable that is not static",
                )
                .help("run the pass `statics` before"));
            }
        }
    }
    Ok(())
}

/// What a thread is given when it starts: its parameters are gone.
fn given(program: &mut Program, runtime: &Runtime, body: StmtId, number: usize, parameters: &[VarId]) {
    for expr in exprs_in(program.ast(), body) {
        let ExprKind::Var(var) = program.ast().exprs[expr].kind else { continue };
        let Some(place) = parameters.iter().position(|&parameter| parameter == var) else { continue };
        let span = program.ast().exprs[expr].span;
        let value = match (number, place) {
            // `main` gets a name and nothing else.
            (0, 0) => program.int(1, span),
            (0, 1) => program.var(runtime.arguments, span),
            (0, _) => program.int(0, span),
            (_, _) => {
                let all = program.var(runtime.argument, span);
                let index = program.int(i128::try_from(number).unwrap_or(0), span);
                program.tree.primaries().index(all, index, span)
            }
        };
        replace_read(program, body, expr, value);
    }
}

/// Puts a value where a parameter was assigned to its static copy.
fn replace_read(program: &mut Program, body: StmtId, read: ExprId, value: ExprId) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { continue };
        let ExprKind::Assign(target, old) = program.ast().exprs[expr].kind else { continue };
        // The pass `statics` has made this copy, so it is there once.
        if program.bare(old) == read {
            let new = program.assign_stmt(target, value, stmt);
            let kind = program.ast().stmts[new].kind.clone();
            program.ast_mut().stmts[stmt].kind = kind;
            return;
        }
    }
}

/// The labels of the switch points by their numbers.
fn numbered_labels(program: &Program, body: StmtId) -> FxHashMap<u32, LabelId> {
    let all = crate::visit::labels_in(program.ast(), body);
    all.into_iter().filter_map(|label| Some((labels::number(program, label)?, label))).collect()
}

/// For each label of the program's own: the first switch point behind it, and the first behind the first jump to it.
fn places(program: &Program, body: StmtId) -> FxHashMap<LabelId, (u32, u32)> {
    let mut next = 0;
    let mut jumps: FxHashMap<LabelId, u32> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for stmt in stmts_in(program.ast(), body) {
        match program.ast().stmts[stmt].kind {
            // A label of our own is where the count goes up.
            StmtKind::Label(label, _) => match labels::number(program, label) {
                Some(number) => next = number + 1,
                None => {
                    let from = jumps.get(&label).copied().unwrap_or(next);
                    // The first jump is the one that skips most.
                    found.insert(label, (next, from));
                }
            },
            StmtKind::Goto(label) => {
                jumps.entry(label).or_insert(next);
            }
            _ => {}
        }
    }
    found
}

/// `__VERIFIER_assume(__raddle_leave >= next);`
fn guard(program: &mut Program, runtime: &Runtime, next: u32) -> StmtId {
    let span = Span::NONE;
    let (leave, next) = (program.var(runtime.leave, span), program.int(i128::from(next), span));
    let condition = program.tree.operators().binary(BinaryOp::GreaterEqual, leave, next, span);
    let call = program.call(runtime.assume, vec![condition], span);
    made(program, StmtKind::Expr(call))
}

struct ThreadRewriter<'p> {
    program: &'p mut Program,
    runtime: &'p Runtime,
    probes: &'p Probes,
    number: usize,
    numbered: FxHashMap<u32, LabelId>,
    /// The number of the next switch point.
    next: u32,
    places: FxHashMap<LabelId, (u32, u32)>,
    /// Where the thread's end is.
    exit: LabelId,
    /// The first switch point behind the first jump there.
    exit_from: Option<u32>,
    end: u32,
}

impl ThreadRewriter<'_> {
    fn list(&mut self, list: &[StmtId]) -> Vec<StmtId> {
        // Most statements get a jump or a guard beside them.
        let mut new = Vec::with_capacity(list.len() * 2);
        for &stmt in list {
            self.stmt(stmt, &mut new);
        }
        new
    }

    fn body(&mut self, stmt: StmtId) -> StmtId {
        let mut list = Vec::new();
        self.stmt(stmt, &mut list);
        if list.len() == 1 { list[0] } else { self.program.block(list, stmt) }
    }

    fn stmt(&mut self, stmt: StmtId, out: &mut Vec<StmtId>) {
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Block(list) => {
                let list = self.list(&list);
                self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
                out.push(stmt);
            }
            StmtKind::Label(label, inner) => self.label(stmt, label, inner, out),
            StmtKind::If { condition, then, otherwise } => self.choice(stmt, condition, then, otherwise, out),
            StmtKind::Return(value) => {
                let value = value.map(|value| self.program.bare(value));
                if self.number == 0 {
                    out.push(over(self.program, self.runtime));
                }
                self.leave(stmt, value, out);
            }
            StmtKind::Expr(_) => {
                // Only a call that is a statement by itself ends a thread: simpler statements were made
                // before.
                let call = statement_call(self.program, stmt);
                let ends = call.as_ref().filter(|call| {
                    call.function.is_some_and(|function| {
                        self.program.primitive(function) == Some(Primitive::ExitThread)
                    })
                });
                match ends {
                    Some(call) => {
                        let value = call.arguments.first().map(|&argument| self.program.bare(argument));
                        self.leave(stmt, value, out);
                    }
                    None => out.push(stmt),
                }
            }
            StmtKind::Empty
            | StmtKind::Declare(_)
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Error => out.push(stmt),
        }
    }

    /// `J` behind a switch point, `G` behind a label that a jump over switch points leads to.
    fn label(&mut self, stmt: StmtId, label: LabelId, inner: StmtId, out: &mut Vec<StmtId>) {
        let first = match labels::number(self.program, label) {
            Some(number) => {
                self.next = number + 1;
                let jump = self.jump(number);
                // Asked before the jump: a thread that is stuck here is not let past.
                match (self.probes.get(&label), jump) {
                    (Some(&probe), Some(jump)) => {
                        let asked = self.asked(number, probe);
                        Some(made(self.program, StmtKind::Block(vec![asked, jump])))
                    }
                    (_, jump) => jump,
                }
            }
            None => match self.places.get(&label) {
                // Between the jump and the label lie switch points that control does not pass, so being left
                // there must be excluded.
                Some(&(next, from)) if from < next => Some(guard(self.program, self.runtime, next)),
                Some(_) | None => None,
            },
        };
        match first {
            Some(first) => {
                self.program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, first);
                out.push(stmt);
                self.stmt(inner, out);
            }
            None => {
                let mut list = Vec::new();
                self.stmt(inner, &mut list);
                let declares =
                    |first: &StmtId| matches!(self.program.ast().stmts[*first].kind, StmtKind::Declare(_));
                // A label must stand before a statement, and C11 counts declarations for none.
                let marked = if list.first().is_none_or(declares) {
                    made(self.program, StmtKind::Empty)
                } else {
                    list.remove(0)
                };
                self.program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, marked);
                out.push(stmt);
                out.extend(list);
            }
        }
    }

    /// `if (at > number || leave <= number) goto next;`: the part behind a switch point belongs to another turn.
    fn jump(&mut self, number: u32) -> Option<StmtId> {
        // Behind the last label there is nothing to jump to.
        let target = *self.numbered.get(&(number + 1))?;
        let span = Span::NONE;
        let at = self.runtime.at[self.number];
        let mut compare = |var: VarId, op: BinaryOp| {
            let (left, right) = (self.program.var(var, span), self.program.int(i128::from(number), span));
            self.program.tree.operators().binary(op, left, right, span)
        };
        let before = compare(at, BinaryOp::Greater);
        let behind = compare(self.runtime.leave, BinaryOp::LessEqual);
        let condition = self.program.tree.operators().binary(BinaryOp::Or, before, behind, span);
        let condition = self.program.tree.condition(condition);
        let then = made(self.program, StmtKind::Goto(target));
        Some(made(self.program, StmtKind::If { condition, then, otherwise: None }))
    }

    /// `if (probe && at == number) …`: is the thread stuck here?
    fn asked(&mut self, number: u32, probe: StmtId) -> StmtId {
        let span = Span::NONE;
        let at = self.program.var(self.runtime.at[self.number], span);
        let number = self.program.int(i128::from(number), span);
        let here = self.program.tree.operators().binary(BinaryOp::Equal, at, number, span);
        let flag = self.program.var(self.runtime.probe, span);
        let condition = self.program.tree.operators().binary(BinaryOp::And, flag, here, span);
        let condition = self.program.tree.condition(condition);
        made(self.program, StmtKind::If { condition, then: probe, otherwise: None })
    }

    fn choice(
        &mut self,
        stmt: StmtId,
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
        out: &mut Vec<StmtId>,
    ) {
        // Which switch points lie in which part decides which guards are needed.
        let start = self.next;
        let then = self.body(then);
        let middle = self.next;
        let mut after = None;
        let otherwise = match otherwise {
            None => {
                // Control that comes by the other way has passed the switch points of `then` without being
                // left there.
                if middle > start {
                    after = Some(middle);
                }
                None
            }
            Some(otherwise) => {
                let inner = self.body(otherwise);
                if self.next > middle {
                    after = Some(self.next);
                }
                if middle > start {
                    // Who takes this part was not left in the other one.
                    let first = guard(self.program, self.runtime, middle);
                    Some(self.program.block(vec![first, inner], stmt))
                } else {
                    Some(inner)
                }
            }
        };
        self.program.ast_mut().stmts[stmt].kind = StmtKind::If { condition, then, otherwise };
        out.push(stmt);
        if let Some(next) = after {
            out.push(guard(self.program, self.runtime, next));
        }
    }

    /// The thread's result is kept, and control goes to its end.
    fn leave(&mut self, stmt: StmtId, value: Option<ExprId>, out: &mut Vec<StmtId>) {
        let span = self.program.ast().stmts[stmt].span;
        // What `main` returns nobody asks for.
        if let (Some(value), true) = (value, self.number > 0) {
            let all = self.program.var(self.runtime.result, span);
            let index = self.program.int(i128::try_from(self.number).unwrap_or(0), span);
            let place = self.program.tree.primaries().index(all, index, span);
            let pointer = self.program.tree.explicit_cast(value, Types::void_pointer().into(), span);
            let store = self.program.assign_stmt(place, pointer, stmt);
            out.push(store);
        }
        // The first early return decides: later ones jump over fewer switch points.
        self.exit_from.get_or_insert(self.next);
        debug_assert!(self.end > 0, "the first label is not the last");
        let exit = self.exit;
        let jump = self.program.goto(exit, stmt);
        out.push(jump);
    }
}
