//! Symbolic execution: from a program to the events by which its threads influence each other.
//!
//! [`execute()`] executes the main thread, then every thread that was started, each along all its paths at once: blocks in
//! the order of [`order`], paths that meet become one ([`path`]). What only the thread itself can see is computed right away
//! ([`semantics`](raddle_semantics), [`memory`]); what others may see becomes events.
//!
//! | part | files | has |
//! |---|---|---|
//! | [`Context`](context::Context) | `context`, `report` | the program, what is asked and assumed, the program point at hand; steps and events are emitted here |
//! | [`Stack`](stack::Stack) | `stack`, `control`, `calls`, `merge`, `order`, `stuttering` | activations, iterations of loops; paths that are merged |
//! | [`Memory`](memory::Memory) | `memory`, `destination`, `own`, `objects`, `publish` | accesses and lifetimes, of the parts below |
//! | [`Heap`](heap::Heap) | `heap`, `known` | objects, and what they hold at first |
//! | [`Shared`](shared::Shared) | `shared`, `forwarding`, `region` | reads and writes that others may see |
//! | [`Placement`](placement::Placement) | `placement`, `comparison` | where objects lie, as far as that counts |
//! | [`AtomicBlock`](atomic_block::AtomicBlock) | `atomic_block`, `sync`, `synchronise` | what an open atomic block has read and written |
//! | [`Starts`](thread::Starts) | `thread`, `symmetry` | threads that were started |
//!
//! Direction of error: none within the bounds. Every execution of the program in which no [`Limit`](crate::execution_graph::events::Limit) is
//! reached is one of the unrolling, and the other way round, except for values that have no exact term; those are free
//! ([`Report::havocked`]), so that a proof still holds and a counterexample may fail to replay.

mod assign;
mod assumptions;
mod atomic_block;
mod calls;
mod comparison;
mod context;
mod control;
mod destination;
mod executor;
mod follow;
mod forwarding;
mod guard;
mod heap;
mod instruction;
mod known;
mod memory;
mod merge;
mod objects;
mod options;
mod order;
mod own;
mod path;
mod placement;
mod publish;
pub(crate) mod range;
mod region;
mod report;
mod shared;
mod split;
mod stack;
mod store_order;
mod stuttering;
mod symmetry;
mod sync;
mod synchronise;
mod thread;
mod world;

pub(crate) use assumptions::{
    Accessed, Assumptions, Interference, Location, LockProtected, ReadKey, ReadValues, ValueSet, Writers,
    WrittenRegion,
};
pub(crate) use executor::{Draft, execute};
pub(crate) use follow::Seen;
pub(crate) use options::Options;
pub(crate) use region::Locks;
pub(crate) use report::{ConstantRead, Report};
pub(crate) use split::objects_of;
pub(crate) use world::{Origin, Spins, World};

pub(crate) use raddle_semantics::ObjectId;

#[cfg(test)]
mod tests;
