//! Limits hold in all phases of the engines that make sequential programs, without anybody who watches them from outside: what was
//! covered before is told, and the rest has a reason.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::time::Duration;

use raddle_base::{Budget, Canceller, Exhausted, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_engines::{
    Bounds, Engine, Evidence, MemoryModel, NoProgress, Outcome, Progress, Reason, Solving, Source, Status,
    Task, Verdict, po_bmc, sequential,
};
use raddle_ir::Property;
use raddle_lower::{LowerOptions, lower, models};

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int __VERIFIER_nondet_int(void);
void reach_error(void);
int x;
";

const MAIN: &str = "
void *work(void *unused) { f(); return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x == -1000) reach_error();
    return 0;
}
";

/// Copies within copies, by loops.
const LOOPS: &str = "
void f(void) {
    while (__VERIFIER_nondet_int())
        while (__VERIFIER_nondet_int())
            while (__VERIFIER_nondet_int()) { int seen = x; x = seen + 1; }
}
";

/// And by calls.
const CALLS: &str = "void f(void) { if (__VERIFIER_nondet_int()) { int seen = x; x = seen + 1; f(); f(); } }";

/// Lets an engine work with a budget; gives the answer and how long it took.
fn answer(
    engine: &dyn Engine,
    body: &str,
    (bounds, sequential): (Bounds, sequential::Options),
    (budget, progress): (&Budget, &dyn Progress),
) -> (Outcome, Duration) {
    answer_in(engine, &format!("{body}{MAIN}"), (bounds, sequential), (budget, progress))
}

/// The same for a whole program.
fn answer_in(
    engine: &dyn Engine,
    program: &str,
    (bounds, sequential): (Bounds, sequential::Options),
    (budget, progress): (&Budget, &dyn Progress),
) -> (Outcome, Duration) {
    let mut sources = SourceMap::new();
    let (models_name, models_text) = models();
    let units = [
        sources.add("test.c", format!("{HEAD}{program}").into_bytes()).unwrap(),
        sources.add(models_name, models_text.into_bytes()).unwrap(),
    ];
    let parsed = parse_program(&mut sources, &units, DataModel::Lp64);
    assert!(!parsed.diagnostics.has_errors());
    let lowering = LowerOptions { arguments: vec!["program".to_owned()], ..LowerOptions::default() };
    let program = lower(&parsed.ast, lowering.clone(), 1).program.unwrap();
    let task = Task {
        program: &program,
        source: Some(Source { sources: &sources, ast: &parsed.ast, lowering: &lowering }),
        outside: None,
        properties: vec![Property::Assertion],
        excused: Vec::new(),
        bounds,
        sequential,
        memory_model: MemoryModel::Sc,
        solving: Solving::default(),
        seed: 1,
        jobs: 1,
    };
    let outcome = engine.check(&task, budget, progress);
    (outcome, budget.elapsed())
}

#[test]
fn time_is_kept_where_programs_become_large() {
    for engine in [&sequential::LAZY as &dyn Engine, &sequential::LAL_REPS] {
        for (body, unwind) in [(LOOPS, 16), (LOOPS, 60), (CALLS, 12), (CALLS, 40)] {
            let bounds = Bounds { unwind: Some(unwind), ..Bounds::default() };
            let bounds = (bounds, sequential::Options { rounds: Some(2), ..sequential::Options::default() });
            let budget = Budget::unlimited().with_time(Duration::from_millis(700));
            let (outcome, took) = answer(engine, body, bounds, (&budget, &NoProgress));
            let verdict = &outcome.answers[0].verdict;
            let stopped = matches!(verdict, Verdict::Unknown(Reason::Exhausted(Exhausted::Time)));
            assert!(stopped, "{} {unwind}: {verdict:?}", engine.name());
            assert!(took < Duration::from_secs(3), "{} {unwind}: {took:?}", engine.name());
        }
    }
}

#[test]
fn what_was_covered_before_stays() {
    let budget = Budget::unlimited().with_time(Duration::from_secs(2));
    let (outcome, took) = answer(&sequential::LAZY, CALLS, Default::default(), (&budget, &NoProgress));
    let verdict = &outcome.answers[0].verdict;
    assert!(matches!(verdict, Verdict::Safe(Evidence::Bounded(_))), "{verdict:?}");
    let unfinished = outcome.answers[0].unfinished.as_ref();
    let why = unfinished.map(|unfinished| unfinished.why.clone());
    assert_eq!(why, Some(Reason::Exhausted(Exhausted::Time)));
    assert!(unfinished.is_some_and(|unfinished| unfinished.attempted.is_some()), "{unfinished:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// Ends the work when it comes to a phase.
struct EndsAt {
    phase: &'static str,
    canceller: Canceller,
}

impl Progress for EndsAt {
    fn update(&self, status: &Status) {
        if status.phase == self.phase {
            self.canceller.cancel_for(Exhausted::Time);
        }
    }
}

#[test]
fn what_holds_within_bounds_is_told_before_it_is_known_whether_they_are_enough() {
    // Parity is beyond what is inferred, so the solver is asked.
    let body = "void f(void) { while (__VERIFIER_nondet_int()) { int seen = x; x = seen + 2; } }";
    let text = MAIN.replace("x == -1000", "x & 1");
    let cases =
        [("checking bounds", true, None), ("checking bounds", true, Some(3)), ("encoding", false, None)];
    for (phase, is_covered, contexts) in cases {
        let bounds = Bounds { contexts, ..Bounds::default() };
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let ends = EndsAt { phase, canceller: budget.canceller() };
        let program = format!("{body}{text}");
        let bounds = (bounds, sequential::Options::default());
        let (outcome, took) = answer_in(&po_bmc::PoBmc, &program, bounds, (&budget, &ends));
        let answer = &outcome.answers[0];
        assert_eq!(matches!(answer.verdict, Verdict::Safe(Evidence::Bounded(_))), is_covered, "{answer:?}");
        if let Verdict::Safe(Evidence::Bounded(coverage)) = &answer.verdict {
            // Whether more switches are possible is not known either.
            assert_eq!(
                coverage.contexts.map(|switches| (switches.covered, switches.complete)),
                contexts.map(|most| (most, false))
            );
        }
        let stopped = matches!(answer.verdict, Verdict::Unknown(Reason::Exhausted(Exhausted::Time)));
        assert_eq!(stopped, !is_covered, "{answer:?}");
        assert!(took < Duration::from_secs(50), "it came to the phase: {took:?}");
    }
}
