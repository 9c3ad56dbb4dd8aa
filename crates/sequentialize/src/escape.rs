//! Escape analysis: which local variables other threads can reach, because their address goes somewhere that cannot be followed.
//!
//! The address of a local variable may be kept in other local variables, be passed to functions that only look through it, and
//! be returned by functions to such variables: all that stays in the thread. Stored in memory, passed to a function without a
//! body, or given to a new thread, it has escaped. Flow-insensitive, so the answer holds at all program points; what is
//! called private is private.

use indexmap::{IndexMap, IndexSet};
use raddle_cfront::ast::{
    BinaryOp, CastKind, ExprId, ExprKind, FunctionId, Init, Item, StmtId, StmtKind, Storage, UnaryOp, VarId,
};
use raddle_cfront::primitive::Primitive;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::access::{Addresses, Root, root};
use crate::calls::direct;
use crate::program::Program;
use crate::targets::Targets;
use crate::visit::{Node, walk};

/// Where a pointer may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    /// In a local variable.
    Var(VarId),
    /// In what a function returns.
    Result(FunctionId),
    /// Anywhere.
    World,
}

/// Where the address or the value of something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum AddressSource {
    /// The address of a variable.
    Address(VarId),
    /// What a holder holds.
    Value(Holder),
}

/// What is known of the variables of a program.
#[derive(Debug)]
pub(crate) struct Sharing {
    addresses: Addresses,
    escaped: FxHashSet<VarId>,
    /// Variables whose address may also be in local pointers that cannot be followed.
    loose: FxHashSet<VarId>,
    targets: Targets,
    /// Global variables that nobody meddles with.
    quiet: FxHashSet<VarId>,
}

impl Sharing {
    /// Looks through the whole program.
    pub(crate) fn of(program: &Program) -> Self {
        let addresses = Addresses::of(program);
        let mut flow = AddressFlow { program, edges: IndexMap::default() };
        for (_, function) in program.definitions() {
            if let Some(body) = program.body(function) {
                flow.function(function, body);
            }
        }
        flow.globals();
        let targets = Targets::of(program, &addresses);
        let escaped = flow.escaped(&addresses, |_| false);
        let loose = flow.escaped(&addresses, |var| !targets.is_known(var));
        Self { addresses, escaped, loose, targets, quiet: FxHashSet::default() }
    }

    /// The same, but for variables that nobody meddles with.
    pub(crate) fn with_quiet(mut self, quiet: FxHashSet<VarId>) -> Self {
        self.quiet = quiet;
        self
    }

    /// Whether a pointer that cannot be followed may lead to a variable.
    pub(crate) fn escapes(&self, var: VarId) -> bool {
        self.loose.contains(&var)
    }

    /// The variables that an lvalue may be a part of; nothing if that is not known.
    pub(crate) fn place(&self, program: &Program, lvalue: ExprId) -> Option<Vec<VarId>> {
        self.targets.place(program, lvalue)
    }

    /// The variables that a pointer may lead to; nothing if that is not known, or it is no pointer.
    pub(crate) fn pointees(&self, program: &Program, pointer: ExprId) -> Option<Vec<VarId>> {
        program.ast().types.pointee(program.ast().exprs[pointer].ty.id)?;
        self.targets.pointees(program, pointer)
    }

    /// Whether other threads may see an access to this lvalue.
    pub(crate) fn may_be_shared(&self, program: &Program, lvalue: ExprId) -> bool {
        match root(program.ast(), lvalue) {
            Root::Var(var) => self.var_may_be_shared(program, var),
            Root::Constant => false,
            Root::Memory => match self.targets.place(program, lvalue) {
                Some(vars) => vars.into_iter().any(|var| self.var_may_be_shared(program, var)),
                None => true,
            },
        }
    }

    /// Whether other threads may see what a pointer leads to.
    pub(crate) fn may_lead_to_shared(&self, program: &Program, pointer: ExprId) -> bool {
        match self.targets.pointees(program, pointer) {
            Some(vars) => vars.into_iter().any(|var| self.var_may_be_shared(program, var)),
            None => true,
        }
    }

    fn var_may_be_shared(&self, program: &Program, var: VarId) -> bool {
        if is_local(program, var) {
            self.escaped.contains(&var)
        } else if self.quiet.contains(&var) {
            false
        } else {
            self.addresses.var_may_be_shared(program.ast(), var)
        }
    }
}

/// Whether a variable belongs to one activation of a function, or to the one thread that runs it.
pub(crate) fn is_local(program: &Program, var: VarId) -> bool {
    match program.ast().vars[var].storage {
        Storage::Automatic | Storage::Register | Storage::Parameter => true,
        Storage::Static => program.origins.is_private(var),
        Storage::External => false,
    }
}

struct AddressFlow<'p> {
    program: &'p Program,
    /// Where each source goes.
    edges: IndexMap<AddressSource, IndexSet<Holder, FxBuildHasher>, FxBuildHasher>,
}

impl AddressFlow<'_> {
    fn edge(&mut self, from: &[AddressSource], to: Holder) {
        for &source in from {
            self.edges.entry(source).or_default().insert(to);
        }
    }

    fn function(&mut self, function: FunctionId, body: StmtId) {
        let ast = self.program.ast();
        let mut nodes = Vec::new();
        walk(ast, Node::Stmt(body), &mut |node| {
            nodes.push(node);
            true
        });
        for node in nodes {
            match node {
                Node::Expr(expr) => self.expr(expr),
                Node::Stmt(stmt) => self.stmt(function, stmt),
            }
        }
    }

    fn stmt(&mut self, function: FunctionId, stmt: StmtId) {
        let ast = self.program.ast();
        match &ast.stmts[stmt].kind {
            StmtKind::Return(Some(value)) => {
                let sources = self.sources(*value);
                self.edge(&sources, Holder::Result(function));
            }
            StmtKind::Declare(items) => {
                for item in items {
                    if let Item::Var { id, definition: true } = *item
                        && let Some(init) = &ast.vars[id].init
                    {
                        let holder = self.holder_of(id);
                        self.init(init, holder);
                    }
                }
            }
            StmtKind::Asm(asm) => {
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    let mut sources = self.sources(operand.value);
                    sources.extend(self.address(operand.value));
                    self.edge(&sources, Holder::World);
                }
            }
            _ => {}
        }
    }

    fn init(&mut self, init: &Init, holder: Holder) {
        match init {
            Init::Expr(value) => {
                let sources = self.sources(*value);
                self.edge(&sources, holder);
            }
            Init::Aggregate(parts) => parts.iter().for_each(|part| self.init(&part.value, holder)),
        }
    }

    fn holder_of(&self, var: VarId) -> Holder {
        if is_local(self.program, var) { Holder::Var(var) } else { Holder::World }
    }

    /// What an expression does with pointers.
    fn expr(&mut self, expr: ExprId) {
        let ast = self.program.ast();
        match ast.exprs[expr].kind.clone() {
            ExprKind::Assign(target, value) | ExprKind::CompoundAssign { target, value, .. } => {
                let holder = match root(ast, target) {
                    Root::Var(var) => self.holder_of(var),
                    Root::Constant | Root::Memory => Holder::World,
                };
                let sources = self.sources(value);
                self.edge(&sources, holder);
            }
            ExprKind::Call { callee, arguments } => self.call(callee, &arguments),
            // What the first argument points at is accessed; values may be kept there. Where a value lies in a variable, it is
            // given by the address of that variable, which is only looked through.
            ExprKind::Builtin { arguments, .. } => {
                let target = |argument: &ExprId| ast.types.pointee(ast.exprs[*argument].ty.id);
                let object = arguments.first().and_then(target);
                // Checked arithmetic writes its result through its last argument, and that is all.
                if object.is_none() {
                    return;
                }
                for &argument in arguments.iter().skip(1) {
                    let by_address = object
                        .zip(target(&argument))
                        .is_some_and(|(object, given)| ast.types.same(object.id, given.id));
                    let sources = self.sources(argument);
                    if by_address {
                        let held = sources.iter().map(|source| match source {
                            AddressSource::Address(var) => AddressSource::Value(Holder::Var(*var)),
                            AddressSource::Value(_) => *source,
                        });
                        let held: Vec<AddressSource> = held.collect();
                        self.edge(&held, Holder::World);
                    } else {
                        self.edge(&sources, Holder::World);
                    }
                }
            }
            ExprKind::CompoundLiteral { init, .. } => self.init(&init, Holder::World),
            _ => {}
        }
    }

    fn call(&mut self, callee: ExprId, arguments: &[ExprId]) {
        let ast = self.program.ast();
        let function = direct(self.program, callee).map(|function| self.program.definition_of(function));
        let parameters = match function {
            Some(function) if ast.functions[function].body.is_some() => {
                ast.functions[function].parameters.clone()
            }
            Some(function) if looks_only(self.program, function) => return,
            Some(_) | None => Vec::new(),
        };
        for (place, &argument) in arguments.iter().enumerate() {
            let sources = self.sources(argument);
            let holder = parameters.get(place).map_or(Holder::World, |&parameter| Holder::Var(parameter));
            self.edge(&sources, holder);
        }
    }

    /// What the value of an expression may carry.
    fn sources(&self, expr: ExprId) -> Vec<AddressSource> {
        let ast = self.program.ast();
        match &ast.exprs[expr].kind {
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => match root(ast, *operand) {
                Root::Var(var) if is_local(self.program, var) => vec![AddressSource::Value(Holder::Var(var))],
                Root::Var(_) | Root::Constant | Root::Memory => Vec::new(),
            },
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => self.address(*operand),
            ExprKind::Cast { operand, .. } => self.sources(*operand),
            ExprKind::Unary(UnaryOp::AddressOf, operand) => self.address(*operand),
            ExprKind::Unary(_, operand) => self.sources(*operand),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::And
                | BinaryOp::Or => Vec::new(),
                BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::BitAnd
                | BinaryOp::BitXor
                | BinaryOp::BitOr => [self.sources(*left), self.sources(*right)].concat(),
            },
            ExprKind::Conditional { condition, then, otherwise } => {
                [self.sources(then.unwrap_or(*condition)), self.sources(*otherwise)].concat()
            }
            ExprKind::Comma(_, last) | ExprKind::Assign(_, last) => self.sources(*last),
            ExprKind::CompoundAssign { target, value, .. } => {
                let mut sources = self.sources(*value);
                if let Root::Var(var) = root(ast, *target)
                    && is_local(self.program, var)
                {
                    sources.push(AddressSource::Value(Holder::Var(var)));
                }
                sources
            }
            ExprKind::Call { callee, .. } => match direct(self.program, *callee) {
                Some(function) => {
                    vec![AddressSource::Value(Holder::Result(self.program.definition_of(function)))]
                }
                None => Vec::new(),
            },
            // The whole of a structure, or a string.
            ExprKind::Var(var) if is_local(self.program, *var) => {
                vec![AddressSource::Value(Holder::Var(*var))]
            }
            ExprKind::Member { base, .. } => self.sources(*base),
            // What these give cannot be followed; what goes into them has gone into the world.
            ExprKind::Statement(_) | ExprKind::Builtin { .. } | ExprKind::VaArg(_) => Vec::new(),
            ExprKind::Index { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => Vec::new(),
        }
    }

    /// What the address of an lvalue may carry.
    fn address(&self, place: ExprId) -> Vec<AddressSource> {
        let ast = self.program.ast();
        match root(ast, place) {
            Root::Var(var) => vec![AddressSource::Address(var)],
            Root::Constant => Vec::new(),
            Root::Memory => self.pointer_below(place),
        }
    }

    /// `&p->field` is as good as `p`.
    fn pointer_below(&self, place: ExprId) -> Vec<AddressSource> {
        let ast = self.program.ast();
        match &ast.exprs[place].kind {
            ExprKind::Unary(UnaryOp::Deref, pointer)
            | ExprKind::Member { base: pointer, arrow: true, .. } => self.sources(*pointer),
            ExprKind::Member { base, .. } | ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, base) => {
                self.address(*base)
            }
            ExprKind::Index { base, index } => {
                let inner = |expr: ExprId| match ast.exprs[expr].kind {
                    ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => self.address(operand),
                    _ => self.sources(expr),
                };
                [inner(*base), inner(*index)].concat()
            }
            _ => Vec::new(),
        }
    }

    /// What global variables hold from the beginning.
    fn globals(&mut self) {
        let ast = self.program.ast();
        for item in ast.units.iter().flat_map(|unit| &unit.items) {
            if let Item::Var { id, definition: true } = *item
                && let Some(init) = &ast.vars[id].init
            {
                self.init(init, Holder::World);
            }
        }
    }

    /// The variables whose addresses come to the world, or to local variables that count as the world.
    fn escaped(&self, addresses: &Addresses, counts: impl Fn(VarId) -> bool) -> FxHashSet<VarId> {
        // Which holders let out what they hold: those that lead to the world, and those that can be read by their own address.
        let mut leaking: FxHashSet<Holder> = FxHashSet::default();
        leaking.insert(Holder::World);
        loop {
            let before = leaking.len();
            for (source, holders) in &self.edges {
                if let AddressSource::Value(holder) = source
                    && holders.iter().any(|to| leaking.contains(to))
                {
                    leaking.insert(*holder);
                }
            }
            for holders in self.edges.values() {
                for holder in holders {
                    if let Holder::Var(var) = holder
                        && (addresses.is_taken(*var) || counts(*var))
                    {
                        leaking.insert(*holder);
                    }
                }
            }
            if leaking.len() == before {
                break;
            }
        }
        let mut escaped = FxHashSet::default();
        for (source, holders) in &self.edges {
            if let AddressSource::Address(var) = source
                && holders.iter().any(|holder| leaking.contains(holder))
            {
                escaped.insert(*var);
            }
        }
        escaped
    }
}

/// Primitives and functions that look through pointers and keep none.
fn looks_only(program: &Program, function: FunctionId) -> bool {
    let Some(primitive) = program.primitive(function) else {
        return matches!(program.function_text(function), "printf" | "fprintf" | "puts");
    };
    match primitive {
        Primitive::Lock
        | Primitive::Unlock
        | Primitive::HoldsLock
        | Primitive::LockIsFree
        | Primitive::Peek
        | Primitive::Unwritten
        | Primitive::ObjectSize
        | Primitive::Check(_)
        | Primitive::Unsupported
        | Primitive::AssertFail => true,
        // These take none, or keep it, or end its object.
        Primitive::Nondet
        | Primitive::Assume
        | Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::WaitUntil
        | Primitive::EndLocals
        | Primitive::Fork
        | Primitive::Join
        | Primitive::CurrentThread
        | Primitive::ThreadExists
        | Primitive::ExitThread
        | Primitive::ExitProcess
        | Primitive::Abort
        | Primitive::Allocate(_)
        | Primitive::Free
        | Primitive::Question(_)
        | Primitive::Fence
        | Primitive::Print(_)
        | Primitive::FloatByte
        | Primitive::Decimal
        | Primitive::Mathematics(_)
        | Primitive::Error
        | Primitive::BoundReached
        | Primitive::CheckAlone
        | Primitive::Deadlock => false,
    }
}
