//! Which memory statements touch, and on which way: by a variable's name, or through a pointer.

use raddle_base::Span;
use raddle_cfront::ast::{
    Ast, CastKind, ExprId, ExprKind, FunctionId, Item, StmtId, StmtKind, Storage, UnaryOp, VarId,
};
use raddle_cfront::check::builtin::Builtin;
use raddle_cfront::layout::size_of;
use raddle_cfront::types::{QualType, Type};

use super::flows::{address_of, value_of};
use super::points::{FlowSource, Object, Points, Target, Targets};
use crate::calls::direct;
use crate::program::Program;
use crate::visit::{Node, parts, stmts_in, walk};

/// How an access comes to its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By this use of a variable's name.
    Name(ExprId, VarId),
    /// Through the pointer that this expression is.
    Pointer(ExprId),
    /// By the declaration of a variable.
    Declaration(VarId),
}

/// One access to memory.
#[derive(Clone, Debug)]
pub(super) struct LvalueAccess {
    pub(super) way: Way,
    /// The lvalue that is named; none where a function is given a pointer and accesses what it leads to.
    pub(super) place: Option<ExprId>,
    /// What may be touched.
    pub(super) targets: Targets,
    /// How many bytes at most.
    pub(super) size: u64,
    /// So many bytes from where the lvalue begins are surely touched.
    pub(super) least: u64,
    /// What is there, for the access.
    pub(super) ty: QualType,
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) span: Span,
}

/// What one statement does by itself, without the statements in it.
#[derive(Clone, Debug)]
pub(super) struct Doing {
    pub(super) stmt: StmtId,
    pub(super) accesses: Vec<LvalueAccess>,
    /// The functions with bodies that are called.
    pub(super) calls: Vec<FunctionId>,
    /// Calls of functions without bodies: the function, where, and what its arguments lead to.
    pub(super) outside: Vec<(FunctionId, Span, Targets)>,
    /// Whether a function is called that is not known by its name.
    pub(super) unnamed_call: bool,
}

/// What the statements of a function do, in the order of the text.
pub(super) fn doings(program: &Program, points: &Points, function: FunctionId) -> Vec<Doing> {
    let Some(body) = program.body(function) else { return Vec::new() };
    stmts_in(program.ast(), body).into_iter().map(|stmt| doing(program, points, stmt)).collect()
}

fn doing(program: &Program, points: &Points, stmt: StmtId) -> Doing {
    let ast = program.ast();
    let mut doing =
        Doing { stmt, accesses: Vec::new(), calls: Vec::new(), outside: Vec::new(), unnamed_call: false };
    declared(program, points, stmt, &mut doing);
    for part in parts(ast, Node::Stmt(stmt)) {
        let Node::Expr(expr) = part else { continue };
        walk(ast, Node::Expr(expr), &mut |node| {
            let Node::Expr(expr) = node else { return true };
            match &ast.exprs[expr].kind {
                // Asked for its size, nothing is touched.
                ExprKind::ExprQuery(..) => return false,
                ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                    place(program, points, *operand, (true, false), &mut doing);
                }
                ExprKind::Assign(target, _) => place(program, points, *target, (false, true), &mut doing),
                ExprKind::CompoundAssign { target, .. }
                | ExprKind::Unary(
                    UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement,
                    target,
                ) => place(program, points, *target, (true, true), &mut doing),
                ExprKind::Builtin {
                    builtin: Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy, ..
                } => {}
                ExprKind::Builtin { arguments, .. } => {
                    arguments.iter().for_each(|&argument| behind(program, points, argument, &mut doing));
                }
                ExprKind::Call { callee, arguments } => call(program, points, *callee, arguments, &mut doing),
                _ => {}
            }
            true
        });
    }
    doing
}

/// An automatic variable is written where it is declared with a value.
fn declared(program: &Program, points: &Points, stmt: StmtId, doing: &mut Doing) {
    let ast = program.ast();
    let StmtKind::Declare(items) = &ast.stmts[stmt].kind else { return };
    for item in items {
        if let Item::Var { id, definition: true } = *item
            && matches!(ast.vars[id].storage, Storage::Automatic | Storage::Register)
            && ast.vars[id].init.is_some()
        {
            let ty = ast.vars[id].ty;
            doing.accesses.push(LvalueAccess {
                way: Way::Declaration(id),
                place: None,
                targets: points.targets(&[FlowSource::Address(Target::new(Object::Var(id)))]),
                size: size_of(ast, ty).unwrap_or(0),
                least: 0,
                ty,
                reads: false,
                writes: true,
                span: ast.vars[id].span,
            });
        }
    }
}

fn place(
    program: &Program,
    points: &Points,
    lvalue: ExprId,
    (reads, writes): (bool, bool),
    doing: &mut Doing,
) {
    let ast = program.ast();
    let Some(way) = way(ast, lvalue) else { return };
    let ty = ast.exprs[lvalue].ty;
    let size = size_of(ast, ty).unwrap_or(1);
    // A bit-field may reach into one byte more than its type has, or have fewer bytes.
    let (size, least) = if is_bit_field(ast, lvalue) { (size + 1, 1) } else { (size, size) };
    let targets = points.targets(&address_of(program, lvalue));
    let span = ast.exprs[lvalue].span;
    let place = Some(lvalue);
    doing.accesses.push(LvalueAccess { way, place, targets, size, least, ty, reads, writes, span });
}

pub(super) fn is_bit_field(ast: &Ast, lvalue: ExprId) -> bool {
    match ast.exprs[lvalue].kind {
        ExprKind::Member { record, field, .. } => {
            let fields = ast.records[record].fields.as_deref().unwrap_or_default();
            fields.get(field as usize).is_some_and(|field| field.width.is_some())
        }
        _ => false,
    }
}

/// A built-in function reads and writes what it is given a pointer to.
fn behind(program: &Program, points: &Points, argument: ExprId, doing: &mut Doing) {
    let ast = program.ast();
    let Some(ty) = ast.types.pointee(ast.exprs[argument].ty.id) else { return };
    let targets = points.targets(&value_of(program, argument));
    let span = ast.exprs[argument].span;
    let size = size_of(ast, ty).unwrap_or(1);
    doing.accesses.push(LvalueAccess {
        way: Way::Pointer(argument),
        place: None,
        targets,
        size,
        least: size,
        ty,
        reads: true,
        writes: true,
        span,
    });
}

fn call(program: &Program, points: &Points, callee: ExprId, arguments: &[ExprId], doing: &mut Doing) {
    let Some(function) = direct(program, callee) else {
        doing.unnamed_call = true;
        return;
    };
    let function = program.definition_of(function);
    if program.body(function).is_some() {
        doing.calls.push(function);
        return;
    }
    let sources: Vec<_> = arguments.iter().flat_map(|&argument| value_of(program, argument)).collect();
    doing.outside.push((function, program.ast().exprs[callee].span, points.targets(&sources)));
}

/// How an access to this lvalue comes to its memory; `None` when it is no memory that a pointer can lead to.
fn way(ast: &Ast, mut lvalue: ExprId) -> Option<Way> {
    loop {
        lvalue = match ast.exprs[lvalue].kind {
            ExprKind::Var(var) => return Some(Way::Name(lvalue, var)),
            ExprKind::Member { base, arrow: true, .. } => return Some(Way::Pointer(base)),
            ExprKind::Member { base, .. } if ast.exprs[base].lvalue => base,
            ExprKind::Index { base, index } => match (decayed(ast, base), decayed(ast, index)) {
                (Some(array), _) | (None, Some(array)) => array,
                (None, None) if is_pointer(ast, base) => return Some(Way::Pointer(base)),
                (None, None) if is_pointer(ast, index) => return Some(Way::Pointer(index)),
                (None, None) => base,
            },
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, operand) => operand,
            ExprKind::Unary(UnaryOp::Deref, operand) => match decayed(ast, operand) {
                Some(array) => array,
                None => return Some(Way::Pointer(operand)),
            },
            _ => return None,
        };
    }
}

fn is_pointer(ast: &Ast, expr: ExprId) -> bool {
    matches!(ast.types.kind(ast.exprs[expr].ty.id), Type::Pointer(_))
}

/// The array that an expression is the decay of.
fn decayed(ast: &Ast, expr: ExprId) -> Option<ExprId> {
    match ast.exprs[expr].kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => Some(operand),
        _ => None,
    }
}
