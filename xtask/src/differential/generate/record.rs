//! Structures and unions: their types, objects of them, and what is done to them as a whole.

use super::types::Ty;
use super::{Lvalue, Program};

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Member {
    name: String,
    ty: Ty,
    width: Option<u32>,
    length: Option<usize>,
}

/// A structure type.
#[derive(Clone, Debug)]
pub(super) struct RecordType {
    name: String,
    members: Vec<Member>,
    /// A member that is an earlier structure.
    inner: Option<(String, usize)>,
}

/// An object of a structure type.
#[derive(Clone, Debug)]
pub(super) struct RecordObject {
    pub(super) name: String,
    pub(super) record: usize,
}

impl Program {
    /// A new structure type; its definition.
    pub(super) fn record(&mut self) -> String {
        let name = format!("s{}", self.records.len());
        let mut members = Vec::new();
        let mut text = format!("struct {name} {{\n");
        for index in 0..2 + self.random.below(6) {
            let member = self.member(index);
            let (ty, name) = (member.ty.name(), &member.name);
            match (member.width, member.length) {
                (Some(width), _) => text.push_str(&format!("    {ty} {name} : {width};\n")),
                (None, Some(length)) => text.push_str(&format!("    {ty} {name}[{length}];\n")),
                (None, None) => text.push_str(&format!("    {ty} {name};\n")),
            }
            if member.width.is_some() && self.random.once_in(8) {
                text.push_str("    int : 0;\n");
            }
            members.push(member);
        }
        let mut inner = None;
        if !self.records.is_empty() && self.random.once_in(2) {
            let which = self.random.below(self.records.len());
            text.push_str(&format!("    struct {} in;\n", self.records[which].name));
            inner = Some(("in".to_owned(), which));
        }
        let packed = if self.random.once_in(4) { " __attribute__((packed))" } else { "" };
        text.push_str(&format!("}}{packed};\n"));
        self.records.push(RecordType { name, members, inner });
        text
    }

    fn member(&mut self, index: usize) -> Member {
        let name = format!("m{index}");
        match self.random.below(5) {
            0 | 1 => {
                let (ty, most) = [
                    (Ty::Int, 32),
                    (Ty::Unsigned, 32),
                    (Ty::Bool, 1),
                    (Ty::UnsignedLongLong, 50),
                    (Ty::Short, 16),
                    (Ty::UnsignedChar, 8),
                ][self.random.below(6)];
                let width = u32::try_from(1 + self.random.below(most)).unwrap_or(1);
                Member { name, ty, width: Some(width), length: None }
            }
            2 => {
                let ty = Ty::any(&mut self.random);
                Member { name, ty, width: None, length: Some(1 << (1 + self.random.below(3))) }
            }
            _ => Member { name, ty: Ty::any(&mut self.random), width: None, length: None },
        }
    }

    /// Declares an object; what can be read and written of it comes into scope.
    pub(super) fn object(&mut self, name: String) -> String {
        let record = self.random.below(self.records.len());
        let mut values = Vec::new();
        for index in 0..self.records[record].members.len() {
            let member = self.records[record].members[index].clone();
            if self.random.once_in(4) {
                continue;
            }
            let (ty, suffix) =
                (member.ty, member.length.map_or(String::new(), |length| format!("[{}]", length - 1)));
            values.push(format!(".{}{suffix} = {}", member.name, self.constant(ty)));
        }
        let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
        let declared = format!("struct {} {name} = {{{values}}};", self.records[record].name);
        self.add_members(&name, record, true);
        self.objects.push(RecordObject { name, record });
        declared
    }

    pub(super) fn record_name(&self, record: usize) -> String {
        self.records[record].name.clone()
    }

    /// A list in braces for a structure, with values that are computed.
    pub(super) fn literal(&mut self, record: usize) -> String {
        let mut values = Vec::new();
        for member in self.records[record].members.clone() {
            if self.random.once_in(3) {
                continue;
            }
            let value = self.expression_as(member.ty, 1);
            values.push(match member.length {
                Some(length) => format!(".{} = {{[{}] = {value}}}", member.name, length / 2),
                None => format!(".{} = {value}", member.name),
            });
        }
        if values.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", values.join(", ")) }
    }

    fn add_members(&mut self, name: &str, record: usize, direct: bool) {
        let known = self.records[record].clone();
        for member in &known.members {
            self.lvalues.push(Lvalue {
                text: format!("{name}.{}", member.name),
                ty: member.ty,
                width: member.width,
                length: member.length,
                writable: true,
                // The address of a packed member may not be aligned.
                addressable: false,
            });
        }
        if let (Some((inner, which)), true) = (&known.inner, direct) {
            self.add_members(&format!("{name}.{inner}"), *which, false);
        }
    }

    /// Something done to structures as a whole: copies, calls by value, through pointers.
    pub(super) fn struct_statement(&mut self) -> String {
        if self.objects.is_empty() {
            return ";".to_owned();
        }
        let object = self.objects[self.random.below(self.objects.len())].clone();
        let name = &object.name;
        let twins: Vec<String> = self
            .objects
            .iter()
            .filter(|other| other.record == object.record)
            .map(|other| other.name.clone())
            .collect();
        let twin = twins[self.random.below(twins.len())].clone();
        let record = self.records[object.record].name.clone();
        let tag = self.fresh("c");
        match self.random.below(5) {
            0 => format!("{name} = {twin};"),
            1 => format!("{{ struct {record} {tag} = {twin}; {name} = {tag}; }}"),
            2 => format!("{{ struct {record} *{tag} = &{name}; *{tag} = {twin}; }}"),
            3 => format!("{name} = change_{record}({twin}, {});", self.random.below(1_000)),
            _ => {
                let condition = self.expression(1).text;
                format!("{name} = ({condition}) ? {twin} : change_{record}({name}, 3);")
            }
        }
    }

    /// For every structure a function that takes and gives one, and one that prints one.
    pub(super) fn record_functions(&mut self) -> String {
        let mut text = String::new();
        for record in self.records.clone() {
            let name = &record.name;
            text.push_str(&format!("static struct {name} change_{name}(struct {name} s, int k) {{\n"));
            for member in record.members.iter().filter(|_| self.random.once_in(2)) {
                let target = match member.length {
                    Some(length) => format!("s.{}[k & {}]", member.name, length - 1),
                    None => format!("s.{}", member.name),
                };
                text.push_str(&format!("    {target} = k;\n"));
            }
            text.push_str("    return s;\n}\n");
            text.push_str(&format!("static void print_{name}(const struct {name} *s) {{\n"));
            for member in &record.members {
                let show = super::statement::show_name(member.ty);
                match member.length {
                    Some(length) => text.push_str(&format!(
                        "    for (int i = 0; i < {length}; i++) {show}(i, s->{}[i]);\n",
                        member.name
                    )),
                    None => text.push_str(&format!("    {show}(0, s->{});\n", member.name)),
                }
            }
            if let Some((inner, which)) = &record.inner {
                let inner_name = self.records[*which].name.clone();
                text.push_str(&format!("    struct {inner_name} t = s->{inner}; print_{inner_name}(&t);\n"));
            }
            text.push_str("    show_u(1, sizeof *s);\n}\n");
        }
        text
    }

    /// Prints all objects.
    pub(super) fn print_objects(&mut self) -> String {
        let line = |object: &RecordObject| {
            format!("    print_{}(&{});\n", self.records[object.record].name, object.name)
        };
        self.objects.iter().map(line).collect()
    }
}
