//! Expressions, with as few parentheses as precedence allows.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "only a few kinds of types have constants; which are printed how is asked in three places"
)]

use crate::ast::{
    BinaryOp, EnumId, Expr, ExprId, ExprKind, OffsetStep, PredefinedName, RecordId, StmtKind, TypeQuery,
    UnaryOp,
};
use crate::check::builtin::Builtin;
use crate::print::{Printer, literal};
use crate::types::{IntKind, QualType, Type};

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Comma,
    Assignment,
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    Postfix,
    Primary,
}

/// The text of an operator, how tightly it binds, and how tightly its right operand must.
const fn binary(op: BinaryOp) -> (&'static str, Level, Level) {
    match op {
        BinaryOp::Mul => ("*", Level::Product, Level::Cast),
        BinaryOp::Div => ("/", Level::Product, Level::Cast),
        BinaryOp::Rem => ("%", Level::Product, Level::Cast),
        BinaryOp::Add => ("+", Level::Sum, Level::Product),
        BinaryOp::Sub => ("-", Level::Sum, Level::Product),
        BinaryOp::Shl => ("<<", Level::Shift, Level::Sum),
        BinaryOp::Shr => (">>", Level::Shift, Level::Sum),
        BinaryOp::Less => ("<", Level::Relation, Level::Shift),
        BinaryOp::Greater => (">", Level::Relation, Level::Shift),
        BinaryOp::LessEqual => ("<=", Level::Relation, Level::Shift),
        BinaryOp::GreaterEqual => (">=", Level::Relation, Level::Shift),
        BinaryOp::Equal => ("==", Level::Equality, Level::Relation),
        BinaryOp::NotEqual => ("!=", Level::Equality, Level::Relation),
        BinaryOp::BitAnd => ("&", Level::BitAnd, Level::Equality),
        BinaryOp::BitXor => ("^", Level::BitXor, Level::BitAnd),
        BinaryOp::BitOr => ("|", Level::BitOr, Level::BitXor),
        BinaryOp::And => ("&&", Level::And, Level::BitOr),
        BinaryOp::Or => ("||", Level::Or, Level::And),
    }
}

/// The spelling of a binary operator.
pub(crate) const fn binary_text(op: BinaryOp) -> &'static str {
    binary(op).0
}

/// The spelling of a unary operator.
pub(crate) const fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Negate => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::AddressOf => "&",
        UnaryOp::Deref => "*",
        UnaryOp::PreIncrement | UnaryOp::PostIncrement => "++",
        UnaryOp::PreDecrement | UnaryOp::PostDecrement => "--",
        UnaryOp::Real => "__real__ ",
        UnaryOp::Imag => "__imag__ ",
    }
}

/// The spelling of a name a function has for itself.
pub(crate) const fn predefined_text(name: PredefinedName) -> &'static str {
    match name {
        PredefinedName::Func => "__func__",
        PredefinedName::Function => "__FUNCTION__",
        PredefinedName::PrettyFunction => "__PRETTY_FUNCTION__",
    }
}

/// The spelling of `sizeof` and its kin.
pub(crate) const fn query_text(query: TypeQuery) -> &'static str {
    match query {
        TypeQuery::Size => "sizeof",
        TypeQuery::Align => "_Alignof",
        TypeQuery::PreferredAlign => "__alignof__",
    }
}

impl Printer<'_> {
    /// The text of an expression that may not have a comma at its top, apart from the text printed so far.
    pub(crate) fn assignment_text(&mut self, id: ExprId) -> String {
        let outer = std::mem::take(&mut self.text);
        let (lines, marks) = (self.lines.take(), self.marks.take());
        self.expr(id, Level::Assignment);
        (self.lines, self.marks) = (lines, marks);
        std::mem::replace(&mut self.text, outer)
    }

    /// A whole expression, commas included.
    pub(crate) fn full_expr(&mut self, id: ExprId) {
        self.expr(id, Level::Comma);
    }

    /// What is written in the source: implicit conversions are passed by.
    fn written(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Cast { operand, explicit: false, .. } = self.ast.exprs[id].kind {
            id = operand;
        }
        id
    }

    /// An expression where only one that binds at least as tightly as `least` may stand without parentheses.
    pub(crate) fn expr(&mut self, id: ExprId, least: Level) {
        let ast = self.ast;
        let expr = &ast.exprs[self.written(id)];
        let enclosed = self.level(expr) < least;
        if enclosed {
            self.push("(");
        }
        self.bare_expr(expr);
        if enclosed {
            self.push(")");
        }
    }

    /// How tightly the text of an expression binds.
    fn level(&self, expr: &Expr) -> Level {
        match &expr.kind {
            // Types without constants of their own are printed as casts.
            ExprKind::Integer(_) => match self.ast.types.kind(expr.ty.id) {
                Type::Int(kind) if !literal::has_constants(*kind) => Level::Cast,
                _ => Level::Primary,
            },
            ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::Statement(_)
            | ExprKind::Error => Level::Primary,
            ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::Offsetof { .. }
            | ExprKind::VaArg(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Unary(UnaryOp::PostIncrement | UnaryOp::PostDecrement, _) => Level::Postfix,
            ExprKind::Unary(
                UnaryOp::Plus
                | UnaryOp::Negate
                | UnaryOp::BitNot
                | UnaryOp::Not
                | UnaryOp::AddressOf
                | UnaryOp::Deref
                | UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::Real
                | UnaryOp::Imag,
                _,
            )
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::LabelAddress(_) => Level::Unary,
            ExprKind::Cast { .. } => Level::Cast,
            ExprKind::Binary(op, ..) => binary(*op).1,
            ExprKind::Conditional { .. } => Level::Conditional,
            ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } => Level::Assignment,
            ExprKind::Comma(..) => Level::Comma,
        }
    }

    fn bare_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::FunctionName(..)
            | ExprKind::Error => self.constant(expr),
            ExprKind::Var(var) => {
                if let Some(name) = self.ast.vars[*var].name {
                    self.push(self.ast.text(name));
                }
            }
            ExprKind::Function(function) => self.push(self.ast.text(self.ast.functions[*function].name)),
            ExprKind::EnumConstant(id, place) => self.enum_constant(*id, *place),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary(op, left, right) => {
                let (text, level, right_level) = binary(*op);
                self.expr(*left, level);
                self.push(" ");
                self.push(text);
                self.push(" ");
                self.expr(*right, right_level);
            }
            ExprKind::Assign(target, value) => self.assignment("", *target, *value),
            ExprKind::CompoundAssign { op, target, value, computation: _ } => {
                self.assignment(binary_text(*op), *target, *value);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(*condition, Level::Or);
                self.push(" ?");
                if let Some(then) = then {
                    self.push(" ");
                    self.expr(*then, Level::Comma);
                    self.push(" ");
                }
                self.push(": ");
                self.expr(*otherwise, Level::Conditional);
            }
            ExprKind::Comma(left, right) => {
                self.expr(*left, Level::Comma);
                self.push(", ");
                self.expr(*right, Level::Assignment);
            }
            ExprKind::Cast { operand, .. } => {
                self.parenthesised_type(expr.ty);
                self.expr(*operand, Level::Cast);
            }
            ExprKind::Member { base, record, field, arrow } => self.member(*base, *record, *field, *arrow),
            ExprKind::Index { base, index } => {
                self.expr(*base, Level::Postfix);
                self.push("[");
                self.expr(*index, Level::Comma);
                self.push("]");
            }
            ExprKind::Call { callee, arguments } => {
                self.expr(*callee, Level::Postfix);
                self.arguments(arguments);
            }
            ExprKind::Builtin { builtin, arguments } => self.builtin_call(*builtin, arguments, expr.ty),
            ExprKind::TypeQuery(query, ty) => {
                self.push(query_text(*query));
                self.parenthesised_type(*ty);
            }
            ExprKind::ExprQuery(query, operand) => {
                self.push(query_text(*query));
                self.push("(");
                self.expr(*operand, Level::Comma);
                self.push(")");
            }
            ExprKind::Offsetof { ty, path } => self.offsetof(*ty, path),
            ExprKind::VaArg(list) => {
                self.push("__builtin_va_arg(");
                self.expr(*list, Level::Assignment);
                let ty = self.type_name(expr.ty);
                self.push(", ");
                self.push(&ty);
                self.push(")");
            }
            ExprKind::Statement(body) => {
                self.push("(");
                if let StmtKind::Block(stmts) = &self.ast.stmts[*body].kind {
                    self.block(stmts);
                }
                self.push(")");
            }
            ExprKind::CompoundLiteral { init, static_storage: _ } => {
                self.parenthesised_type(expr.ty);
                self.braced_init(init, expr.ty);
            }
            ExprKind::LabelAddress(label) => {
                self.push("&&");
                self.push(self.ast.text(self.ast.labels[*label].name));
            }
        }
    }

    fn constant(&mut self, expr: &Expr) {
        let kind = self.ast.types.kind(expr.ty.id);
        let text = if let ExprKind::Integer(value) = &expr.kind {
            let kind = match kind {
                Type::Int(kind) | Type::ComplexInt(kind) => *kind,
                Type::Enum(id) => self.ast.enums[*id].underlying,
                _ => IntKind::Int,
            };
            literal::integer(*value, kind)
        } else if let ExprKind::Float { spelling, .. } = &expr.kind {
            let suffix = match kind {
                Type::Float(kind) | Type::Complex(kind) => literal::float_suffix(*kind),
                _ => "",
            };
            self.ast.text(*spelling).to_owned() + suffix
        } else if let ExprKind::Imaginary(real) = &expr.kind {
            self.constant(&self.ast.exprs[*real]);
            "i".to_owned()
        } else if let ExprKind::String(string) = &expr.kind {
            literal::string(string)
        } else if let ExprKind::FunctionName(name, _) = &expr.kind {
            predefined_text(*name).to_owned()
        } else {
            "0 /* error */".to_owned()
        };
        self.push(&text);
    }

    fn enum_constant(&mut self, id: EnumId, place: u32) {
        let constants = self.ast.enums[id].constants.as_deref().unwrap_or_default();
        if let Some(constant) = constants.get(place as usize) {
            self.push(self.ast.text(constant.name));
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) {
        if matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement) {
            self.expr(operand, Level::Postfix);
            self.push(unary_text(op));
            return;
        }
        self.push(unary_text(op));
        let before = self.text.len();
        let least = if matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement) {
            Level::Unary
        } else {
            Level::Cast
        };
        self.expr(operand, least);
        // `- -x` must not become `--x`, nor `& &&label` something else.
        let together = matches!(
            (op, self.text.as_bytes().get(before)),
            (UnaryOp::Plus, Some(b'+')) | (UnaryOp::Negate, Some(b'-')) | (UnaryOp::AddressOf, Some(b'&'))
        );
        if together {
            self.text.insert(before, ' ');
        }
    }

    fn assignment(&mut self, op: &str, target: ExprId, value: ExprId) {
        self.expr(target, Level::Unary);
        self.push(" ");
        self.push(op);
        self.push("= ");
        self.expr(value, Level::Assignment);
    }

    /// A member. Members of anonymous members are named as if they were the record's own.
    fn member(&mut self, base: ExprId, record: RecordId, field: u32, arrow: bool) {
        let (mut base, mut arrow) = (base, arrow);
        while let ExprKind::Member { base: outer, record, field, arrow: outer_arrow } =
            self.ast.exprs[self.written(base)].kind
            && self.field_name(record, field).is_none()
        {
            (base, arrow) = (outer, outer_arrow);
        }
        self.expr(base, Level::Postfix);
        self.push(if arrow { "->" } else { "." });
        if let Some(name) = self.field_name(record, field) {
            self.push(self.ast.text(name));
        }
    }

    pub(crate) fn field_name(&self, record: RecordId, field: u32) -> Option<crate::names::Symbol> {
        self.ast.records[record].fields.as_deref()?.get(field as usize)?.name
    }

    fn arguments(&mut self, arguments: &[ExprId]) {
        self.push("(");
        for (place, &argument) in arguments.iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            self.expr(argument, Level::Assignment);
        }
        self.push(")");
    }

    fn builtin_call(&mut self, builtin: Builtin, arguments: &[ExprId], ty: QualType) {
        self.push(&builtin.name(&self.ast.names));
        if builtin != Builtin::ConvertVector {
            self.arguments(arguments);
            return;
        }
        // The one that is given a type: the expression's own.
        self.push("(");
        for &argument in arguments {
            self.expr(argument, Level::Assignment);
            self.push(", ");
        }
        let ty = self.type_name(ty);
        self.push(&ty);
        self.push(")");
    }

    fn parenthesised_type(&mut self, ty: QualType) {
        let text = self.type_name(ty);
        self.push("(");
        self.push(&text);
        self.push(")");
    }

    fn offsetof(&mut self, ty: QualType, path: &[OffsetStep]) {
        let ty = self.type_name(ty);
        self.push("__builtin_offsetof(");
        self.push(&ty);
        self.push(", ");
        let mut first = true;
        for step in path {
            match step {
                OffsetStep::Field(record, field) => {
                    let Some(name) = self.field_name(*record, *field) else { continue };
                    if !first {
                        self.push(".");
                    }
                    self.push(self.ast.text(name));
                    first = false;
                }
                OffsetStep::Index(index) => {
                    self.push("[");
                    self.expr(*index, Level::Comma);
                    self.push("]");
                }
            }
        }
        self.push(")");
    }
}
