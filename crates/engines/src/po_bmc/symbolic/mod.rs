//! Symbolic execution: from a program to the events by which its threads influence each other.
//!
//! [`execute()`] executes the main thread, then every thread that was started, each along all its paths at once: blocks in
//! the order of [`order`], paths that meet become one ([`path`]). What only the thread itself can see is computed right away
//! ([`semantics`](crate::semantics), [`memory`]); what others may see becomes events.
//!
//! Direction of error: none within the bounds. Every execution of the program in which no [`Limit`](crate::execution_graph::events::Limit) is
//! reached is one of the unrolling, and the other way round, except for values that have no exact term; those are free
//! ([`Report::opaque`]), so that a proof still holds and a counterexample may fail to replay.

mod access;
mod assumptions;
mod execute;
mod forwarding;
mod guard;
mod instruction;
mod memory;
mod numbers;
mod objects;
mod options;
mod order;
mod path;
mod pointer;
mod progress;
pub(crate) mod range;
mod region;
mod split;
mod symmetry;
mod sync;
mod synchronise;
mod thread;
mod world;

pub(crate) use assumptions::{
    Accessed, Assumptions, Interference, Location, LockProtected, ReadKey, ReadValues, ValueSet, Writers,
    WrittenRegion,
};
pub(crate) use execute::{ConstantRead, Draft, Report, execute};
pub(crate) use options::Options;
pub(crate) use region::Locks;
pub(crate) use split::objects_of;
pub(crate) use world::{Spins, World};

pub(crate) use crate::semantics::ObjectId;
