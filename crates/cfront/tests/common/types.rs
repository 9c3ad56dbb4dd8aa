//! Random C types: records of every make, enumerations, typedefs with alignments, all sorts of members.

use std::fmt::{self, Write as _};

use raddle_cfront::layout::DataModel;

use super::Random;

/// A type.
#[derive(Clone, Debug)]
pub enum Ty {
    /// A basic type, as C spells it.
    Basic(&'static str),
    /// `T *`
    Pointer(&'static str),
    /// An array; `None` is a flexible array member.
    Array(Box<Ty>, Option<u64>),
    /// A record, by its number.
    Record(usize),
    /// An enumeration, by its number.
    Enum(usize),
    /// A typedef name, by its number.
    Typedef(usize),
    /// An atomic type.
    Atomic(Box<Ty>),
    /// A qualified type; arrays only behind a typedef name.
    Qualified(&'static str, Box<Ty>),
}

/// `packed` and `aligned(n)`
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
}

impl Attributes {
    /// Each attribute once in so many times.
    fn draw(random: &mut Random, packed: u64, align: u64) -> Self {
        let packed = random.one_in(packed);
        Self { packed, align: random.one_in(align).then(|| 1 << random.below(6)) }
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.packed {
            f.write_str(" __attribute__((packed))")?;
        }
        match self.align {
            Some(align) => write!(f, " __attribute__((aligned({align})))"),
            None => Ok(()),
        }
    }
}

/// A member.
#[derive(Clone, Debug)]
pub struct Member {
    /// Unnamed bit-fields and anonymous records have none.
    pub name: Option<String>,
    pub ty: Ty,
    pub width: Option<u32>,
    pub attributes: Attributes,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub union: bool,
    pub members: Vec<Member>,
    pub attributes: Attributes,
    /// `#pragma pack`
    pub pack: Option<u64>,
    /// Whether it is written inside another one, without a tag, as an anonymous member.
    pub anonymous: bool,
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Typedef {
    pub ty: Ty,
    pub attributes: Attributes,
    /// Whether an array of it may be a mistake, because its alignment may exceed its size.
    pub no_array: bool,
    /// Whether a bit-field may have this type.
    pub integer_bits: Option<u32>,
}

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Only types whose every byte the tests can compute: no `long double`, complex, decimal or atomic.
    pub plain: bool,
}

/// A set of types that refer to each other.
#[derive(Clone, Debug)]
pub struct Universe {
    pub model: DataModel,
    pub options: Options,
    pub records: Vec<Record>,
    pub enums: Vec<String>,
    pub typedefs: Vec<Typedef>,
    pub order: Vec<Declaration>,
    members: usize,
}

#[derive(Clone, Copy, Debug)]
pub enum Declaration {
    Record(usize),
    Enum(usize),
    Typedef(usize),
}

const INTEGERS: &[(&str, u32)] = &[
    ("_Bool", 1),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
];
const FLOATS: &[&str] = &["float", "double", "double", "_Float64"];
const EXOTIC: &[&str] = &[
    "long double",
    "_Float128",
    "_Float64x",
    "_Decimal32",
    "_Decimal64",
    "_Decimal128",
    "_Complex float",
    "_Complex double",
    "_Complex long double",
    "_Complex int",
    "_Complex long long",
    "__builtin_va_list",
    "vector_int_8",
    "vector_int_16",
    "vector_int_32",
    "vector_char_4",
    "vector_float_8",
    "vector_double_8",
    "vector_double_32",
    "vector_long_long_8",
];
const VECTORS: &str = "typedef int vector_int_8 __attribute__((vector_size(8)));
typedef int vector_int_16 __attribute__((vector_size(16)));
typedef int vector_int_32 __attribute__((vector_size(32)));
typedef char vector_char_4 __attribute__((vector_size(4)));
typedef float vector_float_8 __attribute__((vector_size(8)));
typedef double vector_double_8 __attribute__((vector_size(8)));
typedef double vector_double_32 __attribute__((vector_size(32)));
typedef long long vector_long_long_8 __attribute__((vector_size(8)));
";

impl Universe {
    /// `count` declarations drawn from `random`.
    pub fn generate(random: &mut Random, model: DataModel, options: Options, count: usize) -> Self {
        let mut universe = Self {
            model,
            options,
            records: Vec::new(),
            enums: Vec::new(),
            typedefs: Vec::new(),
            order: Vec::new(),
            members: 0,
        };
        for _ in 0..count {
            match random.below(10) {
                0 => universe.add_enum(random),
                1 | 2 => universe.add_typedef(random),
                _ => {
                    let record = universe.record(random, false);
                    universe.order.push(Declaration::Record(record));
                }
            }
        }
        universe
    }

    fn add_enum(&mut self, random: &mut Random) {
        let number = self.enums.len();
        let mut values = Vec::new();
        for index in 0..1 + random.below(4) {
            let value = match random.below(8) {
                0 => "-1".to_owned(),
                1 => "-129".to_owned(),
                2 => "255".to_owned(),
                3 => "65536".to_owned(),
                4 => "0x80000000".to_owned(),
                5 if !self.options.plain => "0x100000000LL".to_owned(),
                6 if !self.options.plain => "-0x80000001LL".to_owned(),
                _ => random.below(100).to_string(),
            };
            values.push(format!("E{number}_{index} = {value}"));
        }
        let packed = if random.one_in(3) { " __attribute__((packed))" } else { "" };
        self.enums.push(format!("enum E{number} {{ {} }}{packed}", values.join(", ")));
        self.order.push(Declaration::Enum(number));
    }

    fn add_typedef(&mut self, random: &mut Random) {
        let (ty, integer_bits) = if random.one_in(2) {
            let (name, bits) = self.integer(random);
            (Ty::Basic(name), Some(bits))
        } else {
            (self.member_type(random, 1), None)
        };
        let mut no_array = self.no_array(&ty);
        let attributes = Attributes { packed: false, ..Attributes::draw(random, 1, 2) };
        no_array |= attributes.align.is_some();
        self.order.push(Declaration::Typedef(self.typedefs.len()));
        self.typedefs.push(Typedef { ty, attributes, no_array, integer_bits });
    }

    fn no_array(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Typedef(number) => self.typedefs[*number].no_array,
            Ty::Array(element, _) => self.no_array(element),
            // A structure with a flexible member is no element either.
            Ty::Record(number) => self.is_flexible(*number),
            Ty::Qualified(_, inner) => self.no_array(inner),
            Ty::Basic(_) | Ty::Pointer(_) | Ty::Enum(_) | Ty::Atomic(_) => false,
        }
    }

    fn is_array(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Typedef(number) => self.is_array(&self.typedefs[*number].ty),
            Ty::Array(..) => true,
            Ty::Basic("__builtin_va_list") => self.model == DataModel::Lp64,
            Ty::Qualified(_, inner) => self.is_array(inner),
            Ty::Basic(_) | Ty::Pointer(_) | Ty::Record(_) | Ty::Enum(_) | Ty::Atomic(_) => false,
        }
    }

    /// Whether the record ends in a flexible array member.
    pub fn is_flexible(&self, record: usize) -> bool {
        self.records[record].members.last().is_some_and(|member| matches!(member.ty, Ty::Array(_, None)))
    }

    /// The bits of an integer type on this model, as bit-fields know it.
    fn integer(&self, random: &mut Random) -> (&'static str, u32) {
        let lp64 = self.model == DataModel::Lp64;
        if lp64 && !self.options.plain && random.one_in(16) {
            return random.pick(&[("__int128", 128), ("unsigned __int128", 128)]);
        }
        let (name, bits) = random.pick(INTEGERS);
        if lp64 && name.ends_with("long") { (name, 64) } else { (name, bits) }
    }

    fn member_type(&self, random: &mut Random, depth: u32) -> Ty {
        match random.below(16) {
            0 if !self.records.is_empty() => self.some_record(random).unwrap_or(Ty::Basic("int")),
            1 if !self.enums.is_empty() => Ty::Enum(below(random, self.enums.len())),
            2 | 3 if !self.typedefs.is_empty() => Ty::Typedef(below(random, self.typedefs.len())),
            4 | 5 if depth < 3 => {
                let element = self.member_type(random, depth + 1);
                if self.no_array(&element) {
                    return element;
                }
                // gcc 12 can crash when values meet an array without elements.
                let empty = !self.options.plain && random.one_in(12);
                let length = if empty { 0 } else { 1 + random.below(4) };
                Ty::Array(Box::new(element), Some(length))
            }
            6 => Ty::Pointer(random.pick(&["void", "char", "double"])),
            7 | 8 => Ty::Basic(random.pick(FLOATS)),
            9 | 10 if !self.options.plain => Ty::Basic(random.pick(EXOTIC)),
            11 if !self.options.plain => self.atomic(random),
            12 => self.some_record(random).unwrap_or(Ty::Basic("char")),
            13 if depth < 3 => match self.member_type(random, depth + 1) {
                // A qualified array loses the alignment that its typedef name was given: a known gap.
                Ty::Typedef(number) if self.is_array(&Ty::Typedef(number)) => Ty::Typedef(number),
                plain @ (Ty::Basic(_) | Ty::Record(_) | Ty::Enum(_) | Ty::Typedef(_)) => {
                    Ty::Qualified(random.pick(&["const", "volatile"]), Box::new(plain))
                }
                other => other,
            },
            _ => Ty::Basic(self.integer(random).0),
        }
    }

    /// A record that may be a member of another one.
    fn some_record(&self, random: &mut Random) -> Option<Ty> {
        if self.records.is_empty() {
            return None;
        }
        let number = below(random, self.records.len());
        let record = &self.records[number];
        (!record.anonymous && !self.is_flexible(number)).then_some(Ty::Record(number))
    }

    fn atomic(&self, random: &mut Random) -> Ty {
        let inner = match random.below(4) {
            0 => Ty::Basic(random.pick(FLOATS)),
            1 => self.some_record(random).unwrap_or(Ty::Basic("short")),
            _ => Ty::Basic(self.integer(random).0),
        };
        Ty::Atomic(Box::new(inner))
    }

    fn record(&mut self, random: &mut Random, anonymous: bool) -> usize {
        let union = random.one_in(4);
        let mut members = Vec::new();
        let count = if random.one_in(20) { 0 } else { 1 + random.below(6) };
        for _ in 0..count {
            members.push(self.member(random, anonymous));
        }
        let named = members.iter().any(|member| member.name.is_some());
        if named && !union && !anonymous && random.one_in(10) {
            let element = self.member_type(random, 1);
            if !self.no_array(&element) {
                let name = Some(self.member_name());
                let ty = Ty::Array(Box::new(element), None);
                members.push(Member { name, ty, width: None, attributes: Attributes::default() });
            }
        }
        let attributes = Attributes::draw(random, 5, 6);
        let pack = (!anonymous && random.one_in(8)).then(|| 1 << random.below(4));
        self.records.push(Record { union, members, attributes, pack, anonymous });
        self.records.len() - 1
    }

    fn member_name(&mut self) -> String {
        self.members += 1;
        format!("m{}", self.members)
    }

    fn member(&mut self, random: &mut Random, inside_anonymous: bool) -> Member {
        if !inside_anonymous && random.one_in(12) {
            let record = self.record(random, true);
            return Member {
                name: None,
                ty: Ty::Record(record),
                width: None,
                attributes: Attributes::default(),
            };
        }
        let attributes = Attributes::draw(random, 10, 10);
        if random.one_in(3) {
            let (ty, bits) = self.bit_field_type(random);
            let width = u32::try_from(random.below(u64::from(bits) + 1)).unwrap();
            let width = if random.one_in(6) { bits } else { width };
            let name = (width > 0 && !random.one_in(8)).then(|| self.member_name());
            return Member { name, ty, width: Some(width), attributes };
        }
        let ty = self.member_type(random, 0);
        Member { name: Some(self.member_name()), ty, width: None, attributes }
    }

    fn bit_field_type(&self, random: &mut Random) -> (Ty, u32) {
        if random.one_in(4) && !self.typedefs.is_empty() {
            let number = below(random, self.typedefs.len());
            if let Some(bits) = self.typedefs[number].integer_bits {
                return (Ty::Typedef(number), bits);
            }
        }
        if random.one_in(8) && !self.enums.is_empty() {
            // Every enumeration has at least eight bits.
            return (Ty::Enum(below(random, self.enums.len())), 8);
        }
        let (name, bits) = self.integer(random);
        (Ty::Basic(name), bits)
    }

    /// `ty name`, as a declaration.
    pub fn declare(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Basic(basic) => format!("{basic} {name}"),
            Ty::Pointer(target) => format!("{target} *{name}"),
            Ty::Array(element, Some(length)) => self.declare(element, &format!("{name}[{length}]")),
            Ty::Array(element, None) => self.declare(element, &format!("{name}[]")),
            Ty::Record(number) if self.records[*number].anonymous => {
                format!("{} {name}", self.define(*number))
            }
            Ty::Record(number) => format!("{} {name}", self.record_name(*number)),
            Ty::Enum(number) => format!("enum E{number} {name}"),
            Ty::Typedef(number) => format!("T{number} {name}"),
            Ty::Atomic(inner) => format!("_Atomic({}) {name}", self.declare(inner, "")),
            Ty::Qualified(keyword, inner) => format!("{keyword} {}", self.declare(inner, name)),
        }
    }

    /// `struct R7`
    pub fn record_name(&self, number: usize) -> String {
        format!("{} R{number}", if self.records[number].union { "union" } else { "struct" })
    }

    fn define(&self, number: usize) -> String {
        let record = &self.records[number];
        let head = match (record.anonymous, record.union) {
            (true, true) => "union".to_owned(),
            (true, false) => "struct".to_owned(),
            (false, _) => self.record_name(number),
        };
        let mut text = format!("{head} {{");
        for member in &record.members {
            let name = member.name.as_deref().unwrap_or_default();
            let declared = self.declare(&member.ty, name);
            let width = member.width.map_or_else(String::new, |width| format!(" : {width}"));
            write!(text, " {declared}{width}{};", member.attributes).unwrap();
        }
        write!(text, " }}{}", record.attributes).unwrap();
        text
    }

    /// The C text that declares all of it.
    pub fn text(&self) -> String {
        let mut text = VECTORS.to_owned();
        for declaration in &self.order {
            match *declaration {
                Declaration::Enum(number) => writeln!(text, "{};", self.enums[number]).unwrap(),
                Declaration::Typedef(number) => {
                    let typedef = &self.typedefs[number];
                    let declared = self.declare(&typedef.ty, &format!("T{number}"));
                    writeln!(text, "typedef {declared}{};", typedef.attributes).unwrap();
                }
                Declaration::Record(number) => match self.records[number].pack {
                    Some(pack) => writeln!(
                        text,
                        "#pragma pack(push, {pack})\n{};\n#pragma pack(pop)",
                        self.define(number)
                    )
                    .unwrap(),
                    None => writeln!(text, "{};", self.define(number)).unwrap(),
                },
            }
        }
        text
    }
}

fn below(random: &mut Random, length: usize) -> usize {
    usize::try_from(random.below(u64::try_from(length).unwrap())).unwrap()
}
