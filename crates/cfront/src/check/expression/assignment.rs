//! Assignments.

use raddle_base::{Diagnostic, Span};

use crate::ast::{BinaryOp, ExprId, ExprKind, RecordId, Storage};
use crate::check::Operators;
use crate::check::conversion::{AssignContext, target_qualifiers};
use crate::check::shape::{Shape, shape};
use crate::layout::DataModel;
use crate::types::{QualType, Qualifiers};

impl Operators<'_> {
    /// `target = value`
    pub fn assign(&mut self, target: ExprId, value: ExprId, op_span: Span) -> ExprId {
        let span = self.tree.span(target).to(self.tree.span(value));
        let value = self.tree.rvalue(value);
        if self.tree.is_erroneous(target) || !self.assignable(target, op_span) {
            return self.tree.error_expr(span);
        }
        let ty = self.tree.type_of(target);
        let value = self.tree.assign_convert(value, ty, &AssignContext::Assignment);
        let unqualified = self.tree.ast.types.unqualified(ty);
        self.tree.expr(ExprKind::Assign(target, value), unqualified, false, span)
    }

    /// `target op= value`
    pub fn compound_assign(&mut self, op: BinaryOp, target: ExprId, value: ExprId, op_span: Span) -> ExprId {
        let span = self.tree.span(target).to(self.tree.span(value));
        let value = self.tree.rvalue(value);
        if self.tree.is_erroneous(target) || !self.assignable(target, op_span) {
            return self.tree.error_expr(span);
        }
        let ty = self.tree.type_of(target);
        let unqualified = self.tree.ast.types.unqualified(ty);
        let read = self.tree.rvalue(target);
        let left_is_pointer = self.tree.shape_of(read).is_pointer();
        let Some(operands) = self.binary_operands(op, read, value, op_span) else {
            return self.tree.error_expr(span);
        };
        let result = shape(&self.tree.ast, operands.ty);
        // What remains besides arithmetic: the result is of another kind than the target, which gcc takes with a warning or refuses
        // as it does in an assignment.
        let is_vector = |shape: Shape| matches!(shape, Shape::Vector(..));
        if is_vector(result) != is_vector(shape(&self.tree.ast, ty.id))
            || result.is_pointer() != left_is_pointer
            || (left_is_pointer && self.tree.shape_of(operands.right).is_pointer())
        {
            let result =
                self.tree.expr(ExprKind::Binary(op, operands.left, operands.right), operands.ty, false, span);
            let value = self.tree.assign_convert(result, ty, &AssignContext::Assignment);
            let copy = self.tree.ast.exprs[target].clone();
            let target = self.tree.ast.exprs.push(copy);
            return self.tree.expr(ExprKind::Assign(target, value), unqualified, false, span);
        }
        let computation = operands.ty;
        self.tree.expr(
            ExprKind::CompoundAssign { op, target, value: operands.right, computation },
            unqualified,
            false,
            span,
        )
    }

    fn assignable(&mut self, target: ExprId, op_span: Span) -> bool {
        let ty = self.tree.type_of(target);
        match shape(&self.tree.ast, ty.id) {
            Shape::Array(..) if self.tree.ast.exprs[target].lvalue => {
                let diagnostic = Diagnostic::error(op_span, "assignment to an array")
                    .also(self.tree.span(target), format!("this has type {}", self.tree.describe(ty)))
                    .help("assign the elements one by one, or copy them with `memcpy`");
                self.tree.diagnostics.push(diagnostic);
                false
            }
            Shape::VaList if self.tree.ast.model == DataModel::Lp64 && !self.is_parameter(target) => {
                let diagnostic = Diagnostic::error(op_span, "assignment to a `va_list`, which is an array")
                    .help("copy it with `va_copy`");
                self.tree.diagnostics.push(diagnostic);
                false
            }
            Shape::Record(record) if self.tree.ast.records[record].fields.is_none() => {
                self.tree.incomplete_use(target);
                false
            }
            _ => self.modifiable(target, "assignment"),
        }
    }

    fn is_parameter(&self, target: ExprId) -> bool {
        match self.tree.ast.exprs[target].kind {
            ExprKind::Var(var) => self.tree.ast.vars[var].storage == Storage::Parameter,
            // What a pointer to a list leads to may well be a parameter.
            _ => true,
        }
    }

    /// Whether an object may be written to; reports why not. `what` is "assignment", "increment" …
    pub(crate) fn modifiable(&mut self, target: ExprId, what: &str) -> bool {
        let ty = self.tree.type_of(target);
        let found = shape(&self.tree.ast, ty.id);
        if !self.tree.ast.exprs[target].lvalue || matches!(found, Shape::Function | Shape::Void) {
            let diagnostic =
                Diagnostic::error(self.tree.span(target), format!("{what} needs an object to write to"))
                    .label("this is a value, not an object");
            self.tree.diagnostics.push(diagnostic);
            return false;
        }
        let read_only = target_qualifiers(&self.tree.ast, ty).contains(Qualifiers::CONST)
            || matches!(found, Shape::Record(record) if self.has_read_only_member(record));
        if read_only {
            let mut diagnostic = match self.tree.ast.exprs[target].kind {
                ExprKind::Var(var) => {
                    let var = &self.tree.ast.vars[var];
                    let name = var.name.map_or("", |name| self.tree.ast.text(name));
                    Diagnostic::error(
                        self.tree.span(target),
                        format!("{what} of read-only variable `{name}`"),
                    )
                    .also(var.span, "declared `const` here")
                }
                ExprKind::Member { record, field, .. } => {
                    let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
                    let name = fields.get(field as usize).and_then(|field| field.name);
                    let name = name.map_or("", |name| self.tree.ast.text(name));
                    Diagnostic::error(self.tree.span(target), format!("{what} of read-only member `{name}`"))
                }
                _ => Diagnostic::error(self.tree.span(target), format!("{what} of a read-only location")),
            };
            if matches!(found, Shape::Record(_))
                && !target_qualifiers(&self.tree.ast, ty).contains(Qualifiers::CONST)
            {
                diagnostic = diagnostic.note("a member of it is `const`");
            }
            self.tree.diagnostics.push(diagnostic);
            return false;
        }
        true
    }

    fn has_read_only_member(&self, record: RecordId) -> bool {
        let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
        fields.iter().any(|field| {
            let mut ty: QualType = self.tree.ast.types.canonical(field.ty);
            while let Shape::Array(element, _) = shape(&self.tree.ast, ty.id) {
                ty = self.tree.ast.types.canonical(element.with(ty.qualifiers));
            }
            ty.qualifiers.contains(Qualifiers::CONST)
                || matches!(shape(&self.tree.ast, ty.id), Shape::Record(inner) if self.has_read_only_member(inner))
        })
    }
}
