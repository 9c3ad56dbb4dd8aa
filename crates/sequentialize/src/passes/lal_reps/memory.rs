//! The copies of memory: guessed at the beginning, compared at the end.
//!
//! Only what somebody writes after the first thread was started is guessed, part by part; what only `main` writes before is
//! handed on to all copies when the first thread is started.
//!
//! A guessed pointer is at most [`FAR`] bytes away from its object: what can only happen with one that is further away is missed.

use raddle_base::Span;
use raddle_cfront::ast::{
    BinaryOp, ExprId, ExprKind, FunctionId, Item, RecordKind, Stmt, StmtId, StmtKind, Storage, UnaryOp,
};
use raddle_cfront::layout::size_of;
use raddle_cfront::primitive::NONDET;
use raddle_cfront::types::{ArrayLength, FloatKind, IntKind, QualType, Type, Types};

use super::copies::{Touch, Use};
use super::points::{Object, Points, Target};
use super::rewrite::{Copied, copy, type_of_all};
use crate::build::new_var;
use crate::copy::copy_expr;
use crate::pass::Refusal;
use crate::program::Program;
use crate::turns::nondet;

/// All parts that are guessed, in all objects and rounds.
const MOST_PARTS: usize = 20_000;

/// So many bytes a pointer may lie before or behind its object. Objects have more than that between them in our checker, so
/// a pointer that is guessed belongs to one object only.
const FAR: i128 = 1 << 15;

const HEAP: &str = "memory from the heap that is allocated in a loop, in a function that is not inlined, or in a size that is \
                    not constant";

/// How one comes from an object to a scalar in it.
#[derive(Clone, Copy, Debug)]
enum LayoutStep {
    Field(raddle_cfront::ast::RecordId, u32),
    Element(u64),
    /// What lies so many bytes behind the beginning, taken as this type: for unions.
    View(u64, QualType),
}

/// A scalar in an object.
#[derive(Clone, Debug)]
struct Part {
    steps: Vec<LayoutStep>,
    ty: QualType,
    offset: u64,
    size: u64,
}

/// The statements that the runtime's functions are made of.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) guess: Vec<StmtId>,
    pub(super) begin: Vec<StmtId>,
    pub(super) check: Vec<StmtId>,
    parts: usize,
}

/// What is fixed while the statements are made.
pub(super) struct Making<'p> {
    pub(super) program: &'p mut Program,
    pub(super) points: &'p Points,
    pub(super) assume: FunctionId,
    pub(super) rounds: u64,
    pub(super) all: &'p [Copied],
}

impl Memory {
    /// Adds what one object needs.
    pub(super) fn object(
        &mut self,
        making: &mut Making<'_>,
        copied: Copied,
        found: &Use,
    ) -> Result<(), Refusal> {
        let storage = making.program.ast().vars[copied.var].storage;
        if !matches!(storage, Storage::External | Storage::Static) {
            // It lives in one step of one thread.
            return Ok(());
        }
        let parts = Parts::of(making, copied, found)?;
        let touched = |part: &Part, touches: &[Touch]| {
            touches.iter().any(|touch| touch.target.touches(touch.size, part.offset, part.size))
        };
        let guessed: Vec<&Part> =
            parts.iter().filter(|part| touched(part, &found.writes) && touched(part, &found.reads)).collect();
        if !guessed.is_empty() {
            self.guesses(making, copied, &guessed)?;
        }
        for part in &parts {
            let constant = !touched(part, &found.writes);
            if constant && touched(part, &found.first_writes) && touched(part, &found.reads) {
                for number in 1..making.rounds {
                    let first = making.part(copied, 0, part);
                    let next = making.part(copied, number, part);
                    self.begin.push(making.assign(next, first));
                }
            }
        }
        Ok(())
    }

    fn guesses(&mut self, making: &mut Making<'_>, copied: Copied, parts: &[&Part]) -> Result<(), Refusal> {
        let span = making.program.ast().vars[copied.var].span;
        self.parts += parts.len() * usize::try_from(making.rounds).unwrap_or(usize::MAX);
        if self.parts > MOST_PARTS {
            let text = making.program.var_text(copied.var);
            let message = format!("with `{text}`, more than {MOST_PARTS} scalars have to be guessed");
            return Err(Refusal::new(span, message).help("fewer rounds, or smaller arrays"));
        }
        let text = making.program.var_text(copied.var).to_owned();
        let name = making.program.fresh_name(&format!("__raddle_guess_{text}"));
        let plain = without_qualifiers(making.program, copied.ty);
        let ty = type_of_all(making.program, plain, copied.padding, making.rounds);
        let guess = making.program.ast_mut().vars.push(new_var(name, ty, Storage::Static, None, Span::NONE));
        let items = &mut making.program.ast_mut().units[0].items;
        items.push(Item::Var { id: guess, definition: true });
        let guess = Copied { var: guess, ..copied };
        for number in 1..making.rounds {
            for part in parts {
                let place = making.part(guess, number, part);
                let any = making.anything(copied, part, place)?;
                self.guess.extend(any);
                let (kept, first) = (making.part(guess, number, part), making.part(copied, number, part));
                self.guess.push(making.assign(first, kept));
                let (kept, last) = (making.part(guess, number, part), making.part(copied, number - 1, part));
                self.check.push(making.equal(part, last, kept));
            }
        }
        Ok(())
    }
}

fn without_qualifiers(program: &Program, ty: QualType) -> QualType {
    QualType::plain(program.ast().types.unqualified(ty))
}

impl Making<'_> {
    fn made(&mut self, kind: StmtKind) -> StmtId {
        self.program.ast_mut().stmts.push(Stmt { kind, span: Span::NONE })
    }

    fn assign(&mut self, target: ExprId, value: ExprId) -> StmtId {
        let expr = self.program.tree.operators().assign(target, value, Span::NONE);
        self.made(StmtKind::Expr(expr))
    }

    /// A part of the copy of this number.
    fn part(&mut self, copied: Copied, number: u64, part: &Part) -> ExprId {
        let span = Span::NONE;
        let number = self.program.int(i128::from(number), span);
        let mut place = copy(self.program, copied, number, span);
        for step in &part.steps {
            place = match *step {
                LayoutStep::Field(record, field) => {
                    let fields = self.program.ast().records[record].fields.as_deref().unwrap_or_default();
                    let ty = fields[field as usize].ty;
                    let name = fields[field as usize].name;
                    match name {
                        Some(name) => self.program.tree.primaries().member(place, name, span, false),
                        None => {
                            let kind = ExprKind::Member { base: place, record, field, arrow: false };
                            self.program.tree.expr(kind, ty, true, span)
                        }
                    }
                }
                LayoutStep::Element(index) => {
                    let index = self.program.int(i128::from(index), span);
                    self.program.tree.primaries().index(place, index, span)
                }
                LayoutStep::View(offset, ty) => self.program.view(place, offset, ty),
            };
        }
        place
    }

    /// `__VERIFIER_assume(left == right);`
    fn equal(&mut self, part: &Part, left: ExprId, right: ExprId) -> StmtId {
        let kind = self.program.ast().types.kind(part.ty.id).clone();
        let (mut left, mut right) = (left, right);
        // A NaN differs from itself, and zeros of both signs do not differ: numbers with a point are compared by their bits.
        let bits = match kind {
            Type::Float(FloatKind::Float) => Some(Types::unsigned_int()),
            Type::Float(FloatKind::Double) => Some(Types::unsigned_long_long()),
            _ => None,
        };
        if let Some(bits) = bits {
            (left, right) = (self.program.view(left, 0, bits), self.program.view(right, 0, bits));
        }
        let condition = self.program.tree.operators().binary(BinaryOp::Equal, left, right, Span::NONE);
        self.assumption(condition)
    }

    fn assumption(&mut self, condition: ExprId) -> StmtId {
        let call = self.program.call(self.assume, vec![condition], Span::NONE);
        self.made(StmtKind::Expr(call))
    }

    fn any(&mut self, kind: &Type) -> Option<ExprId> {
        let (name, result) = nondet(kind)?;
        let function = self.program.external(&format!("{NONDET}{name}"), result, &[], 0);
        Some(self.program.call(function, Vec::new(), Span::NONE))
    }

    /// Gives an lvalue any value that it may have.
    fn anything(&mut self, copied: Copied, part: &Part, place: ExprId) -> Result<Vec<StmtId>, Refusal> {
        let kind = self.program.ast().types.kind(part.ty.id).clone();
        if let Type::Pointer(_) = kind {
            return self.any_pointer(copied, part, place);
        }
        let Some(value) = self.any(&kind) else {
            let text = self.program.var_text(copied.var);
            let ty = self.program.tree.describe(part.ty);
            let message = format!("threads share `{text}`, and a value of type {ty} cannot be guessed");
            return Err(Refusal::new(self.program.ast().vars[copied.var].span, message));
        };
        Ok(vec![self.assign(place, value)])
    }

    /// A pointer is null, or one of those that may ever be there.
    fn any_pointer(&mut self, copied: Copied, part: &Part, place: ExprId) -> Result<Vec<StmtId>, Refusal> {
        let targets = self.points.held(Object::Var(copied.var), i64::try_from(part.offset).ok());
        let null = self.program.int(0, Span::NONE);
        let null = self.program.tree.explicit_cast(null, part.ty, Span::NONE);
        let start = copy_expr(self.program, place);
        let mut stmts = vec![self.assign(start, null)];
        for target in targets.iter() {
            let (mut before, value) = self.address(copied, part, target)?;
            let place = copy_expr(self.program, place);
            before.push(self.assign(place, value));
            let then = self.made(StmtKind::Block(before));
            let choice = self.any(&Type::Int(IntKind::Bool));
            let Some(choice) = choice else { continue };
            let condition = self.program.tree.condition(choice);
            stmts.push(self.made(StmtKind::If { condition, then, otherwise: None }));
        }
        Ok(stmts)
    }

    /// An address that a target stands for, and what has to be done before to have it.
    fn address(
        &mut self,
        copied: Copied,
        part: &Part,
        target: Target,
    ) -> Result<(Vec<StmtId>, ExprId), Refusal> {
        let span = Span::NONE;
        let cast = |making: &mut Self, value: ExprId| making.program.tree.explicit_cast(value, part.ty, span);
        match target.object {
            Object::Function(function) => {
                let ty = self.program.ast().functions[function].ty;
                let name = self.program.tree.expr(ExprKind::Function(function), ty, true, span);
                Ok((Vec::new(), cast(self, name)))
            }
            Object::Number => {
                let wide = self.program.ast().model.pointer_bytes() == 8;
                let kind = if wide { IntKind::UnsignedLong } else { IntKind::UnsignedInt };
                let value = self.any(&Type::Int(kind)).expect("there is one for every integer");
                Ok((Vec::new(), cast(self, value)))
            }
            Object::Var(var) => {
                let span = Span::NONE;
                let object = match self.all.iter().find(|known| known.var == var) {
                    Some(&known) => {
                        let first = self.program.int(0, span);
                        copy(self.program, known, first, span)
                    }
                    None if matches!(
                        self.program.ast().vars[var].storage,
                        Storage::External | Storage::Static
                    ) =>
                    {
                        self.program.var(var, span)
                    }
                    None => {
                        return Err(
                            self.no_pointer(copied, "a variable that is not there for the whole time")
                        );
                    }
                };
                let size = size_of(self.program.ast(), self.program.ast().exprs[object].ty).unwrap_or(0);
                let address = self.program.tree.operators().unary(UnaryOp::AddressOf, object, span);
                Ok(self.near(address, size, part.ty, target))
            }
            Object::Text => Err(self.no_pointer(copied, "a constant")),
            Object::Heap(_) => Err(self.no_pointer(copied, HEAP)),
            Object::Outside(_) => Err(self.no_pointer(copied, "an object of the library")),
            Object::Unknown => Err(self.no_pointer(copied, "something that is not known")),
        }
    }

    fn no_pointer(&self, copied: Copied, what: &str) -> Refusal {
        let text = self.program.var_text(copied.var);
        let message = format!("threads share `{text}`, and a pointer in it may lead to {what}");
        Refusal::new(self.program.ast().vars[copied.var].span, message)
    }

    /// A position in an object, or not far before or behind it: a pointer may go there as long as nobody looks where it leads.
    fn near(&mut self, address: ExprId, size: u64, ty: QualType, target: Target) -> (Vec<StmtId>, ExprId) {
        let span = Span::NONE;
        if target.base == 0 && target.stride == 0 {
            return (Vec::new(), self.program.tree.explicit_cast(address, ty, span));
        }
        let bytes = self.program.ast_mut().types.pointer_to(Types::char().into());
        let start = self.program.tree.explicit_cast(address, bytes.into(), span);
        let base = self.program.int(i128::from(target.base), span);
        let mut place = self.program.tree.operators().binary(BinaryOp::Add, start, base, span);
        let mut before = Vec::new();
        if target.stride > 0 {
            let name = self.program.fresh_name("__raddle_place");
            let var = new_var(name, Types::long(), Storage::Static, None, span);
            let var = self.program.ast_mut().vars.push(var);
            self.program.ast_mut().units[0].items.push(Item::Var { id: var, definition: true });
            let value = self.any(&Type::Int(IntKind::Long)).expect("there is one for every integer");
            let count = self.program.var(var, span);
            before.push(self.assign(count, value));
            let stride = i128::from(target.stride);
            for (op, bytes) in
                [(BinaryOp::GreaterEqual, -FAR), (BinaryOp::LessEqual, i128::from(size).saturating_add(FAR))]
            {
                let (count, limit) = (self.program.var(var, span), self.program.int(bytes / stride, span));
                let condition = self.program.tree.operators().binary(op, count, limit, span);
                before.push(self.assumption(condition));
            }
            let stride = self.program.int(i128::from(target.stride), span);
            let count = self.program.var(var, span);
            let distance = self.program.tree.operators().binary(BinaryOp::Mul, count, stride, span);
            place = self.program.tree.operators().binary(BinaryOp::Add, place, distance, span);
        }
        (before, self.program.tree.explicit_cast(place, ty, span))
    }
}

/// Finds the scalars of an object.
struct Parts<'a> {
    program: &'a Program,
    found: &'a Use,
    copied: Copied,
    parts: Vec<Part>,
}

impl Parts<'_> {
    fn of(making: &Making<'_>, copied: Copied, found: &Use) -> Result<Vec<Part>, Refusal> {
        let mut parts = Parts { program: making.program, found, copied, parts: Vec::new() };
        parts.ty(&mut Vec::new(), copied.ty, 0)?;
        Ok(parts.parts)
    }

    fn ty(&mut self, steps: &mut Vec<LayoutStep>, ty: QualType, offset: u64) -> Result<(), Refusal> {
        let ast = self.program.ast();
        let size = size_of(ast, ty).unwrap_or(0);
        let touched = |touch: &Touch| touch.target.touches(touch.size, offset, size.max(1));
        if !self.found.writes.iter().chain(&self.found.first_writes).any(touched) {
            // It never changes.
            return Ok(());
        }
        match ast.types.kind(ty.id).clone() {
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                let each = size_of(ast, element).unwrap_or(0);
                if length > MOST_PARTS as u64 {
                    return Err(self.refusal("has too many elements to guess them"));
                }
                for index in 0..length {
                    steps.push(LayoutStep::Element(index));
                    self.ty(steps, element, offset + index * each)?;
                    steps.pop();
                }
            }
            Type::Record(record) if ast.records[record].kind == RecordKind::Union => {
                self.union(steps, offset, size)?;
            }
            Type::Record(record) => {
                for (index, field) in (0_u32..).zip(ast.records[record].fields.as_deref().unwrap_or_default())
                {
                    if field.name.is_none() && field.width.is_some() {
                        continue;
                    }
                    let inner = offset + field.bit_offset / 8;
                    steps.push(LayoutStep::Field(record, index));
                    if field.width.is_some() {
                        let size = size_of(ast, field.ty).unwrap_or(1) + 1;
                        self.parts.push(Part { steps: steps.clone(), ty: field.ty, offset: inner, size });
                    } else {
                        self.ty(steps, field.ty, inner)?;
                    }
                    steps.pop();
                }
            }
            _ => self.parts.push(Part { steps: steps.clone(), ty, offset, size }),
        }
        Ok(())
    }

    /// A union is what it is accessed as; its single bytes where that is not clear.
    fn union(&mut self, steps: &mut Vec<LayoutStep>, offset: u64, size: u64) -> Result<(), Refusal> {
        let mut views: Vec<(u64, QualType, u64)> = Vec::new();
        let mut unclear = false;
        for touch in self.found.writes.iter().chain(&self.found.first_writes).chain(&self.found.reads) {
            let ty = QualType::plain(self.program.ast().types.unqualified(touch.ty));
            let scalar =
                !matches!(self.program.ast().types.kind(ty.id), Type::Array { .. } | Type::Record(_));
            let overlaps = touch.target.touches(touch.size, offset, size);
            unclear |= overlaps && (!scalar || touch.target.stride == 1);
            for inner in 0..size {
                let place = i64::try_from(offset + inner).unwrap_or(i64::MAX);
                let apart = place.abs_diff(touch.target.base);
                let stride = touch.target.stride;
                let here = if stride == 0 { apart == 0 } else { apart.is_multiple_of(stride) };
                let known = views.iter().any(|(place, _, length)| *place == inner && *length == touch.size);
                if here && scalar && stride != 1 && !known {
                    views.push((inner, ty, touch.size));
                }
            }
        }
        views.sort_by_key(|(place, _, length)| (*place, *length));
        unclear |= views.windows(2).any(|pair| pair[0].0 + pair[0].2 > pair[1].0);
        unclear |= views.last().is_some_and(|(place, _, length)| place + length > size);
        if unclear {
            let pointer = |view: &(u64, QualType, u64)| self.program.ast().types.pointee(view.1.id).is_some();
            if views.iter().any(pointer) {
                return Err(
                    self.refusal("has a union in it in which a pointer is also taken as something else")
                );
            }
            let byte = QualType::plain(Types::unsigned_char());
            views = (0..size).map(|inner| (inner, byte, 1)).collect();
        }
        for (inner, ty, length) in views {
            steps.push(LayoutStep::View(inner, ty));
            self.parts.push(Part { steps: steps.clone(), ty, offset: offset + inner, size: length });
            steps.pop();
        }
        Ok(())
    }

    fn refusal(&self, what: &str) -> Refusal {
        let text = self.program.var_text(self.copied.var);
        let message = format!("threads share `{text}`, which {what}");
        Refusal::new(self.program.ast().vars[self.copied.var].span, message)
    }
}
