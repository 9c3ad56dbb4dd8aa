//! Accesses stay in the copy of their round.
//!
//! The copies of an object lie side by side, so behind the end of one the next begins. In the input nothing lies there, and a
//! thread that gets there ends. So what might leave its copy is made to end there too: by an assumption in the expression, just
//! before the access. What is out of all copies is nobody's memory in the sequential program either, and left to that.
//!
//! An access that is in its object is never stopped; that of an array in an object may go on behind the array, as in the input.

use indexmap::IndexMap;
use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, CastKind, ExprId, ExprKind, FunctionId, UnaryOp, VarId};
use raddle_cfront::layout::size_of;
use raddle_cfront::types::{Type, Types};
use rustc_hash::FxBuildHasher;

use super::accesses::{LvalueAccess, Way, is_bit_field};
use super::points::Object;
use super::rewrite::{Copied, copy};
use crate::copy::copy_expr;
use crate::program::Program;

/// Which objects an access might leave one copy of for another.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// The lvalue that is accessed; none for what a pointer leads to that a built-in function is given.
    place: Option<ExprId>,
    way: Way,
    /// The objects, and the last offsets in them where the access has room; none if it has none anywhere.
    objects: Vec<(VarId, Option<u64>)>,
    /// Whether the access can be nowhere but in the only object.
    only: bool,
}

impl Check {
    /// Whether the access is by name.
    pub(super) const fn is_name(&self) -> bool {
        matches!(self.way, Way::Name(..))
    }
}

/// What has to be checked of an access, given the objects with copies. Their types are still those of one copy.
pub(super) fn check(
    program: &Program,
    access: &LvalueAccess,
    strides: &IndexMap<VarId, u64, FxBuildHasher>,
) -> Option<Check> {
    // A number may be any address.
    let anywhere = access.targets.contains(Object::Number);
    let mut objects: Vec<(VarId, Option<u64>)> = Vec::new();
    for target in access.targets.iter() {
        let Object::Var(var) = target.object else { continue };
        if !strides.contains_key(&var) || objects.iter().any(|(known, _)| *known == var) {
            continue;
        }
        let size = size_of(program.ast(), program.ast().vars[var].ty).unwrap_or(0);
        let last = size.checked_sub(access.least);
        let is_inside = target.stride == 0
            && u64::try_from(target.base).is_ok_and(|base| last.is_some_and(|last| base <= last));
        if anywhere || !is_inside {
            objects.push((var, last));
        }
    }
    let memory = access.targets.iter().filter(|target| target.object.is_memory());
    let mut memory: Vec<Object> = memory.map(|target| target.object).collect();
    memory.dedup();
    let only = memory.len() == 1 && access.place.is_some() && !access.targets.contains(Object::Unknown);
    let check = Check { place: access.place, way: access.way, objects, only };
    (!check.objects.is_empty()).then_some(check)
}

/// Puts checks into expressions.
pub(super) struct Within<'p> {
    pub(super) program: &'p mut Program,
    pub(super) ensure: FunctionId,
    /// The variable with the number of the copy; the first copy if there is none.
    pub(super) number: Option<VarId>,
    pub(super) all: &'p IndexMap<VarId, Copied, FxBuildHasher>,
    pub(super) rounds: u64,
}

impl Within<'_> {
    /// Holds an access in its copy that starts from this name or pointer.
    pub(super) fn hold(&mut self, from: ExprId, check: &Check) {
        let holder = match (check.way, check.place) {
            (Way::Pointer(_), _) => from,
            (Way::Name(..), Some(place)) => match last_index(self.program, place) {
                Some(index) => index,
                None => return,
            },
            (Way::Name(..) | Way::Declaration(_), _) => return,
        };
        let mut condition: Option<ExprId> = None;
        for &(var, last) in &check.objects {
            let Some(&copied) = self.all.get(&var) else { continue };
            let inside = self.inside(from, check, copied, last);
            condition = Some(match condition {
                None => inside,
                Some(before) => {
                    self.program.tree.operators().binary(BinaryOp::And, before, inside, Span::NONE)
                }
            });
        }
        if let Some(condition) = condition {
            ensure_before(self.program, self.ensure, holder, condition);
        }
    }

    /// Whether the access lies in its copy of the object, or in none.
    fn inside(&mut self, from: ExprId, check: &Check, copied: Copied, last: Option<u64>) -> ExprId {
        let span = Span::NONE;
        let number = match self.number {
            Some(round) => self.program.var(round, span),
            None => self.program.int(0, span),
        };
        let inside = match last {
            Some(last) => {
                let distance = self.distance(from, check, copied, number);
                let last = self.program.int(i128::from(last), span);
                self.program.tree.operators().binary(BinaryOp::LessEqual, distance, last, span)
            }
            None => self.program.int(0, span),
        };
        if check.only {
            return inside;
        }
        let size = size_of(self.program.ast(), copied.ty).unwrap_or(0);
        let whole = size.saturating_mul(copied.padding.max(1)).saturating_mul(self.rounds);
        let first = self.program.int(0, span);
        let distance = self.distance(from, check, copied, first);
        let whole = self.program.int(i128::from(whole), span);
        let outside = self.program.tree.operators().binary(BinaryOp::GreaterEqual, distance, whole, span);
        self.program.tree.operators().binary(BinaryOp::Or, inside, outside, span)
    }

    /// How many bytes the access lies behind the beginning of a copy; what lies before it is very far behind.
    fn distance(&mut self, from: ExprId, check: &Check, copied: Copied, number: ExprId) -> ExprId {
        let span = Span::NONE;
        if let Some(place) = check.place
            && let Some((index, size)) = plain_index(self.program, place, from)
        {
            return self.bytes(index, size);
        }
        let address = match check.place {
            Some(place) => address(self.program, place),
            None => copy_expr(self.program, from),
        };
        let address = self.program.bare(address);
        let begin = copy(self.program, copied, number, span);
        let begin = self.program.tree.operators().unary(UnaryOp::AddressOf, begin, span);
        let wide = Types::unsigned_long().into();
        let address = self.program.tree.explicit_cast(address, wide, span);
        let begin = self.program.tree.explicit_cast(begin, wide, span);
        self.program.tree.operators().binary(BinaryOp::Sub, address, begin, span)
    }

    /// How many bytes so many elements have.
    fn bytes(&mut self, count: ExprId, size: u64) -> ExprId {
        let span = Span::NONE;
        let count = copy_expr(self.program, count);
        let count = self.program.bare(count);
        let count = self.program.tree.explicit_cast(count, Types::unsigned_long().into(), span);
        if size == 1 {
            return count;
        }
        let size = self.program.int(i128::from(size), span);
        self.program.tree.operators().binary(BinaryOp::Mul, count, size, span)
    }
}

/// The address of an lvalue; of what is around it where it has none of its own.
pub(super) fn address(program: &mut Program, place: ExprId) -> ExprId {
    let ast = program.ast();
    match ast.exprs[place].kind {
        ExprKind::Member { base, arrow, .. } if is_bit_field(ast, place) => {
            if arrow {
                copy_expr(program, base)
            } else {
                address(program, base)
            }
        }
        ExprKind::Index { base, .. } if is_vector(program, base) => address(program, base),
        _ => {
            let place = copy_expr(program, place);
            program.tree.operators().unary(UnaryOp::AddressOf, place, Span::NONE)
        }
    }
}

/// `(__raddle_ensure(condition), value)` in place of a value.
pub(super) fn ensure_before(program: &mut Program, ensure: FunctionId, value: ExprId, condition: ExprId) {
    let assumption = program.call(ensure, vec![condition], Span::NONE);
    let value = written_value(program, value);
    let old = program.ast().exprs[value].clone();
    let old = program.ast_mut().exprs.push(old);
    let bare = program.bare(old);
    let held = program.tree.primaries().comma(assumption, bare);
    let held = program.ast().exprs[held].clone();
    program.ast_mut().exprs[value] = held;
}

/// What is written of a value, as a value: conversions that come by themselves are made of what stands there.
fn written_value(program: &Program, mut value: ExprId) -> ExprId {
    let ast = program.ast();
    while let ExprKind::Cast { operand, explicit: false, .. } = ast.exprs[value].kind
        && !ast.exprs[operand].lvalue
    {
        value = operand;
    }
    value
}

/// For an element of an array that has this name: its number, and the size of an element.
fn plain_index(program: &Program, place: ExprId, name: ExprId) -> Option<(ExprId, u64)> {
    let ast = program.ast();
    let ExprKind::Index { base, index } = ast.exprs[place].kind else { return None };
    match ast.exprs[base].kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } if operand == name => {
            Some((index, size_of(ast, ast.exprs[place].ty).ok()?))
        }
        _ => None,
    }
}

fn is_vector(program: &Program, expr: ExprId) -> bool {
    matches!(program.ast().types.kind(program.ast().exprs[expr].ty.id), Type::Vector { .. })
}

/// The number that is evaluated last on the way from a name to a subobject of what it names. Without one the subobject is inside.
fn last_index(program: &Program, mut place: ExprId) -> Option<ExprId> {
    let ast = program.ast();
    let decayed = |expr: ExprId| match ast.exprs[expr].kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => Some(operand),
        _ => None,
    };
    loop {
        place = match ast.exprs[place].kind {
            ExprKind::Index { base, index } => {
                return Some(if decayed(base).is_none() && decayed(index).is_some() { base } else { index });
            }
            ExprKind::Member { base, arrow: false, .. } => base,
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, operand) => operand,
            ExprKind::Unary(UnaryOp::Deref, operand) => decayed(operand)?,
            _ => return None,
        };
    }
}
