//! Is a thread stuck where it was left? That is asked when all rounds are over, to find deadlocks.
//!
//! A thread is stuck when the step behind its label waits for something that is not so. The step cannot be made to find that
//! out, because it must not change anything: so behind each label whose step may wait stands a copy of the step,
//!
//! ```text
//! if (__raddle_probe && __raddle_at_T == N) { … }
//! ```
//!
//! in which a wait that fails sets `__raddle_blocked` and returns, and the end of the step returns without that. Functions that
//! may wait or change something have copies of the same kind, `f__probe`. Properties are not checked in copies, and a choice is no
//! wait: whoever has a choice may not be stuck. What a step does before it waits would be seen by the threads that are asked later,
//! so that is reported as unsupported if it happens (`__raddle_probe_unclear`); the models wait first.

use indexmap::IndexMap;
use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, ExprId, FunctionId, Item, LabelId, StmtId, StmtKind, UnaryOp, VarId};
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::statement_call;
use crate::copy::Copier;
use crate::escape::Sharing;
use crate::pass::Refusal;
use crate::passes::labels;
use crate::program::Program;
use crate::steps::{Action, Steps, Wait, defined_callee, wait_of};
use crate::visit::{labels_in, stmts_in};

use super::runtime::Runtime;

/// The copies, by the labels that they belong to.
pub(super) type Probes = IndexMap<LabelId, StmtId>;

/// Makes the copies for the thread functions, whose primitives are still in place. They are listed function by function.
pub(super) fn probes(
    program: &mut Program,
    runtime: &Runtime,
    functions: &[FunctionId],
) -> Result<Vec<Probes>, Refusal> {
    let sharing = Sharing::of(program);
    let steps = Steps::of(program, &sharing);
    let mut ends = FxHashSet::default();
    for &function in functions {
        ends.extend(labels::atomic_block_ends(program, &steps, function)?);
    }
    let mut maker = Maker { program, runtime, steps: &steps, ends: &ends, copies: FxHashMap::default() };
    Ok(functions.iter().map(|&function| maker.thread(function)).collect())
}

/// The statement behind labels.
fn marked(program: &Program, stmt: StmtId) -> StmtId {
    match program.ast().stmts[stmt].kind {
        StmtKind::Label(_, inner) => marked(program, inner),
        _ => stmt,
    }
}

struct Maker<'a, 'b> {
    program: &'a mut Program,
    runtime: &'a Runtime,
    steps: &'a Steps<'b>,
    /// The ends of outermost atomic blocks in thread functions.
    ends: &'a FxHashSet<StmtId>,
    /// The copies of functions that may wait.
    copies: FxHashMap<FunctionId, FunctionId>,
}

impl Maker<'_, '_> {
    fn thread(&mut self, function: FunctionId) -> Probes {
        let mut probes = Probes::default();
        let Some(body) = self.program.body(function) else { return probes };
        // What stands behind each statement in its block.
        let mut behind: FxHashMap<StmtId, Vec<StmtId>> = FxHashMap::default();
        let all = stmts_in(self.program.ast(), body);
        for &stmt in &all {
            let StmtKind::Block(list) = &self.program.ast().stmts[stmt].kind else { continue };
            for (place, &stmt) in list.iter().enumerate() {
                let mut stmt = stmt;
                while let StmtKind::Label(_, inner) = self.program.ast().stmts[stmt].kind {
                    behind.insert(stmt, list[place + 1..].to_vec());
                    stmt = inner;
                }
            }
        }
        for stmt in all {
            let StmtKind::Label(label, inner) = self.program.ast().stmts[stmt].kind else { continue };
            if labels::number(self.program, label).is_none() {
                continue;
            }
            let mut step = vec![inner];
            if self.steps.action(self.program, inner) == Action::Begin {
                // Up to its end, or as far as this block goes.
                let rest = behind.remove(&stmt).unwrap_or_default();
                let last = rest.iter().position(|&stmt| self.ends.contains(&marked(self.program, stmt)));
                step.extend(&rest[..last.map_or(rest.len(), |last| last + 1)]);
            }
            let waits = |&stmt: &StmtId| {
                let inner = stmts_in(self.program.ast(), stmt);
                inner.into_iter().any(|inner| self.steps.may_wait(self.program, inner))
            };
            if step.iter().any(waits) {
                let copy = self.step(function, &step);
                probes.insert(label, copy);
            }
        }
        probes
    }

    /// The copy of a step of a thread function, which ends by `return`.
    fn step(&mut self, function: FunctionId, step: &[StmtId]) -> StmtId {
        let original = self.program.block(step.to_vec(), step[0]);
        let copied = Copier::new(self.program, None, Some(function)).stmt(original);
        self.rewrite(original, copied, None);
        let begins = self.steps.action(self.program, step[0]) == Action::Begin;
        let last = if begins { self.unclear() } else { self.made(StmtKind::Return(None)) };
        if let StmtKind::Block(list) = &mut self.program.ast_mut().stmts[copied].kind {
            // In an atomic block, control comes here only if it continues outside of its statement.
            list.push(last);
        }
        copied
    }

    /// The copy of a function that may wait.
    fn function(&mut self, original: FunctionId) -> FunctionId {
        if let Some(&known) = self.copies.get(&original) {
            return known;
        }
        let mut function = self.program.ast().functions[original].clone();
        let name = format!("{}__probe", self.program.function_text(original));
        function.name = self.program.ast_mut().names.intern(&name);
        function.internal = true;
        function.attributes.clear();
        function.linked = None;
        let parameters = std::mem::take(&mut function.parameters);
        let body = function.body.take();
        let new = self.program.ast_mut().functions.push(function);
        self.copies.insert(original, new);
        self.program.origins.set_function(new, original);
        let mut copier = Copier::new(self.program, None, Some(new)).keep_names();
        let parameters = parameters.into_iter().map(|parameter| copier.var(parameter)).collect();
        let copied = body.map(|body| copier.stmt(body));
        let function = &mut self.program.ast_mut().functions[new];
        function.parameters = parameters;
        function.body = copied;
        self.program.ast_mut().units[0].items.push(Item::Function { id: new, definition: true });
        if let (Some(body), Some(copied)) = (body, copied) {
            self.rewrite(body, copied, Some(new));
        }
        new
    }

    /// Changes a copy of code into one that only asks; `within` is the function that it belongs to, if it is not a thread's.
    fn rewrite(&mut self, original: StmtId, copied: StmtId, within: Option<FunctionId>) {
        let old = stmts_in(self.program.ast(), original);
        let new = stmts_in(self.program.ast(), copied);
        let inside: FxHashSet<LabelId> = labels_in(self.program.ast(), copied).into_iter().collect();
        for (old, new) in old.into_iter().zip(new) {
            let action = self.steps.action(self.program, old);
            match action {
                Action::Begin => self.replace(new, StmtKind::Empty),
                Action::End if self.ends.contains(&old) => self.replace(new, StmtKind::Return(None)),
                Action::End => self.replace(new, StmtKind::Empty),
                Action::Quiet | Action::Stop | Action::Read | Action::Change => {
                    self.plain(old, new, action, &inside, within);
                }
            }
        }
    }

    fn made(&mut self, kind: StmtKind) -> StmtId {
        super::thread::made(self.program, kind)
    }

    fn replace(&mut self, stmt: StmtId, kind: StmtKind) {
        self.program.ast_mut().stmts[stmt].kind = kind;
    }

    fn plain(
        &mut self,
        old: StmtId,
        new: StmtId,
        action: Action,
        inside: &FxHashSet<LabelId>,
        within: Option<FunctionId>,
    ) {
        if let Some((wait, call)) = wait_of(self.program, new) {
            let argument = call.arguments.first().map(|&argument| self.program.bare(argument));
            if let Some(argument) = argument {
                self.wait(new, wait, argument, within);
            }
            return;
        }
        if let Some(callee) = defined_callee(self.program, old) {
            let summary = self.steps.summary(callee);
            if summary.waits || summary.changes {
                self.call(new, callee, within);
                return;
            }
        }
        match self.program.ast().stmts[new].kind {
            // After the end of an atomic block this is never reached.
            StmtKind::Goto(label) if !inside.contains(&label) => {
                let unclear = self.unclear();
                self.replace(new, StmtKind::Block(vec![unclear]));
            }
            StmtKind::Return(_) if within.is_none() => self.replace(new, StmtKind::Return(None)),
            StmtKind::Expr(_) => {
                let called = statement_call(self.program, new).and_then(|call| call.function);
                match called.and_then(|function| self.program.ast().primitive(function)) {
                    Some(Primitive::Check(_) | Primitive::CheckAlone) => self.replace(new, StmtKind::Empty),
                    // The thread or the program ends here, or any value is taken.
                    Some(Primitive::Nondet | Primitive::AssertFail | Primitive::Error | Primitive::Abort) => {
                        let never = self.program.int(0, Span::NONE);
                        let call = self.program.call(self.runtime.assume, vec![never], Span::NONE);
                        self.replace(new, StmtKind::Expr(call));
                    }
                    Some(_) | None => {
                        if action == Action::Change {
                            self.and_written(new);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// A call goes to the copy of its function; who is stuck in it is stuck here.
    fn call(&mut self, stmt: StmtId, callee: FunctionId, within: Option<FunctionId>) {
        let Some(call) = statement_call(self.program, stmt) else { return };
        let copy = self.function(callee);
        let arguments = call.arguments.iter().map(|&argument| self.program.bare(argument)).collect();
        let new = self.program.call(copy, arguments, Span::NONE);
        let new = self.program.ast().exprs[new].clone();
        self.program.ast_mut().exprs[call.expr] = new;
        let kind = self.program.ast().stmts[stmt].kind.clone();
        let own = self.made(kind);
        let blocked = self.program.var(self.runtime.blocked, Span::NONE);
        let condition = self.program.tree.condition(blocked);
        let then = self.back(within);
        let test = self.made(StmtKind::If { condition, then, otherwise: None });
        self.replace(stmt, StmtKind::Block(vec![own, test]));
    }

    /// `return` with any value.
    fn back(&mut self, within: Option<FunctionId>) -> StmtId {
        let ast = self.program.ast();
        let result = within.and_then(|function| match ast.types.kind(ast.functions[function].ty.id) {
            Type::Function(ty) if !matches!(ast.types.kind(ty.result.id), Type::Void) => Some(ty.result),
            _ => None,
        });
        let Some(result) = result else { return self.made(StmtKind::Return(None)) };
        if matches!(ast.types.kind(result.id), Type::Record(_)) {
            return self.unclear();
        }
        let zero = self.program.int(0, Span::NONE);
        let value = self.program.tree.explicit_cast(zero, result, Span::NONE);
        self.made(StmtKind::Return(Some(value)))
    }

    /// `statement` becomes `{ statement __raddle_written = 1; }`.
    fn and_written(&mut self, stmt: StmtId) {
        let kind = self.program.ast().stmts[stmt].kind.clone();
        let own = self.made(kind);
        let written = self.set(self.runtime.written);
        self.replace(stmt, StmtKind::Block(vec![own, written]));
    }

    fn set(&mut self, var: VarId) -> StmtId {
        let (place, one) = (self.program.var(var, Span::NONE), self.program.int(1, Span::NONE));
        let value = self.program.tree.operators().assign(place, one, Span::NONE);
        self.made(StmtKind::Expr(value))
    }

    /// A wait that fails is what was looked for; one that does not fail may change something.
    fn wait(&mut self, stmt: StmtId, wait: Wait, argument: ExprId, within: Option<FunctionId>) {
        let span = Span::NONE;
        let argument = crate::copy::copy_expr(self.program, argument);
        let holds = match wait {
            Wait::Condition => argument,
            Wait::Lock => {
                let word = self.program.tree.operators().unary(UnaryOp::Deref, argument, span);
                let zero = self.program.int(0, span);
                self.program.tree.operators().binary(BinaryOp::Equal, word, zero, span)
            }
            Wait::Join => {
                let all = self.program.var(self.runtime.finished, span);
                self.program.tree.primaries().index(all, argument, span)
            }
        };
        let condition = self.program.tree.condition(holds);
        let condition = self.program.not(condition);
        let condition = self.program.tree.condition(condition);
        let then = self.unclear();
        let written = self.program.var(self.runtime.written, span);
        let written = self.program.tree.condition(written);
        let check = self.made(StmtKind::If { condition: written, then, otherwise: None });
        let blocked = self.set(self.runtime.blocked);
        let back = self.back(within);
        let then = self.made(StmtKind::Block(vec![check, blocked, back]));
        let test = self.made(StmtKind::If { condition, then, otherwise: None });
        let kind = self.program.ast().stmts[stmt].kind.clone();
        let own = self.made(kind);
        let mut list = vec![test, own];
        if wait == Wait::Lock {
            list.push(self.set(self.runtime.written));
        }
        self.replace(stmt, StmtKind::Block(list));
    }

    /// Nobody knows here whether the thread is stuck.
    fn unclear(&mut self) -> StmtId {
        let call = self.program.call(self.runtime.unclear, Vec::new(), Span::NONE);
        self.made(StmtKind::Expr(call))
    }
}
