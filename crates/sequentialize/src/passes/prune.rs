//! What nobody uses goes: functions that are never called or named, variables and types without use.
//!
//! Only in a whole program, one that has a `main`: elsewhere somebody outside may call anything.

use raddle_cfront::ast::{
    Attribute, EnumId, ExprKind, FunctionId, Item, RecordId, StmtKind, TypedefId, VarId,
};
use raddle_cfront::types::{Type, TypeId};
use rustc_hash::FxHashSet;

use crate::calls::is_entry;
use crate::pass::{Pass, Refusal, Values};
use crate::program::Program;
use crate::visit::{Node, init_parts, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "prune",
    description: "drops functions, variables and types that nothing reachable from main uses",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    prune(program, true);
    Ok(())
}

/// Drops functions that nothing uses.
pub(crate) fn unused_functions(program: &mut Program) {
    prune(program, false);
}

/// Everything that is reachable from where the program starts.
#[derive(Default)]
struct Reached {
    functions: FxHashSet<FunctionId>,
    vars: FxHashSet<VarId>,
    open: Vec<Node>,
}

impl Reached {
    fn function(&mut self, program: &Program, id: FunctionId) {
        let definition = program.definition_of(id);
        for id in [id, definition] {
            if self.functions.insert(id) {
                self.open.extend(program.body(id).map(Node::Stmt));
                for attribute in &program.ast().functions[id].attributes {
                    if let Attribute::Cleanup(handler) = attribute {
                        self.function(program, *handler);
                    }
                }
            }
        }
    }

    fn var(&mut self, program: &Program, id: VarId) {
        let definition = program.ast().vars[id].linked.unwrap_or(id);
        for id in [id, definition] {
            if !self.vars.insert(id) {
                continue;
            }
            let var = &program.ast().vars[id];
            if let Some(init) = &var.init {
                init_parts(&mut init.clone(), &mut |expr| self.open.push(Node::Expr(*expr)));
            }
            for attribute in &var.attributes {
                if let Attribute::Cleanup(handler) = attribute {
                    self.function(program, *handler);
                }
            }
        }
    }

    fn follow(&mut self, program: &Program) {
        while let Some(node) = self.open.pop() {
            let mut vars = Vec::new();
            let mut functions = Vec::new();
            walk(program.ast(), node, &mut |node| {
                match node {
                    Node::Expr(expr) => match program.ast().exprs[expr].kind {
                        ExprKind::Var(var) => vars.push(var),
                        ExprKind::Function(function) => functions.push(function),
                        _ => {}
                    },
                    Node::Stmt(stmt) => vars.extend(crate::visit::declared_here(program.ast(), stmt)),
                }
                true
            });
            vars.into_iter().for_each(|var| self.var(program, var));
            functions.into_iter().for_each(|function| self.function(program, function));
        }
    }
}

fn prune(program: &mut Program, variables: bool) {
    let definitions = program.definitions();
    if !definitions.iter().any(|(_, id)| program.function_text(*id) == "main") {
        return;
    }
    let mut reached = Reached::default();
    for &(_, id) in &definitions {
        if is_entry(program, id) {
            reached.function(program, id);
        }
    }
    for unit in &program.ast().units {
        for item in &unit.items {
            if let Item::Var { id, .. } = *item
                && (!variables || has_effect(program, id))
            {
                reached.var(program, id);
            }
            // An alias names its target by a text.
            if let Item::Function { id, .. } = *item
                && is_entry(program, id)
            {
                reached.function(program, id);
            }
        }
    }
    let aliases = alias_targets(program);
    for &(_, id) in &definitions {
        if aliases.contains(program.function_text(id)) {
            reached.function(program, id);
        }
    }
    reached.follow(program);
    for unit in 0..program.ast().units.len() {
        let mut items = std::mem::take(&mut program.ast_mut().units[unit].items);
        let types = variables.then(|| UsedTypes::of(program, &items, &reached));
        items.retain(|item| match *item {
            Item::Function { id, definition } => {
                reached.functions.contains(&id) || (!definition && !variables && program.body(id).is_none())
            }
            Item::Var { id, .. } => !variables || reached.vars.contains(&id),
            Item::Record { id, .. } => types.as_ref().is_none_or(|types| types.records.contains(&id)),
            Item::Enum(id) => types.as_ref().is_none_or(|types| types.enums.contains(&id)),
            Item::Typedef(id) => types.as_ref().is_none_or(|types| types.typedefs.contains(&id)),
            Item::Asm(_) | Item::Label(_) => true,
        });
        program.ast_mut().units[unit].items = items;
    }
}

/// The types that what stays mentions.
#[derive(Default)]
struct UsedTypes {
    records: FxHashSet<RecordId>,
    enums: FxHashSet<EnumId>,
    typedefs: FxHashSet<TypedefId>,
    seen: FxHashSet<TypeId>,
}

impl UsedTypes {
    fn of(program: &Program, items: &[Item], reached: &Reached) -> Self {
        let mut types = Self::default();
        let ast = program.ast();
        for item in items {
            match *item {
                Item::Var { id, .. } if reached.vars.contains(&id) => {
                    types.var(program, id);
                    if let Some(init) = &ast.vars[id].init {
                        init_parts(&mut init.clone(), &mut |expr| types.node(program, Node::Expr(*expr)));
                    }
                }
                Item::Function { id, definition } if reached.functions.contains(&id) => {
                    types.ty(program, ast.functions[id].ty.id);
                    for &parameter in &ast.functions[id].parameters {
                        types.var(program, parameter);
                    }
                    if let (true, Some(body)) = (definition, ast.functions[id].body) {
                        types.node(program, Node::Stmt(body));
                    }
                }
                Item::Asm(stmt) => types.node(program, Node::Stmt(stmt)),
                Item::Var { .. }
                | Item::Function { .. }
                | Item::Record { .. }
                | Item::Enum(_)
                | Item::Typedef(_)
                | Item::Label(_) => {}
            }
        }
        types
    }

    fn var(&mut self, program: &Program, id: VarId) {
        self.ty(program, program.ast().vars[id].ty.id);
    }

    fn node(&mut self, program: &Program, node: Node) {
        let ast = program.ast();
        walk(ast, node, &mut |node| {
            match node {
                Node::Expr(expr) => {
                    self.ty(program, ast.exprs[expr].ty.id);
                    match &ast.exprs[expr].kind {
                        ExprKind::EnumConstant(id, _) => {
                            self.enums.insert(*id);
                        }
                        ExprKind::TypeQuery(_, ty) | ExprKind::Offsetof { ty, .. } => self.ty(program, ty.id),
                        ExprKind::Member { record, .. } => self.record(program, *record),
                        _ => {}
                    }
                }
                Node::Stmt(stmt) => {
                    for var in crate::visit::declared_here(ast, stmt) {
                        self.var(program, var);
                    }
                    if let StmtKind::Declare(items) = &ast.stmts[stmt].kind {
                        for item in items {
                            if let Item::Typedef(id) = item {
                                self.ty(program, ast.typedefs[*id].ty.id);
                            }
                        }
                    }
                }
            }
            true
        });
    }

    fn record(&mut self, program: &Program, id: RecordId) {
        if self.records.insert(id) {
            for field in program.ast().records[id].fields.iter().flatten() {
                self.ty(program, field.ty.id);
            }
        }
    }

    fn ty(&mut self, program: &Program, id: TypeId) {
        if !self.seen.insert(id) {
            return;
        }
        match program.ast().types.written(id).clone() {
            Type::Pointer(target) => self.ty(program, target.id),
            Type::Array { element, .. } => self.ty(program, element.id),
            Type::Vector { element, .. } => self.ty(program, element),
            Type::Function(function) => {
                self.ty(program, function.result.id);
                function.parameters.iter().for_each(|parameter| self.ty(program, parameter.id));
            }
            Type::Record(record) => self.record(program, record),
            Type::Enum(id) => {
                self.enums.insert(id);
            }
            Type::Typedef(typedef) => {
                self.typedefs.insert(typedef);
                self.ty(program, program.ast().typedefs[typedef].ty.id);
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::VaList
            | Type::Error => {}
        }
    }
}

/// Whether a variable is there for somebody else: assembly, or another name.
fn has_effect(program: &Program, id: VarId) -> bool {
    !program.ast().vars[id].attributes.is_empty()
}

fn alias_targets(program: &Program) -> FxHashSet<String> {
    let ast = program.ast();
    let attributes = ast
        .functions
        .values()
        .flat_map(|function| &function.attributes)
        .chain(ast.vars.values().flat_map(|var| &var.attributes));
    attributes
        .filter_map(|attribute| match attribute {
            Attribute::Alias(target) => {
                target.units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>()
            }
            _ => None,
        })
        .collect()
}
