//! What a sequential program that stands for a concurrent one must say about itself: its threads, and where each can be left.
//!
//! The passes that make sequential programs write it down in the program, for whoever leads an execution of the sequential
//! program back to one of the input.

use raddle_base::Span;
use raddle_cfront::ast::FunctionId;

use crate::origin::CopyId;

/// Threads and rounds of a sequential program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequential {
    /// The threads by their numbers; the first runs `main`.
    pub threads: Vec<Thread>,
    /// Of each round, the ids of the threads that take part, in the order of their turns.
    pub rounds: Vec<Vec<usize>>,
}

/// A thread of a sequential program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The function that simulates it, in the sequential program.
    pub function: FunctionId,
    /// The name of that function in print.
    pub name: String,
    /// The function of the input that it runs.
    pub origin: FunctionId,
    /// The statement that starts it; nothing for `main`.
    pub started: Option<Point>,
    /// Where it can be left, by the numbers of the labels. The first is its beginning; the last is its end, which has no statement.
    pub points: Vec<Point>,
}

/// A statement of the input, which copy of it, and how that stands in the sequential program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its source location.
    pub span: Span,
    /// Which iteration, call and thread it belongs to.
    pub copy: Option<CopyId>,
}
