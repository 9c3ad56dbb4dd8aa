//! Making new nodes.
//!
//! Expressions are made by the checker from what would be *written*: implicit conversions are taken off first
//! ([`Program::bare`]) and the checker puts them on again, so the new tree is what reading its text would give. Statements
//! inherit source location and copy from the statement they stand for.

use raddle_base::Span;
use raddle_cfront::ast::{
    BinaryOp, ExprId, ExprKind, Function, FunctionId, Inline, Item, Label, LabelId, Stmt, StmtId, StmtKind,
    Storage, UnaryOp, Var, VarId,
};
use raddle_cfront::names::Symbol;
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::{FunctionType, QualType, Type, TypeId, Types};

use crate::program::Program;

impl Program {
    /// A name that nothing has: `hint` with a number behind it.
    pub fn fresh_name(&mut self, hint: &str) -> Symbol {
        let base = match hint.rsplit_once("__") {
            Some((base, number)) if !base.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                base
            }
            Some(_) | None => hint,
        };
        let base = if base.is_empty() { "t" } else { base };
        loop {
            let count = self.numbered.entry(base.to_owned()).or_insert(0);
            *count += 1;
            let text = format!("{base}__{count}");
            if self.ast().names.find(&text).is_none() {
                return self.ast_mut().names.intern(&text);
            }
        }
    }

    /// A new label.
    pub fn fresh_label(&mut self, hint: &str, span: Span) -> LabelId {
        let name = self.fresh_name(hint);
        self.ast_mut().labels.push(Label { name, local: false, span })
    }

    /// A statement in place of, or beside, another: it has the same origin.
    pub fn stmt(&mut self, kind: StmtKind, like: StmtId) -> StmtId {
        let span = self.ast().stmts[like].span;
        let id = self.ast_mut().stmts.push(Stmt { kind, span });
        let copy = self.origins.stmt(like);
        self.origins.set_stmt(id, copy);
        id
    }

    /// Statements as one: the only one, or a block.
    pub fn block(&mut self, stmts: Vec<StmtId>, like: StmtId) -> StmtId {
        self.stmt(StmtKind::Block(stmts), like)
    }

    /// `label: ;`
    pub fn label_stmt(&mut self, label: LabelId, like: StmtId) -> StmtId {
        let empty = self.stmt(StmtKind::Empty, like);
        self.stmt(StmtKind::Label(label, empty), like)
    }

    /// `goto label;`
    pub fn goto(&mut self, label: LabelId, like: StmtId) -> StmtId {
        self.stmt(StmtKind::Goto(label), like)
    }

    /// `expr;`
    pub fn expr_stmt(&mut self, expr: ExprId, like: StmtId) -> StmtId {
        let value = self.tree.rvalue(expr);
        self.stmt(StmtKind::Expr(value), like)
    }

    /// `if (condition) then`; the condition is a value.
    pub fn if_stmt(
        &mut self,
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
        like: StmtId,
    ) -> StmtId {
        let condition = self.tree.condition(condition);
        self.stmt(StmtKind::If { condition, then, otherwise }, like)
    }

    /// What is written of an expression: implicit conversions, loads among them, are taken off.
    #[must_use]
    pub fn bare(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Cast { operand, explicit: false, .. } = self.ast().exprs[id].kind {
            id = operand;
        }
        id
    }

    /// A variable's name as an expression.
    pub fn var(&mut self, var: VarId, span: Span) -> ExprId {
        let ty = self.ast().vars[var].ty;
        self.tree.expr(ExprKind::Var(var), ty, true, span)
    }

    /// The value of a variable.
    pub fn read(&mut self, var: VarId, span: Span) -> ExprId {
        let place = self.var(var, span);
        self.tree.rvalue(place)
    }

    /// An `int` constant.
    pub fn int(&mut self, value: i128, span: Span) -> ExprId {
        self.tree.expr(ExprKind::Integer(value), Types::int(), false, span)
    }

    /// `target = value;`
    pub fn assign_stmt(&mut self, target: ExprId, value: ExprId, like: StmtId) -> StmtId {
        let span = self.ast().exprs[value].span;
        let value = self.bare(value);
        let expr = self.tree.operators().assign(target, value, span);
        self.expr_stmt(expr, like)
    }

    /// `!condition`, or what says the same.
    pub fn not(&mut self, condition: ExprId) -> ExprId {
        let expr = &self.ast().exprs[condition];
        let span = expr.span;
        if let ExprKind::Unary(UnaryOp::Not, inner) = expr.kind {
            return inner;
        }
        if let ExprKind::Binary(op, left, right) = expr.kind
            && let Some(op) = opposite(op)
            && !self.is_floating(left)
        {
            let mut opposite = self.ast().exprs[condition].clone();
            opposite.kind = ExprKind::Binary(op, left, right);
            return self.ast_mut().exprs.push(opposite);
        }
        let bare = self.bare(condition);
        self.tree.operators().unary(UnaryOp::Not, bare, span)
    }

    /// Whether an expression is of a floating type, where `!(a < b)` is not `a >= b`.
    fn is_floating(&self, expr: ExprId) -> bool {
        let shape = self.tree.shape_of(expr);
        !(shape.is_integer() || shape.is_pointer())
    }

    /// A call of a function by its name.
    pub fn call(&mut self, function: FunctionId, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let ty = self.ast().functions[function].ty;
        let callee = self.tree.expr(ExprKind::Function(function), ty, true, span);
        self.tree.primaries().call(callee, arguments, span)
    }

    /// The constant that an expression is, if it is an integer constant.
    #[must_use]
    pub fn constant(&self, expr: ExprId) -> Option<i128> {
        match raddle_cfront::check::constant::evaluate(self.ast(), expr) {
            Some(raddle_cfront::check::constant::Constant::Integer(value)) => Some(value),
            Some(_) | None => None,
        }
    }

    /// A new local variable of `function`, and the statement that declares it.
    pub fn local(
        &mut self,
        function: FunctionId,
        hint: &str,
        ty: TypeId,
        span: Span,
        like: StmtId,
    ) -> (VarId, StmtId) {
        let name = self.fresh_name(hint);
        let var = new_var(name, ty, Storage::Automatic, Some(function), span);
        let id = self.ast_mut().vars.push(var);
        let declaration = self.stmt(StmtKind::Declare(vec![Item::Var { id, definition: true }]), like);
        (id, declaration)
    }

    /// The declaration of a primitive that has a name of its own.
    pub fn external_primitive(
        &mut self,
        primitive: Primitive,
        result: TypeId,
        parameters: &[TypeId],
        unit: usize,
    ) -> FunctionId {
        self.external(primitive.name().unwrap_or_default(), result, parameters, unit)
    }

    /// A function that is only declared, known by its name; declared at the head of the unit if it is not known yet.
    pub fn external(&mut self, name: &str, result: TypeId, parameters: &[TypeId], unit: usize) -> FunctionId {
        if let Some(symbol) = self.ast().names.find(name) {
            let known = self.ast().units[unit].items.iter().find_map(|item| match item {
                Item::Function { id, .. } if self.ast().functions[*id].name == symbol => Some(*id),
                Item::Function { .. }
                | Item::Record { .. }
                | Item::Enum(_)
                | Item::Typedef(_)
                | Item::Var { .. }
                | Item::Asm(_)
                | Item::Label(_) => None,
            });
            if let Some(known) = known {
                return known;
            }
        }
        let symbol = self.ast_mut().names.intern(name);
        let ty = self.ast_mut().types.intern(Type::Function(FunctionType {
            result: QualType::plain(result),
            parameters: parameters.iter().map(|&ty| QualType::plain(ty)).collect(),
            variadic: false,
            prototype: true,
        }));
        let id = self.ast_mut().functions.push(new_function(symbol, QualType::plain(ty), Span::NONE));
        self.ast_mut().units[unit].items.insert(0, Item::Function { id, definition: false });
        id
    }
}

/// The comparison that is true exactly where `op` is not, on integers and pointers.
const fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr
        | BinaryOp::And
        | BinaryOp::Or => return None,
    })
}

/// A variable with nothing special about it.
pub(crate) fn new_var(
    name: Symbol,
    ty: impl Into<QualType>,
    storage: Storage,
    owner: Option<FunctionId>,
    span: Span,
) -> Var {
    Var {
        name: Some(name),
        ty: ty.into(),
        storage,
        thread_local: false,
        defined: true,
        init: None,
        align: None,
        attributes: Vec::new(),
        asm_name: None,
        linked: None,
        owner,
        span,
    }
}

/// A function that is only declared.
pub(crate) fn new_function(name: Symbol, ty: QualType, span: Span) -> Function {
    Function {
        name,
        ty,
        internal: false,
        inline: Inline::No,
        noreturn: false,
        parameters: Vec::new(),
        old_style: false,
        body: None,
        attributes: Vec::new(),
        asm_name: None,
        implicit: false,
        linked: None,
        owner: None,
        span,
    }
}
