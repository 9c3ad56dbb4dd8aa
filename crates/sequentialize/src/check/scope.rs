//! Whether each name in the text means what the tree means by it.

use raddle_cfront::ast::{Ast, ExprKind, FunctionId, Item, StmtId, StmtKind, VarId};
use raddle_cfront::names::Symbol;
use rustc_hash::FxHashMap;

use crate::visit::{Node, parts};

/// What an ordinary name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Var(VarId),
    Function(FunctionId),
    Other,
}

struct Scopes<'a> {
    ast: &'a Ast,
    open: Vec<FxHashMap<Symbol, Meaning>>,
}

/// Looks up every variable and function that a body names.
pub(super) fn check(ast: &Ast) -> Result<(), String> {
    for unit in &ast.units {
        let mut scopes = Scopes { ast, open: vec![FxHashMap::default()] };
        for &item in &unit.items {
            scopes.item(item)?;
        }
    }
    Ok(())
}

impl Scopes<'_> {
    fn declare(&mut self, name: Option<Symbol>, meaning: Meaning) {
        if let (Some(name), Some(scope)) = (name, self.open.last_mut()) {
            scope.insert(name, meaning);
        }
    }

    fn find(&self, name: Symbol) -> Option<Meaning> {
        self.open.iter().rev().find_map(|scope| scope.get(&name).copied())
    }

    fn item(&mut self, item: Item) -> Result<(), String> {
        let ast = self.ast;
        match item {
            Item::Record { .. } | Item::Asm(_) | Item::Label(_) => {}
            Item::Enum(id) => {
                for constant in ast.enums[id].constants.iter().flatten() {
                    self.declare(Some(constant.name), Meaning::Other);
                }
            }
            Item::Typedef(id) => self.declare(Some(ast.typedefs[id].name), Meaning::Other),
            Item::Var { id, definition } => {
                for length in crate::visit::lengths(ast, ast.vars[id].ty) {
                    self.node(Node::Expr(length))?;
                }
                self.declare(ast.vars[id].name, Meaning::Var(id));
                if let (true, Some(init)) = (definition, &ast.vars[id].init) {
                    let mut exprs = Vec::new();
                    crate::visit::init_parts(&mut init.clone(), &mut |expr| exprs.push(*expr));
                    for expr in exprs {
                        self.node(Node::Expr(expr))?;
                    }
                }
            }
            Item::Function { id, definition } => {
                let function = &ast.functions[id];
                self.declare(Some(function.name), Meaning::Function(id));
                if let (true, Some(body)) = (definition, function.body) {
                    self.open.push(FxHashMap::default());
                    for &parameter in &function.parameters {
                        self.declare(ast.vars[parameter].name, Meaning::Var(parameter));
                    }
                    self.node(Node::Stmt(body))?;
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, node: Node) -> Result<(), String> {
        match node {
            Node::Expr(id) => {
                match self.ast.exprs[id].kind {
                    ExprKind::Var(var) => self.look_up(self.ast.vars[var].name, Meaning::Var(var))?,
                    ExprKind::Function(function) => {
                        // A call may declare it.
                        let name = self.ast.functions[function].name;
                        if self.find(name).is_some() {
                            self.look_up(Some(name), Meaning::Function(function))?;
                        }
                    }
                    _ => {}
                }
                self.parts(node)
            }
            Node::Stmt(stmt) => self.stmt(stmt),
        }
    }

    fn parts(&mut self, node: Node) -> Result<(), String> {
        parts(self.ast, node).into_iter().try_for_each(|part| self.node(part))
    }

    fn stmt(&mut self, stmt: StmtId) -> Result<(), String> {
        match &self.ast.stmts[stmt].kind {
            StmtKind::Declare(items) => items.iter().try_for_each(|&item| self.item(item)),
            StmtKind::Block(_) | StmtKind::For { .. } => {
                self.open.push(FxHashMap::default());
                self.parts(Node::Stmt(stmt))?;
                self.open.pop();
                Ok(())
            }
            _ => self.parts(Node::Stmt(stmt)),
        }
    }

    fn look_up(&self, name: Option<Symbol>, wanted: Meaning) -> Result<(), String> {
        let Some(name) = name else { return Ok(()) };
        let found = self.find(name);
        if found == Some(wanted) {
            return Ok(());
        }
        Err(format!("`{}` stands for {found:?} where {wanted:?} is meant", self.ast.text(name)))
    }
}
