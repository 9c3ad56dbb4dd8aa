//! Going through statements and expressions of the tree.

use raddle_cfront::ast::{Ast, ExprId, ExprKind, Item, StmtId, StmtKind};

/// Calls `visit` with a statement and all statements inside it, those of statement expressions left out.
pub(super) fn statements(ast: &Ast, root: StmtId, visit: &mut dyn FnMut(StmtId)) {
    visit(root);
    for child in children(ast, root) {
        statements(ast, child, visit);
    }
}

/// The statements directly inside one.
pub(super) fn children(ast: &Ast, statement: StmtId) -> Vec<StmtId> {
    match &ast.stmts[statement].kind {
        StmtKind::Block(list) => list.clone(),
        StmtKind::If { then, otherwise, .. } => std::iter::once(*then).chain(*otherwise).collect(),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => vec![*body],
        StmtKind::For { init, body, .. } => init.iter().copied().chain([*body]).collect(),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Declare(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Error => Vec::new(),
    }
}

/// The variables that a declaration statement declares.
pub(super) fn declared(ast: &Ast, statement: StmtId) -> Vec<raddle_cfront::ast::VarId> {
    let StmtKind::Declare(items) = &ast.stmts[statement].kind else { return Vec::new() };
    let var = |item: &Item| match item {
        Item::Var { id, .. } => Some(*id),
        Item::Record { .. }
        | Item::Enum(_)
        | Item::Typedef(_)
        | Item::Function { .. }
        | Item::Asm(_)
        | Item::Label(_) => None,
    };
    items.iter().filter_map(var).collect()
}

/// An expression without the casts around it.
pub(super) fn bare(ast: &Ast, mut expression: ExprId) -> ExprId {
    while let ExprKind::Cast { operand, .. } = &ast.exprs[expression].kind {
        expression = *operand;
    }
    expression
}
