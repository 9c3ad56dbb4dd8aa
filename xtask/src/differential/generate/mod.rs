//! Random programs that are well-defined: whatever the C standard leaves open or undefined is kept out (or is something
//! that gcc defines, such as how a large number becomes a small type), so that a different output is somebody's mistake.
//!
//! Side effects stand alone in their statements; expressions have none. Divisors are not zero, shifts not too wide,
//! signed arithmetic is done on small operands or in unsigned types, floating values are brought into range before they
//! become integers, subscripts are masked, loops count.

mod expression;
mod record;
mod special;
mod statement;
mod types;

use raddle_base::SplitMix;

use self::record::{RecordObject, RecordType};
use self::types::Ty;

/// Something that can be read, and perhaps written.
#[derive(Clone, Debug)]
struct Lvalue {
    text: String,
    ty: Ty,
    /// The width of a bit-field.
    width: Option<u32>,
    /// The length of an array, a power of two.
    length: Option<usize>,
    writable: bool,
    addressable: bool,
}

impl Lvalue {
    fn scalar(text: String, ty: Ty) -> Self {
        Self { text, ty, width: None, length: None, writable: true, addressable: true }
    }

    fn array(text: String, ty: Ty, length: usize) -> Self {
        Self { length: Some(length), ..Self::scalar(text, ty) }
    }
}

/// A function that can be called.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    result: Ty,
    parameters: Vec<Ty>,
}

/// A program under construction.
struct Program {
    random: SplitMix,
    lvalues: Vec<Lvalue>,
    objects: Vec<RecordObject>,
    records: Vec<RecordType>,
    /// Functions that only look at their arguments.
    pure: Vec<Callee>,
    /// Functions that read and write globals.
    impure: Vec<Callee>,
    nesting: u32,
    names: u32,
    marks: u32,
}

/// What every program has: printing, and conversions that are defined for all values.
const PRELUDE: &str = "int printf(const char *, ...);
static void show_i(int mark, long long value) { printf(\"%d: %lld\\n\", mark, value); }
static void show_u(int mark, unsigned long long value) { printf(\"%d: %llu\\n\", mark, value); }
static void show_d(int mark, double value) { if (value != value) printf(\"%d: nan\\n\", mark); else printf(\"%d: %.17g\\n\", mark, value); }
static int to_int(double value) { return value > -2e9 && value < 2e9 ? (int)value : 77; }
static float to_float(double value) { return value > -3e38 && value < 3e38 ? (float)value : 7.5f; }
static double small(double value) { return value > -1e6 && value < 1e6 ? value : 0.5; }
static int fuel = 300;
static unsigned long long sum(const char *kinds, ...) {
    __builtin_va_list list;
    unsigned long long total = 0;
    __builtin_va_start(list, kinds);
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': total = total * 31 + __builtin_va_arg(list, int); break;
        case 'u': total = total * 31 + __builtin_va_arg(list, unsigned); break;
        case 'l': total = total * 31 + __builtin_va_arg(list, long); break;
        case 'q': total = total * 31 + __builtin_va_arg(list, unsigned long long); break;
        case 'd': total = total * 31 + to_int(__builtin_va_arg(list, double)); break;
        case 's': for (const char *text = __builtin_va_arg(list, const char *); *text; text++) total = total * 7 + *text; break;
    }
    __builtin_va_end(list);
    return total;
}
union bits { unsigned long long q; unsigned w[2]; unsigned short h[4]; unsigned char b[8]; long long s; };
static unsigned long long mix(unsigned long long value, int which) {
    union bits bits;
    bits.q = value;
    bits.b[which & 7] ^= 0x5a;
    bits.h[which >> 3 & 3] += 3;
    bits.w[which & 1] *= 2654435761u;
    return bits.q ^ (unsigned long long)(bits.s >> 7);
}
";

/// The program of a seed.
pub(super) fn program(seed: u64) -> String {
    let mut program = Program {
        random: SplitMix::new(seed),
        lvalues: Vec::new(),
        objects: Vec::new(),
        records: Vec::new(),
        pure: Vec::new(),
        impure: Vec::new(),
        nesting: 0,
        names: 0,
        marks: 0,
    };
    program.whole()
}

impl Program {
    fn whole(&mut self) -> String {
        let mut text = PRELUDE.to_owned();
        for _ in 0..1 + self.random.below(3) {
            let record = self.record();
            text.push_str(&record);
        }
        let functions = self.record_functions();
        text.push_str(&functions);
        for _ in 0..1 + self.random.below(3) {
            let function = self.pure_function();
            text.push_str(&function);
        }
        let table = self.function_table();
        text.push_str(&table);
        for _ in 0..2 + self.random.below(6) {
            let global = self.global();
            text.push_str(&global);
        }
        let (globals, objects) = (self.lvalues.len(), self.objects.len());
        for _ in 0..1 + self.random.below(3) {
            let function = self.impure_function();
            self.lvalues.truncate(globals);
            self.objects.truncate(objects);
            text.push_str(&function);
        }
        text.push_str("int main(void) {\n");
        for _ in 0..4 + self.random.below(8) {
            let statement = self.statement(0);
            text.push_str(&statement);
            text.push('\n');
        }
        self.lvalues.truncate(globals);
        self.objects.truncate(objects);
        let prints = self.print_objects();
        text.push_str(&prints);
        for lvalue in self.lvalues.clone() {
            if lvalue.width.is_none() && !lvalue.text.contains('.') {
                let read = self.read(&lvalue);
                text.push_str(&format!(
                    "    {}({}, {});\n",
                    statement::show_name(read.ty),
                    self.next_mark(),
                    read.text
                ));
            }
        }
        let status = self.integer(2).text;
        text.push_str(&format!("    return {status} & 63;\n}}\n"));
        text
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn next_mark(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    fn global(&mut self) -> String {
        let name = self.fresh("g");
        let linkage = if self.random.once_in(2) { "static " } else { "" };
        if self.random.once_in(3) {
            return format!("{linkage}{}\n", self.object(name));
        }
        let ty = Ty::any(&mut self.random);
        if self.random.once_in(3) {
            let length = 1 << (1 + self.random.below(3));
            let values: Vec<String> = (0..self.random.below(length)).map(|_| self.constant(ty)).collect();
            self.lvalues.push(Lvalue::array(name.clone(), ty, length));
            let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
            return format!("{linkage}{} {name}[{length}] = {{{values}}};\n", ty.name());
        }
        let value = self.constant(ty);
        self.lvalues.push(Lvalue::scalar(name.clone(), ty));
        format!("{linkage}{} {name} = {value};\n", ty.name())
    }

    fn parameters(&mut self) -> (Vec<Ty>, String) {
        let types: Vec<Ty> = (0..1 + self.random.below(3)).map(|_| Ty::any(&mut self.random)).collect();
        let mut texts = Vec::new();
        for &ty in &types {
            let name = self.fresh("x");
            texts.push(format!("{} {name}", ty.name()));
            self.lvalues.push(Lvalue::scalar(name, ty));
        }
        (types, texts.join(", "))
    }

    /// A function whose result depends on its arguments alone; some call themselves.
    fn pure_function(&mut self) -> String {
        let lvalues = std::mem::take(&mut self.lvalues);
        // They do not call each other, or the calls of calls would take too long.
        let others = std::mem::take(&mut self.pure);
        let (parameters, list) = self.parameters();
        let (name, result) = (self.fresh("pure"), Ty::any(&mut self.random));
        let mut body = String::new();
        for _ in 0..self.random.below(3) {
            let declaration = self.declaration();
            body.push_str(&format!("    {declaration}\n"));
        }
        let value = self.expression_as(result, 3);
        if self.random.once_in(3) {
            let step = self.expression_as(parameters[0], 2);
            let rest: Vec<String> = parameters[1..].iter().map(|&ty| self.expression_as(ty, 1)).collect();
            let arguments = std::iter::once(step).chain(rest).collect::<Vec<_>>().join(", ");
            let inner = format!("{name}_at(depth - 1, {arguments})");
            let value =
                expression::convertible(&expression::Expr { text: format!("({inner})"), ty: result }, result);
            body = format!(
                "static {result} {name}_at(int depth, {list}) {{\n{body}    if (depth <= 0) return {first};\n    return {value};\n}}\n",
                result = result.name(),
                first = self.expression_as(result, 2),
            );
            let names: Vec<String> =
                self.lvalues[..parameters.len()].iter().map(|lvalue| lvalue.text.clone()).collect();
            body.push_str(&format!(
                "static {} {name}({list}) {{ return {name}_at({}, {}); }}\n",
                result.name(),
                self.random.below(6),
                names.join(", ")
            ));
        } else {
            body = format!("static {} {name}({list}) {{\n{body}    return {value};\n}}\n", result.name());
        }
        self.lvalues = lvalues;
        self.pure = others;
        self.pure.push(Callee { name, result, parameters });
        body
    }

    /// Functions of one type, called through a table.
    fn function_table(&mut self) -> String {
        let (a, b) = (Ty::any(&mut self.random), Ty::any_integer(&mut self.random));
        let mut text = String::new();
        let mut names = Vec::new();
        for _ in 0..2 {
            let lvalues = std::mem::take(&mut self.lvalues);
            self.lvalues = vec![Lvalue::scalar("x".to_owned(), a), Lvalue::scalar("y".to_owned(), b)];
            let value = self.expression_as(b, 2);
            self.lvalues = lvalues;
            let name = self.fresh("entry");
            text.push_str(&format!(
                "static {b} {name}({a} x, {b} y) {{ return {value}; }}\n",
                a = a.name(),
                b = b.name()
            ));
            names.push(name);
        }
        let (table, call) = (self.fresh("table"), self.fresh("pick"));
        text.push_str(&format!(
            "static {b} (*{table}[])({a}, {b}) = {{{}, &{}}};\n\
             static {b} {call}(int which, {a} x, {b} y) {{ return {table}[which & 1](x, y); }}\n",
            names[0],
            names[1],
            a = a.name(),
            b = b.name()
        ));
        self.pure.push(Callee { name: call, result: b, parameters: vec![Ty::Int, a, b] });
        self.pure.push(Callee {
            name: "mix".to_owned(),
            result: Ty::UnsignedLongLong,
            parameters: vec![Ty::UnsignedLongLong, Ty::Int],
        });
        text
    }

    /// A function that changes globals, with a static variable of its own.
    fn impure_function(&mut self) -> String {
        let (parameters, list) = self.parameters();
        let (name, result) = (self.fresh("impure"), Ty::any(&mut self.random));
        let (own, ty) = (self.fresh("own"), Ty::any(&mut self.random));
        let first = self.constant(ty);
        self.lvalues.push(Lvalue::scalar(own.clone(), ty));
        let mut body = String::new();
        for _ in 0..2 + self.random.below(5) {
            let statement = self.statement(0);
            body.push_str(&format!("{statement}\n"));
        }
        let value = self.expression_as(result, 3);
        self.impure.push(Callee { name: name.clone(), result, parameters });
        format!(
            "static {} {name}({list}) {{\n    static {} {own} = {first};\n    if (--fuel < 0) return 0;\n{body}    return {value};\n}}\n",
            result.name(),
            ty.name()
        )
    }

    /// A statement that calls a function that may change globals, or one with variable arguments.
    fn impure_call(&mut self) -> String {
        if self.impure.is_empty() || self.random.once_in(3) {
            return self.variadic_call();
        }
        let callee = self.impure[self.random.below(self.impure.len())].clone();
        let arguments: Vec<String> = callee.parameters.iter().map(|&ty| self.expression_as(ty, 2)).collect();
        let call = format!("{}({})", callee.name, arguments.join(", "));
        match self.random.below(3) {
            0 => format!("{call};"),
            1 => format!("{}({}, {call});", statement::show_name(callee.result), self.next_mark()),
            _ => {
                let name = self.fresh("r");
                self.lvalues.push(Lvalue::scalar(name.clone(), callee.result));
                format!("{} {name} = {call};", callee.result.name())
            }
        }
    }

    fn variadic_call(&mut self) -> String {
        let (mut kinds, mut arguments) = (String::new(), Vec::new());
        for _ in 0..self.random.below(7) {
            let (kind, text) = match self.random.below(6) {
                0 => ('u', format!("(unsigned)({})", self.integer(2).text)),
                1 => ('l', format!("(long)({})", self.integer(2).text)),
                2 => ('q', format!("(unsigned long long)({})", self.integer(2).text)),
                3 => ('d', format!("(double)({})", self.expression(2).text)),
                4 => ('s', format!("\"text {}\"", self.random.below(100))),
                // Small types are promoted on their way.
                _ => ('i', format!("(short)({})", self.integer(2).text)),
            };
            kinds.push(kind);
            arguments.push(format!(", {text}"));
        }
        format!("show_u({}, sum(\"{kinds}\"{}));", self.next_mark(), arguments.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_program() {
        assert_eq!(program(5), program(5));
        assert_ne!(program(5), program(6));
    }

    #[test]
    fn common_types_are_those_of_the_language() {
        for (a, b, common) in [
            (Ty::Char, Ty::UnsignedShort, Ty::Int),
            (Ty::Int, Ty::Unsigned, Ty::Unsigned),
            (Ty::Long, Ty::Unsigned, Ty::Long),
            (Ty::LongLong, Ty::UnsignedLong, Ty::UnsignedLongLong),
            (Ty::UnsignedLongLong, Ty::Float, Ty::Float),
            (Ty::Float, Ty::Double, Ty::Double),
        ] {
            assert_eq!(a.common(b), common, "{a:?} {b:?}");
            assert_eq!(b.common(a), common, "{b:?} {a:?}");
        }
    }
}
