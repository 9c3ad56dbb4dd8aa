//! The typed syntax tree of a whole program: what the parser builds, the printer prints and lowering reads.
//!
//! All nodes live in tables of one [`Ast`] and refer to each other by typed ids. The tree is fully checked:
//! - every expression has a type, and says whether it designates an object ([`Expr::lvalue`]);
//! - every implicit conversion is a [`ExprKind::Cast`] node with `explicit: false`. Reading an object is one
//!   of them ([`CastKind::Load`]), so each read of memory stands at one node;
//! - `_Generic`, `__builtin_choose_expr`, `__builtin_types_compatible_p` and `__builtin_constant_p` are gone: only what they
//!   select remains;
//! - initialisers are normalised ([`Init`]): designators resolved, nesting as deep as the type, in order,
//!   nothing twice.
//!
//! Several translation units share the tables. Each keeps its own declarations; where one declares what
//! another defines, [`Var::linked`] and [`Function::linked`] lead to the definition.

use indexmap::IndexMap;
use raddle_base::{Span, Table, define_id};

use crate::layout::{DataModel, RecordLayout};
use crate::names::{Names, Symbol};
use crate::primitive::Primitive;
use crate::types::{IntKind, QualType, TypeId, Types};

define_id!(
    /// An expression.
    pub struct ExprId, "e"
);
define_id!(
    /// A statement.
    pub struct StmtId, "s"
);
define_id!(
    /// A variable or parameter.
    pub struct VarId, "v"
);
define_id!(
    /// A function, declared or defined.
    pub struct FunctionId, "f"
);
define_id!(
    /// A `struct` or `union` type.
    pub struct RecordId, "record"
);
define_id!(
    /// An `enum` type.
    pub struct EnumId, "enum"
);
define_id!(
    /// A typedef name.
    pub struct TypedefId, "typedef"
);
define_id!(
    /// A label of a function.
    pub struct LabelId, "l"
);

/// A checked program of one or more translation units.
#[derive(Clone, Debug)]
pub struct Ast {
    /// Sizes and alignments.
    pub model: DataModel,
    /// Interned names.
    pub names: Names,
    /// Interned types.
    pub types: Types,
    /// Expressions.
    pub exprs: Table<ExprId, Expr>,
    /// Statements.
    pub stmts: Table<StmtId, Stmt>,
    /// Variables and parameters.
    pub vars: Table<VarId, Var>,
    /// Functions.
    pub functions: Table<FunctionId, Function>,
    /// Structures and unions.
    pub records: Table<RecordId, Record>,
    /// Enumerations.
    pub enums: Table<EnumId, Enum>,
    /// Typedef names.
    pub typedefs: Table<TypedefId, Typedef>,
    /// Labels.
    pub labels: Table<LabelId, Label>,
    /// The translation units, in the order given.
    pub units: Vec<Unit>,
    /// What has external linkage, by name: the definition if there is one, else some declaration.
    pub externals: IndexMap<Symbol, External>,
}

/// Something with external linkage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum External {
    /// A variable.
    Var(VarId),
    /// A function.
    Function(FunctionId),
}

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The file it was read from, for headings and messages.
    pub name: String,
    /// Its declarations in source order.
    pub items: Vec<Item>,
}

/// A declaration, at file scope or in a block. The order is that of the source; printing the items in order
/// gives valid C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The definition of a record, or its forward declaration (`struct s;`) when `definition` is false.
    Record {
        /// Which.
        id: RecordId,
        /// Whether the members are listed here.
        definition: bool,
    },
    /// The definition of an enumeration.
    Enum(EnumId),
    /// `typedef …`
    Typedef(TypedefId),
    /// A declaration of a variable. `definition` marks the one declaration that carries the initialiser or reserves
    /// the storage; others print as `extern`.
    Var {
        /// Which.
        id: VarId,
        /// Whether this is the defining position.
        definition: bool,
    },
    /// A declaration of a function, or its definition.
    Function {
        /// Which.
        id: FunctionId,
        /// Whether the body stands here.
        definition: bool,
    },
    /// `asm("…");` at file scope.
    Asm(StmtId),
    /// GNU `__label__ name;` at the head of a block.
    Label(LabelId),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its type. Values have no top qualifiers; lvalues keep those of the object.
    pub ty: QualType,
    /// Whether it designates an object (or, as an operand of `&` or a call, a function).
    pub lvalue: bool,
    /// Where it stands.
    pub span: Span,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer or character constant, or a folded question about types. The value fits the type; negative
    /// values are sign-extended to 128 bits.
    Integer(i128),
    /// A floating constant: its spelling without suffix (exact), and its value rounded to `double`.
    Float {
        /// Digits, point and exponent, decimal or hexadecimal.
        spelling: Symbol,
        /// The nearest `double`.
        value: f64,
    },
    /// An imaginary constant (`2.0i`): the operand is the real constant it scales.
    Imaginary(ExprId),
    /// A string literal, an lvalue of array type.
    String(StringLiteral),
    /// A variable or parameter.
    Var(VarId),
    /// A function's name.
    Function(FunctionId),
    /// An enumeration constant: the enumeration and its index there.
    EnumConstant(EnumId, u32),
    /// `__func__` and its kin: prints as such; an lvalue of type `const char[n]`.
    FunctionName(PredefinedName, Box<str>),
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands, after the usual conversions. For `&&` and `||` each operand is a scalar of its own type.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a = b`; `b` is converted to the type of `a`.
    Assign(ExprId, ExprId),
    /// `a op= b`: `a` is read once, converted to `computation`, combined with `b`, converted back, stored.
    CompoundAssign {
        /// The operator before `=`.
        op: BinaryOp,
        /// The lvalue.
        target: ExprId,
        /// The right side, already converted (for pointers: the integer).
        value: ExprId,
        /// The type the operation is carried out in.
        computation: TypeId,
    },
    /// `c ? a : b`; without `then`, GNU's `c ?: b`, where `c` is evaluated once.
    Conditional {
        /// The condition, a scalar.
        condition: ExprId,
        /// Absent in `c ?: b`.
        then: Option<ExprId>,
        /// The other case.
        otherwise: ExprId,
    },
    /// `a, b`
    Comma(ExprId, ExprId),
    /// A conversion, implicit or written.
    Cast {
        /// What it does to the value.
        kind: CastKind,
        /// What is converted.
        operand: ExprId,
        /// Whether it is written in the source.
        explicit: bool,
    },
    /// `base.field` (base an lvalue or value of record type), or `base->field` when `arrow` (base a pointer value).
    /// Members of anonymous members are reached by one node a level; the printer leaves the unnamed ones out.
    Member {
        /// The record or pointer.
        base: ExprId,
        /// The record type the field belongs to.
        record: RecordId,
        /// Its index in the record's fields.
        field: u32,
        /// `->`
        arrow: bool,
    },
    /// `base[index]`: one operand is a pointer (arrays decayed) or a vector, the other an integer; kept in written order.
    Index {
        /// Written before the bracket.
        base: ExprId,
        /// Written inside.
        index: ExprId,
    },
    /// A call through a function pointer value (a plain `f(x)` has a decayed [`ExprKind::Function`] as callee).
    Call {
        /// The function.
        callee: ExprId,
        /// The arguments, converted to the parameters' types, or promoted.
        arguments: Box<[ExprId]>,
    },
    /// A call of a built-in that has no ordinary type (see [`crate::check::builtin`]).
    Builtin {
        /// Which.
        builtin: crate::check::builtin::Builtin,
        /// The arguments, converted as the built-in wants them.
        arguments: Box<[ExprId]>,
    },
    /// `sizeof(type)`, `_Alignof(type)`
    TypeQuery(TypeQuery, QualType),
    /// `sizeof expr`, `__alignof__ expr`: the operand is evaluated only if its type is variable-length.
    ExprQuery(TypeQuery, ExprId),
    /// `__builtin_offsetof(type, path)`
    Offsetof {
        /// The record type.
        ty: QualType,
        /// Members and subscripts from it.
        path: Box<[OffsetStep]>,
    },
    /// `__builtin_va_arg(list, type)`; the type is the expression's.
    VaArg(ExprId),
    /// `({ … })`: a block; the value is that of its last statement.
    Statement(StmtId),
    /// `(type){ … }`: an unnamed object, static at file scope, else automatic in its block.
    CompoundLiteral {
        /// What it holds.
        init: Init,
        /// Whether it stands at file scope.
        static_storage: bool,
    },
    /// `&&label`
    LabelAddress(LabelId),
    /// What an erroneous expression became.
    Error,
}

/// Which of the names a function has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredefinedName {
    /// `__func__`
    Func,
    /// `__FUNCTION__`
    Function,
    /// `__PRETTY_FUNCTION__`
    PrettyFunction,
}

/// A string literal, adjacent pieces joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// The prefix.
    pub encoding: Encoding,
    /// The code units without the closing zero: bytes for plain and `u8`, else 16- or 32-bit units.
    pub units: Box<[u32]>,
}

/// The prefix of a string or character literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `"…"`
    Plain,
    /// `u8"…"`
    Utf8,
    /// `u"…"`: `char16_t`
    Utf16,
    /// `U"…"`: `char32_t`
    Utf32,
    /// `L"…"`: `wchar_t`
    Wide,
}

/// `sizeof` and its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeQuery {
    /// `sizeof`
    Size,
    /// `_Alignof`, the alignment the ABI demands
    Align,
    /// GNU `__alignof__`, the preferred alignment
    PreferredAlign,
}

/// One step of an `offsetof` path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetStep {
    /// `.field`
    Field(RecordId, u32),
    /// `[index]`, perhaps not constant
    Index(ExprId),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `+a`, promoted
    Plus,
    /// `-a`
    Negate,
    /// `~a`; complex conjugate on complex operands
    BitNot,
    /// `!a`
    Not,
    /// `&a`
    AddressOf,
    /// `*a`
    Deref,
    /// `++a`: the operand is an lvalue; so for the next three
    PreIncrement,
    /// `--a`
    PreDecrement,
    /// `a++`
    PostIncrement,
    /// `a--`
    PostDecrement,
    /// `__real__ a`
    Real,
    /// `__imag__ a`
    Imag,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`, also of a pointer and an integer, in written order
    Add,
    /// `-`, also of a pointer and an integer or of two pointers
    Sub,
    /// `<<`
    Shl,
    /// `>>`: arithmetic on signed operands
    Shr,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// What a conversion does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Reads an object: the only node that reads memory.
    Load,
    /// An array lvalue becomes a pointer to its first element.
    ArrayToPointer,
    /// A function becomes a pointer to it.
    FunctionToPointer,
    /// Same value, other qualifiers or a compatible type.
    NoOp,
    /// Between integers and enumerations: truncation, zero or sign extension by the operand's signedness.
    Integer,
    /// Any scalar to `_Bool`: whether it differs from zero.
    ToBool,
    /// An integer to a floating type.
    IntegerToFloat,
    /// A floating value to an integer, towards zero.
    FloatToInteger,
    /// Between floating types.
    Float,
    /// An integer to a pointer.
    IntegerToPointer,
    /// A constant zero to the null pointer.
    NullToPointer,
    /// A pointer to an integer.
    PointerToInteger,
    /// Between pointer types.
    Pointer,
    /// The value is dropped.
    ToVoid,
    /// GNU: a value becomes the union that has a member of its type.
    ToUnion,
    /// A real value becomes complex.
    RealToComplex,
    /// The real part of a complex value.
    ComplexToReal,
    /// Between complex types.
    Complex,
    /// Between vectors, or a vector and an integer, of one size: same bits.
    VectorBits,
    /// GNU: a scalar becomes a vector of copies, as an operand beside a vector.
    ScalarToVector,
}

/// A normalised initialiser.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A value of the object's type; or a string literal (not decayed) for an array of characters.
    Expr(ExprId),
    /// Parts of an array, structure, union or vector in order, without overlap; what is not named is zero.
    Aggregate(Vec<InitPart>),
}

/// One part of an aggregate initialiser.
#[derive(Clone, Debug, PartialEq)]
pub struct InitPart {
    /// Which part.
    pub subobject: Subobject,
    /// Its value. For a range of elements, evaluated once.
    pub value: Init,
}

/// A part of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subobject {
    /// A field of the record, by its index.
    Field(u32),
    /// Elements `first ..= last`.
    Elements {
        /// The first.
        first: u64,
        /// The last, inclusive.
        last: u64,
    },
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression whose value is dropped (or, last in a statement expression, taken).
    Expr(ExprId),
    /// `{ … }`
    Block(Vec<StmtId>),
    /// Declarations, in order.
    Declare(Vec<Item>),
    /// `if`
    If {
        /// A scalar.
        condition: ExprId,
        /// When it is not zero.
        then: StmtId,
        /// When it is.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// A scalar.
        condition: ExprId,
        /// The loop's body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The loop's body.
        body: StmtId,
        /// A scalar.
        condition: ExprId,
    },
    /// `for`
    For {
        /// An expression or declaration statement.
        init: Option<StmtId>,
        /// A scalar; absent means true.
        condition: Option<ExprId>,
        /// After each iteration.
        step: Option<ExprId>,
        /// The loop's body.
        body: StmtId,
    },
    /// `switch`
    Switch {
        /// An integer, promoted.
        value: ExprId,
        /// Holds the cases, at any depth.
        body: StmtId,
    },
    /// `case first:` or GNU's `case first ... last:`
    Case {
        /// As written.
        first: ExprId,
        /// As written.
        last: Option<ExprId>,
        /// Their values in the type of the switch; equal for a single value; `low > high` matches nothing.
        values: (i128, i128),
        /// What follows the colon.
        body: StmtId,
    },
    /// `default:`
    Default(StmtId),
    /// `label:`
    Label(LabelId, StmtId),
    /// `goto label;`
    Goto(LabelId),
    /// `goto *pointer;`
    GotoComputed(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`, the value converted to the function's result type.
    Return(Option<ExprId>),
    /// `asm`
    Asm(Box<Asm>),
    /// What an erroneous statement became.
    Error,
}

/// An inline assembly statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Asm {
    /// `volatile`
    pub volatile: bool,
    /// `inline`
    pub inline: bool,
    /// `goto`
    pub goto: bool,
    /// The template.
    pub template: StringLiteral,
    /// Whether operands (even none) were given by colons: `asm("nop" : )` is not `asm("nop")`.
    pub extended: bool,
    /// Output operands.
    pub outputs: Vec<AsmOperand>,
    /// Input operands.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<StringLiteral>,
    /// Labels of `asm goto`.
    pub labels: Vec<LabelId>,
}

/// An operand of inline assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint.
    pub constraint: StringLiteral,
    /// The operand: an lvalue for outputs and memory inputs.
    pub value: ExprId,
}

/// The lifetime of a variable, and who can name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// At file scope without `static`, or declared `extern`: one object for all units.
    External,
    /// `static` at file scope or in a block: one object for the unit or the function.
    Static,
    /// In a block: one object for each entry of the block.
    Automatic,
    /// `register`: as automatic, but its address is never taken.
    Register,
    /// A parameter of a function or of a function type in a declaration.
    Parameter,
}

/// A variable or parameter.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; only a parameter may lack one.
    pub name: Option<Symbol>,
    /// Its type; completed when a later declaration or the initialiser gives an array's length.
    pub ty: QualType,
    /// Its lifetime.
    pub storage: Storage,
    /// `_Thread_local`, `__thread`
    pub thread_local: bool,
    /// Whether this unit reserves the storage. A tentative definition counts.
    pub defined: bool,
    /// Its initialiser.
    pub init: Option<Init>,
    /// Alignment asked for in bytes (`_Alignas`, `aligned`), if above the type's own.
    pub align: Option<u64>,
    /// Attributes that later stages may need.
    pub attributes: Vec<Attribute>,
    /// `asm("name")` behind the declarator.
    pub asm_name: Option<StringLiteral>,
    /// The definition in another unit, set by the linker.
    pub linked: Option<VarId>,
    /// The function it is local to.
    pub owner: Option<FunctionId>,
    /// Where its name stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type, a function type.
    pub ty: QualType,
    /// `static`
    pub internal: bool,
    /// `inline` and what it means here.
    pub inline: Inline,
    /// `_Noreturn` or `__attribute__((noreturn))`
    pub noreturn: bool,
    /// The parameters: of the definition, else of the first declaration that names them.
    pub parameters: Vec<VarId>,
    /// Whether the definition is in the K&R style (printed as such: calls are not checked against it).
    pub old_style: bool,
    /// The body, a block, if it is defined in this unit.
    pub body: Option<StmtId>,
    /// Attributes that later stages may need.
    pub attributes: Vec<Attribute>,
    /// `asm("name")` behind the declarator.
    pub asm_name: Option<StringLiteral>,
    /// Whether a call made it known before any declaration did.
    pub implicit: bool,
    /// The definition in another unit, set by the linker.
    pub linked: Option<FunctionId>,
    /// The function around it, for GNU's nested functions.
    pub owner: Option<FunctionId>,
    /// Where its name stands.
    pub span: Span,
}

/// The flavours of `inline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    /// Not inline.
    No,
    /// `inline`, every declaration of it without `extern`: gives no external definition.
    Inline,
    /// `extern inline`, or `inline` with another declaration that has `extern` or lacks `inline`: an external definition.
    Extern,
    /// `extern inline` with `gnu_inline`: for inlining only.
    Gnu,
}

/// Attributes kept in the tree because something later may depend on them. The rest is read and dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// Another definition may replace it.
    Weak,
    /// Another name for the named function or variable.
    Alias(StringLiteral),
    /// Runs before `main`, with its priority.
    Constructor(Option<u32>),
    /// Runs after `main`, with its priority.
    Destructor(Option<u32>),
    /// Called with a pointer to the variable when it goes out of scope.
    Cleanup(FunctionId),
    /// May be called twice with the same effect; returns twice: `setjmp`.
    ReturnsTwice,
    /// `__attribute__((always_inline))`
    AlwaysInline,
    /// `__attribute__((noinline))`
    NoInline,
    /// `__attribute__((raddle_reads(…)))`: what a model says of the state of other threads that it reads.
    ForeignReads(ForeignReads),
}

/// Why a model that reads, in an atomic block, what other threads write lets nobody learn of them without ordering. Means
/// something in the API models only; what each word claims stands in their README.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForeignReads {
    /// `acquired`
    Acquired,
    /// `initialised`
    Initialised,
    /// `ordered`
    Ordered,
    /// `any`
    Any,
    /// `hidden`
    Hidden,
}

impl ForeignReads {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::Acquired, Self::Initialised, Self::Ordered, Self::Any, Self::Hidden];

    /// As it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Acquired => "acquired",
            Self::Initialised => "initialised",
            Self::Ordered => "ordered",
            Self::Any => "any",
            Self::Hidden => "hidden",
        }
    }
}

/// `struct` or `union`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// Members one after the other.
    Struct,
    /// Members on top of each other.
    Union,
}

/// A structure or union type.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct` or `union`
    pub kind: RecordKind,
    /// Its tag, if it was written.
    pub tag: Option<Symbol>,
    /// Its members, `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    /// `packed`
    pub packed: bool,
    /// `aligned(n)` or `_Alignas` on the type itself, in bytes.
    pub align: Option<u64>,
    /// `#pragma pack(n)` in force where the members end: no member aligns to more than this many bytes, and
    /// bit-fields may straddle the units of their types.
    pub pack: Option<u64>,
    /// `transparent_union`
    pub transparent: bool,
    /// Size in bytes, once complete. Computed by [`crate::layout`].
    pub size: u64,
    /// Alignment in bytes, once complete.
    pub alignment: u64,
    /// What else layout knows of it, once complete; `Default::default()` before.
    pub layout: RecordLayout,
    /// Where its tag or keyword stands.
    pub span: Span,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; anonymous members and unnamed bit-fields have none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QualType,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// `packed` on the member.
    pub packed: bool,
    /// `aligned(n)` or `_Alignas` on the member, in bytes.
    pub align: Option<u64>,
    /// Offset in bits from the start of the record; a multiple of 8 unless it is a bit-field. Computed by [`crate::layout`].
    pub bit_offset: u64,
    /// Where its name stands.
    pub span: Span,
}

/// An enumeration type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its tag, if it was written.
    pub tag: Option<Symbol>,
    /// Its constants, `None` while incomplete.
    pub constants: Option<Vec<EnumConstant>>,
    /// `packed`: the smallest integer type that fits.
    pub packed: bool,
    /// The integer type it is compatible with.
    pub underlying: IntKind,
    /// Where its tag or keyword stands.
    pub span: Span,
}

/// A constant of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumConstant {
    /// Its name.
    pub name: Symbol,
    /// Its value.
    pub value: i128,
    /// Its type: `int` if the value fits, else the enumeration's underlying type.
    pub ty: TypeId,
    /// Where its name stands.
    pub span: Span,
}

/// A typedef name.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Symbol,
    /// What it stands for.
    pub ty: QualType,
    /// `aligned(n)` on the typedef, in bytes; overrides the type's own alignment, up or down.
    pub align: Option<u64>,
    /// Where its name stands.
    pub span: Span,
}

/// A label of a function.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Symbol,
    /// Whether `__label__` declared it in a block.
    pub local: bool,
    /// Where it stands, or is first used.
    pub span: Span,
}

impl Ast {
    /// A program without units.
    #[must_use]
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            names: Names::new(),
            types: Types::new(),
            exprs: Table::new(),
            stmts: Table::new(),
            vars: Table::new(),
            functions: Table::new(),
            records: Table::new(),
            enums: Table::new(),
            typedefs: Table::new(),
            labels: Table::new(),
            units: Vec::new(),
            externals: IndexMap::new(),
        }
    }

    /// What a function's name means where nobody defines the function.
    #[must_use]
    pub fn primitive(&self, function: FunctionId) -> Option<Primitive> {
        self.names.primitive(self.functions[function].name)
    }

    /// The text of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }
}
