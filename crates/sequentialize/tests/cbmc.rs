//! Reading the answers of CBMC: a real one (`data/cbmc/`, of CBMC 6.6 on a small program in the lazy style), what it would look
//! like for a program of ours, and broken ones; and running a tool that answers like CBMC.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_base::process::{Ending, Limits, Run};
use raddle_cfront::layout::DataModel;
use raddle_sequentialize::backend::cbmc::{self, CbmcAnswer, ReadError, RunError};
use raddle_sequentialize::backend::counterexample::{CheckKind, InputValue};
use raddle_sequentialize::backend::{Backend, Bounds};
use serde_json::{Value, json};

const BOUNDS: Bounds = Bounds { unwind: 2, model: DataModel::Lp64 };
const LIMITS: Limits = Limits { wall: Duration::from_secs(20), cpu: None, memory_bytes: 4 << 30 };

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cbmc").join(name)
}

#[expect(clippy::disallowed_methods, reason = "the tests read their data")]
fn real() -> String {
    std::fs::read_to_string(data("switch.cbmc-6.6.json")).unwrap()
}

/// The real document, with the names that a program of ours has: each turn begins with a thread's id and a label, and the
/// input comes from a function of its own.
fn ours() -> Value {
    let text = real()
        .replace("\"assertion seen != 1\"", "\"assertion: seen != 1\"")
        .replace("\"lhs\": \"round\"", "\"lhs\": \"__raddle_round\"")
        .replace("\"lhs\": \"pc[1l]\"", "\"lhs\": \"__raddle_active[1l]\"")
        .replace("\"lhs\": \"cs\"", "\"lhs\": \"__raddle_leave\"")
        .replace("\"lhs\": \"return_value_nondet_int\"", "\"lhs\": \"__raddle_value\"");
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let trace = trace(&mut document).as_array_mut().unwrap();
    let place = |trace: &[Value], lhs: &str, which: usize| {
        let visible = |step: &Value| step["lhs"] == lhs && step["hidden"] == false;
        trace.iter().enumerate().filter(|(_, step)| visible(step)).nth(which).unwrap().0
    };
    for (which, thread) in [(0, "00"), (1, "01")] {
        let at = place(trace, "__raddle_leave", which);
        let mut step = trace[at].clone();
        step["lhs"] = json!("__raddle_current");
        step["value"]["binary"] = json!(thread);
        step["value"]["width"] = json!(2);
        trace.insert(at, step);
    }
    let at = place(trace, "__raddle_value", 0);
    let mut call = trace.iter().find(|step| step["stepType"] == "function-call").unwrap().clone();
    call["function"]["displayName"] = json!("__raddle_any_int");
    call["sourceLocation"] = json!({"file": "switch.c", "line": "18"});
    trace.insert(at, call);
    document
}

/// The trace of the property that fails.
fn trace(document: &mut Value) -> &mut Value {
    &mut document[15]["result"][2]["trace"]
}

fn run(ending: Ending, stdout: &str, stderr: &str) -> Run {
    let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
    Run { ending, stdout, stderr, cpu: Duration::ZERO, wall: Duration::ZERO, memory_bytes: 0 }
}

fn answer(code: i32, text: &str) -> Result<CbmcAnswer, ReadError> {
    cbmc::answer(&run(Ending::Code(code), text, ""), "switch.c")
}

#[test]
fn the_real_document_is_understood_up_to_its_names() {
    // The sample was not made by us: its property has no kind. That is where the reader stops.
    let error = answer(10, &real()).unwrap_err();
    assert_eq!(error.to_string(), "[15].result[2].description: this is no check of ours");
}

#[test]
fn turns_and_inputs_are_read_off_a_trace() {
    let CbmcAnswer::Fails(found) = answer(10, &ours().to_string()).unwrap() else { panic!("it fails") };
    let [found] = &found[..] else { panic!("one property fails") };
    assert_eq!((found.kind, found.message.as_str(), found.line), (CheckKind::Assertion, "seen != 1", 19));
    assert_eq!(found.started, [1]);
    let turns: Vec<_> = found.turns.iter().map(|turn| (turn.round, turn.thread, turn.leave)).collect();
    assert_eq!(turns, [(0, 0, 0), (0, 1, 3)]);
    assert!(found.turns[0].inputs.is_empty());
    let [input] = &found.turns[1].inputs[..] else { panic!("one input") };
    assert_eq!((input.line, &input.value), (18, &InputValue::Bits { bits: 367, width: 32 }));
}

#[test]
fn what_the_driver_asks_is_no_input() {
    let mut document = ours();
    let steps = trace(&mut document).as_array_mut().unwrap();
    let leave =
        steps.iter().position(|step| step["lhs"] == "__raddle_leave" && step["hidden"] == false).unwrap();
    let mut call =
        steps.iter().find(|step| step["function"]["displayName"] == "__raddle_any_int").unwrap().clone();
    call["function"]["displayName"] = json!("__raddle_any_uchar");
    let mut value = steps[leave].clone();
    value["lhs"] = json!("__raddle_value");
    steps.insert(leave, value);
    steps.insert(leave, call);
    let CbmcAnswer::Fails(found) = answer(10, &document.to_string()).unwrap() else { panic!("it fails") };
    let inputs: Vec<usize> = found[0].turns.iter().map(|turn| turn.inputs.len()).collect();
    assert_eq!(inputs, [0, 1]);
}

#[test]
fn success_is_safe_only_if_all_agree() {
    let mut document = ours();
    let result = document[15]["result"].as_array_mut().unwrap();
    result.truncate(2);
    document[17]["cProverStatus"] = json!("success");
    let safe = document.to_string();
    assert_eq!(answer(0, &safe), Ok(CbmcAnswer::Safe));
    // A code, a status or a property that says otherwise is a contradiction.
    assert!(answer(10, &safe).unwrap_err().problem.contains("exit code is 10"));
    assert!(answer(0, &ours().to_string()).unwrap_err().problem.contains("exit code is 0"));
    document[17]["cProverStatus"] = json!("failure");
    assert!(answer(10, &document.to_string()).unwrap_err().problem.contains("no property did"));
    document[15]["result"][1]["status"] = json!("UNKNOWN");
    let error = answer(10, &document.to_string()).unwrap_err();
    assert_eq!(error.place, "[15].result[1].status");
}

#[test]
fn a_cut_document_is_an_error() {
    let whole = ours().to_string();
    for length in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        let error = answer(10, &whole[..length]).unwrap_err();
        assert!(error.place.starts_with("line "), "{length}: {error}");
    }
}

/// Takes a member away, or changes it, and returns what the reader says then.
fn broken(change: impl FnOnce(&mut Value)) -> String {
    let mut document = ours();
    change(&mut document);
    answer(10, &document.to_string()).unwrap_err().to_string()
}

fn remove(value: &mut Value, name: &str) {
    assert!(value.as_object_mut().unwrap().remove(name).is_some());
}

#[test]
fn what_is_missing_is_named_with_its_place() {
    let property =
        |name: &'static str| move |document: &mut Value| remove(&mut document[15]["result"][2], name);
    assert_eq!(broken(property("status")), "[15].result[2]: `status` is missing");
    assert_eq!(broken(property("trace")), "[15].result[2]: `trace` is missing");
    assert_eq!(broken(property("description")), "[15].result[2]: `description` is missing");
    assert_eq!(broken(property("sourceLocation")), "[15].result[2]: `sourceLocation` is missing");
    let status = |document: &mut Value| {
        document.as_array_mut().unwrap().pop();
    };
    assert_eq!(broken(status), "the document: `cProverStatus` is missing");
    let leave = |document: &mut Value| -> usize {
        let steps = trace(document).as_array().unwrap();
        steps.iter().position(|step| step["lhs"] == "__raddle_leave" && step["hidden"] == false).unwrap()
    };
    let at = leave(&mut ours());
    for name in ["hidden", "lhs", "value", "stepType"] {
        let message = broken(|document| remove(&mut trace(document)[at], name));
        assert_eq!(message, format!("[15].result[2].trace[{at}]: `{name}` is missing"));
    }
    for name in ["binary", "name", "width"] {
        let message = broken(|document| remove(&mut trace(document)[at]["value"], name));
        assert_eq!(message, format!("[15].result[2].trace[{at}].value: `{name}` is missing"));
    }
}

#[test]
fn other_shapes_are_errors() {
    assert!(broken(|document| *document = json!({"result": []})).contains("an array is expected"));
    assert!(broken(|document| document[3] = json!("text")).starts_with("[3]: an object is expected"));
    assert!(broken(|document| document[3] = json!({"new": 1})).contains("neither a message nor a result"));
    assert!(broken(|document| *trace(document) = json!([])).contains("the trace is empty"));
    let step = broken(|document| trace(document)[4]["stepType"] = json!("thread-spawn"));
    assert!(step.ends_with(".trace[4].stepType: a step of kind `thread-spawn` is not known here"), "{step}");
    let elsewhere = broken(|document| document[15]["result"][2]["sourceLocation"]["file"] = json!("other.c"));
    assert!(elsewhere.contains("not in the program"), "{elsewhere}");
    let unfinished = broken(|document| {
        trace(document).as_array_mut().unwrap().pop();
    });
    assert!(unfinished.contains("does not end with the failure"), "{unfinished}");
    let nobody = broken(|document| {
        trace(document).as_array_mut().unwrap().retain(|step| step["lhs"] != "__raddle_current");
    });
    assert!(nobody.contains("`__raddle_leave` is set, but `__raddle_current` was not"), "{nobody}");
    let still = broken(|document| {
        trace(document).as_array_mut().unwrap().retain(|step| step["lhs"] != "__raddle_leave");
    });
    assert!(still.contains("no thread has a turn"), "{still}");
    for digits in ["2", "", "+1", "11"] {
        let message = broken(|document| {
            for step in trace(document).as_array_mut().unwrap() {
                if step["lhs"] == "__raddle_current" {
                    step["value"]["binary"] = json!(digits);
                    step["value"]["width"] = json!(if digits == "11" { 3 } else { digits.len() });
                }
            }
        });
        assert!(message.contains("binary") && message.contains("expected"), "{digits}: {message}");
    }
}

#[test]
fn every_other_ending_is_unknown_with_the_words_of_the_tool() {
    let errors = r#"[{"program": "CBMC"}, {"messageType": "ERROR", "messageText": "syntax error"}, {"messageType": "STATUS-MESSAGE", "messageText": "bye"}]"#;
    let tell = |ending, stdout, stderr| match cbmc::answer(&run(ending, stdout, stderr), "switch.c") {
        Ok(CbmcAnswer::Unknown(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(tell(Ending::Code(6), errors, ""), "CBMC ended with code 6: syntax error");
    assert_eq!(tell(Ending::Code(1), "", "Usage error!\n\n"), "CBMC ended with code 1: Usage error!");
    assert_eq!(tell(Ending::Code(1), "", ""), "CBMC ended with code 1");
    assert_eq!(tell(Ending::Signal(11), "", ""), "CBMC was ended by signal 11");
    let real = real();
    assert_eq!(tell(Ending::OverTime, &real, ""), "CBMC ran out of time");
    assert_eq!(tell(Ending::OverMemory, "", ""), "CBMC ran out of memory");
    assert_eq!(tell(Ending::Cancelled, "", ""), "CBMC was stopped");
}

/// A folder of one's own that goes away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("raddle-cbmc-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Puts a script called `cbmc` into the folder.
    #[expect(clippy::disallowed_methods, reason = "a tool is made for the test")]
    fn tool(&self, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let file = self.0.join("cbmc");
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, limits: &Limits) -> Result<CbmcAnswer, RunError> {
        cbmc::run(self.0.as_os_str(), Path::new("switch.c"), BOUNDS, limits, &|| false)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the tool's answer is put beside it")]
fn the_tool_is_found_run_and_read() {
    let scratch = Scratch::new("run");
    std::fs::write(scratch.0.join("answer.json"), ours().to_string()).unwrap();
    let words = Backend::Cbmc.commands("switch.c", BOUNDS)[0][1..].join(" ");
    scratch.tool(&format!("[ \"$*\" = '{words}' ] || exit 3\n/bin/cat \"${{0%/*}}/answer.json\"\nexit 10"));
    let answer = scratch.run(&LIMITS).unwrap();
    assert!(matches!(&answer, CbmcAnswer::Fails(found) if found.len() == 1), "{answer:?}");
}

#[test]
fn a_tool_that_takes_too_long_is_stopped() {
    let scratch = Scratch::new("slow");
    scratch.tool("exec /bin/sleep 100");
    let limits = Limits { wall: Duration::from_millis(200), ..LIMITS };
    assert_eq!(scratch.run(&limits).unwrap(), CbmcAnswer::Unknown("CBMC ran out of time".to_owned()));
}

#[test]
fn a_missing_tool_is_told() {
    let scratch = Scratch::new("missing");
    let error = scratch.run(&LIMITS).unwrap_err();
    assert_eq!(error.to_string(), "`cbmc` is not on the PATH");
    // A file that cannot be executed is none.
    scratch.tool("exit 0");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(scratch.0.join("cbmc"), mode).unwrap();
    assert!(matches!(scratch.run(&LIMITS), Err(RunError::Missing(_))));
}
