//! `raddle check --show-invariants`: what people are told of six programs with any number of threads.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;

use common::{raddle, text};

/// Only what is asked for counts, as in SV-COMP.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// What is shown of a program, up to what it rests on.
fn shown(program: &str, options: &[&str]) -> String {
    let rules = common::Scratch::new(&format!("{program}{}", options.len()));
    rules.write("unreach-call.prp", UNREACH_CALL);
    let (property, certificate) = (rules.0.join("unreach-call.prp"), rules.0.join("a.json"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invariants");
    let file = format!("{program}.c");
    let arguments = ["check", "--engine", "thread-modular", "--show-invariants"];
    let given =
        ["--property", property.to_str().unwrap(), "--certificate", certificate.to_str().unwrap(), &file];
    let arguments = [&arguments[..], options, &given].concat();
    let output = raddle(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(rules.read("a.json").starts_with("{\"format\":\"raddle-certificate\""));
    text(&output.stdout)
}

fn invariants(program: &str) -> String {
    let all = shown(program, &[]);
    all.split("What the answers rest on").next().unwrap().trim_end().to_owned()
}

#[test]
fn a_stack_and_its_flag() {
    insta::assert_snapshot!("stack", invariants("stack"));
}

#[test]
fn two_locks_of_which_one_matters() {
    insta::assert_snapshot!("double_lock", invariants("double_lock"));
}

#[test]
fn an_object_with_a_count_of_references() {
    insta::assert_snapshot!("refcount", invariants("refcount"));
}

#[test]
fn a_counter_of_tickets() {
    insta::assert_snapshot!("ticket", invariants("ticket"));
}

#[test]
fn a_bounded_queue() {
    insta::assert_snapshot!("queue", invariants("queue"));
}

#[test]
fn a_barrier_by_hand() {
    insta::assert_snapshot!("barrier", invariants("barrier"));
}

#[test]
fn json_has_the_same_sentences() {
    let json: serde_json::Value = serde_json::from_str(&shown("ticket", &["--format", "json"])).unwrap();
    let invariants = &json["properties"][0]["invariants"];
    assert_eq!(invariants["everywhere"][0], "next <= len");
    let line = &invariants["lines"][0];
    let expected = ("ticket.c", 9, "    unsigned mine = next;", "m is held by this thread");
    let told =
        (line["file"].as_str(), line["line"].as_u64(), line["source"].as_str(), line["facts"][0].as_str());
    assert_eq!(told, (Some(expected.0), Some(expected.1), Some(expected.2), Some(expected.3)));
    assert!(json["properties"][1].get("invariants").is_none());
}
