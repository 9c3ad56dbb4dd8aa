//! Terms, bit-blasting, SAT with a theory of order, SMT-LIB.
//!
//! This crate knows nothing of C or of threads: it answers whether a set of bit-vector terms and order
//! facts can hold together, with a model or a core.
//!
//! | module | what it is for |
//! |---|---|
//! | [`term`] | hash-consed terms, rewriting, evaluation, text |
//! | [`float`] | IEEE-754 arithmetic as bit-vector terms |
//! | [`solver`] | the façade: assert, check, model, core, order |
//! | [`smtlib`] | dumps, and installed solvers behind the same façade |
//! | [`blast`], [`array`](mod@array) | from terms to clauses; lemmas about arrays |
//! | [`sat`], [`order`] | SAT solvers behind one trait; the theory of order |
//!
//! # Example
//! Two threads add one to a counter by a load and a store each. Can an update be lost? The terms say what is
//! loaded and stored, the order facts who comes first.
//!
//! ```
//! use raddle_base::Budget;
//! use raddle_logic::solver::{Answer, Embedded, Solver};
//! use raddle_logic::term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let mut solver = Embedded::new();
//! let [load1, store1, load2, store2] = [(); 4].map(|()| solver.add_node());
//! solver.add_edge(load1, store1);
//! solver.add_edge(load2, store2);
//!
//! let [seen1, seen2, last] = ["seen1", "seen2", "last"].map(|name| terms.symbol(name, Sort::BitVec(32)));
//! let (zero, one) = (terms.bits(0, 32), terms.bits(1, 32));
//! let (stored1, stored2) = (terms.add(seen1, one), terms.add(seen2, one));
//! // A load sees the other thread's store if that came before it, else the initial zero.
//! let sees2 = solver.before(&mut terms, store2, load1);
//! let sees1 = solver.before(&mut terms, store1, load2);
//! let value1 = terms.ite(sees2, stored2, zero);
//! let value2 = terms.ite(sees1, stored1, zero);
//! let second_last = solver.before(&mut terms, store1, store2);
//! let final_value = terms.ite(second_last, stored2, stored1);
//! for (symbol, value) in [(seen1, value1), (seen2, value2), (last, final_value)] {
//!     let equal = terms.eq(symbol, value);
//!     solver.assert(&mut terms, equal);
//! }
//!
//! let two = terms.bits(2, 32);
//! let lost = terms.ne(last, two);
//! let answer = solver.check(&mut terms, &[lost], &Budget::unlimited()).expect("nothing external");
//! assert_eq!(answer, Answer::Sat);
//! assert_eq!(solver.value(&terms, last).and_then(|value| value.as_bits()), Some(1));
//! let order = solver.order().expect("a model has an order");
//! let position = |node| order.iter().position(|&other| other == node);
//! assert!(position(load1) < position(store2) && position(load2) < position(store1));
//!
//! // With both increments atomic, none is lost.
//! solver.make_atomic(&[load1, store1]);
//! solver.make_atomic(&[load2, store2]);
//! assert_eq!(solver.check(&mut terms, &[lost], &Budget::unlimited()), Ok(Answer::Unsat));
//! ```

pub mod array;
pub mod blast;
pub mod float;
pub mod order;
pub mod sat;
pub mod smtlib;
pub mod solver;
pub mod term;
