//! Random initialisers for random types: the bytes that our normalised form means, and those gcc puts into the object.

use std::fmt::Write as _;

use raddle_cfront::ast::{Ast, ExprId, ExprKind, Init, Subobject};
use raddle_cfront::check::constant::{Constant, evaluate};
use raddle_cfront::layout::{DataModel, size_of};
use raddle_cfront::types::{ArrayLength, FloatKind, QualType, Type};

use super::types::{Options, Ty, Universe};
use super::{Random, front_end, gcc, print_again, read};

/// Compares `count` initialised objects with gcc. Says what differs.
pub fn compare(model: DataModel, seed: u64, count: usize) -> Result<usize, String> {
    let mut random = Random::new(seed);
    let universe = Universe::generate(&mut random, model, Options { plain: true }, 30);
    let mut generator = Generator { random, universe: &universe };
    let mut objects: Vec<String> =
        (0..count).map(|index| generator.object(&format!("object_{index}"))).collect();
    let declarations = universe.text();
    let text = |objects: &[String]| format!("{declarations}{}\n", objects.join("\n"));

    // First: which of them are wrong. gcc must see mistakes in the same lines.
    let source = text(&objects);
    let (_, ours) = read(model, &source);
    let theirs = gcc::compile(model, &source).err().map_or_else(Vec::new, |message| gcc::errors(&message));
    let lines: Vec<&str> = source.lines().collect();
    for (who, complaints, others) in [("we", &ours, &theirs), ("gcc", &theirs, &ours)] {
        if let Some((line, message)) =
            complaints.iter().find(|(line, _)| !others.iter().any(|(other, _)| other == line))
        {
            let object = lines.get(line - 1).unwrap_or(&"");
            return Err(format!(
                "{model:?}, seed {seed}: only {who} say: {message}\n    {object}\n{declarations}"
            ));
        }
    }
    let first_line = declarations.lines().count() + 1;
    for (index, object) in objects.iter_mut().enumerate() {
        if ours.iter().any(|(line, _)| *line == first_line + index) {
            *object = format!("int object_{index} = 0;");
        }
    }

    // Then: the bytes of the others.
    let source = text(&objects);
    let ast = front_end(model, &source)?;
    let assembly =
        gcc::compile(model, &source).map_err(|message| format!("{model:?}, seed {seed}:\n{message}"))?;
    let found = gcc::objects(&assembly);
    for (index, object) in objects.iter().enumerate() {
        let name = format!("object_{index}");
        let mut ours = our_bytes(&ast, &name);
        let mut theirs = found[&name].clone();
        // Elements of a flexible array lie behind the end; how far gcc pads them does not matter.
        let length = ours.len().max(theirs.len());
        ours.resize(length, 0);
        theirs.resize(length, 0);
        if ours != theirs {
            return Err(format!(
                "{model:?}, seed {seed}: {object}\n    ours:  {ours:02x?}\n    gcc's: {theirs:02x?}\n{declarations}"
            ));
        }
    }

    // And the program as we print it: the same tree, the same bytes.
    let again = print_again(model, &ast)?;
    let assembly = gcc::compile(model, &again)
        .map_err(|message| format!("{model:?}, seed {seed}, printed:\n{message}"))?;
    let printed = gcc::objects(&assembly);
    match (0..count).map(|index| format!("object_{index}")).find(|name| found[name] != printed[name]) {
        Some(name) => Err(format!("{model:?}, seed {seed}: printed, {name} has other bytes\n{source}")),
        None => Ok(count),
    }
}

/// The bytes of a variable by its normalised initialiser.
fn our_bytes(ast: &Ast, name: &str) -> Vec<u8> {
    let symbol = ast.names.find(name).unwrap();
    let var = ast.vars.values().find(|var| var.name == Some(symbol)).unwrap();
    let size = size_of(ast, var.ty).unwrap();
    let mut bytes = vec![0; usize::try_from(size).unwrap()];
    render(ast, var.init.as_ref().unwrap(), var.ty, 0, None, &mut bytes);
    bytes
}

/// Writes the value of an object that begins at bit `position`.
fn render(ast: &Ast, init: &Init, ty: QualType, place: u64, width: Option<u32>, bytes: &mut Vec<u8>) {
    match init {
        Init::Expr(expr) => render_value(ast, *expr, ty, place, width, bytes),
        Init::Aggregate(parts) => {
            for part in parts {
                match (part.subobject, ast.types.kind(ty.id)) {
                    (Subobject::Field(index), Type::Record(record)) => {
                        let field = &ast.records[*record].fields.as_ref().unwrap()[index as usize];
                        render(ast, &part.value, field.ty, place + field.bit_offset, field.width, bytes);
                    }
                    (Subobject::Elements { first, last }, Type::Array { element, .. }) => {
                        let size = size_of(ast, *element).unwrap() * 8;
                        for index in first..=last {
                            render(ast, &part.value, *element, place + index * size, None, bytes);
                        }
                    }
                    (place, kind) => panic!("{place:?} of {kind:?}"),
                }
            }
        }
    }
}

fn render_value(ast: &Ast, expr: ExprId, ty: QualType, place: u64, width: Option<u32>, bytes: &mut Vec<u8>) {
    if let (ExprKind::String(literal), Type::Array { element, length }) =
        (&ast.exprs[expr].kind, ast.types.kind(ty.id))
    {
        let size = size_of(ast, *element).unwrap();
        let limit = if let ArrayLength::Fixed(count) = length { *count } else { u64::MAX };
        for (index, unit) in (0..limit).zip(&literal.units) {
            put_bits(bytes, place + index * size * 8, size * 8, u128::from(*unit));
        }
        return;
    }
    let size = size_of(ast, ty).unwrap() * 8;
    let bits = match evaluate(ast, expr) {
        Some(Constant::Integer(value)) => u128::from_ne_bytes(value.to_ne_bytes()),
        Some(Constant::Float(value)) => match ast.types.kind(ty.id) {
            #[expect(clippy::cast_possible_truncation, reason = "the value is a float already")]
            Type::Float(FloatKind::Float) => u128::from((value as f32).to_bits()),
            _ => u128::from(value.to_bits()),
        },
        other => panic!("{other:?} in an initialiser"),
    };
    put_bits(bytes, place, width.map_or(size, u64::from), bits);
}

fn put_bits(bytes: &mut Vec<u8>, place: u64, width: u64, value: u128) {
    let end = usize::try_from((place + width).div_ceil(8)).unwrap();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    for bit in 0..width {
        let (byte, mask) = (usize::try_from((place + bit) / 8).unwrap(), 1_u8 << ((place + bit) % 8));
        if value >> bit & 1 == 1 {
            bytes[byte] |= mask;
        } else {
            bytes[byte] &= !mask;
        }
    }
}

struct Generator<'a> {
    random: Random,
    universe: &'a Universe,
}

impl Generator<'_> {
    /// A variable with an initialiser.
    fn object(&mut self, name: &str) -> String {
        let record = self.some_record();
        let base = match self.random.below(8) {
            0 => Ty::Basic("char"),
            1 => Ty::Basic("int"),
            2 => Ty::Basic("unsigned short"),
            _ => Ty::Record(record),
        };
        let flexible = matches!(base, Ty::Record(number) if self.universe.is_flexible(number));
        let mut ty = base;
        if !flexible {
            for _ in 0..self.random.below(3) {
                ty = Ty::Array(Box::new(ty), Some(1 + self.random.below(4)));
            }
        }
        let declared = match &ty {
            Ty::Array(element, _) if self.random.one_in(3) => {
                let element = (**element).clone();
                ty = Ty::Array(Box::new(element.clone()), None);
                self.universe.declare(&element, &format!("{name}[]"))
            }
            _ => self.universe.declare(&ty, name),
        };
        let init = self.initializer(&ty, 0);
        format!("{declared} = {init};")
    }

    fn some_record(&mut self) -> usize {
        let count = u64::try_from(self.universe.records.len()).unwrap();
        loop {
            let number = usize::try_from(self.random.below(count)).unwrap();
            if !self.universe.records[number].anonymous {
                return number;
            }
        }
    }

    /// The type behind typedef names.
    fn resolve(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Typedef(number) => self.resolve(&self.universe.typedefs[*number].ty),
            Ty::Qualified(_, inner) => self.resolve(inner),
            other => other.clone(),
        }
    }

    /// An initialiser that fits the type.
    fn initializer(&mut self, ty: &Ty, depth: u32) -> String {
        let ty = self.resolve(ty);
        match &ty {
            Ty::Array(element, length) => {
                let character =
                    matches!(self.resolve(element), Ty::Basic("char" | "unsigned char" | "signed char"));
                if character && *length != Some(0) && self.random.one_in(2) {
                    let string = self.string();
                    return if self.random.one_in(3) { format!("{{{string}}}") } else { string };
                }
                self.list(&ty, depth)
            }
            Ty::Record(number) => {
                // A literal of the type as a value: constant, as gcc sees it.
                if depth > 0
                    && depth < 3
                    && !self.universe.records[*number].anonymous
                    && self.random.one_in(8)
                {
                    let name = self.universe.record_name(*number);
                    return format!("({name}){}", self.list(&ty, depth + 1));
                }
                self.list(&ty, depth)
            }
            Ty::Basic(name) if matches!(*name, "float" | "double" | "_Float64") && self.random.one_in(2) => {
                format!("{}.{}", self.random.below(100), self.random.pick(&["5", "25", "125"]))
            }
            Ty::Basic(_)
            | Ty::Pointer(_)
            | Ty::Enum(_)
            | Ty::Typedef(_)
            | Ty::Qualified(..)
            | Ty::Atomic(_) => {
                let number = self.number();
                if self.random.one_in(10) { format!("{{{number}}}") } else { number }
            }
        }
    }

    fn string(&mut self) -> String {
        self.random
            .pick(&["\"\"", "\"a\"", "\"abc\"", "\"\\377x\"", "\"much longer text\"", "\"ab\" \"c\""])
            .to_owned()
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("-{}", self.random.below(1000)),
            1 => format!("0x{:x}", self.random.next() >> self.random.below(40)),
            2 => format!("'{}'", self.random.pick(&["a", "z", "\\n", "\\200"])),
            _ => format!("{}", self.random.below(300)),
        }
    }

    /// A braced list for an aggregate.
    fn list(&mut self, ty: &Ty, depth: u32) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.random.below(if depth > 2 { 3 } else { 7 }) {
            let part = match self.random.below(5) {
                0 | 1 => self.designated(ty, depth),
                2 => self.blind_list(2),
                _ => self.number(),
            };
            parts.push(part);
        }
        let comma = if !parts.is_empty() && self.random.one_in(4) { "," } else { "" };
        format!("{{{}{comma}}}", parts.join(", "))
    }

    /// A list that fits wherever it stands: numbers, perhaps too many of them, perhaps in braces.
    fn blind_list(&mut self, depth: u32) -> String {
        let mut parts = vec![self.number()];
        for _ in 0..self.random.below(3) {
            parts.push(if depth > 0 && self.random.one_in(4) {
                self.blind_list(depth - 1)
            } else {
                self.number()
            });
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// A part with designators, which give the type of its value.
    fn designated(&mut self, ty: &Ty, depth: u32) -> String {
        let mut path = String::new();
        let mut current = self.resolve(ty);
        loop {
            match &current {
                Ty::Array(element, length) => {
                    let length = length.unwrap_or(5);
                    if length == 0 {
                        break;
                    }
                    let first = self.random.below(length);
                    let last = first + self.random.below(length - first);
                    if last > first && self.random.one_in(2) {
                        write!(path, "[{first} ... {last}]").unwrap();
                    } else {
                        write!(path, "[{first}]").unwrap();
                    }
                    current = self.resolve(element);
                }
                Ty::Record(number) => {
                    let Some((name, inner)) = self.some_member(*number) else { break };
                    write!(path, ".{name}").unwrap();
                    current = self.resolve(&inner);
                }
                _ => break,
            }
            if self.random.one_in(2) {
                break;
            }
        }
        if path.is_empty() {
            return self.number();
        }
        format!("{path} = {}", self.initializer(&current, depth + 1))
    }

    /// A named member, those of anonymous members included.
    fn some_member(&mut self, record: usize) -> Option<(String, Ty)> {
        let mut members = Vec::new();
        let mut open = vec![record];
        while let Some(record) = open.pop() {
            for member in &self.universe.records[record].members {
                match (&member.name, &member.ty) {
                    (Some(name), ty) => members.push((name.clone(), ty.clone())),
                    (None, Ty::Record(inner)) if member.width.is_none() => open.push(*inner),
                    (None, _) => {}
                }
            }
        }
        if members.is_empty() {
            return None;
        }
        let place = self.random.below(u64::try_from(members.len()).unwrap());
        Some(members.swap_remove(usize::try_from(place).unwrap()))
    }
}
