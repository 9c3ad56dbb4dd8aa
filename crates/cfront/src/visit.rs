//! Walking over the tree: what a node consists of, and all that lies below it.
//!
//! [`expr_parts`] and [`stmt_parts`] are the only functions that know which fields of a node are its parts, so a walk cannot
//! forget one. Types are no parts, though the length of a variable length array is an expression: whoever cares asks
//! [`lengths`].

use crate::ast::{Ast, ExprId, ExprKind, Init, Item, LabelId, OffsetStep, StmtId, StmtKind, VarId};
use crate::types::{ArrayLength, QualType, Type};

/// A part of a node, which may be exchanged for another.
#[derive(Debug)]
pub enum Part<'a> {
    /// An expression.
    Expr(&'a mut ExprId),
    /// A statement.
    Stmt(&'a mut StmtId),
}

/// Shows the parts of an expression, in written order.
pub fn expr_parts(kind: &mut ExprKind, visit: &mut dyn FnMut(Part<'_>)) {
    match kind {
        ExprKind::Integer(_)
        | ExprKind::Float { .. }
        | ExprKind::String(_)
        | ExprKind::Var(_)
        | ExprKind::Function(_)
        | ExprKind::EnumConstant(..)
        | ExprKind::FunctionName(..)
        | ExprKind::TypeQuery(..)
        | ExprKind::LabelAddress(_)
        | ExprKind::Error => {}
        ExprKind::Imaginary(operand)
        | ExprKind::Unary(_, operand)
        | ExprKind::Cast { operand, .. }
        | ExprKind::Member { base: operand, .. }
        | ExprKind::ExprQuery(_, operand)
        | ExprKind::VaArg(operand) => visit(Part::Expr(operand)),
        ExprKind::Binary(_, left, right)
        | ExprKind::Assign(left, right)
        | ExprKind::CompoundAssign { target: left, value: right, .. }
        | ExprKind::Comma(left, right)
        | ExprKind::Index { base: left, index: right } => {
            visit(Part::Expr(left));
            visit(Part::Expr(right));
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            visit(Part::Expr(condition));
            if let Some(then) = then {
                visit(Part::Expr(then));
            }
            visit(Part::Expr(otherwise));
        }
        ExprKind::Call { callee, arguments } => {
            visit(Part::Expr(callee));
            arguments.iter_mut().for_each(|argument| visit(Part::Expr(argument)));
        }
        ExprKind::Builtin { arguments, .. } => {
            arguments.iter_mut().for_each(|argument| visit(Part::Expr(argument)));
        }
        ExprKind::Offsetof { path, .. } => {
            for step in path.iter_mut() {
                if let OffsetStep::Index(index) = step {
                    visit(Part::Expr(index));
                }
            }
        }
        ExprKind::Statement(body) => visit(Part::Stmt(body)),
        ExprKind::CompoundLiteral { init, .. } => {
            init_parts(init, &mut |expr| visit(Part::Expr(expr)));
        }
    }
}

/// Shows the expressions of an initialiser.
pub fn init_parts(init: &mut Init, visit: &mut dyn FnMut(&mut ExprId)) {
    match init {
        Init::Expr(expr) => visit(expr),
        Init::Aggregate(parts) => parts.iter_mut().for_each(|part| init_parts(&mut part.value, visit)),
    }
}

/// Shows the parts of a statement, in written order. The initialisers of declared variables belong to the variables.
pub fn stmt_parts(kind: &mut StmtKind, visit: &mut dyn FnMut(Part<'_>)) {
    match kind {
        StmtKind::Empty
        | StmtKind::Declare(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Error => {}
        StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => {
            visit(Part::Expr(expr));
        }
        StmtKind::Block(stmts) => stmts.iter_mut().for_each(|stmt| visit(Part::Stmt(stmt))),
        StmtKind::If { condition, then, otherwise } => {
            visit(Part::Expr(condition));
            visit(Part::Stmt(then));
            if let Some(otherwise) = otherwise {
                visit(Part::Stmt(otherwise));
            }
        }
        StmtKind::While { condition, body } | StmtKind::Switch { value: condition, body } => {
            visit(Part::Expr(condition));
            visit(Part::Stmt(body));
        }
        StmtKind::DoWhile { body, condition } => {
            visit(Part::Stmt(body));
            visit(Part::Expr(condition));
        }
        StmtKind::For { init, condition, step, body } => {
            if let Some(init) = init {
                visit(Part::Stmt(init));
            }
            if let Some(condition) = condition {
                visit(Part::Expr(condition));
            }
            if let Some(step) = step {
                visit(Part::Expr(step));
            }
            visit(Part::Stmt(body));
        }
        StmtKind::Case { first, last, body, .. } => {
            visit(Part::Expr(first));
            if let Some(last) = last {
                visit(Part::Expr(last));
            }
            visit(Part::Stmt(body));
        }
        StmtKind::Default(body) | StmtKind::Label(_, body) => visit(Part::Stmt(body)),
        StmtKind::Asm(asm) => {
            for operand in asm.outputs.iter_mut().chain(&mut asm.inputs) {
                visit(Part::Expr(&mut operand.value));
            }
        }
    }
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
}

/// The parts of a node, the initialisers and lengths of variables that it declares included.
#[must_use]
pub fn parts(ast: &Ast, node: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let mut add = |part: Part<'_>| {
        found.push(match part {
            Part::Expr(expr) => Node::Expr(*expr),
            Part::Stmt(stmt) => Node::Stmt(*stmt),
        });
    };
    match node {
        Node::Expr(id) => {
            expr_parts(&mut ast.exprs[id].kind.clone(), &mut add);
            for length in expr_lengths(ast, id) {
                found.push(Node::Expr(length));
            }
        }
        Node::Stmt(id) => {
            if let StmtKind::Declare(items) = &ast.stmts[id].kind {
                for item in items {
                    item_parts(ast, *item, &mut found);
                }
            } else {
                stmt_parts(&mut ast.stmts[id].kind.clone(), &mut add);
            }
        }
    }
    found
}

fn item_parts(ast: &Ast, item: Item, found: &mut Vec<Node>) {
    match item {
        Item::Var { id, definition } => {
            found.extend(lengths(ast, ast.vars[id].ty).into_iter().map(Node::Expr));
            if let (true, Some(init)) = (definition, &ast.vars[id].init) {
                init_parts(&mut init.clone(), &mut |expr| found.push(Node::Expr(*expr)));
            }
        }
        Item::Typedef(id) => {
            found.extend(lengths(ast, ast.typedefs[id].ty).into_iter().map(Node::Expr));
        }
        Item::Function { id, definition: true } => {
            found.extend(ast.functions[id].body.map(Node::Stmt));
        }
        Item::Asm(stmt) => found.push(Node::Stmt(stmt)),
        Item::Record { .. } | Item::Enum(_) | Item::Function { definition: false, .. } | Item::Label(_) => {}
    }
}

/// The lengths of variable length arrays in the types that an expression writes.
fn expr_lengths(ast: &Ast, id: ExprId) -> Vec<ExprId> {
    let expr = &ast.exprs[id];
    match &expr.kind {
        ExprKind::Cast { explicit: true, .. } | ExprKind::CompoundLiteral { .. } | ExprKind::VaArg(_) => {
            lengths(ast, expr.ty)
        }
        ExprKind::TypeQuery(_, ty) | ExprKind::Offsetof { ty, .. } => lengths(ast, *ty),
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
        | ExprKind::Assign(..)
        | ExprKind::CompoundAssign { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Comma(..)
        | ExprKind::Cast { .. }
        | ExprKind::Member { .. }
        | ExprKind::Index { .. }
        | ExprKind::Call { .. }
        | ExprKind::Builtin { .. }
        | ExprKind::ExprQuery(..)
        | ExprKind::Statement(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Error => Vec::new(),
    }
}

/// The lengths of variable length arrays in a type as it is written: typedef names are not looked into.
#[must_use]
pub fn lengths(ast: &Ast, ty: QualType) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut next = ty;
    loop {
        next = match ast.types.written(next.id) {
            Type::Pointer(target) => *target,
            Type::Array { element, length } => {
                if let ArrayLength::Variable(expr) = length {
                    found.push(*expr);
                }
                *element
            }
            Type::Function(function) => function.result,
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => return found,
        };
    }
}

/// Walks over a node and all below it, outer nodes first. Where `visit` says `false` it does not go deeper.
pub fn walk(ast: &Ast, node: Node, visit: &mut dyn FnMut(Node) -> bool) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if visit(node) {
            let inner = parts(ast, node);
            open.extend(inner.into_iter().rev());
        }
    }
}

/// Walks over all expressions of a statement.
pub fn each_expr(ast: &Ast, stmt: StmtId, visit: &mut dyn FnMut(ExprId)) {
    walk(ast, Node::Stmt(stmt), &mut |node| {
        if let Node::Expr(expr) = node {
            visit(expr);
        }
        true
    });
}

/// Walks over all statements in a statement, itself included.
pub fn each_stmt(ast: &Ast, stmt: StmtId, visit: &mut dyn FnMut(StmtId)) {
    walk(ast, Node::Stmt(stmt), &mut |node| {
        if let Node::Stmt(stmt) = node {
            visit(stmt);
        }
        true
    });
}

/// All statements in a statement, itself included, outer ones first.
#[must_use]
pub fn stmts_in(ast: &Ast, stmt: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    each_stmt(ast, stmt, &mut |stmt| found.push(stmt));
    found
}

/// All expressions in a statement, outer ones first.
#[must_use]
pub fn exprs_in(ast: &Ast, stmt: StmtId) -> Vec<ExprId> {
    let mut found = Vec::new();
    each_expr(ast, stmt, &mut |expr| found.push(expr));
    found
}

/// The labels that stand in a statement.
#[must_use]
pub fn labels_in(ast: &Ast, stmt: StmtId) -> Vec<LabelId> {
    let mut found = Vec::new();
    each_stmt(ast, stmt, &mut |stmt| {
        if let StmtKind::Label(label, _) = ast.stmts[stmt].kind {
            found.push(label);
        }
    });
    found
}

/// The variables that this very statement declares.
#[must_use]
pub fn declared_here(ast: &Ast, stmt: StmtId) -> Vec<VarId> {
    let StmtKind::Declare(items) = &ast.stmts[stmt].kind else { return Vec::new() };
    let vars = items.iter().filter_map(|item| if let Item::Var { id, .. } = item { Some(*id) } else { None });
    vars.collect()
}

/// The variables that are declared in a statement.
#[must_use]
pub fn declared_in(ast: &Ast, stmt: StmtId) -> Vec<VarId> {
    let mut found = Vec::new();
    each_stmt(ast, stmt, &mut |stmt| {
        if let StmtKind::Declare(items) = &ast.stmts[stmt].kind {
            for item in items {
                if let Item::Var { id, .. } = item {
                    found.push(*id);
                }
            }
        }
    });
    found
}
