//! Memory from the heap: each program point that allocates runs at most once, so what it allocates is one object with a name.
//!
//! That holds in the functions of threads, outside of loops, for sizes that are constant. What is allocated elsewhere cannot be
//! followed, and is refused where somebody looks at it. What is freed is still there, but nobody gets at it (`freed`).

use raddle_base::Span;
use raddle_cfront::ast::{
    CastKind, ExprId, ExprKind, FunctionId, Item, RecordKind, StmtId, StmtKind, Storage, TypeQuery, UnaryOp,
    VarId,
};
use raddle_cfront::layout::size_of;
use raddle_cfront::primitive::NONDET;
use raddle_cfront::primitive::{self, Primitive};
use raddle_cfront::types::{ArrayLength, IntKind, QualType, Type, Types};
use rustc_hash::FxHashSet;

use crate::build::new_var;
use crate::calls::{Call, statement_call};
use crate::copy::copy_expr;
use crate::program::Program;
use crate::turns::nondet;
use crate::visit::{exprs_in, stmts_in};

/// Objects of more scalars than this are left to be refused.
const MOST_SCALARS: usize = 1_000;

/// Gives names to what the functions of threads allocate.
pub(super) fn objects(program: &mut Program, functions: &[FunctionId]) -> Vec<VarId> {
    let mut wild = None;
    let mut named = Vec::new();
    for &function in functions {
        let Some(body) = program.body(function) else { continue };
        let mut repeated: FxHashSet<StmtId> = FxHashSet::default();
        for stmt in stmts_in(program.ast(), body) {
            if let StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } = program.ast().stmts[stmt].kind
            {
                repeated.extend(stmts_in(program.ast(), body));
            }
        }
        for stmt in stmts_in(program.ast(), body) {
            if !repeated.contains(&stmt)
                && let Some(call) = statement_call(program, stmt)
                && let Some(found) = allocation(program, body, &call)
            {
                named.extend(object(program, stmt, &call, &found, &mut wild));
            }
        }
    }
    named
}

/// Whether a function gives memory from the heap.
pub(super) fn allocates(program: &Program, function: FunctionId) -> bool {
    matches!(
        program.primitive(function),
        Some(Primitive::Allocate(primitive::Allocation::Plain | primitive::Allocation::Aligned))
    ) || matches!(program.function_text(function), "malloc" | "calloc" | "__model_malloc" | "__model_calloc")
}

/// What is allocated: so many of a type.
struct Allocation {
    element: QualType,
    count: u64,
    zeroed: bool,
}

/// What a call allocates, if it allocates something of a size that is known.
fn allocation(program: &Program, body: StmtId, call: &Call) -> Option<Allocation> {
    let function = call.function?;
    let number = |place: usize| {
        let value = program.constant(*call.arguments.get(place)?)?;
        u64::try_from(value).ok()
    };
    let is_plain = program.primitive(function) == Some(Primitive::Allocate(primitive::Allocation::Plain));
    let (size, zeroed) = match program.function_text(function) {
        _ if is_plain => (number(0)?, number(1)? != 0),
        "malloc" | "__model_malloc" => (number(0)?, false),
        "calloc" | "__model_calloc" => (number(0)?.checked_mul(number(1)?)?, true),
        _ => return None,
    };
    let fits = |element: &QualType| {
        size_of(program.ast(), *element).is_ok_and(|each| each > 0 && size > 0 && size.is_multiple_of(each))
    };
    let element = wanted(program, body, call.target?).filter(fits);
    let element = element.unwrap_or(QualType::plain(Types::unsigned_char()));
    let each = size_of(program.ast(), element).ok()?;
    let count = (size / each).max(1);
    let scalars = usize::try_from(count).ok()?.checked_mul(scalars(program, element))?;
    (scalars <= MOST_SCALARS).then_some(Allocation { element, count, zeroed })
}

/// What the memory is taken as: what the pointer points to, or what it is cast to at once.
fn wanted(program: &Program, body: StmtId, target: ExprId) -> Option<QualType> {
    let ast = program.ast();
    let complete = |pointer: QualType| {
        let pointee = ast.types.pointee(pointer.id)?;
        let pointee = QualType::plain(ast.types.unqualified(pointee));
        size_of(ast, pointee).ok().map(|_| pointee)
    };
    if let Some(found) = complete(ast.exprs[target].ty) {
        return Some(found);
    }
    let ExprKind::Var(var) = ast.exprs[target].kind else { return None };
    exprs_in(ast, body).into_iter().find_map(|expr| match ast.exprs[expr].kind {
        ExprKind::Cast { operand, .. } if is_read_of(program, operand, var) => complete(ast.exprs[expr].ty),
        _ => None,
    })
}

fn is_read_of(program: &Program, expr: ExprId, var: VarId) -> bool {
    match program.ast().exprs[expr].kind {
        ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
            program.ast().exprs[operand].kind == ExprKind::Var(var)
        }
        _ => false,
    }
}

fn scalars(program: &Program, ty: QualType) -> usize {
    let ast = program.ast();
    match ast.types.kind(ty.id) {
        Type::Array { element, length: ArrayLength::Fixed(length) } => {
            usize::try_from(*length).unwrap_or(usize::MAX).saturating_mul(scalars(program, *element))
        }
        Type::Record(record) => {
            let fields = ast.records[*record].fields.as_deref().unwrap_or_default();
            fields.iter().map(|field| scalars(program, field.ty)).sum()
        }
        _ => 1,
    }
}

/// Makes the object, and the call an assignment of its address.
fn object(
    program: &mut Program,
    stmt: StmtId,
    call: &Call,
    found: &Allocation,
    wild: &mut Option<VarId>,
) -> Option<VarId> {
    let span = program.ast().stmts[stmt].span;
    let mut ty = found.element;
    if found.count > 1 {
        let array = Type::Array { element: ty, length: ArrayLength::Fixed(found.count) };
        ty = program.ast_mut().types.intern(array).into();
    }
    let var = global(program, "__raddle_heap", ty);
    let mut list = Vec::new();
    if !found.zeroed {
        let place = program.var(var, span);
        Filler { program, stmt, wild, list: &mut list }.anything(place, ty);
        // What lies between its members as well, if it has no copies.
        list.push(unwritten(program, var, ty, stmt));
    }
    let place = program.var(var, span);
    let address = program.tree.operators().unary(UnaryOp::AddressOf, place, span);
    let value = program.tree.explicit_cast(address, Types::void_pointer().into(), span);
    list.push(program.assign_stmt(call.target?, value, stmt));
    program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
    Some(var)
}

/// Says that nothing was written to an object.
fn unwritten(program: &mut Program, var: VarId, ty: QualType, stmt: StmtId) -> StmtId {
    let span = program.ast().stmts[stmt].span;
    let is_wide = program.ast().model.pointer_bytes() == 8;
    let size = if is_wide { Types::unsigned_long() } else { Types::unsigned_int() };
    let function =
        program.external_primitive(Primitive::Unwritten, Types::void(), &[Types::void_pointer(), size], 0);
    let object = program.var(var, span);
    let address = program.tree.operators().unary(UnaryOp::AddressOf, object, span);
    let size = program.tree.primaries().type_query(TypeQuery::Size, ty, span);
    let call = program.call(function, vec![address, size], span);
    program.expr_stmt(call, stmt)
}

/// A new variable for the whole time.
pub(super) fn global(program: &mut Program, hint: &str, ty: QualType) -> VarId {
    let name = program.fresh_name(hint);
    let var = program.ast_mut().vars.push(new_var(name, ty, Storage::Static, None, Span::NONE));
    program.ast_mut().units[0].items.push(Item::Var { id: var, definition: true });
    var
}

/// Gives new memory values that are not determined.
struct Filler<'p> {
    program: &'p mut Program,
    stmt: StmtId,
    /// An object that pointers lead to that nobody has set.
    wild: &'p mut Option<VarId>,
    list: &'p mut Vec<StmtId>,
}

impl Filler<'_> {
    fn anything(&mut self, place: ExprId, ty: QualType) {
        let span = self.program.ast().exprs[place].span;
        match self.program.ast().types.kind(ty.id).clone() {
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                for index in 0..length {
                    let base = copy_expr(self.program, place);
                    let index = self.program.int(i128::from(index), span);
                    let inner = self.program.tree.primaries().index(base, index, span);
                    self.anything(inner, element);
                }
            }
            Type::Record(record) if self.program.ast().records[record].kind == RecordKind::Union => {
                self.words(place, ty);
            }
            Type::Record(record) => {
                let fields = self.program.ast().records[record].fields.clone().unwrap_or_default();
                for (index, field) in (0_u32..).zip(&fields) {
                    if field.name.is_none() && field.width.is_some() {
                        continue;
                    }
                    let base = copy_expr(self.program, place);
                    let kind = ExprKind::Member { base, record, field: index, arrow: false };
                    let inner = self.program.tree.expr(kind, field.ty, true, span);
                    self.anything(inner, field.ty);
                }
            }
            Type::Pointer(_) => self.pointer(place, ty),
            kind => {
                if let Some(value) = self.any(&kind) {
                    let stmt = self.program.assign_stmt(place, value, self.stmt);
                    self.list.push(stmt);
                }
            }
        }
    }

    fn any(&mut self, kind: &Type) -> Option<ExprId> {
        let (name, result) = nondet(kind)?;
        let function = self.program.external(&format!("{NONDET}{name}"), result, &[], 0);
        Some(self.program.call(function, Vec::new(), Span::NONE))
    }

    /// A union, as models of the thread API see it.
    fn words(&mut self, place: ExprId, ty: QualType) {
        let size = size_of(self.program.ast(), ty).unwrap_or(0);
        for index in 0..size / 4 {
            let word = self.program.view(place, index * 4, Types::int());
            self.anything(word, Types::int().into());
        }
    }

    /// Null, or something that is nothing else.
    fn pointer(&mut self, place: ExprId, ty: QualType) {
        let span = self.program.ast().exprs[place].span;
        let wild = match *self.wild {
            Some(wild) => wild,
            None => {
                let wild = global(self.program, "__raddle_wild", Types::long().into());
                *self.wild.insert(wild)
            }
        };
        let object = self.program.var(wild, span);
        let address = self.program.tree.operators().unary(UnaryOp::AddressOf, object, span);
        let value = self.program.tree.explicit_cast(address, ty, span);
        let then = self.program.assign_stmt(place, value, self.stmt);
        if let Some(choice) = self.any(&Type::Int(IntKind::Bool)) {
            let stmt = self.program.if_stmt(choice, then, None, self.stmt);
            self.list.push(stmt);
        }
    }
}
