//! Statements around one feature each.

use super::statement::show_name;
use super::types::Ty;
use super::{Lvalue, Program};

impl Program {
    /// Some feature that expressions and plain statements do not reach.
    pub(super) fn special(&mut self) -> String {
        match self.random.below(8) {
            0 => self.wide(),
            1 => self.atomic(),
            2 => self.matrix(),
            3 => self.text(),
            4 => self.overflow(),
            5 => self.bit_questions(),
            6 => self.computed_goto(),
            _ => self.local_object(),
        }
    }

    /// Arithmetic on 128 bits.
    fn wide(&mut self) -> String {
        let (a, b, c) = (self.integer(2).text, self.integer(2).text, self.integer(1).text);
        let name = self.fresh("w");
        let (first, second, third) = (self.next_mark(), self.next_mark(), self.next_mark());
        format!(
            "{{ __int128 {name} = (__int128)(long long)({a}) * (long long)({b}); show_u({first}, {name} >> ({c} & 63)); \
             {name} /= ({c} & 15) + 1; show_i({second}, {name} % 1000003); {name} = ~{name} ^ {c}; \
             show_d({third}, (double){name}); show_i({third}, {name} < {a}); }}"
        )
    }

    fn atomic(&mut self) -> String {
        let candidates: Vec<Lvalue> = self
            .lvalues
            .iter()
            .filter(|lvalue| {
                lvalue.writable && lvalue.addressable && !lvalue.ty.is_float() && lvalue.ty != Ty::Bool
            })
            .cloned()
            .collect();
        if candidates.is_empty() {
            return ";".to_owned();
        }
        let lvalue = candidates[self.random.below(candidates.len())].clone();
        let (target, value) = (self.designate(&lvalue), self.integer(2).text);
        let (show, mark) = (show_name(lvalue.ty), self.next_mark());
        let op = ["add", "sub", "and", "or", "xor", "nand"][self.random.below(6)];
        match self.random.below(4) {
            0 => format!("{show}({mark}, __atomic_fetch_{op}(&{target}, {value}, 5));"),
            1 => format!("{show}({mark}, __atomic_{op}_fetch(&{target}, {value}, 0));"),
            2 => format!("{show}({mark}, __sync_fetch_and_{op}(&{target}, {value}));"),
            _ => format!("{show}({mark}, __atomic_exchange_n(&{target}, {value}, 4));"),
        }
    }

    fn matrix(&mut self) -> String {
        let ty = Ty::any(&mut self.random);
        let value = self.expression_as(ty, 1);
        let (name, row, mark) = (self.fresh("m"), self.fresh("row"), self.next_mark());
        let index = self.integer(1).text;
        format!(
            "{{ {ty} {name}[3][4] = {{{{{value}}}, [2] = {{1, 2}}}}; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) \
             if (i != 1) {name}[1][j] = {name}[i][(j + 1) & 3] + j; {ty} (*{row})[4] = {name} + 1; \
             {show}({mark}, {row}[1][{index} & 3]); {show}({mark}, *(*({row} - 1) + ({index} & 3))); \
             show_u({mark}, sizeof {name}[0] + ({row} - {name})); }}",
            ty = ty.name(),
            show = show_name(ty),
        )
    }

    fn text(&mut self) -> String {
        let (name, mark, key) = (self.fresh("b"), self.next_mark(), self.integer(1).text);
        let word = self.random.below(100_000);
        format!(
            "{{ char {name}[24] = \"start\"; const char *s = \"word {word}\"; int n = 0; \
             while (s[n]) {{ {name}[n] = s[n] ^ ({key} & 7); n++; }} {name}[n] = 0; \
             show_u({mark}, sum(\"sis\", {name}, n, s + 2)); }}"
        )
    }

    fn overflow(&mut self) -> String {
        let ty = loop {
            let ty = Ty::any_integer(&mut self.random);
            if ty != Ty::Bool {
                break ty;
            }
        };
        let op = ["add", "sub", "mul"][self.random.below(3)];
        let (name, mark) = (self.fresh("o"), self.next_mark());
        // `_Bool` is no operand of these.
        let (a, b) = (self.integer(2).text, self.integer(2).text);
        format!(
            "{{ {ty} {name}; show_i({mark}, __builtin_{op}_overflow(+({a}), +({b}), &{name})); {show}({mark}, {name}); }}",
            ty = ty.name(),
            show = show_name(ty),
        )
    }

    fn bit_questions(&mut self) -> String {
        let (value, mark) = (self.integer(2).text, self.next_mark());
        let question = [
            "__builtin_popcountll(V)",
            "__builtin_clz((unsigned)(V) | 1)",
            "__builtin_ctzll((unsigned long long)(V) | 256)",
            "__builtin_ffs(V)",
            "__builtin_parity(V)",
            "__builtin_clrsbll(V)",
            "__builtin_bswap32(V)",
            "__builtin_bswap16(V)",
        ][self.random.below(8)];
        format!("show_u({mark}, {});", question.replace('V', &value))
    }

    fn computed_goto(&mut self) -> String {
        let (a, b, end, table) = (self.fresh("la"), self.fresh("lb"), self.fresh("le"), self.fresh("labels"));
        let (value, mark) = (self.integer(2).text, self.next_mark());
        format!(
            "{{ static void *{table}[] = {{&&{a}, &&{b}, &&{end}}}; goto *{table}[(unsigned)({value}) % 3];\n\
             {a}: show_i({mark}, 1); goto *{table}[1];\n{b}: show_i({mark}, 2);\n{end}: ; }}"
        )
    }

    /// An object of a structure type in this block, used through a pointer and by compound literals.
    fn local_object(&mut self) -> String {
        let name = self.fresh("l");
        let declared = self.object(name.clone());
        let object = self.objects.last().expect("it was just declared").clone();
        let (literal, pointer) = (self.literal(object.record), self.fresh("q"));
        let record = self.record_name(object.record);
        let print = if self.random.once_in(2) {
            format!("print_{record}(&(struct {record}){literal});")
        } else {
            format!(
                "{{ struct {record} *{pointer} = &{name}; *{pointer} = (struct {record}){literal}; print_{record}({pointer}); }}"
            )
        };
        format!("{declared}\n{print}")
    }
}
