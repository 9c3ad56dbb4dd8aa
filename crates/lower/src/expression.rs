//! Expressions.
//!
//! A value that was read stays what it was: reading a variable copies it, so that later writes do not reach back.

use raddle_cfront::ast::{
    self, Ast, BinaryOp as COp, CastKind, ExprId, ExprKind, TypeQuery, UnaryOp as CUnary,
};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate};
use raddle_cfront::check::conversion::arithmetic::bit_field_width;
use raddle_cfront::layout;
use raddle_cfront::types::{ArrayLength, QualType, Type as CType};
use raddle_ir::{BinaryOp, BlockId, CastOp, Constant, Operand, Ordering, Rvalue, Terminator, Type, UnaryOp};

use crate::convert::{comparison, float_literal, narrowed_literal};
use crate::place::{Body, Lvalue, ResultUse, Val, label_number};
use crate::refused::Refused;
use crate::types::{self, Class};

/// Bits of `int`, in all data models.
const INT_BITS: u64 = 32;

impl Body<'_, '_> {
    /// Evaluates an expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Val {
        let node = &self.code.ast.exprs[expr];
        self.code.b.span = node.span;
        let ty = node.ty;
        // A type that is refused is refused here, once for every expression.
        if let Class::Unsupported(what) = self.code.class(ty) {
            return self.code.refuse(what);
        }
        match &node.kind {
            ExprKind::Integer(value) => Val::Scalar(self.code.integer(*value, ty)),
            ExprKind::EnumConstant(id, index) => {
                let constants = self.code.ast.enums[*id].constants.as_deref().unwrap_or_default();
                let value = constants.get(*index as usize).map_or(0, |constant| constant.value);
                Val::Scalar(self.code.integer(value, ty))
            }
            ExprKind::Float { value, spelling } => Val::Scalar(Operand::Constant(float_literal(
                self.code.ast,
                *value,
                self.code.ast.text(*spelling),
                ty,
            ))),
            ExprKind::Imaginary(_) => self.code.refuse(Refused::Complex),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, ty),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, *left, *right, ty),
            ExprKind::Assign(target, value) => self.assignment(*target, *value),
            ExprKind::CompoundAssign { op, target, value, computation } => {
                self.compound_assignment(*op, *target, *value, QualType::plain(*computation))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, ty)
            }
            ExprKind::Comma(first, second) => {
                // For its effects alone.
                self.value(*first);
                self.value(*second)
            }
            ExprKind::Cast { kind, operand, explicit } => self.cast(*kind, *operand, ty, *explicit),
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments, ty),
            ExprKind::Builtin { builtin, arguments } => self.builtin(*builtin, arguments, ty),
            ExprKind::TypeQuery(query, of) => self.type_query(expr, *query, *of, None),
            ExprKind::ExprQuery(query, of) => {
                self.type_query(expr, *query, self.code.ast.exprs[*of].ty, Some(*of))
            }
            ExprKind::Offsetof { ty: record, path } => self.offset_of(*record, path),
            ExprKind::VaArg(list) => self.va_arg(*list, ty),
            ExprKind::Statement(block) => self.statement_expression(*block),
            ExprKind::LabelAddress(label) => {
                let number = Operand::Constant(Constant::Int(self.code.b.pointer_bits, label_number(*label)));
                Val::Scalar(self.code.b.cast(CastOp::IntToPointer, Type::Ptr, number))
            }
            // Lvalues of aggregate type stand for their contents where they are copied.
            ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::FunctionName(..)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Function(_) => {
                let place = self.lvalue(expr);
                // An aggregate is its address until somebody copies it.
                if let (Lvalue::Memory(address, _), false) =
                    (place, matches!(self.code.class(ty), Class::Scalar(_)))
                {
                    return Val::Aggregate(address);
                }
                let ty = self.code.scalar_type(ty);
                Val::Scalar(self.code.read(place, ty))
            }
            ExprKind::Error => self.code.refuse(Refused::Erroneous),
        }
    }

    /// Evaluates a scalar expression.
    pub(crate) fn scalar(&mut self, expr: ExprId) -> Operand {
        self.value(expr).scalar()
    }

    fn unary(&mut self, op: CUnary, operand: ExprId, ty: QualType) -> Val {
        match op {
            CUnary::Plus => self.value(operand),
            CUnary::Negate | CUnary::BitNot if is_wide_bit_field(self.code.ast, operand) => {
                self.code.refuse(Refused::WideBitField)
            }
            CUnary::Negate => {
                let value = self.scalar(operand);
                let scalar = self.code.scalar_type(ty);
                if matches!(scalar, Type::F32 | Type::F64) {
                    return Val::Scalar(self.code.b.assign(scalar, Rvalue::Unary(UnaryOp::FloatNeg, value)));
                }
                self.code.checks().check_negation(value, ty);
                Val::Scalar(self.code.b.assign(scalar, Rvalue::Unary(UnaryOp::Neg, value)))
            }
            CUnary::BitNot => {
                let value = self.scalar(operand);
                let scalar = self.code.scalar_type(ty);
                Val::Scalar(self.code.b.assign(scalar, Rvalue::Unary(UnaryOp::Not, value)))
            }
            CUnary::Not => {
                let value = self.scalar(operand);
                let truth = self.code.b.truth(value);
                let negated = self.code.b.negate(truth);
                let scalar = self.code.scalar_type(ty);
                Val::Scalar(self.code.resize(negated, scalar, false))
            }
            CUnary::AddressOf => Val::Scalar(self.address(operand)),
            CUnary::Deref => Val::Aggregate(self.scalar(operand)),
            CUnary::PreIncrement => self.increment(operand, false, false),
            CUnary::PreDecrement => self.increment(operand, true, false),
            CUnary::PostIncrement => self.increment(operand, false, true),
            CUnary::PostDecrement => self.increment(operand, true, true),
            CUnary::Real | CUnary::Imag => self.code.refuse(Refused::Complex),
        }
    }

    fn binary(&mut self, expr: ExprId, op: COp, left: ExprId, right: ExprId, ty: QualType) -> Val {
        if matches!(op, COp::And | COp::Or) {
            return self.logical(expr, ty);
        }
        if computes_in_bit_field(self.code.ast, op, left, right) {
            return self.code.refuse(Refused::WideBitField);
        }
        let (left_ty, right_ty) = (self.code.ast.exprs[left].ty, self.code.ast.exprs[right].ty);
        let compares = matches!(
            op,
            COp::Less | COp::Greater | COp::LessEqual | COp::GreaterEqual | COp::Equal | COp::NotEqual
        );
        // Compared with zero, only the sign of a call's result counts: models have less to choose then.
        if compares && matches!(self.code.ast.exprs[right].kind, ExprKind::Integer(0)) {
            self.ask(left, ResultUse::Sign);
        }
        let (a, b) = (self.scalar(left), self.scalar(right));
        self.code.b.span = self.code.ast.exprs[expr].span;
        Val::Scalar(self.operate(op, a, left_ty, b, right_ty, ty))
    }

    /// A binary operation on values: arithmetic, comparison or pointer arithmetic.
    pub(crate) fn operate(
        &mut self,
        op: COp,
        left: Operand,
        left_ty: QualType,
        right: Operand,
        right_ty: QualType,
        ty: QualType,
    ) -> Operand {
        // Both operands were converted by the front end; what is left to choose is the instruction.
        let pointer = |body: &Self, ty: QualType| body.code.ast.types.pointee(ty.id).is_some();
        match (op, pointer(self, left_ty), pointer(self, right_ty)) {
            (COp::Add, true, false) => return self.pointer_plus(left, right, left_ty, right_ty, false),
            (COp::Add, false, true) => return self.pointer_plus(right, left, right_ty, left_ty, false),
            (COp::Sub, true, false) => return self.pointer_plus(left, right, left_ty, right_ty, true),
            (COp::Sub, true, true) => return self.pointer_difference(left, right, left_ty),
            _ => {}
        }
        if let Some((compare, swapped)) =
            comparison(op, self.code.b.type_of(left), types::is_signed(self.code.ast, left_ty.id))
        {
            return self.code.comparison(compare, swapped, left, right, ty);
        }
        let scalar = self.code.scalar_type(ty);
        let signed = types::is_signed(self.code.ast, ty.id);
        if matches!(scalar, Type::F32 | Type::F64) {
            let op = match op {
                COp::Add => BinaryOp::FloatAdd,
                COp::Sub => BinaryOp::FloatSub,
                COp::Mul => BinaryOp::FloatMul,
                // The front end lets no other operator have floating operands.
                COp::Div
                | COp::Rem
                | COp::Shl
                | COp::Shr
                | COp::Less
                | COp::Greater
                | COp::LessEqual
                | COp::GreaterEqual
                | COp::Equal
                | COp::NotEqual
                | COp::BitAnd
                | COp::BitXor
                | COp::BitOr
                | COp::And
                | COp::Or => BinaryOp::FloatDiv,
            };
            return self.code.b.binary(op, scalar, left, right);
        }
        // Checks come before the operation, on its operands.
        self.code.checks().check_arithmetic(op, left, right, ty);
        self.code.b.binary(integer_operator(op, signed), scalar, left, right)
    }

    fn pointer_difference(&mut self, left: Operand, right: Operand, ty: QualType) -> Operand {
        let size_type = self.code.b.size_type();
        let bytes = self.code.b.assign(size_type, Rvalue::PointerDifference(left, right));
        let Some(element) = self.code.ast.types.pointee(ty.id) else { return bytes };
        let size = self.size_value(element);
        if matches!(size, Operand::Constant(Constant::Int(_, 0 | 1))) {
            return bytes;
        }
        self.code.b.binary(BinaryOp::SignedDiv, size_type, bytes, size)
    }

    /// `&&` and `||` as a value.
    fn logical(&mut self, expr: ExprId, ty: QualType) -> Val {
        let scalar = self.code.scalar_type(ty);
        // No operand is evaluated that C does not evaluate, so this is control flow.
        let result = self.code.b.register(scalar, None);
        let (yes, no, end) = (self.code.b.block(), self.code.b.block(), self.code.b.block());
        self.condition(expr, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.code.b.switch_to(block);
            let value = self.code.integer(value, ty);
            self.code.b.set(result, value);
            self.code.b.terminate(Terminator::Jump(end));
        }
        self.code.b.switch_to(end);
        Val::Scalar(Operand::Register(result))
    }

    /// Goes to one block or the other, evaluating no more than C does.
    pub(crate) fn condition(&mut self, expr: ExprId, yes: BlockId, no: BlockId) {
        let kind = &self.code.ast.exprs[expr].kind;
        if let ExprKind::Binary(op @ (COp::And | COp::Or), left, right) = *kind {
            let middle = self.code.b.block();
            if op == COp::And {
                self.condition(left, middle, no);
            } else {
                self.condition(left, yes, middle);
            }
            self.code.b.switch_to(middle);
            self.condition(right, yes, no);
        } else if let ExprKind::Unary(CUnary::Not, operand) = *kind
            && !self.code.is_unsupported(operand)
        {
            self.condition(operand, no, yes);
        } else {
            self.ask(expr, ResultUse::Sign);
            let value = self.scalar(expr);
            let truth = self.code.b.truth(value);
            self.code.b.branch(truth, yes, no);
        }
    }

    /// Notes how little of an expression's value will be looked at, if the value is that of a call.
    pub(crate) fn ask(&mut self, expr: ExprId, asked: ResultUse) {
        let mut inner = expr;
        while let ExprKind::Cast { operand, .. } = self.code.ast.exprs[inner].kind {
            inner = operand;
        }
        if let ExprKind::Call { callee, .. } = self.code.ast.exprs[inner].kind {
            self.asked = Some((callee, asked));
        }
    }

    fn conditional(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        ty: QualType,
    ) -> Val {
        let class = self.code.class(ty);
        let result = match class {
            Class::Scalar(scalar) => Some(self.code.b.register(scalar, None)),
            Class::Aggregate => Some(self.code.b.register(Type::Ptr, None)),
            Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        let (yes, no, end) = (self.code.b.block(), self.code.b.block(), self.code.b.block());
        match then {
            Some(then) => {
                self.condition(condition, yes, no);
                self.code.b.switch_to(yes);
                self.arm(then, result, end);
            }
            // `a ?: b`: the condition is evaluated once, and converted to the result's type when it is taken.
            None => {
                let value = self.scalar(condition);
                // Both uses take the same evaluation.
                let truth = self.code.b.truth(value);
                self.code.b.branch(truth, yes, no);
                self.code.b.switch_to(yes);
                if let Some(result) = result {
                    let converted = self.code.convert_plain(value, self.code.ast.exprs[condition].ty, ty);
                    self.code.b.set(result, converted);
                }
                self.code.b.terminate(Terminator::Jump(end));
            }
        }
        self.code.b.switch_to(no);
        self.arm(otherwise, result, end);
        self.code.b.switch_to(end);
        match (class, result) {
            (Class::Scalar(_), Some(result)) => Val::Scalar(Operand::Register(result)),
            (_, Some(result)) => Val::Aggregate(Operand::Register(result)),
            (_, None) => Val::Void,
        }
    }

    fn arm(&mut self, expr: ExprId, result: Option<raddle_ir::RegisterId>, end: BlockId) {
        let value = self.value(expr);
        if let (Some(result), Val::Scalar(value) | Val::Aggregate(value)) = (result, value) {
            self.code.b.set(result, value);
        }
        self.code.b.terminate(Terminator::Jump(end));
    }

    fn cast(&mut self, kind: CastKind, operand: ExprId, ty: QualType, explicit: bool) -> Val {
        let from = self.code.ast.exprs[operand].ty;
        match kind {
            CastKind::Load => {
                let place = self.lvalue(operand);
                match (self.code.class(ty), place) {
                    (Class::Scalar(scalar), place) => Val::Scalar(self.code.read(place, scalar)),
                    (_, Lvalue::Memory(address, Ordering::Plain)) => Val::Aggregate(address),
                    (_, Lvalue::Memory(address, ordering)) => self.load_whole(address, ty, ordering),
                    (_, Lvalue::Register(_) | Lvalue::Bits { .. }) => Val::Void,
                }
            }
            CastKind::ArrayToPointer | CastKind::FunctionToPointer => Val::Scalar(self.address(operand)),
            CastKind::ToVoid => {
                self.value(operand);
                Val::Void
            }
            CastKind::ToUnion => self.union_of(operand, ty),
            CastKind::NoOp => self.value(operand),
            CastKind::Integer
            | CastKind::ToBool
            | CastKind::IntegerToFloat
            | CastKind::FloatToInteger
            | CastKind::Float
            | CastKind::IntegerToPointer
            | CastKind::NullToPointer
            | CastKind::PointerToInteger
            | CastKind::Pointer => {
                // Only a literal of such a type has a value here.
                if let Class::Unsupported(what) = self.code.class(from) {
                    let narrowed = narrowed_literal(self.code.ast, operand, ty);
                    return narrowed.map_or_else(
                        || self.code.refuse(what),
                        |value| Val::Scalar(Operand::Constant(value)),
                    );
                }
                if explicit {
                    // `(int (*)[n])p` evaluates `n`.
                    self.evaluate_lengths(ty);
                }
                let value = self.scalar(operand);
                self.code.b.span = self.code.ast.exprs[operand].span;
                Val::Scalar(self.code.convert(kind, value, from, ty))
            }
            CastKind::RealToComplex | CastKind::ComplexToReal | CastKind::Complex => {
                self.code.refuse(Refused::Complex)
            }
            CastKind::VectorBits | CastKind::ScalarToVector => self.code.refuse(Refused::Vector),
        }
    }

    /// `sizeof` and its kin, of a type or an expression.
    fn type_query(&mut self, query: ExprId, which: TypeQuery, ty: QualType, of: Option<ExprId>) -> Val {
        // The alignment asked for a variable or member counts, and so the whole question is put to the front end first.
        if let Some(CConstant::Integer(value)) = evaluate(self.code.ast, query) {
            return Val::Scalar(self.code.integer(value, self.code.ast.exprs[query].ty));
        }
        match which {
            TypeQuery::Size => {
                // Only of a variable length type is the operand evaluated, and so are the lengths of a type.
                match of {
                    Some(of) => {
                        self.lvalue(of);
                    }
                    None => self.evaluate_lengths(ty),
                }
                Val::Scalar(self.size_value(ty))
            }
            TypeQuery::Align => {
                Val::Scalar(self.code.b.size(layout::align_of(self.code.ast, ty).unwrap_or(1)))
            }
            TypeQuery::PreferredAlign => {
                Val::Scalar(self.code.b.size(layout::preferred_align_of(self.code.ast, ty).unwrap_or(1)))
            }
        }
    }

    /// The size of a type, computed where it depends on a variable length; `void` and functions count as 1, as in GNU C.
    pub(crate) fn size_value(&mut self, ty: QualType) -> Operand {
        // A constant size needs no instruction.
        let no_size = match layout::size_of(self.code.ast, ty) {
            Ok(size) => return self.code.b.size(size),
            Err(no_size) => no_size,
        };
        let CType::Array { element, length } = *self.code.ast.types.kind(ty.id) else {
            if no_size != layout::NoSize::Incomplete {
                self.code.refuse(Refused::VariableRecord);
            }
            return self.code.b.size(1);
        };
        let count = match length {
            ArrayLength::Variable(length) => self.array_length(length),
            ArrayLength::Fixed(count) => self.code.b.size(count),
            ArrayLength::Unknown | ArrayLength::Star => self.code.b.size(0),
        };
        let element = self.size_value(element);
        let size_type = self.code.b.size_type();
        self.code.b.binary(BinaryOp::Mul, size_type, count, element)
    }

    fn offset_of(&mut self, ty: QualType, path: &[ast::OffsetStep]) -> Val {
        let mut offset = self.code.b.size(0);
        let mut current = ty;
        let size_type = self.code.b.size_type();
        for step in path {
            match *step {
                ast::OffsetStep::Field(record, field) => {
                    let Some(field) = self.code.ast.records[record]
                        .fields
                        .as_ref()
                        .and_then(|fields| fields.get(field as usize))
                    else {
                        continue;
                    };
                    let bytes = self.code.b.size(field.bit_offset / 8);
                    offset = self.code.add_sizes(offset, bytes);
                    current = field.ty;
                }
                ast::OffsetStep::Index(index) => {
                    let CType::Array { element, .. } = *self.code.ast.types.kind(current.id) else {
                        continue;
                    };
                    let signed = types::is_signed(self.code.ast, self.code.ast.exprs[index].ty.id);
                    let index = self.scalar(index);
                    let index = self.code.resize(index, size_type, signed);
                    let size = self.size_value(element);
                    let bytes = self.code.b.binary(BinaryOp::Mul, size_type, index, size);
                    offset = self.code.add_sizes(offset, bytes);
                    current = element;
                }
            }
        }
        Val::Scalar(offset)
    }
}

/// The operator on integers behind a C operator that is no comparison.
fn integer_operator(op: COp, signed: bool) -> BinaryOp {
    match (op, signed) {
        (COp::Add, _) => BinaryOp::Add,
        (COp::Sub, _) => BinaryOp::Sub,
        (COp::Mul, _) => BinaryOp::Mul,
        (COp::Div, true) => BinaryOp::SignedDiv,
        (COp::Div, false) => BinaryOp::UnsignedDiv,
        (COp::Rem, true) => BinaryOp::SignedRem,
        (COp::Rem, false) => BinaryOp::UnsignedRem,
        (COp::Shl, _) => BinaryOp::Shl,
        (COp::Shr, true) => BinaryOp::SignedShr,
        (COp::Shr, false) => BinaryOp::UnsignedShr,
        (COp::BitAnd, _) => BinaryOp::And,
        (COp::BitXor, _) => BinaryOp::Xor,
        (COp::BitOr, _) => BinaryOp::Or,
        (
            COp::Less
            | COp::Greater
            | COp::LessEqual
            | COp::GreaterEqual
            | COp::Equal
            | COp::NotEqual
            | COp::And
            | COp::Or,
            _,
        ) => unreachable!("comparisons and sequenced operators are lowered before"),
    }
}

/// Whether a value is that of a bit-field with more bits than `int` and fewer than its type.
fn is_wide_bit_field(ast: &Ast, expr: ExprId) -> bool {
    let ty = ast.exprs[expr].ty;
    let declared = layout::size_of(ast, ty).map_or(0, |size| 8 * size);
    let width = bit_field_width(ast, expr).map_or(0, u64::from);
    width > INT_BITS && width < declared
}

/// Whether the result depends on how many bits a bit-field wider than `int` is computed in.
fn computes_in_bit_field(ast: &Ast, op: COp, left: ExprId, right: ExprId) -> bool {
    let (left_is_wide, right_is_wide) = (is_wide_bit_field(ast, left), is_wide_bit_field(ast, right));
    let other = match (left_is_wide, right_is_wide) {
        (false, false) => return false,
        // Division and comparisons do not depend on the width, sums and products do.
        (true, true) => return matches!(op, COp::Add | COp::Sub | COp::Mul | COp::Shl),
        (true, false) => right,
        (false, true) => left,
    };
    // What is converted has a narrower type, and takes on that of the bit-field.
    let ExprKind::Cast { operand, explicit: false, .. } = ast.exprs[other].kind else {
        return left_is_wide && op == COp::Shl;
    };
    let may_be_negative = types::is_signed(ast, ast.exprs[operand].ty.id)
        && !matches!(ast.exprs[operand].kind, ExprKind::Integer(value) if value >= 0);
    match op {
        COp::Add | COp::Sub | COp::Mul => true,
        COp::Shl => left_is_wide,
        COp::Shr => false,
        COp::Div
        | COp::Rem
        | COp::BitAnd
        | COp::BitXor
        | COp::BitOr
        | COp::Less
        | COp::Greater
        | COp::LessEqual
        | COp::GreaterEqual
        | COp::Equal
        | COp::NotEqual => may_be_negative,
        COp::And | COp::Or => false,
    }
}
