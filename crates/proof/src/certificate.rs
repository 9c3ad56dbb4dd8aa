//! Thread-modular certificates: plain data that an engine gives and that the checker does not trust.
//!
//! A certificate says which threads there are (templates), at which points of them invariants are given, and the invariants: for each point a
//! disjunction of conjunctions of linear constraints over shared memory, what the thread has of its own, and counters of threads. Everything
//! else (control flow, what an instruction does, who starts whom, which memory may be the same) the checker derives from the program.

use serde::{Deserialize, Serialize};

use raddle_ir::{AllocStorage, Constant, Frame, FunctionId, GlobalId, Point, RegisterId};

/// What is claimed of all reachable states of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// What threads do, by their first functions; the first is the main thread.
    pub templates: Vec<FunctionId>,
    /// Which template is started where: by a template, at a point of it.
    pub spawns: Vec<Spawn>,
    /// The parts of shared memory that invariants speak of. They do not overlap.
    pub cells: Vec<Cell>,
    /// How many threads stand at certain locations.
    pub counters: Vec<Counter>,
    /// How often certain steps were made.
    pub tallies: Vec<Tally>,
    /// Where threads stand between steps, and what holds there.
    pub locations: Vec<Location>,
    /// What holds of two threads at the same time (level 2). What is not named is true.
    pub pairs: Vec<Pair>,
}

/// A place that starts threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// Who starts: an index of templates.
    pub by: usize,
    /// The instruction.
    pub at: Point,
    /// Who is started: an index of templates.
    pub starts: usize,
}

/// Some bytes of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// Which object.
    pub object: Object,
    /// Where in it.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u32,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Object {
    /// A global, or the thread's own copy of it.
    Global(GlobalId),
    /// What an instruction of a template makes.
    Made {
        /// An index of templates.
        template: usize,
        /// The instruction.
        point: Point,
        /// Its storage.
        storage: AllocStorage,
    },
    /// Not memory: one byte that says of what an instruction makes on the heap, once at most, whether it was not made yet (0), lives (1), or was
    /// freed (2).
    Life(Box<Self>),
}

/// How many threads stand at one of these locations. The value is defined by this, so it needs no proof: it is never negative, and a thread that
/// stands at one of them is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// Indices of locations, ascending. The last ones of a template (ended, stuck) are named by [`Place`].
    pub members: Vec<Place>,
    /// Whom it counts, in words. Proves nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// At a location, by its index.
    At(usize),
    /// A thread of this template that has ended: it can be joined.
    Ended(usize),
    /// A thread of this template that takes no more steps and has not ended.
    Stuck(usize),
}

/// How often threads executed an instruction: zero at first, one more with each step that executes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// An index of templates.
    pub template: usize,
    /// The instruction.
    pub at: Point,
}

/// A location and what holds while a thread stands there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// An index of templates.
    pub template: usize,
    /// What the thread executes next.
    pub point: Point,
    /// Own registers and cells that hold a known value here: only [`Quantity::Register`] and [`Quantity::Own`].
    pub constants: Vec<(Quantity, Known)>,
    /// One of these holds. None: no thread ever stands here.
    pub invariant: Invariant,
}

/// A value that is the same whenever a thread stands at a location.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Known {
    /// A constant.
    Constant(Constant),
    /// The address of a byte of an object: of a local variable, say.
    Address(Object, i64),
}

/// A disjunction of conjunctions.
pub type Invariant = Vec<Vec<Constraint>>;

/// What holds while two different threads stand at two locations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// An index of locations.
    pub left: usize,
    /// An index of locations; not before `left`.
    pub right: usize,
    /// One of these holds.
    pub invariant: Invariant,
}

/// A sum that is compared with zero. All are mathematical integers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Constraint {
    /// Factors of quantities.
    pub terms: Vec<(i128, Reading)>,
    /// What is added.
    pub constant: i128,
    /// How the sum compares with zero.
    pub relation: Relation,
}

/// How a sum compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    /// It is zero.
    Equal,
    /// It is zero or less.
    LessEqual,
    /// It is not zero.
    NotEqual,
}

/// A quantity as an integer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reading {
    /// Which.
    pub quantity: Quantity,
    /// Whether its bits are read as a signed number.
    pub signed: bool,
    /// Whose it is in a [`Pair`]; of shared quantities and elsewhere the left one's.
    pub side: Side,
}

/// One of the two threads of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The first one; the only one where there is one.
    #[default]
    Left,
    /// The second one.
    Right,
}

/// What has a value in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Quantity {
    /// What shared memory holds: an index of cells.
    Shared(usize),
    /// 1 if a cell holds something else than zero, else 0.
    IsNonzero(usize),
    /// 1 if a cell, a lock word, holds the id of the thread plus one, else 0.
    HeldByThread(usize),
    /// A register of an activation of the thread.
    Register(Frame, RegisterId),
    /// What an object of the thread holds that only the thread can access.
    Own(Cell),
    /// The thread's id.
    Identity,
    /// The id of the only thread of a template that is started once at most: an index of templates. It is the same in all states of
    /// an execution, also before that thread is started.
    IdentityOf(usize),
    /// A counter, by its index.
    Counter(usize),
    /// A tally, by its index.
    Tally(usize),
}
