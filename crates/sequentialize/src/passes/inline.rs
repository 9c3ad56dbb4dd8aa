//! Calls become the bodies of the functions they call.
//!
//! Only the functions where control comes from outside stay: `main`, those whose address is taken, and what cannot be copied.
//! A parameter becomes a variable with the argument as its initial value, or, where the argument is a constant and the
//! parameter is only read, the constant itself. `return` becomes an assignment and a jump to the end of the copy. Recursion is
//! followed to a depth; beyond it the thread ends, or `__raddle_bound_reached` is called, as with loops.

use raddle_base::Span;
use raddle_cfront::ast::{
    Attribute, CastKind, ExprId, ExprKind, FunctionId, Init, Item, StmtId, StmtKind, Storage, VarId,
};
use raddle_cfront::check::constant::{Constant, evaluate};
use raddle_cfront::primitive::is_atomic_function;
use raddle_cfront::types::{QualType, Type};
use rustc_hash::FxHashMap;

use crate::access::{Addresses, Root, root};
use crate::calls::{self, CallGraph};
use crate::copy::Copier;
use crate::escape::Sharing;
use crate::origin::{Context, CopyId};
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::unroll::{BEYOND, MOST_STATEMENTS, cut};
use crate::passes::{declarations, simplify};
use crate::program::Program;
use crate::steps::{Steps, Which};
use crate::tidy::tidy;
use crate::visit::{Node, exprs_in, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "inline",
    description: "calls become the bodies of the functions they call; recursion up to a depth",
    parameters: &[
        Parameter {
            name: "depth",
            description: "how often a function may stand inside of itself",
            kind: ParameterKind::Number { least: 0, most: 1_000, default: 2 },
        },
        Parameter {
            name: "beyond",
            description: "what happens beyond the depth",
            kind: ParameterKind::Choice(BEYOND),
        },
        Parameter {
            name: "which",
            description: "all functions, or those whose calls are more than one step to other threads",
            kind: ParameterKind::Choice(Which::WORDS),
        },
    ],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    declarations::hoist(program);
    simplify::run(program, values)?;
    let graph = CallGraph::of(program);
    let addresses = Addresses::of(program);
    let sharing = Sharing::of(program);
    let steps = Steps::of(program, &sharing);
    let which = Which::of(values.choice(2));
    let keep: FxHashMap<FunctionId, bool> = program
        .definitions()
        .into_iter()
        .map(|(_, id)| (id, !may_inline(program, id) || steps.summary(id).stays(which)))
        .collect();
    let mut inliner = Inliner {
        program,
        addresses,
        keep,
        depth: values.number(0),
        beyond: values.choice(1),
        constants: FxHashMap::default(),
    };
    for (unit, function) in inliner.program.definitions() {
        // What stays although it could be copied needs nothing copied into it.
        let kept = inliner.keep.get(&function) == Some(&true);
        let stays = graph.is_root(function) || kept && !may_inline(inliner.program, function);
        if stays && let Some(body) = inliner.program.body(function) {
            inliner.expand(unit, function, body)?;
            tidy(inliner.program, function);
        }
    }
    super::prune::unused_functions(program);
    crate::order::in_time(program);
    Ok(())
}

/// Whether a function's body can be copied into another function.
pub(crate) fn may_inline(program: &Program, function: FunctionId) -> bool {
    let ast = program.ast();
    let declared = &ast.functions[function];
    let Some(body) = declared.body else { return false };
    // Its whole body is one step only as long as it is that function.
    if is_atomic_function(program.function_text(function)) {
        return false;
    }
    let variadic = match ast.types.kind(declared.ty.id) {
        Type::Function(ty) => ty.variadic,
        _ => true,
    };
    let is_list = |ty: QualType| matches!(ast.types.kind(ty.id), Type::VaList);
    let odd = |&var: &VarId| has_lengths(program, ast.vars[var].ty) || is_list(ast.vars[var].ty);
    if variadic || declared.parameters.iter().any(odd) {
        return false;
    }
    if declarations::nested_function(program, body).is_some() {
        return false;
    }
    let mut fits = true;
    walk(ast, Node::Stmt(body), &mut |node| {
        match node {
            Node::Stmt(stmt) => match &ast.stmts[stmt].kind {
                StmtKind::GotoComputed(_) => fits = false,
                StmtKind::Asm(asm) => fits &= asm.labels.is_empty(),
                // A static variable that could not be moved out.
                StmtKind::Declare(items) => {
                    fits &= items.iter().all(|item| match item {
                        Item::Var { id, .. } => ast.vars[*id].storage != Storage::Static,
                        _ => true,
                    });
                }
                _ => {}
            },
            Node::Expr(expr) => match &ast.exprs[expr].kind {
                ExprKind::LabelAddress(_) => fits = false,
                // Memory of a function's own, and jumps into it, end with the function.
                ExprKind::Function(callee) => {
                    let name = program.function_text(*callee);
                    fits &= !name.contains("alloca") && !name.starts_with("__builtin_return_address");
                    fits &= !ast.functions[*callee].attributes.contains(&Attribute::ReturnsTwice);
                }
                ExprKind::Builtin { .. } => {}
                _ => {}
            },
        }
        fits
    });
    fits
}

fn has_lengths(program: &Program, ty: QualType) -> bool {
    raddle_cfront::check::shape::is_variably_modified(program.ast(), ty.id)
}

struct Inliner<'p> {
    program: &'p mut Program,
    addresses: Addresses,
    /// Which functions stay functions.
    keep: FxHashMap<FunctionId, bool>,
    depth: u32,
    beyond: usize,
    /// The parameters of each function that are only read.
    constants: FxHashMap<FunctionId, Vec<bool>>,
}

impl Inliner<'_> {
    /// Replaces the calls in a statement that belongs to `function`.
    fn expand(&mut self, unit: usize, function: FunctionId, body: StmtId) -> Result<(), Refusal> {
        for stmt in stmts_in(self.program.ast(), body) {
            let Some(call) = calls::statement_call(self.program, stmt) else { continue };
            let Some(callee) = call.function else { continue };
            let callee = self.program.definition_of(callee);
            if self.keep.get(&callee) != Some(&false) || !self.fits(callee, call.arguments.len()) {
                continue;
            }
            let copy = self.program.origins.stmt(stmt);
            let depth = self.depth_of(function, callee, copy);
            if depth > self.depth {
                let end = cut(self.program, unit, self.beyond, stmt);
                let kind = self.program.ast().stmts[end].kind.clone();
                self.program.ast_mut().stmts[stmt].kind = kind;
                continue;
            }
            let inside = self.replace(function, stmt, callee, &call)?;
            self.expand(unit, function, inside)?;
        }
        Ok(())
    }

    /// How often `callee` is around a statement already.
    fn depth_of(&self, function: FunctionId, callee: FunctionId, copy: Option<CopyId>) -> u32 {
        let around = self
            .program
            .origins
            .contexts(copy)
            .filter(|context| matches!(context, Context::Call { function, .. } if *function == callee));
        u32::try_from(around.count()).unwrap_or(u32::MAX) + u32::from(function == callee)
    }

    /// Whether a call passes as many arguments as the function takes.
    fn fits(&self, callee: FunctionId, arguments: usize) -> bool {
        self.program.ast().functions[callee].parameters.len() == arguments
    }

    /// The parameters that are only read.
    fn read_only(&mut self, callee: FunctionId) -> Vec<bool> {
        if let Some(known) = self.constants.get(&callee) {
            return known.clone();
        }
        let parameters = self.program.ast().functions[callee].parameters.clone();
        let mut read_only: Vec<bool> =
            parameters.iter().map(|&parameter| !self.addresses.is_taken(parameter)).collect();
        let Some(body) = self.program.body(callee) else { return read_only };
        let ast = self.program.ast();
        let mut loads = rustc_hash::FxHashSet::default();
        for expr in exprs_in(ast, body) {
            match ast.exprs[expr].kind {
                ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                    if let ExprKind::Var(_) = ast.exprs[operand].kind {
                        loads.insert(operand);
                    }
                }
                // Outer expressions come first: a use that is no load is another use.
                ExprKind::Var(var) if !loads.contains(&expr) => {
                    if let Some(place) = parameters.iter().position(|&parameter| parameter == var) {
                        read_only[place] = false;
                    }
                }
                _ => {}
            }
        }
        self.constants.insert(callee, read_only.clone());
        read_only
    }

    /// Puts a copy of the function in place of a statement that calls it, and gives the copy of its body.
    fn replace(
        &mut self,
        function: FunctionId,
        stmt: StmtId,
        callee: FunctionId,
        call: &calls::Call,
    ) -> Result<StmtId, Refusal> {
        self.program.may_go_on()?;
        let place = self.program.ast().stmts[stmt].span;
        let Some(body) = self.program.body(callee) else { return Ok(stmt) };
        if self.program.ast().stmts.len() > MOST_STATEMENTS {
            return Err(Refusal::new(place, "inlining makes the program too large"));
        }
        let outer = self.program.origins.stmt(stmt);
        let original = self.program.origins.function(callee);
        let around = self.program.origins.enter(Context::Call { place, function: original }, outer);
        let read_only = self.read_only(callee);
        let parameters = self.program.ast().functions[callee].parameters.clone();
        let mut list = Vec::new();
        let mut values = Vec::new();
        for ((&parameter, &argument), read_only) in parameters.iter().zip(&call.arguments).zip(read_only) {
            let value = read_only.then(|| self.constant(parameter, argument)).flatten();
            values.push((parameter, argument, value));
        }
        let mut copier = Copier::new(self.program, Some(around), Some(function));
        for (parameter, argument, value) in values {
            match value {
                Some(value) => copier.replace(parameter, value),
                None => list.push(pass_argument(&mut copier, parameter, argument, stmt)),
            }
        }
        let inside = copier.stmt(body);
        let result = call.target.and_then(|target| self.result(function, stmt, callee, target));
        let end = self.program.fresh_label("end", place);
        let used = self.returns(callee, inside, result.as_ref().map(|result| result.into), end);
        if let Some(declaration) = result.as_ref().and_then(|result| result.declaration) {
            list.insert(0, declaration);
        }
        list.push(inside);
        if used {
            list.push(self.program.label_stmt(end, stmt));
        }
        if let (Some(target), Some(result)) = (call.target, result)
            && result.declaration.is_some()
        {
            let value = self.program.var(result.into, place);
            list.push(self.program.assign_stmt(target, value, stmt));
        }
        self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
        Ok(inside)
    }

    /// A constant argument in the type of the parameter, or a function's name.
    fn constant(&mut self, parameter: VarId, argument: ExprId) -> Option<ExprId> {
        let ast = self.program.ast();
        let ty = ast.vars[parameter].ty;
        let bare = self.program.bare(argument);
        let is_constant = match ast.exprs[bare].kind {
            ExprKind::Function(_) => true,
            _ => matches!(evaluate(ast, argument), Some(Constant::Integer(_) | Constant::Address)),
        };
        if !is_constant || has_side(self.program, argument) {
            return None;
        }
        let span = ast.exprs[argument].span;
        // A number is passed as one.
        let kind = match ast.types.kind(ty.id) {
            Type::Int(kind) if ast.model.int_bytes(*kind) >= 4 => Some(ty.id),
            _ => None,
        };
        if let (Some(ty), Some(value)) = (kind, self.program.constant(argument)) {
            let ty = self.program.ast().types.canonical(ty.into()).id;
            return Some(super::switches::literal(self.program, value, ty, span));
        }
        let value = self.program.tree.rvalue(bare);
        let ast = self.program.ast();
        if ast.types.same(ast.exprs[value].ty.id, ty.id) {
            return Some(value);
        }
        Some(self.program.tree.explicit_cast(bare, QualType::plain(ty.id), span))
    }

    /// Where the result of a call goes: straight to a private variable of the same type, or to a new one.
    fn result(
        &mut self,
        function: FunctionId,
        stmt: StmtId,
        callee: FunctionId,
        target: ExprId,
    ) -> Option<ResultPlace> {
        let ast = self.program.ast();
        let Type::Function(ty) = ast.types.kind(ast.functions[callee].ty.id) else { return None };
        let ty = ast.types.unqualified(ty.result);
        if let ExprKind::Var(var) = ast.exprs[target].kind
            && root(ast, target) == Root::Var(var)
            && !self.addresses.var_may_be_shared(ast, var)
            && ast.types.same(ast.vars[var].ty.id, ty)
        {
            return Some(ResultPlace { into: var, declaration: None });
        }
        let span = ast.stmts[stmt].span;
        let hint = self.program.function_text(callee).trim_start_matches('_').to_owned();
        let (into, declaration) = self.program.local(function, &hint, ty, span, stmt);
        self.program.origins.set_temporary(into);
        Some(ResultPlace { into, declaration: Some(declaration) })
    }

    /// Turns the `return`s of a copied body into jumps to its end. Says whether there is such a jump.
    fn returns(
        &mut self,
        callee: FunctionId,
        body: StmtId,
        result: Option<VarId>,
        end: raddle_cfront::ast::LabelId,
    ) -> bool {
        let last = last_stmt(self.program, body);
        let mut used = false;
        let is_void = match self.program.ast().types.kind(self.program.ast().functions[callee].ty.id) {
            Type::Function(ty) => matches!(self.program.ast().types.kind(ty.result.id), Type::Void),
            _ => false,
        };
        for stmt in stmts_in(self.program.ast(), body) {
            let StmtKind::Return(value) = self.program.ast().stmts[stmt].kind else { continue };
            let span: Span = self.program.ast().stmts[stmt].span;
            let mut list = Vec::new();
            match (value, result) {
                (Some(value), Some(var)) if !is_void => {
                    let target = self.program.var(var, span);
                    list.push(self.program.assign_stmt(target, value, stmt));
                }
                // Simplified: what is returned has no effect.
                (Some(_) | None, _) => {}
            }
            if last != Some(stmt) {
                list.push(self.program.goto(end, stmt));
                used = true;
            }
            let kind = match list[..] {
                [] => StmtKind::Empty,
                [only] => self.program.ast().stmts[only].kind.clone(),
                _ => StmtKind::Block(list),
            };
            self.program.ast_mut().stmts[stmt].kind = kind;
        }
        used
    }
}

struct ResultPlace {
    into: VarId,
    /// Of a new variable.
    declaration: Option<StmtId>,
}

/// `type parameter = argument;`
fn pass_argument(copier: &mut Copier<'_>, parameter: VarId, argument: ExprId, like: StmtId) -> StmtId {
    let var = copier.var(parameter);
    let ty = copier.program.ast().vars[var].ty;
    // The argument is converted as the declaration in sight said; the definition may say something else.
    let bare = copier.program.bare(argument);
    let value = copier.program.tree.rvalue(bare);
    let context = raddle_cfront::check::conversion::AssignContext::Initialization;
    let value = copier.program.tree.assign_convert(value, ty, &context);
    let new = &mut copier.program.ast_mut().vars[var];
    new.storage = Storage::Automatic;
    new.init = Some(Init::Expr(value));
    copier.program.stmt(StmtKind::Declare(vec![Item::Var { id: var, definition: true }]), like)
}

/// The statement that a body ends with.
fn last_stmt(program: &Program, stmt: StmtId) -> Option<StmtId> {
    match &program.ast().stmts[stmt].kind {
        StmtKind::Block(list) => list.last().and_then(|&last| last_stmt(program, last)),
        StmtKind::Label(_, inner) => last_stmt(program, *inner),
        _ => Some(stmt),
    }
}

/// Whether an expression that is constant still does something.
fn has_side(program: &Program, expr: ExprId) -> bool {
    let mut found = false;
    walk(program.ast(), Node::Expr(expr), &mut |node| {
        if let Node::Expr(expr) = node {
            found |= matches!(
                program.ast().exprs[expr].kind,
                ExprKind::Call { .. }
                    | ExprKind::Builtin { .. }
                    | ExprKind::Statement(_)
                    | ExprKind::CompoundLiteral { .. }
            );
        }
        !found
    });
    found
}
