//! Calls of functions.

use raddle_base::{Diagnostic, Span};

use crate::ast::{ExprId, ExprKind};
use crate::check::Checker;
use crate::check::conversion::AssignContext;
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{QualType, Type, TypeId};

impl Checker {
    /// `callee(arguments)`; `span` ends with the closing bracket.
    pub fn call(&mut self, callee: ExprId, mut arguments: Vec<ExprId>, span: Span) -> ExprId {
        let callee = self.rvalue(callee);
        let function = match self.shape_of(callee) {
            Shape::Pointer(target) if self.is_function_type(target) => target.id,
            Shape::Error => {
                // The arguments are still checked as values.
                for argument in arguments {
                    self.rvalue(argument);
                }
                return self.error_expr(span);
            }
            _ => {
                let described = self.describe(self.type_of(callee));
                let diagnostic = Diagnostic::error(
                    self.span(callee),
                    format!("called object has type {described}, which is no function"),
                );
                self.diagnostics.push(diagnostic);
                return self.error_expr(span);
            }
        };
        let Some((result, count, variadic, prototype)) = self.signature(function) else {
            return self.error_expr(span);
        };
        if prototype && (arguments.len() < count || (arguments.len() > count && !variadic)) {
            self.wrong_count(callee, arguments.len(), count, variadic, span);
            return self.error_of_type(result, span);
        }
        for (place, argument) in arguments.iter_mut().enumerate() {
            let parameter = if prototype { self.parameter(function, place) } else { None };
            *argument = self.argument(callee, *argument, place, parameter);
        }
        if shape(&self.ast, result.id) != Shape::Void && !layout::is_complete(&self.ast, result) {
            let described = self.describe(result);
            self.error(span, format!("the called function's result type {described} is incomplete"));
            return self.error_expr(span);
        }
        let unqualified = self.ast.types.unqualified(result);
        self.expr(ExprKind::Call { callee, arguments: arguments.into() }, unqualified, false, span)
    }

    /// A value of type `ty` after an error: what stands around it can still be checked.
    fn error_of_type(&mut self, ty: QualType, span: Span) -> ExprId {
        let unqualified = self.ast.types.unqualified(ty);
        self.expr(ExprKind::Error, unqualified, false, span)
    }

    /// Result, number of parameters, `...`, and whether there is a prototype.
    fn signature(&self, function: TypeId) -> Option<(QualType, usize, bool, bool)> {
        match self.ast.types.kind(function) {
            Type::Function(function) => {
                Some((function.result, function.parameters.len(), function.variadic, function.prototype))
            }
            _ => None,
        }
    }

    fn parameter(&self, function: TypeId, place: usize) -> Option<QualType> {
        match self.ast.types.kind(function) {
            Type::Function(function) => function.parameters.get(place).copied(),
            _ => None,
        }
    }

    fn argument(
        &mut self,
        callee: ExprId,
        argument: ExprId,
        place: usize,
        parameter: Option<QualType>,
    ) -> ExprId {
        let value = self.rvalue(argument);
        let shape = self.shape_of(value);
        match shape {
            Shape::Error => return value,
            Shape::Void => return self.void_use(value),
            _ => {}
        }
        let Some(parameter) = parameter else { return self.promote_argument(value) };
        // The common cases need no words.
        let target = self.ast.types.unqualified(parameter);
        if self.ast.types.same(self.type_of(value).id, target) {
            return value;
        }
        let name = self.direct_function(callee).map(|function| self.ast.functions[function].name);
        let name = name.map(|name| self.ast.text(name).to_owned());
        self.assign_convert(value, parameter, &AssignContext::Argument(place + 1, name))
    }

    fn wrong_count(&mut self, callee: ExprId, given: usize, expected: usize, variadic: bool, span: Span) {
        let few = if given < expected { "few" } else { "many" };
        let at_least = if variadic { "at least " } else { "" };
        let plural = if expected == 1 { "" } else { "s" };
        let function = self.direct_function(callee);
        let name = function.map_or_else(String::new, |function| {
            format!(" to function `{}`", self.ast.text(self.ast.functions[function].name))
        });
        let message = format!("too {few} arguments{name}: expected {at_least}{expected}, found {given}");
        let mut diagnostic =
            Diagnostic::error(span, message).label(format!("{at_least}{expected} argument{plural} expected"));
        if let Some(function) = function {
            let place = self.ast.functions[function].span;
            if place != Span::NONE {
                diagnostic = diagnostic.also(place, "declared here");
            }
        }
        self.diagnostics.push(diagnostic);
    }
}
