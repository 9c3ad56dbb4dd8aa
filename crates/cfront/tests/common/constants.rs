//! Random constant expressions: our values and types as static assertions that gcc must accept.

use std::fmt::Write;

use raddle_cfront::ast::{Ast, Init};
use raddle_cfront::check::constant::{Constant, evaluate};
use raddle_cfront::layout::DataModel;
use raddle_cfront::types::{FloatKind, IntKind, Type};

use super::{Random, front_end, gcc};

/// Compares `count` random constant expressions with gcc, their types too. Says what differs.
pub fn compare(model: DataModel, seed: u64, count: usize) -> Result<usize, String> {
    let mut generator = Generator { random: Random::new(seed), model };
    let mut prologue = PROLOGUE.to_owned();
    if model == DataModel::Lp64 {
        prologue.push_str("typedef __int128 wide; typedef unsigned __int128 unsigned_wide;\n");
    }
    let mut text = prologue.clone();
    let mut expressions = Vec::new();
    for index in 0..count {
        let expression = if index % 4 == 3 { generator.float(4) } else { generator.integer(5) };
        writeln!(text, "__typeof__({expression}) constant_{index} = {expression};").unwrap();
        expressions.push(expression);
    }
    let ast = front_end(model, &text)?;
    let mut assertions = prologue;
    for (index, expression) in expressions.iter().enumerate() {
        let (ty, value) = our_value(&ast, &format!("constant_{index}"))
            .ok_or_else(|| format!("{model:?}, seed {seed}: not constant for us: {expression}"))?;
        writeln!(assertions, "_Static_assert(({expression}) == {value}, \"{index}\");").unwrap();
        writeln!(assertions, "_Static_assert(_Generic(({expression}), {ty}: 1, default: 0), \"{index}\");")
            .unwrap();
    }
    gcc::compile(model, &assertions).map(|_| count * 2).map_err(|message| {
        let mut report = format!("{model:?}, seed {seed}: gcc disagrees\n");
        let lines: Vec<&str> = assertions.lines().collect();
        for line in message.lines().filter(|line| line.contains("error")).take(10) {
            let number = line.split(':').nth(1).and_then(|number| number.parse::<usize>().ok());
            let source = number.and_then(|number| lines.get(number - 1)).unwrap_or(&"");
            writeln!(report, "{line}\n    {source}").unwrap();
        }
        report
    })
}

const PROLOGUE: &str = "enum small { MINUS = -3, ZERO, SEVEN = 7, BIG = 0x7fffffff };
enum large { HUGE_VALUE = 0xfffffffell, AFTER, ABOVE };
struct pair { char first; double second; int bits : 7; };
";

/// The type and value that the front end gives to a variable's initialiser, as C.
fn our_value(ast: &Ast, name: &str) -> Option<(&'static str, String)> {
    let symbol = ast.names.find(name)?;
    let var = ast.vars.values().find(|var| var.name == Some(symbol))?;
    let Some(Init::Expr(init)) = &var.init else { return None };
    let value = evaluate(ast, *init)?;
    match (ast.types.kind(var.ty.id), value) {
        (Type::Int(kind), Constant::Integer(value)) => Some((int_name(*kind), int_value(*kind, value))),
        (Type::Enum(id), Constant::Integer(value)) => {
            let kind = ast.enums[*id].underlying;
            Some((int_name(kind), int_value(kind, value)))
        }
        (Type::Float(kind), Constant::Float(value)) => {
            let name = match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                _ => return None,
            };
            Some((name, format!("({})", hexadecimal(value))))
        }
        _ => None,
    }
}

/// A double as C writes it exactly.
fn hexadecimal(value: f64) -> String {
    if value.is_nan() {
        return "__builtin_nan(\"\")".to_owned();
    }
    if value.is_infinite() {
        return format!("{}__builtin_inf()", if value < 0.0 { "-" } else { "" });
    }
    let bits = value.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (lead, exponent) =
        if exponent == 0 { (0, -1022) } else { (1, i64::try_from(exponent).unwrap() - 1023) };
    format!("{sign}0x{lead}.{fraction:013x}p{exponent}")
}

fn int_value(kind: IntKind, value: i128) -> String {
    match kind {
        IntKind::Int128 | IntKind::UnsignedInt128 => {
            let bits = u128::from_ne_bytes(value.to_ne_bytes());
            let (high, low) = (bits >> 64, bits & u128::from(u64::MAX));
            let whole = format!("((unsigned __int128)0x{high:x}ull << 64 | 0x{low:x}ull)");
            if kind == IntKind::Int128 { format!("(__int128){whole}") } else { whole }
        }
        _ if value == i128::from(i64::MIN) => "(-0x7fffffffffffffffll - 1)".to_owned(),
        _ if value < 0 => format!("({value}ll)"),
        _ => format!("{value}ull"),
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

struct Generator {
    random: Random,
    model: DataModel,
}

const INTEGER_TYPES: &[(&str, u64)] = &[
    ("_Bool", 8),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum small", 32),
    ("enum large", 64),
];

impl Generator {
    fn integer_type(&mut self) -> (&'static str, u64) {
        if self.model == DataModel::Lp64 && self.random.one_in(10) {
            return self.random.pick(&[("wide", 128), ("unsigned_wide", 128)]);
        }
        let (name, bits) = self.random.pick(INTEGER_TYPES);
        if self.model == DataModel::Lp64 && name.ends_with("long") { (name, 64) } else { (name, bits) }
    }

    fn literal(&mut self) -> String {
        let magnitude = self.random.below(65);
        let value = self.random.next().checked_shr(u32::try_from(magnitude).unwrap()).unwrap_or(0);
        let suffix = self.random.pick(&["", "", "u", "l", "ul", "ll", "ull", "LLU"]);
        match self.random.below(8) {
            0 => "'a'".to_owned(),
            1 => self.random.pick(&["'\\377'", "'\\n'", "L'x'", "u'\\xffff'", "U'y'", "'ab'"]).to_owned(),
            2 => self
                .random
                .pick(&["MINUS", "ZERO", "SEVEN", "BIG", "HUGE_VALUE", "AFTER", "ABOVE"])
                .to_owned(),
            3 => format!("0x{value:x}{suffix}"),
            4 => format!("0{value:o}{suffix}"),
            5 => format!("{}", value % 10),
            // A decimal constant beyond the largest type would be a mistake.
            _ => format!("{}{suffix}", value >> 1),
        }
    }

    /// An expression of some integer type.
    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(8) {
            return self.literal();
        }
        let next = depth - 1;
        match self.random.below(17) {
            0..=4 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {operator} {})", self.integer(next), self.integer(next))
            }
            5 => {
                let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
                format!("({} {operator} {})", self.integer(next), self.integer(next))
            }
            6 => {
                let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {operator} {})", self.float(next), self.float(next))
            }
            7 => {
                let operator = self.random.pick(&["/", "%"]);
                // Neither zero nor minus one, which the smallest number cannot be divided by.
                format!("({} {operator} (({} & 0x3f) + 3))", self.integer(next), self.integer(next))
            }
            8 | 9 => {
                let (ty, bits) = self.integer_type();
                let operator = self.random.pick(&["<<", ">>"]);
                let count = self.random.below(bits);
                format!("(({ty}){} {operator} {count})", self.integer(next))
            }
            10 => format!("({}{})", self.random.pick(&["-", "~", "!", "+"]), self.integer(next)),
            11 | 12 => {
                let (ty, _) = self.integer_type();
                format!("(({ty}){})", self.integer(next))
            }
            13 => format!("({} ? {} : {})", self.integer(next), self.integer(next), self.integer(next)),
            14 => {
                let (ty, _) = self.integer_type();
                match self.random.below(4) {
                    0 => format!("sizeof({ty})"),
                    1 => format!("sizeof({})", self.integer(next)),
                    2 => format!("_Alignof({ty})"),
                    _ => "__builtin_offsetof(struct pair, second)".to_owned(),
                }
            }
            15 => format!("(!{})", self.float(next)),
            _ => {
                let (ty, _) = self.integer_type();
                // A negative number does not fit an unsigned type, but its distance to zero is below one.
                let number = self.random.pick(&["0.0", "1.25", "100.75", "-0.5", "3e1f", "127.0"]);
                format!("(({ty}){number})")
            }
        }
    }

    /// An expression of type `float` or `double`.
    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(6) {
            let (whole, part) = (self.random.below(1000), self.random.below(1000));
            return match self.random.below(5) {
                0 => format!("{whole}.{part}f"),
                1 => format!("{whole}.{part}e{}", self.random.below(9)),
                2 => format!("0x{whole:x}.{part:x}p-{}", self.random.below(40)),
                3 => format!("{whole}.e-{}f", self.random.below(8)),
                _ => format!("{whole}.{part}"),
            };
        }
        let next = depth - 1;
        match self.random.below(7) {
            // Nothing grows beyond the range of `float`: an infinity is no constant for gcc.
            0 | 1 => {
                let operator = self.random.pick(&["+", "-"]);
                format!("({} {operator} {})", self.float(next), self.float(next))
            }
            2 => format!("({} * {}.{}f)", self.float(next), self.random.below(100), self.random.below(100)),
            3 => format!("({} / (1.5f + {}))", self.float(next), self.random.below(100)),
            4 => format!("(({})(long long){})", self.random.pick(&["float", "double"]), self.integer(next)),
            5 => format!("((long long){} + {})", self.integer(next), self.float(next)),
            _ => format!("(({})-{})", self.random.pick(&["float", "double"]), self.float(next)),
        }
    }
}
