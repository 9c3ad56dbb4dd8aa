//! Pipelines that make whole sequentializations of single passes.

use std::fmt;
use std::str::FromStr;

use crate::passes::{
    bounds, declarations, inline, labels, lal_reps, lazy, loops, models, pointers, simplify, statics,
    switches, threads, unroll,
};
use crate::pipeline::{Pipeline, Stage};
use crate::switch_points::SwitchPoints;

/// What the lazy schema is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lazy {
    /// How often a loop runs, and how deep a recursion goes.
    pub unwind: u32,
    /// How many rounds; not looked at when there is a schedule.
    pub rounds: u32,
    /// How many threads there are at most, `main` not counted.
    pub threads: u32,
    /// The threads that take part in each round; all in all rounds if absent.
    pub schedule: Option<Schedule>,
    /// Where threads may be left; anywhere if absent.
    pub switches: Option<SwitchPoints>,
    /// Whether somebody refers to labels by their numbers. The same labels are there then whether deadlocks are looked for or
    /// not, so that a number means one program point.
    pub numbered: bool,
    /// Whether deadlocks are looked for.
    pub deadlock: bool,
    /// Loops that run a constant number of times are followed to their end if that is not more; else as the pass does.
    pub constant: Option<u32>,
}

impl Default for Lazy {
    fn default() -> Self {
        Self {
            unwind: 2,
            rounds: 2,
            threads: 64,
            schedule: None,
            switches: None,
            numbered: false,
            deadlock: false,
            constant: None,
        }
    }
}

impl Lazy {
    /// The pipeline.
    #[must_use]
    pub fn pipeline(&self) -> Pipeline {
        let mut stages = until_labels(self.unwind, self.threads, self.constant);
        let all = self.deadlock || self.numbered || self.switches.is_some();
        let on_or_off = |is_on: bool| if is_on { "on" } else { "off" };
        stages.push(Stage::new(&labels::PASS).choice("deadlock", on_or_off(all)).choice("joined", "on"));
        let schedule = self.schedule.as_ref().map(Schedule::pools).unwrap_or_default();
        let lazy = Stage::new(&lazy::PASS).number("rounds", self.rounds).text("schedule", &schedule);
        let switches = self.switches.as_ref().map(ToString::to_string).unwrap_or_default();
        stages.push(lazy.choice("deadlock", on_or_off(self.deadlock)).text("switches", &switches));
        Pipeline { stages }
    }
}

/// Which threads take part in each round: `main,t1:t1,t2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    rounds: Vec<Vec<String>>,
}

impl Schedule {
    /// How many rounds there are.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// As the pass takes it, where commas are between parameters: `main+t1:t1+t2`.
    fn pools(&self) -> String {
        self.joined("+")
    }

    fn joined(&self, between: &str) -> String {
        self.rounds.iter().map(|pool| pool.join(between)).collect::<Vec<_>>().join(":")
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.joined(","))
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rounds = Vec::new();
        for round in text.split(':') {
            let mut pool = Vec::new();
            for name in round.split(',').map(str::trim) {
                let number = name.strip_prefix('t').is_some_and(|number| number.parse::<u32>().is_ok());
                if !matches!(name, "main" | "all") && !number {
                    let problem = if name.is_empty() {
                        "a thread is missing".to_owned()
                    } else {
                        format!("`{name}` names no thread")
                    };
                    return Err(format!(
                        "{problem} in round {}; say `main`, `t1`, `t2` and so on, or `all`, with `,` between threads and `:` \
                         between rounds",
                        rounds.len() + 1
                    ));
                }
                pool.push(name.to_owned());
            }
            rounds.push(pool);
        }
        Ok(Self { rounds })
    }
}

/// What comes before the labels in both schemas: the same threads, loops and recursions up to a bound.
fn until_labels(unwind: u32, threads: u32, constant: Option<u32>) -> Vec<Stage> {
    let inlined = || Stage::new(&inline::PASS).number("depth", unwind).choice("which", "visible");
    let counted = Stage::new(&bounds::PASS);
    vec![
        Stage::new(&models::PASS),
        Stage::new(&declarations::PASS),
        Stage::new(&simplify::PASS),
        Stage::new(&loops::PASS),
        Stage::new(&switches::PASS),
        match constant {
            Some(most) => counted.number("most", most),
            None => counted,
        },
        Stage::new(&unroll::PASS).number("bound", unwind).choice("which", "visible"),
        inlined(),
        Stage::new(&pointers::PASS),
        inlined(),
        Stage::new(&threads::PASS).number("most", threads),
        Stage::new(&statics::PASS),
    ]
}

/// The pipeline of the lazy schema: every loop and recursion up to `unwind`, `rounds` rounds.
#[must_use]
pub fn lazy(unwind: u32, rounds: u32) -> Pipeline {
    Lazy { unwind, rounds, ..Lazy::default() }.pipeline()
}

/// The pipeline of the Lal-Reps schema, to the same bounds: the same up to the last pass, so the same threads and switch points.
#[must_use]
pub fn lal_reps(unwind: u32, rounds: u32) -> Pipeline {
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
    /// As in [`Lazy::constant`].
    pub constant: Option<u32>,
}

impl Default for LalReps {
    fn default() -> Self {
        let Lazy { unwind, rounds, threads, .. } = Lazy::default();
        Self { unwind, rounds, threads, misuse: false, constant: None }
    }
}

impl LalReps {
    /// The pipeline.
    #[must_use]
    pub fn pipeline(&self) -> Pipeline {
        let mut stages = until_labels(self.unwind, self.threads, self.constant);
        stages.push(Stage::new(&labels::PASS).choice("joined", "on"));
        let misuse = if self.misuse { "on" } else { "off" };
        stages.push(Stage::new(&lal_reps::PASS).number("rounds", self.rounds).choice("misuse", misuse));
        Pipeline { stages }
    }
}
