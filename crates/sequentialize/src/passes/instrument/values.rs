//! Values that a program does not determine: inputs by their types, and automatic variables that are never set.

use raddle_cfront::ast::{ExprKind, FunctionId, Item, StmtId, StmtKind, Storage, UnaryOp, VarId};
use raddle_cfront::layout;
use raddle_cfront::types::{FloatKind, IntKind, QualType, Type};
use rustc_hash::FxHashMap;

use super::text::InputType;
use super::{Meaning, string};
use crate::calls::direct;
use crate::pass::Refusal;
use crate::program::Program;
use crate::visit::{Node, exprs_in, stmts_in, walk};

/// The types of inputs that the program asks for, in the order in which they are met.
pub(super) fn input_types(
    program: &Program,
    primitives: &FxHashMap<FunctionId, Meaning>,
) -> Result<Vec<InputType>, Refusal> {
    let mut found = Vec::new();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let expr = &program.ast().exprs[expr];
            let ExprKind::Call { callee, .. } = expr.kind else { continue };
            let called = direct(program, callee).and_then(|function| primitives.get(&function));
            if called != Some(&Meaning::Input) {
                continue;
            }
            let Some(input) = input_type(program, expr.ty) else {
                let message = "a nondeterministic value is neither a number nor a pointer";
                return Err(Refusal::new(expr.span, message).help("fill the members one by one"));
            };
            if !found.contains(&input) {
                found.push(input);
            }
        }
    }
    Ok(found)
}

/// What an input of this type is called.
pub(super) fn input_type(program: &Program, ty: QualType) -> Option<InputType> {
    Some(match program.ast().types.kind(ty.id) {
        Type::Int(kind) => match kind {
            IntKind::Bool => ("bool", "_Bool"),
            IntKind::Char => ("char", "char"),
            IntKind::SignedChar => ("schar", "signed char"),
            IntKind::UnsignedChar => ("uchar", "unsigned char"),
            IntKind::Short => ("short", "short"),
            IntKind::UnsignedShort => ("ushort", "unsigned short"),
            IntKind::Int => ("int", "int"),
            IntKind::UnsignedInt => ("uint", "unsigned int"),
            IntKind::Long => ("long", "long"),
            IntKind::UnsignedLong => ("ulong", "unsigned long"),
            IntKind::LongLong => ("longlong", "long long"),
            IntKind::UnsignedLongLong => ("ulonglong", "unsigned long long"),
            IntKind::Int128 => ("int128", "__int128"),
            IntKind::UnsignedInt128 => ("uint128", "unsigned __int128"),
        },
        Type::Enum(_) => ("int", "int"),
        Type::Float(FloatKind::Float) => ("float", "float"),
        Type::Float(FloatKind::Double) => ("double", "double"),
        Type::Float(FloatKind::LongDouble) => ("longdouble", "long double"),
        Type::Pointer(_) => ("pointer", "void *"),
        _ => return None,
    })
}

/// Where a tool gives automatic variables some fixed value, they are made symbolic behind their declaration. Variables whose
/// value is set at once, and those of variable size, stay.
pub(super) fn free_locals(program: &mut Program) {
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        if program.function_text(function).starts_with("__raddle_any_") {
            continue;
        }
        for block in stmts_in(program.ast(), body) {
            let StmtKind::Block(list) = program.ast().stmts[block].kind.clone() else { continue };
            let mut new = Vec::with_capacity(list.len());
            for (place, &stmt) in list.iter().enumerate() {
                new.push(stmt);
                for var in unset(program, stmt) {
                    if !is_set_first(program, &list[place + 1..], var) {
                        new.extend(make_symbolic(program, var, stmt));
                    }
                }
            }
            program.ast_mut().stmts[block].kind = StmtKind::Block(new);
        }
    }
}

/// The automatic variables without a value that a statement declares.
fn unset(program: &Program, stmt: StmtId) -> Vec<VarId> {
    let StmtKind::Declare(items) = &program.ast().stmts[stmt].kind else { return Vec::new() };
    let unset = |item: &Item| match *item {
        Item::Var { id, definition: true } => {
            let var = &program.ast().vars[id];
            let automatic = matches!(var.storage, Storage::Automatic | Storage::Register);
            (automatic && var.init.is_none()).then_some(id)
        }
        Item::Var { .. }
        | Item::Function { .. }
        | Item::Record { .. }
        | Item::Enum(_)
        | Item::Typedef(_)
        | Item::Asm(_)
        | Item::Label(_) => None,
    };
    items.iter().filter_map(unset).collect()
}

/// Whether the statements behind a declaration set the variable as a whole before they do anything else with it.
fn is_set_first(program: &Program, rest: &[StmtId], var: VarId) -> bool {
    for &stmt in rest {
        if mentions(program, Node::Stmt(stmt), var) {
            return sets(program, stmt, var);
        }
        // A jump may lead past what sets it.
        let jumps = |inner: StmtId| {
            matches!(
                program.ast().stmts[inner].kind,
                StmtKind::Goto(_) | StmtKind::GotoComputed(_) | StmtKind::Asm(_)
            )
        };
        if stmts_in(program.ast(), stmt).into_iter().any(jumps) {
            return false;
        }
    }
    true
}

fn mentions(program: &Program, node: Node, var: VarId) -> bool {
    let mut found = false;
    walk(program.ast(), node, &mut |node| {
        if let Node::Expr(expr) = node {
            found |= program.ast().exprs[expr].kind == ExprKind::Var(var);
        }
        !found
    });
    found
}

/// Whether a statement is an assignment to the variable that does not read it.
fn sets(program: &Program, stmt: StmtId, var: VarId) -> bool {
    let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { return false };
    let ExprKind::Assign(target, value) = program.ast().exprs[program.bare(expr)].kind else { return false };
    program.ast().exprs[target].kind == ExprKind::Var(var) && !mentions(program, Node::Expr(value), var)
}

/// `klee_make_symbolic(&variable, size, "variable");`
fn make_symbolic(program: &mut Program, var: VarId, like: StmtId) -> Option<StmtId> {
    let size = layout::size_of(program.ast(), program.ast().vars[var].ty).ok().filter(|&size| size > 0)?;
    let span = program.ast().vars[var].span;
    let function = program
        .ast()
        .functions
        .iter()
        .map(|(id, _)| id)
        .find(|&id| program.function_text(id) == "klee_make_symbolic")?;
    let name = program.var_text(var).to_owned();
    let place = program.var(var, span);
    let address = program.tree.operators().unary(UnaryOp::AddressOf, place, span);
    let size = program.int(i128::from(size), span);
    let name = string(program, &name, span);
    let call = program.call(function, vec![address, size, name], span);
    Some(program.expr_stmt(call, like))
}
