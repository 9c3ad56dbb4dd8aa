//! Invariants for people: what a certificate says, in words of the program, at the lines where it holds.
//!
//! While a thread is at a line, one of the cases holds that the certificate has for the locations there. What all of them imply is a fact of
//! the line; what the cases imply in which a variable has one of few values is a fact under a condition. What holds at all locations is told
//! once. Facts that speak of what has no name in the program are left out, and so is what types say already.
//!
//! Direction of error: what is told follows from the certificate; not all of it is told.
//!
//! | file | has |
//! |---|---|
//! | `names` | what quantities are called, and lines of locations |
//! | `cases` | bounds and differences in one case |
//! | `facts` | what several cases have in common, as sentences |

mod cases;
mod facts;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::Program;
use raddle_ir::text::FindLocation;

use crate::certificate::Certificate;
use cases::Case;
use facts::{Lock, Teller};
use names::Names;

/// What holds in a program whenever a thread takes a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// At every line.
    pub everywhere: Vec<String>,
    /// At single lines, by file and line.
    pub lines: Vec<LineInvariants>,
}

/// What holds while a thread is at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInvariants {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What holds beside what holds everywhere.
    pub facts: Vec<String>,
}

/// A line of a file.
type Line = (String, u32);

/// What a certificate says about a program.
#[must_use]
pub fn invariants(program: &Program, certificate: &Certificate, find: FindLocation<'_>) -> Invariants {
    let mut names = Names::new(program, certificate, find);
    let mut cases: Vec<(usize, Case)> = Vec::new();
    for index in 0..certificate.locations.len() {
        cases.extend(names.cases(index).into_iter().map(|case| (index, case)));
    }
    names.note_locks();
    let mut lines: BTreeMap<Line, BTreeSet<usize>> = BTreeMap::new();
    for (index, location) in certificate.locations.iter().enumerate() {
        if let Some(line) = names.line(&location.point) {
            lines.entry(line).or_default().insert(index);
        }
    }
    let all: Vec<&Case> = cases.iter().map(|(_, case)| case).collect();
    let locks = locks(&names, &all);
    let teller = Teller { names: &names, locks: &locks };
    let mut everywhere = teller.facts(&all, None);
    everywhere.extend(teller.exclusion(&all, &lines));
    let said: BTreeSet<&String> = everywhere.iter().collect();
    let mut told = Vec::new();
    for ((file, line), locations) in &lines {
        let here: Vec<&Case> =
            cases.iter().filter(|(index, _)| locations.contains(index)).map(|(_, case)| case).collect();
        let mut facts = teller.facts(&here, Some(locations));
        facts.retain(|fact| !said.contains(fact));
        if !facts.is_empty() {
            told.push(LineInvariants { file: file.clone(), line: *line, facts });
        }
    }
    Invariants { everywhere, lines: told }
}

/// Cells that are zero unless a thread stands at the locations of a counter, and that are locks by their names.
fn locks(names: &Names<'_>, all: &[&Case]) -> Vec<Lock> {
    let mut found: Vec<Lock> = Vec::new();
    for cell in names.shared() {
        for counter in names.counters() {
            let agrees = all.iter().all(|case| {
                let (held, holders) = (case.range(cell), case.range(counter));
                held == (Some(0), Some(0)) && holders == (Some(0), Some(0))
                    || held.0.is_some_and(|low| low >= 1) && holders == (Some(1), Some(1))
            });
            if agrees && names.is_lock(cell, counter) && found.iter().all(|lock| lock.cell != cell) {
                found.push(Lock { cell, counter });
            }
        }
    }
    found
}
