//! What was freed: a thread that gets at it ends there, as in the input.
//!
//! Each object from the heap that has a name ([`super::heap`]) and that somebody may free gets a variable that says that it was
//! freed. Threads share it as they share any other, so it has its copies. What has no name is never freed: who uses it later
//! finds it as it was.

use indexmap::IndexMap;
use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, ExprId, StmtId, StmtKind, UnaryOp, VarId};
use raddle_cfront::layout::size_of;
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::{QualType, Types};
use rustc_hash::FxBuildHasher;

use super::accesses::{LvalueAccess, Way, doings};
use super::flows::value_of;
use super::heap::global;
use super::points::{Object, Points};
use super::runtime::Runtime;
use super::within::{address, ensure_before};
use crate::calls::statement_call;
use crate::copy::copy_expr;
use crate::program::Program;
use crate::visit::stmts_in;

/// Each object that may be freed, and the variable that says so.
type Flags = IndexMap<VarId, VarId, FxBuildHasher>;

/// A call that frees what a pointer leads to.
struct Free {
    stmt: StmtId,
    pointer: ExprId,
    /// The objects with names that this may be.
    objects: Vec<VarId>,
    /// Whether it can be nothing else from the heap.
    known: bool,
}

/// Follows what is freed of the objects with names.
pub(super) fn follow(program: &mut Program, runtime: &Runtime, named: &[VarId]) {
    let points = Points::of(program);
    let frees = find(program, &points, named);
    let mut flags = Flags::default();
    for &object in frees.iter().flat_map(|free| &free.objects) {
        if !flags.contains_key(&object) {
            let flag = global(program, "__raddle_freed", QualType::plain(Types::bool()));
            flags.insert(object, flag);
        }
    }
    let mut accesses: IndexMap<ExprId, LvalueAccess, FxBuildHasher> = IndexMap::default();
    for (_, function) in program.definitions() {
        for access in doings(program, &points, function).into_iter().flat_map(|doing| doing.accesses) {
            if let Way::Pointer(pointer) = access.way {
                accesses.entry(pointer).or_insert(access);
            }
        }
    }
    // Parts of expressions first: a check repeats the lvalue that is accessed, as it is in the end.
    for (&pointer, access) in accesses.iter().rev() {
        if let Some(condition) = still_there(program, pointer, access, &flags) {
            ensure_before(program, runtime.ensure, pointer, condition);
        }
    }
    for free in &frees {
        let list = freeing(program, runtime, free, &flags);
        program.ast_mut().stmts[free.stmt].kind = StmtKind::Block(list);
    }
}

fn find(program: &Program, points: &Points, named: &[VarId]) -> Vec<Free> {
    let mut found = Vec::new();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            let Some(call) = statement_call(program, stmt) else { continue };
            let frees = call.function.is_some_and(|callee| {
                program.primitive(callee) == Some(Primitive::Free) || program.function_text(callee) == "free"
            });
            let Some(&pointer) = call.arguments.first().filter(|_| frees) else { continue };
            let mut free = Free { stmt, pointer, objects: Vec::new(), known: true };
            for target in points.targets(&value_of(program, pointer)).iter() {
                match target.object {
                    Object::Var(var) if named.contains(&var) => {
                        if !free.objects.contains(&var) {
                            free.objects.push(var);
                        }
                    }
                    Object::Heap(_) | Object::Outside(_) | Object::Unknown => free.known = false,
                    Object::Var(_) | Object::Function(_) | Object::Text | Object::Number => {}
                }
            }
            found.push(free);
        }
    }
    found
}

/// That nothing was freed that an access may touch.
fn still_there(
    program: &mut Program,
    pointer: ExprId,
    access: &LvalueAccess,
    flags: &Flags,
) -> Option<ExprId> {
    let span = Span::NONE;
    let mut memory: Vec<Object> = access.targets.iter().map(|target| target.object).collect();
    memory.retain(|object| object.is_memory() || *object == Object::Unknown);
    memory.dedup();
    let mut condition: Option<ExprId> = None;
    for &object in &memory {
        let Object::Var(var) = object else { continue };
        let Some(&flag) = flags.get(&var) else { continue };
        let flag = program.var(flag, span);
        let mut there = program.tree.operators().unary(UnaryOp::Not, flag, span);
        if memory.len() > 1 || access.place.is_none() {
            let wide = Types::unsigned_long().into();
            let touched = match access.place {
                Some(place) => address(program, place),
                None => copy_expr(program, pointer),
            };
            let touched = program.bare(touched);
            let touched = program.tree.explicit_cast(touched, wide, span);
            let begin = address_of(program, var);
            let begin = program.tree.explicit_cast(begin, wide, span);
            let distance = program.tree.operators().binary(BinaryOp::Sub, touched, begin, span);
            let size = size_of(program.ast(), program.ast().vars[var].ty).unwrap_or(0);
            let size = program.int(i128::from(size), span);
            let elsewhere = program.tree.operators().binary(BinaryOp::GreaterEqual, distance, size, span);
            there = program.tree.operators().binary(BinaryOp::Or, elsewhere, there, span);
        }
        condition = Some(match condition {
            None => there,
            Some(before) => program.tree.operators().binary(BinaryOp::And, before, there, span),
        });
    }
    condition
}

fn address_of(program: &mut Program, var: VarId) -> ExprId {
    let object = program.var(var, Span::NONE);
    program.tree.operators().unary(UnaryOp::AddressOf, object, Span::NONE)
}

/// What is done instead of freeing: the object is marked. Whoever frees it twice, or what is not from the heap, ends.
fn freeing(program: &mut Program, runtime: &Runtime, free: &Free, flags: &Flags) -> Vec<StmtId> {
    let (span, like) = (Span::NONE, free.stmt);
    let mut list = Vec::new();
    let is = |program: &mut Program, other: ExprId| {
        let pointer = copy_expr(program, free.pointer);
        let pointer = program.bare(pointer);
        let pointer = program.tree.explicit_cast(pointer, Types::void_pointer().into(), span);
        let other = program.tree.explicit_cast(other, Types::void_pointer().into(), span);
        program.tree.operators().binary(BinaryOp::Equal, pointer, other, span)
    };
    let zero = program.int(0, span);
    let mut right = is(program, zero);
    for object in &free.objects {
        let Some(&flag) = flags.get(object) else { continue };
        let begin = address_of(program, *object);
        let begins = is(program, begin);
        right = program.tree.operators().binary(BinaryOp::Or, right, begins, span);
        let (begin, old) = (address_of(program, *object), program.var(flag, span));
        let first = program.tree.operators().unary(UnaryOp::Not, old, span);
        let first = program.call(runtime.assume, vec![first], span);
        let first = program.expr_stmt(first, like);
        let (target, one) = (program.var(flag, span), program.int(1, span));
        let mark = program.assign_stmt(target, one, like);
        let then = program.block(vec![first, mark], like);
        let begins = is(program, begin);
        list.push(program.if_stmt(begins, then, None, like));
    }
    if free.known {
        let right = program.call(runtime.assume, vec![right], span);
        list.push(program.expr_stmt(right, like));
    }
    list
}
