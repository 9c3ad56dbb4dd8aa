//! A program for proofs alone, in which the models of the thread API do not tell threads apart.
//!
//! The models keep tables of single threads: who is detached, joined, over, waits for a condition variable. They have an end, and sets of waiters have more states than can
//! be followed. Lowered with [`Threads::Alike`] nothing is kept there, and what would be read from there is any value. Why every execution of the
//! program is one of that, up to steps in which only the library looks at its own memory:
//!
//! - *What is read* from a table is a choice there, so what it really is can be chosen. What is only written to a table nobody else reads.
//! - *A wait for a condition variable* lets the mutex go, leaves, and takes the mutex again, in the same three steps. When it leaves is open: then also
//!   when it is woken. Signals change nothing that is read. Both still make the accesses that can race with others and that need a live
//!   object.
//! - *Joining* waits for the same thread, and orders the same. Where the program looks at handles they are any numbers, and whom a join waits for is a
//!   choice; the thread that it really waits for can be chosen.
//! - *Nothing more is ordered*: tables are read and written without an order, except by who asks whether a thread has ended, and that order
//!   is lost. So accesses that race do so there, too.
//! - *Checks* that depend on tables are left out. They are all about misuse, behind which executions go on.
//!
//! So assertions, data races, memory errors and arithmetic are there if they are anywhere. Misuse is not checked, and who waits is never stuck: of those
//! nothing is proved this way ([`Threads::proofs_without_apart`]). A violation there says nothing of the program. What is indexed by thread ids besides (masks
//! of signals, requests of cancellation, priorities) is kept as it is, with its limits.

use std::collections::BTreeMap;

use raddle_ir::{Program, Property};
use raddle_lower::{LowerOptions, Threads, lower};
use raddle_verdict::{Evidence, Grounds, Reason, Verdict};

use crate::{Session, Source, Task};

/// What a proof of such a program says of itself.
pub(crate) const NOTE: &str =
    "it holds whatever the thread library knows of single threads, and whenever waits for conditions end";

/// The program in which threads are alike; nothing where that is the program itself.
#[must_use]
pub(crate) fn program(program: &Program, source: Option<&Source<'_>>) -> Option<Program> {
    // Programs that call functions without a body have stand-ins of their own.
    if !program.outside.functions.is_empty() {
        return None;
    }
    let source = source?;
    let options = LowerOptions { threads: Threads::Alike, ..source.lowering.clone() };
    lower(source.ast, options, 1).program.filter(|alike| alike != program)
}

/// Asks for each open property of a task: first of the program in which threads are alike, where that differs and a proof of it counts, then, of
/// what is left, of the program itself, which may be much larger.
pub(crate) fn ask(
    task: &Task<'_>,
    session: &Session<'_>,
    name: &'static str,
    answer: &mut dyn FnMut(&Task<'_>, Property, &mut Grounds) -> Result<Verdict, Reason>,
) {
    let mut open = session.answers.open();
    let counts = open.iter().any(|&property| Threads::proofs_without_apart(property));
    let alike = if counts { program(task.program, task.source.as_ref()) } else { None };
    let mut reasons: BTreeMap<Property, Reason> = BTreeMap::new();
    if let Some(program) = &alike {
        let task = Task { program, ..task.clone() };
        open.retain(|&property| {
            if !Threads::proofs_without_apart(property) {
                return true;
            }
            let mut grounds = Grounds { engine: name, ..Grounds::default() };
            match answer(&task, property, &mut grounds) {
                Ok(proved @ Verdict::Safe(Evidence::Proved(_))) => {
                    grounds.notes.push(NOTE.to_owned());
                    session.answers.give_all([(property, proved)], grounds);
                    return false;
                }
                Ok(Verdict::Unknown(why)) | Err(why) => drop(reasons.insert(property, why)),
                // What else is said of it is not about the program.
                Ok(Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Violated(_)) => {}
            }
            true
        });
    }
    for property in open {
        let mut grounds = Grounds { engine: name, ..Grounds::default() };
        let verdict = match answer(task, property, &mut grounds) {
            Ok(verdict @ (Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Violated(_))) => verdict,
            // With more executions there are fewer reasons to give up before the property is looked at.
            Ok(Verdict::Unknown(why)) | Err(why) => {
                Verdict::Unknown(reasons.remove(&property).unwrap_or(why))
            }
        };
        session.answers.give_all([(property, verdict)], grounds);
    }
}
