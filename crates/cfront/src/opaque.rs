//! Whether a program looks at values that POSIX and C leave opaque: handles of threads, and keys for thread-specific data.
//!
//! A program that only hands them on, and back to the library, behaves the same whatever they are. A type is opaque by the name
//! that it is written with, also behind pointers and in arrays; whatever turns such a value, or a pointer to one, into something of
//! another type is taken for a look at the number.
//!
//! And whether it may copy locks, which are opaque in their way.
//!
//! May say that a program looks where it does not. That it does not is wrong only where a structure with such a value inside is handed on as
//! `void *`, and read there as something else: byte by byte, or as a structure of another type.

use crate::ast::{
    Ast, BinaryOp, CastKind, ExprId, ExprKind, Init, RecordId, RecordKind, StmtKind, Subobject, UnaryOp,
};
use crate::types::{FunctionType, IntKind, QualType, Qualifiers, Type, TypeId};
use crate::visit::stmts_in;

/// What is opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// `pthread_t` and `thrd_t`.
    Thread,
    /// `pthread_key_t` and `tss_t`.
    Key,
}

impl Opaque {
    fn types(self) -> [&'static str; 2] {
        match self {
            Self::Thread => ["pthread_t", "thrd_t"],
            Self::Key => ["pthread_key_t", "tss_t"],
        }
    }

    /// Functions of the library that give such a value, or store one where their first argument points to.
    fn sources(self) -> &'static [&'static str] {
        match self {
            Self::Thread => &["pthread_self", "thrd_current", "pthread_create", "thrd_create"],
            Self::Key => &["pthread_key_create", "tss_create"],
        }
    }

    /// What the library compares, if asked.
    fn comparisons(self) -> &'static [&'static str] {
        match self {
            Self::Thread => &["pthread_equal", "thrd_equal"],
            Self::Key => &[],
        }
    }
}

/// How a program looks at opaque values, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Looks {
    /// Not at all.
    Never,
    /// It compares them with each other.
    Compares,
    /// It takes them for numbers.
    Numbers,
}

/// These take what they are given for what it is, and give nothing away: memory of any kind, and text for people.
const HARMLESS: &[&str] = &["free", "realloc", "memset", "printf", "fprintf", "dprintf", "syslog"];

/// How a program looks at its opaque values.
#[must_use]
pub fn looks(ast: &Ast, opaque: Opaque) -> Looks {
    let search = OpaqueSearch { ast, opaque };
    let harmless = search.harmless();
    let exprs = ast.exprs.iter().filter(|(id, _)| harmless.binary_search(id).is_err());
    let mut found = exprs.map(|(id, _)| search.expr(id)).max().unwrap_or(Looks::Never);
    found = found.max(ast.stmts.values().map(|stmt| search.stmt(&stmt.kind)).max().unwrap_or(Looks::Never));
    found = found.max(search.results());
    for var in ast.vars.values() {
        if let Some(init) = &var.init {
            found = found.max(search.init(var.ty, init));
        }
    }
    let in_union = ast.records.values().filter(|record| record.kind == RecordKind::Union).any(|record| {
        let holds = |id| search.is_opaque(id) || search.holds(id);
        record.fields.iter().flatten().any(|field| holds(field.ty.id))
    });
    if in_union || search.declares_numbers() { Looks::Numbers } else { found }
}

/// The objects that must not be copied.
const LOCKS: &[&str] = &["pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "mtx_t", "cnd_t"];
/// These take a pointer to memory of any kind and move none of it.
const UNMOVING: &[&str] =
    &["free", "memset", "bzero", "pthread_create", "thrd_create", "pthread_exit", "pthread_join"];

/// Whether a program may copy mutexes, condition variables or readers-writer locks, other than byte by byte: it reads one as a whole, or uses a
/// function of the library that may write to memory of any kind (`memcpy`, `qsort`, `realloc`, …).
#[must_use]
pub fn copies_locks(ast: &Ast) -> bool {
    let named = |typedef: &crate::ast::Typedef| LOCKS.contains(&ast.text(typedef.name));
    let locks = ast.typedefs.values().filter(|typedef| named(typedef)).filter_map(|typedef| {
        if let Type::Record(record) = ast.types.kind(typedef.ty.id) { Some(*record) } else { None }
    });
    let locks: Vec<RecordId> = locks.collect();
    ast.exprs.values().any(|expr| {
        if let ExprKind::Function(id) = expr.kind {
            let function = &ast.functions[id];
            return function.body.is_none()
                && ast.primitive(id).is_none()
                && !UNMOVING.contains(&ast.text(function.name))
                && writes_any_memory(ast, function.ty.id);
        }
        matches!(expr.kind, ExprKind::Cast { kind: CastKind::Load, .. }) && holds(ast, &locks, expr.ty.id)
    })
}

/// Whether a function of that type may write to memory of any kind: it takes a pointer to it, or nobody knows what it takes.
fn writes_any_memory(ast: &Ast, function: TypeId) -> bool {
    let Type::Function(ty) = ast.types.kind(function) else { return true };
    let is_any = |parameter: &QualType| {
        ast.types.pointee(parameter.id).is_some_and(|target| {
            *ast.types.kind(target.id) == Type::Void
                && !ast.types.canonical(target).qualifiers.contains(Qualifiers::CONST)
        })
    };
    !ty.prototype || ty.parameters.iter().any(is_any)
}

/// Whether one of the records is part of a type.
fn holds(ast: &Ast, records: &[RecordId], id: TypeId) -> bool {
    if let Type::Array { element, .. } = ast.types.kind(id) {
        return holds(ast, records, element.id);
    }
    let Type::Record(record) = ast.types.kind(id) else { return false };
    let mut fields = ast.records[*record].fields.iter().flatten();
    records.contains(record) || fields.any(|field| holds(ast, records, field.ty.id))
}

struct OpaqueSearch<'a> {
    ast: &'a Ast,
    opaque: Opaque,
}

impl OpaqueSearch<'_> {
    /// Whether a type is written with one of the names.
    fn is_value(&self, id: TypeId) -> bool {
        let Type::Typedef(typedef) = self.ast.types.written(id) else { return false };
        let typedef = &self.ast.typedefs[*typedef];
        self.opaque.types().contains(&self.ast.text(typedef.name)) || self.is_value(typedef.ty.id)
    }

    /// The same, also behind pointers and in arrays, and what functions give.
    fn is_opaque(&self, id: TypeId) -> bool {
        match self.ast.types.written(id) {
            Type::Pointer(target) => self.is_opaque(target.id),
            Type::Array { element, .. } => self.is_opaque(element.id),
            Type::Typedef(typedef) => self.is_value(id) || self.is_opaque(self.ast.typedefs[*typedef].ty.id),
            Type::Function(ty) => self.is_opaque(ty.result.id),
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Error => false,
        }
    }

    /// The type of a value as written; that of a call is its function's.
    fn written(&self, expr: ExprId) -> TypeId {
        let ExprKind::Call { callee, .. } = self.ast.exprs[expr].kind else {
            return self.ast.exprs[expr].ty.id;
        };
        let written = self.function_type(callee).map(|ty| ty.result.id);
        written.unwrap_or(self.ast.exprs[expr].ty.id)
    }

    fn value(&self, expr: ExprId) -> bool {
        self.is_value(self.written(expr))
    }

    /// Something becomes a value of that type.
    fn flow(&self, from: ExprId, to: TypeId) -> Looks {
        let leaves = self.is_opaque(self.written(from)) && !self.is_opaque(to);
        if leaves { Looks::Numbers } else { Looks::Never }
    }

    /// Whether opaque values are part of a type: it is one, or a structure or an array with one inside.
    fn holds(&self, id: TypeId) -> bool {
        if self.is_value(id) {
            return true;
        }
        match self.ast.types.written(id) {
            Type::Typedef(typedef) => self.holds(self.ast.typedefs[*typedef].ty.id),
            Type::Array { element, .. } => self.holds(element.id),
            Type::Record(record) => self.record_holds(*record),
            Type::Void
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Enum(_)
            | Type::VaList
            | Type::Error => false,
        }
    }

    fn record_holds(&self, record: RecordId) -> bool {
        self.ast.records[record].fields.iter().flatten().any(|field| self.holds(field.ty.id))
    }

    /// An address becomes one of another type: opaque values that lie there may be read as numbers. `void *` may point to either.
    fn other_type(&self, from: ExprId, to: TypeId) -> Looks {
        let given = self.ast.exprs[from].ty.id;
        let types = &self.ast.types;
        let (Some(source), Some(target)) = (types.pointee(given), types.pointee(to)) else {
            return Looks::Never;
        };
        let is_any = |id| *types.kind(id) == Type::Void;
        let (held, holds) = (self.holds(source.id), self.holds(target.id));
        if is_any(source.id) || is_any(target.id) || held == holds && types.same(source.id, target.id) {
            return Looks::Never;
        }
        if held || holds { Looks::Numbers } else { Looks::Never }
    }

    fn number(&self, operand: ExprId) -> Looks {
        if self.value(operand) { Looks::Numbers } else { Looks::Never }
    }

    /// Whether it is zero: no handle of a thread is, and a key may be.
    fn truth(&self, operand: ExprId) -> Looks {
        match self.opaque {
            Opaque::Thread => Looks::Never,
            Opaque::Key => self.number(operand),
        }
    }

    fn expr(&self, id: ExprId) -> Looks {
        let expr = &self.ast.exprs[id];
        match &expr.kind {
            ExprKind::Function(function) => {
                let name = self.ast.text(self.ast.functions[*function].name);
                if self.opaque.comparisons().contains(&name) { Looks::Compares } else { Looks::Never }
            }
            ExprKind::Unary(UnaryOp::AddressOf | UnaryOp::Deref, _) => Looks::Never,
            ExprKind::Unary(UnaryOp::Not, operand) => self.truth(*operand),
            ExprKind::Unary(_, operand) => self.number(*operand),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.truth(*left).max(self.truth(*right))
            }
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                self.comparison(*left, *right)
            }
            ExprKind::Binary(_, left, right) => self.number(*left).max(self.number(*right)),
            ExprKind::Assign(target, value) => self.flow(*value, self.ast.exprs[*target].ty.id),
            ExprKind::CompoundAssign { target, value, .. } => self.number(*target).max(self.number(*value)),
            ExprKind::Conditional { condition, then, otherwise } => {
                let results = then.iter().chain([otherwise]).map(|&result| self.flow(result, expr.ty.id));
                results.max().unwrap_or(Looks::Never).max(self.truth(*condition))
            }
            ExprKind::Cast { operand, .. } => {
                let kind = self.ast.types.kind(expr.ty.id);
                if *kind == Type::Void {
                    Looks::Never
                } else if *kind == Type::Int(IntKind::Bool) {
                    self.truth(*operand)
                } else {
                    self.flow(*operand, expr.ty.id).max(self.other_type(*operand, expr.ty.id))
                }
            }
            ExprKind::Index { base, index } => self.number(*base).max(self.number(*index)),
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments),
            ExprKind::Builtin { arguments, .. } => self.builtin(arguments),
            ExprKind::CompoundLiteral { init, .. } => self.init(expr.ty, init),
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::Comma(..)
            | ExprKind::Member { .. }
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::VaArg(_)
            | ExprKind::Statement(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => Looks::Never,
        }
    }

    /// With a constant a handle of a thread is compared to see whether it is there at all.
    fn comparison(&self, left: ExprId, right: ExprId) -> Looks {
        let is_constant = |mut expr: ExprId| {
            while let ExprKind::Cast { operand, .. } = self.ast.exprs[expr].kind {
                expr = operand;
            }
            matches!(self.ast.exprs[expr].kind, ExprKind::Integer(_))
        };
        if !self.value(left) && !self.value(right) {
            return Looks::Never;
        }
        match self.opaque {
            Opaque::Thread if is_constant(left) || is_constant(right) => Looks::Never,
            Opaque::Thread if self.value(left) && self.value(right) => Looks::Compares,
            Opaque::Thread | Opaque::Key => Looks::Numbers,
        }
    }

    fn call(&self, callee: ExprId, arguments: &[ExprId]) -> Looks {
        let ty = self.function_type(callee);
        let flows = arguments.iter().enumerate().map(|(place, &argument)| {
            let parameter = ty.and_then(|ty| ty.parameters.get(place));
            match parameter {
                Some(parameter) => {
                    // A plain number's address is given for that of a handle.
                    let given = self.ast.exprs[argument].ty.id;
                    let arrives = self.ast.types.pointee(given).is_some()
                        && self.is_opaque(parameter.id)
                        && !self.is_opaque(given)
                        && !matches!(self.ast.exprs[argument].kind, ExprKind::Cast { .. });
                    if arrives { Looks::Numbers } else { self.flow(argument, parameter.id) }
                }
                None if self.is_opaque(self.written(argument)) => Looks::Numbers,
                None => Looks::Never,
            }
        });
        flows.max().unwrap_or(Looks::Never)
    }

    fn function_type(&self, callee: ExprId) -> Option<&FunctionType> {
        let id = self.ast.exprs[callee].ty.id;
        self.as_function(self.ast.types.pointee(id).map_or(id, |target| target.id))
    }

    /// A type of functions as written, so that the names of its parameters' types are there.
    fn as_function(&self, mut id: TypeId) -> Option<&FunctionType> {
        while let Type::Typedef(typedef) = self.ast.types.written(id) {
            id = self.ast.typedefs[*typedef].ty.id;
        }
        if let Type::Function(ty) = self.ast.types.written(id) { Some(ty) } else { None }
    }

    /// Atomic operations on a handle compare it at most.
    fn builtin(&self, arguments: &[ExprId]) -> Looks {
        let opaque = |&argument: &ExprId| self.is_opaque(self.written(argument));
        match arguments {
            [first, ..] if opaque(first) => Looks::Compares,
            _ if arguments.iter().any(opaque) => Looks::Numbers,
            _ => Looks::Never,
        }
    }

    fn init(&self, ty: QualType, init: &Init) -> Looks {
        let parts = match init {
            Init::Expr(value) => return self.flow(*value, ty.id),
            Init::Aggregate(parts) => parts,
        };
        let part = |place: Subobject| match place {
            Subobject::Field(field) => {
                let Type::Record(record) = self.ast.types.kind(ty.id) else { return None };
                self.ast.records[*record].fields.as_ref()?.get(field as usize).map(|field| field.ty)
            }
            Subobject::Elements { .. } => self.element(ty.id),
        };
        let parts = parts
            .iter()
            .map(|one| part(one.subobject).map_or(Looks::Numbers, |ty| self.init(ty, &one.value)));
        parts.max().unwrap_or(Looks::Never)
    }

    /// What an array holds, as written.
    fn element(&self, mut id: TypeId) -> Option<QualType> {
        while let Type::Typedef(typedef) = self.ast.types.written(id) {
            id = self.ast.typedefs[*typedef].ty.id;
        }
        if let Type::Array { element, .. } = self.ast.types.written(id) { Some(*element) } else { None }
    }

    fn stmt(&self, kind: &StmtKind) -> Looks {
        if let StmtKind::If { condition, .. }
        | StmtKind::While { condition, .. }
        | StmtKind::DoWhile { condition, .. }
        | StmtKind::For { condition: Some(condition), .. } = kind
        {
            return self.truth(*condition);
        }
        if let StmtKind::Switch { value, .. } = kind {
            return self.number(*value);
        }
        Looks::Never
    }

    /// Whether the program declares by itself, with plain numbers, what the library has with opaque types.
    fn declares_numbers(&self) -> bool {
        self.ast.functions.values().any(|function| {
            let Some(ty) = self.as_function(function.ty.id) else { return false };
            let hands_over = self.is_opaque(ty.result.id)
                || ty.parameters.first().is_some_and(|parameter| self.is_opaque(parameter.id));
            self.opaque.sources().contains(&self.ast.text(function.name)) && !hands_over
        })
    }

    /// Whether functions give values back as something that is not opaque.
    fn results(&self) -> Looks {
        // What a function that is nested in another one returns counts for both.
        let lost = self.ast.functions.values().any(|function| {
            let Some(body) = function.body else { return false };
            !self.gives_opaque(function.ty.id)
                && stmts_in(self.ast, body).into_iter().any(|stmt| {
                    let StmtKind::Return(Some(value)) = self.ast.stmts[stmt].kind else { return false };
                    self.is_opaque(self.written(value))
                })
        });
        if lost { Looks::Numbers } else { Looks::Never }
    }

    /// Whether what a function gives is opaque.
    fn gives_opaque(&self, function: TypeId) -> bool {
        self.as_function(function).is_some_and(|ty| self.is_opaque(ty.result.id))
    }

    /// The arguments of functions that give nothing away, and what is cast for them; in ascending order.
    fn harmless(&self) -> Vec<ExprId> {
        let mut found = Vec::new();
        for (id, expr) in self.ast.exprs.iter() {
            let ExprKind::Call { callee, arguments } = &expr.kind else { continue };
            let ExprKind::Cast { operand, .. } = self.ast.exprs[*callee].kind else { continue };
            let ExprKind::Function(function) = self.ast.exprs[operand].kind else { continue };
            if !HARMLESS.contains(&self.ast.text(self.ast.functions[function].name)) {
                continue;
            }
            found.push(id);
            for &argument in arguments {
                let mut next = argument;
                while let ExprKind::Cast { operand, .. } = self.ast.exprs[next].kind {
                    found.push(next);
                    next = operand;
                }
            }
        }
        found.sort_unstable();
        found
    }
}
