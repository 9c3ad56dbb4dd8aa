//! `__sync_*` and `__atomic_*`: generic over what the first argument points to.

use raddle_base::Span;

use super::{AtomicOp, Builtin, ClangForm};
use crate::ast::{BinaryOp, ExprId};
use crate::check::Builtins;
use crate::check::conversion::AssignContext;
use crate::check::conversion::arithmetic::int_type;
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{IntKind, QualType, Qualifiers, TypeId, Types};

/// What an argument of a synchronisation built-in is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    /// A value of the type pointed to, converted without a word.
    Value,
    /// A pointer to an object of the same size.
    Pointer,
    /// A memory order, or the flag for a weak exchange.
    Int,
}

/// What follows the first argument, and whether further arguments are let pass (as `__sync_*` does).
fn parameters(builtin: Builtin) -> Option<(&'static [Parameter], bool)> {
    use Parameter::{Int, Pointer, Value};
    Some(match builtin {
        Builtin::SyncFetch(_) | Builtin::SyncOpFetch(_) | Builtin::SyncLockTestAndSet | Builtin::SyncSwap => {
            (&[Value], true)
        }
        Builtin::SyncBoolCompareAndSwap | Builtin::SyncValCompareAndSwap => (&[Value, Value], true),
        Builtin::SyncLockRelease => (&[], true),
        Builtin::AtomicLoadN => (&[Int], false),
        Builtin::AtomicLoad | Builtin::AtomicStore => (&[Pointer, Int], false),
        Builtin::AtomicStoreN
        | Builtin::AtomicExchangeN
        | Builtin::AtomicFetch(_)
        | Builtin::AtomicOpFetch(_) => (&[Value, Int], false),
        Builtin::AtomicExchange => (&[Pointer, Pointer, Int], false),
        Builtin::AtomicCompareExchangeN => (&[Pointer, Value, Int, Int, Int], false),
        Builtin::AtomicCompareExchange => (&[Pointer, Pointer, Int, Int, Int], false),
        _ => return None,
    })
}

/// Whether the built-in works on the bits of any object, not on an integer or pointer value.
fn takes_any_object(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::AtomicLoad | Builtin::AtomicStore | Builtin::AtomicExchange | Builtin::AtomicCompareExchange
    )
}

/// Whether the built-in writes what its first argument points to.
fn writes(builtin: Builtin) -> bool {
    !matches!(builtin, Builtin::AtomicLoadN | Builtin::AtomicLoad)
}

impl Builtins<'_> {
    pub(super) fn atomic_call(&mut self, builtin: Builtin, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let Some((expected, more)) = parameters(builtin) else {
            return self.plain_atomic_call(builtin, arguments, span);
        };
        let count = expected.len() + 1;
        let limit = if more { usize::MAX } else { count };
        if !self.expect_arguments(builtin, &arguments, count..=limit, span) {
            return self.tree.error_expr(span);
        }
        // All arguments become values before any is looked at, so that messages come in the order of the
        // text.
        let mut values = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        let Some(target) = self.atomic_target(builtin, values[0], span) else {
            return self.tree.error_expr(span);
        };
        let object = self.tree.ast.types.unqualified(target);
        for (place, &parameter) in expected.iter().enumerate() {
            let value = values[place + 1];
            let Some(value) = self.atomic_argument(builtin, value, place + 2, parameter, object, span) else {
                return self.tree.error_expr(span);
            };
            values[place + 1] = value;
        }
        // Whatever else `__sync_*` is given names variables to be protected; it means nothing.
        values.truncate(count);
        let ty = match builtin {
            Builtin::SyncBoolCompareAndSwap
            | Builtin::AtomicCompareExchangeN
            | Builtin::AtomicCompareExchange => Types::bool(),
            Builtin::SyncLockRelease
            | Builtin::AtomicLoad
            | Builtin::AtomicStoreN
            | Builtin::AtomicStore
            | Builtin::AtomicExchange => Types::void(),
            _ => object,
        };
        self.builtin_expr(builtin, values, ty, span)
    }

    /// What the first argument points to, if the built-in works on it.
    fn atomic_target(&mut self, builtin: Builtin, pointer: ExprId, span: Span) -> Option<QualType> {
        let Shape::Pointer(target) = self.tree.shape_of(pointer) else {
            self.bad_argument(builtin, 1, pointer, "must be a pointer", span);
            return None;
        };
        let found = shape(&self.tree.ast, target.id);
        let size = layout::size_of(&self.tree.ast, target);
        if takes_any_object(builtin) {
            if matches!(found, Shape::Void | Shape::Function) || !size.is_ok_and(|bytes| bytes > 0) {
                self.bad_argument(builtin, 1, pointer, "must point to an object of constant size", span);
                return None;
            }
        } else {
            let is_arithmetic = matches!(
                builtin,
                Builtin::SyncFetch(_)
                    | Builtin::SyncOpFetch(_)
                    | Builtin::AtomicFetch(_)
                    | Builtin::AtomicOpFetch(_)
            );
            let kind_fits = match found {
                Shape::Int(IntKind::Bool) => !is_arithmetic,
                Shape::Pointer(_) => true,
                other => other.is_integer(),
            };
            if !kind_fits || !size.is_ok_and(|bytes| matches!(bytes, 1 | 2 | 4 | 8 | 16)) {
                self.bad_argument(builtin, 1, pointer, "must point to an integer or pointer", span);
                return None;
            }
        }
        if writes(builtin) {
            self.warn_read_only(builtin, 1, pointer, target);
        }
        Some(target)
    }

    fn atomic_argument(
        &mut self,
        builtin: Builtin,
        value: ExprId,
        place: usize,
        parameter: Parameter,
        object: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        // Each argument is judged by the object that the first one points to, with its qualifiers left aside.
        match parameter {
            Parameter::Int => Some(self.order_argument(builtin, value, place)),
            Parameter::Value => match self.tree.cast_kind(value, object) {
                Some(_) if self.tree.shape_of(value) != Shape::Void => Some(self.tree.convert(value, object)),
                _ => {
                    self.bad_argument(
                        builtin,
                        place,
                        value,
                        "does not convert to the type of the object",
                        span,
                    );
                    None
                }
            },
            Parameter::Pointer => {
                let Shape::Pointer(target) = self.tree.shape_of(value) else {
                    // An integer is let pass where a plain pointer parameter would only warn.
                    if builtin == Builtin::AtomicCompareExchangeN && self.tree.shape_of(value).is_integer() {
                        let pointer = self.tree.ast.types.pointer_to(object.into());
                        let context = AssignContext::Argument(place, Some(self.builtin_text(builtin)));
                        return Some(self.tree.assign_convert(value, pointer.into(), &context));
                    }
                    self.bad_argument(builtin, place, value, "must be a pointer", span);
                    return None;
                };
                // The pointer to the expected value may point to a signed or unsigned twin; the conversion
                // warns of others.
                if builtin == Builtin::AtomicCompareExchangeN {
                    let pointer = self.tree.ast.types.pointer_to(object.into());
                    let context = AssignContext::Argument(place, Some(self.builtin_text(builtin)));
                    return Some(self.tree.assign_convert(value, pointer.into(), &context));
                }
                if layout::size_of(&self.tree.ast, target) != layout::size_of(&self.tree.ast, object.into()) {
                    self.bad_argument(
                        builtin,
                        place,
                        value,
                        "must point to an object of the same size",
                        span,
                    );
                    return None;
                }
                // These arguments are written through.
                let written = matches!(
                    (builtin, place),
                    (Builtin::AtomicLoad | Builtin::AtomicCompareExchange, 2) | (Builtin::AtomicExchange, 3)
                );
                if written {
                    self.warn_read_only(builtin, place, value, target);
                }
                Some(value)
            }
        }
    }

    /// gcc only warns when a `const` object is written to.
    fn warn_read_only(&mut self, builtin: Builtin, place: usize, pointer: ExprId, target: QualType) {
        if self.tree.ast.types.qualifiers(target).contains(Qualifiers::CONST) {
            let name = self.builtin_text(builtin);
            self.tree
                .warning(self.tree.span(pointer), format!("argument {place} of `{name}` discards `const`"));
        }
    }

    fn order_argument(&mut self, builtin: Builtin, value: ExprId, place: usize) -> ExprId {
        let context = AssignContext::Argument(place, Some(self.builtin_text(builtin)));
        self.tree.assign_convert(value, Types::int().into(), &context)
    }

    /// Those that do not look at what a pointer points to.
    fn plain_atomic_call(&mut self, builtin: Builtin, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let (pointer, order, ty) = match builtin {
            Builtin::AtomicTestAndSet => (true, true, Types::bool()),
            Builtin::AtomicClear => (true, true, Types::void()),
            Builtin::AtomicThreadFence | Builtin::AtomicSignalFence => (false, true, Types::void()),
            _ => (false, false, Types::void()),
        };
        let count = usize::from(pointer) + usize::from(order);
        if !self.expect_arguments(builtin, &arguments, count..=count, span) {
            return self.tree.error_expr(span);
        }
        let mut values = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        // `volatile void *` takes any pointer; the object stays as it is for lowering to see.
        if pointer && !self.tree.shape_of(values[0]).is_pointer() {
            let context = AssignContext::Argument(1, Some(self.builtin_text(builtin)));
            values[0] = self.tree.assign_convert(values[0], Types::void_pointer().into(), &context);
        }
        if order {
            let last = count - 1;
            values[last] = self.order_argument(builtin, values[last], count);
        }
        self.builtin_expr(builtin, values, ty, span)
    }

    /// One of clang's built-ins, as ours. Its sums on pointers count in elements, which ours do not.
    pub(in crate::check) fn clang_call(
        &mut self,
        builtin: Builtin,
        form: ClangForm,
        mut arguments: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        match form {
            ClangForm::Same => {}
            ClangForm::Relaxed => arguments.push(self.tree.answer(0, span)),
            ClangForm::Exchange { weak } => {
                let weak = self.tree.answer(i128::from(weak), span);
                arguments.insert(arguments.len().min(3), weak);
            }
        }
        // Of pointers clang counts in elements and gcc in bytes: the count is scaled here, so that one
        // meaning is left.
        if let (Builtin::AtomicFetch(op), Some(&first), Some(&count)) =
            (builtin, arguments.first(), arguments.get(1))
            && let Shape::Pointer(target) = self.tree.shape_of(first)
            && let Some(element) = self.tree.ast.types.pointee(target.id)
        {
            let size =
                layout::size_of(&self.tree.ast, element).ok().and_then(|size| i32::try_from(size).ok());
            let (AtomicOp::Add | AtomicOp::Sub, Some(size)) = (op, size) else {
                self.tree.error(
                    span,
                    "pointers can only be moved by `__c11_atomic_fetch_…`, by complete elements",
                );
                return self.tree.error_expr(span);
            };
            let count = self.tree.rvalue(count);
            let count = self.tree.explicit_cast(count, int_type(IntKind::Long).into(), self.tree.span(count));
            let size = self.tree.answer(i128::from(size), span);
            arguments[1] = self.tree.operators().binary(BinaryOp::Mul, count, size, span);
        }
        self.atomic_call(builtin, arguments, span)
    }

    /// The form for one size: pointers are cast to pointers to an unsigned integer of that size, then it is the general form.
    pub(in crate::check) fn sized_call(
        &mut self,
        builtin: Builtin,
        bytes: u64,
        mut arguments: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let candidates = [
            IntKind::UnsignedChar,
            IntKind::UnsignedShort,
            IntKind::UnsignedInt,
            IntKind::UnsignedLong,
            IntKind::UnsignedLongLong,
            IntKind::UnsignedInt128,
        ];
        let kind = candidates.into_iter().find(|&kind| self.tree.ast.model.int_bytes(kind) == bytes);
        let object = int_type(kind.unwrap_or(IntKind::UnsignedInt));
        let shared = QualType { id: object, qualifiers: Qualifiers::VOLATILE };
        let pointers = if builtin == Builtin::AtomicCompareExchangeN { 2 } else { 1 };
        for (place, argument) in arguments.iter_mut().take(pointers).enumerate() {
            let target = if place == 0 { shared } else { object.into() };
            let pointer = self.tree.ast.types.pointer_to(target);
            let value = self.tree.rvalue(*argument);
            if self.tree.shape_of(value).is_integer() {
                let name = self.builtin_text(builtin);
                self.tree.warning(
                    self.tree.span(value),
                    format!("argument {} of `{name}` is no pointer", place + 1),
                );
            }
            let shape = self.tree.shape_of(value);
            // An explicit cast is left out where it would change nothing, because it would be printed.
            let goes = (shape.is_pointer() || shape.is_integer())
                && !self.tree.ast.types.same(self.tree.type_of(value).id, pointer);
            *argument = if goes {
                self.tree.explicit_cast(value, pointer.into(), self.tree.span(value))
            } else {
                value
            };
        }
        self.atomic_call(builtin, arguments, span)
    }
}
