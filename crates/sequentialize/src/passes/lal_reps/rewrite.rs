//! Accesses go to the copy of the round.
//!
//! An object with copies becomes an array of them. Its name stands for the copy of the round where it is accessed, and for the
//! first copy where its address is taken: pointers always lead to the first copy, also when they are compared or kept, and where
//! one is looked through it is moved to the copy of the round. Copies lie side by side, so what might leave its copy is held in it
//! (`within`).

use indexmap::IndexMap;
use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, Init, InitPart, Item, Subobject, VarId};
use raddle_cfront::layout::size_of;
use raddle_cfront::types::{ArrayLength, QualType, Type, Types};
use rustc_hash::FxBuildHasher;

use super::copies::Copies;
use super::runtime::Runtime;
use super::within::Within;
use crate::program::Program;
use crate::visit::{Node, exprs_in, init_parts, walk};

/// What was made of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub(super) var: VarId,
    /// The type of one copy.
    pub(super) ty: QualType,
    /// Each copy is the first of so many, so that the copies have their distance.
    pub(super) padding: u64,
}

/// Rewrites all accesses.
pub(super) fn accesses(
    program: &mut Program,
    copies: &Copies,
    runtime: &Runtime,
    rounds: u64,
) -> Vec<Copied> {
    let round = runtime.round;
    let mut found: IndexMap<VarId, Copied, FxBuildHasher> = IndexMap::default();
    for (&var, &stride) in &copies.strides {
        let ty = program.ast().vars[var].ty;
        let size = size_of(program.ast(), ty).unwrap_or(1).max(1);
        let copied = Copied { var, ty, padding: stride / size };
        extend(program, copied, rounds);
        found.insert(var, copied);
    }
    for expr in all_exprs(program) {
        let ExprKind::Var(var) = program.ast().exprs[expr].kind else { continue };
        if let Some(&copied) = found.get(&var) {
            let span = program.ast().exprs[expr].span;
            let number =
                if copies.names.contains(&expr) { program.var(round, span) } else { program.int(0, span) };
            let copy = copy(program, copied, number, span);
            let copy = program.ast().exprs[copy].clone();
            program.ast_mut().exprs[expr] = copy;
        }
    }
    // Parts of expressions first: a check repeats the lvalue that is accessed, as it is in the end.
    for (&from, change) in copies.changes.iter().rev() {
        if let Some(stride) = change.stride {
            shift(program, from, round, stride);
        }
        if let Some(check) = &change.check {
            let number = (change.stride.is_some() || check.is_name()).then_some(round);
            Within { program, ensure: runtime.ensure, number, all: &found, rounds }.hold(from, check);
        }
    }
    found.into_values().collect()
}

/// All expressions of bodies and of initial values.
fn all_exprs(program: &Program) -> Vec<ExprId> {
    let ast = program.ast();
    let mut found = Vec::new();
    for item in ast.units.iter().flat_map(|unit| &unit.items) {
        match *item {
            Item::Var { id, definition: true } => {
                if let Some(init) = &ast.vars[id].init {
                    init_parts(&mut init.clone(), &mut |expr| {
                        walk(ast, Node::Expr(*expr), &mut |node| {
                            if let Node::Expr(expr) = node {
                                found.push(expr);
                            }
                            true
                        });
                    });
                }
            }
            Item::Function { id, definition: true } => {
                found.extend(ast.functions[id].body.into_iter().flat_map(|body| exprs_in(ast, body)));
            }
            _ => {}
        }
    }
    found
}

/// The copy of this number.
pub(super) fn copy(program: &mut Program, copied: Copied, number: ExprId, span: Span) -> ExprId {
    let all = program.var(copied.var, span);
    let copy = program.tree.primaries().index(all, number, span);
    if copied.padding > 1 {
        let first = program.int(0, span);
        return program.tree.primaries().index(copy, first, span);
    }
    copy
}

/// The type of all copies together.
pub(super) fn type_of_all(program: &mut Program, ty: QualType, padding: u64, rounds: u64) -> QualType {
    let mut element = ty;
    if padding > 1 {
        let array = Type::Array { element, length: ArrayLength::Fixed(padding) };
        element = program.ast_mut().types.intern(array).into();
    }
    let array = Type::Array { element, length: ArrayLength::Fixed(rounds) };
    program.ast_mut().types.intern(array).into()
}

/// Makes an object an array of copies that begin alike.
fn extend(program: &mut Program, copied: Copied, rounds: u64) {
    let ty = type_of_all(program, copied.ty, copied.padding, rounds);
    let variable = &mut program.ast_mut().vars[copied.var];
    variable.ty = ty;
    if let Some(mut init) = variable.init.take() {
        let whole = |count: u64, value: Init| {
            let place = Subobject::Elements { first: 0, last: count - 1 };
            Init::Aggregate(vec![InitPart { subobject: place, value }])
        };
        if copied.padding > 1 {
            let place = Subobject::Elements { first: 0, last: 0 };
            init = Init::Aggregate(vec![InitPart { subobject: place, value: init }]);
        }
        variable.init = Some(whole(rounds, init));
    }
}

/// Moves a pointer to the copy of the round.
fn shift(program: &mut Program, pointer: ExprId, round: VarId, stride: u64) {
    let (span, ty) = (program.ast().exprs[pointer].span, program.ast().exprs[pointer].ty);
    let old = program.ast().exprs[pointer].clone();
    let old = program.ast_mut().exprs.push(old);
    let bare = program.bare(old);
    let step = program.ast().types.pointee(ty.id).and_then(|target| size_of(program.ast(), target).ok());
    let round = program.var(round, span);
    let new = match step {
        // So many of what the pointer leads to.
        Some(step) if step > 0 && stride.is_multiple_of(step) => {
            let distance = times(program, round, stride / step, span);
            program.tree.operators().binary(BinaryOp::Add, bare, distance, span)
        }
        Some(_) | None => {
            let bytes = program.ast_mut().types.pointer_to(Types::char().into());
            let bytes = program.tree.explicit_cast(bare, bytes.into(), span);
            let distance = times(program, round, stride, span);
            let sum = program.tree.operators().binary(BinaryOp::Add, bytes, distance, span);
            program.tree.explicit_cast(sum, ty, span)
        }
    };
    let new = program.ast().exprs[new].clone();
    program.ast_mut().exprs[pointer] = new;
}

fn times(program: &mut Program, round: ExprId, count: u64, span: Span) -> ExprId {
    if count == 1 {
        return round;
    }
    let count = program.int(i128::from(count), span);
    program.tree.operators().binary(BinaryOp::Mul, round, count, span)
}
