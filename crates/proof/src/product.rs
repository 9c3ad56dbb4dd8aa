//! Certificates of proofs over the product of thread instances: plain data that an engine gives and that the checker does not trust.
//!
//! There are *slots*, one for each thread instance, numbered in the order of creation along an execution: slot 0 is the main thread, slot `n` what the
//! `n`-th creation starts. The id of a thread is the number of its slot, so formulas spell ids (and lock words, an id plus one) as constants.
//! The certificate gives the points where threads stand between steps and a set of *predicates*: formulas over shared cells and over what threads in slots have of their
//! own. The checker explores the product (where each slot stands, and which predicates are known to hold there) from the start. Which
//! predicates hold behind a step it computes by itself: each of them that the known ones before the step imply, bit by bit (Cartesian
//! predicate abstraction: Ball, Podelski and Rajamani 2001; as proof automaton: Heizmann, Hoenicke and Podelski 2009). So a set of interpolants of error
//! traces is a certificate: every interpolant is one predicate, however they were found, and conjuncts are best given one by one. A predicate that is
//! never known to hold, or that speaks of a slot that is not there, does no harm.
//!
//! What is behind which edge, who is started where, which memory may be the same: all of that the checker derives from the program.

use raddle_ir::{Frame, FunctionId, Point, RegisterId};
use serde::{Deserialize, Serialize};

use crate::certificate::{Cell, Known, Quantity, Spawn};

/// What is claimed of all reachable states of a program that starts a bounded number of threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// What threads do, by their first functions; the first is the main thread. Slots that run the same function may share one.
    pub templates: Vec<FunctionId>,
    /// Which template is started where: by a template, at a point of it.
    pub spawns: Vec<Spawn>,
    /// The parts of shared memory that predicates speak of. They do not overlap. Memory that is in no cell holds anything at any time.
    pub cells: Vec<Cell>,
    /// Where threads stand between steps: at the first instruction of each template, before each step that others could notice (an access of a cell, an
    /// atomic block, a lock, a wait, a fork, a join), and in each loop.
    pub locations: Vec<Standing>,
    /// No more threads are ever started, the main thread included.
    pub most_threads: usize,
    /// The nodes of all formulas. Each refers to earlier ones only.
    pub nodes: Vec<Node>,
    /// The predicates: indices of nodes that are truth values.
    pub predicates: Vec<usize>,
    /// In which order slots are preferred where the order of independent steps does not matter.
    pub preference: Preference,
}

/// A location of a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// An index of templates.
    pub template: usize,
    /// What the thread executes next.
    pub point: Point,
    /// Own registers and cells that hold a known value here: only [`Quantity::Register`] and [`Quantity::Own`].
    pub constants: Vec<(Quantity, Known)>,
}

/// Of two steps of different slots that are independent the preferred one is made first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preference {
    /// The lower slot.
    #[default]
    Lower,
    /// The higher slot: newer threads first.
    Higher,
    /// All interleavings are looked at, none is preferred.
    None,
}

/// A part of a formula. Operands are indices of nodes. What it means is what the term of the same name means in `raddle_logic::term`: bit-vectors are
/// numbers modulo a power of two, `Eq` compares bit-vectors, `Not`, `And`, `Or` and `Xor` are of truth values. Sorts must fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the operators are those of terms")]
pub enum Node {
    /// What a shared cell holds, a bit-vector: an index of cells.
    Shared(usize),
    /// What a register of a slot's thread holds: a truth value if it is an `i1`. The activation must be one that runs where the thread stands; elsewhere
    /// nothing is known of it.
    Register {
        slot: usize,
        frame: Frame,
        register: RegisterId,
    },
    /// What memory that only the slot's thread can access holds, a bit-vector.
    Own {
        slot: usize,
        cell: Cell,
    },
    Bool(bool),
    Bits {
        width: u32,
        value: u128,
    },
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
    Ite(usize, usize, usize),
    Eq(usize, usize),
    Ult(usize, usize),
    Slt(usize, usize),
    UmulOverflow(usize, usize),
    SmulOverflow(usize, usize),
    BvNot(usize),
    BvAnd(usize, usize),
    BvXor(usize, usize),
    Add(usize, usize),
    Mul(usize, usize),
    Udiv(usize, usize),
    Urem(usize, usize),
    Shl(usize, usize),
    Lshr(usize, usize),
    Ashr(usize, usize),
    Concat(usize, usize),
    Extract {
        high: u32,
        low: u32,
        of: usize,
    },
    SignExtend {
        by: u32,
        of: usize,
    },
}

/// A step of an execution that the checker could not exclude: for who wants to learn from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Whose step.
    pub slot: usize,
    /// From where: an index of locations.
    pub from: usize,
    /// To where: an index of locations. None: the thread ends, or takes no more steps, or this is the step that must not be made.
    pub to: Option<usize>,
    /// The instructions that it executes, in order.
    pub path: Vec<Point>,
}
