//! Statements that end.

use super::expression::convertible;
use super::types::Ty;
use super::{Lvalue, Program};

/// Loops and blocks nest no deeper.
const MAX_NESTING: u32 = 3;

impl Program {
    /// A block of a few statements, the variables it declares in scope for its end only.
    pub(super) fn block(&mut self, nesting: u32) -> String {
        let (lvalues, objects, outside) = (self.lvalues.len(), self.objects.len(), self.nesting);
        self.nesting = nesting;
        let mut text = String::from("{\n");
        for _ in 0..1 + self.random.below(4) {
            let statement = self.statement(nesting);
            text.push_str(&statement);
            text.push('\n');
        }
        text.push('}');
        self.lvalues.truncate(lvalues);
        self.objects.truncate(objects);
        self.nesting = outside;
        text
    }

    pub(super) fn statement(&mut self, nesting: u32) -> String {
        let deep = nesting >= MAX_NESTING;
        match self.random.below(27) {
            0..=5 => self.assignment(),
            6 | 7 => self.compound_assignment(),
            8 => self.increment(),
            9..=11 => self.declaration(),
            12 => self.show(),
            13 => self.impure_call(),
            14 => self.struct_statement(),
            15 if !deep => self.condition(nesting),
            16 | 17 if !deep => self.loop_statement(nesting),
            18 if !deep => self.switch(nesting),
            19 if !deep => self.jump(nesting),
            20 if !deep => self.variable_array(nesting),
            21 if !deep => self.block(nesting + 1),
            22 => self.pointer(),
            23..=25 => self.special(),
            _ => self.assignment(),
        }
    }

    /// An lvalue that may be written, or `None` when there is none.
    fn target(&mut self) -> Option<Lvalue> {
        let writable: Vec<usize> =
            (0..self.lvalues.len()).filter(|&index| self.lvalues[index].writable).collect();
        if writable.is_empty() {
            return None;
        }
        Some(self.lvalues[writable[self.random.below(writable.len())]].clone())
    }

    fn assignment(&mut self) -> String {
        let Some(lvalue) = self.target() else { return ";".to_owned() };
        let value = self.expression_as(lvalue.ty, 3);
        let target = self.designate(&lvalue);
        if self.random.once_in(8)
            && let Some(other) = self.target()
        {
            // The value of an assignment is that of its target afterwards.
            let text = convertible(&self.read(&lvalue), other.ty);
            let inner = format!("({target} = {value})");
            let outer = self.designate(&other);
            return match lvalue.length.is_none() && other.text != lvalue.text && !text.contains('(') {
                true => format!("{outer} = {inner};"),
                false => format!("{target} = {value};"),
            };
        }
        format!("{target} = {value};")
    }

    fn compound_assignment(&mut self) -> String {
        let Some(lvalue) = self.target() else { return ";".to_owned() };
        let value = self.expression(2);
        let target = self.designate(&lvalue);
        if lvalue.ty.is_float() {
            let op = ["+=", "-=", "*=", "/="][self.random.below(4)];
            // The result goes back to a float: keep it in range.
            let small = if value.ty.is_float() { format!("small({})", value.text) } else { "3".to_owned() };
            return format!("{target} {op} {small}; {target} = small({target});");
        }
        let value = if value.ty.is_float() { format!("to_int({})", value.text) } else { value.text };
        let narrow = lvalue.ty.bits() < 32 || lvalue.width.is_some_and(|width| width < 31);
        match self.random.below(8) {
            // Computed as an `int`, these cannot overflow.
            0 if narrow => format!("{target} += (signed char)({value});"),
            1 if narrow => format!("{target} -= (short)({value});"),
            2 if narrow && lvalue.ty.bits() < 32 => format!("{target} *= (unsigned char)({value});"),
            0..=2 if !lvalue.ty.is_signed() && lvalue.ty != Ty::Bool => {
                let op = ["+=", "-=", "*="][self.random.below(3)];
                // The operand must not make the computation signed and wide.
                format!("{target} {op} ({})({value});", lvalue.ty.name())
            }
            3 => format!("{target} &= {value};"),
            4 => format!("{target} |= {value};"),
            5 => format!("{target} ^= {value};"),
            6 => format!("{target} >>= ({value} & 7);"),
            _ => {
                let op = if self.random.once_in(2) { "/=" } else { "%=" };
                format!("{target} {op} (({value} & 15) + 1);")
            }
        }
    }

    fn increment(&mut self) -> String {
        let Some(lvalue) = self.target() else { return ";".to_owned() };
        let safe = lvalue.ty.is_float() || !lvalue.ty.is_signed() || lvalue.ty.bits() < 32;
        if !safe && lvalue.width.is_none() {
            return self.assignment();
        }
        let target = self.designate(&lvalue);
        match self.random.below(4) {
            0 => format!("{target}++;"),
            1 => format!("--{target};"),
            2 => format!("show_i({}, {target}++);", self.next_mark()).replace("show_i", show_name(lvalue.ty)),
            _ => format!("show_i({}, --{target});", self.next_mark()).replace("show_i", show_name(lvalue.ty)),
        }
    }

    pub(super) fn declaration(&mut self) -> String {
        let ty = Ty::any(&mut self.random);
        match self.random.below(4) {
            0 => {
                let length = 1 << (1 + self.random.below(3));
                let count = self.random.below(length) + 1;
                let values: Vec<String> = (0..count).map(|_| self.expression_as(ty, 1)).collect();
                let name = self.fresh("a");
                self.lvalues.push(Lvalue::array(name.clone(), ty, length));
                format!("{} {name}[{length}] = {{{}}};", ty.name(), values.join(", "))
            }
            _ => {
                let value = self.expression_as(ty, 2);
                let name = self.fresh("v");
                self.lvalues.push(Lvalue::scalar(name.clone(), ty));
                format!("{} {name} = {value};", ty.name())
            }
        }
    }

    fn show(&mut self) -> String {
        let value = self.expression(3);
        format!("{}({}, {});", show_name(value.ty), self.next_mark(), value.text)
    }

    fn condition(&mut self, nesting: u32) -> String {
        let condition = self.expression(3).text;
        let then = self.block(nesting + 1);
        if self.random.once_in(2) {
            return format!("if ({condition}) {then}");
        }
        let otherwise = self.block(nesting + 1);
        format!("if ({condition}) {then} else {otherwise}")
    }

    fn loop_statement(&mut self, nesting: u32) -> String {
        let ty = [Ty::Int, Ty::Unsigned, Ty::Short, Ty::UnsignedChar, Ty::LongLong][self.random.below(5)];
        let name = self.fresh("i");
        let rounds = 1 + self.random.below(5);
        self.lvalues.push(Lvalue { writable: false, ..Lvalue::scalar(name.clone(), ty) });
        let leave = if self.random.once_in(3) {
            let condition = self.expression(2).text;
            let how = ["break", "continue"][self.random.below(2)];
            format!("if ({condition}) {how};")
        } else {
            String::new()
        };
        let body = self.block(nesting + 1);
        self.lvalues.pop();
        let ty = ty.name();
        match self.random.below(3) {
            0 => format!("for ({ty} {name} = 0; {name} < {rounds}; {name}++) {{ {leave} {body} }}"),
            1 => format!("{{ {ty} {name} = 0; while ({name}++ < {rounds}) {{ {leave} {body} }} }}"),
            _ => format!("{{ {ty} {name} = 0; do {{ {leave} {body} }} while (++{name} < {rounds}); }}"),
        }
    }

    fn switch(&mut self, nesting: u32) -> String {
        let value = self.integer(3);
        let mut text = format!("switch ({} & 15) {{\n", value.text);
        let mut next = 0;
        let mut default = self.random.below(4);
        while next < 14 {
            let width = if self.random.once_in(4) { 1 + self.random.below(3) } else { 0 };
            if width == 0 {
                text.push_str(&format!("case {next}:"));
            } else {
                text.push_str(&format!("case {next} ... {}:", next + width));
            }
            next += width + 1 + self.random.below(4);
            let body = self.block(nesting + 1);
            text.push_str(&format!(" {body}\n"));
            if !self.random.once_in(4) {
                text.push_str("break;\n");
            }
            if default == 0 {
                let body = self.block(nesting + 1);
                text.push_str(&format!("default: {body} break;\n"));
            }
            default = default.wrapping_sub(1);
        }
        text.push('}');
        text
    }

    /// A loop by `goto`, and a jump over a declaration.
    fn jump(&mut self, nesting: u32) -> String {
        let (again, over, count) = (self.fresh("again"), self.fresh("over"), self.fresh("n"));
        let condition = self.expression(2).text;
        let (first, second) = (self.block(nesting + 1), self.block(nesting + 1));
        let rounds = 1 + self.random.below(4);
        format!(
            "{{ int {count} = 0;\n{again}: {first}\nif ({condition}) goto {over};\n{second}\n{over}: if (++{count} < {rounds}) goto {again}; }}"
        )
    }

    fn variable_array(&mut self, nesting: u32) -> String {
        let ty = Ty::any(&mut self.random);
        let (length, array, index) = (self.fresh("n"), self.fresh("w"), self.fresh("i"));
        let size = self.integer(2).text;
        let value = self.expression_as(ty, 2);
        self.lvalues.push(Lvalue { text: format!("{array}[0]"), ..Lvalue::scalar(String::new(), ty) });
        let body = self.block(nesting + 1);
        self.lvalues.pop();
        format!(
            "{{ int {length} = ({size} & 7) + 1; {ty} {array}[{length}]; \
             for (int {index} = 0; {index} < {length}; {index}++) {array}[{index}] = {value};\n{body}\n\
             show_i({}, sizeof {array}); {show}({}, {array}[{length} - 1]); }}",
            self.next_mark(),
            self.next_mark(),
            ty = ty.name(),
            show = show_name(ty),
        )
    }

    /// A pointer to something in scope, which is an lvalue from then on.
    fn pointer(&mut self) -> String {
        let candidates: Vec<Lvalue> =
            self.lvalues.iter().filter(|lvalue| lvalue.writable && lvalue.addressable).cloned().collect();
        if candidates.is_empty() {
            return ";".to_owned();
        }
        let lvalue = candidates[self.random.below(candidates.len())].clone();
        let name = self.fresh("p");
        let target = self.designate(&lvalue);
        self.lvalues.push(Lvalue {
            text: format!("(*{name})"),
            length: None,
            addressable: false,
            ..lvalue.clone()
        });
        format!("{} *{name} = &{target};", lvalue.ty.name())
    }
}

/// The function that prints a value of a type.
pub(super) fn show_name(ty: Ty) -> &'static str {
    if ty.is_float() {
        "show_d"
    } else if ty.is_signed() {
        "show_i"
    } else {
        "show_u"
    }
}
