//! The local variables of thread functions become `static`: they keep their values when the function is left and entered again.
//!
//! Only functions that run once are treated: `main` and the functions of threads, each of which belongs to one thread (see
//! [`super::threads`]). A `static` variable begins with zero, an automatic one with anything: so a variable without an initial
//! value that may be read before it is written is given one that is not determined. Initial values are assigned where the
//! declaration stands; parameters are taken over at the head of the function.

use raddle_base::Span;
use raddle_cfront::ast::{
    Attribute, CastKind, ExprId, ExprKind, FunctionId, Init, InitPart, Item, RecordKind, StmtId, StmtKind,
    Storage, Subobject, UnaryOp, VarId,
};
use raddle_cfront::check::shape::is_variably_modified;
use raddle_cfront::layout::access::{pieces, unit};
use raddle_cfront::layout::{align_of, size_of};
use raddle_cfront::primitive::NONDET;
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::{ArrayLength, IntKind, QualType, Qualifiers, Type, TypeId, Types};
use rustc_hash::FxHashSet;

use crate::build::new_var;
use crate::copy::copy_expr;
use crate::flow::gotos;
use crate::pass::{Pass, Refusal, Values};
use crate::passes::declarations::{self, assignable};
use crate::passes::simplify;
use crate::passes::threads::thread_functions;
use crate::program::Program;
use crate::turns::nondet;
use crate::views::integer_of;
use crate::visit::{Node, declared_here, exprs_in, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "statics",
    description: "the local variables of main and of thread functions become static",
    parameters: &[],
    run,
};

/// Objects of more scalars than this are set as a whole.
const MOST_SCALARS: u64 = 256;

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    declarations::hoist(program);
    simplify::run(program, values)?;
    for (function, _) in thread_functions(program)? {
        let Some(unit) = program.unit_of(function) else { continue };
        let Some(body) = program.body(function) else { continue };
        let mut statics = Statics { program, unit, function, out: Vec::new() };
        statics.locals(body)?;
        statics.parameters(body);
    }
    Ok(())
}

struct Statics<'p> {
    program: &'p mut Program,
    unit: usize,
    function: FunctionId,
    out: Vec<StmtId>,
}

impl Statics<'_> {
    /// `static` copies of the parameters, taken over first of all.
    fn parameters(&mut self, body: StmtId) {
        let parameters = self.program.ast().functions[self.function].parameters.clone();
        let mut head = Vec::new();
        let mut new_parameters = Vec::new();
        for var in parameters {
            let (span, ty) = (self.program.ast().vars[var].span, self.program.ast().vars[var].ty);
            let hint = self.program.var_text(var).to_owned();
            let name = self.program.fresh_name(&hint);
            let ty = self.program.ast().types.unqualified(ty);
            let passed = new_var(name, ty, Storage::Parameter, Some(self.function), span);
            let passed = self.program.ast_mut().vars.push(passed);
            self.program.origins.set_var(passed, var, None);
            new_parameters.push(passed);
            self.make_static(var, body);
            head.push(
                self.program.stmt(StmtKind::Declare(vec![Item::Var { id: var, definition: true }]), body),
            );
            let (target, value) = (self.program.var(var, span), self.program.var(passed, span));
            head.push(self.program.assign_stmt(target, value, body));
        }
        self.program.ast_mut().functions[self.function].parameters = new_parameters;
        if let StmtKind::Block(list) = &mut self.program.ast_mut().stmts[body].kind {
            list.splice(0..0, head);
        }
    }

    fn locals(&mut self, body: StmtId) -> Result<(), Refusal> {
        for stmt in stmts_in(self.program.ast(), body) {
            let StmtKind::Block(list) = self.program.ast().stmts[stmt].kind.clone() else { continue };
            self.out = Vec::with_capacity(list.len());
            for (place, &inner) in list.iter().enumerate() {
                self.out.push(inner);
                for var in declared_here(self.program.ast(), inner) {
                    if matches!(self.program.ast().vars[var].storage, Storage::Automatic | Storage::Register)
                    {
                        self.local(body, inner, var, &list[place + 1..])?;
                    }
                }
            }
            let new = std::mem::take(&mut self.out);
            self.program.ast_mut().stmts[stmt].kind = StmtKind::Block(new);
        }
        Ok(())
    }

    fn local(&mut self, body: StmtId, stmt: StmtId, var: VarId, rest: &[StmtId]) -> Result<(), Refusal> {
        let (span, ty) = (self.program.ast().vars[var].span, self.program.ast().vars[var].ty);
        let name = self.program.var_text(var).to_owned();
        if is_variably_modified(self.program.ast(), ty.id) {
            if self.variable_array(body, stmt, var) {
                return Ok(());
            }
            let message = format!("`{name}` has a variable length, which no static variable can have");
            return Err(Refusal::new(span, message).help("give it a constant length"));
        }
        let cleanup = |found: &Attribute| matches!(found, Attribute::Cleanup(_));
        if self.program.ast().vars[var].attributes.iter().any(cleanup) {
            let message = format!("`{name}` has a cleanup function, which no static variable can have");
            return Err(Refusal::new(span, message));
        }
        let init = self.program.ast_mut().vars[var].init.take();
        let needs_value = init.is_none()
            && !self.program.origins.is_temporary(var)
            && !written_first(self.program, var, rest);
        let unqualified = self.make_static(var, body);
        let place = self.program.var(var, span);
        match init {
            Some(init) => self.initialise(place, unqualified, &init, stmt),
            None if needs_value => self.anything(place, unqualified, stmt),
            None => {}
        }
        Ok(())
    }

    /// An array of variable length becomes a pointer to memory of that size, if it is used as a pointer only.
    fn variable_array(&mut self, body: StmtId, stmt: StmtId, var: VarId) -> bool {
        let ast = self.program.ast();
        let (span, ty) = (ast.vars[var].span, ast.vars[var].ty);
        let Type::Array { element, length: ArrayLength::Variable(length) } = *ast.types.kind(ty.id) else {
            return false;
        };
        if is_variably_modified(ast, element.id) {
            return false;
        }
        let all = exprs_in(ast, body);
        let mut decays = Vec::new();
        let mut decayed: FxHashSet<ExprId> = FxHashSet::default();
        for &expr in &all {
            if let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } = ast.exprs[expr].kind
                && ast.exprs[operand].kind == ExprKind::Var(var)
            {
                decays.push(expr);
                decayed.insert(operand);
            }
        }
        let other = |&expr: &ExprId| ast.exprs[expr].kind == ExprKind::Var(var) && !decayed.contains(&expr);
        if all.iter().any(other) {
            return false;
        }
        let pointer = self.program.ast_mut().types.pointer_to(element);
        let variable = &mut self.program.ast_mut().vars[var];
        variable.ty = pointer.into();
        variable.storage = Storage::Static;
        self.program.origins.set_private(var);
        for decay in decays {
            let place = self.program.var(var, span);
            let load = self.program.tree.rvalue(place);
            let load = self.program.ast().exprs[load].clone();
            self.program.ast_mut().exprs[decay] = load;
        }
        let size_ty = self.size_type();
        let (count, declaration) = self.program.local(self.function, "length", size_ty, span, stmt);
        self.program.ast_mut().vars[count].storage = Storage::Static;
        self.program.origins.set_private(count);
        self.out.push(declaration);
        let target = self.program.var(count, span);
        let take = self.program.assign_stmt(target, length, stmt);
        self.out.push(take);
        let allocate = self.program.external("malloc", Types::void_pointer(), &[size_ty], self.unit);
        let each =
            self.program.tree.primaries().type_query(raddle_cfront::ast::TypeQuery::Size, element, span);
        let count = self.program.var(count, span);
        let size = self.program.tree.operators().binary(raddle_cfront::ast::BinaryOp::Mul, count, each, span);
        let memory = self.program.call(allocate, vec![size], span);
        let target = self.program.var(var, span);
        let set = self.program.assign_stmt(target, memory, stmt);
        self.out.push(set);
        true
    }

    fn size_type(&self) -> TypeId {
        match self.program.ast().model {
            raddle_cfront::layout::DataModel::Lp64 => Types::unsigned_long(),
            raddle_cfront::layout::DataModel::Ilp32 => Types::unsigned_int(),
        }
    }

    /// Makes a variable static and takes `const` off; gives its type then.
    fn make_static(&mut self, var: VarId, body: StmtId) -> QualType {
        let old = self.program.ast().vars[var].ty;
        let new = without_const(self.program, old);
        if new != old {
            retype(self.program, var, old, new, body);
        }
        let variable = &mut self.program.ast_mut().vars[var];
        variable.storage = Storage::Static;
        variable.ty = new;
        self.program.origins.set_private(var);
        new
    }

    /// Assigns an initial value, part by part.
    fn initialise(&mut self, place: ExprId, ty: QualType, init: &Init, like: StmtId) {
        match init {
            Init::Expr(value) => {
                let value = *value;
                if let ExprKind::String(literal) = &self.program.ast().exprs[value].kind
                    && let Type::Array { element, length: ArrayLength::Fixed(length) } =
                        *self.program.ast().types.kind(ty.id)
                {
                    let units = literal.units.clone();
                    self.characters(place, element, length, &units, like);
                } else {
                    self.set(place, value, like);
                }
            }
            Init::Aggregate(parts) => self.aggregate(place, ty, parts, like),
        }
    }

    fn set(&mut self, place: ExprId, value: ExprId, like: StmtId) {
        let from = self.program.bare(value);
        if !assignable_members(self.program, place) && self.program.ast().exprs[from].lvalue {
            return self.set_bytes(place, from, like);
        }
        let place = writable(self.program, place);
        let value = copy_expr(self.program, value);
        let stmt = self.program.assign_stmt(place, value, like);
        self.out.push(stmt);
    }

    /// A structure with constant members gets its value piece by piece.
    fn set_bytes(&mut self, place: ExprId, from: ExprId, like: StmtId) {
        let ast = self.program.ast();
        let ty = ast.exprs[place].ty;
        let (size, alignment) = (size_of(ast, ty).unwrap_or(0), align_of(ast, ty).unwrap_or(1));
        for (offset, bytes) in pieces(0, size, unit(ast.model, alignment)) {
            let ty = integer_of(bytes);
            let (target, source) =
                (self.program.view(place, offset, ty), self.program.view(from, offset, ty));
            let stmt = self.program.assign_stmt(target, source, like);
            self.out.push(stmt);
        }
    }

    fn characters(&mut self, place: ExprId, element: QualType, length: u64, units: &[u32], like: StmtId) {
        for index in 0..length {
            let target = self.element(place, index);
            let unit = usize::try_from(index).ok().and_then(|index| units.get(index)).copied().unwrap_or(0);
            let span = self.program.ast().exprs[place].span;
            // A byte of a string may be a negative character.
            let narrow = matches!(
                self.program.ast().types.kind(element.id),
                Type::Int(IntKind::Char | IntKind::SignedChar)
            );
            let value = if narrow && unit > 127 { i128::from(unit) - 256 } else { i128::from(unit) };
            let value = super::switches::literal(self.program, value, Types::int(), span);
            let stmt = self.program.assign_stmt(target, value, like);
            self.out.push(stmt);
        }
    }

    fn element(&mut self, place: ExprId, index: u64) -> ExprId {
        let span = self.program.ast().exprs[place].span;
        let copy = copy_expr(self.program, place);
        let index = self.program.int(i128::from(index), span);
        self.program.tree.primaries().index(copy, index, span)
    }

    fn field(
        &mut self,
        place: ExprId,
        record: raddle_cfront::ast::RecordId,
        field: u32,
    ) -> Option<(ExprId, QualType)> {
        let span = self.program.ast().exprs[place].span;
        let qualifiers = self.program.ast().types.qualifiers(self.program.ast().exprs[place].ty);
        // A member of an atomic structure is not atomic.
        let qualifiers = qualifiers.without(Qualifiers::ATOMIC);
        let fields = self.program.ast().records[record].fields.as_deref()?;
        let ty = fields.get(field as usize)?.ty;
        let copy = copy_expr(self.program, place);
        let kind = ExprKind::Member { base: copy, record, field, arrow: false };
        Some((self.program.tree.expr(kind, ty.with(qualifiers), true, span), ty))
    }

    fn aggregate(&mut self, place: ExprId, ty: QualType, parts: &[InitPart], like: StmtId) {
        match self.program.ast().types.kind(ty.id).clone() {
            Type::Record(record) => {
                let fields = self.program.ast().records[record].fields.clone().unwrap_or_default();
                let is_union = self.program.ast().records[record].kind == RecordKind::Union;
                for (index, field) in (0_u32..).zip(&fields) {
                    let given = parts.iter().find(|part| part.subobject == Subobject::Field(index));
                    let padding = field.name.is_none() && field.width.is_some();
                    if padding || (is_union && given.is_none() && !(parts.is_empty() && index == 0)) {
                        continue;
                    }
                    let Some((target, ty)) = self.field(place, record, index) else { continue };
                    match given {
                        Some(part) => self.initialise(target, ty, &part.value, like),
                        None => self.zero(target, ty, like),
                    }
                }
            }
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                for index in 0..length {
                    let holds = |part: &&InitPart| matches!(part.subobject, Subobject::Elements { first, last } if (first..=last).contains(&index));
                    let target = self.element(place, index);
                    match parts.iter().find(holds) {
                        Some(part) => self.initialise(target, element, &part.value, like),
                        None => self.zero(target, element, like),
                    }
                }
            }
            Type::Vector { element, lanes } => {
                for index in 0..lanes {
                    let target = self.element(place, index);
                    let part = parts.iter().find(
                        |part| matches!(part.subobject, Subobject::Elements { first, .. } if first == index),
                    );
                    match part {
                        Some(part) => self.initialise(target, element.into(), &part.value, like),
                        None => self.zero(target, element.into(), like),
                    }
                }
            }
            _ => {
                if let [part] = parts {
                    self.initialise(place, ty, &part.value, like);
                }
            }
        }
    }

    /// Sets an object to zero.
    fn zero(&mut self, place: ExprId, ty: QualType, like: StmtId) {
        match self.program.ast().types.kind(ty.id).clone() {
            Type::Record(_) | Type::Array { .. } | Type::Vector { .. } => {
                self.aggregate(place, ty, &[], like)
            }
            _ => {
                let span = self.program.ast().exprs[place].span;
                let zero = self.program.int(0, span);
                let place = writable(self.program, place);
                let stmt = self.program.assign_stmt(place, zero, like);
                self.out.push(stmt);
            }
        }
    }

    /// Gives an object a value that is not determined.
    fn anything(&mut self, place: ExprId, ty: QualType, like: StmtId) {
        let span: Span = self.program.ast().exprs[place].span;
        let kind = self.program.ast().types.kind(ty.id).clone();
        let pointer = matches!(kind, Type::Pointer(_)).then(|| ("pointer", Types::void_pointer()));
        if let Some((name, result)) = pointer.or_else(|| nondet(&kind)) {
            let function = self.program.external(&format!("{NONDET}{name}"), result, &[], self.unit);
            let call = self.program.call(function, Vec::new(), span);
            let stmt = self.program.assign_stmt(place, call, like);
            self.out.push(stmt);
            return;
        }
        match kind {
            Type::Array { element, length: ArrayLength::Fixed(length) } if length <= MOST_SCALARS => {
                for index in 0..length {
                    let target = self.element(place, index);
                    self.anything(target, element, like);
                }
            }
            Type::Void | Type::Function(_) | Type::VaList | Type::Error => {}
            // An automatic variable without an initial value holds anything; it is copied as a whole.
            _ => {
                let (any, declaration) = self.program.local(self.function, "any", ty.id, span, like);
                self.program.origins.set_temporary(any);
                self.out.push(declaration);
                if assignable(self.program, ty) {
                    let value = self.program.var(any, span);
                    let stmt = self.program.assign_stmt(place, value, like);
                    self.out.push(stmt);
                } else {
                    self.copy_bytes(place, any, span, like);
                }
                // Models ask whether the words of a lock were ever written. A copy was.
                self.unwritten(place, span, like);
            }
        }
    }

    /// What an object holds counts as never written.
    fn unwritten(&mut self, place: ExprId, span: Span, like: StmtId) {
        let parameters = [Types::void_pointer(), self.size_type()];
        let function =
            self.program.external_primitive(Primitive::Unwritten, Types::void(), &parameters, self.unit);
        let ty = self.program.ast().exprs[place].ty;
        let pointer = self.program.tree.operators().unary(UnaryOp::AddressOf, place, span);
        let size = self.program.tree.primaries().type_query(raddle_cfront::ast::TypeQuery::Size, ty, span);
        let call = self.program.call(function, vec![pointer, size], span);
        let stmt = self.program.expr_stmt(call, like);
        self.out.push(stmt);
    }

    fn copy_bytes(&mut self, place: ExprId, from: VarId, span: Span, like: StmtId) {
        let size_ty = self.size_type();
        let parameters = [Types::void_pointer(), Types::const_void_pointer(), size_ty];
        let copy = self.program.external("memcpy", Types::void_pointer(), &parameters, self.unit);
        let ty = self.program.ast().exprs[place].ty;
        let target = self.program.tree.operators().unary(UnaryOp::AddressOf, place, span);
        let from = self.program.var(from, span);
        let source = self.program.tree.operators().unary(UnaryOp::AddressOf, from, span);
        let size = self.program.tree.primaries().type_query(raddle_cfront::ast::TypeQuery::Size, ty, span);
        let call = self.program.call(copy, vec![target, source, size], span);
        let stmt = self.program.expr_stmt(call, like);
        self.out.push(stmt);
    }
}

/// Whether the statements behind a declaration write the variable before they read it, on every way.
fn written_first(program: &Program, var: VarId, rest: &[StmtId]) -> bool {
    for &stmt in rest {
        let mut mentioned = false;
        walk(program.ast(), Node::Stmt(stmt), &mut |node| {
            if let Node::Expr(expr) = node {
                mentioned |= program.ast().exprs[expr].kind == ExprKind::Var(var);
            }
            !mentioned
        });
        if mentioned {
            let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { return false };
            let ExprKind::Assign(target, value) = program.ast().exprs[expr].kind else { return false };
            let mut read = false;
            walk(program.ast(), Node::Expr(value), &mut |node| {
                if let Node::Expr(expr) = node {
                    read |= program.ast().exprs[expr].kind == ExprKind::Var(var);
                }
                !read
            });
            return program.ast().exprs[target].kind == ExprKind::Var(var) && !read;
        }
        // A jump might pass the assignment by, and one from elsewhere lead behind it.
        let leaves = stmts_in(program.ast(), stmt)
            .iter()
            .any(|&inner| matches!(program.ast().stmts[inner].kind, StmtKind::Label(..) | StmtKind::Goto(_)));
        if leaves || !gotos(program, stmt).is_empty() {
            return false;
        }
    }
    true
}

/// The type without `const` on the object or its elements.
fn without_const(program: &mut Program, ty: QualType) -> QualType {
    let canonical = program.ast().types.canonical(ty);
    if let Type::Array { element, length } = program.ast().types.kind(ty.id).clone() {
        let inner = without_const(program, element);
        if inner == element && !canonical.qualifiers.contains(Qualifiers::CONST) {
            return ty;
        }
        let id = program.ast_mut().types.intern(Type::Array { element: inner, length });
        return QualType { id, qualifiers: ty.qualifiers.without(Qualifiers::CONST) };
    }
    if !canonical.qualifiers.contains(Qualifiers::CONST) {
        return ty;
    }
    let id = program.ast().types.unqualified(ty);
    QualType { id, qualifiers: canonical.qualifiers.without(Qualifiers::CONST) }
}

/// The variable loses `const`: where it is not just read, it is seen through a pointer of its old type.
fn retype(program: &mut Program, var: VarId, old: QualType, new: QualType, body: StmtId) {
    let all = exprs_in(program.ast(), body);
    let loaded: FxHashSet<ExprId> = all
        .iter()
        .filter_map(|&expr| match program.ast().exprs[expr].kind {
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => Some(operand),
            _ => None,
        })
        .collect();
    for expr in all {
        if program.ast().exprs[expr].kind != ExprKind::Var(var) {
            continue;
        }
        program.ast_mut().exprs[expr].ty = new;
        if loaded.contains(&expr) {
            continue;
        }
        let span = program.ast().exprs[expr].span;
        let plain = program.ast().exprs[expr].clone();
        let plain = program.ast_mut().exprs.push(plain);
        let address = program.tree.operators().unary(UnaryOp::AddressOf, plain, span);
        let pointer = program.ast_mut().types.pointer_to(old);
        let cast = program.tree.explicit_cast(address, pointer.into(), span);
        let seen = program.tree.operators().unary(UnaryOp::Deref, cast, span);
        let seen = program.ast().exprs[seen].clone();
        program.ast_mut().exprs[expr] = seen;
    }
}

/// An lvalue that may be written to although it is a `const` member.
fn writable(program: &mut Program, place: ExprId) -> ExprId {
    let ty = program.ast().exprs[place].ty;
    let canonical = program.ast().types.canonical(ty);
    if !canonical.qualifiers.contains(Qualifiers::CONST) {
        return place;
    }
    let span = program.ast().exprs[place].span;
    let address = program.tree.operators().unary(UnaryOp::AddressOf, place, span);
    let id = program.ast().types.unqualified(ty);
    let target = QualType { id, qualifiers: canonical.qualifiers.without(Qualifiers::CONST) };
    let pointer = program.ast_mut().types.pointer_to(target);
    let cast = program.tree.explicit_cast(address, pointer.into(), span);
    program.tree.operators().unary(UnaryOp::Deref, cast, span)
}

/// Whether what an lvalue has in it can be assigned to; that it is constant itself does not count.
fn assignable_members(program: &Program, place: ExprId) -> bool {
    let ty = program.ast().exprs[place].ty;
    !matches!(program.ast().types.kind(ty.id), Type::Record(_))
        || assignable(program, program.ast().types.unqualified(ty).into())
}
