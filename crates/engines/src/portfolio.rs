//! Engine `portfolio`: what is cheap first, then all that is strong in turns.
//!
//! Small state spaces are enumerated; else some runs are made at random, which finds most bugs of large programs; else small questions
//! are asked by partial-order bounded model checking; else that, thread-modular invariants, trace abstraction, lazy sequentialization, enumeration and
//! random runs take turns, with twice the work each time.
//!
//! Turns are measured in work (`raddle_base::Allotment`), not in time. An engine whose turn is over waits where it stands and goes on there
//! in its next turn. Turns are ordered once and for all, in `FIRST` and `MEMBERS`, and the answer is that of the first
//! turn in this order that has one. So it depends neither on how fast the VM is nor on how many engines work at the same
//! time (`--jobs`), but for how far they came when time is over.
//!
//! Between rounds members learn which properties are decided, and what others have found out beside that ([`facts`](crate::facts)): how often loops
//! iterate in random runs, and up to where partial-order bounded model checking has looked.

mod team;

use crate::enumerate::Enumerate;
use crate::po_bmc::PoBmc;
use crate::sample::Sample;
use crate::sequential::LAZY;
use crate::thread_modular::ThreadModular;
use crate::trace_abstraction::TraceAbstraction;
use crate::{Card, Engine, EngineOption, MemoryModel, Session, Task, Unsupported};
use raddle_ir::Property;
use team::Team;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio;

/// Who takes part, and with which share of a round, in the order in which their answers count. Of reasons why a property is unknown, the last
/// one's is told: it knows most.
const MEMBERS: &[(&dyn Engine, u64)] =
    &[(&Enumerate, 2), (&Sample, 1), (&LAZY, 1), (&ThreadModular, 12), (&TraceAbstraction, 1), (&PoBmc, 24)];

/// Before the first round, one after the other: who, and with how much work.
const FIRST: &[(usize, u64)] = &[
    (ENUMERATE, 25_000),
    (SAMPLE, 60_000),
    (PO_BMC, 500_000),
    (THREAD_MODULAR, 1_000_000),
    (TRACE_ABSTRACTION, 200_000),
];
const ENUMERATE: usize = 0;
const SAMPLE: usize = 1;
const THREAD_MODULAR: usize = 3;
const TRACE_ABSTRACTION: usize = 4;
const PO_BMC: usize = 5;

/// The work of a share in the first round; each round has twice that of the one before.
const FIRST_SHARE: u64 = 40_000;

/// Where loops go on as often as is known before they begin, unrolling comes to an end: partial-order bounded model checking has so many
/// times its share, and trace abstraction has no turn before the first round.
const COUNTED: u64 = 6;

impl Engine for Portfolio {
    fn card(&self) -> &'static Card {
        &Card {
            name: "portfolio",
            about: "the default: enumeration where it is small, else random runs, partial-order bounded model checking, invariants \
         and lazy sequentialization in turns",
            properties: Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[EngineOption::Solver, EngineOption::Contexts],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        // Who names bounds or a solver wants them: that member works alone. Context switches are bounded by several members.
        if task.bounds.bounds_more_than_contexts() || !task.solving.is_ours() {
            let (alone, _) = MEMBERS[PO_BMC];
            return alone.answer(task, session);
        }
        let engines: Vec<&dyn Engine> = MEMBERS.iter().map(|&(engine, _)| engine).collect();
        let team = Team::new(&engines, task, session);
        std::thread::scope(|scope| {
            for &(member, units) in FIRST {
                if member == TRACE_ABSTRACTION && team.facts().is_counted() {
                    continue;
                }
                if team.round(scope, &[(member, units)]) {
                    return;
                }
            }
            let mut share = FIRST_SHARE;
            loop {
                let unrolling = if team.facts().is_counted() { COUNTED } else { 1 };
                let turns = MEMBERS.iter().enumerate().map(|(member, &(_, shares))| {
                    let times = if member == PO_BMC { unrolling } else { 1 };
                    (member, times * shares * share)
                });
                if team.round(scope, &turns.collect::<Vec<_>>()) {
                    return;
                }
                share = share.saturating_mul(2);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Answers, Bounds, Evidence, Exchange, MemoryModel, NoProgress, Outcome, Progress, Solving, Status,
        Verdict,
    };
    use raddle_base::Budget;
    use raddle_ir::text::parse_program;
    use raddle_ir::{Program, Property};

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
          r4 = not_equal r3, i64 9000000168000000703
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

    fn answer(text: &str, properties: &[Property], jobs: usize, budget: &Budget) -> Outcome {
        let answers = Answers::new(properties);
        let facts = Exchange::default();
        let session = Session { budget, progress: &NoProgress, answers: &answers, facts: &facts };
        answer_for(text, properties, jobs, &session)
    }

    /// Ends the work when only assertions are open.
    struct UntilOthersAreDecided<'a> {
        answers: &'a Answers,
        budget: &'a Budget,
    }

    impl Progress for UntilOthersAreDecided<'_> {
        fn update(&self, _: &Status) {
            if self.answers.open() == [Property::Assertion] {
                self.budget.canceller().cancel();
            }
        }
    }

    fn answer_for(text: &str, properties: &[Property], jobs: usize, session: &Session<'_>) -> Outcome {
        let program = parse_program(text).unwrap();
        Portfolio.check_for(&task(&program, properties, jobs), session)
    }

    fn task<'p>(program: &'p Program, properties: &[Property], jobs: usize) -> Task<'p> {
        Task {
            program,
            source: None,
            outside: None,
            properties: properties.to_vec(),
            excused: Vec::new(),
            bounds: Bounds::default(),
            sequential: crate::sequential::Options::default(),
            memory_model: MemoryModel::Sc,
            solving: Solving::default(),
            seed: 1,
            jobs,
        }
    }

    #[test]
    fn a_hard_property_does_not_hide_the_others_in_any_order() {
        for asked in [
            [Property::Assertion, Property::DataRace, Property::Deadlock],
            [Property::DataRace, Property::Deadlock, Property::Assertion],
        ] {
            let (budget, answers, facts) = (Budget::unlimited(), Answers::new(&asked), Exchange::default());
            let progress = UntilOthersAreDecided { answers: &answers, budget: &budget };
            let session = Session { budget: &budget, progress: &progress, answers: &answers, facts: &facts };
            let outcome = answer_for(FACTORS, &asked, 2, &session);
            for answer in &outcome.answers {
                if answer.property == Property::Assertion {
                    assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{:?}", answer.verdict);
                } else {
                    let safe = &answer.verdict;
                    let is_proof =
                        matches!(safe, Verdict::Safe(Evidence::FullyUnrolled | Evidence::Proved(_)));
                    assert!(is_proof, "{safe:?}");
                }
            }
        }
    }

    /// Adds twos or threes until there are five: most runs go on for ever without a visible step.
    const OVERSHOT: &str = "program pointer_bits 64 entry f0
        havoc h0 \"x\" i1
        function f0 \"main\" () {
          registers r0: i1, r1: i32, r2: i32, r3: i1
        b0:
          r1 = i32 0
          jump b1
        b1:
          r0 = havoc h0
          r2 = select r0, i32 2, i32 3
          r1 = add r1, r2
          r3 = equal r1, i32 5
          branch r3, b2, b1
        b2:
          check assertion i1 0, \"never\" @5-6
          exit_process i32 0
        }";

    #[test]
    fn runs_without_end_hold_nobody_up() {
        let asked = [Property::Assertion, Property::Deadlock];
        struct UntilFound<'a>(&'a Answers, &'a Budget);
        impl Progress for UntilFound<'_> {
            fn update(&self, _: &Status) {
                if !self.0.is_open(Property::Assertion) {
                    self.1.canceller().cancel();
                }
            }
        }
        let (budget, answers, facts) = (Budget::unlimited(), Answers::new(&asked), Exchange::default());
        let progress = UntilFound(&answers, &budget);
        let session = Session { budget: &budget, progress: &progress, answers: &answers, facts: &facts };
        let outcome = answer_for(OVERSHOT, &asked, 1, &session);
        assert!(matches!(outcome.answers[0].verdict, Verdict::Violated(_)), "{:?}", outcome.answers[0]);
    }

    /// A relaxed read of a flag beside a release store: enumeration leaves races open, the rest is small.
    const FLAG: &str = "program pointer_bits 64 entry f0
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

    /// An assertion that always fails behind an input of any value: enumeration sees that, and leaves the rest open.
    const INPUT: &str = "program pointer_bits 64 entry f0
        havoc h0 \"a\" i64
        function f0 \"main\" () {
          registers r0: i64, r1: i1
        b0:
          r0 = havoc h0
          r1 = equal r0, i64 77
          branch r1, b1, b2
        b1:
          exit_process i32 1
        b2:
          check assertion i1 0, \"never\" @5-6
          exit_process i32 0
        }";

    #[test]
    fn each_answer_names_who_gave_it() {
        let asked = [Property::Assertion, Property::Deadlock];
        let outcome = answer(INPUT, &asked, 1, &Budget::unlimited());
        assert!(matches!(outcome.answers[0].verdict, Verdict::Violated(_)));
        assert!(matches!(outcome.answers[1].verdict, Verdict::Safe(_)), "{:?}", outcome.answers[1]);
        let engines: Vec<&str> = outcome.answers.iter().map(|answer| answer.grounds.engine).collect();
        assert_eq!(engines, ["exhaustive", "po-bmc"]);
    }

    #[test]
    fn the_answer_does_not_depend_on_the_number_of_jobs() {
        let asked = [Property::DataRace, Property::Deadlock, Property::Assertion];
        let shown = |jobs| {
            let outcome = answer(FLAG, &asked, jobs, &Budget::unlimited());
            format!("{:?} {:?}", outcome.answers, outcome.ledger.work)
        };
        let alone = shown(1);
        assert!((2..=4).all(|jobs| shown(jobs) == alone));
    }

    /// Ten to thirteen iterations, an input says how many; enumeration tries some inputs only.
    const LONG: &str = "program pointer_bits 64 entry f0
        havoc h0 \"n\" i32
        global g0 \"x\" size 4 align 4 shape signed i32 {}
        function f0 \"main\" () {
          registers r0: i32, r1: i32, r2: i1, r3: i32
        b0:
          r3 = fork @write(null)
          r0 = havoc h0
          r0 = and r0, i32 3
          r0 = add r0, i32 10
          r1 = i32 0
          jump b1
        b1:
          r2 = signed_less r1, r0
          branch r2, b2, b3
        b2:
          r1 = add r1, i32 1
          jump b1
        b3:
          join r3
          r3 = load i32 [@x]
          r3 = add r3, r1
          r2 = signed_less r3, i32 LIMIT
          check assertion r2, \"below\" @5-6
          exit_process i32 0
        }
        function f1 \"write\" (r0) -> ptr {
          registers r0: ptr
        b0:
          store i32 [@x], i32 1
          return null
        }";

    /// Notes the bounds that an engine comes to.
    #[derive(Default)]
    struct Seen(std::sync::Mutex<Vec<String>>);

    impl Progress for Seen {
        fn update(&self, status: &Status) {
            let mut seen = self.0.lock().unwrap();
            if status.bound.contains("unwind") && seen.last() != Some(&status.bound) {
                seen.push(status.bound.clone());
            }
        }
    }

    /// How po-bmc comes to its answer, alone or among others.
    fn way(text: &str, is_alone: bool, jobs: usize) -> (Vec<String>, String) {
        let program = parse_program(text).unwrap();
        let (budget, seen) = (Budget::unlimited(), Seen::default());
        let (answers, facts) = (Answers::new(&[Property::Assertion]), Exchange::default());
        let session = Session { budget: &budget, progress: &seen, answers: &answers, facts: &facts };
        let task = task(&program, &[Property::Assertion], jobs);
        let engine: &dyn Engine = if is_alone { &PoBmc } else { &Portfolio };
        let outcome = engine.check_for(&task, &session);
        let verdict = format!("{:?}", outcome.answers[0].verdict);
        (seen.0.into_inner().unwrap(), verdict)
    }

    #[test]
    fn unwinding_goes_on_where_random_runs_have_left_loops() {
        let safe = LONG.replace("LIMIT", "15");
        let (alone, verdict) = way(&safe, true, 1);
        assert_eq!(alone, ["unwind 1", "unwind 2", "unwind 3", "unwind 5", "unwind 8", "unwind 13"]);
        let (told, same) = way(&safe, false, 1);
        assert_eq!(told, ["po-bmc, unwind 1", "po-bmc, unwind 13"]);
        assert_eq!((verdict, same), ("Safe(FullyUnrolled)".to_owned(), "Safe(FullyUnrolled)".to_owned()));
        assert!((2..=4).all(|jobs| way(&safe, false, jobs).0 == told));
    }

    #[test]
    fn others_are_told_where_unrolling_comes_to_an_end() {
        // A hundred thousand iterations are too many to unroll at once; with a limit on them the search ends early.
        let is_counted = |text: &str| {
            let program = parse_program(text).unwrap();
            let (budget, facts) = (Budget::unlimited(), Exchange::default());
            let answers = Answers::new(&[Property::Assertion]);
            let session =
                Session { budget: &budget, progress: &NoProgress, answers: &answers, facts: &facts };
            let mut task = task(&program, &[Property::Assertion], 1);
            task.bounds.unwind_max = Some(5);
            PoBmc.answer(&task, &session);
            facts.found().is_counted()
        };
        let open = LONG.replace("LIMIT", "15");
        let counted = open.replace("r0 = add r0, i32 10", "r0 = i32 100000");
        assert!(is_counted(&counted) && !is_counted(&open));
    }

    #[test]
    fn who_cancels_is_heard() {
        let budget = Budget::unlimited();
        budget.canceller().cancel();
        let outcome = answer(FACTORS, &[Property::Assertion], 2, &budget);
        assert!(matches!(outcome.answers[0].verdict, Verdict::Unknown(_)));
    }
}
