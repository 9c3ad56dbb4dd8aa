//! Engine `portfolio`: what is cheap first, then what is strong.
//!
//! Small state spaces are enumerated; else some runs are tried at random, which finds most bugs of large programs; else partial-order
//! bounded model checking tries for a while; else all of these in turns, with more work each time; at last bounded model
//! checking to the end of the budget. Stages are bounded by work (states, steps, conflicts), not by time, so that the answer does not
//! depend on how fast the machine is, except at the very end of the budget.

use raddle_base::Budget;
use raddle_ir::Property;

use crate::enumerate::{self, Enumerate, Work};
use crate::po_bmc::{self, PoBmc};
use crate::sample::{self, Sample, Tries};
use crate::{Bounds, Engine, Evidence, Ledger, Outcome, Progress, Reason, Sizes, Task, Unsupported, Verdict};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio;

/// A part of the work.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Enumeration of at most so many states.
    Enumerate(u64),
    /// Runs at random.
    Sample(Tries),
    /// Bounded model checking with at most so many conflicts for each question.
    Bounded(Option<u64>),
}

/// In an enumeration, so many basic blocks are executed for each state at most: more, and the program computes much between its
/// steps, or for ever.
const BLOCKS_PER_STATE: u64 = 200;

/// Where an enumeration has only samples of inputs and does not come to its end, later ones get this part of their work: they may
/// still find something, and cannot prove anything.
const SAMPLED_SHARE: u64 = 30;

const STAGES: &[Stage] = &[
    Stage::Enumerate(3_000),
    Stage::Sample(Tries { runs: 200, steps: 200_000 }),
    Stage::Bounded(Some(20_000)),
    Stage::Sample(Tries { runs: 3_000, steps: 5_000_000 }),
    Stage::Enumerate(100_000),
    Stage::Bounded(Some(400_000)),
    Stage::Enumerate(3_000_000),
    Stage::Bounded(None),
];

impl Engine for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn about(&self) -> &'static str {
        "the default: enumeration where it is small, else random runs and partial-order bounded model checking"
    }

    fn asks_solver(&self) -> bool {
        true
    }

    fn supports(&self, _: &Task<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn answer(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        // For each property its verdict, and the stage that it comes from.
        let mut known: Vec<(Property, Option<(Verdict, usize)>)> =
            task.properties.iter().map(|property| (*property, None)).collect();
        let mut ledgers: Vec<(usize, Ledger)> = Vec::new();
        // Who names bounds or a solver wants them.
        let bounded_only = task.bounds != Bounds::default() || !task.solving.is_ours();
        let mut too_many_inputs = false;
        for (number, stage) in STAGES.iter().enumerate() {
            let open: Vec<Property> = known
                .iter()
                .filter(|(_, known)| !known.as_ref().is_some_and(|(verdict, _)| is_final(verdict)))
                .map(|(property, _)| *property)
                .collect();
            if open.is_empty() || budget.check().is_err() {
                break;
            }
            // What is decided is told already.
            let decided = task.properties.iter().copied().filter(|property| !open.contains(property));
            let excused = decided.chain(task.excused.iter().copied()).collect();
            let part = Task { properties: open, excused, ..task.clone() };
            let outcome = match stage {
                Stage::Enumerate(_) | Stage::Sample(_) | Stage::Bounded(Some(_)) if bounded_only => continue,
                Stage::Enumerate(states) => {
                    let fewer = if too_many_inputs { SAMPLED_SHARE } else { 1 };
                    let states = states / fewer;
                    let work = Work { states, blocks: states * BLOCKS_PER_STATE };
                    let (outcome, cut) = enumerate::check_within(&part, work, budget, progress);
                    too_many_inputs |= cut;
                    outcome
                }
                Stage::Sample(tries) => sample::check_within(&part, *tries, budget, progress),
                Stage::Bounded(conflicts) => po_bmc::check_conflicts(&part, *conflicts, budget, progress),
            };
            for (property, verdict) in outcome.verdicts {
                let Some((_, known)) = known.iter_mut().find(|(other, _)| *other == property) else {
                    continue;
                };
                if known.as_ref().is_none_or(|(known, _)| rank(&verdict) >= rank(known)) {
                    *known = Some((verdict, number));
                }
            }
            ledgers.push((number, outcome.ledger));
        }
        let mut ledger = merge(&known, ledgers);
        ledger.time = budget.elapsed();
        let unknown = || Verdict::Unknown(Reason::Exhausted(raddle_base::Exhausted::Time));
        let verdicts = known
            .into_iter()
            .map(|(property, known)| (property, known.map_or_else(unknown, |(verdict, _)| verdict)))
            .collect();
        Outcome { verdicts, ledger }
    }
}

impl Stage {
    fn engine(&self) -> &'static str {
        match self {
            Self::Enumerate(_) => Enumerate.name(),
            Self::Sample(_) => Sample.name(),
            Self::Bounded(_) => PoBmc.name(),
        }
    }
}

/// What the verdicts rest on: the ledgers of the stages that they come from, as one. Work is counted over all stages.
fn merge(known: &[(Property, Option<(Verdict, usize)>)], ledgers: Vec<(usize, Ledger)>) -> Ledger {
    let mut merged = Ledger::default();
    let mut total = Sizes::default();
    for (number, ledger) in ledgers {
        total.states += ledger.sizes.states;
        total.conflicts += ledger.sizes.conflicts;
        total.executions = total.executions.max(ledger.sizes.executions);
        if !known.iter().any(|(_, known)| known.as_ref().is_some_and(|(_, stage)| *stage == number)) {
            continue;
        }
        merged.engine = ledger.engine;
        merged.memory_model = ledger.memory_model;
        if !ledger.loops.is_empty() || !ledger.recursions.is_empty() {
            merged.loops = ledger.loops;
            merged.recursions = ledger.recursions;
        }
        merged.threads = merged.threads.max(ledger.threads);
        merged.unreached = ledger.unreached;
        merged.bodiless.extend(ledger.bodiless);
        merged.notes.extend(ledger.notes);
        total.events = total.events.max(ledger.sizes.events);
        total.variables = total.variables.max(ledger.sizes.variables);
        total.clauses = total.clauses.max(ledger.sizes.clauses);
    }
    merged.bodiless.sort_unstable();
    merged.bodiless.dedup();
    let mut seen = std::collections::BTreeSet::new();
    merged.notes.retain(|note| seen.insert(note.clone()));
    merged.decided_by = known
        .iter()
        .filter_map(|(property, known)| Some((*property, STAGES[known.as_ref()?.1].engine())))
        .collect();
    merged.sizes = total;
    merged
}

/// Whether nothing better can come.
fn is_final(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Violated(_) | Verdict::Unknown(Reason::Internal { .. }) => true,
        Verdict::Safe(evidence) | Verdict::SafeUnless(evidence, _) => {
            !matches!(evidence, Evidence::Bounded(_))
        }
        Verdict::Unknown(_) => false,
    }
}

/// How much a verdict says.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Unknown(Reason::Internal { .. }) => 4,
        Verdict::Violated(_) => 3,
        Verdict::Safe(evidence) | Verdict::SafeUnless(evidence, _) => match evidence {
            Evidence::FullyUnrolled | Evidence::Enumerated => 2,
            Evidence::Bounded(_) => 1,
        },
        Verdict::Unknown(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, MemoryModel, NoProgress, Solving};
    use raddle_ir::text::parse_program;

    /// Two factors of a large number are asked for beside two threads that write `x`.
    const FACTORS: &str = "program pointer_bits 64 entry f0
        global g0 \"x\" size 4 align 4 shape signed i32 {}
        havoc h0 \"a\" i64
        havoc h1 \"b\" i64
        function f0 \"main\" () {
          registers r0: i32, r1: i64, r2: i64, r3: i64, r4: i1
        b0:
          r0 = fork @write(null)
          r1 = havoc h0
          r2 = havoc h1
          r1 = unsigned_shr r1, i64 32
          r2 = unsigned_shr r2, i64 32
          r3 = mul r1, r2
          r4 = not_equal r3, i64 4611686014132420609
          check assertion r4, \"no factors\" @5-6
          join r0
          exit_process i32 0
        }
        function f1 \"write\" (r0) -> ptr {
          registers r0: ptr
        b0:
          store i32 [@x], i32 1
          return null
        }";

    fn task<'t>(program: &'t raddle_ir::Program, properties: &[Property]) -> Task<'t> {
        Task {
            program,
            source: None,
            outside: None,
            properties: properties.to_vec(),
            excused: Vec::new(),
            bounds: Bounds::default(),
            memory_model: MemoryModel::Sc,
            solving: Solving::default(),
            seed: 1,
        }
    }

    #[test]
    fn a_hard_property_does_not_hide_the_others_in_any_order() {
        let program = parse_program(FACTORS).unwrap();
        for asked in [
            [Property::Assertion, Property::DataRace, Property::Deadlock],
            [Property::DataRace, Property::Deadlock, Property::Assertion],
        ] {
            let outcome =
                po_bmc::check_conflicts(&task(&program, &asked), Some(50), &Budget::unlimited(), &NoProgress);
            for (property, verdict) in &outcome.verdicts {
                if *property == Property::Assertion {
                    let hard = Verdict::Unknown(Reason::Effort(Effort::Conflicts));
                    assert_eq!(format!("{verdict:?}"), format!("{hard:?}"), "never out of time");
                } else {
                    assert!(matches!(verdict, Verdict::Safe(Evidence::FullyUnrolled)), "{verdict:?}");
                }
            }
        }
    }

    #[test]
    fn the_ledger_names_who_decided_what() {
        // A relaxed read of a flag beside a release store: enumeration leaves races open, the rest is small.
        let text = "program pointer_bits 64 entry f0
            global g0 \"flag\" size 4 align 4 shape signed i32 {}
            function f0 \"main\" () {
              registers r0: i32, r1: i32
            b0:
              r0 = fork @write(null)
              r1 = load i32 [@flag] relaxed
              join r0
              exit_process i32 0
            }
            function f1 \"write\" (r0) -> ptr {
              registers r0: ptr
            b0:
              store i32 [@flag], i32 1 release
              return null
            }";
        let program = parse_program(text).unwrap();
        let asked = [Property::DataRace, Property::Deadlock];
        let outcome = Portfolio.check(&task(&program, &asked), &Budget::unlimited(), &NoProgress);
        assert!(outcome.verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::Safe(_))));
        assert_eq!(outcome.ledger.engine_of(Property::DataRace), "po-bmc");
        assert_eq!(outcome.ledger.engine_of(Property::Deadlock), "exhaustive");
    }
}
