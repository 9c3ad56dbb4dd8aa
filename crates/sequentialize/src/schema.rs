//! Pipelines that make whole sequentializations of single passes.

use std::fmt::Write as _;

/// What the lazy schema is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lazy {
    /// How often a loop runs, and how deep a recursion goes.
    pub unwind: u32,
    /// How many rounds; not looked at when there is a schedule.
    pub rounds: u32,
    /// How many threads there are at most, `main` not counted.
    pub threads: u32,
    /// The threads that take part in each round, as [`crate::passes::lazy`] takes them; all in all rounds if empty.
    pub schedule: String,
    /// Where threads may be left, as [`crate::passes::lazy`] takes it; anywhere if empty.
    pub switches: String,
    /// Whether somebody refers to labels by their numbers. The same labels are there then whether deadlocks are looked for or
    /// not, so that a number means one program point.
    pub numbered: bool,
    /// Whether deadlocks are looked for.
    pub deadlock: bool,
}

impl Default for Lazy {
    fn default() -> Self {
        Self {
            unwind: 2,
            rounds: 2,
            threads: 64,
            schedule: String::new(),
            switches: String::new(),
            numbered: false,
            deadlock: false,
        }
    }
}

impl Lazy {
    /// The pipeline.
    #[must_use]
    pub fn pipeline(&self) -> String {
        let Self { unwind, rounds, threads, schedule, switches, numbered, deadlock } = self;
        let mut text = format!(
            "models,declarations,simplify,loops,switches,bounds,unroll({unwind},which=visible),\
             inline({unwind},which=visible),pointers,inline({unwind},which=visible),threads({threads}),statics"
        );
        let all = *deadlock || *numbered || !switches.is_empty();
        let on = if all { "deadlock=on" } else { "deadlock=off" };
        let _ = write!(text, ",labels({on},joined=on),lazy({rounds}");
        if !schedule.is_empty() {
            let _ = write!(text, ",schedule={schedule}");
        }
        if !switches.is_empty() {
            let _ = write!(text, ",switches={switches}");
        }
        if *deadlock {
            text.push_str(",deadlock=on");
        }
        text.push(')');
        text
    }
}

/// The pipeline of the lazy schema: every loop and recursion up to `unwind`, `rounds` rounds.
#[must_use]
pub fn lazy(unwind: u32, rounds: u32) -> String {
    Lazy { unwind, rounds, ..Lazy::default() }.pipeline()
}

/// The pipeline of the Lal-Reps schema, to the same bounds: the same up to the last pass, so the same threads and switch points.
#[must_use]
pub fn lal_reps(unwind: u32, rounds: u32) -> String {
    LalReps { unwind, rounds, ..LalReps::default() }.pipeline()
}

/// What the Lal-Reps schema is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LalReps {
    /// How often a loop runs, and how deep a recursion goes.
    pub unwind: u32,
    /// How many rounds.
    pub rounds: u32,
    /// How many threads there are at most, `main` not counted.
    pub threads: u32,
    /// Whether misused locks are violations.
    pub misuse: bool,
}

impl Default for LalReps {
    fn default() -> Self {
        let Lazy { unwind, rounds, threads, .. } = Lazy::default();
        Self { unwind, rounds, threads, misuse: false }
    }
}

impl LalReps {
    /// The pipeline.
    #[must_use]
    pub fn pipeline(&self) -> String {
        let Self { unwind, rounds, threads, misuse } = self;
        let misuse = if *misuse { ",misuse=on" } else { "" };
        format!(
            "models,declarations,simplify,loops,switches,bounds,unroll({unwind},which=visible),\
             inline({unwind},which=visible),pointers,inline({unwind},which=visible),threads({threads}),statics,\
             labels(joined=on),lal_reps({rounds}{misuse})"
        )
    }
}
