//! Constant expressions: their values, bit-precise for both data models, with gcc's leniency.
//!
//! gcc folds more than the standard's integer constant expressions: casts of floating values, comparisons of addresses,
//! the decided side of `&&`, `||` and `?:`, `offsetof` by hand. It may be wrong in one direction only: an expression
//! that gcc could fold may be called not constant here, never with another value.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named is not constant, which may only refuse too much"
)]

mod address;
mod fold;
#[cfg(test)]
mod tests;

use crate::ast::{Ast, CastKind, ExprId, ExprKind, FunctionId, Init, LabelId, TypeQuery, UnaryOp, VarId};
use crate::check::shape::{Shape, shape};
use crate::check::{Initializers, TreeBuilder, builtin};
use crate::layout;
use crate::types::{FloatKind, IntKind, QualType};

pub(crate) use fold::{float_as, float_to_integer, integer_to_float};

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// An integer, wrapped to its type; or a pointer that is a mere number, such as a null pointer.
    Integer(i128),
    /// A floating value (rounded to its type where that is `float` or `double`).
    Float(f64),
    /// A complex value.
    Complex(f64, f64),
    /// An address constant: some object, function, label or string, plus or minus an offset. Which one does not matter here.
    Address,
    /// A structure, union or vector all of whose parts are constant.
    Aggregate,
}

/// What an address constant is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Var(VarId),
    Function(FunctionId),
    String(ExprId),
    Literal(ExprId),
    Label(LabelId),
}

/// A value while it is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
    Address(Base, i128),
    /// The distance of two labels, which only the assembler knows.
    Distance,
    Aggregate,
}

/// The value of `expr` if it is constant, with gcc's leniency (address constants, casts, `sizeof`, `?:`, `&&` with a
/// decided left side …).
#[must_use]
pub fn evaluate(ast: &Ast, expr: ExprId) -> Option<Constant> {
    Evaluator::new(ast, false).value(expr).map(Value::public)
}

/// The value of `expr` if it may initialise an object of static storage: gcc also takes the values of `const` variables
/// and characters of string literals there.
#[must_use]
pub fn evaluate_initializer(ast: &Ast, expr: ExprId) -> Option<Constant> {
    Evaluator::new(ast, true).value(expr).map(Value::public)
}

impl Value {
    fn public(self) -> Constant {
        match self {
            Self::Integer(value) => Constant::Integer(value),
            Self::Float(value) => Constant::Float(value),
            Self::Complex(real, imaginary) => Constant::Complex(real, imaginary),
            Self::Address(..) | Self::Distance => Constant::Address,
            Self::Aggregate => Constant::Aggregate,
        }
    }
}

/// Computes one expression.
pub(crate) struct Evaluator<'a> {
    ast: &'a Ast,
    /// Whether constant variables may be read.
    initializer: bool,
    /// Whether a signed operation overflowed on the way.
    overflow: bool,
}

impl<'a> Evaluator<'a> {
    fn new(ast: &'a Ast, initializer: bool) -> Self {
        Self { ast, initializer, overflow: false }
    }

    fn shape(&self, expr: ExprId) -> Shape {
        shape(self.ast, self.ast.exprs[expr].ty.id)
    }

    /// The value of an expression.
    fn value(&mut self, expr: ExprId) -> Option<Value> {
        let node = &self.ast.exprs[expr];
        match &node.kind {
            ExprKind::Integer(value) => Some(Value::Integer(*value)),
            ExprKind::Float { value, .. } => Some(Value::Float(match self.shape(expr) {
                Shape::Float(kind) => float_as(*value, kind),
                _ => *value,
            })),
            ExprKind::Imaginary(part) => match self.value(*part)? {
                Value::Integer(value) => Some(Value::Complex(0.0, integer_to_float(value))),
                Value::Float(value) => Some(Value::Complex(0.0, value)),
                Value::Complex(..) | Value::Address(..) | Value::Distance | Value::Aggregate => None,
            },
            ExprKind::EnumConstant(id, place) => {
                let constants = self.ast.enums[*id].constants.as_ref()?;
                Some(Value::Integer(constants.get(*place as usize)?.value))
            }
            ExprKind::Unary(UnaryOp::AddressOf, operand) => self.address(*operand),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, expr),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, expr),
            ExprKind::Conditional { condition, then, otherwise } => {
                // The side that is not taken need not be constant.
                let decided = self.value(*condition)?;
                if self.truth(decided)? {
                    match then {
                        Some(then) => self.value(*then),
                        None => self.convert_result(decided, *condition, expr),
                    }
                } else {
                    self.value(*otherwise)
                }
            }
            ExprKind::Cast { kind, operand, .. } => self.cast(*kind, *operand, expr),
            ExprKind::TypeQuery(query, ty) => self.query(*query, *ty).map(Value::Integer),
            ExprKind::ExprQuery(query, operand) => self.expr_query(*query, *operand).map(Value::Integer),
            ExprKind::Offsetof { path, .. } => self.offset_of(path).map(Value::Integer),
            ExprKind::LabelAddress(label) => Some(Value::Address(Base::Label(*label), 0)),
            ExprKind::Call { callee, arguments } => {
                let function = self.called_function(*callee)?;
                let name = self.ast.text(self.ast.functions[function].name);
                let name = name.strip_prefix("__builtin_")?;
                builtin::fold::fold_call(self, name, arguments)
            }
            ExprKind::Builtin { builtin, arguments } => {
                builtin::fold::fold_builtin(self, *builtin, arguments)
            }
            ExprKind::CompoundLiteral { init, .. } if self.initializer => self.aggregate(init),
            ExprKind::CompoundLiteral { .. }
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::FunctionName(..)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Comma(..)
            | ExprKind::VaArg(_)
            | ExprKind::Statement(_)
            | ExprKind::Error => None,
        }
    }

    /// The omitted middle of `c ?: b` has the type of the whole.
    fn convert_result(&mut self, value: Value, from: ExprId, to: ExprId) -> Option<Value> {
        match (value, self.shape(from), self.shape(to)) {
            (Value::Integer(value), _, to) if to.is_integer() => {
                Some(Value::Integer(self.ast.model.wrap(value, to.integer()?)))
            }
            (Value::Integer(value), from, Shape::Float(kind)) if from.is_integer() => {
                Some(Value::Float(float_as(integer_to_float(value), kind)))
            }
            (Value::Float(value), _, Shape::Float(kind)) => Some(Value::Float(float_as(value, kind))),
            (Value::Address(..) | Value::Integer(_), _, Shape::Pointer(_)) => Some(value),
            _ => None,
        }
    }

    /// The function that a call names.
    fn called_function(&self, callee: ExprId) -> Option<FunctionId> {
        let ExprKind::Cast { kind: CastKind::FunctionToPointer, operand, .. } = self.ast.exprs[callee].kind
        else {
            return None;
        };
        match self.ast.exprs[operand].kind {
            ExprKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether a value differs from zero; unknown for addresses of weak symbols.
    fn truth(&self, value: Value) -> Option<bool> {
        match value {
            Value::Integer(value) => Some(value != 0),
            Value::Float(value) => Some(value != 0.0),
            Value::Complex(real, imaginary) => Some(real != 0.0 || imaginary != 0.0),
            Value::Address(base, _) => (!self.is_weak(base)).then_some(true),
            Value::Distance | Value::Aggregate => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, expr: ExprId) -> Option<Value> {
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Negate => match self.value(operand)? {
                Value::Integer(value) => {
                    let kind = self.shape(expr).integer()?;
                    let exact = value.checked_neg();
                    Some(Value::Integer(self.wrapped(exact, value.wrapping_neg(), kind)))
                }
                Value::Float(value) => Some(Value::Float(-value)),
                Value::Complex(real, imaginary) => Some(Value::Complex(-real, -imaginary)),
                Value::Address(..) | Value::Distance | Value::Aggregate => None,
            },
            UnaryOp::BitNot => match self.value(operand)? {
                Value::Integer(value) => {
                    Some(Value::Integer(self.ast.model.wrap(!value, self.shape(expr).integer()?)))
                }
                Value::Complex(real, imaginary) => Some(Value::Complex(real, -imaginary)),
                Value::Float(_) | Value::Address(..) | Value::Distance | Value::Aggregate => None,
            },
            UnaryOp::Not => {
                let value = self.value(operand)?;
                Some(Value::Integer(i128::from(!self.truth(value)?)))
            }
            // gcc does not even evaluate the operand.
            UnaryOp::Imag if self.shape(operand).is_integer() => Some(Value::Integer(0)),
            UnaryOp::Imag if self.shape(operand).is_float() => Some(Value::Float(0.0)),
            UnaryOp::Real | UnaryOp::Imag => {
                let value = self.value(operand)?;
                let (real, imaginary) = match value {
                    Value::Complex(real, imaginary) => (real, imaginary),
                    Value::Integer(_) | Value::Float(_) if op == UnaryOp::Real => return Some(value),
                    Value::Integer(_) => return Some(Value::Integer(0)),
                    Value::Float(_) => return Some(Value::Float(0.0)),
                    Value::Address(..) | Value::Distance | Value::Aggregate => return None,
                };
                let part = if op == UnaryOp::Real { real } else { imaginary };
                match self.shape(expr).integer() {
                    Some(kind) => Some(Value::Integer(float_to_integer(self.ast.model, part, kind).0)),
                    None => Some(Value::Float(part)),
                }
            }
            UnaryOp::AddressOf
            | UnaryOp::Deref
            | UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => None,
        }
    }

    /// `exact` wrapped to its type; notes when that changes a signed value. `wrapped` stands in when even 128 bits overflow.
    fn wrapped(&mut self, exact: Option<i128>, wrapped: i128, kind: IntKind) -> i128 {
        let model = self.ast.model;
        let result = model.wrap(exact.unwrap_or(wrapped), kind);
        // Noted and not reported: only whoever asked for the value knows what to say.
        if model.is_signed(kind) && exact != Some(result) {
            self.overflow = true;
        }
        result
    }

    fn cast(&mut self, kind: CastKind, operand: ExprId, expr: ExprId) -> Option<Value> {
        match kind {
            CastKind::Load => self.load(operand),
            CastKind::ArrayToPointer | CastKind::FunctionToPointer => self.address(operand),
            CastKind::NoOp | CastKind::Pointer => self.value(operand),
            CastKind::NullToPointer => Some(Value::Integer(0)),
            CastKind::Integer | CastKind::PointerToInteger => match self.value(operand)? {
                Value::Integer(value) => {
                    Some(Value::Integer(self.ast.model.wrap(value, self.shape(expr).integer()?)))
                }
                value @ Value::Address(..) => {
                    let bytes = self.ast.model.int_bytes(self.shape(expr).integer()?);
                    // An address fits an integer of its own width only: cut, no linker could fill it in.
                    (bytes == self.ast.model.pointer_bytes()).then_some(value)
                }
                Value::Distance => Some(Value::Distance),
                Value::Float(_) | Value::Complex(..) | Value::Aggregate => None,
            },
            CastKind::IntegerToPointer => match self.value(operand)? {
                Value::Integer(value) => {
                    // The integer is first brought to the width of a pointer.
                    Some(Value::Integer(self.ast.model.wrap(value, self.ast.model.size_type())))
                }
                value @ Value::Address(..) => Some(value),
                Value::Float(_) | Value::Complex(..) | Value::Distance | Value::Aggregate => None,
            },
            CastKind::ToBool => {
                let value = self.value(operand)?;
                Some(Value::Integer(i128::from(self.truth(value)?)))
            }
            CastKind::IntegerToFloat => match (self.value(operand)?, self.shape(expr)) {
                (Value::Integer(value), Shape::Float(float)) => {
                    let value = match self.shape(operand).integer() {
                        Some(IntKind::UnsignedInt128) => fold::unsigned_to_float(value.cast_unsigned()),
                        _ => fold::integer_to(value, float),
                    };
                    Some(Value::Float(float_as(value, float)))
                }
                _ => None,
            },
            CastKind::FloatToInteger => match self.value(operand)? {
                Value::Float(value) => {
                    let kind = self.shape(expr).integer()?;
                    let (result, exact) = float_to_integer(self.ast.model, value, kind);
                    // gcc saturates here; at run time it would be undefined, so it counts as an overflow.
                    self.overflow |= !exact;
                    Some(Value::Integer(result))
                }
                _ => None,
            },
            CastKind::Float => match (self.value(operand)?, self.shape(expr)) {
                (Value::Float(value), Shape::Float(kind)) => Some(Value::Float(float_as(value, kind))),
                _ => None,
            },
            CastKind::RealToComplex => match self.value(operand)? {
                Value::Integer(value) => Some(Value::Complex(integer_to_float(value), 0.0)),
                Value::Float(value) => Some(Value::Complex(value, 0.0)),
                _ => None,
            },
            CastKind::ComplexToReal => match (self.value(operand)?, self.shape(expr).integer()) {
                (Value::Complex(real, _), None) => Some(Value::Float(real)),
                (Value::Complex(real, _), Some(kind)) => {
                    Some(Value::Integer(float_to_integer(self.ast.model, real, kind).0))
                }
                _ => None,
            },
            CastKind::Complex => match (self.value(operand)?, self.shape(expr)) {
                (Value::Complex(real, imaginary), Shape::Complex(kind)) => {
                    Some(Value::Complex(float_as(real, kind), float_as(imaginary, kind)))
                }
                (value @ Value::Complex(..), _) => Some(value),
                _ => None,
            },
            CastKind::ToUnion | CastKind::VectorBits | CastKind::ScalarToVector => {
                self.value(operand).map(|_| Value::Aggregate)
            }
            CastKind::ToVoid => None,
        }
    }

    fn query(&self, query: TypeQuery, ty: QualType) -> Option<i128> {
        // GNU C gives `void` and functions the size and alignment one.
        if matches!(shape(self.ast, ty.id), Shape::Void | Shape::Function) {
            return Some(1);
        }
        let result = match query {
            TypeQuery::Size => layout::size_of(self.ast, ty),
            TypeQuery::Align => layout::align_of(self.ast, ty),
            TypeQuery::PreferredAlign => layout::preferred_align_of(self.ast, ty),
        };
        result.ok().map(i128::from)
    }

    fn expr_query(&self, query: TypeQuery, operand: ExprId) -> Option<i128> {
        let ty = self.ast.exprs[operand].ty;
        if query == TypeQuery::Size {
            return self.query(query, ty);
        }
        // The alignment of a declared thing is that of its declaration.
        match &self.ast.exprs[operand].kind {
            ExprKind::Var(var) => match self.ast.vars[*var].align {
                Some(align) => Some(i128::from(align)),
                None => self.query(query, ty),
            },
            ExprKind::Member { record, field, .. } => {
                let record = &self.ast.records[*record];
                let field = record.fields.as_ref()?.get(*field as usize)?;
                let own = layout::align_of(self.ast, field.ty).ok()?;
                let base = if field.packed || record.packed { 1 } else { own };
                Some(i128::from(field.align.map_or(base, |align| align.max(base))))
            }
            // `*&x` is `x` itself.
            ExprKind::Unary(UnaryOp::Deref, pointer) => match self.ast.exprs[*pointer].kind {
                ExprKind::Unary(UnaryOp::AddressOf, object) => self.expr_query(query, object),
                _ => self.query(query, ty),
            },
            _ => self.query(query, ty),
        }
    }

    /// Whether all parts of an initialiser are constant.
    fn aggregate(&mut self, init: &Init) -> Option<Value> {
        match init {
            Init::Expr(expr) => match self.ast.exprs[*expr].kind {
                ExprKind::String(_) => Some(Value::Aggregate),
                _ => self.value(*expr),
            },
            Init::Aggregate(parts) => {
                for part in parts {
                    self.aggregate(&part.value)?;
                }
                Some(Value::Aggregate)
            }
        }
    }

    /// The value of an argument of a call that is being folded.
    pub(crate) fn argument(&mut self, arguments: &[ExprId], place: usize) -> Option<Value> {
        self.value(*arguments.get(place)?)
    }

    /// The tree, for what folds calls.
    pub(crate) fn ast(&self) -> &'a Ast {
        self.ast
    }
}

impl TreeBuilder {
    /// The value of an integer constant expression; reports `what` ("array size", "case label", …) otherwise.
    pub fn integer_constant(&mut self, expr: ExprId, what: &str) -> Option<i128> {
        let value = self.rvalue(expr);
        if self.is_erroneous(value) {
            return None;
        }
        let span = self.span(expr);
        // The value is converted first, so that an enumeration or a decayed array is what it is used as.
        let mut evaluator = Evaluator::new(&self.ast, false);
        let result = evaluator.value(value);
        let overflow = evaluator.overflow;
        match result {
            Some(Value::Integer(result)) if self.shape_of(value).is_integer() => {
                if overflow {
                    self.warning(span, format!("integer overflow in {what}"));
                }
                Some(result)
            }
            _ => {
                self.error(span, format!("{what} is not an integer constant"));
                None
            }
        }
    }
}

impl Initializers<'_> {
    /// Whether the value may initialise an object of static storage; reports an error otherwise.
    pub fn require_constant_initializer(&mut self, expr: ExprId) -> bool {
        if self.tree.is_erroneous(expr) {
            return true;
        }
        let mut evaluator = Evaluator::new(&self.tree.ast, true);
        let found = match self.tree.ast.exprs[expr].kind {
            ExprKind::String(_) => true,
            _ => evaluator.value(expr).is_some(),
        };
        let overflow = evaluator.overflow;
        if !found {
            self.tree.error(self.tree.span(expr), "initialiser is not a constant expression");
        } else if overflow {
            self.tree.warning(self.tree.span(expr), "integer overflow in a constant expression");
        }
        found
    }
}

/// Whether a floating type has no more than the precision of `double`.
fn fits_double(kind: FloatKind) -> bool {
    match kind {
        FloatKind::Float16
        | FloatKind::Float
        | FloatKind::Float32
        | FloatKind::Double
        | FloatKind::Float32x
        | FloatKind::Float64 => true,
        FloatKind::LongDouble
        | FloatKind::Float64x
        | FloatKind::Float80
        | FloatKind::Float128
        | FloatKind::Decimal32
        | FloatKind::Decimal64
        | FloatKind::Decimal128 => false,
    }
}
