//! Who calls whom.

use raddle_cfront::ast::{Attribute, ExprId, ExprKind, FunctionId, Item, StmtId, StmtKind, UnaryOp};
use rustc_hash::FxHashSet;

use crate::program::Program;
use crate::visit::{Node, init_parts, walk};

/// A statement that is a call: `f(…);` or `target = f(…);`.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Where the result goes.
    pub(crate) target: Option<ExprId>,
    /// The call itself.
    pub(crate) expr: ExprId,
    /// What is called, if that is a function's name.
    pub(crate) function: Option<FunctionId>,
    /// The function as an expression.
    pub(crate) callee: ExprId,
    /// The arguments.
    pub(crate) arguments: Vec<ExprId>,
}

/// The call that a statement is, if it is one.
pub(crate) fn statement_call(program: &Program, stmt: StmtId) -> Option<Call> {
    let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { return None };
    let mut expr = program.bare(expr);
    let mut target = None;
    if let ExprKind::Assign(place, value) = program.ast().exprs[expr].kind {
        target = Some(place);
        expr = program.bare(value);
    }
    let ExprKind::Call { callee, arguments } = &program.ast().exprs[expr].kind else { return None };
    let function = direct(program, *callee);
    Some(Call { target, expr, function, callee: *callee, arguments: arguments.to_vec() })
}

/// The function that a callee names.
pub(crate) fn direct(program: &Program, callee: ExprId) -> Option<FunctionId> {
    let mut expr = program.bare(callee);
    loop {
        expr = match program.ast().exprs[expr].kind {
            ExprKind::Function(function) => return Some(function),
            // `&f` and `*f` are `f`.
            ExprKind::Unary(UnaryOp::AddressOf | UnaryOp::Deref, operand) => program.bare(operand),
            _ => return None,
        };
        if let ExprKind::Cast { .. } = program.ast().exprs[expr].kind {
            return None;
        }
    }
}

/// The expression that names the function, under `&` and casts.
pub(crate) fn named_function(program: &Program, expr: ExprId) -> Option<(ExprId, FunctionId)> {
    let mut expr = expr;
    loop {
        expr = match program.ast().exprs[expr].kind {
            ExprKind::Function(function) => return Some((expr, function)),
            ExprKind::Unary(UnaryOp::AddressOf | UnaryOp::Deref, operand)
            | ExprKind::Cast { operand, .. } => operand,
            _ => return None,
        };
    }
}

/// Which functions are called, and which are known by their address.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallGraph {
    /// Functions whose address is taken, in the order in which that is met.
    pub(crate) taken: Vec<FunctionId>,
    is_taken: FxHashSet<FunctionId>,
    roots: FxHashSet<FunctionId>,
}

impl CallGraph {
    pub(crate) fn of(program: &Program) -> Self {
        let mut graph = Self::default();
        let has_main = program.definitions().iter().any(|(_, id)| program.function_text(*id) == "main");
        for unit in &program.ast().units {
            for item in &unit.items {
                match *item {
                    Item::Var { id, definition: true } => {
                        if let Some(init) = &program.ast().vars[id].init {
                            init_parts(&mut init.clone(), &mut |expr| graph.scan(program, Node::Expr(*expr)));
                        }
                    }
                    Item::Function { id, definition: true } => {
                        if let Some(body) = program.body(id) {
                            graph.scan(program, Node::Stmt(body));
                        }
                        if is_entry(program, id) || (!has_main && !program.ast().functions[id].internal) {
                            graph.roots.insert(id);
                        }
                    }
                    Item::Var { .. }
                    | Item::Function { .. }
                    | Item::Record { .. }
                    | Item::Enum(_)
                    | Item::Typedef(_)
                    | Item::Asm(_)
                    | Item::Label(_) => {}
                }
            }
        }
        graph
    }

    fn scan(&mut self, program: &Program, node: Node) {
        let mut called: FxHashSet<ExprId> = FxHashSet::default();
        walk(program.ast(), node, &mut |node| {
            if let Node::Expr(expr) = node {
                match program.ast().exprs[expr].kind {
                    ExprKind::Call { callee, .. } if direct(program, callee).is_some() => {
                        called.extend(named_function(program, callee).map(|(expr, _)| expr));
                    }
                    ExprKind::Function(function) if !called.contains(&expr) => {
                        let function = program.definition_of(function);
                        if self.is_taken.insert(function) {
                            self.taken.push(function);
                        }
                    }
                    _ => {}
                }
            }
            true
        });
    }

    /// Whether control comes to the function from elsewhere than calls by its name.
    pub(crate) fn is_root(&self, function: FunctionId) -> bool {
        self.roots.contains(&function) || self.is_taken.contains(&function)
    }
}

/// Whether the system calls the function.
pub(crate) fn is_entry(program: &Program, function: FunctionId) -> bool {
    let declared = &program.ast().functions[function];
    program.function_text(function) == "main"
        || declared.attributes.iter().any(|attribute| {
            matches!(attribute, Attribute::Constructor(_) | Attribute::Destructor(_) | Attribute::Alias(_))
        })
}
