//! Answers of every kind, as they are written.

use std::time::Duration;

use raddle_base::{Exhausted, Location, Span};
use raddle_ir::Property;
use raddle_vm::trace::ProgramInfo;
use raddle_vm::verdict::{
    BodilessEntry, Evidence, Grounds, Ledger, LoopEntry, Outcome, Reason, Sizes, Verdict,
};

use crate::{Detail, Replay, Report, Subject, TextOptions};

/// A span stands for the line of its first byte in `a.c`.
fn report(outcome: &Outcome) -> Report {
    let find =
        |span: Span| (span != Span::NONE).then(|| Location { file: "a.c".into(), line: span.lo, column: 1 });
    let subject = Subject {
        machine: None,
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

fn grounds() -> Grounds {
    Grounds {
        engine: "po-bmc",
        loops: vec![
            LoopEntry { span: Span::new(3, 4), function: "main".to_owned(), iterations: 1, complete: true },
            LoopEntry { span: Span::new(9, 10), function: "work".to_owned(), iterations: 8, complete: false },
        ],
        recursions: vec![("fib".to_owned(), 5)],
        threads: 3,
        unreached: vec![(Span::new(12, 13), "assertion `x` fails".to_owned())],
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
    let bounds = (1..=count).map(|line| format!("{line} iterations of the loop at a.c:{line}"));
    Verdict::Safe(Evidence::Bounded(bounds.collect()))
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
  loop          in `main` at a.c:3: 1 iteration, enough for every execution
                in `work` at a.c:9: 8 iterations, NOT enough for every execution
  recursion     `fib`, 5 calls deep
  no body       `f` returns any value
                `g` returns any value, and may change all that it can reach
  not reached   a.c:12: assertion `x`
  assumes       there is memory
  note          all is well
  size          20 events, 300 variables, 1 clause
  time          1.23 s

assertion      SAFE
deadlock       SAFE up to 1 iterations of the loop at a.c:1, 2 iterations of the loop at a.c:2
lock-misuse    NOT CHECKED
data-race      SAFE up to 1 iterations of the loop at a.c:1, 2 iterations of the loop at a.c:2 and 3 more bounds
memory-safety  NOT CHECKED
overflow       NOT CHECKED
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
    assert_eq!(others, ["not-checked"; 3], "leak, cleanup, uninitialised");
    assert_eq!(json["properties"][0]["bounds"][0], "1 iterations of the loop at a.c:1");
    assert_eq!(json["ledger"]["loops"][1]["complete"], false);
    assert_eq!(json["ledger"]["never_reached"][0]["place"], "a.c:12");
    let text = report.text(&TextOptions { width: 100, detail: Detail::Quiet });
    for property in json["properties"].as_array().unwrap() {
        assert!(text.contains(property["line"].as_str().unwrap()), "{property}");
    }
}
