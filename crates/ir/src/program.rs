//! Programs, functions, blocks, globals.

use raddle_base::{Span, Table, define_id};

use crate::inst::{Inst, Terminator};

define_id!(
    /// A function.
    pub struct FunctionId, "f"
);
define_id!(
    /// A basic block of a function.
    pub struct BlockId, "b"
);
define_id!(
    /// A typed register of a function.
    pub struct RegisterId, "r"
);
define_id!(
    /// An object whose lifetime is that of the program: a global, a static local, a string literal.
    pub struct GlobalId, "g"
);
define_id!(
    /// A program point where a nondeterministic value enters; the values taken there are the trace's inputs.
    pub struct HavocId, "h"
);

/// A linked program with its API models: what engines analyse and the VM runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Bits of a pointer and of `size_t`: 32 or 64.
    pub pointer_bits: u8,
    /// All functions.
    pub functions: Table<FunctionId, Function>,
    /// All objects of static storage duration.
    pub globals: Table<GlobalId, Global>,
    /// All sources of nondeterminism.
    pub havocs: Table<HavocId, Havoc>,
    /// Where the main thread starts: takes no parameters; calls constructors, `main`, and exit handlers.
    pub entry: FunctionId,
    /// Whether addresses come again.
    pub address_reuse: AddressReuse,
    /// What code that is not part of the program can name.
    pub outside: Outside,
}

/// Whether a new object may lie where one lay that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressReuse {
    /// It may.
    #[default]
    Possible,
    /// No address is given out twice.
    Never,
}

/// What code outside of the program is, and what of the program it can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The functions that no file defines, in order. Their bodies only say so; [`crate::passes::unknown_calls`] gives them others.
    pub functions: Vec<UndefinedFunction>,
    /// The objects with external linkage, in order.
    pub objects: Vec<GlobalId>,
    /// The functions of the program with external linkage, in order, without `main`.
    pub entries: Vec<FunctionId>,
    /// What the library keeps between calls, in order: whoever calls it may change that.
    pub hidden: Vec<GlobalId>,
    /// Where the library keeps functions that it calls when the process or a thread ends, in order.
    pub handlers: Vec<GlobalId>,
}

/// A function that the program uses and no file defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndefinedFunction {
    /// Which.
    pub id: FunctionId,
    /// The user says that it does nothing but return a value.
    pub pure: bool,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in C; made unique for statics of different units (`file.c:name`).
    pub name: String,
    /// The registers that hold the arguments at entry.
    pub parameters: Vec<RegisterId>,
    /// What it returns.
    pub result: Option<Type>,
    /// Its registers.
    pub registers: Table<RegisterId, Register>,
    /// Its blocks; the first is where it starts. None: a call gives a nondeterministic result and touches nothing.
    pub blocks: Table<BlockId, Block>,
    /// Whether it comes from the shipped API models rather than from the user.
    pub model: bool,
    /// What a model says of the state of other threads that it reads. Without a word it lets its caller learn of them.
    pub foreign_reads: Option<ForeignReads>,
    /// Where its name stands.
    pub span: Span,
}

/// Why a model that reads, in an atomic block, what other threads write lets nobody learn of them without ordering. See
/// [`crate::analyses::unsynchronised`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForeignReads {
    /// On every path it acquires what those released who wrote what it reads.
    Acquired,
    /// Only initialising and destroying the object write it, and these race with every use that nothing orders.
    Initialised,
    /// Whoever wrote what counts in it happens before: the thread itself, who started it, who held the lock that it holds.
    Ordered,
    /// What it gives may come whatever others have done.
    Any,
    /// Nothing that the program can see depends on it, but checks that fail.
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

/// A register: a local variable whose address is never taken, or an intermediate value. Assigned any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// What it holds.
    pub ty: Type,
    /// The C variable it stands for, if it does.
    pub name: Option<String>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Straight-line code.
    pub insts: Vec<Inst>,
    /// Where control goes.
    pub terminator: Terminator,
    /// The source span of the terminator.
    pub span: Span,
}

/// What a register, operand or memory access holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer of 1 to 128 bits; signedness is the operations'. In memory it takes whole bytes, little-endian; only widths
    /// that are multiples of 8 are stored.
    Int(u8),
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A pointer to an object or function, with an offset in bytes; or null; or an integer made a pointer.
    Ptr,
}

/// An object of static storage duration.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name in C, made unique.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    /// Its first contents; what is not named is zero. In order, not overlapping.
    pub init: Vec<GlobalInit>,
    /// `const` objects and string literals: a store is a memory-safety violation.
    pub read_only: bool,
    /// One object for each thread.
    pub thread_local: bool,
    /// Where it is defined.
    pub span: Span,
    /// How to name parts of it to people.
    pub shape: Shape,
}

/// A part of a global's first contents.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalInit {
    /// Where, in bytes.
    pub offset: u64,
    /// What, stored as its type is.
    pub value: crate::inst::Constant,
}

/// What an object looks like in C: for messages, for field-sensitive analyses and for symbolic locations.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Shape {
    /// Nothing is known.
    #[default]
    Bytes,
    /// One scalar.
    Scalar(Type, ScalarStyle),
    /// Equal elements one after the other.
    Array {
        /// Each of them.
        element: Box<Shape>,
        /// Bytes from one to the next.
        stride: u64,
        /// How many.
        count: u64,
    },
    /// Members at offsets; those of a union overlap.
    Record(Vec<(String, u64, Shape)>),
}

/// How a scalar is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// As a signed number.
    Signed,
    /// As an unsigned number.
    Unsigned,
    /// As a character and a number.
    Char,
    /// As true or false.
    Bool,
    /// As a floating number.
    Float,
    /// As `&object.member`.
    Pointer,
}

/// A program point where a nondeterministic value enters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havoc {
    /// What people call it: `__VERIFIER_nondet_int()`, "uninitialised `x`", "result of `read`".
    pub name: String,
    /// What it gives.
    pub ty: Type,
    /// Whether to show it as a signed number.
    pub signed: bool,
    /// Where it comes from.
    pub kind: HavocKind,
    /// Where.
    pub span: Span,
}

/// Where a nondeterministic value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HavocKind {
    /// From outside.
    #[default]
    Input,
    /// A variable has no value yet.
    Uninitialised,
    /// Whether a wait for a condition variable ends for no reason. See [`crate::passes::spin_condition`].
    Spurious,
}
