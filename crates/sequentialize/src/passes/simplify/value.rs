//! Values and lvalues: what is left of an expression when its side effects are taken out.

use raddle_cfront::ast::{BinaryOp, CastKind, ExprId, ExprKind, Init, StmtKind, UnaryOp};
use raddle_cfront::check::conversion::arithmetic::bit_field_width;
use raddle_cfront::types::{QualType, Type, Types};

use super::Simplifier;
use crate::access::{Root, is_atomic, root};
use crate::pass::Refusal;
use crate::passes::declarations::assignable;

impl Simplifier<'_> {
    fn kind(&self, id: ExprId) -> ExprKind {
        self.program.ast().exprs[id].kind.clone()
    }

    fn set_expr(&mut self, id: ExprId, kind: ExprKind) -> ExprId {
        self.program.ast_mut().exprs[id].kind = kind;
        id
    }

    pub(super) fn is_void(&self, id: ExprId) -> bool {
        matches!(self.program.ast().types.kind(self.program.ast().exprs[id].ty.id), Type::Void)
    }

    pub(super) fn is_shared(&self, lvalue: ExprId) -> bool {
        self.addresses.may_be_shared(self.program.ast(), lvalue)
    }

    /// Whether an expression changes nothing and touches no shared memory as it is.
    pub(super) fn is_plain(&self, id: ExprId) -> bool {
        let ast = self.program.ast();
        match &ast.exprs[id].kind {
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::VaArg(_)
            | ExprKind::Statement(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Comma(..)
            | ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                _,
            ) => false,
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                let is_list = matches!(ast.types.kind(ast.exprs[id].ty.id), Type::VaList);
                (is_list || !self.is_shared(*operand)) && self.is_plain(*operand)
            }
            ExprKind::ExprQuery(..) | ExprKind::TypeQuery(..) | ExprKind::Offsetof { .. } => true,
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
            | ExprKind::Conditional { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => {
                let mut plain = true;
                crate::visit::expr_parts(&mut ast.exprs[id].kind.clone(), &mut |part| {
                    if let crate::visit::Part::Expr(operand) = part {
                        plain &= self.is_plain(*operand);
                    }
                });
                plain
            }
        }
    }

    /// Rewrites an operand, which keeps its type.
    pub(super) fn child(&mut self, id: ExprId) -> ExprId {
        let ty = self.program.ast().exprs[id].ty;
        let new = self.operand(id);
        self.fit(new, ty)
    }

    /// The same value, of a type that it may have lost.
    pub(super) fn fit(&mut self, new: ExprId, ty: QualType) -> ExprId {
        let expr = &self.program.ast().exprs[new];
        if expr.lvalue || self.program.ast().types.same(expr.ty.id, ty.id) {
            return new;
        }
        // Written out: what is only implied would not be implied when this is read again.
        let (ty, span) = (self.program.ast().types.unqualified(ty), expr.span);
        self.program.tree.explicit_cast(new, QualType::plain(ty), span)
    }

    /// Rewrites an operand: an lvalue stays an lvalue.
    pub(super) fn operand(&mut self, id: ExprId) -> ExprId {
        if self.program.ast().exprs[id].lvalue { self.place(id) } else { self.value(id) }
    }

    /// The value of an expression, side effects done before. Of the same type, except that a bit-field is promoted.
    pub(super) fn value(&mut self, id: ExprId) -> ExprId {
        match self.kind(id) {
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => id,
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => self.load(id, operand),
            ExprKind::Cast { kind, operand, explicit } => {
                let operand = self.operand(operand);
                self.cast(id, kind, operand, explicit)
            }
            ExprKind::Unary(op, operand) => match op {
                UnaryOp::PreIncrement | UnaryOp::PreDecrement => self.increment(id, operand, true),
                UnaryOp::PostIncrement | UnaryOp::PostDecrement => self.increment(id, operand, true),
                UnaryOp::Plus
                | UnaryOp::Negate
                | UnaryOp::BitNot
                | UnaryOp::Not
                | UnaryOp::AddressOf
                | UnaryOp::Deref
                | UnaryOp::Real
                | UnaryOp::Imag => {
                    let operand = self.child(operand);
                    self.set_expr(id, ExprKind::Unary(op, operand))
                }
            },
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(id, op, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.child(left), self.child(right));
                self.set_expr(id, ExprKind::Binary(op, left, right))
            }
            ExprKind::Assign(target, value) => self.assign(target, value, true).unwrap_or(id),
            ExprKind::CompoundAssign { .. } => self.compound(id, true).unwrap_or(id),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(id, condition, then, otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.value(right)
            }
            ExprKind::Member { base, record, field, arrow } => self.member(id, base, record, field, arrow),
            ExprKind::Index { base, index } => {
                let (base, index) = (self.child(base), self.child(index));
                self.set_expr(id, ExprKind::Index { base, index })
            }
            ExprKind::Call { .. } | ExprKind::Builtin { .. } | ExprKind::VaArg(_) => {
                let call = self.call(id);
                if self.is_void(call) {
                    return call;
                }
                let hint = self.call_name(call);
                let var = self.keep(call, &hint);
                let span = self.program.ast().exprs[id].span;
                self.program.read(var, span)
            }
            ExprKind::Statement(block) => self.statement(id, block, true).unwrap_or(id),
            ExprKind::CompoundLiteral { .. } => self.place(id),
        }
    }

    /// A cast of what was rewritten. A promoted bit-field may have the type it is cast to, or have it no longer.
    fn cast(&mut self, id: ExprId, kind: CastKind, operand: ExprId, explicit: bool) -> ExprId {
        let ast = self.program.ast();
        let (from, target) = (&ast.exprs[operand], ast.exprs[id].ty.id);
        if ast.types.same(from.ty.id, target) && !explicit && !from.lvalue {
            return operand;
        }
        let kind = match kind {
            CastKind::Integer | CastKind::NoOp | CastKind::ToBool if !from.lvalue => {
                self.program.tree.cast_kind(operand, target).unwrap_or(kind)
            }
            _ => kind,
        };
        self.set_expr(id, ExprKind::Cast { kind, operand, explicit })
    }

    /// The value of an lvalue: shared memory is read into a variable of one's own.
    fn load(&mut self, id: ExprId, operand: ExprId) -> ExprId {
        let shared = self.is_shared(operand);
        let place = self.operand(operand);
        self.set_expr(id, ExprKind::Cast { kind: CastKind::Load, operand: place, explicit: false });
        // A list of arguments is an array on some machines, and belongs to its function on all.
        let is_list =
            matches!(self.program.ast().types.kind(self.program.ast().exprs[id].ty.id), Type::VaList);
        if !shared || is_list {
            return id;
        }
        if self.splits(place) {
            return self.read_record(place);
        }
        let hint = self.place_name(place);
        let span = self.program.ast().exprs[id].span;
        let value = if bit_field_width(self.program.ast(), id).is_some() {
            self.program.tree.promote(id)
        } else {
            id
        };
        let var = self.keep(value, &hint);
        self.program.read(var, span)
    }

    /// A name that reminds of what is read.
    pub(super) fn place_name(&self, place: ExprId) -> String {
        let ast = self.program.ast();
        if let ExprKind::Member { record, field, .. } = ast.exprs[place].kind {
            let fields = ast.records[record].fields.as_deref().unwrap_or_default();
            if let Some(name) = fields.get(field as usize).and_then(|field| field.name) {
                return ast.text(name).to_owned();
            }
        }
        match root(ast, place) {
            Root::Var(var) => self.program.var_text(var).to_owned(),
            Root::Constant | Root::Memory => "read".to_owned(),
        }
    }

    /// An lvalue whose address needs no side effects.
    pub(super) fn place(&mut self, id: ExprId) -> ExprId {
        match self.kind(id) {
            ExprKind::Unary(op @ (UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag), operand) => {
                let operand = self.child(operand);
                self.set_expr(id, ExprKind::Unary(op, operand))
            }
            ExprKind::Member { base, record, field, arrow } => {
                let base = self.child(base);
                self.set_expr(id, ExprKind::Member { base, record, field, arrow })
            }
            ExprKind::Index { base, index } => {
                let (base, index) = (self.child(base), self.child(index));
                self.set_expr(id, ExprKind::Index { base, index })
            }
            ExprKind::CompoundLiteral { init, static_storage: false } => self.literal(id, init),
            _ => id,
        }
    }

    /// `(type){ … }` becomes a variable.
    fn literal(&mut self, id: ExprId, mut init: Init) -> ExprId {
        crate::visit::init_parts(&mut init, &mut |expr| *expr = self.child(*expr));
        let (ty, span) = (self.program.ast().exprs[id].ty, self.program.ast().exprs[id].span);
        if self.in_head {
            return self.literal_in_head(id, &init);
        }
        let (var, declaration) = self.program.local(self.function, "literal", ty.id, span, self.like);
        self.program.ast_mut().vars[var].ty = ty;
        self.program.ast_mut().vars[var].init = Some(init);
        self.out.push(declaration);
        self.set_expr(id, ExprKind::Var(var))
    }

    /// The same in the head of a loop: it is one object in all rounds, which is set anew in each.
    fn literal_in_head(&mut self, id: ExprId, init: &Init) -> ExprId {
        let (ty, span) = (self.program.ast().exprs[id].ty, self.program.ast().exprs[id].span);
        let unqualified = self.program.ast().types.unqualified(ty);
        match init {
            Init::Expr(value) if assignable(self.program, unqualified.into()) => {
                let var = self.temporary("literal", unqualified, span);
                let target = self.program.var(var, span);
                let stmt = self.program.assign_stmt(target, *value, self.like);
                self.out.push(stmt);
                self.program.ast_mut().exprs[id].ty = unqualified.into();
                self.set_expr(id, ExprKind::Var(var))
            }
            Init::Expr(_) | Init::Aggregate(_) => {
                let message = "a compound literal of several parts in the head of a loop";
                self.refused.get_or_insert_with(|| Refusal::new(span, message));
                id
            }
        }
    }

    /// A member of a structure that is a value, such as the result of a call.
    fn member(
        &mut self,
        id: ExprId,
        base: ExprId,
        record: raddle_cfront::ast::RecordId,
        field: u32,
        arrow: bool,
    ) -> ExprId {
        let base = self.child(base);
        let ExprKind::Cast { kind: CastKind::Load, operand, explicit: false } = self.kind(base) else {
            return self.set_expr(id, ExprKind::Member { base, record, field, arrow });
        };
        // It is a variable now, so the member is an lvalue.
        self.set_expr(id, ExprKind::Member { base: operand, record, field, arrow });
        self.program.ast_mut().exprs[id].lvalue = true;
        let ast = self.program.ast();
        let fields = ast.records[record].fields.as_deref().unwrap_or_default();
        if let Some(field) = fields.get(field as usize) {
            let ty: QualType = field.ty;
            self.program.ast_mut().exprs[id].ty = ty;
        }
        if matches!(self.program.ast().types.kind(self.program.ast().exprs[id].ty.id), Type::Array { .. }) {
            return id;
        }
        self.program.tree.rvalue(id)
    }

    fn logical(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let left = self.child(left);
        if self.is_plain(right) {
            return self.set_expr(id, ExprKind::Binary(op, left, right));
        }
        let span = self.program.ast().exprs[id].span;
        let hint = if op == BinaryOp::And { "both" } else { "either" };
        let var = self.temporary(hint, Types::int(), span);
        let set = |simplifier: &mut Self, value: i128| {
            let (target, value) = (simplifier.program.var(var, span), simplifier.program.int(value, span));
            simplifier.program.assign_stmt(target, value, simplifier.like)
        };
        let (first, other) = if op == BinaryOp::And { (0, 1) } else { (1, 0) };
        let start = set(self, first);
        self.out.push(start);
        let inner = self.aside(|simplifier| {
            let right = simplifier.child(right);
            let condition = if op == BinaryOp::And { right } else { simplifier.program.not(right) };
            let then = set(simplifier, other);
            let test = simplifier.program.if_stmt(condition, then, None, simplifier.like);
            simplifier.out.push(test);
        });
        let condition = if op == BinaryOp::And { left } else { self.program.not(left) };
        let then = self.together(inner);
        let test = self.program.if_stmt(condition, then, None, self.like);
        self.out.push(test);
        self.program.read(var, span)
    }

    fn conditional(
        &mut self,
        id: ExprId,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    ) -> ExprId {
        let condition = self.child(condition);
        let plain = then.is_none_or(|then| self.is_plain(then)) && self.is_plain(otherwise);
        if plain {
            return self.set_expr(id, ExprKind::Conditional { condition, then, otherwise });
        }
        let (ty, span) = (self.program.ast().exprs[id].ty, self.program.ast().exprs[id].span);
        if self.is_void(id) {
            self.choose(condition, then, otherwise, None);
            return id;
        }
        let var = self.temporary("choice", ty.id, span);
        self.choose(condition, then, otherwise, Some(var));
        self.program.read(var, span)
    }

    /// `if (condition) … else …`, with the values put into a variable, if there is one.
    pub(super) fn choose(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        into: Option<raddle_cfront::ast::VarId>,
    ) {
        let span = self.program.ast().exprs[condition].span;
        let branch = |simplifier: &mut Self, value: ExprId| {
            let list = simplifier.aside(|simplifier| match into {
                None => simplifier.effect(value),
                Some(var) => {
                    let value = simplifier.right_side(value);
                    let target = simplifier.program.var(var, span);
                    let stmt = simplifier.program.assign_stmt(target, value, simplifier.like);
                    simplifier.out.push(stmt);
                }
            });
            simplifier.together(list)
        };
        // `c ?: b` takes the condition as the value; it is plain by now.
        let first = match then {
            Some(then) => branch(self, then),
            None => {
                let copy = crate::copy::copy_expr(self.program, condition);
                branch(self, copy)
            }
        };
        let second = branch(self, otherwise);
        let second = match &self.program.ast().stmts[second].kind {
            StmtKind::Empty => None,
            _ => Some(second),
        };
        let stmt = self.program.if_stmt(condition, first, second, self.like);
        self.out.push(stmt);
    }

    /// `({ … })`: the block, its value put into a variable.
    pub(super) fn statement(
        &mut self,
        id: ExprId,
        block: raddle_cfront::ast::StmtId,
        wanted: bool,
    ) -> Option<ExprId> {
        let StmtKind::Block(list) = self.program.ast().stmts[block].kind.clone() else { return None };
        let span = self.program.ast().exprs[id].span;
        let result = (wanted && !self.is_void(id)).then(|| {
            let ty = self.program.ast().exprs[id].ty;
            let ty = self.program.ast().types.unqualified(ty);
            (self.temporary("value", ty, span), span)
        });
        let like = self.like;
        let inner = self.aside(|simplifier| {
            if let Some((&last, first)) = list.split_last() {
                for &stmt in first {
                    simplifier.stmt(stmt);
                }
                simplifier.last(last, result.map(|(var, _)| var));
            }
        });
        self.like = like;
        let whole = self.program.block(inner, block);
        self.out.push(whole);
        result.map(|(var, span)| self.program.read(var, span))
    }

    /// The last statement of a statement expression, whose value is taken.
    fn last(&mut self, stmt: raddle_cfront::ast::StmtId, into: Option<raddle_cfront::ast::VarId>) {
        let Some(var) = into else { return self.stmt(stmt) };
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Expr(value) => {
                self.like = stmt;
                let span = self.program.ast().exprs[value].span;
                let value = self.right_side(value);
                let target = self.program.var(var, span);
                let assign = self.program.assign_stmt(target, value, stmt);
                self.out.push(assign);
            }
            StmtKind::Label(label, inner) => {
                let empty = self.program.stmt(StmtKind::Empty, stmt);
                let mark = self.program.stmt(StmtKind::Label(label, empty), stmt);
                self.out.push(mark);
                self.last(inner, into);
            }
            _ => self.stmt(stmt),
        }
    }

    /// A value that may be one access to shared memory or one call, because it goes straight into a private variable.
    pub(super) fn right_side(&mut self, id: ExprId) -> ExprId {
        match self.kind(id) {
            ExprKind::Cast { kind: CastKind::Load, operand, explicit: false } => {
                if self.is_shared(operand) && self.splits(operand) {
                    return self.value(id);
                }
                let place = self.operand(operand);
                self.set_expr(id, ExprKind::Cast { kind: CastKind::Load, operand: place, explicit: false })
            }
            ExprKind::Cast { kind, operand, explicit } if !self.program.ast().exprs[operand].lvalue => {
                let operand = self.right_side(operand);
                self.cast(id, kind, operand, explicit)
            }
            ExprKind::Call { .. } | ExprKind::Builtin { .. } | ExprKind::VaArg(_) => self.call(id),
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.right_side(right)
            }
            ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                _,
            ) if self.atomic_target(id) => self.atomic_update(id),
            _ => self.value(id),
        }
    }

    /// Whether the expression updates an atomic object.
    pub(super) fn atomic_target(&self, id: ExprId) -> bool {
        let ast = self.program.ast();
        match ast.exprs[id].kind {
            ExprKind::CompoundAssign { target, .. } => is_atomic(ast, target),
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                target,
            ) => is_atomic(ast, target),
            _ => false,
        }
    }
}
