//! Expressions without side effects, of known type, whose value the standard (and gcc, where the standard leaves it to
//! the implementation) defines.

use super::types::Ty;
use super::{Lvalue, Program};

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) ty: Ty,
}

impl Expr {
    fn new(text: String, ty: Ty) -> Self {
        Self { text, ty }
    }
}

impl Program {
    /// An expression of any type.
    pub(super) fn expression(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf();
        }
        match self.random.below(16) {
            0..=6 => self.binary(depth),
            7 => self.unary(depth),
            8 => self.comparison(depth),
            9 => self.logical(depth),
            10 => self.choice(depth),
            11 | 12 => {
                let ty = Ty::any(&mut self.random);
                let value = self.expression_as(ty, depth - 1);
                Expr::new(format!("({})({value})", ty.name()), ty)
            }
            13 => self.pure_call(depth),
            14 => {
                let (first, second) = (self.leaf(), self.expression(depth - 1));
                Expr::new(format!("({}, {})", first.text, second.text), second.ty)
            }
            _ => {
                let value = self.expression(depth - 1);
                let name = self.fresh("t");
                let other = self.leaf();
                let both = self.combine(Expr::new(name.clone(), value.ty), other);
                let text = format!("({{ {} {name} = {}; {}; }})", value.ty.name(), value.text, both.text);
                Expr::new(text, both.ty)
            }
        }
    }

    /// The text of an expression that may be assigned to an object of type `ty`.
    pub(super) fn expression_as(&mut self, ty: Ty, depth: u32) -> String {
        let value = self.expression(depth);
        convertible(&value, ty)
    }

    /// An expression of integer type.
    pub(super) fn integer(&mut self, depth: u32) -> Expr {
        let value = self.expression(depth);
        if value.ty.is_float() { Expr::new(format!("to_int({})", value.text), Ty::Int) } else { value }
    }

    pub(super) fn constant(&mut self, ty: Ty) -> String {
        const SPECIAL: [&str; 10] = ["0", "1", "2", "7", "100", "127", "255", "32767", "65535", "2147483647"];
        if ty.is_float() {
            let suffix = if ty == Ty::Float { "f" } else { "" };
            let (whole, part) = (self.random.below(1_000), self.random.below(1_000));
            return match self.random.below(4) {
                0 => format!("{whole}.{part}{suffix}"),
                1 => format!("-{whole}.{part}{suffix}"),
                2 => format!("{whole}e{}{suffix}", part % 20),
                _ => format!("0.{part}{suffix}"),
            };
        }
        let suffix = match ty {
            Ty::Unsigned => "u",
            Ty::Long => "l",
            Ty::UnsignedLong => "ul",
            Ty::LongLong => "ll",
            Ty::UnsignedLongLong => "ull",
            Ty::Bool
            | Ty::Char
            | Ty::SignedChar
            | Ty::UnsignedChar
            | Ty::Short
            | Ty::UnsignedShort
            | Ty::Int
            | Ty::Float
            | Ty::Double => "",
        };
        match self.random.below(4) {
            0 => format!("{}{suffix}", SPECIAL[self.random.below(SPECIAL.len())]),
            1 if ty.is_signed() => format!("(-{}{suffix})", self.random.below(100_000)),
            2 if ty.bits() == 64 => {
                format!("0x{:x}{suffix}", self.random.bits() >> (1 + self.random.below(40)))
            }
            _ => format!("{}{suffix}", self.random.below(1_000)),
        }
    }

    fn leaf(&mut self) -> Expr {
        if self.random.once_in(4) || self.lvalues.is_empty() {
            let ty = Ty::any(&mut self.random);
            let text = self.constant(ty);
            // A constant without suffix is an `int` at least.
            return Expr::new(text, ty.promoted());
        }
        let lvalue = self.lvalues[self.random.below(self.lvalues.len())].clone();
        self.read(&lvalue)
    }

    /// Reads an lvalue; the subscript of an array is drawn anew.
    pub(super) fn read(&mut self, lvalue: &Lvalue) -> Expr {
        let text = self.designate(lvalue);
        match lvalue.width {
            // gcc computes with a bit-field of another type in its own width; a cast keeps that out.
            Some(_) if !matches!(lvalue.ty, Ty::Int | Ty::Unsigned | Ty::Bool) => {
                Expr::new(format!("({}){text}", lvalue.ty.name()), lvalue.ty)
            }
            Some(width) if width < 32 || lvalue.ty == Ty::Int => Expr::new(text, Ty::Int),
            _ => Expr::new(text, lvalue.ty),
        }
    }

    /// The text of an lvalue.
    pub(super) fn designate(&mut self, lvalue: &Lvalue) -> String {
        let Some(length) = lvalue.length else { return lvalue.text.clone() };
        let index = if self.random.once_in(3) {
            self.random.below(length).to_string()
        } else {
            let value = self.subscript();
            format!("{value} & {}", length - 1)
        };
        match self.random.below(4) {
            0 => format!("(*({} + ({index})))", lvalue.text),
            1 => format!("({index})[{}]", lvalue.text),
            _ => format!("{}[{index}]", lvalue.text),
        }
    }

    /// A small expression to index with.
    fn subscript(&mut self) -> String {
        let scalars: Vec<Lvalue> = self
            .lvalues
            .iter()
            .filter(|lvalue| lvalue.length.is_none() && lvalue.width.is_none() && !lvalue.ty.is_float())
            .cloned()
            .collect();
        if scalars.is_empty() {
            return "3".to_owned();
        }
        let lvalue = &scalars[self.random.below(scalars.len())];
        format!("({})", lvalue.text)
    }

    fn binary(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        self.combine(left, right)
    }

    /// Two operands under some operator that is defined for all their values.
    pub(super) fn combine(&mut self, left: Expr, right: Expr) -> Expr {
        let ty = left.ty.common(right.ty);
        if ty.is_float() {
            let op = ["+", "-", "*", "/"][self.random.below(4)];
            return Expr::new(format!("({} {op} {})", left.text, right.text), ty);
        }
        let (a, b) = (&left.text, &right.text);
        match self.random.below(9) {
            which @ 0..=2 => {
                let op = ["+", "-", "*"][which];
                Expr::new(self.wrapping(op, a, b, ty), ty)
            }
            which @ 3..=5 => Expr::new(format!("({a} {} {b})", ["&", "|", "^"][which - 3]), ty),
            6 => {
                let op = if self.random.once_in(2) { "/" } else { "%" };
                let divisor = if ty.is_signed() {
                    format!("(({})({b} & 15) + 1)", ty.name())
                } else {
                    format!("({b} | 1)")
                };
                Expr::new(format!("({a} {op} {divisor})"), ty)
            }
            7 => {
                let ty = left.ty.promoted();
                let unsigned = ty.unsigned();
                Expr::new(format!("(({})({a}) << ({b} & {}))", unsigned.name(), ty.bits() - 1), unsigned)
            }
            _ => {
                let ty = left.ty.promoted();
                Expr::new(format!("({a} >> ({b} & {}))", ty.bits() - 1), ty)
            }
        }
    }

    /// `a op b` that cannot overflow: unsigned, wrapped there and back, or on small operands.
    fn wrapping(&mut self, op: &str, a: &str, b: &str, ty: Ty) -> String {
        if !ty.is_signed() {
            return format!("({a} {op} {b})");
        }
        let unsigned = ty.unsigned().name();
        match self.random.below(3) {
            0 => format!("(({})({a}) % 30000 {op} ({})({b}) % 30000)", ty.name(), ty.name()),
            _ => format!("({})(({unsigned})({a}) {op} ({unsigned})({b}))", ty.name()),
        }
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let value = self.expression(depth - 1);
        let ty = value.ty.promoted();
        match (self.random.below(4), ty.is_float(), ty.is_signed()) {
            (0, ..) => Expr::new(format!("(!{})", value.text), Ty::Int),
            (1, false, _) => Expr::new(format!("(~{})", value.text), ty),
            (2, false, true) => Expr::new(format!("(-({} % 1000))", value.text), ty),
            (2, ..) => Expr::new(format!("(-({}))", value.text), ty),
            _ => Expr::new(format!("(+{})", value.text), ty),
        }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        let op = ["<", ">", "<=", ">=", "==", "!="][self.random.below(6)];
        Expr::new(format!("({} {op} {})", left.text, right.text), Ty::Int)
    }

    fn logical(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        let op = ["&&", "||"][self.random.below(2)];
        Expr::new(format!("({} {op} {})", left.text, right.text), Ty::Int)
    }

    fn choice(&mut self, depth: u32) -> Expr {
        let (condition, then, otherwise) =
            (self.expression(depth - 1), self.expression(depth - 1), self.expression(depth - 1));
        if self.random.once_in(5) {
            let ty = condition.ty.common(otherwise.ty);
            return Expr::new(format!("({} ?: {})", condition.text, otherwise.text), ty);
        }
        let ty = then.ty.common(otherwise.ty);
        Expr::new(format!("({} ? {} : {})", condition.text, then.text, otherwise.text), ty)
    }

    /// A call of a function that only looks at its arguments.
    fn pure_call(&mut self, depth: u32) -> Expr {
        if self.pure.is_empty() {
            return self.leaf();
        }
        let function = self.pure[self.random.below(self.pure.len())].clone();
        let arguments: Vec<String> =
            function.parameters.iter().map(|&ty| self.expression_as(ty, depth.min(2) - 1)).collect();
        Expr::new(format!("{}({})", function.name, arguments.join(", ")), function.result)
    }
}

/// The text of a value that may be assigned to an object of type `ty`: a floating one is brought into range before.
pub(super) fn convertible(value: &Expr, ty: Ty) -> String {
    match (value.ty, ty) {
        (from, Ty::Bool) if from.is_float() => value.text.clone(),
        (from, to) if from.is_float() && !to.is_float() => format!("to_int({})", value.text),
        // A double that is too large for a float has no defined value as one.
        (Ty::Double, Ty::Float) => format!("to_float({})", value.text),
        _ => value.text.clone(),
    }
}
