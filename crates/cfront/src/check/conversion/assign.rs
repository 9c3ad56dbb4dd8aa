//! Conversion as if by assignment (C11 6.5.16.1), with gcc 12's severities: what it only warns about is accepted.

use raddle_base::Diagnostic;

use crate::ast::{Ast, CastKind, ExprId, ExprKind, RecordId};
use crate::check::compatible::compatible_unqualified;
use crate::check::conversion::arithmetic::unsigned_of;
use crate::check::conversion::{Conversions, is_null_constant, is_zero_constant};
use crate::check::shape::{Shape, shape};
use crate::types::{ArrayLength, IntKind, QualType, Qualifiers, TypeId};

/// Where a value is converted as if by assignment; for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignContext {
    /// `a = b`
    Assignment,
    /// `T a = b`
    Initialization,
    /// The n-th argument (from one) of a call of the named function.
    Argument(usize, Option<String>),
    /// `return b`
    Return,
}

impl AssignContext {
    fn words(&self) -> String {
        match self {
            Self::Assignment => "assignment".to_owned(),
            Self::Initialization => "initialization".to_owned(),
            Self::Argument(place, None) => format!("argument {place}"),
            Self::Argument(place, Some(function)) => format!("argument {place} of `{function}`"),
            Self::Return => "return".to_owned(),
        }
    }
}

/// How the targets of two pointers stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerTargets {
    /// Compatible, but for qualifiers.
    Compatible,
    /// Integers that differ in their sign only; gcc lets that pass without a word.
    OtherSign,
    /// One is `void`.
    Void,
    /// Nothing in common.
    Distinct,
}

/// How the targets of two pointers stand to each other, qualifiers aside.
pub(crate) fn compare_targets(ast: &Ast, left: QualType, right: QualType) -> PointerTargets {
    let types = &ast.types;
    let (left, right) = (types.canonical(left), types.canonical(right));
    let atomic = |ty: QualType| ty.qualifiers.contains(Qualifiers::ATOMIC);
    let (left_shape, right_shape) = (shape(ast, left.id), shape(ast, right.id));
    match (left_shape, right_shape) {
        (Shape::Error, _) | (_, Shape::Error) => return PointerTargets::Compatible,
        (Shape::Void, Shape::Void) => return PointerTargets::Compatible,
        (Shape::Void, _) if !atomic(left) => return PointerTargets::Void,
        (_, Shape::Void) if !atomic(right) => return PointerTargets::Void,
        // The qualifiers of an array are its elements', so they are left aside there too.
        (Shape::Array(left, left_length), Shape::Array(right, right_length)) => {
            let lengths = match (left_length, right_length) {
                (ArrayLength::Fixed(left), ArrayLength::Fixed(right)) => left == right,
                _ => true,
            };
            return if lengths && compare_targets(ast, left, right) == PointerTargets::Compatible {
                PointerTargets::Compatible
            } else {
                PointerTargets::Distinct
            };
        }
        _ => {}
    }
    // An atomic object is laid out and accessed in ways of its own, so a pointer to one is no pointer to
    // the other.
    if atomic(left) != atomic(right) {
        return PointerTargets::Distinct;
    }
    if compatible_unqualified(ast, left, right) {
        return PointerTargets::Compatible;
    }
    match (left_shape, right_shape) {
        (Shape::Int(left), Shape::Int(right)) if unsigned_of(left) == unsigned_of(right) => {
            PointerTargets::OtherSign
        }
        _ => PointerTargets::Distinct,
    }
}

/// The qualifiers of what a pointer points to; those of an array are its elements'.
pub(crate) fn target_qualifiers(ast: &Ast, target: QualType) -> Qualifiers {
    let mut target = ast.types.canonical(target);
    while let Shape::Array(element, _) = shape(ast, target.id) {
        target = ast.types.canonical(element.with(target.qualifiers));
    }
    target.qualifiers
}

impl Conversions<'_> {
    /// Converts a value (after [`rvalue`](crate::check::TreeBuilder::rvalue)) to `target` as if by assignment; reports what does not fit, as
    /// an error or a warning in the same cases as gcc.
    pub fn assign_convert(&mut self, value: ExprId, target: QualType, context: &AssignContext) -> ExprId {
        let from = self.tree.type_of(value);
        let goal_type = self.tree.ast.types.unqualified(target);
        // The most common case: nothing to convert, and nothing to say.
        if self.tree.ast.types.same(from.id, goal_type) {
            return if self.tree.shape_of(value) == Shape::Void { self.tree.void_use(value) } else { value };
        }
        let (source, goal) = (shape(&self.tree.ast, from.id), shape(&self.tree.ast, goal_type));
        match (source, goal) {
            (Shape::Error, _) | (_, Shape::Error) => return value,
            (Shape::Void, _) => return self.tree.void_use(value),
            (Shape::Pointer(from), Shape::Pointer(to)) => {
                self.check_pointers(value, from, to, target, context);
                return self.tree.convert(value, goal_type);
            }
            // Enumerations and truth values do not become pointers, not even zero.
            (Shape::Int(kind), Shape::Pointer(_) | Shape::VaList) if kind != IntKind::Bool => {
                if !is_zero_constant(&self.tree.ast, value) {
                    self.mismatch(
                        false,
                        value,
                        target,
                        context,
                        "makes a pointer from an integer without a cast",
                    );
                }
                return self.tree.convert(value, goal_type);
            }
            // A pointer converts to `_Bool` as to a truth value, to other integers with a warning, to enumerations never.
            (Shape::Pointer(_) | Shape::VaList, Shape::Int(kind)) => {
                if kind != IntKind::Bool {
                    self.mismatch(
                        false,
                        value,
                        target,
                        context,
                        "makes an integer from a pointer without a cast",
                    );
                }
                return self.tree.convert(value, goal_type);
            }
            // Two records are compatible only across units here; the bits stay as they are.
            (Shape::Record(_), Shape::Record(_))
                if compatible_unqualified(&self.tree.ast, from, QualType::plain(goal_type)) =>
            {
                return self.tree.cast(CastKind::NoOp, value, goal_type, false, self.tree.span(value));
            }
            (_, Shape::Record(record))
                if self.tree.ast.records[record].transparent
                    && matches!(context, AssignContext::Argument(..)) =>
            {
                if let Some(converted) = self.transparent_union(value, record, goal_type, context) {
                    return converted;
                }
            }
            _ if source.is_arithmetic() && goal.is_arithmetic() => {
                return self.tree.convert(value, goal_type);
            }
            _ if source.is_pointer() && goal.is_pointer() => return self.tree.convert(value, goal_type),
            _ => {}
        }
        // What is left has no conversion at all, not even one that gcc warns of.
        let (expected, found) = (self.tree.describe(target), self.tree.describe(from));
        let message =
            format!("incompatible types in {}: expected {expected}, found {found}", context.words());
        let diagnostic =
            Diagnostic::error(self.tree.span(value), message).label(format!("this has type {found}"));
        self.tree.diagnostics.push(diagnostic);
        self.tree.error_expr(self.tree.span(value))
    }

    fn check_pointers(
        &mut self,
        value: ExprId,
        from: QualType,
        to: QualType,
        target: QualType,
        context: &AssignContext,
    ) {
        match compare_targets(&self.tree.ast, to, from) {
            PointerTargets::Distinct => {
                // A null pointer constant such as `(void *)0` has a `void` target, so this is no null.
                self.mismatch(false, value, target, context, "uses an incompatible pointer type");
            }
            PointerTargets::Compatible | PointerTargets::OtherSign | PointerTargets::Void => {
                // `_Atomic` counts as part of the type and was compared above.
                let lost = target_qualifiers(&self.tree.ast, from)
                    .without(target_qualifiers(&self.tree.ast, to))
                    .without(Qualifiers::ATOMIC);
                let is_function = |target: QualType| shape(&self.tree.ast, target.id) == Shape::Function;
                if !lost.is_empty() && !is_function(from) && !is_function(to) {
                    let keywords: Vec<&str> = lost.keywords().collect();
                    let what = format!("discards `{}` from the pointer's target", keywords.join(" "));
                    self.mismatch(false, value, target, context, &what);
                }
            }
        }
    }

    fn mismatch(
        &mut self,
        error: bool,
        value: ExprId,
        target: QualType,
        context: &AssignContext,
        what: &str,
    ) {
        let (expected, found) = (self.tree.describe(target), self.tree.describe(self.tree.type_of(value)));
        let message = format!("{} {what}", context.words());
        let span = self.tree.span(value);
        let diagnostic =
            if error { Diagnostic::error(span, message) } else { Diagnostic::warning(span, message) };
        self.tree.diagnostics.push(diagnostic.label(format!("expected {expected}, found {found}")));
    }

    /// An argument becomes the transparent union that has a member for it.
    fn transparent_union(
        &mut self,
        value: ExprId,
        record: RecordId,
        target: TypeId,
        context: &AssignContext,
    ) -> Option<ExprId> {
        let from = self.tree.type_of(value);
        let members: Vec<QualType> =
            self.tree.ast.records[record].fields.as_deref()?.iter().map(|member| member.ty).collect();
        // A member of just this type comes before one that the value could be converted to.
        let exact =
            members.iter().copied().find(|&member| compatible_unqualified(&self.tree.ast, member, from));
        let chosen = exact.or_else(|| {
            members.into_iter().find(|member| {
                match (shape(&self.tree.ast, member.id), self.tree.shape_of(value)) {
                    (Shape::Pointer(to), Shape::Pointer(from)) => {
                        compare_targets(&self.tree.ast, to, from) != PointerTargets::Distinct
                    }
                    (Shape::Pointer(_), _) => is_null_constant(&self.tree.ast, value),
                    _ => false,
                }
            })
        })?;
        let value = self.assign_convert(value, chosen, context);
        if matches!(self.tree.ast.exprs[value].kind, ExprKind::Error) {
            return Some(value);
        }
        Some(self.tree.cast(CastKind::ToUnion, value, target, false, self.tree.span(value)))
    }
}
