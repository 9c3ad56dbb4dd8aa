//! Types made from types: qualified, pointers, arrays, functions, adjusted parameters.

use raddle_base::Span;

use crate::ast::{ExprId, ExprKind, VarId};
use crate::check::TreeBuilder;
use crate::check::constant::{Constant, evaluate};
use crate::check::describe::describe;
use crate::check::shape::is_variably_modified;
use crate::layout::{self, NoSize};
use crate::names::Symbol;
use crate::types::{ArrayLength, FunctionType, QualType, Qualifiers, Type, TypeId, Types};

/// Makes types from types.
#[derive(Debug)]
pub struct DerivedTypes<'t> {
    pub(super) tree: &'t mut TreeBuilder,
}

impl<'t> DerivedTypes<'t> {
    pub(super) fn new(tree: &'t mut TreeBuilder) -> Self {
        Self { tree }
    }
}

impl DerivedTypes<'_> {
    /// `ty` with more qualifiers. Those of an array belong to its elements; a function has none.
    pub fn qualify(&mut self, ty: QualType, more: Qualifiers, span: Span) -> QualType {
        if more.is_empty() {
            return ty;
        }
        let mut more = more;
        match *self.tree.ast.types.kind(ty.id) {
            Type::Array { element, length } => {
                if more.contains(Qualifiers::ATOMIC) {
                    self.tree.error(span, "an array cannot be `_Atomic`");
                    more = more.without(Qualifiers::ATOMIC);
                }
                let element = self.qualify(element, more, span);
                return self.tree.ast.types.intern(Type::Array { element, length }).into();
            }
            Type::Function(_) => {
                for (qualifier, keyword) in
                    [(Qualifiers::ATOMIC, "_Atomic"), (Qualifiers::RESTRICT, "restrict")]
                {
                    if more.contains(qualifier) {
                        self.tree.error(span, format!("a function type cannot be `{keyword}`"));
                    }
                }
                return ty;
            }
            Type::Pointer(target) => {
                let function = matches!(self.tree.ast.types.kind(target.id), Type::Function(_));
                if function && more.contains(Qualifiers::RESTRICT) {
                    self.tree.error(span, "a pointer to a function cannot be `restrict`");
                    more = more.without(Qualifiers::RESTRICT);
                }
            }
            Type::Error => {}
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_) => {
                if more.contains(Qualifiers::RESTRICT) {
                    self.tree.error(span, "only a pointer can be `restrict`");
                    more = more.without(Qualifiers::RESTRICT);
                }
            }
        }
        ty.with(more)
    }

    /// `_Atomic(ty)`
    pub fn atomic_type(&mut self, ty: QualType, span: Span) -> QualType {
        if !self.tree.ast.types.qualifiers(ty).is_empty() {
            self.tree.error(span, "`_Atomic` applied to a qualified type");
            return ty;
        }
        self.qualify(ty, Qualifiers::ATOMIC, span)
    }

    /// `typeof expr`. An atomic object's type is taken without its qualifiers, as gcc does for `<stdatomic.h>`.
    pub fn type_of_operand(&mut self, operand: ExprId) -> QualType {
        let expr = &self.tree.ast.exprs[operand];
        let (ty, span) = (expr.ty, expr.span);
        if let ExprKind::Member { record, field, .. } = expr.kind {
            let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
            if fields.get(field as usize).is_some_and(|field| field.width.is_some()) {
                self.tree.error(span, "`typeof` applied to a bit-field");
                return Types::error().into();
            }
        }
        if self.tree.ast.types.qualifiers(ty).contains(Qualifiers::ATOMIC) {
            return self.tree.ast.types.unqualified(ty).into();
        }
        ty
    }

    /// The alignment of a type in bytes, for `_Alignas(type)`.
    pub fn alignment_of_type(&mut self, ty: QualType, span: Span) -> Option<u64> {
        if ty.id == Types::error() {
            return None;
        }
        let alignment = layout::align_of(&self.tree.ast, ty).ok();
        if alignment.is_none() {
            let what = describe(&self.tree.ast, ty);
            self.tree.error(span, format!("{what} is incomplete and has no alignment"));
        }
        alignment
    }

    /// The length that stands between the brackets of an array declarator.
    pub fn array_length(&mut self, bound: ExprId, at_file_scope: bool) -> ArrayLength {
        let bound = self.tree.rvalue(bound);
        let (ty, span) = (self.tree.type_of(bound), self.tree.span(bound));
        match self.tree.ast.types.kind(ty.id) {
            Type::Int(_) | Type::Enum(_) => {}
            Type::Error => return ArrayLength::Fixed(1),
            Type::Void
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Function(_)
            | Type::Record(_)
            | Type::VaList
            | Type::Typedef(_) => {
                self.tree.error(span, "the size of an array must be an integer");
                return ArrayLength::Fixed(1);
            }
        }
        match evaluate(&self.tree.ast, bound) {
            // Folded as gcc folds: what is constant to it makes no array of variable length.
            Some(Constant::Integer(length)) => match u64::try_from(length) {
                Ok(length) => ArrayLength::Fixed(length),
                Err(_) => {
                    self.tree.error(span, "the size of an array is negative or too large");
                    ArrayLength::Fixed(1)
                }
            },
            Some(Constant::Float(_) | Constant::Complex(..) | Constant::Address | Constant::Aggregate)
            | None => {
                if at_file_scope {
                    self.tree.error(span, "the size of an array at file scope must be constant");
                    ArrayLength::Fixed(1)
                } else {
                    ArrayLength::Variable(bound)
                }
            }
        }
    }

    /// A pointer to `target`.
    pub fn derive_pointer(&mut self, target: QualType, qualifiers: Qualifiers, span: Span) -> QualType {
        let pointer = self.tree.ast.types.pointer_to(target);
        self.qualify(pointer.into(), qualifiers, span)
    }

    /// An array of `element`.
    pub fn derive_array(
        &mut self,
        element: QualType,
        length: ArrayLength,
        name: Option<Symbol>,
        span: Span,
    ) -> QualType {
        let problem = match self.tree.ast.types.kind(element.id) {
            Type::Error => None,
            Type::Void => Some("an array of `void`".to_owned()),
            Type::Function(_) => Some("an array of functions".to_owned()),
            Type::Array { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::VaList
            | Type::Typedef(_) => (!layout::is_complete(&self.tree.ast, element))
                .then(|| format!("an array of the incomplete type {}", describe(&self.tree.ast, element))),
        };
        // The length is kept, so that an initialiser is still counted against it.
        if let Some(problem) = problem {
            let message = format!("{} declared as {problem}", self.tree.subject(name));
            self.tree.error(span, message);
            return self.tree.ast.types.intern(Type::Array { element: Types::error().into(), length }).into();
        }
        let array: QualType = self.tree.ast.types.intern(Type::Array { element, length }).into();
        if matches!(length, ArrayLength::Fixed(_))
            && layout::size_of(&self.tree.ast, array) == Err(NoSize::TooLarge)
        {
            let message = format!("{} is too large", self.tree.subject(name));
            self.tree.error(span, message);
            let element = Types::error().into();
            return self.tree.ast.types.intern(Type::Array { element, length: ArrayLength::Fixed(1) }).into();
        }
        array
    }

    /// A function. Qualifiers of its result mean nothing, except `_Atomic`.
    pub fn derive_function(&mut self, function: FunctionType, name: Option<Symbol>, span: Span) -> QualType {
        let problem = match self.tree.ast.types.kind(function.result.id) {
            Type::Array { .. } => Some("an array"),
            Type::Function(_) => Some("a function"),
            Type::Error
            | Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_) => None,
        };
        let mut function = function;
        if let Some(problem) = problem {
            let message = format!("{} declared as a function returning {problem}", self.tree.subject(name));
            self.tree.error(span, message);
            function.result = Types::error().into();
        }
        // A result is a value, and values have no qualifiers.
        let qualifiers = self.tree.ast.types.qualifiers(function.result);
        if !qualifiers.without(Qualifiers::ATOMIC).is_empty() {
            let id = self.tree.ast.types.unqualified(function.result);
            let atomic = qualifiers.contains(Qualifiers::ATOMIC);
            let kept = if atomic { Qualifiers::ATOMIC } else { Qualifiers::NONE };
            function.result = QualType { id, qualifiers: kept };
        }
        self.tree.ast.types.intern(Type::Function(function)).into()
    }

    /// What a parameter of array type becomes: a pointer to its elements.
    pub fn adjust_array(&mut self, ty: QualType, qualifiers: Qualifiers) -> QualType {
        match *self.tree.ast.types.kind(ty.id) {
            Type::Array { element, .. } => {
                // As it was written, so that the printed parameter keeps its typedef name.
                let element = self.written_element(ty.id).unwrap_or(element);
                QualType { id: self.tree.ast.types.pointer_to(element), qualifiers }
            }
            Type::Error
            | Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::Function(_)
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_) => ty,
        }
    }

    /// What a parameter's type becomes: arrays and functions are passed by address.
    pub fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        if matches!(self.tree.ast.types.kind(ty.id), Type::Function(_)) {
            return self.tree.ast.types.pointer_to(ty).into();
        }
        self.adjust_array(ty, Qualifiers::NONE)
    }

    /// The element of an array type with its typedef names, if it is written as an array.
    fn written_element(&self, id: TypeId) -> Option<QualType> {
        if let Type::Array { element, .. } = self.tree.ast.types.written(id) { Some(*element) } else { None }
    }

    /// The type a parameter has in its function's type: unqualified, and with `[*]` for lengths that depend on
    /// other parameters, which mean nothing outside.
    pub fn type_of_parameter(&mut self, parameter: VarId) -> QualType {
        let ty = self.tree.ast.vars[parameter].ty;
        // The lengths are known in the body of the function and nowhere else.
        let id = self.tree.ast.types.unqualified(ty);
        if is_variably_modified(&self.tree.ast, ty.id) { self.with_stars(id.into()) } else { id.into() }
    }

    fn with_stars(&mut self, ty: QualType) -> QualType {
        let qualifiers = self.tree.ast.types.qualifiers(ty);
        let starred = match self.tree.ast.types.kind(ty.id).clone() {
            Type::Pointer(target) => Type::Pointer(self.with_stars(target)),
            Type::Array { element, length } => {
                let length = match length {
                    ArrayLength::Variable(_) | ArrayLength::Star => ArrayLength::Star,
                    ArrayLength::Fixed(_) | ArrayLength::Unknown => length,
                };
                Type::Array { element: self.with_stars(element), length }
            }
            Type::Function(function) => {
                Type::Function(FunctionType { result: self.with_stars(function.result), ..function })
            }
            Type::Error
            | Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_) => return ty,
        };
        QualType { id: self.tree.ast.types.intern(starred), qualifiers }
    }
}

impl TreeBuilder {
    /// How a message calls a declared name.
    pub(crate) fn subject(&self, name: Option<Symbol>) -> String {
        match name {
            Some(name) => format!("`{}`", self.ast.text(name)),
            None => "a type".to_owned(),
        }
    }
}
