//! One declaration a statement, and nothing that outlives a block declared in one.
//!
//! - Types, `static` variables and declarations of functions and external variables move from bodies to file scope, so that
//!   bodies can be copied (`hoist`). What would collide there gets a new name.
//! - A local variable has a name that nothing else in its function or at file scope has: nothing hides anything.
//! - Each declaration declares one thing. `for (int i = …)` declares it before the loop.
//! - The initial value of a plain automatic variable is assigned behind its declaration; aggregates and constants
//!   keep their initialisers.

use raddle_cfront::ast::{
    Attribute, ExprKind, FunctionId, Init, Item, LabelId, RecordId, StmtId, StmtKind, Storage, VarId,
};
use raddle_cfront::check::shape::is_variably_modified;
use raddle_cfront::names::Symbol;
use raddle_cfront::types::{QualType, Qualifiers, Type};
use rustc_hash::FxHashSet;

use crate::names::function_name_object;
use crate::pass::{Pass, Refusal, Values};
use crate::program::Program;
use crate::visit::{Node, each_stmt, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "declarations",
    description: "one declaration a statement; types and statics of functions move to file scope; no name hides another",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    hoist(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        heads_of_for(program, body);
        split(program, body);
    }
    Ok(())
}

/// Moves out of bodies what must not be copied with them, and gives every local variable and label a name of its own.
pub(crate) fn hoist(program: &mut Program) {
    for unit in 0..program.ast().units.len() {
        let mut outer = OuterNames::of(program, unit);
        let items = std::mem::take(&mut program.ast_mut().units[unit].items);
        let mut moved = Vec::with_capacity(items.len());
        for item in items {
            if let Item::Function { id, definition: true } = item
                && let Some(body) = program.body(id)
            {
                hoist_items(program, id, body, &mut outer, &mut moved);
                rename_locals(program, id, body, &outer);
            }
            moved.push(item);
        }
        program.ast_mut().units[unit].items = moved;
    }
}

/// What is known at file scope.
struct OuterNames {
    ordinary: FxHashSet<Symbol>,
    tags: FxHashSet<Symbol>,
}

impl OuterNames {
    fn of(program: &Program, unit: usize) -> Self {
        let mut names = Self { ordinary: FxHashSet::default(), tags: FxHashSet::default() };
        let ast = program.ast();
        for item in &ast.units[unit].items {
            match *item {
                Item::Record { id, .. } => names.tags.extend(ast.records[id].tag),
                Item::Enum(id) => {
                    names.tags.extend(ast.enums[id].tag);
                    names
                        .ordinary
                        .extend(ast.enums[id].constants.iter().flatten().map(|constant| constant.name));
                }
                Item::Typedef(id) => {
                    names.ordinary.insert(ast.typedefs[id].name);
                }
                Item::Var { id, .. } => names.ordinary.extend(ast.vars[id].name),
                Item::Function { id, .. } => {
                    names.ordinary.insert(ast.functions[id].name);
                }
                Item::Asm(_) | Item::Label(_) => {}
            }
        }
        // Functions that calls have declared have no item.
        names.ordinary.extend(ast.functions.values().filter(|function| function.implicit).map(|f| f.name));
        names
    }
}

/// Takes out of a body the declarations that belong at file scope.
fn hoist_items(
    program: &mut Program,
    function: FunctionId,
    body: StmtId,
    outer: &mut OuterNames,
    moved: &mut Vec<Item>,
) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::Declare(items) = program.ast().stmts[stmt].kind.clone() else { continue };
        let mut kept = Vec::new();
        for item in items {
            if hoistable(program, item) {
                if let Item::Var { id, definition: true } = item {
                    moved.extend(own_names(program, id));
                }
                rename_outer(program, function, item, outer);
                moved.push(item);
            } else if !matches!(item, Item::Label(_)) {
                kept.push(item);
            }
        }
        program.ast_mut().stmts[stmt].kind =
            if kept.is_empty() { StmtKind::Empty } else { StmtKind::Declare(kept) };
    }
}

fn hoistable(program: &Program, item: Item) -> bool {
    let ast = program.ast();
    match item {
        Item::Record { id, .. } => !record_is_variable(program, id),
        Item::Enum(_) => true,
        Item::Typedef(id) => !is_variably_modified(ast, ast.typedefs[id].ty.id),
        Item::Var { id, definition } => match ast.vars[id].storage {
            Storage::External => true,
            // The mention of a static of file scope.
            Storage::Static if !definition => true,
            // A local variable of a thread.
            Storage::Static if program.origins.is_private(id) => false,
            Storage::Static => !names_label(program, id) && !is_variably_modified(ast, ast.vars[id].ty.id),
            Storage::Automatic | Storage::Register | Storage::Parameter => false,
        },
        Item::Function { id, definition } => {
            !definition && ast.functions[id].body.is_none_or(|_| !nested(program, id))
        }
        Item::Asm(_) | Item::Label(_) => false,
    }
}

fn nested(program: &Program, id: FunctionId) -> bool {
    program.ast().functions[id].owner.is_some()
}

fn record_is_variable(program: &Program, id: RecordId) -> bool {
    let fields = program.ast().records[id].fields.as_deref().unwrap_or_default();
    fields.iter().any(|field| is_variably_modified(program.ast(), field.ty.id))
}

/// Whether the initial value of a static variable is the address of a label.
fn names_label(program: &Program, id: VarId) -> bool {
    let Some(init) = &program.ast().vars[id].init else { return false };
    let mut found = false;
    crate::visit::init_parts(&mut init.clone(), &mut |expr| {
        walk(program.ast(), Node::Expr(*expr), &mut |node| {
            if let Node::Expr(expr) = node {
                found |= matches!(program.ast().exprs[expr].kind, ExprKind::LabelAddress(_));
            }
            true
        });
    });
    found
}

/// Replaces a function's own name in the initial value of its static variable; gives the objects to be declared for it.
fn own_names(program: &mut Program, id: VarId) -> Vec<Item> {
    let mut found = Vec::new();
    if let Some(init) = &program.ast().vars[id].init {
        crate::visit::init_parts(&mut init.clone(), &mut |expr| {
            walk(program.ast(), Node::Expr(*expr), &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::FunctionName(name, text) = &program.ast().exprs[expr].kind
                {
                    found.push((expr, *name, text.clone()));
                }
                true
            });
        });
    }
    let mut items = Vec::new();
    for (expr, name, text) in found {
        let (ty, span) = (program.ast().exprs[expr].ty, program.ast().exprs[expr].span);
        let (object, new) = function_name_object(program, name, &text, ty, span);
        program.ast_mut().exprs[expr].kind = ExprKind::Var(object);
        items.extend(new.then_some(Item::Var { id: object, definition: true }));
    }
    items
}

/// Gives what moves to file scope a name that is free there.
fn rename_outer(program: &mut Program, function: FunctionId, item: Item, outer: &mut OuterNames) {
    let taken = |names: &mut FxHashSet<Symbol>, name: Symbol| !names.insert(name);
    match item {
        Item::Record { id, definition } => {
            if let Some(tag) = program.ast().records[id].tag
                && taken(&mut outer.tags, tag)
                && definition
            {
                let new = fresh_like(program, tag);
                program.ast_mut().records[id].tag = Some(new);
            }
        }
        Item::Enum(id) => {
            if let Some(tag) = program.ast().enums[id].tag
                && taken(&mut outer.tags, tag)
            {
                let new = fresh_like(program, tag);
                program.ast_mut().enums[id].tag = Some(new);
            }
            let count = program.ast().enums[id].constants.as_ref().map_or(0, Vec::len);
            for place in 0..count {
                let name = program.ast().enums[id].constants.as_ref().map(|constants| constants[place].name);
                if let Some(name) = name
                    && taken(&mut outer.ordinary, name)
                {
                    let new = fresh_like(program, name);
                    if let Some(constants) = &mut program.ast_mut().enums[id].constants {
                        constants[place].name = new;
                    }
                }
            }
        }
        Item::Typedef(id) => {
            let name = program.ast().typedefs[id].name;
            if taken(&mut outer.ordinary, name) {
                let new = fresh_like(program, name);
                program.ast_mut().typedefs[id].name = new;
            }
        }
        Item::Var { id, definition } => {
            let Some(name) = program.ast().vars[id].name else { return };
            if program.ast().vars[id].storage == Storage::Static && definition {
                let text = format!("{}_{}", program.function_text(function), program.ast().text(name));
                let known = program.ast().names.find(&text).is_some();
                let new =
                    if known { program.fresh_name(&text) } else { program.ast_mut().names.intern(&text) };
                program.origins.set_name(id, name);
                let var = &mut program.ast_mut().vars[id];
                var.name = Some(new);
                var.owner = None;
                outer.ordinary.insert(new);
            } else {
                outer.ordinary.insert(name);
            }
        }
        Item::Function { id, .. } => {
            outer.ordinary.insert(program.ast().functions[id].name);
        }
        Item::Asm(_) | Item::Label(_) => {}
    }
}

fn fresh_like(program: &mut Program, name: Symbol) -> Symbol {
    let hint = program.ast().text(name).to_owned();
    program.fresh_name(&hint)
}

/// Gives locals and labels names that nothing else in the function has.
fn rename_locals(program: &mut Program, function: FunctionId, body: StmtId, outer: &OuterNames) {
    let mut vars: Vec<VarId> = program.ast().functions[function].parameters.clone();
    vars.extend(crate::visit::declared_in(program.ast(), body));
    let mut used: FxHashSet<Symbol> = FxHashSet::default();
    for var in vars {
        let Some(name) = program.ast().vars[var].name else { continue };
        if matches!(program.ast().vars[var].storage, Storage::External) {
            continue;
        }
        if outer.ordinary.contains(&name) || !used.insert(name) {
            let new = fresh_like(program, name);
            program.origins.set_name(var, name);
            program.ast_mut().vars[var].name = Some(new);
            used.insert(new);
        }
    }
    let mut labels: Vec<LabelId> = Vec::new();
    each_stmt(program.ast(), body, &mut |stmt| {
        if let StmtKind::Label(label, _) = program.ast().stmts[stmt].kind {
            labels.push(label);
        }
    });
    let mut used: FxHashSet<Symbol> = FxHashSet::default();
    for label in labels {
        let name = program.ast().labels[label].name;
        if !used.insert(name) {
            let new = fresh_like(program, name);
            program.ast_mut().labels[label].name = new;
        }
        program.ast_mut().labels[label].local = false;
    }
}

/// `for (int i = 0; …)` becomes `{ int i = 0; for (; …) }`.
fn heads_of_for(program: &mut Program, body: StmtId) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::For { init: Some(init), condition, step, body } =
            program.ast().stmts[stmt].kind.clone()
        else {
            continue;
        };
        if !matches!(program.ast().stmts[init].kind, StmtKind::Declare(_)) {
            continue;
        }
        let inner = program.stmt(StmtKind::For { init: None, condition, step, body }, stmt);
        program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![init, inner]);
    }
}

/// One item a statement, and initial values assigned.
fn split(program: &mut Program, body: StmtId) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::Block(list) = program.ast().stmts[stmt].kind.clone() else { continue };
        let mut new = Vec::with_capacity(list.len());
        for inner in list {
            split_one(program, inner, &mut new);
        }
        program.ast_mut().stmts[stmt].kind = StmtKind::Block(new);
    }
}

fn split_one(program: &mut Program, stmt: StmtId, out: &mut Vec<StmtId>) {
    match program.ast().stmts[stmt].kind.clone() {
        StmtKind::Declare(items) => {
            for (place, &item) in items.iter().enumerate() {
                let single = StmtKind::Declare(vec![item]);
                if place == 0 {
                    program.ast_mut().stmts[stmt].kind = single;
                    out.push(stmt);
                } else {
                    out.push(program.stmt(single, stmt));
                }
                out.extend(assignment(program, item, stmt));
            }
        }
        // A label before several declarators marks the first.
        StmtKind::Label(label, inner) => {
            if let StmtKind::Declare(_) = program.ast().stmts[inner].kind {
                let empty = program.stmt(StmtKind::Empty, stmt);
                program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, empty);
                out.push(stmt);
                split_one(program, inner, out);
            } else {
                out.push(stmt);
            }
        }
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Block(_)
        | StmtKind::If { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::For { .. }
        | StmtKind::Switch { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Error => out.push(stmt),
    }
}

/// The assignment that an initialiser becomes, if it can be one.
fn assignment(program: &mut Program, item: Item, like: StmtId) -> Option<StmtId> {
    let Item::Var { id, definition: true } = item else { return None };
    let var = &program.ast().vars[id];
    let (Storage::Automatic | Storage::Register, Some(Init::Expr(value))) = (var.storage, &var.init) else {
        return None;
    };
    let value = *value;
    if !assignable(program, var.ty)
        || var.attributes.iter().any(|found| matches!(found, Attribute::Cleanup(_)))
    {
        return None;
    }
    let span = var.span;
    program.ast_mut().vars[id].init = None;
    let target = program.var(id, span);
    Some(program.assign_stmt(target, value, like))
}

/// Whether a variable of the type can be assigned to as a whole.
pub(crate) fn assignable(program: &Program, ty: QualType) -> bool {
    if program.ast().types.qualifiers(ty).contains(Qualifiers::CONST) {
        return false;
    }
    match program.ast().types.kind(ty.id) {
        Type::Array { .. } | Type::VaList | Type::Function(_) | Type::Void | Type::Error => false,
        Type::Record(id) => !has_constant_member(program, *id),
        Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Pointer(_)
        | Type::Vector { .. }
        | Type::Enum(_)
        | Type::Typedef(_) => true,
    }
}

fn has_constant_member(program: &Program, id: RecordId) -> bool {
    let fields = program.ast().records[id].fields.as_deref().unwrap_or_default();
    fields.iter().any(|field| {
        let mut ty = program.ast().types.canonical(field.ty);
        while let Type::Array { element, .. } = program.ast().types.kind(ty.id) {
            ty = program.ast().types.canonical(element.with(ty.qualifiers));
        }
        ty.qualifiers.contains(Qualifiers::CONST)
            || matches!(program.ast().types.kind(ty.id), Type::Record(inner) if has_constant_member(program, *inner))
    })
}

/// Whether a body has a nested function, which cannot be moved or copied.
pub(crate) fn nested_function(program: &Program, body: StmtId) -> Option<FunctionId> {
    let mut found = None;
    each_stmt(program.ast(), body, &mut |stmt| {
        if let StmtKind::Declare(items) = &program.ast().stmts[stmt].kind {
            for item in items {
                if let Item::Function { id, definition: true } = item {
                    found = Some(*id);
                }
            }
        }
    });
    found
}
