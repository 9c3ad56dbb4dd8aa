//! Initialisers, normalised.
//!
//! What goes in is what was written, with braces left out and designators anywhere; what comes out is an
//! [`Init`]: as deep as the type, in the order of subobjects, nothing twice. The rules are those of C11 6.7.9 with GNU's
//! ranges, and where the standard leaves room (a range that is gone on from, a part overridden after the whole) those of gcc.
//!
//! Nothing here takes time or room in the length of an array, only in the length of the text.

mod list;
mod tree;

use raddle_base::Span;

use crate::ast::{Ast, Encoding, ExprId, ExprKind, Init, Subobject};
use crate::check::TreeBuilder;
use crate::check::constant::{Constant, evaluate};
use crate::check::conversion::AssignContext;
use crate::layout::{DataModel, NoSize, is_complete, record_of, size_of};
use crate::names::Symbol;
use crate::types::{ArrayLength, IntKind, QualType, Type, TypeId};

/// An initialiser as written.
#[derive(Clone, Debug)]
pub enum Written {
    /// An expression, not yet converted.
    Expr(ExprId),
    /// `{ … }`
    List(Vec<WrittenPart>, Span),
}

/// One part of a list.
#[derive(Clone, Debug)]
pub struct WrittenPart {
    /// The designators before `=`.
    pub designators: Vec<(Designator, Span)>,
    /// The value.
    pub value: Written,
}

/// A designator.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.name`, or GNU's `name:`
    Field(Symbol),
    /// `[first ... last]`, with `first <= last`
    Elements(u64, u64),
    /// A wrong one, already reported.
    Error,
}

/// How many elements the flexible array member of the structure `ty` gets from `init`: GNU C lets an initialiser
/// give it some, and the object grows by them while its type stays. Zero if there is no such member.
#[must_use]
pub fn flexible_elements(ast: &Ast, ty: TypeId, init: &Init) -> u64 {
    let Init::Aggregate(parts) = init else { return 0 };
    let Some(fields) = record_of(ast, ty).and_then(|record| ast.records[record].fields.as_ref()) else {
        return 0;
    };
    let Some((last_field, part)) = fields.last().zip(parts.last()) else { return 0 };
    let flexible =
        matches!(ast.types.kind(last_field.ty.id), Type::Array { length: ArrayLength::Unknown, .. });
    let Subobject::Field(index) = part.subobject else { return 0 };
    if !flexible || index as usize + 1 != fields.len() {
        return 0;
    }
    match &part.value {
        Init::Expr(string) => string_length(ast, *string).unwrap_or(0),
        Init::Aggregate(elements) => match elements.last().map(|element| element.subobject) {
            Some(Subobject::Elements { last, .. }) => last + 1,
            Some(Subobject::Field(_)) | None => 0,
        },
    }
}

/// The elements of a string literal, the closing zero included.
fn string_length(ast: &Ast, expr: ExprId) -> Option<u64> {
    if let ExprKind::String(literal) = &ast.exprs[expr].kind {
        Some(literal.units.len() as u64 + 1)
    } else {
        None
    }
}

/// A normalised initialiser, and the length it gives to an array of unknown length.
type Normalised = (Init, Option<u64>);

/// Normalises the initialisers of an object and its parts.
#[derive(Debug)]
pub struct Initializers<'t> {
    pub(super) tree: &'t mut TreeBuilder,
    /// Whether every value must be constant.
    static_storage: bool,
}

impl<'t> Initializers<'t> {
    pub(super) fn new(tree: &'t mut TreeBuilder, static_storage: bool) -> Self {
        Self { tree, static_storage }
    }
}

impl Initializers<'_> {
    /// Normalises an initialiser for an object of type `ty`; gives the type completed by it (arrays of unknown length).
    pub fn initializer(&mut self, written: Written, ty: QualType, span: Span) -> (Init, QualType) {
        if let Some(problem) = self.cannot_be_initialized(ty) {
            if !problem.is_empty() {
                self.tree.error(span, problem);
            }
            return (Init::Expr(self.tree.error_expr(span)), ty);
        }
        // Parts that were never given are left out, so all that follows takes time in what was written.
        let (mut init, length) = match written {
            Written::Expr(expr) => self.initialize_whole(expr, ty),
            Written::List(parts, list_span) => self.initialize_by_list(parts, ty, true, list_span),
        };
        self.prune(&mut init, ty.id);
        let ty = length.map_or(ty, |length| self.complete_array(ty, length));
        if size_of(&self.tree.ast, ty) == Err(NoSize::TooLarge) {
            self.tree.error(span, "size of array is too large");
        }
        (init, ty)
    }

    /// Takes out parts for which nothing was given, but the last element of a flexible array: it gives the length.
    // A flexible array's length is its last element, so that one must not be pruned though it is zero.
    fn prune(&self, init: &mut Init, ty: TypeId) {
        let elements = flexible_elements(&self.tree.ast, ty, init);
        tree::prune(init);
        if flexible_elements(&self.tree.ast, ty, init) < elements
            && let Some(fields) =
                record_of(&self.tree.ast, ty).and_then(|record| self.tree.ast.records[record].fields.as_ref())
            && let Some(member) = fields.len().checked_sub(1).and_then(|last| u32::try_from(last).ok())
        {
            let last = Subobject::Elements { first: elements - 1, last: elements - 1 };
            let path = [Subobject::Field(member), last].map(tree::PathStep::to);
            tree::store(init, &path, Init::Aggregate(Vec::new()), &mut |_, _| Vec::new());
        }
    }

    /// Why no object of this type can be initialised; an empty reason when that was reported before.
    fn cannot_be_initialized(&self, ty: QualType) -> Option<&'static str> {
        let kind = self.tree.ast.types.kind(ty.id);
        if matches!(kind, Type::Error) {
            return Some("");
        }
        if matches!(kind, Type::Function(_)) {
            return Some("a function cannot be initialized like a variable");
        }
        // An array of unknown length gets one from its initialiser.
        // With a length still to come, the elements decide.
        let measured =
            if let Type::Array { element, length: ArrayLength::Unknown } = kind { *element } else { ty };
        if !is_complete(&self.tree.ast, measured) {
            return Some("an object of incomplete type cannot be initialized");
        }
        (size_of(&self.tree.ast, measured) == Err(NoSize::Variable))
            .then_some("variable-sized object may not be initialized")
    }

    /// The array type `ty` of unknown length, with its length; other types as they are.
    fn complete_array(&mut self, ty: QualType, length: u64) -> QualType {
        let written = self.tree.ast.types.written(ty.id);
        if let Type::Typedef(typedef) = *written {
            let meaning = self.tree.ast.typedefs[typedef].ty;
            self.complete_array(meaning.with(ty.qualifiers), length)
        } else if let Type::Array { element, length: ArrayLength::Unknown } = *written {
            let id = self.tree.ast.types.intern(Type::Array { element, length: ArrayLength::Fixed(length) });
            QualType { id, qualifiers: ty.qualifiers }
        } else {
            ty
        }
    }

    /// Initialises an object by one expression that stands for all of it.
    fn initialize_whole(&mut self, expr: ExprId, ty: QualType) -> Normalised {
        let span = self.tree.span(expr);
        let value_type = self.tree.type_of(expr).id;
        if matches!(self.tree.ast.types.kind(value_type), Type::Error) {
            return (Init::Expr(expr), None);
        }
        let target = self.tree.ast.types.unqualified(ty);
        let kind = self.tree.ast.types.kind(target);
        if let Type::Array { element, length } = *kind {
            return self.initialize_array(expr, element, length);
        }
        // A structure given by a value of its own type is one value; a scalar in braces is handled as a list.
        let same = self.tree.ast.types.same(value_type, target);
        let opaque = matches!(kind, Type::VaList) && self.tree.ast.model == DataModel::Lp64;
        if opaque || (matches!(kind, Type::Record(_)) && !same) {
            self.tree.error(span, "invalid initializer");
            return (Init::Expr(self.tree.error_expr(span)), None);
        }
        // `char *p = (char[]){"text"};` points to the array, not to the string that fills it.
        let array = matches!(self.tree.ast.types.kind(value_type), Type::Array { .. });
        // A compound literal of the same type is taken apart, because a static object needs constants.
        let init = match self.literal_value(expr) {
            Some(init) if same => init,
            Some(Init::Expr(inner)) if !array => self.initialize_by_value(inner, target),
            Some(Init::Expr(_) | Init::Aggregate(_)) | None => self.initialize_by_value(expr, target),
        };
        (init, None)
    }

    /// Converts a value to the object's type; it must be constant for a static object.
    fn initialize_by_value(&mut self, expr: ExprId, target: TypeId) -> Init {
        let value = self.tree.rvalue(expr);
        let value = self.tree.assign_convert(value, QualType::plain(target), &AssignContext::Initialization);
        if self.static_storage {
            self.require_constant_initializer(value);
        }
        Init::Expr(value)
    }

    /// What a compound literal holds. GNU C takes one as a constant where a static object is initialised.
    fn literal_value(&mut self, expr: ExprId) -> Option<Init> {
        let ExprKind::CompoundLiteral { init, static_storage: checked } = &self.tree.ast.exprs[expr].kind
        else {
            return None;
        };
        if !self.static_storage {
            return None;
        }
        let (init, checked) = (init.clone(), *checked);
        if !checked {
            self.require_constant_parts(&init);
        }
        Some(init)
    }

    /// Every value of the initialiser must be constant.
    fn require_constant_parts(&mut self, init: &Init) {
        match init {
            Init::Expr(value) if matches!(self.tree.ast.exprs[*value].kind, ExprKind::String(_)) => {}
            Init::Expr(value) => {
                self.require_constant_initializer(*value);
            }
            Init::Aggregate(parts) => {
                for part in parts {
                    self.require_constant_parts(&part.value);
                }
            }
        }
    }

    /// Initialises an array by a string literal or, if static, by a compound literal: no other expression will do.
    fn initialize_array(&mut self, expr: ExprId, element: QualType, length: ArrayLength) -> Normalised {
        let span = self.tree.span(expr);
        if let ExprKind::String(literal) = &self.tree.ast.exprs[expr].kind {
            let (encoding, units) = (literal.encoding, literal.units.len() as u64);
            return self.initialize_by_string(expr, element, length, encoding, units);
        }
        let value_type = self.tree.type_of(expr).id;
        if let &Type::Array { element: found, length: ArrayLength::Fixed(count) } =
            self.tree.ast.types.kind(value_type)
            && self.tree.ast.types.same(found.id, element.id)
            && matches!(self.tree.ast.exprs[expr].kind, ExprKind::CompoundLiteral { .. })
        {
            match self.literal_value(expr) {
                Some(init) if length == ArrayLength::Fixed(count) => return (init, None),
                Some(init) if length == ArrayLength::Unknown => return (init, Some(count)),
                Some(_) => {}
                None => {
                    self.tree.error(span, "array initialized from non-constant array expression");
                    return (Init::Expr(self.tree.error_expr(span)), Some(count));
                }
            }
        }
        self.tree.diagnostics.push(
            raddle_base::Diagnostic::error(span, "invalid initializer")
                .note("an array is initialized by a braced list or a string literal"),
        );
        (Init::Expr(self.tree.error_expr(span)), Some(1))
    }

    /// Initialises an array of characters by a string literal of so many units.
    fn initialize_by_string(
        &mut self,
        expr: ExprId,
        element: QualType,
        length: ArrayLength,
        encoding: Encoding,
        units: u64,
    ) -> Normalised {
        let span = self.tree.span(expr);
        let fits = match (self.tree.ast.types.kind(element.id), encoding) {
            (Type::Int(kind), Encoding::Plain | Encoding::Utf8) => {
                matches!(kind, IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar)
            }
            (Type::Int(kind), Encoding::Wide) => *kind == self.tree.ast.model.wide_char(),
            (Type::Int(kind), Encoding::Utf16) => *kind == IntKind::UnsignedShort,
            (Type::Int(kind), Encoding::Utf32) => *kind == IntKind::UnsignedInt,
            _ => false,
        };
        if !fits {
            self.tree.error(span, "array of inappropriate type initialized from string constant");
            return (Init::Expr(self.tree.error_expr(span)), Some(units + 1));
        }
        match length {
            ArrayLength::Fixed(count) if units > count => {
                self.tree.warning(
                    span,
                    format!("initializer-string is too long for an array of {count} elements"),
                );
            }
            ArrayLength::Unknown => return (Init::Expr(expr), Some(units + 1)),
            ArrayLength::Fixed(_) | ArrayLength::Variable(_) | ArrayLength::Star => {}
        }
        (Init::Expr(expr), None)
    }

    /// Initialises any object by a braced list.
    fn initialize_by_list(
        &mut self,
        parts: Vec<WrittenPart>,
        ty: QualType,
        outermost: bool,
        span: Span,
    ) -> Normalised {
        let target = self.tree.ast.types.unqualified(ty);
        // A string in braces is the string.
        if let &Type::Array { element, length } = self.tree.ast.types.kind(target)
            && let Some(WrittenPart { designators, value: Written::Expr(first) }) = parts.first()
            && designators.is_empty()
            && matches!(self.tree.ast.exprs[*first].kind, ExprKind::String(_))
            && self.is_integral(element.id)
        {
            // `char a[] = { "abc" }`
            let first = *first;
            if let Some(second) = parts.get(1) {
                let place = self.written_span(&second.value);
                self.tree.error(place, "excess elements in character array initializer");
            }
            return self.initialize_array(first, element, length);
        }
        match list::container_of(&self.tree.ast, target) {
            Some(container) => self.fill(parts, container, outermost),
            None if matches!(self.tree.ast.types.kind(target), Type::VaList)
                && self.tree.ast.model == DataModel::Lp64 =>
            {
                self.initialize_va_list(&parts, span)
            }
            None => self.initialize_scalar(parts, ty, false, span),
        }
    }

    /// Initialises a scalar by a list: its first value counts. `inner` braces have been warned about already.
    fn initialize_scalar(
        &mut self,
        parts: Vec<WrittenPart>,
        ty: QualType,
        inner: bool,
        span: Span,
    ) -> Normalised {
        if parts.is_empty() {
            self.tree.error(span, "empty scalar initializer");
        }
        // Only the first value counts; the others are read so that their errors are seen.
        let mut result = None;
        for part in parts {
            let first = result.is_none();
            if let Some((designator, place)) = part.designators.first() {
                self.report_misplaced(*designator, *place);
                result.get_or_insert((Init::Expr(self.tree.error_expr(span)), None));
                continue;
            }
            let place = self.written_span(&part.value);
            if !first {
                self.tree.warning(place, "excess elements in scalar initializer");
            }
            match part.value {
                Written::Expr(expr) if first => result = Some(self.initialize_whole(expr, ty)),
                Written::Expr(_) => {}
                Written::List(list, list_span) => {
                    if !inner {
                        self.tree.warning(list_span, "braces around scalar initializer");
                    }
                    let value = self.initialize_scalar(list, ty, true, list_span);
                    result.get_or_insert(value);
                }
            }
        }
        result.unwrap_or_else(|| (Init::Expr(self.tree.error_expr(span)), None))
    }

    /// A `va_list` that is an array of an opaque structure may only be cleared.
    fn initialize_va_list(&mut self, parts: &[WrittenPart], span: Span) -> Normalised {
        fn clears(ast: &Ast, value: &Written) -> bool {
            match value {
                Written::Expr(expr) => evaluate(ast, *expr) == Some(Constant::Integer(0)),
                Written::List(parts, _) => parts.iter().all(|part| clears(ast, &part.value)),
            }
        }
        if !parts.iter().all(|part| part.designators.is_empty() && clears(&self.tree.ast, &part.value)) {
            self.tree.error(span, "a `va_list` can be initialized by zeros only");
        }
        (Init::Aggregate(Vec::new()), None)
    }

    /// A designator where the object has no parts, or other ones.
    fn report_misplaced(&mut self, designator: Designator, span: Span) {
        match designator {
            Designator::Field(_) => self.tree.error(span, "field name not in record or union initializer"),
            Designator::Elements(..) => self.tree.error(span, "array index in non-array initializer"),
            Designator::Error => {}
        }
    }

    fn is_integral(&self, id: TypeId) -> bool {
        matches!(self.tree.ast.types.kind(id), Type::Int(_) | Type::Enum(_))
    }

    fn written_span(&self, written: &Written) -> Span {
        match written {
            Written::Expr(expr) => self.tree.span(*expr),
            Written::List(_, span) => *span,
        }
    }
}
