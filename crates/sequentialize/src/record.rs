//! What an execution of a sequential program says about one of the concurrent program it was made of.
//!
//! Whoever finds an execution of the sequential program that fails (our own checker, or a tool outside) writes down what is
//! here. It is guidance, not proof: the VM looks for the execution of the input that fits it, and only what is seen to
//! run there is reported. So what is missing makes the search longer, and what is wrong makes it fail.

use raddle_base::Span;

/// An execution, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The turns of threads in the order of time. The last one is that in which the execution fails.
    pub turns: Vec<Turn>,
    /// Thread ids in the order in which they are started, `main` left out. Threads that are not listed are
    /// taken to be started in the order of their ids.
    pub started: Vec<u32>,
    /// What the input's own code took from outside; for each thread in the order of time.
    pub inputs: Vec<Input>,
}

/// A thread's part of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The thread's id in the sequential program; `main` is zero.
    pub thread: u32,
    /// The number of the label at which it is left, if that is known and the execution does not fail before.
    pub leave: Option<u32>,
    /// What global variables hold at the turn's end, as far as known.
    pub globals: Vec<Global>,
}

/// What a global variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name in the sequential program.
    pub name: String,
    /// Its bytes; `None` for those that are not known or belong to pointers.
    pub bytes: Vec<Option<u8>>,
}

/// A value from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The thread that took it, by its number in the sequential program.
    pub thread: u32,
    /// The function that gave it, as in `__VERIFIER_nondet_int`; empty if that is not known.
    pub name: String,
    /// Where that was, in the input; [`Span::NONE`] if that is not known.
    pub span: Span,
    /// Its bits.
    pub value: u128,
}
