//! Our layouts as static assertions that gcc must accept, and the positions of bit-fields as bytes it must produce.

use std::fmt::Write;

use raddle_cfront::ast::{Ast, Item, RecordId, RecordKind};
use raddle_cfront::layout::{DataModel, align_of, preferred_align_of, record_of, size_of};
use raddle_cfront::types::{QualType, Type, TypeId};

use super::types::{Options, Universe};
use super::{Random, front_end, gcc, print_again};

/// Compares `count` random types with gcc. Gives the number of facts compared, or what differs.
pub fn compare(model: DataModel, seed: u64, count: usize) -> Result<usize, String> {
    let universe = Universe::generate(&mut Random::new(seed), model, Options { plain: false }, count);
    let compare_all = |text: &str| {
        let facts = compare_text(model, text)?;
        // The same types as we print them are the same types.
        compare_text(model, &print_again(model, &front_end(model, text)?)?)?;
        Ok(facts)
    };
    compare_all(&universe.text())
        .map_err(|difference: String| format!("{model:?}, seed {seed}: {difference}"))
}

/// Compares all types declared at the file level of a C text with gcc.
pub fn compare_text(model: DataModel, text: &str) -> Result<usize, String> {
    let mut ast = front_end(model, text)?;
    let items: Vec<Item> = ast.units.iter().flat_map(|unit| &unit.items).copied().collect();
    let mut types = Vec::new();
    for item in items {
        match item {
            Item::Record { id, definition: true } => types.push((item, ast.types.intern(Type::Record(id)))),
            Item::Enum(id) => types.push((item, ast.types.intern(Type::Enum(id)))),
            Item::Typedef(id) => types.push((item, ast.types.typedef(id, ast.typedefs[id].ty))),
            _ => {}
        }
    }
    let mut facts = Facts { ast: &ast, text: text.to_owned(), count: 0, bit_fields: Vec::new() };
    facts.text.push('\n');
    for (item, id) in types {
        facts.add(item, id);
    }
    let assembly = gcc::compile(model, &facts.text).map_err(|message| explain(text, &message))?;
    let objects = gcc::objects(&assembly);
    for BitField { object, bytes, record } in &facts.bit_fields {
        let found = &objects[object];
        if found != bytes {
            return Err(format!("{object} of {record} set to ones gives {found:02x?}, not {bytes:02x?}"));
        }
    }
    Ok(facts.count)
}

/// gcc's complaint, with the declarations of the types it names and of those that these are made of.
fn explain(declarations: &str, message: &str) -> String {
    let lines: Vec<&str> = message.lines().filter(|line| line.contains("error")).take(10).collect();
    let mut wanted: Vec<&str> = lines.iter().flat_map(|line| names(line)).collect();
    let mut shown: Vec<&str> = Vec::new();
    for declaration in declarations.lines().rev() {
        let declared = names(declaration).any(|name| {
            wanted.contains(&name)
                && (declaration.starts_with("typedef") || declaration.contains(&format!(" {name} {{")))
        });
        if declared {
            wanted.extend(names(declaration));
            shown.push(declaration);
        }
    }
    shown.reverse();
    format!("gcc disagrees\n{}\n{}", lines.join("\n"), shown.join("\n"))
}

/// The words of a text that may be names of generated types.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| {
        word.starts_with(['R', 'E', 'T']) && word.ends_with(|last: char| last.is_ascii_digit())
    })
}

struct BitField {
    object: String,
    bytes: Vec<u8>,
    record: String,
}

struct Facts<'a> {
    ast: &'a Ast,
    text: String,
    count: usize,
    bit_fields: Vec<BitField>,
}

impl Facts<'_> {
    fn assert(&mut self, fact: &str) {
        self.count += 1;
        writeln!(self.text, "_Static_assert({fact}, \"{fact}\");").unwrap();
    }

    /// What there is to say about one declaration.
    fn add(&mut self, item: Item, id: TypeId) {
        match item {
            Item::Typedef(typedef) => {
                let name = self.ast.text(self.ast.typedefs[typedef].name);
                self.type_facts(name, id);
            }
            Item::Enum(enumeration) => {
                if let Some(tag) = self.ast.enums[enumeration].tag {
                    self.type_facts(&format!("enum {}", self.ast.text(tag)), id);
                }
            }
            Item::Record { id: record, .. } => {
                let definition = &self.ast.records[record];
                let keyword = match definition.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                if let Some(tag) = definition.tag {
                    let name = format!("{keyword} {}", self.ast.text(tag));
                    self.type_facts(&name, id);
                    self.member_facts(&name, record, record, 0);
                }
            }
            _ => {}
        }
    }

    fn type_facts(&mut self, name: &str, id: TypeId) {
        let ty = QualType::plain(id);
        if let Ok(size) = size_of(self.ast, ty) {
            self.assert(&format!("sizeof({name}) == {size}"));
            self.assert(&format!("_Alignof({name}) == {}", align_of(self.ast, ty).unwrap()));
            self.assert(&format!("__alignof__({name}) == {}", preferred_align_of(self.ast, ty).unwrap()));
        }
    }

    /// Facts about the members of `record`, which lies `base` bits inside the record called `name`.
    fn member_facts(&mut self, name: &str, outer: RecordId, record: RecordId, base: u64) {
        for field in self.ast.records[record].fields.as_ref().unwrap() {
            let place = base + field.bit_offset;
            match (field.name, field.width) {
                (Some(member), None) => {
                    let member = self.ast.text(member);
                    self.assert(&format!("__builtin_offsetof({name}, {member}) == {}", place / 8));
                }
                (Some(member), Some(width)) => {
                    let member = self.ast.text(member);
                    let object = format!("bits_{}_of_{member}", self.count);
                    writeln!(self.text, "{name} {object} = {{ .{member} = -1 }};").unwrap();
                    let mut bytes = vec![0_u8; usize::try_from(self.ast.records[outer].size).unwrap()];
                    for bit in place..place + u64::from(width) {
                        bytes[usize::try_from(bit / 8).unwrap()] |= 1 << (bit % 8);
                    }
                    self.count += 1;
                    self.bit_fields.push(BitField { object, bytes, record: name.to_owned() });
                }
                (None, None) => {
                    if let Some(inner) = record_of(self.ast, field.ty.id) {
                        self.member_facts(name, outer, inner, place);
                    }
                }
                (None, Some(_)) => {}
            }
        }
    }
}
