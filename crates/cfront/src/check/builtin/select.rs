//! Built-ins that are questions about the program text: only the answer remains.

use raddle_base::Span;

use super::Question;
use crate::ast::{CastKind, ExprId, ExprKind, RecordKind};
use crate::check::Builtins;
use crate::check::constant::{Constant, evaluate};
use crate::check::conversion::arithmetic::Arithmetic;
use crate::check::expression::is_function_type;
use crate::check::shape::{Shape, shape};
use crate::types::{FloatKind, Type, TypeId, Types};

impl Builtins<'_> {
    pub(in crate::check) fn question(
        &mut self,
        question: Question,
        arguments: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let (name, count) = match question {
            Question::ConstantP => ("__builtin_constant_p", 1),
            Question::ClassifyType => ("__builtin_classify_type", 1),
            Question::Line => ("__builtin_LINE", 0),
            Question::File => ("__builtin_FILE", 0),
            Question::Function => ("__builtin_FUNCTION", 0),
            Question::AlwaysLockFree => ("__atomic_always_lock_free", 2),
            Question::TypeGenericMath => return self.type_generic(arguments, span),
            Question::HasAttribute => {
                self.tree.error(span, "`__builtin_has_attribute` is not supported");
                return self.tree.error_expr(span);
            }
        };
        if arguments.len() != count {
            let found = arguments.len();
            self.tree.error(span, format!("`{name}` takes {count} arguments, found {found}"));
            return self.tree.error_expr(span);
        }
        match question {
            Question::ConstantP => {
                let value = self.tree.rvalue(arguments[0]);
                if self.tree.shape_of(value) == Shape::Void {
                    return self.tree.void_use(value);
                }
                let answer = self.is_constant(value);
                self.tree.answer(i128::from(answer), span)
            }
            Question::ClassifyType => {
                let value = self.tree.rvalue(arguments[0]);
                match self.classify(value) {
                    Some(answer) => self.tree.answer(answer, span),
                    None => self.tree.void_use(value),
                }
            }
            Question::AlwaysLockFree => {
                let Some(bytes) =
                    self.tree.integer_constant(arguments[0], "size given to `__atomic_always_lock_free`")
                else {
                    return self.tree.error_expr(span);
                };
                // Written as a cast, so that it has its type in C as well.
                let answer = self.tree.answer(i128::from([1, 2, 4, 8].contains(&bytes)), span);
                self.tree.explicit_cast(answer, Types::bool().into(), span)
            }
            Question::Function => {
                let name = match self.function {
                    Some(function) => self.tree.ast.text(self.tree.ast.functions[function].name).to_owned(),
                    None => String::new(),
                };
                self.made_up_string(&name, span)
            }
            // The parser answers the first two from the source map; the others never come here.
            Question::Line | Question::File | Question::TypeGenericMath | Question::HasAttribute => {
                self.tree.error_expr(span)
            }
        }
    }

    /// What gcc calls constant at once: numbers, and string literals themselves.
    fn is_constant(&self, value: ExprId) -> bool {
        if let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } =
            self.tree.ast.exprs[value].kind
        {
            return matches!(self.tree.ast.exprs[operand].kind, ExprKind::String(_));
        }
        match evaluate(&self.tree.ast, value) {
            Some(Constant::Integer(_) | Constant::Float(_) | Constant::Complex(..)) => true,
            Some(Constant::Address | Constant::Aggregate) | None => false,
        }
    }

    /// gcc's numbers for the kinds of types, after the usual decay and promotion.
    fn classify(&self, value: ExprId) -> Option<i128> {
        Some(match self.tree.shape_of(value) {
            Shape::Void => return None,
            Shape::Int(_) | Shape::Enum(..) => 1,
            Shape::Pointer(_) | Shape::VaList => 5,
            Shape::Float(_) => 8,
            Shape::Complex(_) | Shape::ComplexInt(_) => 9,
            Shape::Function => 10,
            Shape::Record(record) if self.tree.ast.records[record].kind == RecordKind::Struct => 12,
            Shape::Record(_) => 13,
            Shape::Array(..) => 14,
            Shape::Vector(..) | Shape::Error => -1,
        })
    }

    /// `__builtin_tgmath(f, g, h, x…)`: a call of the function whose parameter types fit the arguments.
    fn type_generic(&mut self, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let values: Vec<ExprId> = self.values(arguments);
        if values.iter().any(|&value| self.tree.is_erroneous(value)) {
            return self.tree.error_expr(span);
        }
        // Functions come first, then what they are called with.
        let function_type = |this: &Self, value: ExprId| match this.tree.shape_of(value) {
            Shape::Pointer(target) if is_function_type(&this.tree.ast, target) => Some(target.id),
            _ => None,
        };
        let functions: Vec<(ExprId, TypeId)> =
            values.iter().map_while(|&value| Some((value, function_type(self, value)?))).collect();
        let Some(&(_, first)) = functions.first() else {
            self.tree.error(span, "`__builtin_tgmath` needs functions to choose from");
            return self.tree.error_expr(span);
        };
        let operands = &values[functions.len()..];
        if operands.len() != self.parameter_kinds(first).len() || operands.is_empty() {
            self.tree.error(span, "wrong number of arguments to a type-generic function");
            return self.tree.error_expr(span);
        }
        let Some(wanted) = self.generic_kind(&functions, operands) else {
            self.tree.error(span, "the arguments of a type-generic function do not go together");
            return self.tree.error_expr(span);
        };
        // Only parameters in which the functions differ count for the choice.
        let place = self.first_generic_parameter(&functions);
        let fits = |&&(_, ty): &&(ExprId, TypeId)| {
            self.parameter_kinds(ty).get(place).copied().flatten() == Some(wanted)
        };
        // A real function serves real arguments first; complex ones serve both.
        let found = functions.iter().find(fits).or_else(|| {
            let part = wanted.part();
            functions.iter().find(|&&(_, ty)| {
                self.parameter_kinds(ty).get(place).copied().flatten().is_some_and(|kind| kind.part() == part)
            })
        });
        let Some(&(callee, _)) = found else {
            self.tree.error(span, "no function of `__builtin_tgmath` fits the arguments");
            return self.tree.error_expr(span);
        };
        let operands = operands.to_vec();
        self.tree.primaries().call(callee, operands, span)
    }

    fn parameter_kinds(&self, function: TypeId) -> Vec<Option<Arithmetic>> {
        match self.tree.ast.types.kind(function) {
            Type::Function(function) => function
                .parameters
                .iter()
                .map(|parameter| Arithmetic::of(shape(&self.tree.ast, parameter.id)))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The first parameter whose type differs from function to function.
    fn first_generic_parameter(&self, functions: &[(ExprId, TypeId)]) -> usize {
        let all: Vec<Vec<Option<Arithmetic>>> =
            functions.iter().map(|&(_, ty)| self.parameter_kinds(ty)).collect();
        (0..all[0].len())
            .find(|&place| all.iter().any(|kinds| kinds.get(place) != all[0].get(place)))
            .unwrap_or(0)
    }

    /// The type that the generic arguments ask for: their common type, with integers as `double`.
    fn generic_kind(&self, functions: &[(ExprId, TypeId)], operands: &[ExprId]) -> Option<Arithmetic> {
        let all: Vec<Vec<Option<Arithmetic>>> =
            functions.iter().map(|&(_, ty)| self.parameter_kinds(ty)).collect();
        let differs = |place: usize| all.iter().any(|kinds| kinds.get(place) != all[0].get(place));
        let kinds: Option<Vec<Arithmetic>> = operands
            .iter()
            .enumerate()
            .filter(|&(place, _)| differs(place) || functions.len() == 1)
            .map(|(_, &value)| Arithmetic::of(self.tree.shape_of(value)))
            .collect();
        let as_float = |kind: Arithmetic| match kind {
            Arithmetic::Int(_) => Arithmetic::Float(FloatKind::Double),
            Arithmetic::ComplexInt(_) => Arithmetic::Complex(FloatKind::Double),
            other => other,
        };
        self.common_of(kinds?.into_iter().map(as_float))
    }
}
