//! What sequentializations do to the functions of threads, whatever their schema.

use raddle_cfront::ast::{ExprKind, FunctionId, Init, InitPart, Item, StmtId, StmtKind, Subobject, VarId};
use raddle_cfront::types::{ArrayLength, FloatKind, FunctionType, IntKind, QualType, Type, TypeId, Types};

use crate::names::function_name_object;
use crate::passes::labels;
use crate::program::Program;
use crate::sequential::{Point, Thread};
use crate::visit::{exprs_in, stmts_in};

/// What the labels of each thread stand for; the functions still have the names that they had.
pub(crate) fn table(program: &Program, threads: &[(FunctionId, Option<StmtId>)]) -> Vec<Thread> {
    let point =
        |stmt: StmtId| Point { span: program.ast().stmts[stmt].span, copy: program.origins.stmt(stmt) };
    let mut table = Vec::new();
    for &(function, started) in threads {
        let mut points = Vec::new();
        for stmt in program.body(function).map_or_else(Vec::new, |body| stmts_in(program.ast(), body)) {
            if let StmtKind::Label(label, _) = program.ast().stmts[stmt].kind
                && let Some(number) = labels::number(program, label)
            {
                points.push((number, point(stmt)));
            }
        }
        points.sort_by_key(|(number, _)| *number);
        table.push(Thread {
            function,
            name: program.function_text(function).to_owned(),
            origin: program.origins.function(function),
            started: started.map(point),
            points: points.into_iter().map(|(_, point)| point).collect(),
        });
    }
    table
}

/// A thread function takes and gives nothing any more; `main` makes room for the driver.
pub(crate) fn prepare(program: &mut Program, function: FunctionId, number: usize) {
    let ty = program.ast_mut().types.intern(Type::Function(FunctionType {
        result: QualType::plain(Types::void()),
        parameters: Box::new([]),
        variadic: false,
        prototype: true,
    }));
    own_names(program, function);
    let name = (number == 0).then(|| program.ast_mut().names.intern("main__thread_0"));
    let declared = &mut program.ast_mut().functions[function];
    declared.ty = QualType::plain(ty);
    declared.parameters.clear();
    (declared.internal, declared.old_style, declared.noreturn) = (false, false, false);
    if let Some(name) = name {
        declared.name = name;
    }
    // What named it before, to start it, is a node of the old type; it goes with the call.
}

/// A function's own name must not change with its name, or with the position of a statement.
pub(crate) fn own_names(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    for expr in exprs_in(program.ast(), body) {
        let found = program.ast().exprs[expr].clone();
        if let ExprKind::FunctionName(name, text) = found.kind {
            let (object, new) = function_name_object(program, name, &text, found.ty, found.span);
            if new {
                let item = Item::Var { id: object, definition: true };
                program.ast_mut().units[0].items.insert(0, item);
            }
            program.ast_mut().exprs[expr].kind = ExprKind::Var(object);
        }
    }
}

/// A thread-local variable becomes an array with an element for each thread, `current` being the id of the one that runs.
/// Gives the variables.
pub(crate) fn thread_locals(program: &mut Program, current: VarId, threads: usize) -> Vec<VarId> {
    let length = u64::try_from(threads).unwrap_or(u64::MAX);
    let mut found: Vec<VarId> = Vec::new();
    for item in &program.ast().units[0].items {
        if let Item::Var { id, .. } = *item
            && program.ast().vars[id].thread_local
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    for &var in &found {
        let element = program.ast().vars[var].ty;
        let array = Type::Array { element, length: ArrayLength::Fixed(length) };
        let ty = program.ast_mut().types.intern(array);
        let variable = &mut program.ast_mut().vars[var];
        variable.ty = QualType::plain(ty);
        variable.thread_local = false;
        if let Some(value) = variable.init.take() {
            let place = Subobject::Elements { first: 0, last: length - 1 };
            variable.init = Some(Init::Aggregate(vec![InitPart { subobject: place, value }]));
        }
    }
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let ExprKind::Var(var) = program.ast().exprs[expr].kind else { continue };
            if found.contains(&var) {
                let span = program.ast().exprs[expr].span;
                let (whole, number) = (program.var(var, span), program.var(current, span));
                let place = program.tree.primaries().index(whole, number, span);
                let place = program.ast().exprs[place].clone();
                program.ast_mut().exprs[expr] = place;
            }
        }
    }
    found
}

/// The function that gives any value of a type of numbers: what stands behind `__VERIFIER_nondet_` in its name, and its result.
/// Pointers have none here: not every schema can let them lead anywhere.
pub(crate) fn nondet(kind: &Type) -> Option<(&'static str, TypeId)> {
    Some(match kind {
        Type::Int(kind) => match kind {
            IntKind::Bool => ("bool", Types::bool()),
            IntKind::Char | IntKind::SignedChar => ("char", Types::char()),
            IntKind::UnsignedChar => ("uchar", Types::unsigned_char()),
            IntKind::Short => ("short", Types::short()),
            IntKind::UnsignedShort => ("ushort", Types::unsigned_short()),
            IntKind::Int => ("int", Types::int()),
            IntKind::UnsignedInt => ("uint", Types::unsigned_int()),
            IntKind::Long => ("long", Types::long()),
            IntKind::UnsignedLong => ("ulong", Types::unsigned_long()),
            IntKind::LongLong => ("longlong", Types::long_long()),
            IntKind::UnsignedLongLong => ("ulonglong", Types::unsigned_long_long()),
            IntKind::Int128 => ("int128", Types::int128()),
            IntKind::UnsignedInt128 => ("uint128", Types::unsigned_int128()),
        },
        Type::Float(FloatKind::Float) => ("float", Types::float()),
        Type::Float(FloatKind::Double) => ("double", Types::double()),
        Type::Enum(_) => ("int", Types::int()),
        _ => return None,
    })
}
