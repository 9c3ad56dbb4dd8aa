//! Answers of every kind, as they are written.

use std::time::Duration;

use proof::{Sort, TermId, Terms};
use raddle_base::{Budget, Exhausted, Location, Span};
use raddle_ir::Property;
use raddle_verdict::{
    BodilessEntry, Coverage, Evidence, Extent, Grounds, Ledger, LoopCoverage, Outcome, Reason,
    RecursionCoverage, Sizes, Unfinished, Verdict, proof,
};
use raddle_vm::trace::ProgramInfo;

use crate::{Detail, InvariantsReport, LineReport, Replay, Report, Subject, TextOptions};

/// A span stands for the line of its first byte in `a.c`.
fn report(outcome: &Outcome) -> Report {
    let find =
        |span: Span| (span != Span::NONE).then(|| Location { file: "a.c".into(), line: span.lo, column: 1 });
    let subject = Subject {
        vm: None,
        find: &find,
        source: &|_, _| None,
        program: &ProgramInfo::default(),
        replay: &|_| Replay { recorded: None, commands: Vec::new() },
    };
    Report::new(outcome, &subject)
}

fn text(outcome: &Outcome, detail: Detail) -> String {
    report(outcome).text(&TextOptions { width: 100, detail })
}

fn covered(function: &str, line: u32, iterations: u32, complete: bool) -> LoopCoverage {
    let span = Span::new(line, line + 1);
    LoopCoverage { name: format!("{function}.0"), function: function.to_owned(), span, iterations, complete }
}

fn grounds() -> Grounds {
    Grounds {
        engine: "po-bmc",
        coverage: Coverage {
            loops: vec![covered("main", 3, 1, true), covered("work", 9, 8, false)],
            recursions: vec![RecursionCoverage { function: "fib".to_owned(), depth: 5, complete: true }],
            threads: Some(Extent::all(3)),
            ..Coverage::default()
        },
        unreached: vec![(Span::new(12, 13), "assertion `x`".to_owned())],
        notes: vec!["all is well".to_owned()],
        sizes: Sizes { events: 20, variables: 300, clauses: 1, ..Sizes::default() },
    }
}

fn ledger() -> Ledger {
    Ledger {
        memory_model: "tso".to_owned(),
        bodiless: vec![
            BodilessEntry { function: "f".to_owned(), takes_pointers: false, pure: true },
            BodilessEntry { function: "g".to_owned(), takes_pointers: true, pure: false },
        ],
        assumptions: vec!["there is memory".to_owned()],
        notes: Vec::new(),
        work: Sizes::default(),
        time: Duration::from_millis(1234),
    }
}

fn bounded(count: u32) -> Verdict {
    let loops = (1..=count).map(|line| covered(&format!("f{line}"), line, line, false));
    Verdict::Safe(Evidence::Bounded(Coverage { loops: loops.collect(), ..Coverage::default() }))
}

#[test]
fn a_proof_within_bounds_is_no_proof() {
    let verdicts = vec![
        (Property::Assertion, Verdict::Safe(Evidence::FullyUnrolled)),
        (Property::Deadlock, bounded(2)),
        (Property::DataRace, bounded(5)),
    ];
    let expected = "\
What the answers rest on:
  engine        po-bmc
  memory model  total store order (tso)
  threads       3
  loop          main.0 at a.c:3: 1 iteration, enough for every execution
                work.0 at a.c:9: 8 iterations, NOT enough for every execution
  recursion     `fib`, 5 calls deep
  no body       `f` returns any value
                `g` returns any value, and may change all that it can reach
  not reached   a.c:12: assertion `x`
  assumes       there is memory
  note          all is well
  size          20 events, 300 variables, 1 clause
  time          1.23 s

assertion      SAFE
deadlock       SAFE up to 1 iteration of loop f1.0, 2 iterations of loop f2.0
lock-misuse    NOT CHECKED
data-race      SAFE up to 1 iteration of loop f1.0, 2 iterations of loop f2.0 and 3 more bounds
memory-safety  NOT CHECKED
overflow       NOT CHECKED
arithmetic     NOT CHECKED
leak           NOT CHECKED
cleanup        NOT CHECKED
uninitialised  NOT CHECKED
VERDICT: UNKNOWN
";
    assert_eq!(text(&Outcome::new(verdicts, grounds(), ledger()), Detail::Normal), expected);
}

#[test]
fn every_reason_is_told() {
    let unknown = |reason| vec![(Property::Assertion, Verdict::Unknown(reason))];
    for (reason, kind, line) in [
        (Reason::Exhausted(Exhausted::Time), "time", "UNKNOWN: out of time"),
        (Reason::Exhausted(Exhausted::Memory), "memory", "UNKNOWN: out of memory"),
        (Reason::Exhausted(Exhausted::Cancelled), "cancelled", "UNKNOWN: cancelled"),
        (
            Reason::Unsupported { what: "magic".to_owned(), span: Span::new(7, 8) },
            "unsupported",
            "UNKNOWN: not supported: magic at a.c:7",
        ),
        (
            Reason::Bodiless { function: "g".to_owned(), span: Span::NONE },
            "bodiless",
            "UNKNOWN: depends on `g`, which has no body: give a stub",
        ),
        (Reason::Sampled("nothing in 3 runs".to_owned()), "sampled", "UNKNOWN: nothing in 3 runs"),
        (
            Reason::Internal { message: "oh".to_owned(), trace: None },
            "internal",
            "UNKNOWN: internal error: oh",
        ),
        (Reason::Other("why not".to_owned()), "other", "UNKNOWN: why not"),
    ] {
        let report = report(&Outcome::new(unknown(reason), Grounds::default(), Ledger::default()));
        let property = &report.properties[0];
        assert_eq!(property.line, line);
        assert_eq!(property.reason.as_ref().map(|reason| reason.kind), Some(kind));
        assert_eq!(report.verdict, "UNKNOWN");
    }
}

#[test]
fn only_proofs_of_all_that_was_asked_are_true() {
    let safe = || Verdict::Safe(Evidence::Enumerated);
    let last = |verdicts| {
        let text = text(&Outcome::new(verdicts, Grounds::default(), Ledger::default()), Detail::Quiet);
        text.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last(vec![(Property::Assertion, safe()), (Property::Deadlock, safe())]), "VERDICT: TRUE");
    assert_eq!(
        last(vec![(Property::Assertion, safe()), (Property::Deadlock, bounded(1))]),
        "VERDICT: UNKNOWN"
    );
    let unknown = Verdict::Unknown(Reason::Exhausted(Exhausted::Time));
    assert_eq!(last(vec![(Property::Assertion, safe()), (Property::Deadlock, unknown)]), "VERDICT: UNKNOWN");
    assert_eq!(last(Vec::new()), "VERDICT: UNKNOWN");
}

#[test]
fn json_says_what_the_text_says() {
    let verdicts =
        vec![(Property::Assertion, bounded(1)), (Property::Overflow, Verdict::Safe(Evidence::Enumerated))];
    let report = report(&Outcome::new(verdicts, grounds(), ledger()));
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(
        (&json["version"], &json["verdict"], &json["answer"]),
        (&1.into(), &"UNKNOWN".into(), &"bounded-safe".into())
    );
    let answers: Vec<&str> = json["properties"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|property| property["answer"].as_str())
        .collect();
    let (asked, others) = answers.split_at(6);
    assert_eq!(asked, ["bounded-safe", "not-checked", "not-checked", "not-checked", "not-checked", "safe"]);
    assert_eq!(others, ["not-checked"; 4], "arithmetic, leak, cleanup, uninitialised");
    assert_eq!(json["properties"][0]["bounds"][0], "1 iteration of loop f1.0");
    assert_eq!(json["ledger"]["loops"][1]["complete"], false);
    assert_eq!(json["ledger"]["never_reached"][0]["place"], "a.c:12");
    assert_eq!(json["properties"][0]["coverage"]["loops"][0]["iterations"], 1);
    let text = report.text(&TextOptions { width: 100, detail: Detail::Quiet });
    for property in json["properties"].as_array().unwrap() {
        assert!(text.contains(property["line"].as_str().unwrap()), "{property}");
    }
}

/// One property, with what was under way when the work ended.
fn unfinished(verdict: Verdict, attempted: Option<Coverage>) -> Report {
    let mut outcome = Outcome::new(vec![(Property::Assertion, verdict)], grounds(), ledger());
    outcome.answers[0].unfinished = Some(Unfinished { attempted, why: Reason::Exhausted(Exhausted::Time) });
    report(&outcome)
}

#[test]
fn what_was_not_finished_is_told_for_each_property() {
    let loops = |iterations| vec![covered("f", 1, iterations, false)];
    let three = Coverage { loops: loops(3), ..Coverage::default() };
    let five = Coverage { loops: loops(5), ..Coverage::default() };
    let told = unfinished(Verdict::Safe(Evidence::Bounded(three)), Some(five.clone()));
    let property = &told.properties[0];
    assert_eq!(
        property.line,
        "SAFE up to 3 iterations of loop f.0; 5 iterations of loop f.0 not finished (out of time)"
    );
    let json: serde_json::Value = serde_json::from_str(&told.json()).unwrap();
    let open = &json["properties"][0]["unfinished"];
    assert_eq!(
        (&open["coverage"]["loops"][0]["iterations"], &open["reason"]["kind"]),
        (&5.into(), &"time".into())
    );
    assert_eq!(json["answer"], "bounded-safe");
    let unknown = || Verdict::Unknown(Reason::Exhausted(Exhausted::Time));
    let line = |attempted| unfinished(unknown(), attempted).properties[0].line.clone();
    assert_eq!(line(Some(five)), "UNKNOWN: out of time; 5 iterations of loop f.0 not finished");
    assert_eq!(line(None), "UNKNOWN: out of time");
}

/// `x` is 0 and stays 0.
struct Nothing;

impl proof::TransitionSystem for Nothing {
    fn variables(&self) -> Vec<Sort> {
        vec![Sort::Bool]
    }

    fn starts(&self, terms: &mut Terms, state: &[TermId]) -> TermId {
        terms.not(state[0])
    }

    fn steps(&self, terms: &mut Terms, now: &[TermId], next: &[TermId]) -> TermId {
        terms.eq(now[0], next[0])
    }

    fn breaks(&self, _: &mut Terms, state: &[TermId]) -> TermId {
        state[0]
    }
}

#[test]
fn a_checked_proof_is_a_proof_and_says_by_what() {
    let invariant = |terms: &mut Terms, state: &[TermId]| terms.not(state[0]);
    let certificate = proof::Inductive { system: &Nothing, invariant: &invariant };
    let checked = proof::check(&certificate, &Budget::unlimited()).unwrap();
    let verdicts = vec![(Property::Assertion, Verdict::Safe(Evidence::Proved(checked)))];
    let report = report(&Outcome::new(verdicts, Grounds::default(), Ledger::default()));
    assert_eq!((report.verdict, report.properties[0].line.as_str()), ("TRUE", "SAFE"));
    let text = report.text(&TextOptions { width: 100, detail: Detail::Normal });
    assert!(text.contains("proof         assertion: inductive invariant, 3 obligations checked\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["properties"][0]["proof"]["obligations"], 3);
}

#[test]
fn invariants_stand_below_their_lines_and_once_for_all_properties() {
    let safe = || Verdict::Safe(Evidence::Enumerated);
    let verdicts = vec![(Property::Assertion, safe()), (Property::Overflow, safe())];
    let mut report = report(&Outcome::new(verdicts, grounds(), ledger()));
    let line = |line, source: Option<&str>, fact: &str| LineReport {
        file: "a.c".to_owned(),
        line,
        source: source.map(str::to_owned),
        facts: vec![fact.to_owned()],
    };
    let invariants = InvariantsReport {
        everywhere: vec!["x >= 1".to_owned()],
        lines: vec![
            line(9, Some("    x++;"), "m is held by this thread"),
            line(10, Some("    y++;"), "m is held by this thread"),
            line(12, None, "y == 2"),
        ],
    };
    report.tell_invariants(Property::Assertion, invariants.clone());
    report.tell_invariants(Property::Overflow, invariants);
    let expected = "\
What holds in all executions (checked for assertion, overflow):

  everywhere
        | x >= 1
  a.c
     9      x++;
    10      y++;
        | m is held by this thread
    12
        | y == 2

What the answers rest on:
";
    let text = report.text(&TextOptions { width: 100, detail: Detail::Normal });
    assert!(text.starts_with(expected), "{text}");
    let quiet = report.text(&TextOptions { width: 100, detail: Detail::Quiet });
    assert!(quiet.starts_with("assertion"), "{quiet}");
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["properties"][0]["invariants"]["lines"][1]["facts"][0], "m is held by this thread");
    assert!(json["properties"][1].get("invariants").is_none(), "nobody asked for deadlock");
}
