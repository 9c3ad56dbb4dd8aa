//! The checker of certificates over the product of thread instances ([`crate::product`]).
//!
//! **States and letters.** The paths between locations, derived from the program as for thread-modular certificates, make a transition system. A state says where
//! the thread of each slot stands, what shared cells hold, and what each thread has of its own. A *letter* is a path of a slot, as a formula of the
//! state before and behind it. Each execution of the program is a word of letters, because between two locations a path makes at most one step
//! that others could notice. A word is *possible* if its formulas hold along some states. It *goes wrong* if its last letter is a failure:
//! a path to a failing check, an invalid access, something unsupported, a value that is not the one that the certificate says is known, or a fork that starts more
//! threads than allowed. It is shown that no possible word goes wrong.
//!
//! **Exploration.** A node is where the slots stand and a set of predicates that hold in all states in which possible words come there. Behind a letter a predicate is known if
//! that follows from the known ones and the letter's formula. A letter that contradicts what is known is not followed. So the nodes that are met along a possible word exist as
//! long as the letters of the word are followed, and its failure would have been found. A node is not looked at again if there was one at the same
//! places with fewer predicates known and fewer letters asleep.
//!
//! **Reduction.** Two letters of different slots are independent if exchanging them, wherever they are neighbours in a word, gives a word that is possible between
//! the same states ([`letters`]): neither writes a cell that the other one reads or writes; they do not both fork (that numbers slots); and neither waits for a thread while the
//! other one ends or starts one. A letter of a new thread comes behind the fork anyway. Words that differ by such exchanges are equivalent (Mazurkiewicz
//! 1977): all are possible or none is.
//!
//! Assume that a possible word goes wrong; take a shortest one. Its failure is of some slot *k*. In its class take the least word, in the lexicographic order in
//! which letters are compared by their slots: at each place first the members of the *membrane* of that place (below), then the others. The failure is its last letter
//! too, else its prefix up to the failure would be a shorter word that goes wrong. The exploration for *k* follows this word:
//!
//! - *Membranes* (Farzan, Klumpp and Podelski 2022, after Valmari 1989). A membrane holds *k*, or, while *k* was not started, all slots that may fork themselves later; so
//!   the rest of the word has a letter of a member. It is closed: if a letter that another slot, or a thread that this one starts, may make now or later depends on a
//!   next letter of a member, that slot is a member. So the word's first letter of a member is independent of all before it, and could be moved to the
//!   front. As members are preferred, the least word begins with a letter of a member: it is enough to follow these.
//! - *Sleep sets* (Godefroid 1996). A letter is asleep if, at an earlier place, it was a letter of a preferred slot and has been independent of all letters since. With it as the next
//!   letter, it could be moved there, and the word would not be the least.
//!
//! As the least word is finite and each step of the exploration makes one of its letters, no thread is ignored for ever, and cycles need no further care. Which predicates
//! are known has no part in what is independent.
//!
//! Direction of error: a letter that is no step of the program, or a dependence that is none, costs only time, or an acceptance.

mod formulas;
mod letters;
mod reduce;
#[cfg(test)]
mod tests;
mod triples;
mod walk;

use raddle_base::{Budget, Span};
use raddle_ir::Point;
use raddle_verdict::{CheckedProof, proof};

use super::explore::Explorer;
use super::{Claim, Races, Rejected, can_be_proved, rounds};
use crate::certificate::{Certificate, Location};
use crate::product::{Move, Product};

/// More slots than this are not looked at.
const MOST_THREADS: usize = 64;

/// Why a certificate proves nothing, and a word that may go wrong as far as its predicates tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unproved {
    /// Why.
    pub why: Rejected,
    /// The steps that lead there. The last one is the failure. Empty where the certificate itself is wrong.
    pub path: Vec<Move>,
}

impl From<Rejected> for Unproved {
    fn from(why: Rejected) -> Self {
        Self { why, path: Vec::new() }
    }
}

impl From<proof::Rejected> for Unproved {
    fn from(why: proof::Rejected) -> Self {
        Rejected::from(why).into()
    }
}

/// Checks a certificate over the product of thread instances. Whether a program has data races or deadlocks is not decided here.
pub fn check_product(
    claim: &Claim<'_>,
    certificate: &Product,
    budget: &Budget,
) -> Result<CheckedProof, Unproved> {
    can_be_proved(&claim.asked, Races::NotShown)?;
    if certificate.most_threads == 0 || certificate.most_threads > MOST_THREADS {
        let what =
            format!("a bound of {} threads is not one that this checker takes", certificate.most_threads);
        return Err(Rejected::new(what, Span::NONE).into());
    }
    let points = points(certificate);
    proof::check_each("product of threads with predicates", budget, |obligations| {
        let explorer = Explorer { is_product: true, ..Explorer::new(claim, &points) };
        let derived = rounds::derive_with(explorer, budget)?;
        let formulas = formulas::Formulas::new(certificate)?;
        let (letters, explorer, entries) = letters::Letters::new(derived, certificate.most_threads)?;
        let triples = triples::Triples::new(explorer, formulas, obligations);
        walk::Walk::new(certificate, &letters, &entries, triples, budget).run()
    })
}

/// The locations as those of a certificate in which nothing is claimed to hold.
fn points(certificate: &Product) -> Certificate {
    let locations = certificate.locations.iter().map(|standing| Location {
        template: standing.template,
        point: standing.point.clone(),
        constants: standing.constants.clone(),
        invariant: vec![Vec::new()],
    });
    Certificate {
        templates: certificate.templates.clone(),
        spawns: certificate.spawns.clone(),
        cells: certificate.cells.clone(),
        locations: locations.collect(),
        ..Certificate::default()
    }
}

/// The instructions of a path.
fn path_of(explorer: &Explorer<'_>, trail: &[(super::state::FrameId, raddle_ir::Site)]) -> Vec<Point> {
    trail.iter().map(|&(frame, site)| Point { frame: explorer.frames[frame].clone(), site }).collect()
}
