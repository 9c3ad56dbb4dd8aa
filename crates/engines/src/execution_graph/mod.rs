//! Execution graphs: the executions of a set of events, as a question for a solver.
//!
//! | file | has |
//! |---|---|
//! | `events` | the contract: steps and events of threads, with guards, and what may go wrong in them |
//! | `emitter` | how events come into the tables |
//! | `access_index` | accesses by location |
//! | `encode` | which of them make an execution: reads-from, program order, locks, happens-before, deadlock |
//! | `observed` | the events of one run that was recorded, or of what can still happen from one of its states |
//! | `read_back` | from a model to a trace |
//!
//! Where the events come from is the business of the engine that makes them: the whole program up to bounds, or the events of one
//! run. The encoding is partial-order based (Alglave, Kroening and Tautschnig: "Partial
//! Orders for Efficient Bounded Model Checking of Concurrent Software", CAV 2013), decided by a SAT solver with a theory of order (He, Sun and
//! Fan: "Satisfiability Modulo Ordering Consistency Theory for Multi-Threaded Program Verification", PLDI 2021).

pub mod access_index;
pub mod emitter;
pub mod encode;
pub mod events;
pub mod observed;
pub mod read_back;
