//! More threads, and threads in another order.

use raddle_cfront::ast::{CastKind, ExprId, ExprKind, StmtId, StmtKind, Storage, UnaryOp, VarId};

use super::walk::{bare, statements};
use super::{Edit, Variant, VariantKind, VariantSource};

/// A thread that does nothing, created before everything else and never joined.
pub(super) fn idle_thread(source: &VariantSource) -> Option<Variant> {
    let function = "void *raddle_idle(void *argument) { return argument; }\n";
    with_thread(source, VariantKind::IdleThread, "raddle_idle", function)
}

/// A thread that counts on its own.
pub(super) fn own_variable(source: &VariantSource) -> Option<Variant> {
    let function = "static int raddle_own;\n\
                    void *raddle_counts(void *argument) { raddle_own++; return argument; }\n";
    with_thread(source, VariantKind::OwnVariable, "raddle_counts", function)
}

fn with_thread(source: &VariantSource, kind: VariantKind, name: &str, function: &str) -> Option<Variant> {
    let body = source.ast.functions[source.main()?].body?;
    let mut span = source.ast.stmts[body].span;
    // Behind the opening brace.
    span.lo += 1;
    span.hi = span.lo;
    let is_declared =
        source.ast.functions.values().any(|function| source.ast.text(function.name) == "pthread_create");
    let declaration = if is_declared {
        ""
    } else {
        "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);"
    };
    let text = format!(
        "{{ typedef unsigned long pthread_t; extern void *{name}(void *); {declaration} pthread_t raddle_thread; \
         pthread_create(&raddle_thread, 0, {name}, 0); }}"
    );
    Some(source.variant(kind, 0, vec![Edit { span, text }], function))
}

/// Each pair of creations next to each other, exchanged where that means the same.
pub(super) fn exchanged(source: &VariantSource) -> Vec<Variant> {
    let mut variants = Vec::new();
    for body in source.bodies() {
        statements(&source.ast, body, &mut |statement| {
            let StmtKind::Block(list) = &source.ast.stmts[statement].kind else { return };
            for pair in list.windows(2) {
                variants.extend(exchange(source, pair[0], pair[1]));
            }
        });
    }
    variants
}

fn exchange(source: &VariantSource, first: StmtId, second: StmtId) -> Option<Variant> {
    let (a, b) = (creation(source, first)?, creation(source, second)?);
    let different =
        source.slice(source.ast.exprs[a.handle].span) != source.slice(source.ast.exprs[b.handle].span);
    if !different {
        return None;
    }
    let (one, other) = (source.ast.stmts[first].span, source.ast.stmts[second].span);
    let edits =
        vec![Edit { span: one, text: source.slice(other) }, Edit { span: other, text: source.slice(one) }];
    Some(source.variant(VariantKind::CreationOrder, source.line(one), edits, ""))
}

struct Creation {
    /// Where the thread's id goes.
    handle: ExprId,
}

/// A statement that creates a thread whose number only its creator sees, with an argument that nobody can change.
fn creation(source: &VariantSource, statement: StmtId) -> Option<Creation> {
    let ast = &source.ast;
    let StmtKind::Expr(expression) = ast.stmts[statement].kind else { return None };
    let ExprKind::Call { callee, arguments } = &ast.exprs[expression].kind else { return None };
    let ExprKind::Function(function) = ast.exprs[bare(ast, *callee)].kind else { return None };
    let name = ast.text(ast.functions[function].name);
    if !matches!(name, "pthread_create" | "thrd_create") || !source.is_own(ast.stmts[statement].span) {
        return None;
    }
    let (&handle, rest) = arguments.split_first()?;
    let var = handle_variable(source, handle)?;
    let is_private = ast.vars[var].storage == Storage::Automatic && !escapes(source, var);
    let is_fixed = rest.iter().all(|&argument| is_fixed(source, argument));
    (is_private && is_fixed).then_some(Creation { handle })
}

/// `&t` and `&t[0]` lead to `t`.
fn handle_variable(source: &VariantSource, handle: ExprId) -> Option<VarId> {
    let ast = &source.ast;
    let ExprKind::Unary(UnaryOp::AddressOf, place) = ast.exprs[bare(ast, handle)].kind else { return None };
    let mut place = place;
    if let ExprKind::Index { base, index } = ast.exprs[place].kind
        && is_fixed(source, index)
    {
        place = bare(ast, base);
    }
    if let ExprKind::Var(var) = ast.exprs[place].kind { Some(var) } else { None }
}

/// Whether the address of a variable goes anywhere but into creations.
fn escapes(source: &VariantSource, var: VarId) -> bool {
    let ast = &source.ast;
    let is_var = |place: ExprId| ast.exprs[place].kind == ExprKind::Var(var);
    let taken = ast
        .exprs
        .values()
        .filter(|expr| matches!(expr.kind, ExprKind::Unary(UnaryOp::AddressOf, place) if is_var(place)));
    let given = ast.exprs.values().filter(|expr| {
        let ExprKind::Call { callee, arguments } = &expr.kind else { return false };
        let ExprKind::Function(function) = ast.exprs[bare(ast, *callee)].kind else { return false };
        let creates = matches!(ast.text(ast.functions[function].name), "pthread_create" | "thrd_create");
        creates
            && arguments.first().is_some_and(|&handle| {
                matches!(ast.exprs[bare(ast, handle)].kind, ExprKind::Unary(UnaryOp::AddressOf, place) if is_var(place))
            })
    });
    // An array whose elements are meant decays: then it must not be handed to anybody.
    let decays = ast.exprs.values().any(|expr| {
        let ExprKind::Call { arguments, .. } = &expr.kind else { return false };
        arguments.iter().any(|&argument| {
            matches!(&ast.exprs[argument].kind, ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } if is_var(*operand))
        })
    });
    decays || taken.count() != given.count()
}

/// Whether the value of an expression is the same whatever happens meanwhile: constants and addresses.
fn is_fixed(source: &VariantSource, expression: ExprId) -> bool {
    let ast = &source.ast;
    let kind = &ast.exprs[expression].kind;
    if let ExprKind::Cast { kind, operand, .. } = kind {
        let decays =
            *kind == CastKind::ArrayToPointer && matches!(ast.exprs[*operand].kind, ExprKind::Var(_));
        return decays || (*kind != CastKind::Load && is_fixed(source, *operand));
    }
    if let ExprKind::Unary(UnaryOp::AddressOf, place) = kind {
        if let ExprKind::Index { base, index } = ast.exprs[*place].kind {
            return is_fixed(source, base) && is_fixed(source, index);
        }
        return matches!(ast.exprs[*place].kind, ExprKind::Var(_) | ExprKind::Function(_));
    }
    matches!(
        kind,
        ExprKind::Integer(_) | ExprKind::Function(_) | ExprKind::String(_) | ExprKind::EnumConstant(..)
    )
}
