//! C types, interned.
//!
//! A [`TypeId`] names a type *as written*: typedef names are kept, so that printed C stays readable and
//! messages speak the user's language. Each entry also knows its *canonical* form, with every typedef
//! resolved; two types are the same type exactly when their canonical forms are equal. Whoever asks what a
//! type *is* goes through [`Types::canonical`] or [`Types::kind`], never through the entry itself.

use raddle_base::{Id, Table, define_id};
use rustc_hash::FxHashMap;

use crate::ast::{EnumId, ExprId, RecordId, TypedefId};

define_id!(
    /// An interned type, without the qualifiers at its top.
    pub struct TypeId, "t"
);

/// `const`, `volatile`, `restrict` and `_Atomic`, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Qualifiers(u8);

impl Qualifiers {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// `const`
    pub const CONST: Self = Self(1);
    /// `volatile`
    pub const VOLATILE: Self = Self(2);
    /// `restrict`
    pub const RESTRICT: Self = Self(4);
    /// `_Atomic`; the form `_Atomic(T)` is this qualifier on `T`.
    pub const ATOMIC: Self = Self(8);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// This set less the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Whether every qualifier of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The C keywords of the set, in a fixed order.
    pub fn keywords(self) -> impl Iterator<Item = &'static str> {
        [
            (Self::CONST, "const"),
            (Self::VOLATILE, "volatile"),
            (Self::RESTRICT, "restrict"),
            (Self::ATOMIC, "_Atomic"),
        ]
        .into_iter()
        .filter_map(move |(qualifier, keyword)| self.contains(qualifier).then_some(keyword))
    }
}

impl std::fmt::Debug for Qualifiers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.keywords()).finish()
    }
}

/// A type with the qualifiers at its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QualType {
    /// The type proper.
    pub id: TypeId,
    /// Its own qualifiers; a typedef below may add more, see [`Types::canonical`].
    pub qualifiers: Qualifiers,
}

impl QualType {
    /// `id` with no qualifiers of its own.
    #[must_use]
    pub const fn plain(id: TypeId) -> Self {
        Self { id, qualifiers: Qualifiers::NONE }
    }
    /// The same type with `more` qualifiers added.
    #[must_use]
    pub const fn with(self, more: Qualifiers) -> Self {
        Self { id: self.id, qualifiers: self.qualifiers.with(more) }
    }
}

impl From<TypeId> for QualType {
    fn from(id: TypeId) -> Self {
        Self::plain(id)
    }
}

/// The integer types, `_Bool` included. Plain `char` is signed on our targets but a type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
}

/// The floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `_Float16`
    Float16,
    /// `float`
    Float,
    /// `_Float32`: as `float`, but a type of its own; so with those below.
    Float32,
    /// `double`
    Double,
    /// `_Float32x`
    Float32x,
    /// `_Float64`
    Float64,
    /// `long double`: 80-bit extended on x86
    LongDouble,
    /// `_Float64x`
    Float64x,
    /// `__float80`
    Float80,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Decimal32`
    Decimal32,
    /// `_Decimal64`
    Decimal64,
    /// `_Decimal128`
    Decimal128,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    /// `T a[10]`
    Fixed(u64),
    /// `T a[]`: an incomplete type, or a flexible array member.
    Unknown,
    /// `T a[n]`: a variable length array; the expression is evaluated where the type is met.
    Variable(ExprId),
    /// `T a[*]`, in prototypes only.
    Star,
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: QualType,
    /// The parameters' types, arrays and functions already adjusted to pointers.
    pub parameters: Box<[QualType]>,
    /// `...`
    pub variadic: bool,
    /// `false` for `int f()` and K&R definitions, whose arguments are not checked.
    pub prototype: bool,
}

/// A type, one level deep.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`, `char`, `int`, …
    Int(IntKind),
    /// `float`, `double`, …
    Float(FloatKind),
    /// `_Complex float`, …
    Complex(FloatKind),
    /// GNU `_Complex int`
    ComplexInt(IntKind),
    /// A pointer.
    Pointer(QualType),
    /// An array.
    Array {
        /// What it holds; the qualifiers of an array are those of its elements.
        element: QualType,
        /// How many.
        length: ArrayLength,
    },
    /// GNU `__attribute__((vector_size(…)))`
    Vector {
        /// What it holds.
        element: TypeId,
        /// How many.
        lanes: u64,
    },
    /// A function.
    Function(FunctionType),
    /// `struct` or `union`
    Record(RecordId),
    /// `enum`
    Enum(EnumId),
    /// `__builtin_va_list`: an array of one opaque element on LP64, a pointer-like scalar on ILP32.
    VaList,
    /// A typedef name, kept as written.
    Typedef(TypedefId),
    /// What an erroneous construct has; agrees with everything, so that one mistake is reported once.
    Error,
}

#[derive(Clone, Debug)]
struct TypeEntry {
    ty: Type,
    canonical: QualType,
}

/// The table of types.
#[derive(Clone, Debug)]
pub struct Types {
    entries: Table<TypeId, TypeEntry>,
    ids: FxHashMap<Type, TypeId>,
}

macro_rules! basic_types {
    ($($name:ident = $index:literal: $ty:expr;)*) => {
        /// The types every program has, at fixed ids.
        impl Types {
            $(
                #[doc = concat!("The id of `", stringify!($ty), "`.")]
                #[must_use]
                pub fn $name() -> TypeId { TypeId::from_index($index) }
            )*
            fn basic() -> Vec<Type> {
                let list = [$(($index, $ty)),*];
                assert!(list.iter().enumerate().all(|(place, (index, _))| place == *index), "ids are in order");
                list.into_iter().map(|(_, ty)| ty).collect()
            }
        }
    };
}

basic_types! {
    error = 0: Type::Error;
    void = 1: Type::Void;
    bool = 2: Type::Int(IntKind::Bool);
    char = 3: Type::Int(IntKind::Char);
    signed_char = 4: Type::Int(IntKind::SignedChar);
    unsigned_char = 5: Type::Int(IntKind::UnsignedChar);
    short = 6: Type::Int(IntKind::Short);
    unsigned_short = 7: Type::Int(IntKind::UnsignedShort);
    int = 8: Type::Int(IntKind::Int);
    unsigned_int = 9: Type::Int(IntKind::UnsignedInt);
    long = 10: Type::Int(IntKind::Long);
    unsigned_long = 11: Type::Int(IntKind::UnsignedLong);
    long_long = 12: Type::Int(IntKind::LongLong);
    unsigned_long_long = 13: Type::Int(IntKind::UnsignedLongLong);
    int128 = 14: Type::Int(IntKind::Int128);
    unsigned_int128 = 15: Type::Int(IntKind::UnsignedInt128);
    float = 16: Type::Float(FloatKind::Float);
    double = 17: Type::Float(FloatKind::Double);
    long_double = 18: Type::Float(FloatKind::LongDouble);
    va_list = 19: Type::VaList;
    void_pointer = 20: Type::Pointer(QualType::plain(Types::void()));
    char_pointer = 21: Type::Pointer(QualType::plain(Types::char()));
    const_char_pointer = 22: Type::Pointer(QualType { id: Types::char(), qualifiers: Qualifiers::CONST });
    const_void_pointer = 23: Type::Pointer(QualType { id: Types::void(), qualifiers: Qualifiers::CONST });
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    /// The basic types and nothing else.
    #[must_use]
    pub fn new() -> Self {
        let mut types = Self { entries: Table::new(), ids: FxHashMap::default() };
        for ty in Self::basic() {
            types.intern(ty);
        }
        types
    }

    /// The id of a type, new or known. A typedef name goes through [`typedef`](Self::typedef) instead.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let canonical = match self.canonical_form(&ty) {
            Some(form) => QualType::plain(self.intern(form)),
            None => QualType::plain(self.entries.next_id()),
        };
        let id = self.entries.push(TypeEntry { ty: ty.clone(), canonical });
        self.ids.insert(ty, id);
        id
    }

    /// The id of the typedef name `name` that stands for `meaning`.
    pub fn typedef(&mut self, name: TypedefId, meaning: QualType) -> TypeId {
        let ty = Type::Typedef(name);
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let canonical = self.canonical(meaning);
        let id = self.entries.push(TypeEntry { ty: ty.clone(), canonical });
        self.ids.insert(ty, id);
        id
    }

    /// The canonical form of a composite type, if it differs from the type itself.
    fn canonical_form(&self, ty: &Type) -> Option<Type> {
        let form = match ty {
            Type::Pointer(target) => Type::Pointer(self.canonical(*target)),
            Type::Array { element, length } => {
                Type::Array { element: self.canonical(*element), length: *length }
            }
            Type::Vector { element, lanes } => {
                Type::Vector { element: self.canonical(QualType::plain(*element)).id, lanes: *lanes }
            }
            Type::Function(function) => Type::Function(FunctionType {
                result: self.canonical(function.result),
                parameters: function.parameters.iter().map(|&parameter| self.canonical(parameter)).collect(),
                variadic: function.variadic,
                prototype: function.prototype,
            }),
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Error
            | Type::Typedef(_) => return None,
        };
        (form != *ty).then_some(form)
    }

    /// The type as it was written, one level deep.
    #[must_use]
    pub fn written(&self, id: TypeId) -> &Type {
        &self.entries[id].ty
    }

    /// The same type with all typedefs resolved, at every depth, and all top qualifiers gathered.
    #[must_use]
    pub fn canonical(&self, ty: QualType) -> QualType {
        self.entries[ty.id].canonical.with(ty.qualifiers)
    }

    /// What the type is, with typedefs resolved.
    #[must_use]
    pub fn kind(&self, id: TypeId) -> &Type {
        &self.entries[self.entries[id].canonical.id].ty
    }

    /// Whether both are the same unqualified type.
    #[must_use]
    pub fn same(&self, left: TypeId, right: TypeId) -> bool {
        self.entries[left].canonical.id == self.entries[right].canonical.id
    }

    /// The top qualifiers, those a typedef brings included.
    #[must_use]
    pub fn qualifiers(&self, ty: QualType) -> Qualifiers {
        self.canonical(ty).qualifiers
    }

    /// The same type without top qualifiers. Keeps the typedef name where that brings none.
    #[must_use]
    pub fn unqualified(&self, ty: QualType) -> TypeId {
        let canonical = self.entries[ty.id].canonical;
        if canonical.qualifiers.is_empty() { ty.id } else { canonical.id }
    }

    /// A pointer to `target`.
    pub fn pointer_to(&mut self, target: QualType) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// What a pointer points to.
    #[must_use]
    pub fn pointee(&self, id: TypeId) -> Option<QualType> {
        [self.written(id), self.kind(id)]
            .into_iter()
            .find_map(|ty| if let Type::Pointer(target) = ty { Some(*target) } else { None })
    }
}
