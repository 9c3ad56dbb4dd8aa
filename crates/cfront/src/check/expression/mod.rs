//! Expressions: one method for each construct, grouped by topic in the files below.
//!
//! Operands come as the parser built them (lvalues not yet read, arrays not decayed); each method converts them as its construct
//! demands and gives one typed node, or an error node after it has said what is wrong. What gcc 12 accepts with
//! a warning is accepted with a warning.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a check names the types it accepts; any other is refused with an error"
)]

mod access;
mod assignment;
mod binary;
mod call;
mod choice;
mod name;
mod query;
#[cfg(test)]
mod tests;
mod unary;
mod vector;

use raddle_base::{Diagnostic, Span};

use crate::ast::{Encoding, ExprId, ExprKind, StringLiteral, UnaryOp};
use crate::check::TreeBuilder;
use crate::check::conversion::arithmetic::{Arithmetic, int_type};
use crate::layout::DataModel;
use crate::literal::{FloatLiteral, IntegerLiteral};
use crate::types::{ArrayLength, IntKind, QualType, Type, TypeId, Types};

pub use choice::Association;
pub use name::{Identifiers, KnownNames};
pub(in crate::check) use unary::is_function_type;

/// Checks literals, names of members, subscripts, calls, and questions about types: what is no operator.
#[derive(Debug)]
pub struct Primaries<'t> {
    tree: &'t mut TreeBuilder,
}

impl<'t> Primaries<'t> {
    pub(in crate::check) fn new(tree: &'t mut TreeBuilder) -> Self {
        Self { tree }
    }
}

/// Checks operators: unary, binary, assignment, and `?:`.
#[derive(Debug)]
pub struct Operators<'t> {
    tree: &'t mut TreeBuilder,
}

impl<'t> Operators<'t> {
    pub(in crate::check) fn new(tree: &'t mut TreeBuilder) -> Self {
        Self { tree }
    }
}

/// How messages write an operator.
#[must_use]
pub const fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Negate => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::AddressOf => "&",
        UnaryOp::Deref => "*",
        UnaryOp::PreIncrement | UnaryOp::PostIncrement => "++",
        UnaryOp::PreDecrement | UnaryOp::PostDecrement => "--",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
    }
}

/// The type of an integer constant (C11 6.4.4.1): the first that holds it, and whether none does. Past `long long` gcc goes on to
/// `__int128` where there is one.
#[must_use]
pub fn integer_literal_type(model: DataModel, literal: &IntegerLiteral) -> (IntKind, bool) {
    const SIGNED: [IntKind; 3] = [IntKind::Int, IntKind::Long, IntKind::LongLong];
    const UNSIGNED: [IntKind; 3] = [IntKind::UnsignedInt, IntKind::UnsignedLong, IntKind::UnsignedLongLong];
    let fits = |kind: IntKind| {
        let bits = 8 * model.int_bytes(kind) - u64::from(model.is_signed(kind));
        literal.value >> bits == 0
    };
    for step in usize::from(literal.longs).min(2)..SIGNED.len() {
        if !literal.unsigned && fits(SIGNED[step]) {
            return (SIGNED[step], false);
        }
        if (literal.unsigned || !literal.decimal) && fits(UNSIGNED[step]) {
            return (UNSIGNED[step], false);
        }
    }
    let widest = match (model, literal.unsigned) {
        (DataModel::Lp64, false) => IntKind::Int128,
        (DataModel::Lp64, true) => IntKind::UnsignedInt128,
        (DataModel::Ilp32, false) => IntKind::LongLong,
        (DataModel::Ilp32, true) => IntKind::UnsignedLongLong,
    };
    (widest, true)
}

impl Primaries<'_> {
    /// An integer constant.
    pub fn integer_literal(&mut self, literal: &IntegerLiteral, span: Span) -> ExprId {
        let model = self.tree.ast.model;
        let (kind, large) = integer_literal_type(model, literal);
        if literal.too_large {
            self.tree.warning(span, "integer constant is too large for its type; it is cut to 64 bits");
        } else if large {
            self.tree.warning(span, "integer constant is too large for the signed types it may have");
        }
        let value = model.wrap(literal.value.cast_signed(), kind);
        let ty = int_type(kind);
        let constant = self.tree.expr(ExprKind::Integer(value), ty, false, span);
        self.imaginary(constant, Arithmetic::ComplexInt(kind), literal.imaginary, span)
    }

    /// A floating constant.
    pub fn float_literal(&mut self, literal: &FloatLiteral, span: Span) -> ExprId {
        let ty = self.tree.arithmetic_type(Arithmetic::Float(literal.kind));
        let spelling = self.tree.ast.names.intern(&literal.spelling);
        let constant = self.tree.expr(ExprKind::Float { spelling, value: literal.value }, ty, false, span);
        self.imaginary(constant, Arithmetic::Complex(literal.kind), literal.imaginary, span)
    }

    fn imaginary(&mut self, constant: ExprId, complex: Arithmetic, imaginary: bool, span: Span) -> ExprId {
        if !imaginary {
            return constant;
        }
        let ty = self.tree.arithmetic_type(complex);
        self.tree.expr(ExprKind::Imaginary(constant), ty, false, span)
    }

    /// A character constant.
    pub fn character_literal(&mut self, encoding: Encoding, value: i128, span: Span) -> ExprId {
        let ty = match encoding {
            Encoding::Plain => Types::int(),
            Encoding::Utf8 => Types::unsigned_char(),
            Encoding::Utf16 | Encoding::Utf32 | Encoding::Wide => self.unit_type(encoding),
        };
        self.tree.expr(ExprKind::Integer(value), ty, false, span)
    }

    /// The type of the units of a string literal.
    #[must_use]
    pub fn unit_type(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => Types::char(),
            Encoding::Utf16 => Types::unsigned_short(),
            Encoding::Utf32 => Types::unsigned_int(),
            Encoding::Wide => int_type(self.tree.ast.model.wide_char()),
        }
    }

    /// A string literal as an expression.
    pub fn string_expr(&mut self, string: StringLiteral, span: Span) -> ExprId {
        let element = self.unit_type(string.encoding);
        let ty = self.counted_array(QualType::plain(element), string.units.len());
        self.tree.expr(ExprKind::String(string), ty, true, span)
    }

    /// An array for so many elements and a closing zero.
    pub(crate) fn counted_array(&mut self, element: QualType, units: usize) -> TypeId {
        let length = u64::try_from(units).unwrap_or(u64::MAX - 1) + 1;
        self.tree.ast.types.intern(Type::Array { element, length: ArrayLength::Fixed(length) })
    }

    /// `left, right`
    pub fn comma(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let span = self.tree.span(left).to(self.tree.span(right));
        let (left, right) = (self.tree.rvalue(left), self.tree.rvalue(right));
        let ty = self.tree.type_of(right);
        self.tree.expr(ExprKind::Comma(left, right), ty, false, span)
    }
}

impl TreeBuilder {
    /// An `int` constant that the tool makes up in place of a question.
    pub(crate) fn answer(&mut self, value: i128, span: Span) -> ExprId {
        self.expr(ExprKind::Integer(value), Types::int(), false, span)
    }

    /// Reports that operands do not fit an operator.
    pub(crate) fn bad_operands(&mut self, text: &str, left: ExprId, right: ExprId, op_span: Span) -> ExprId {
        let span = self.span(left).to(self.span(right));
        let (left_type, right_type) = (self.describe(self.type_of(left)), self.describe(self.type_of(right)));
        let diagnostic =
            Diagnostic::error(op_span, format!("invalid operands of `{text}`: {left_type} and {right_type}"))
                .also(self.span(left), format!("this has type {left_type}"))
                .also(self.span(right), format!("this has type {right_type}"));
        self.diagnostics.push(diagnostic);
        self.error_expr(span)
    }
}
