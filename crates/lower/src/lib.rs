//! Typed C to IR: the only crate that knows both.
//!
//! Every construct the front end accepts is either lowered exactly or becomes a terminator
//! [`raddle_ir::Terminator::Unsupported`] that names it: a path that reaches it makes the verdict unknown; nothing is
//! skipped.
//!
//! # Order of evaluation
//! C leaves much of it open; we fix one order and keep to it. Operands are evaluated left to right; so are the
//! arguments of a call, after the function's designator. In an assignment the right side comes first, then the lvalue,
//! then the store. A compound assignment evaluates its lvalue first, reads it, evaluates the right side,
//! and stores. `&&`, `||`, `?:` and the comma are sequenced as the standard says.

mod arithmetic;
mod asm;
mod assign;
mod atomic;
mod builtin;
mod call;
mod callees;
mod cancellation;
mod cleanup;
mod code;
mod convert;
mod declare;
mod entry;
mod environment;
mod expression;
mod function;
mod global;
mod initializer;
mod jump;
mod known;
mod library_state;
mod lowering;
mod models;
mod names;
mod open_order;
mod options;
mod outside;
mod place;
mod print;
mod refused;
mod resolve;
mod scope;
mod statement;
mod survey;
mod types;

pub use environment::{Environment, LONGEST_ARGUMENT, MOST_ARGUMENTS, address_assumption, assumptions};
pub use jump::first_kept_over_jump;
pub use lowering::{Lowered, lower};
pub use models::{models, models_in};
pub use open_order::first_open_order;
pub use options::{ArithmeticChecks, LowerOptions, SignedOverflow, Threads};
pub use refused::Refused;
