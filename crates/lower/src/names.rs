//! Names of functions and globals: those of C, made unique.
//!
//! A name with external linkage stays as it is. A `static` of a name that several units define is called
//! `file.c:name`, a local one `function.name`; what still collides is numbered. The names depend on the program's
//! text alone.

use raddle_cfront::ast::{self, Ast, VarId};
use raddle_cfront::names::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names given so far, and what is needed to give more.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    functions: FxHashSet<String>,
    globals: FxHashSet<String>,
    /// Names that more than one unit defines.
    repeated: FxHashSet<Symbol>,
    function_units: FxHashMap<ast::FunctionId, usize>,
    var_units: FxHashMap<VarId, usize>,
}

impl NameTable {
    pub(crate) fn new(ast: &Ast) -> Self {
        let mut table = Self::default();
        let mut seen: FxHashMap<Symbol, usize> = FxHashMap::default();
        for (unit, items) in ast.units.iter().map(|unit| &unit.items).enumerate() {
            for item in items {
                let name = match *item {
                    ast::Item::Function { id, definition: true } => {
                        table.function_units.insert(id, unit);
                        Some(ast.functions[id].name)
                    }
                    ast::Item::Var { id, definition: true } => {
                        table.var_units.insert(id, unit);
                        ast.vars[id].name
                    }
                    ast::Item::Function { definition: false, .. }
                    | ast::Item::Var { definition: false, .. }
                    | ast::Item::Record { .. }
                    | ast::Item::Enum(_)
                    | ast::Item::Typedef(_)
                    | ast::Item::Asm(_)
                    | ast::Item::Label(_) => None,
                };
                if let Some(name) = name
                    && *seen.entry(name).or_insert(unit) != unit
                {
                    table.repeated.insert(name);
                }
            }
        }
        table
    }

    /// The unit whose items define the function.
    pub(crate) fn unit_of(&self, id: ast::FunctionId) -> Option<usize> {
        self.function_units.get(&id).copied()
    }

    /// The name of a C function.
    pub(crate) fn function(&mut self, ast: &Ast, id: ast::FunctionId) -> String {
        let function = &ast.functions[id];
        let name = ast.text(function.name);
        let wanted = match (function.owner, self.function_units.get(&id)) {
            (Some(owner), _) => format!("{}.{name}", ast.text(ast.functions[owner].name)),
            (None, Some(&unit)) if function.internal && self.repeated.contains(&function.name) => {
                format!("{}:{name}", file_name(&ast.units[unit].name))
            }
            (None, _) => name.to_owned(),
        };
        self.other_function(wanted)
    }

    /// The name of a function that lowering makes.
    pub(crate) fn other_function(&mut self, wanted: String) -> String {
        unique(&mut self.functions, wanted)
    }

    /// The name of a C variable of static storage.
    pub(crate) fn var(&mut self, ast: &Ast, id: VarId) -> String {
        let var = &ast.vars[id];
        let name = var.name.map_or("object", |name| ast.text(name));
        let wanted = match (var.owner, self.var_units.get(&id)) {
            (Some(owner), _) if var.storage == ast::Storage::Static => {
                format!("{}.{name}", ast.text(ast.functions[owner].name))
            }
            (_, Some(&unit))
                if var.storage == ast::Storage::Static
                    && var.name.is_some_and(|name| self.repeated.contains(&name)) =>
            {
                format!("{}:{name}", file_name(&ast.units[unit].name))
            }
            _ => name.to_owned(),
        };
        self.other_global(wanted)
    }

    /// The name of an object that has none in C.
    pub(crate) fn other_global(&mut self, wanted: String) -> String {
        unique(&mut self.globals, wanted)
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn unique(taken: &mut FxHashSet<String>, wanted: String) -> String {
    let mut name = wanted.clone();
    let mut number = 2_u32;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}.{number}");
        number += 1;
    }
    name
}
