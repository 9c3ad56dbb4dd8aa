//! Traces: a schedule and inputs, as data.
//!
//! A trace is all that is needed to see the same execution again. Its schedule counts the *operations* of each
//! thread ([`crate::code::is_operation`]), a notion that depends on the program alone, so that traces made by engines and
//! traces recorded here mean the same. An operation that breaks a property is counted; when a run ends at something that is
//! no operation (a check, the end of the process) that its thread reaches without any, one is counted for it.
//!
//! # Weak memory models
//! A trace names its memory model; one that does not is sequentially consistent. Under a weak model the schedule also says when a
//! delayed store becomes visible to others ([`crate::memory_model`] says which stores are delayed): a segment with `flush`,
//! which is the number of the store among all operations of its thread, the first being 1, and no operations of its own. So
//!
//! ```json
//! "memory_model": "tso",
//! "schedule": [
//!   { "thread": 0, "operations": 2 },
//!   { "thread": 1, "operations": 2 },
//!   { "thread": 2, "operations": 2 },
//!   { "thread": 1, "operations": 0, "flush": 1 },
//!   { "thread": 2, "operations": 0, "flush": 1 }
//! ]
//! ```
//!
//! is store buffering: each thread stores, which is its first operation, and loads; then the stores become visible. Who
//! writes traces without knowing which stores the VM delays writes a flush for every store that it takes for delayed, at
//! the moment at which others see it:
//!
//! - A flush of a store that the VM did not delay (others cannot reach its object, or no other thread runs) is passed over.
//! - A store that is delayed and has no flush in the schedule becomes visible when its thread, or a flush that is in the
//!   schedule, cannot go on without that; or, behind the last segment, when no thread can.
//!
//! Everything else that does not fit (a flush out of the order that the model keeps, or before its store) is refused.

use raddle_ir::Type;
use serde::{Deserialize, Serialize};

use crate::memory_model::MemoryModel;
use crate::state::ThreadId;

/// The version of the JSON form. A reader refuses others.
pub const VERSION: u32 = 1;

/// An execution: who ran when, and what came from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// [`VERSION`]
    pub version: u32,
    /// Who wrote it.
    pub tool: String,
    /// Under which memory model it is an execution.
    #[serde(default, skip_serializing_if = "MemoryModel::is_sc")]
    pub memory_model: MemoryModel,
    /// The program it is a trace of.
    pub program: ProgramInfo,
    /// The property it violates, if it does.
    pub property: Option<String>,
    /// What is violated, as people are told.
    pub message: Option<String>,
    /// The step in which that happens, counted from 1 by the VM that recorded the trace; 0 is what happens before the
    /// first choice.
    pub failing_step: Option<u64>,
    /// The seed it came from, if chance made it.
    pub seed: Option<u64>,
    /// Who runs when. What a new thread does before its first visible operation is counted when it is next chosen.
    pub schedule: Vec<Segment>,
    /// What came from outside.
    pub inputs: Vec<Input>,
    /// Where objects of the heap lie, whenever they could lie where others lay that have ended: of each thread in order. An object
    /// that is not mentioned lies where nothing lay before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<AddressChoice>,
}

impl Default for Trace {
    fn default() -> Self {
        Self::new()
    }
}

/// What is needed to build the program again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramInfo {
    /// The files, as given on the command line, with a hash of what was analysed.
    pub files: Vec<FileInfo>,
    /// `lp64` or `ilp32`
    pub data_model: String,
    /// Options for the preprocessor.
    pub preprocessor: Vec<String>,
    /// What `main` gets as `argv`.
    pub arguments: Vec<String>,
    /// Whether signed overflow was checked: that changes the program's instructions.
    pub overflow: bool,
    /// Whether other arithmetic without a result was: so does that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub arithmetic: bool,
    /// Whether executions end at a signed overflow, which wraps around otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub signed_overflow_undefined: bool,
    /// Labels that count as errors: so do they.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_labels: Vec<String>,
    /// What the user says of the world around the program, as options: so does that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileInfo {
    /// Its name.
    pub name: String,
    /// A hash of its text after preprocessing.
    pub hash: String,
}

/// A thread makes some operations, or one of its delayed stores becomes visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Who.
    pub thread: ThreadId,
    /// How many; none in a flush.
    pub operations: u64,
    /// The store that becomes visible, by its number among the thread's operations; the first operation is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush: Option<u64>,
}

impl Segment {
    /// A thread makes some operations.
    #[must_use]
    pub const fn run(thread: ThreadId, operations: u64) -> Self {
        Self { thread, operations, flush: None }
    }

    /// The store that was a thread's operation of this number becomes visible; the first operation is 1.
    #[must_use]
    pub const fn flush(thread: ThreadId, operation: u64) -> Self {
        Self { thread, operations: 0, flush: Some(operation) }
    }
}

/// Where an object of the heap lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressChoice {
    /// Who makes it.
    pub thread: ThreadId,
    /// 0 if nothing lay there before, or the number of the place among those that it could have.
    pub choice: u32,
}

/// A value from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Who took it.
    pub thread: ThreadId,
    /// Where it entered, for people.
    pub name: String,
    /// Its type in the text form of the IR: `i32`, `f64`, `ptr`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its bits, as an unsigned decimal number.
    pub value: String,
}

impl Input {
    /// The bits; zero when the text is no number.
    #[must_use]
    pub fn bits(&self) -> u128 {
        self.value.parse().unwrap_or(0)
    }
}

/// The name of a type in the text form of the IR.
#[must_use]
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Int(bits) => format!("i{bits}"),
        Type::F32 => "f32".to_owned(),
        Type::F64 => "f64".to_owned(),
        Type::Ptr => "ptr".to_owned(),
    }
}

/// Why a text is no trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// It is not JSON, or not of the right shape.
    #[error("not a trace: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of another version.
    #[error("the trace has version {0}; this tool reads version {VERSION}")]
    Version(u32),
    /// A segment both runs and flushes.
    #[error("segment {0} of the trace is a flush, and has operations")]
    Segment(usize),
    /// An input is no number.
    #[error("input {0} of the trace is not a number: `{1}`")]
    Input(usize, String),
}

impl Trace {
    /// Nothing yet: no operation, no input.
    #[must_use]
    pub fn new() -> Self {
        Self {
            version: VERSION,
            tool: concat!("raddle ", env!("CARGO_PKG_VERSION")).to_owned(),
            memory_model: MemoryModel::Sc,
            program: ProgramInfo::default(),
            property: None,
            message: None,
            failing_step: None,
            seed: None,
            schedule: Vec::new(),
            inputs: Vec::new(),
            addresses: Vec::new(),
        }
    }

    /// Adds operations of a thread to the schedule.
    pub fn record(&mut self, thread: ThreadId, operations: u64) {
        match self.schedule.last_mut() {
            Some(last) if last.thread == thread && last.flush.is_none() => last.operations += operations,
            _ => self.schedule.push(Segment::run(thread, operations)),
        }
    }

    /// Adds to the schedule that the store that was a thread's operation of this number becomes visible.
    pub fn record_flush(&mut self, thread: ThreadId, operation: u64) {
        self.schedule.push(Segment::flush(thread, operation));
    }

    /// How often control goes from one thread to another.
    #[must_use]
    pub fn context_switches(&self) -> usize {
        let running: Vec<&Segment> = self.schedule.iter().filter(|segment| segment.flush.is_none()).collect();
        running.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a trace is plain data");
        text.push('\n');
        text
    }

    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<Self, TraceError> {
        /// The version is looked at first: another version may have another shape.
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.version != VERSION {
            return Err(TraceError::Version(head.version));
        }
        let trace: Self = serde_json::from_str(text)?;
        if let Some((place, input)) =
            trace.inputs.iter().enumerate().find(|(_, input)| input.value.parse::<u128>().is_err())
        {
            return Err(TraceError::Input(place, input.value.clone()));
        }
        let both = |segment: &Segment| segment.flush.is_some() && segment.operations != 0;
        if let Some(place) = trace.schedule.iter().position(both) {
            return Err(TraceError::Segment(place + 1));
        }
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Trace {
        Trace {
            version: VERSION,
            tool: "raddle".to_owned(),
            memory_model: MemoryModel::Sc,
            program: ProgramInfo::default(),
            property: Some("assertion".to_owned()),
            message: None,
            failing_step: Some(2),
            seed: Some(7),
            schedule: vec![Segment::run(0, 3)],
            inputs: vec![Input {
                thread: 0,
                name: "n".to_owned(),
                ty: "i128".to_owned(),
                value: u128::MAX.to_string(),
            }],
            addresses: Vec::new(),
        }
    }

    #[test]
    fn a_trace_survives_json() {
        assert_eq!(Trace::from_json(&sample().to_json()).unwrap(), sample());
        assert_eq!(sample().inputs[0].bits(), u128::MAX);
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        assert!(matches!(Trace::from_json("[]"), Err(TraceError::Json(_))));
        assert!(matches!(Trace::from_json(r#"{"version": 99}"#), Err(TraceError::Version(99))));
        let broken = sample().to_json().replace(&u128::MAX.to_string(), "x");
        assert!(matches!(Trace::from_json(&broken), Err(TraceError::Input(0, _))));
    }

    #[test]
    fn operations_of_one_thread_in_a_row_are_one_segment() {
        let mut trace = sample();
        trace.record(0, 2);
        trace.record(1, 1);
        assert_eq!(trace.schedule, [Segment::run(0, 5), Segment::run(1, 1)]);
        assert_eq!(trace.context_switches(), 1);
    }

    #[test]
    fn flushes_and_the_memory_model_are_written_only_where_they_are() {
        let plain = sample().to_json();
        assert!(!plain.contains("flush") && !plain.contains("memory_model"), "{plain}");
        let mut weak = sample();
        weak.memory_model = MemoryModel::Pso;
        weak.record_flush(0, 2);
        weak.record(0, 1);
        weak.record_flush(0, 3);
        assert_eq!(
            weak.schedule,
            [Segment::run(0, 3), Segment::flush(0, 2), Segment::run(0, 1), Segment::flush(0, 3)]
        );
        assert_eq!(weak.context_switches(), 0, "a flush is nobody's turn");
        let text = weak.to_json();
        assert!(text.contains(r#""memory_model": "pso""#) && text.contains(r#""flush": 2"#), "{text}");
        assert_eq!(Trace::from_json(&text).unwrap(), weak);
        let both = text.replacen(r#""operations": 0"#, r#""operations": 1"#, 1);
        assert!(matches!(Trace::from_json(&both), Err(TraceError::Segment(2))));
        assert!(Trace::from_json(&text.replace("\"pso\"", "\"rmo\"")).is_err());
    }
}
