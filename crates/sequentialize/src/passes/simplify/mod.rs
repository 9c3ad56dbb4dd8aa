//! Side effects out of expressions and conditions: one access to shared memory a statement.
//!
//! Afterwards an expression that is not a statement of its own changes nothing, calls nothing and reads nothing that another
//! thread may write ([`crate::access`] says what that is). A statement makes at most one such access: it reads shared memory
//! into a variable of its own, or writes a value to it, or calls a function with values. What was one expression becomes
//! several statements in the order in which lowering evaluates it: left to right, the value of an assignment before its target.
//! Compound assignments and increments of `_Atomic` objects are one access and stay one statement.
//!
//! A copy of a structure in shared memory becomes copies of its pieces, and a write to a bit-field there a read and a write of its
//! storage unit: both as lowering splits them ([`raddle_cfront::layout::access`]). `_Atomic` structures are accessed at once.

mod bits;
mod effect;
mod record;
mod value;

use raddle_base::Span;
use raddle_cfront::ast::{ExprId, ExprKind, FunctionId, Init, Item, StmtId, StmtKind, Storage, VarId};
use raddle_cfront::types::TypeId;

use crate::access::Addresses;
use crate::flow::{JumpTargets, redirect};
use crate::pass::{Pass, Refusal, Values};
use crate::passes::declarations::assignable;
use crate::passes::loops::set_forever;
use crate::program::Program;
use crate::visit::{Node, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "simplify",
    description: "no side effects in expressions and conditions; one access to shared memory a statement",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    let addresses = Addresses::of(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let StmtKind::Block(list) = program.ast().stmts[body].kind.clone() else { continue };
        let mut simplifier = Simplifier {
            program,
            addresses: &addresses,
            function,
            out: Vec::new(),
            like: body,
            temporaries: Vec::new(),
            in_head: false,
            refused: None,
        };
        let list = simplifier.list(&list);
        if let Some(refusal) = simplifier.refused {
            return Err(refusal);
        }
        let mut whole = simplifier.temporaries;
        whole.extend(list);
        program.ast_mut().stmts[body].kind = StmtKind::Block(whole);
    }
    Ok(())
}

/// Rewrites one function.
pub(crate) struct Simplifier<'p> {
    program: &'p mut Program,
    addresses: &'p Addresses,
    function: FunctionId,
    /// The statements made so far in the list at hand.
    out: Vec<StmtId>,
    /// The statement at hand, whose source location new ones inherit.
    like: StmtId,
    /// Declarations for the head of the function.
    temporaries: Vec<StmtId>,
    /// Whether the expression at hand is in the head of a loop, which is evaluated again and again in one scope.
    in_head: bool,
    /// What cannot be treated.
    refused: Option<Refusal>,
}

impl Simplifier<'_> {
    /// A new variable for a value of this type, declared at the function's head.
    fn temporary(&mut self, hint: &str, ty: TypeId, span: Span) -> VarId {
        let (var, declaration) = self.program.local(self.function, hint, ty, span, self.like);
        self.program.origins.set_temporary(var);
        self.temporaries.push(declaration);
        var
    }

    /// Puts a value into a new variable and gives its name. What cannot be assigned is the variable's initial value.
    fn keep(&mut self, value: ExprId, hint: &str) -> VarId {
        let (ty, span) = (self.program.ast().exprs[value].ty, self.program.ast().exprs[value].span);
        let ty = self.program.ast().types.unqualified(ty);
        if assignable(self.program, ty.into()) {
            let var = self.temporary(hint, ty, span);
            let target = self.program.var(var, span);
            let stmt = self.program.assign_stmt(target, value, self.like);
            self.out.push(stmt);
            var
        } else {
            let (var, declaration) = self.program.local(self.function, hint, ty, span, self.like);
            self.program.ast_mut().vars[var].init = Some(Init::Expr(value));
            self.out.push(declaration);
            var
        }
    }

    /// Rewrites a list of statements.
    fn list(&mut self, stmts: &[StmtId]) -> Vec<StmtId> {
        let outer = std::mem::take(&mut self.out);
        let like = self.like;
        for &stmt in stmts {
            self.stmt(stmt);
        }
        self.like = like;
        std::mem::replace(&mut self.out, outer)
    }

    /// Statements made by `make`, apart from those made so far.
    fn aside(&mut self, make: impl FnOnce(&mut Self)) -> Vec<StmtId> {
        let outer = std::mem::take(&mut self.out);
        make(self);
        std::mem::replace(&mut self.out, outer)
    }

    /// The same for an expression in the head of a loop.
    fn aside_in_head(&mut self, make: impl FnOnce(&mut Self)) -> Vec<StmtId> {
        let outer = std::mem::replace(&mut self.in_head, true);
        let list = self.aside(make);
        self.in_head = outer;
        list
    }

    /// Statements as one.
    fn together(&mut self, mut list: Vec<StmtId>) -> StmtId {
        let single =
            list.len() == 1 && !matches!(self.program.ast().stmts[list[0]].kind, StmtKind::Declare(_));
        match list.pop() {
            None => self.program.stmt(StmtKind::Empty, self.like),
            Some(only) if single => only,
            Some(last) => {
                list.push(last);
                self.program.block(list, self.like)
            }
        }
    }

    /// Rewrites a statement that is the body of another.
    fn body(&mut self, stmt: StmtId) -> StmtId {
        let list = self.list(&[stmt]);
        self.together(list)
    }

    fn set(&mut self, stmt: StmtId, kind: StmtKind) {
        self.program.ast_mut().stmts[stmt].kind = kind;
        self.out.push(stmt);
    }

    fn stmt(&mut self, stmt: StmtId) {
        self.like = stmt;
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Error => self.out.push(stmt),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Block(list) => {
                let list = self.list(&list);
                self.set(stmt, StmtKind::Block(list));
            }
            StmtKind::Declare(items) => self.declare(stmt, &items),
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.child(condition);
                let then = self.body(then);
                let otherwise = otherwise.map(|otherwise| self.body(otherwise));
                self.set(stmt, StmtKind::If { condition, then, otherwise });
            }
            StmtKind::While { condition, body } => {
                if self.is_plain(condition) {
                    let body = self.body(body);
                    self.set(stmt, StmtKind::While { condition, body });
                } else {
                    let mut list = self.test(condition);
                    list.push(self.body(body));
                    self.forever(stmt, list);
                }
            }
            StmtKind::DoWhile { body, condition } => {
                let inner = self.body(body);
                if self.is_plain(condition) {
                    self.set(stmt, StmtKind::DoWhile { body: inner, condition });
                } else {
                    let mut list = self.with_next(inner);
                    list.extend(self.test(condition));
                    self.forever(stmt, list);
                }
            }
            StmtKind::For { init, condition, step, body } => self.for_loop(stmt, init, condition, step, body),
            StmtKind::Switch { value, body } => {
                let value = self.child(value);
                let body = self.body(body);
                self.set(stmt, StmtKind::Switch { value, body });
            }
            StmtKind::Case { first, last, values, body } => {
                let body = self.marked(body);
                self.set(stmt, StmtKind::Case { first, last, values, body: body.0 });
                self.out.extend(body.1);
            }
            StmtKind::Default(body) => {
                let body = self.marked(body);
                self.set(stmt, StmtKind::Default(body.0));
                self.out.extend(body.1);
            }
            StmtKind::Label(label, body) => {
                let body = self.marked(body);
                self.set(stmt, StmtKind::Label(label, body.0));
                self.out.extend(body.1);
            }
            StmtKind::GotoComputed(target) => {
                let target = self.child(target);
                self.set(stmt, StmtKind::GotoComputed(target));
            }
            StmtKind::Return(Some(value)) => {
                if self.is_void(value) {
                    self.effect(value);
                    let leave = self.program.stmt(StmtKind::Return(None), stmt);
                    self.out.push(leave);
                } else {
                    let value = self.child(value);
                    self.set(stmt, StmtKind::Return(Some(value)));
                }
            }
            StmtKind::Asm(mut asm) => {
                for operand in asm.outputs.iter_mut().chain(&mut asm.inputs) {
                    operand.value = self.child(operand.value);
                }
                self.set(stmt, StmtKind::Asm(asm));
            }
        }
    }

    /// What stands behind a label: the first statement, and the others.
    fn marked(&mut self, body: StmtId) -> (StmtId, Vec<StmtId>) {
        let mut list = self.list(&[body]);
        let declares = |first: &StmtId| matches!(self.program.ast().stmts[*first].kind, StmtKind::Declare(_));
        if list.first().is_none_or(declares) {
            return (self.program.stmt(StmtKind::Empty, self.like), list);
        }
        let rest = list.split_off(1);
        (list[0], rest)
    }

    /// `if (!condition) break;` and what must be done for the condition.
    fn test(&mut self, condition: ExprId) -> Vec<StmtId> {
        self.aside_in_head(|simplifier| {
            let condition = simplifier.child(condition);
            let negated = simplifier.program.not(condition);
            let leave = simplifier.program.stmt(StmtKind::Break, simplifier.like);
            let test = simplifier.program.if_stmt(negated, leave, None, simplifier.like);
            simplifier.out.push(test);
        })
    }

    /// A body behind which something is done in every round: `continue` must lead there.
    fn with_next(&mut self, body: StmtId) -> Vec<StmtId> {
        let span = self.program.ast().stmts[self.like].span;
        let next = self.program.fresh_label("next", span);
        let used = redirect(self.program, body, JumpTargets { on_break: None, on_continue: Some(next) });
        let mut list = vec![body];
        if used.by_continue {
            list.push(self.program.label_stmt(next, self.like));
        }
        list
    }

    fn forever(&mut self, stmt: StmtId, list: Vec<StmtId>) {
        let body = self.program.block(list, stmt);
        set_forever(self.program, stmt, body);
        self.out.push(stmt);
    }

    fn for_loop(
        &mut self,
        stmt: StmtId,
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        let plain = condition.is_none_or(|condition| self.is_plain(condition))
            && step.is_none_or(|step| self.is_unchanging(step));
        let before = init.map_or_else(Vec::new, |init| self.list(&[init]));
        let repeat = self.program.stmt(StmtKind::Empty, stmt);
        let body = self.body(body);
        if plain {
            self.program.ast_mut().stmts[repeat].kind = StmtKind::For { init: None, condition, step, body };
        } else {
            let mut list = condition.map_or_else(Vec::new, |condition| self.test(condition));
            match step {
                None => list.push(body),
                Some(step) => {
                    list.extend(self.with_next(body));
                    list.extend(self.aside_in_head(|simplifier| simplifier.effect(step)));
                }
            }
            let whole = self.program.block(list, stmt);
            set_forever(self.program, repeat, whole);
        }
        if before.is_empty() {
            let kind = self.program.ast().stmts[repeat].kind.clone();
            self.set(stmt, kind);
        } else if let (true, [only], StmtKind::For { condition, step, body, .. }) =
            (plain, &before[..], self.program.ast().stmts[repeat].kind.clone())
            && fits_head(self.program, *only)
        {
            self.set(stmt, StmtKind::For { init: Some(*only), condition, step, body });
        } else {
            let mut list = before;
            list.push(repeat);
            self.set(stmt, StmtKind::Block(list));
        }
    }

    /// Each declared thing in a statement of its own, what its initial value needs before it.
    fn declare(&mut self, stmt: StmtId, items: &[Item]) {
        for (place, &item) in items.iter().enumerate() {
            // `int x = x = 1;` names itself: then it is declared first.
            let late = self.own_value(item);
            if let (None, Item::Var { id, definition: true }) = (late, item) {
                self.initial_value(id);
            }
            let single = StmtKind::Declare(vec![item]);
            if place == 0 {
                self.set(stmt, single);
            } else {
                let new = self.program.stmt(single, stmt);
                self.out.push(new);
            }
            if let (Some(value), Item::Var { id, .. }) = (late, item) {
                let target = self.program.var(id, self.program.ast().vars[id].span);
                self.assign(target, value, false);
            }
        }
    }

    /// The initial value of a variable that names the variable itself; it is taken off.
    fn own_value(&mut self, item: Item) -> Option<ExprId> {
        let Item::Var { id, definition: true } = item else { return None };
        let var = &self.program.ast().vars[id];
        let (Storage::Automatic | Storage::Register, Some(Init::Expr(value))) = (var.storage, &var.init)
        else {
            return None;
        };
        let value = *value;
        let mut named = false;
        walk(self.program.ast(), Node::Expr(value), &mut |node| {
            if let Node::Expr(expr) = node {
                named |= self.program.ast().exprs[expr].kind == ExprKind::Var(id);
            }
            true
        });
        if !named || !assignable(self.program, self.program.ast().vars[id].ty) {
            return None;
        }
        self.program.ast_mut().vars[id].init = None;
        Some(value)
    }

    fn initial_value(&mut self, var: VarId) {
        if !matches!(self.program.ast().vars[var].storage, Storage::Automatic | Storage::Register) {
            return;
        }
        let Some(mut init) = self.program.ast().vars[var].init.clone() else { return };
        let shared = self.addresses.var_may_be_shared(self.program.ast(), var);
        match &mut init {
            Init::Expr(value) if !shared && !self.program.ast().exprs[*value].lvalue => {
                let ty = self.program.ast().exprs[*value].ty;
                let new = self.right_side(*value);
                *value = self.fit(new, ty);
            }
            Init::Expr(_) | Init::Aggregate(_) => {
                crate::visit::init_parts(&mut init, &mut |expr| *expr = self.child(*expr));
            }
        }
        self.program.ast_mut().vars[var].init = Some(init);
    }
}

/// Whether a statement can be the first part of `for (…; …; …)`.
fn fits_head(program: &Program, stmt: StmtId) -> bool {
    match &program.ast().stmts[stmt].kind {
        StmtKind::Expr(_) => true,
        StmtKind::Declare(items) => items.iter().all(|item| matches!(item, Item::Var { .. })),
        _ => false,
    }
}
