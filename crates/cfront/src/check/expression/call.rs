//! Calls of functions.

use raddle_base::{Diagnostic, Span};

use crate::ast::{ExprId, ExprKind};
use crate::check::Primaries;
use crate::check::conversion::AssignContext;
use crate::check::expression::unary::{direct_function, is_function_type};
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{FloatKind, QualType, Type, TypeId, Types};

impl Primaries<'_> {
    /// `callee(arguments)`; `span` ends with the closing bracket.
    pub fn call(&mut self, callee: ExprId, mut arguments: Vec<ExprId>, span: Span) -> ExprId {
        let callee = self.tree.rvalue(callee);
        let function = match self.tree.shape_of(callee) {
            Shape::Pointer(target) if is_function_type(&self.tree.ast, target) => target.id,
            Shape::Error => {
                // The arguments are still checked as values.
                for argument in arguments {
                    self.tree.rvalue(argument);
                }
                return self.tree.error_expr(span);
            }
            _ => {
                let described = self.tree.describe(self.tree.type_of(callee));
                let diagnostic = Diagnostic::error(
                    self.tree.span(callee),
                    format!("called object has type {described}, which is no function"),
                );
                self.tree.diagnostics.push(diagnostic);
                return self.tree.error_expr(span);
            }
        };
        let Some((result, count, variadic, prototype)) = self.signature(function) else {
            return self.tree.error_expr(span);
        };
        if prototype && (arguments.len() < count || (arguments.len() > count && !variadic)) {
            self.wrong_count(callee, arguments.len(), count, variadic, span);
            return self.error_of_type(result, span);
        }
        for (place, argument) in arguments.iter_mut().enumerate() {
            let parameter = if prototype { self.parameter(function, place) } else { None };
            *argument = self.argument(callee, *argument, place, parameter);
        }
        if shape(&self.tree.ast, result.id) != Shape::Void && !layout::is_complete(&self.tree.ast, result) {
            let described = self.tree.describe(result);
            self.tree.error(span, format!("the called function's result type {described} is incomplete"));
            return self.tree.error_expr(span);
        }
        let unqualified = self.tree.ast.types.unqualified(result);
        self.tree.expr(ExprKind::Call { callee, arguments: arguments.into() }, unqualified, false, span)
    }

    /// A value of type `ty` after an error: what stands around it can still be checked.
    fn error_of_type(&mut self, ty: QualType, span: Span) -> ExprId {
        let unqualified = self.tree.ast.types.unqualified(ty);
        self.tree.expr(ExprKind::Error, unqualified, false, span)
    }

    /// Result, number of parameters, `...`, and whether there is a prototype.
    fn signature(&self, function: TypeId) -> Option<(QualType, usize, bool, bool)> {
        match self.tree.ast.types.kind(function) {
            Type::Function(function) => {
                Some((function.result, function.parameters.len(), function.variadic, function.prototype))
            }
            _ => None,
        }
    }

    fn parameter(&self, function: TypeId, place: usize) -> Option<QualType> {
        match self.tree.ast.types.kind(function) {
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
        let value = self.tree.rvalue(argument);
        let shape = self.tree.shape_of(value);
        match shape {
            Shape::Error => return value,
            Shape::Void => return self.tree.void_use(value),
            _ => {}
        }
        let Some(parameter) = parameter else { return self.promote_argument(value) };
        // The common cases need no words.
        let target = self.tree.ast.types.unqualified(parameter);
        if self.tree.ast.types.same(self.tree.type_of(value).id, target) {
            return value;
        }
        let name =
            direct_function(&self.tree.ast, callee).map(|function| self.tree.ast.functions[function].name);
        let name = name.map(|name| self.tree.ast.text(name).to_owned());
        self.tree.assign_convert(value, parameter, &AssignContext::Argument(place + 1, name))
    }

    fn wrong_count(&mut self, callee: ExprId, given: usize, expected: usize, variadic: bool, span: Span) {
        let few = if given < expected { "few" } else { "many" };
        let at_least = if variadic { "at least " } else { "" };
        let plural = if expected == 1 { "" } else { "s" };
        let function = direct_function(&self.tree.ast, callee);
        let name = function.map_or_else(String::new, |function| {
            format!(" to function `{}`", self.tree.ast.text(self.tree.ast.functions[function].name))
        });
        let message = format!("too {few} arguments{name}: expected {at_least}{expected}, found {given}");
        let mut diagnostic =
            Diagnostic::error(span, message).label(format!("{at_least}{expected} argument{plural} expected"));
        if let Some(function) = function {
            let place = self.tree.ast.functions[function].span;
            if place != Span::NONE {
                diagnostic = diagnostic.also(place, "declared here");
            }
        }
        self.tree.diagnostics.push(diagnostic);
    }

    /// The default argument promotions (C11 6.5.2.2 p6), for arguments without a parameter.
    fn promote_argument(&mut self, value: ExprId) -> ExprId {
        match shape(&self.tree.ast, self.tree.type_of(value).id) {
            Shape::Float(FloatKind::Float) => self.tree.convert(value, Types::double()),
            _ => self.tree.promote(value),
        }
    }
}
