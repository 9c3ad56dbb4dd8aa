//! What an answer rests on: loops and how far they were followed, threads, what was taken on trust.

use raddle_ir::analyses::loop_names::{NamedLoop, loop_names};
use raddle_vm::verdict::{Ledger, LoopEntry, Sizes};
use serde::Serialize;

use crate::report::Subject;

/// What answers rest on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerReport {
    /// The engine's name; where several took part, which of them decided what.
    pub engine: String,
    /// `sc`, `tso` or `pso`.
    pub memory_model: String,
    /// Every loop that was met.
    pub loops: Vec<LoopReport>,
    /// Recursive functions.
    pub recursions: Vec<RecursionReport>,
    /// How many threads were followed, the main one included.
    pub threads: u32,
    /// Functions without a body.
    pub without_body: Vec<BodilessReport>,
    /// Assertions that no execution reaches.
    pub never_reached: Vec<UnreachedReport>,
    /// What is taken for granted of the world around the program.
    pub assumptions: Vec<String>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// How large the question was; what an engine does not have is zero.
    pub sizes: SizesReport,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopReport {
    /// As `--unwindset` calls it, if it is one of the program's own.
    pub name: Option<String>,
    /// The function it is in.
    pub function: String,
    /// `file:line`
    pub place: Option<String>,
    /// The largest number of iterations that were followed.
    pub iterations: u32,
    /// Whether that is enough in every execution.
    pub complete: bool,
}

/// A recursive function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecursionReport {
    /// Its name.
    pub function: String,
    /// How deep it was followed.
    pub depth: u32,
}

/// A function without a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BodilessReport {
    /// Its name.
    pub function: String,
    /// Whether it takes pointers, through which it could change what the program relies on.
    pub takes_pointers: bool,
    /// Whether it is said to do nothing but return a value.
    pub pure: bool,
}

/// An assertion that no execution reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreachedReport {
    /// `file:line`
    pub place: Option<String>,
    /// What is asserted.
    pub text: String,
}

/// How large a question was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SizesReport {
    /// Events of all threads.
    pub events: u64,
    /// Propositional variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
    /// Conflicts met by the solver.
    pub conflicts: u64,
    /// States visited.
    pub states: u64,
    /// Executions run.
    pub executions: u64,
}

impl From<Sizes> for SizesReport {
    fn from(sizes: Sizes) -> Self {
        let Sizes { events, variables, clauses, conflicts, states, executions } = sizes;
        Self { events, variables, clauses, conflicts, states, executions }
    }
}

pub(crate) fn report(ledger: &Ledger, subject: &Subject<'_>) -> LedgerReport {
    let named = match subject.machine {
        Some(machine) if !ledger.loops.is_empty() => loop_names(machine.program()),
        _ => Vec::new(),
    };
    // An engine tells the loop's function, or the loop by its name.
    let name = |entry: &LoopEntry| {
        let is_it = |each: &&NamedLoop| {
            let function = each.name.rsplit_once('.').map_or("", |(function, _)| function);
            each.name == entry.function || (each.span == entry.span && function == entry.function)
        };
        named.iter().find(is_it).map(|each| each.name.clone())
    };
    let function = |entry: &LoopEntry| match name(entry).as_deref().and_then(|name| name.rsplit_once('.')) {
        Some((function, _)) => function.to_owned(),
        None => entry.function.clone(),
    };
    LedgerReport {
        engine: engines(ledger),
        memory_model: ledger.memory_model.clone(),
        loops: ledger
            .loops
            .iter()
            .map(|entry| LoopReport {
                name: name(entry),
                function: function(entry),
                place: subject.place(entry.span),
                iterations: entry.iterations,
                complete: entry.complete,
            })
            .collect(),
        recursions: ledger
            .recursions
            .iter()
            .map(|(function, depth)| RecursionReport { function: function.clone(), depth: *depth })
            .collect(),
        threads: ledger.threads,
        without_body: ledger
            .bodiless
            .iter()
            .map(|entry| BodilessReport {
                function: entry.function.clone(),
                takes_pointers: entry.takes_pointers,
                pure: entry.pure,
            })
            .collect(),
        never_reached: ledger
            .unreached
            .iter()
            .map(|(span, message)| UnreachedReport { place: subject.place(*span), text: asserted(message) })
            .collect(),
        assumptions: ledger.assumptions.clone(),
        notes: ledger.notes.clone(),
        sizes: ledger.sizes.into(),
        seconds: ledger.time.as_secs_f64(),
    }
}

/// Who decided: one name, or several with their properties.
fn engines(ledger: &Ledger) -> String {
    let mut names: Vec<&str> = ledger.decided_by.iter().map(|(_, engine)| *engine).collect();
    names.sort_unstable();
    names.dedup();
    let parts = names.iter().map(|name| {
        let decided = ledger.decided_by.iter().filter(|(_, engine)| engine == name);
        let properties: Vec<&str> = decided.map(|(property, _)| property.name()).collect();
        format!("{name} ({})", properties.join(", "))
    });
    match names.as_slice() {
        [] => ledger.engine.clone(),
        [only] => (*only).to_owned(),
        _ => parts.collect::<Vec<_>>().join("; "),
    }
}

/// What a check asserts, from what it says when it fails.
fn asserted(message: &str) -> String {
    if let Some(assertion) = message.strip_suffix(" fails") {
        return assertion.to_owned();
    }
    match message.strip_suffix(" is called") {
        Some(function) => format!("call of {function}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::asserted;

    #[test]
    fn what_fails_is_told_as_what_is_asserted() {
        assert_eq!(asserted("assertion `x == 2` fails"), "assertion `x == 2`");
        assert_eq!(asserted("`reach_error` is called"), "call of `reach_error`");
        assert_eq!(asserted("left == 80"), "left == 80");
    }
}
