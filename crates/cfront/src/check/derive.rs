//! Types made from types: qualified, pointers, arrays, functions, adjusted parameters.

use raddle_base::Span;

use crate::ast::{ExprId, ExprKind};
use crate::check::Checker;
use crate::check::constant::{Constant, evaluate};
use crate::check::describe::describe;
use crate::layout::{self, NoSize};
use crate::names::Symbol;
use crate::types::{ArrayLength, FunctionType, QualType, Qualifiers, Type, TypeId, Types};

impl Checker {
    /// `ty` with more qualifiers. Those of an array belong to its elements; a function has none.
    pub fn qualify(&mut self, ty: QualType, more: Qualifiers, span: Span) -> QualType {
        if more.is_empty() {
            return ty;
        }
        let mut more = more;
        match *self.ast.types.kind(ty.id) {
            Type::Array { element, length } => {
                if more.contains(Qualifiers::ATOMIC) {
                    self.error(span, "an array cannot be `_Atomic`");
                    more = more.without(Qualifiers::ATOMIC);
                }
                let element = self.qualify(element, more, span);
                return self.ast.types.intern(Type::Array { element, length }).into();
            }
            Type::Function(_) => {
                for (qualifier, keyword) in
                    [(Qualifiers::ATOMIC, "_Atomic"), (Qualifiers::RESTRICT, "restrict")]
                {
                    if more.contains(qualifier) {
                        self.error(span, format!("a function type cannot be `{keyword}`"));
                    }
                }
                return ty;
            }
            Type::Pointer(target) => {
                let function = matches!(self.ast.types.kind(target.id), Type::Function(_));
                if function && more.contains(Qualifiers::RESTRICT) {
                    self.error(span, "a pointer to a function cannot be `restrict`");
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
                    self.error(span, "only a pointer can be `restrict`");
                    more = more.without(Qualifiers::RESTRICT);
                }
            }
        }
        ty.with(more)
    }

    /// `_Atomic(ty)`
    pub fn atomic_type(&mut self, ty: QualType, span: Span) -> QualType {
        if !self.ast.types.qualifiers(ty).is_empty() {
            self.error(span, "`_Atomic` applied to a qualified type");
            return ty;
        }
        self.qualify(ty, Qualifiers::ATOMIC, span)
    }

    /// `typeof expr`. An atomic object's type is taken without its qualifiers, as gcc does for `<stdatomic.h>`.
    pub fn type_of_operand(&mut self, operand: ExprId) -> QualType {
        let expr = &self.ast.exprs[operand];
        let (ty, span) = (expr.ty, expr.span);
        if let ExprKind::Member { record, field, .. } = expr.kind {
            let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
            if fields.get(field as usize).is_some_and(|field| field.width.is_some()) {
                self.error(span, "`typeof` applied to a bit-field");
                return Types::error().into();
            }
        }
        if self.ast.types.qualifiers(ty).contains(Qualifiers::ATOMIC) {
            return self.ast.types.unqualified(ty).into();
        }
        ty
    }

    /// The alignment of a type in bytes, for `_Alignas(type)`.
    pub fn alignment_of_type(&mut self, ty: QualType, span: Span) -> Option<u64> {
        if ty.id == Types::error() {
            return None;
        }
        let alignment = layout::align_of(&self.ast, ty).ok();
        if alignment.is_none() {
            let what = describe(&self.ast, ty);
            self.error(span, format!("{what} is incomplete and has no alignment"));
        }
        alignment
    }

    /// The length that stands between the brackets of an array declarator.
    pub fn array_length(&mut self, bound: ExprId) -> ArrayLength {
        let bound = self.rvalue(bound);
        let (ty, span) = (self.type_of(bound), self.span(bound));
        match self.ast.types.kind(ty.id) {
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
                self.error(span, "the size of an array must be an integer");
                return ArrayLength::Fixed(1);
            }
        }
        match evaluate(&self.ast, bound) {
            // Folded as gcc folds: what is constant to it makes no array of variable length.
            Some(Constant::Integer(length)) => match u64::try_from(length) {
                Ok(length) => ArrayLength::Fixed(length),
                Err(_) => {
                    self.error(span, "the size of an array is negative or too large");
                    ArrayLength::Fixed(1)
                }
            },
            Some(Constant::Float(_) | Constant::Complex(..) | Constant::Address | Constant::Aggregate)
            | None => {
                if self.scopes.at_file_scope() {
                    self.error(span, "the size of an array at file scope must be constant");
                    ArrayLength::Fixed(1)
                } else {
                    ArrayLength::Variable(bound)
                }
            }
        }
    }

    /// A pointer to `target`.
    pub fn derive_pointer(&mut self, target: QualType, qualifiers: Qualifiers, span: Span) -> QualType {
        let pointer = self.ast.types.pointer_to(target);
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
        let problem = match self.ast.types.kind(element.id) {
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
            | Type::Typedef(_) => (!layout::is_complete(&self.ast, element))
                .then(|| format!("an array of the incomplete type {}", describe(&self.ast, element))),
        };
        // The length is kept, so that an initialiser is still counted against it.
        if let Some(problem) = problem {
            let message = format!("{} declared as {problem}", self.subject(name));
            self.error(span, message);
            return self.ast.types.intern(Type::Array { element: Types::error().into(), length }).into();
        }
        let array: QualType = self.ast.types.intern(Type::Array { element, length }).into();
        if matches!(length, ArrayLength::Fixed(_))
            && layout::size_of(&self.ast, array) == Err(NoSize::TooLarge)
        {
            let message = format!("{} is too large", self.subject(name));
            self.error(span, message);
            let element = Types::error().into();
            return self.ast.types.intern(Type::Array { element, length: ArrayLength::Fixed(1) }).into();
        }
        array
    }

    /// A function. Qualifiers of its result mean nothing, except `_Atomic`.
    pub fn derive_function(&mut self, function: FunctionType, name: Option<Symbol>, span: Span) -> QualType {
        let problem = match self.ast.types.kind(function.result.id) {
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
            let message = format!("{} declared as a function returning {problem}", self.subject(name));
            self.error(span, message);
            function.result = Types::error().into();
        }
        // A result is a value, and values have no qualifiers.
        let qualifiers = self.ast.types.qualifiers(function.result);
        if !qualifiers.without(Qualifiers::ATOMIC).is_empty() {
            let id = self.ast.types.unqualified(function.result);
            let atomic = qualifiers.contains(Qualifiers::ATOMIC);
            let kept = if atomic { Qualifiers::ATOMIC } else { Qualifiers::NONE };
            function.result = QualType { id, qualifiers: kept };
        }
        self.ast.types.intern(Type::Function(function)).into()
    }

    /// What a parameter of array type becomes: a pointer to its elements.
    pub fn adjust_array(&mut self, ty: QualType, qualifiers: Qualifiers) -> QualType {
        match *self.ast.types.kind(ty.id) {
            Type::Array { element, .. } => {
                // As it was written, so that the printed parameter keeps its typedef name.
                let element = self.written_element(ty.id).unwrap_or(element);
                QualType { id: self.ast.types.pointer_to(element), qualifiers }
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
        if matches!(self.ast.types.kind(ty.id), Type::Function(_)) {
            return self.ast.types.pointer_to(ty).into();
        }
        self.adjust_array(ty, Qualifiers::NONE)
    }

    /// The element of an array type with its typedef names, if it is written as an array.
    fn written_element(&self, id: TypeId) -> Option<QualType> {
        if let Type::Array { element, .. } = self.ast.types.written(id) { Some(*element) } else { None }
    }

    /// Whether a variable length array occurs in the type.
    #[must_use]
    pub fn is_variably_modified(&self, ty: QualType) -> bool {
        match self.ast.types.kind(ty.id) {
            Type::Pointer(target) => self.is_variably_modified(*target),
            Type::Array { element, length } => {
                matches!(length, ArrayLength::Variable(_) | ArrayLength::Star)
                    || self.is_variably_modified(*element)
            }
            Type::Function(function) => self.is_variably_modified(function.result),
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
            | Type::Typedef(_) => false,
        }
    }

    /// The type a parameter has in its function's type: unqualified, and with `[*]` for lengths that depend on
    /// other parameters, which mean nothing outside.
    pub(crate) fn parameter_in_type(&mut self, ty: QualType) -> QualType {
        // The lengths are known in the body of the function and nowhere else.
        let id = self.ast.types.unqualified(ty);
        if self.is_variably_modified(ty) { self.with_stars(id.into()) } else { id.into() }
    }

    fn with_stars(&mut self, ty: QualType) -> QualType {
        let qualifiers = self.ast.types.qualifiers(ty);
        let starred = match self.ast.types.kind(ty.id).clone() {
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
        QualType { id: self.ast.types.intern(starred), qualifiers }
    }

    /// How a message calls a declared name.
    pub(crate) fn subject(&self, name: Option<Symbol>) -> String {
        match name {
            Some(name) => format!("`{}`", self.ast.text(name)),
            None => "a type".to_owned(),
        }
    }
}
