//! Expressions for their effect: assignments, increments, calls.

use raddle_cfront::ast::{BinaryOp, CastKind, ExprId, ExprKind, UnaryOp};
use raddle_cfront::check::conversion::arithmetic::bit_field_width;

use super::Simplifier;
use crate::access::is_atomic;
use crate::copy::copy_expr;

impl Simplifier<'_> {
    /// Does what an expression does; its value is dropped.
    pub(super) fn effect(&mut self, id: ExprId) {
        match self.program.ast().exprs[id].kind.clone() {
            ExprKind::Assign(target, value) => {
                self.assign(target, value, false);
            }
            ExprKind::CompoundAssign { .. } => {
                self.compound(id, false);
            }
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                operand,
            ) => {
                self.increment(id, operand, false);
            }
            ExprKind::Call { .. } | ExprKind::Builtin { .. } | ExprKind::VaArg(_) => {
                let call = self.call(id);
                self.emit(call);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.child(condition);
                let first = then.map_or_else(Vec::new, |then| self.aside(|inner| inner.effect(then)));
                let second = self.aside(|inner| inner.effect(otherwise));
                self.choose_effects(condition, first, second);
            }
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let condition = self.child(left);
                let then = self.aside(|inner| inner.effect(right));
                self.choose_effects(condition, then, Vec::new());
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let condition = self.child(left);
                let otherwise = self.aside(|inner| inner.effect(right));
                self.choose_effects(condition, Vec::new(), otherwise);
            }
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.effect(right);
            }
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                // A read whose value nobody wants is still a read.
                if self.is_shared(operand) {
                    self.value(id);
                } else {
                    self.operand(operand);
                }
            }
            ExprKind::Cast { operand, .. } => self.effect(operand),
            ExprKind::Statement(block) => {
                self.statement(id, block, false);
            }
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => {
                // What is left of it has no effect.
                self.operand(id);
            }
        }
    }

    /// Adds an expression as a statement.
    fn emit(&mut self, expr: ExprId) {
        let stmt = self.program.expr_stmt(expr, self.like);
        self.out.push(stmt);
    }

    fn choose_effects(
        &mut self,
        condition: ExprId,
        then: Vec<raddle_cfront::ast::StmtId>,
        otherwise: Vec<raddle_cfront::ast::StmtId>,
    ) {
        let (condition, then, otherwise) = match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => return,
            (true, false) => (self.program.not(condition), otherwise, Vec::new()),
            (false, _) => (condition, then, otherwise),
        };
        let then = self.together(then);
        let otherwise = (!otherwise.is_empty()).then(|| self.together(otherwise));
        let stmt = self.program.if_stmt(condition, then, otherwise, self.like);
        self.out.push(stmt);
    }

    /// Rewrites the arguments of a call. The call itself is for the caller to place.
    pub(super) fn call(&mut self, id: ExprId) -> ExprId {
        let mut kind = self.program.ast().exprs[id].kind.clone();
        match &mut kind {
            ExprKind::Call { callee, arguments } => {
                *callee = self.child(*callee);
                arguments.iter_mut().for_each(|argument| *argument = self.child(*argument));
            }
            ExprKind::Builtin { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| *argument = self.child(*argument));
            }
            ExprKind::VaArg(list) => *list = self.child(*list),
            _ => {}
        }
        self.program.ast_mut().exprs[id].kind = kind;
        id
    }

    /// A name that reminds of the function called.
    pub(super) fn call_name(&self, id: ExprId) -> String {
        let ast = self.program.ast();
        if let ExprKind::Call { callee, .. } = ast.exprs[id].kind
            && let ExprKind::Function(function) = ast.exprs[self.program.bare(callee)].kind
        {
            return self.program.function_text(function).trim_start_matches('_').to_owned();
        }
        "result".to_owned()
    }

    /// `target = value`. Gives the value of the whole if it is wanted.
    pub(super) fn assign(&mut self, target: ExprId, value: ExprId, wanted: bool) -> Option<ExprId> {
        let shared = self.is_shared(target);
        let span = self.program.ast().exprs[target].span;
        if !shared && self.is_plain(target) {
            let value = self.right_side(value);
            let stmt = self.program.assign_stmt(target, value, self.like);
            self.out.push(stmt);
            return wanted.then(|| {
                let copy = copy_expr(self.program, target);
                self.program.tree.rvalue(copy)
            });
        }
        if self.splits(target) {
            return self.assign_record(target, value, wanted);
        }
        let mut value =
            if is_atomic(self.program.ast(), target) { self.at_once(value) } else { self.child(value) };
        let place = self.place(target);
        let width = bit_field_width(self.program.ast(), place);
        if let Some(width) = width {
            return self.assign_to_bits(place, value, width, wanted);
        }
        if wanted && !self.is_constant_value(value) {
            // What the expression is worth is the value as it is stored.
            let ty = self.program.ast().exprs[place].ty;
            let ty = self.program.ast().types.unqualified(ty);
            let hint = self.place_name(place);
            let var = self.temporary(&hint, ty, span);
            let into = self.program.var(var, span);
            let stmt = self.program.assign_stmt(into, value, self.like);
            self.out.push(stmt);
            value = self.program.read(var, span);
        }
        let stmt = self.program.assign_stmt(place, value, self.like);
        self.out.push(stmt);
        wanted.then(|| copy_expr(self.program, value))
    }

    /// `place = value` for a bit-field of some width. Gives the value of the whole if it is wanted.
    fn assign_to_bits(&mut self, place: ExprId, value: ExprId, width: u32, wanted: bool) -> Option<ExprId> {
        let shared = self.is_shared(place);
        let mut value = value;
        if shared && !self.is_constant_value(value) {
            let span = self.program.ast().exprs[value].span;
            let var = self.keep(value, "field");
            value = self.program.read(var, span);
        }
        let again = copy_expr(self.program, value);
        if shared {
            self.assign_bits(place, value);
        } else {
            let stmt = self.program.assign_stmt(place, value, self.like);
            self.out.push(stmt);
        }
        if !wanted {
            return None;
        }
        Some(self.cut(again, place, width).unwrap_or_else(|| self.reread(place)))
    }

    /// A value that is written to an atomic object: a structure is read as a whole.
    fn at_once(&mut self, value: ExprId) -> ExprId {
        let ExprKind::Cast { kind: CastKind::Load, operand, explicit: false } =
            self.program.ast().exprs[value].kind
        else {
            return self.child(value);
        };
        if !self.splits(operand) {
            return self.child(value);
        }
        let span = self.program.ast().exprs[value].span;
        let place = self.place(operand);
        self.program.ast_mut().exprs[value].kind =
            ExprKind::Cast { kind: CastKind::Load, operand: place, explicit: false };
        let var = self.keep(value, "whole");
        self.program.read(var, span)
    }

    fn is_constant_value(&self, value: ExprId) -> bool {
        matches!(self.program.ast().exprs[value].kind, ExprKind::Integer(_) | ExprKind::EnumConstant(..))
    }

    /// Reads again what was just written.
    fn reread(&mut self, place: ExprId) -> ExprId {
        let copy = copy_expr(self.program, place);
        let load = self.program.tree.rvalue(copy);
        self.value(load)
    }

    /// An update of an atomic object, which stays one expression.
    pub(super) fn atomic_update(&mut self, id: ExprId) -> ExprId {
        let mut kind = self.program.ast().exprs[id].kind.clone();
        match &mut kind {
            ExprKind::CompoundAssign { target, value, .. } => {
                *target = self.place(*target);
                *value = self.child(*value);
            }
            ExprKind::Unary(_, operand) => *operand = self.place(*operand),
            _ => {}
        }
        self.program.ast_mut().exprs[id].kind = kind;
        id
    }

    /// An atomic update, and its value if it is wanted.
    fn atomic(&mut self, id: ExprId, wanted: bool) -> Option<ExprId> {
        let update = self.atomic_update(id);
        if !wanted {
            self.emit(update);
            return None;
        }
        let span = self.program.ast().exprs[id].span;
        let var = self.keep(update, "updated");
        Some(self.program.read(var, span))
    }

    /// `target op= value`
    pub(super) fn compound(&mut self, id: ExprId, wanted: bool) -> Option<ExprId> {
        if self.atomic_target(id) {
            return self.atomic(id, wanted);
        }
        let ExprKind::CompoundAssign { op, target, value, computation } =
            self.program.ast().exprs[id].kind.clone()
        else {
            return None;
        };
        let shared = self.is_shared(target);
        let place = self.place(target);
        if !shared {
            let value = self.child(value);
            self.program.ast_mut().exprs[id].kind =
                ExprKind::CompoundAssign { op, target: place, value, computation };
            self.emit(id);
            return wanted.then(|| {
                let copy = copy_expr(self.program, place);
                self.program.tree.rvalue(copy)
            });
        }
        let old = self.reread(place);
        let value = self.child(value);
        self.store(op, place, old, value, wanted)
    }

    /// `place = old op value`, and its value if it is wanted.
    fn store(
        &mut self,
        op: BinaryOp,
        place: ExprId,
        old: ExprId,
        value: ExprId,
        wanted: bool,
    ) -> Option<ExprId> {
        let span = self.program.ast().exprs[place].span;
        let (old, value) = (self.program.bare(old), self.program.bare(value));
        let new = self.program.tree.operators().binary(op, old, value, span);
        self.assign(place, new, wanted)
    }

    /// `++` and `--`. Gives the value if it is wanted, else the expression itself.
    pub(super) fn increment(&mut self, id: ExprId, operand: ExprId, wanted: bool) -> ExprId {
        let ExprKind::Unary(op, _) = self.program.ast().exprs[id].kind else { return id };
        if self.atomic_target(id) {
            return self.atomic(id, wanted).unwrap_or(id);
        }
        let (step, post) = match op {
            UnaryOp::PreIncrement => (BinaryOp::Add, false),
            UnaryOp::PreDecrement => (BinaryOp::Sub, false),
            UnaryOp::PostIncrement => (BinaryOp::Add, true),
            UnaryOp::PostDecrement => (BinaryOp::Sub, true),
            UnaryOp::Plus
            | UnaryOp::Negate
            | UnaryOp::BitNot
            | UnaryOp::Not
            | UnaryOp::AddressOf
            | UnaryOp::Deref
            | UnaryOp::Real
            | UnaryOp::Imag => return id,
        };
        let span = self.program.ast().exprs[id].span;
        let shared = self.is_shared(operand);
        let place = self.place(operand);
        if shared {
            let old = self.reread(place);
            let one = self.program.int(1, span);
            let value = copy_expr(self.program, old);
            let new = self.store(step, place, old, one, wanted && !post);
            return if post { value } else { new.unwrap_or(id) };
        }
        let mut value = None;
        if wanted && post {
            let copy = copy_expr(self.program, place);
            let load = self.program.tree.rvalue(copy);
            let hint = self.place_name(place);
            let load = if bit_field_width(self.program.ast(), load).is_some() {
                self.program.tree.promote(load)
            } else {
                load
            };
            let var = self.keep(load, &hint);
            value = Some(self.program.read(var, span));
        }
        self.program.ast_mut().exprs[id].kind = ExprKind::Unary(op, place);
        self.emit(id);
        if wanted && !post {
            let copy = copy_expr(self.program, place);
            value = Some(self.program.tree.rvalue(copy));
        }
        value.unwrap_or(id)
    }

    /// Whether an expression for its effect would stay as it is.
    pub(super) fn is_unchanging(&self, id: ExprId) -> bool {
        match self.program.ast().exprs[id].kind {
            ExprKind::Assign(target, value) | ExprKind::CompoundAssign { target, value, .. } => {
                !self.is_shared(target) && self.is_plain(target) && self.is_plain(value)
            }
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                target,
            ) => !self.is_shared(target) && self.is_plain(target),
            ExprKind::Comma(left, right) => self.is_unchanging(left) && self.is_unchanging(right),
            _ => self.is_plain(id),
        }
    }
}
