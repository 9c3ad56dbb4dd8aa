//! What a flow is: plain data.

use raddle_base::{Span, Table, define_id};
use raddle_ir::{AllocStorage, CheckMessage, Frame, FunctionId, GlobalId, Point, Property, RegisterId, Site};
use raddle_logic::term::{Sort, TermId, Terms};

define_id!(
    /// A variable: a part of memory, a register, or the id of a thread.
    pub struct VariableId, "v"
);
define_id!(
    /// A template: what the threads do that are started at one place.
    pub struct TemplateId, "T"
);
define_id!(
    /// A location of one template.
    pub struct LocationId, "l"
);
define_id!(
    /// A check of a property.
    pub struct CheckId, "c"
);

/// A program, thread by thread.
#[derive(Debug)]
pub struct Flow {
    /// All terms here are of this arena.
    pub terms: Terms,
    /// Everything that has a value between steps.
    pub variables: Table<VariableId, Variable>,
    /// All templates; the first is the main thread.
    pub templates: Table<TemplateId, Template>,
    /// All checks of properties that were asked for, and of those without which executions end in undefined behaviour.
    pub checks: Table<CheckId, Check>,
    /// What shared variables hold when the main thread starts; those that are not named hold anything.
    pub initial: Vec<(VariableId, TermId)>,
    /// Parts of shared memory that nobody ever stores to, and what they hold: where they are read they were folded, and no variables stand for
    /// them. All steps together show it.
    pub constants: Vec<(Storage, TermId)>,
    /// Bits of a pointer.
    pub pointer_bits: u32,
    /// What constant pointers lead to.
    pub addresses: crate::Addresses,
}

/// Something that has a value between steps.
#[derive(Clone, Debug)]
pub struct Variable {
    /// A symbol of its own that stands for its value before an edge.
    pub now: TermId,
    /// What kind of value.
    pub sort: Sort,
    /// What it is in the program.
    pub storage: Storage,
    /// Whose it is: a thread's of this template, one each; none: shared by all threads.
    pub owner: Option<TemplateId>,
    /// Whether people see it as a signed number.
    pub signed: bool,
    /// What it is called in the program, or what leads to it: `queue.items[2]`.
    pub name: String,
}

/// What a variable is in the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Some bytes of an object.
    Cell {
        /// Which object.
        object: Object,
        /// Where in it.
        offset: u64,
        /// How many bytes.
        bytes: u32,
    },
    /// An array of equal elements that is accessed at indices that are no constants: a term of an array sort, whose index has the width of a pointer.
    Elements {
        /// Which object.
        object: Object,
        /// Where its first element is.
        offset: u64,
        /// From one to the next, in bytes.
        stride: u64,
        /// Where in each element.
        field: u64,
        /// How many bytes.
        bytes: u32,
    },
    /// A register of an activation.
    Register {
        /// Which activation.
        frame: Frame,
        /// Which register.
        register: RegisterId,
    },
    /// The thread's id.
    Identity,
}

/// An object that is followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A global, or the thread's own copy of it.
    Global(GlobalId),
    /// What an instruction makes.
    Made {
        /// In which template; others that run the same code make objects of their own.
        template: TemplateId,
        /// Where.
        point: Point,
        /// Its storage.
        storage: AllocStorage,
    },
    /// Not memory: one byte that says of an object of the heap whether it was not made yet (0), lives (1), or was freed (2).
    Life(Box<Self>),
}

/// What the threads do that are started at one place.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its first function.
    pub function: FunctionId,
    /// The instructions that start it; the main thread has none.
    pub started_at: Vec<(TemplateId, Point)>,
    /// Whether there is at most one such thread in every execution.
    pub is_single: bool,
    /// Where its threads stand between steps.
    pub locations: Table<LocationId, Location>,
    /// Where they start.
    pub entry: LocationId,
    /// Their steps.
    pub edges: Vec<Edge>,
    /// The thread's id.
    pub identity: VariableId,
}

/// Where a thread stands between two steps.
#[derive(Clone, Debug)]
pub struct Location {
    /// What kind of location.
    pub kind: LocationKind,
    /// The variables of the thread that may be read from here on, ascending. Of those that are not here nothing is known.
    pub live: Vec<VariableId>,
    /// Own registers and cells that hold one constant whenever a thread is here; no variables of the flow stand for them here.
    pub constants: Vec<(Storage, TermId)>,
    /// Whether control can come back here by edges of the template.
    pub is_on_cycle: bool,
}

/// What kind of location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocationKind {
    /// A visible instruction, an atomic block or the head of a loop comes next.
    Step(Point),
    /// The thread has ended: whoever joins it goes on.
    Ended,
    /// The thread takes no more steps and has not ended: an assumption did not hold, or its behaviour is undefined.
    Stuck,
    /// A check failed. Nothing follows.
    Failed(CheckId),
}

/// An atomic step along one path.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Before.
    pub from: LocationId,
    /// After.
    pub to: LocationId,
    /// When it can be taken, as a conjunction: over `now` of shared variables and of live ones at `from`, and inputs.
    pub guards: Vec<TermId>,
    /// New values; all other variables keep theirs, but for those that are not live at `to`.
    pub updates: Vec<(VariableId, TermId)>,
    /// Symbols that stand for any value.
    pub inputs: Vec<TermId>,
    /// Whether it waits where its guards do not hold: for a lock or a condition.
    pub waits: bool,
    /// The thread that it starts.
    pub spawn: Option<Spawn>,
    /// The id of the thread whose end it waits for.
    pub joins: Option<TermId>,
    /// What memory its visible instructions access, in order.
    pub accesses: Vec<Access>,
    /// The instructions that it executes, in order, with the calls that led there.
    pub path: Vec<Point>,
    /// What each `Havoc` among them gives, in order.
    pub havocs: Vec<TermId>,
    /// Which inputs say whether a thread was started, in order.
    pub existing: Vec<Existing>,
    /// The source location of its visible instruction, else of its first one.
    pub span: Span,
}

/// An input that says whether a thread was started, which is not followed.
#[derive(Clone, Copy, Debug)]
pub struct Existing {
    /// The input, a truth value.
    pub holds: TermId,
    /// The id.
    pub thread: TermId,
    /// Whether the step has started its own thread by then.
    pub is_after_spawn: bool,
}

/// A thread that is started.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// What it does.
    pub template: TemplateId,
    /// Where it is started.
    pub point: Point,
    /// A symbol, one of the inputs: its id, which no other thread has.
    pub id: TermId,
    /// What its own variables hold that are live at its entry; those that are not named hold anything.
    pub values: Vec<(VariableId, TermId)>,
}

/// An access to memory that others may see.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variable, if the address is one that is followed.
    pub variable: Option<VariableId>,
    /// The address.
    pub address: TermId,
    /// How many bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is atomic, or in an atomic block: it takes part in no data race.
    pub is_atomic: bool,
    /// Where.
    pub site: Site,
}

/// A check of a property.
#[derive(Clone, Debug)]
pub struct Check {
    /// Which property.
    pub property: Property,
    /// Where it stands.
    pub point: Point,
    /// What is wrong when it fails.
    pub message: CheckMessage,
    /// Its source location.
    pub span: Span,
    /// Whether the property was asked for; else the behaviour is undefined where it fails, and a proof of other properties has to show that it
    /// does not.
    pub is_asked: bool,
}
