//! Calls of built-ins that take arguments of many types.

use raddle_base::Span;

use super::Builtin;
use crate::ast::{ExprId, ExprKind};
use crate::check::Builtins;
use crate::check::conversion::AssignContext;
use crate::check::conversion::arithmetic::{Arithmetic, common};
use crate::check::shape::{Shape, shape};
use crate::types::{IntKind, QualType, Qualifiers, Type, TypeId, Types};

impl Builtins<'_> {
    /// Adds the node of a checked call.
    pub(super) fn builtin_expr(
        &mut self,
        builtin: Builtin,
        arguments: Vec<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        self.tree.expr(ExprKind::Builtin { builtin, arguments: arguments.into() }, ty, false, span)
    }

    pub(super) fn builtin_text(&self, builtin: Builtin) -> String {
        builtin.name(&self.tree.ast.names).into_owned()
    }

    /// Whether there are as many arguments as wanted; reports otherwise.
    pub(super) fn expect_arguments(
        &mut self,
        builtin: Builtin,
        arguments: &[ExprId],
        wanted: std::ops::RangeInclusive<usize>,
        span: Span,
    ) -> bool {
        if wanted.contains(&arguments.len()) {
            return true;
        }
        let few = if arguments.len() < *wanted.start() { "few" } else { "many" };
        let (name, found) = (self.builtin_text(builtin), arguments.len());
        let (low, high) = (wanted.start(), wanted.end());
        let expected = if low == high { low.to_string() } else { format!("{low} to {high}") };
        self.tree.error(span, format!("too {few} arguments to `{name}`: expected {expected}, found {found}"));
        false
    }

    /// A complaint about one argument.
    pub(super) fn bad_argument(
        &mut self,
        builtin: Builtin,
        place: usize,
        argument: ExprId,
        what: &str,
        span: Span,
    ) -> ExprId {
        let name = self.builtin_text(builtin);
        let described = self.tree.describe(self.tree.type_of(argument));
        self.tree.error(
            self.tree.span(argument),
            format!("argument {place} of `{name}` {what}, found {described}"),
        );
        self.tree.error_expr(span)
    }

    pub(in crate::check) fn generic_call(
        &mut self,
        builtin: Builtin,
        arguments: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        match builtin {
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => self.va_call(builtin, arguments, span),
            Builtin::Overflow(_) | Builtin::OverflowPredicate(_) => {
                self.overflow_call(builtin, arguments, span)
            }
            Builtin::FloatTest(_) | Builtin::FloatCompare(_) | Builtin::FloatClassify => {
                self.float_call(builtin, arguments, span)
            }
            Builtin::Complex => self.complex_call(arguments, span),
            Builtin::Shuffle => self.shuffle_call(arguments, span),
            Builtin::ShuffleVector => self.shuffle_vector_call(arguments, span),
            Builtin::SpeculationSafeValue => {
                if !self.expect_arguments(builtin, &arguments, 1..=2, span) {
                    return self.tree.error_expr(span);
                }
                let values = self.values(arguments);
                let ty = self.tree.type_of(values[0]).id;
                self.builtin_expr(builtin, values, ty, span)
            }
            Builtin::Machine(_) => {
                let values = self.values(arguments);
                self.builtin_expr(builtin, values, Types::error(), span)
            }
            // The parser reads the type and calls `convert_vector` itself.
            Builtin::ConvertVector => self.tree.error_expr(span),
            Builtin::SyncFetch(_)
            | Builtin::SyncOpFetch(_)
            | Builtin::SyncBoolCompareAndSwap
            | Builtin::SyncValCompareAndSwap
            | Builtin::SyncLockTestAndSet
            | Builtin::SyncSwap
            | Builtin::SyncLockRelease
            | Builtin::SyncSynchronize
            | Builtin::AtomicLoadN
            | Builtin::AtomicLoad
            | Builtin::AtomicStoreN
            | Builtin::AtomicStore
            | Builtin::AtomicExchangeN
            | Builtin::AtomicExchange
            | Builtin::AtomicCompareExchangeN
            | Builtin::AtomicCompareExchange
            | Builtin::AtomicFetch(_)
            | Builtin::AtomicOpFetch(_)
            | Builtin::AtomicTestAndSet
            | Builtin::AtomicClear
            | Builtin::AtomicThreadFence
            | Builtin::AtomicSignalFence => self.atomic_call(builtin, arguments, span),
        }
    }

    /// The arguments as values.
    pub(super) fn values(&mut self, arguments: Vec<ExprId>) -> Vec<ExprId> {
        arguments.into_iter().map(|argument| self.tree.rvalue(argument)).collect()
    }

    fn va_call(&mut self, builtin: Builtin, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let count = match builtin {
            Builtin::VaStart => 1..=2,
            Builtin::VaCopy => 2..=2,
            _ => 1..=1,
        };
        if !self.expect_arguments(builtin, &arguments, count, span) {
            return self.tree.error_expr(span);
        }
        let name = self.builtin_text(builtin);
        let lists = if builtin == Builtin::VaCopy { 2 } else { 1 };
        for &list in &arguments[..lists] {
            if !self.tree.primaries().is_va_list(list, &name) {
                return self.tree.error_expr(span);
            }
        }
        if builtin == Builtin::VaStart && !self.in_variadic_function() {
            self.tree.error(span, "`va_start` in a function with fixed arguments");
            return self.tree.error_expr(span);
        }
        self.builtin_expr(builtin, arguments, Types::void(), span)
    }

    fn in_variadic_function(&self) -> bool {
        let Some(function) = self.function else { return false };
        match self.tree.ast.types.kind(self.tree.ast.functions[function].ty.id) {
            Type::Function(function) => function.variadic,
            _ => true,
        }
    }

    fn overflow_call(&mut self, builtin: Builtin, arguments: Vec<ExprId>, span: Span) -> ExprId {
        if !self.expect_arguments(builtin, &arguments, 3..=3, span) {
            return self.tree.error_expr(span);
        }
        let values = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        for (place, &value) in values[..2].iter().enumerate() {
            if !self.tree.shape_of(value).is_integer() {
                return self.bad_argument(builtin, place + 1, value, "must be an integer", span);
            }
        }
        // `_Bool` and enumerations are integers and yet refused, as gcc does.
        let plain = |shape: Shape| matches!(shape, Shape::Int(kind) if kind != IntKind::Bool);
        let fits = match (builtin, self.tree.shape_of(values[2])) {
            (Builtin::OverflowPredicate(_), found) => plain(found),
            (_, Shape::Pointer(target)) => {
                plain(shape(&self.tree.ast, target.id))
                    && !self.tree.ast.types.qualifiers(target).contains(Qualifiers::CONST)
            }
            _ => false,
        };
        if !fits {
            let what = match builtin {
                Builtin::OverflowPredicate(_) => {
                    "must be an integer that is neither `_Bool` nor an enumeration"
                }
                _ => "must point to an integer that is neither `const`, `_Bool` nor an enumeration",
            };
            return self.bad_argument(builtin, 3, values[2], what, span);
        }
        self.builtin_expr(builtin, values, Types::bool(), span)
    }

    fn float_call(&mut self, builtin: Builtin, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let (integers, floats) = match builtin {
            Builtin::FloatCompare(_) => (0, 2),
            Builtin::FloatClassify => (5, 1),
            _ => (0, 1),
        };
        let count = integers + floats;
        if !self.expect_arguments(builtin, &arguments, count..=count, span) {
            return self.tree.error_expr(span);
        }
        let mut values = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        for value in &mut values[..integers] {
            *value = self.tree.assign_convert(*value, Types::int().into(), &AssignContext::Assignment);
        }
        if let (Builtin::FloatCompare(_), [left, right]) = (builtin, values.as_slice()) {
            let (left, right) = (*left, *right);
            let real = |shape: Shape| shape.is_float() || shape.is_integer();
            let fits = real(self.tree.shape_of(left))
                && real(self.tree.shape_of(right))
                && (self.tree.shape_of(left).is_float() || self.tree.shape_of(right).is_float());
            let Some((left, right, _)) = fits.then(|| self.tree.usual_conversions(left, right)).flatten()
            else {
                let name = self.builtin_text(builtin);
                return self.tree.bad_operands(&name, left, right, span);
            };
            return self.builtin_expr(builtin, vec![left, right], Types::int(), span);
        }
        let value = values[integers];
        if !self.tree.shape_of(value).is_float() {
            return self.bad_argument(builtin, integers + 1, value, "must be a floating value", span);
        }
        self.builtin_expr(builtin, values, Types::int(), span)
    }

    fn complex_call(&mut self, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let builtin = Builtin::Complex;
        if !self.expect_arguments(builtin, &arguments, 2..=2, span) {
            return self.tree.error_expr(span);
        }
        let values = self.values(arguments);
        match (self.tree.shape_of(values[0]), self.tree.shape_of(values[1])) {
            (Shape::Error, _) | (_, Shape::Error) => self.tree.error_expr(span),
            (Shape::Float(left), Shape::Float(right)) if left == right => {
                let ty = self.tree.arithmetic_type(Arithmetic::Complex(left));
                self.builtin_expr(builtin, values, ty, span)
            }
            _ => {
                let name = self.builtin_text(builtin);
                self.tree.bad_operands(&name, values[0], values[1], span)
            }
        }
    }

    fn shuffle_call(&mut self, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let builtin = Builtin::Shuffle;
        if !self.expect_arguments(builtin, &arguments, 2..=3, span) {
            return self.tree.error_expr(span);
        }
        let values = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        let (first, mask) = (values[0], values[values.len() - 1]);
        let ty = self.tree.type_of(first).id;
        let Shape::Vector(element, lanes) = self.tree.shape_of(first) else {
            return self.bad_argument(builtin, 1, first, "must be a vector", span);
        };
        if values.len() == 3 && !self.tree.ast.types.same(ty, self.tree.type_of(values[1]).id) {
            return self.bad_argument(
                builtin,
                2,
                values[1],
                "must be a vector of the same type as the first",
                span,
            );
        }
        let fits = match self.tree.shape_of(mask) {
            Shape::Vector(mask_element, mask_lanes) => {
                let size = |id| crate::layout::size_of(&self.tree.ast, QualType::plain(id));
                shape(&self.tree.ast, mask_element).is_integer()
                    && mask_lanes == lanes
                    && size(mask_element) == size(element)
            }
            _ => false,
        };
        if !fits {
            return self.bad_argument(
                builtin,
                values.len(),
                mask,
                "must be an integer vector of the same lanes",
                span,
            );
        }
        self.builtin_expr(builtin, values, ty, span)
    }

    fn shuffle_vector_call(&mut self, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let builtin = Builtin::ShuffleVector;
        if !self.expect_arguments(builtin, &arguments, 3..=usize::MAX, span) {
            return self.tree.error_expr(span);
        }
        let values = self.values(arguments);
        for (place, &value) in values.iter().enumerate() {
            match (place, self.tree.shape_of(value)) {
                (_, Shape::Error) => return self.tree.error_expr(span),
                (0 | 1, Shape::Vector(..)) => {}
                (0 | 1, _) => return self.bad_argument(builtin, place + 1, value, "must be a vector", span),
                _ => {
                    if self.tree.integer_constant(value, "index of `__builtin_shufflevector`").is_none() {
                        return self.tree.error_expr(span);
                    }
                }
            }
        }
        let Shape::Vector(element, _) = self.tree.shape_of(values[0]) else {
            return self.tree.error_expr(span);
        };
        let lanes = values.len() as u64 - 2;
        if !lanes.is_power_of_two() {
            self.tree.error(span, "`__builtin_shufflevector` must give a power of two of lanes");
            return self.tree.error_expr(span);
        }
        let ty = self.tree.ast.types.intern(Type::Vector { element, lanes });
        self.builtin_expr(builtin, values, ty, span)
    }

    /// `__builtin_convertvector(argument, ty)`
    pub fn convert_vector(&mut self, argument: ExprId, ty: QualType, span: Span) -> ExprId {
        let value = self.tree.rvalue(argument);
        match (self.tree.shape_of(value), shape(&self.tree.ast, ty.id)) {
            (Shape::Error, _) | (_, Shape::Error) => self.tree.error_expr(span),
            (Shape::Vector(_, from), Shape::Vector(_, to)) if from == to => {
                let ty = self.tree.ast.types.unqualified(ty);
                self.builtin_expr(Builtin::ConvertVector, vec![value], ty, span)
            }
            _ => {
                let (from, to) = (self.tree.describe(self.tree.type_of(value)), self.tree.describe(ty));
                self.tree.error(
                    span,
                    format!(
                        "`__builtin_convertvector` needs vectors of as many lanes, found {from} and {to}"
                    ),
                );
                self.tree.error_expr(span)
            }
        }
    }

    /// The common arithmetic type of several values, for type-generic mathematics.
    pub(super) fn common_of(&self, kinds: impl Iterator<Item = Arithmetic>) -> Option<Arithmetic> {
        let mut result: Option<Arithmetic> = None;
        for kind in kinds {
            // Folded from the left, as the usual conversions of a chain of operators would be.
            result = Some(match result {
                None => kind,
                Some(before) => common(self.tree.ast.model, before, kind)?,
            });
        }
        result
    }

    /// A string the tool makes up, as an expression that has decayed to a pointer.
    pub(crate) fn made_up_string(&mut self, text: &str, span: Span) -> ExprId {
        let units = text.bytes().map(u32::from).collect();
        let string = crate::ast::StringLiteral { encoding: crate::ast::Encoding::Plain, units };
        let string = self.tree.primaries().string_expr(string, span);
        self.tree.rvalue(string)
    }
}
