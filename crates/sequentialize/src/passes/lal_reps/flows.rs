//! How pointers move through a program: what expressions carry, and where statements put it.

use raddle_cfront::ast::{
    BinaryOp, CastKind, ExprId, ExprKind, FunctionId, Init, Item, StmtId, StmtKind, Storage, Subobject,
    UnaryOp, VarId,
};
use raddle_cfront::check::builtin::Builtin;
use raddle_cfront::layout::size_of;
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::{IntKind, QualType, Type};

use super::points::{FlowSource, Goal, Holder, Object, Target};
use crate::calls::{direct, named_function};
use crate::program::Program;
use crate::visit::{Node, walk};

/// All moves of pointers in the program.
pub(super) fn flows(program: &Program) -> Vec<(Vec<FlowSource>, Goal)> {
    let mut flows = Flows { program, found: Vec::new() };
    for unit in &program.ast().units {
        for item in &unit.items {
            if let Item::Var { id, definition: true } = *item
                && let Some(init) = &program.ast().vars[id].init
            {
                flows.init(init, id, program.ast().vars[id].ty, Some(0));
            }
        }
    }
    flows.outside();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let mut nodes = Vec::new();
        walk(program.ast(), Node::Stmt(body), &mut |node| {
            nodes.push(node);
            true
        });
        for node in nodes {
            match node {
                Node::Expr(expr) => flows.expr(expr),
                Node::Stmt(stmt) => flows.stmt(function, stmt),
            }
        }
    }
    flows.found
}

struct Flows<'p> {
    program: &'p Program,
    found: Vec<(Vec<FlowSource>, Goal)>,
}

impl Flows<'_> {
    fn flow(&mut self, from: Vec<FlowSource>, to: Goal) {
        if !from.is_empty() {
            self.found.push((from, to));
        }
    }

    /// What the program does not define leads to what it does not define either.
    fn outside(&mut self) {
        let ast = self.program.ast();
        for unit in &ast.units {
            for item in &unit.items {
                let Item::Var { id, .. } = *item else { continue };
                let var = &ast.vars[id];
                let is_outside = var.storage == Storage::External && !var.defined && var.linked.is_none();
                if is_outside && ast.types.pointee(var.ty.id).is_some() {
                    let goal = Goal::Holder(Holder::Object(Object::Var(id), Some(0)));
                    self.flow(address(Object::Outside(id)), goal);
                }
            }
        }
    }

    /// An initial value, at an offset in a variable if that is known.
    fn init(&mut self, init: &Init, var: VarId, ty: QualType, place: Option<i64>) {
        let ast = self.program.ast();
        match init {
            Init::Expr(value) => {
                let from = value_of(self.program, *value);
                let place = place.filter(|_| is_scalar(self.program, ty));
                self.flow(from, Goal::Holder(Holder::Object(Object::Var(var), place)));
            }
            Init::Aggregate(parts) => {
                for part in parts {
                    let (inner, offset) = match (part.subobject, ast.types.kind(ty.id)) {
                        (Subobject::Field(field), Type::Record(record)) => {
                            let fields = ast.records[*record].fields.as_deref().unwrap_or_default();
                            let Some(field) = fields.get(field as usize) else { continue };
                            (field.ty, i64::try_from(field.bit_offset / 8).ok())
                        }
                        (Subobject::Elements { first, last }, Type::Array { element, .. }) => {
                            let size = size_of(ast, *element).unwrap_or(0);
                            let offset = i64::try_from(first.saturating_mul(size)).ok();
                            (*element, offset.filter(|_| first == last))
                        }
                        (Subobject::Field(_) | Subobject::Elements { .. }, _) => (ty, None),
                    };
                    let place = place.zip(offset).map(|(place, offset)| place.saturating_add(offset));
                    self.init(&part.value, var, inner, place);
                }
            }
        }
    }

    /// Where a value of an lvalue goes.
    fn goal(&self, place: ExprId) -> Goal {
        let sources = address_of(self.program, place);
        if is_scalar(self.program, self.program.ast().exprs[place].ty) {
            Goal::Through(sources)
        } else {
            Goal::Within(sources)
        }
    }

    fn stmt(&mut self, function: FunctionId, stmt: StmtId) {
        match &self.program.ast().stmts[stmt].kind {
            StmtKind::Return(Some(value)) => {
                let from = value_of(self.program, *value);
                self.flow(from, Goal::Holder(Holder::Result(function)));
            }
            StmtKind::Declare(items) => {
                for item in items {
                    if let Item::Var { id, definition: true } = *item
                        && let Some(init) = &self.program.ast().vars[id].init
                    {
                        self.init(init, id, self.program.ast().vars[id].ty, Some(0));
                    }
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: ExprId) {
        let program = self.program;
        match &program.ast().exprs[expr].kind {
            ExprKind::Assign(target, value) => {
                let from = value_of(program, *value);
                let goal = self.goal(*target);
                self.flow(from, goal);
            }
            ExprKind::CompoundAssign { op, target, value, .. } => {
                let held = content(program, *target);
                let from = arithmetic(program, *op, program.ast().exprs[*target].ty, held, *value);
                let goal = self.goal(*target);
                self.flow(from, goal);
            }
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                target,
            ) => {
                let held = content(program, *target);
                let from = vec![FlowSource::Moved(held, 0, step(program, program.ast().exprs[*target].ty))];
                let goal = self.goal(*target);
                self.flow(from, goal);
            }
            ExprKind::Call { callee, arguments } => {
                let Some(function) = direct(program, *callee) else { return };
                let function = program.definition_of(function);
                let parameters = &program.ast().functions[function].parameters;
                if program.body(function).is_some() {
                    for (&parameter, &argument) in parameters.iter().zip(arguments) {
                        let from = value_of(program, argument);
                        let scalar = is_scalar(program, program.ast().vars[parameter].ty);
                        self.flow(
                            from,
                            Goal::Holder(Holder::Object(Object::Var(parameter), scalar.then_some(0))),
                        );
                    }
                }
            }
            ExprKind::Builtin { arguments, .. } => {
                let Some((&object, rest)) = arguments.split_first() else { return };
                if !is_pointer(program, object) {
                    // Checked arithmetic writes its result through its last argument.
                    let pointers: Vec<ExprId> =
                        arguments.iter().copied().filter(|&argument| is_pointer(program, argument)).collect();
                    let from: Vec<FlowSource> =
                        arguments.iter().flat_map(|&argument| value_of(program, argument)).collect();
                    for pointer in pointers {
                        let goal = Goal::Within(value_of(program, pointer));
                        self.flow(moved(from.clone(), 0, 1), goal);
                    }
                    return;
                }
                let place = value_of(program, object);
                let changed = vec![FlowSource::Moved(vec![FlowSource::Within(place.clone())], 0, 1)];
                if is_computing(program, expr) {
                    self.flow(changed, Goal::Within(place.clone()));
                }
                for &argument in rest {
                    let given = value_of(program, argument);
                    if by_address(program, object, argument) {
                        self.flow(vec![FlowSource::Within(given.clone())], Goal::Within(place.clone()));
                        self.flow(vec![FlowSource::Within(place.clone())], Goal::Within(given));
                    } else {
                        self.flow(given, Goal::Within(place.clone()));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value of the type is one scalar.
fn is_scalar(program: &Program, ty: QualType) -> bool {
    !matches!(program.ast().types.kind(ty.id), Type::Record(_) | Type::Array { .. } | Type::Vector { .. })
}

/// Whether no pointer fits into a value of the type. Single bytes are left out: who copies all bytes copies a pointer.
fn is_narrow(program: &Program, ty: QualType) -> bool {
    let ast = program.ast();
    match ast.types.kind(ty.id) {
        Type::Int(IntKind::Bool) | Type::Enum(_) | Type::Float(_) => true,
        Type::Int(kind) => {
            let size = ast.model.int_bytes(*kind);
            size > 1 && size < ast.model.pointer_bytes()
        }
        _ => false,
    }
}

/// What an lvalue holds.
fn content(program: &Program, place: ExprId) -> Vec<FlowSource> {
    let ty = program.ast().exprs[place].ty;
    if is_narrow(program, ty) {
        return Vec::new();
    }
    match program.ast().exprs[place].kind {
        ExprKind::Var(var) if is_scalar(program, ty) => {
            vec![FlowSource::Held(Holder::Object(Object::Var(var), Some(0)))]
        }
        _ if is_scalar(program, ty) => vec![FlowSource::Through(address_of(program, place))],
        _ => vec![FlowSource::Within(address_of(program, place))],
    }
}

/// How far apart pointers of the type are when one is added; numbers may become anything.
fn step(program: &Program, ty: QualType) -> u64 {
    let ast = program.ast();
    ast.types.pointee(ty.id).and_then(|target| size_of(ast, target).ok()).unwrap_or(1)
}

fn address(object: Object) -> Vec<FlowSource> {
    vec![FlowSource::Address(Target::new(object))]
}

fn moved(from: Vec<FlowSource>, base: i64, stride: u64) -> Vec<FlowSource> {
    if from.is_empty() || (base == 0 && stride == 0) {
        return from;
    }
    vec![FlowSource::Moved(from, base, stride)]
}

fn arithmetic(
    program: &Program,
    op: BinaryOp,
    ty: QualType,
    left: Vec<FlowSource>,
    right: ExprId,
) -> Vec<FlowSource> {
    let size = step(program, ty);
    let is_pointer = program.ast().types.pointee(ty.id).is_some();
    if is_pointer && let Some(count) = program.constant(right) {
        let bytes = count.saturating_mul(i128::from(size));
        let bytes = if op == BinaryOp::Sub { -bytes } else { bytes };
        if let Ok(bytes) = i64::try_from(bytes) {
            return moved(left, bytes, 0);
        }
    }
    if is_pointer {
        return moved(left, 0, size);
    }
    let mut all = left;
    all.extend(value_of(program, right));
    moved(all, 0, 1)
}

/// What the value of an expression may carry.
pub(super) fn value_of(program: &Program, expr: ExprId) -> Vec<FlowSource> {
    let ast = program.ast();
    let found = &ast.exprs[expr];
    if is_narrow(program, found.ty) {
        return Vec::new();
    }
    let value = |expr: &ExprId| value_of(program, *expr);
    match &found.kind {
        ExprKind::Cast { kind, operand, .. } => match kind {
            CastKind::Load => content(program, *operand),
            CastKind::ArrayToPointer => address_of(program, *operand),
            CastKind::FunctionToPointer => match named_function(program, *operand) {
                Some((_, function)) => address(Object::Function(program.definition_of(function))),
                None => value(operand),
            },
            CastKind::IntegerToPointer => {
                let mut all = value(operand);
                if program.constant(*operand) != Some(0) {
                    all.extend(address(Object::Number));
                }
                all
            }
            CastKind::NullToPointer => Vec::new(),
            _ => value(operand),
        },
        ExprKind::Unary(op, operand) => match op {
            UnaryOp::AddressOf => match named_function(program, *operand) {
                Some((_, function)) => address(Object::Function(program.definition_of(function))),
                None => address_of(program, *operand),
            },
            UnaryOp::Not => Vec::new(),
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => {
                let held = content(program, *operand);
                moved(held, 0, step(program, found.ty))
            }
            UnaryOp::Deref if !found.lvalue => value(operand),
            UnaryOp::Deref => address_of(program, expr),
            UnaryOp::Plus | UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Real | UnaryOp::Imag => {
                moved(value(operand), 0, 1)
            }
        },
        ExprKind::Binary(op, left, right) => match op {
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::And
            | BinaryOp::Or => Vec::new(),
            BinaryOp::Add if ast.types.pointee(ast.exprs[*right].ty.id).is_some() => {
                arithmetic(program, *op, found.ty, value(right), *left)
            }
            _ => arithmetic(program, *op, found.ty, value(left), *right),
        },
        ExprKind::Conditional { condition, then, otherwise } => {
            let mut all = value(&then.unwrap_or(*condition));
            all.extend(value(otherwise));
            all
        }
        ExprKind::Comma(_, last) | ExprKind::Assign(_, last) => value(last),
        ExprKind::CompoundAssign { target, .. } => content(program, *target),
        ExprKind::Call { callee, .. } => result_of(program, expr, *callee, found.ty),
        ExprKind::Builtin { arguments, .. } => builtin_value(program, expr, arguments),
        ExprKind::Member { base, arrow: false, .. } if !ast.exprs[*base].lvalue => value(base),
        ExprKind::Function(function) => address(Object::Function(program.definition_of(*function))),
        ExprKind::VaArg(_) | ExprKind::Statement(_) | ExprKind::LabelAddress(_) => address(Object::Unknown),
        ExprKind::CompoundLiteral { init, .. } => {
            let mut all = Vec::new();
            crate::visit::init_parts(&mut init.clone(), &mut |part| all.extend(value_of(program, *part)));
            all
        }
        ExprKind::Var(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => content(program, expr),
        ExprKind::String(_) | ExprKind::FunctionName(..) => address(Object::Text),
        ExprKind::Integer(_)
        | ExprKind::Float { .. }
        | ExprKind::Imaginary(_)
        | ExprKind::EnumConstant(..)
        | ExprKind::TypeQuery(..)
        | ExprKind::ExprQuery(..)
        | ExprKind::Offsetof { .. }
        | ExprKind::Error => Vec::new(),
    }
}

fn is_pointer(program: &Program, expr: ExprId) -> bool {
    program.ast().types.pointee(program.ast().exprs[expr].ty.id).is_some()
}

/// Whether a built-in function with an lvalue to work on is given a value by the value's address.
fn by_address(program: &Program, object: ExprId, argument: ExprId) -> bool {
    let ast = program.ast();
    let target =
        |expr: ExprId| ast.types.pointee(ast.exprs[expr].ty.id).map(|target| ast.types.unqualified(target));
    target(object).zip(target(argument)).is_some_and(|(object, given)| ast.types.same(object, given))
}

/// Whether an atomic built-in function computes a new value out of the old one.
fn is_computing(program: &Program, expr: ExprId) -> bool {
    let ExprKind::Builtin { builtin, .. } = program.ast().exprs[expr].kind else { return false };
    matches!(
        builtin,
        Builtin::SyncFetch(_) | Builtin::SyncOpFetch(_) | Builtin::AtomicFetch(_) | Builtin::AtomicOpFetch(_)
    )
}

/// What a built-in function gives.
fn builtin_value(program: &Program, expr: ExprId, arguments: &[ExprId]) -> Vec<FlowSource> {
    let Some((&object, rest)) = arguments.split_first() else { return Vec::new() };
    let mut all = Vec::new();
    if is_pointer(program, object) {
        all.push(FlowSource::Within(value_of(program, object)));
        let values = rest.iter().filter(|&&argument| !by_address(program, object, argument));
        all.extend(values.flat_map(|&argument| value_of(program, argument)));
        if is_computing(program, expr) {
            return moved(all, 0, 1);
        }
        return all;
    }
    all.extend(arguments.iter().flat_map(|&argument| value_of(program, argument)));
    moved(all, 0, 1)
}

/// What a call gives.
fn result_of(program: &Program, call: ExprId, callee: ExprId, ty: QualType) -> Vec<FlowSource> {
    let is_pointer = program.ast().types.pointee(ty.id).is_some();
    match direct(program, callee).map(|function| program.definition_of(function)) {
        Some(function) if super::heap::allocates(program, function) => address(Object::Heap(call)),
        Some(function) if program.body(function).is_some() => {
            vec![FlowSource::Held(Holder::Result(function))]
        }
        Some(_) | None if !is_pointer => Vec::new(),
        Some(function) if program.primitive(function) == Some(Primitive::Nondet) => address(Object::Number),
        Some(_) => address(Object::Unknown),
        None => vec![FlowSource::Returned(value_of(program, callee))],
    }
}

/// The addresses that an lvalue may have.
pub(super) fn address_of(program: &Program, place: ExprId) -> Vec<FlowSource> {
    let ast = program.ast();
    match &ast.exprs[place].kind {
        ExprKind::Var(var) => address(Object::Var(*var)),
        ExprKind::String(_) | ExprKind::FunctionName(..) | ExprKind::Function(_) => address(Object::Text),
        ExprKind::Member { base, record, field, arrow } => {
            let fields = ast.records[*record].fields.as_deref().unwrap_or_default();
            let bits = fields.get(*field as usize).map_or(0, |field| field.bit_offset);
            let bytes = i64::try_from(bits / 8).unwrap_or(0);
            let from = if *arrow { value_of(program, *base) } else { address_of(program, *base) };
            moved(from, bytes, 0)
        }
        ExprKind::Index { base, index } => {
            let size = size_of(ast, ast.exprs[place].ty).unwrap_or(1);
            let is_pointer = |expr: ExprId| ast.types.pointee(ast.exprs[expr].ty.id).is_some();
            let (from, count) = if is_pointer(*base) {
                (value_of(program, *base), *index)
            } else if is_pointer(*index) {
                (value_of(program, *index), *base)
            } else {
                (address_of(program, *base), *index)
            };
            let bytes = program.constant(count).map(|count| count.saturating_mul(i128::from(size)));
            match bytes.and_then(|bytes| i64::try_from(bytes).ok()) {
                Some(bytes) => moved(from, bytes, 0),
                None => moved(from, 0, size),
            }
        }
        ExprKind::Unary(UnaryOp::Deref, pointer) => value_of(program, *pointer),
        ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, operand) => moved(address_of(program, *operand), 0, 1),
        _ => address(Object::Unknown),
    }
}
