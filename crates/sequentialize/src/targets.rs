//! What the local pointers of a program can lead to, where that is easy to say.
//!
//! A local pointer whose address is not taken gets its values by assignments, a parameter of a function that is only called by
//! its name by calls. If all of them are addresses of variables, null, or values of such pointers, it leads to those variables and
//! nowhere else: arithmetic does not leave an object. Flow-insensitive. A pointer that is not known here may lead anywhere.

use raddle_cfront::ast::{
    BinaryOp, CastKind, ExprId, ExprKind, FunctionId, Init, Item, StmtKind, UnaryOp, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::{Addresses, Root, root};
use crate::calls::{CallGraph, direct};
use crate::escape::is_local;
use crate::program::Program;
use crate::visit::{Node, walk};

/// What holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pointer {
    /// A variable.
    Var(VarId),
    /// What a function returns.
    Result(FunctionId),
}

/// What a pointer may be, as far as one expression says.
#[derive(Clone, Debug, Default)]
struct Sources {
    /// Addresses of these variables.
    vars: Vec<VarId>,
    /// The values of these pointers.
    pointers: Vec<Pointer>,
}

/// Which variables pointers lead to.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    known: FxHashMap<Pointer, Vec<VarId>>,
}

impl Targets {
    /// Looks through the whole program.
    pub(crate) fn of(program: &Program, addresses: &Addresses) -> Self {
        let mut assigned: Vec<(Pointer, Option<Sources>)> = Vec::new();
        for (_, function) in program.definitions() {
            let Some(body) = program.body(function) else { continue };
            walk(program.ast(), Node::Stmt(body), &mut |node| {
                collect(program, function, node, &mut assigned);
                true
            });
        }
        let mut open: FxHashSet<Pointer> = FxHashSet::default();
        let graph = CallGraph::of(program);
        for (_, function) in program.definitions() {
            if graph.is_root(function) {
                let parameters = program.ast().functions[function].parameters.iter();
                open.extend(parameters.map(|&parameter| Pointer::Var(parameter)));
            }
        }
        let candidate = |pointer: Pointer| match pointer {
            Pointer::Var(var) => is_candidate(program, addresses, var),
            Pointer::Result(function) => program.body(function).is_some(),
        };
        for (var, sources) in &assigned {
            let unknown = sources.is_none();
            if unknown || !candidate(*var) {
                open.insert(*var);
            }
        }
        // What may hold the value of an unknown pointer is unknown.
        loop {
            let before = open.len();
            for (var, sources) in &assigned {
                let from = |pointer: &Pointer| open.contains(pointer) || !candidate(*pointer);
                if sources.as_ref().is_some_and(|sources| sources.pointers.iter().any(from)) {
                    open.insert(*var);
                }
            }
            if open.len() == before {
                break;
            }
        }
        let mut known: FxHashMap<Pointer, Vec<VarId>> = FxHashMap::default();
        loop {
            let mut changed = false;
            for (var, sources) in &assigned {
                let Some(sources) = sources.as_ref().filter(|_| !open.contains(var)) else { continue };
                let mut all = sources.vars.clone();
                for pointer in &sources.pointers {
                    all.extend(known.get(pointer).into_iter().flatten());
                }
                let found = known.entry(*var).or_default();
                for target in all {
                    if !found.contains(&target) {
                        found.push(target);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Self { known };
            }
        }
    }

    /// Whether it is known where a pointer leads.
    pub(crate) fn is_known(&self, var: VarId) -> bool {
        self.known.contains_key(&Pointer::Var(var))
    }

    /// The variables that an lvalue may be a part of; nothing if that is not known.
    pub(crate) fn place(&self, program: &Program, lvalue: ExprId) -> Option<Vec<VarId>> {
        self.all(place(program, lvalue)?)
    }

    /// The variables that a pointer may lead to; nothing if that is not known.
    pub(crate) fn pointees(&self, program: &Program, pointer: ExprId) -> Option<Vec<VarId>> {
        self.all(value(program, pointer)?)
    }

    fn all(&self, sources: Sources) -> Option<Vec<VarId>> {
        let mut all = sources.vars;
        for pointer in sources.pointers {
            all.extend(self.known.get(&pointer)?);
        }
        Some(all)
    }
}

/// Whether all values of a variable come from assignments that name it.
fn is_candidate(program: &Program, addresses: &Addresses, var: VarId) -> bool {
    is_local(program, var)
        && !addresses.is_taken(var)
        && program.ast().types.pointee(program.ast().vars[var].ty.id).is_some()
}

/// The assignments in a node, itself only.
fn collect(
    program: &Program,
    function: FunctionId,
    node: Node,
    assigned: &mut Vec<(Pointer, Option<Sources>)>,
) {
    let ast = program.ast();
    match node {
        Node::Expr(expr) => {
            if let ExprKind::Assign(target, value_of) = ast.exprs[expr].kind
                && let ExprKind::Var(var) = ast.exprs[target].kind
                && ast.types.pointee(ast.vars[var].ty.id).is_some()
            {
                assigned.push((Pointer::Var(var), value(program, value_of)));
            }
            if let ExprKind::Call { callee, arguments } = &ast.exprs[expr].kind
                && let Some(called) = direct(program, *callee)
            {
                let parameters = &ast.functions[program.definition_of(called)].parameters;
                for (place, &parameter) in parameters.iter().enumerate() {
                    let given = arguments.get(place).and_then(|&argument| value(program, argument));
                    assigned.push((Pointer::Var(parameter), given));
                }
            }
        }
        Node::Stmt(stmt) => {
            if let StmtKind::Return(Some(result)) = ast.stmts[stmt].kind {
                assigned.push((Pointer::Result(function), value(program, result)));
            }
            let StmtKind::Declare(items) = &ast.stmts[stmt].kind else { return };
            for item in items {
                if let Item::Var { id, definition: true } = *item
                    && ast.types.pointee(ast.vars[id].ty.id).is_some()
                {
                    match &ast.vars[id].init {
                        Some(Init::Expr(init)) => assigned.push((Pointer::Var(id), value(program, *init))),
                        Some(Init::Aggregate(_)) => assigned.push((Pointer::Var(id), None)),
                        None => {}
                    }
                }
            }
        }
    }
}

/// What the value of a pointer may be.
fn value(program: &Program, expr: ExprId) -> Option<Sources> {
    let ast = program.ast();
    if program.constant(expr) == Some(0) {
        return Some(Sources::default());
    }
    match ast.exprs[expr].kind {
        ExprKind::Cast { kind: CastKind::Load, operand, .. } => match ast.exprs[operand].kind {
            ExprKind::Var(var) => Some(Sources { vars: Vec::new(), pointers: vec![Pointer::Var(var)] }),
            _ => None,
        },
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. }
        | ExprKind::Unary(UnaryOp::AddressOf, operand) => place(program, operand),
        ExprKind::Cast { operand, .. } => {
            ast.types.pointee(ast.exprs[operand].ty.id)?;
            value(program, operand)
        }
        ExprKind::Call { callee, .. } => {
            let function = program.definition_of(direct(program, callee)?);
            program.body(function)?;
            Some(Sources { vars: Vec::new(), pointers: vec![Pointer::Result(function)] })
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            let pointer = |side: ExprId| ast.types.pointee(ast.exprs[side].ty.id).is_some();
            match (pointer(left), pointer(right)) {
                (true, false) => value(program, left),
                (false, true) => value(program, right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What an lvalue may be a part of.
fn place(program: &Program, lvalue: ExprId) -> Option<Sources> {
    let ast = program.ast();
    match root(ast, lvalue) {
        Root::Var(var) => return Some(Sources { vars: vec![var], pointers: Vec::new() }),
        Root::Constant => return Some(Sources::default()),
        Root::Memory => {}
    }
    match ast.exprs[lvalue].kind {
        ExprKind::Unary(UnaryOp::Deref, pointer) | ExprKind::Member { base: pointer, arrow: true, .. } => {
            value(program, pointer)
        }
        ExprKind::Member { base, .. } | ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, base) => {
            place(program, base)
        }
        ExprKind::Index { base, index } => {
            let pointer = |side: ExprId| ast.types.pointee(ast.exprs[side].ty.id).is_some();
            value(program, if pointer(base) { base } else { index })
        }
        _ => None,
    }
}
