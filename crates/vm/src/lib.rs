//! One step's meaning: the VM that runs programs of the IR, one chosen step at a time.
//!
//! This crate is the judge of every verdict: a counterexample counts only when it runs here. It shares nothing
//! with the encodings of the engines, and is written to be obviously right before it is fast.

pub mod address;
pub mod buffer;
pub mod choice;
pub mod code;
pub mod deadlock;
pub mod describe;
mod escape;
mod execute;
pub mod explore;
mod facts;
pub mod fingerprint;
mod intrinsic;
mod layout;
pub mod leak;
mod mark;
pub mod memory;
pub mod memory_model;
mod mixer;
pub mod observe;
mod operate;
mod printf;
pub mod race;
pub mod recording;
mod renaming;
mod reuse;
pub mod run;
pub mod schedule;
pub mod state;
pub mod step;
pub mod story;
mod taint;
pub mod trace;
pub mod value;
mod violation;
mod weak;

pub use deadlock::Deadlock;
pub use explore::{Exploration, Search, Strategy, explore};
pub use leak::Leak;
pub use memory_model::MemoryModel;
pub use observe::{
    Action, Event, InputReason, InputRequest, Inputs, MemoryAccess, Observer, Stream, Unwatched, Way,
    ZeroInputs,
};
pub use race::{Race, RaceDetector};
pub use recording::Recording;
pub use run::{Options, Outcome, ReplayError, ReplayedTrace, RunResult, follow, replay, run};
pub use state::{Exit, Move, State, Status, Thread, ThreadId};
pub use step::{Readiness, StepResult, Vm};
pub use story::Story;
pub use trace::Trace;
pub use violation::Violation;
