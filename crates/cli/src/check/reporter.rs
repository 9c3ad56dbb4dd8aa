//! The answer: written to standard output, its traces to files, its exit code.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_base::{Exhausted, Span};
use raddle_engines::{Engine, Evidence, Grounds, Ledger, Outcome, Reason, Verdict, engine};
use raddle_ir::Property;
use raddle_proof::{Kind, Statement, words};
use raddle_report::{Detail, InvariantsReport, LineReport, Replay, Report, Subject, TextOptions};
use raddle_verdict::Summary;
use raddle_vm::trace::ProgramInfo;
use raddle_vm::{MemoryModel, Vm};

use crate::arguments::{AnswerFormat, CheckArguments};
use crate::output::{self, Exit};
use crate::proof::{self, CertificateFile};
use crate::task::{SourceLines, Task};

/// Where the trace of an internal error goes.
const INTERNAL_ERROR_FILE: &str = "raddle-internal-error.json";
/// What a trace is called in the command that would record it.
const SUGGESTED_TRACE: &str = "bug.json";

/// Tells answers, as the command line wants it.
#[derive(Clone, Debug)]
pub(super) struct Reporter {
    properties: Vec<Property>,
    engine: &'static str,
    memory_model: MemoryModel,
    format: AnswerFormat,
    detail: Detail,
    trace: Option<PathBuf>,
    certificate: Option<PathBuf>,
    show_invariants: bool,
    /// Where the trace of an internal error is left.
    folder: PathBuf,
}

impl Reporter {
    pub(super) fn new(arguments: &CheckArguments, properties: &[Property]) -> Self {
        let detail = match (arguments.answer.quiet, arguments.answer.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        };
        Self {
            properties: properties.to_vec(),
            engine: engine(&arguments.bounds.engine).map_or("", Engine::name),
            memory_model: arguments.question.memory_model.model(),
            format: arguments.answer.format,
            detail,
            trace: arguments.answer.trace.clone(),
            certificate: arguments.answer.certificate.clone(),
            show_invariants: arguments.answer.show_invariants,
            folder: PathBuf::new(),
        }
    }

    /// Tells that nothing is known, and why.
    pub(super) fn report_without_engine(&self, why: Exhausted, time: Duration) -> Exit {
        let unknown = |&property: &Property| (property, Verdict::Unknown(Reason::Exhausted(why)));
        let ledger = Ledger { memory_model: self.memory_model.name().to_owned(), time, ..Ledger::default() };
        let grounds = Grounds { engine: self.engine, ..Grounds::default() };
        let outcome = Outcome::new(self.properties.iter().map(unknown).collect(), grounds, ledger);
        let subject = Subject {
            vm: None,
            find: &|_| None,
            source: &|_, _| None,
            program: &ProgramInfo::default(),
            replay: &|_| Replay { recorded: None, commands: Vec::new() },
        };
        self.write(&Report::new(&outcome, &subject), Exit::Unknown)
    }

    /// Tells an outcome.
    pub(super) fn report(&self, outcome: &Outcome, task: &Task) -> Exit {
        let files = self.trace_files(outcome);
        let recorded = self.record(outcome, task, &files);
        self.write_certificate(outcome, task);
        let internal = self.save_internal_errors(outcome, task);
        let vm = Vm::checking(&task.runnable.program, &self.properties).with_memory_model(self.memory_model);
        let find = |span: Span| task.runnable.sources.locate(span.lo);
        let lines = SourceLines::default();
        let subject = Subject {
            vm: Some(&vm),
            find: &find,
            source: &|file, line| lines.get(file, line),
            program: &task.info,
            replay: &|property| replay(&files, property, recorded),
        };
        let exit = match outcome.summary() {
            Summary::False => Exit::Violation,
            Summary::True => Exit::Success,
            Summary::Bounded => Exit::Bounded,
            Summary::Unknown if internal => Exit::InternalError,
            Summary::Unknown => Exit::Unknown,
        };
        let mut report = Report::new(outcome, &subject);
        if self.show_invariants {
            for answer in &outcome.answers {
                let invariants = invariants(&answer.verdict, answer.property, task, &subject);
                invariants.into_iter().for_each(|found| report.tell_invariants(answer.property, found));
            }
        }
        self.write(&report, exit)
    }

    fn write(&self, report: &Report, exit: Exit) -> Exit {
        let text = match self.format {
            AnswerFormat::Text => report.text(&TextOptions { width: output::width(), detail: self.detail }),
            AnswerFormat::Json => report.json(),
        };
        let written = output::write(text.as_bytes(), None);
        if written == Exit::Success { exit } else { written }
    }

    /// Where the trace of each violation goes, or would go if that were asked for.
    fn trace_files(&self, outcome: &Outcome) -> Vec<(Property, PathBuf)> {
        let first = self.trace.clone().unwrap_or_else(|| SUGGESTED_TRACE.into());
        let mut files: Vec<(Property, PathBuf)> = Vec::new();
        for answer in &outcome.answers {
            if matches!(answer.verdict, Verdict::Violated(_)) {
                let file = if files.is_empty() { first.clone() } else { beside(&first, answer.property) };
                files.push((answer.property, file));
            }
        }
        files
    }

    /// Writes the traces of all violations, if that is asked for. What cannot be written is said, and the answer still told.
    fn record(&self, outcome: &Outcome, task: &Task, files: &[(Property, PathBuf)]) -> bool {
        let mut all = self.trace.is_some();
        for answer in outcome.answers.iter().filter(|_| self.trace.is_some()) {
            let Verdict::Violated(replayed) = &answer.verdict else { continue };
            let Some((_, file)) = files.iter().find(|(broken, _)| *broken == answer.property) else {
                continue;
            };
            let mut trace = replayed.trace().clone();
            trace.program = task.info.clone();
            all &= output::write(trace.to_json().as_bytes(), Some(file)) == Exit::Success;
        }
        all
    }

    /// Writes what was proved by certificates, if that is asked for. What cannot be written is said, and the answer still told.
    fn write_certificate(&self, outcome: &Outcome, task: &Task) {
        let Some(file) = &self.certificate else { return };
        let (certificate, others) = CertificateFile::of(outcome, &task.info);
        let others: Vec<&str> = others.into_iter().map(Property::name).collect();
        if !others.is_empty() {
            output::note(&format!(
                "proved by looking at all executions, without a certificate: {}",
                others.join(", ")
            ));
        }
        if certificate.proofs.is_empty() {
            output::note(&format!("nothing was proved by a certificate: {} is not written", file.display()));
        } else {
            output::write(certificate.text().as_bytes(), Some(file));
        }
    }

    /// Says what went wrong with us, and keeps the trace that shows it. Tells whether anything did.
    fn save_internal_errors(&self, outcome: &Outcome, task: &Task) -> bool {
        let mut any = false;
        for answer in &outcome.answers {
            let Verdict::Unknown(Reason::Internal { message, trace }) = &answer.verdict else { continue };
            output::note(&format!("internal error: {message}"));
            if let (false, Some(trace)) = (any, trace) {
                let mut trace = trace.as_ref().clone();
                trace.program = task.info.clone();
                let file = self.folder.join(INTERNAL_ERROR_FILE);
                if output::write(trace.to_json().as_bytes(), Some(&file)) == Exit::Success {
                    output::note(&format!("the execution it is about was saved as {INTERNAL_ERROR_FILE}"));
                }
            }
            any = true;
        }
        if any {
            output::note("this is a mistake in raddle. Please report it, with the input that shows it");
        }
        any
    }
}

/// The invariants by which something was proved.
fn invariants(
    verdict: &Verdict,
    property: Property,
    task: &Task,
    subject: &Subject<'_>,
) -> Option<InvariantsReport> {
    let Verdict::Safe(Evidence::Proved(proof)) = verdict else { return None };
    let statement = Statement::from_text(proof.certificate()?).ok()?;
    let program = proof::stands_for(&task.runnable, &statement, property)?;
    let Kind::ThreadModular(certificate) = &statement.certificate else { return None };
    let found = words::invariants(&program, certificate, subject.find);
    let told = |line: words::LineInvariants| LineReport {
        source: (subject.source)(&line.file, line.line),
        file: line.file,
        line: line.line,
        facts: line.facts,
    };
    Some(InvariantsReport {
        everywhere: found.everywhere,
        lines: found.lines.into_iter().map(told).collect(),
    })
}

/// `x.json` becomes `x.data-race.json`.
fn beside(file: &Path, property: Property) -> PathBuf {
    let mut name = OsString::from(file.file_stem().unwrap_or_default());
    name.push(".");
    name.push(property.name());
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

/// How to see a violation again.
fn replay(files: &[(Property, PathBuf)], property: Property, recorded: bool) -> Replay {
    let file = files.iter().find(|(broken, _)| *broken == property);
    let file = file.map_or_else(|| SUGGESTED_TRACE.to_owned(), |(_, file)| file.display().to_string());
    let show = format!("raddle replay {}", quoted(&file));
    if recorded {
        return Replay { recorded: Some(file), commands: vec![show] };
    }
    let mut words: Vec<String> =
        std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    let options_end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    if !words.iter().any(|word| word == "--trace" || word.starts_with("--trace=")) {
        words.insert(options_end, format!("--trace {SUGGESTED_TRACE}"));
    }
    Replay { recorded: None, commands: vec![format!("raddle {}", words.join(" ")), show] }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+=./:,@%^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::UnderWay;
    use super::super::property_file::Asked;
    use super::*;
    use crate::arguments::{Color, ErrorFormat, MessageArguments};
    use crate::task;
    use raddle_cfront::preprocess::Options;
    use raddle_engines::{Answers, Coverage};
    use raddle_lower::LowerOptions;
    use raddle_vm::Trace;

    /// A folder, a program in it, and a reporter.
    fn reporter(name: &str, text: &str, properties: &[Property]) -> (PathBuf, Task, Reporter) {
        let folder = std::env::temp_dir().join(format!("raddle-report-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.i");
        assert_eq!(output::write(text.as_bytes(), Some(&file)), Exit::Success);
        let messages = MessageArguments { error_format: ErrorFormat::Human, color: Color::Never };
        let task = task::build(&[file], &Options::default(), LowerOptions::default(), &messages).unwrap();
        let reporter = Reporter {
            properties: properties.to_vec(),
            engine: "none",
            memory_model: MemoryModel::Sc,
            format: AnswerFormat::Text,
            detail: Detail::Quiet,
            trace: None,
            certificate: None,
            show_invariants: false,
            folder: folder.clone(),
        };
        (folder, task, reporter)
    }

    /// What a reporter says with its exit code about one property, with a file that it may leave behind.
    fn reported(name: &str, verdict: Verdict) -> (Exit, Option<Trace>) {
        let (folder, task, reporter) =
            reporter(name, "int main(void) { return 0; }\n", &[Property::Assertion]);
        let verdicts = vec![(Property::Assertion, verdict)];
        let outcome = Outcome::new(verdicts, Grounds::default(), Ledger::default());
        let exit = reporter.report(&outcome, &task);
        let left = output::read_original(&folder.join(INTERNAL_ERROR_FILE).display().to_string());
        std::fs::remove_dir_all(&folder).unwrap();
        (exit, left.map(|bytes| Trace::from_json(&String::from_utf8(bytes).unwrap()).unwrap()))
    }

    #[test]
    fn exit_codes_tell_proofs_from_bounds() {
        assert_eq!(reported("safe", Verdict::Safe(Evidence::FullyUnrolled)), (Exit::Success, None));
        assert_eq!(
            reported("bounded", Verdict::Safe(Evidence::Bounded(Coverage::default()))),
            (Exit::Bounded, None)
        );
        let time = Reason::Exhausted(Exhausted::Time);
        assert_eq!(reported("time", Verdict::Unknown(time)), (Exit::Unknown, None));
        assert_eq!(Exit::Bounded.code(), 30);
    }

    #[test]
    fn what_was_answered_before_a_limit_is_reported() {
        let properties = [Property::Assertion, Property::Deadlock];
        let text = "void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";
        let (folder, task, reporter) = reporter("known", text, &properties);
        let vm = Vm::checking(&task.runnable.program, &properties);
        let found = raddle_vm::explore(&vm, &raddle_vm::Search::default()).violations.remove(0);
        let answers = Answers::new(&properties);
        let under_way = UnderWay {
            task: Arc::new(task),
            answers: Arc::new(answers),
            asked: Asked::default(),
            memory_model: MemoryModel::Sc,
        };
        let report = || under_way.report(&reporter, Exhausted::Time, Duration::ZERO);
        assert_eq!(report(), Exit::Unknown, "nothing is known yet");
        let verdict = Verdict::Violated(Box::new(found));
        under_way.answers.give(Property::Assertion, verdict, &Arc::new(Grounds::default()));
        assert_eq!(report(), Exit::Violation, "though the engine has not answered for deadlocks");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_mistake_of_ours_is_no_verdict_and_leaves_its_trace() {
        let mut trace = Trace::new();
        trace.record(0, 3);
        let reason =
            Reason::Internal { message: "it does not replay".to_owned(), trace: Some(Box::new(trace)) };
        let (exit, left) = reported("internal", Verdict::Unknown(reason));
        assert_eq!(exit, Exit::InternalError);
        assert_eq!(left.unwrap().schedule.len(), 1);
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b-c.c"), "a/b-c.c");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn further_traces_stand_beside_the_first() {
        assert_eq!(beside(Path::new("d/x.json"), Property::DataRace), Path::new("d/x.data-race.json"));
        assert_eq!(beside(Path::new("x"), Property::Deadlock), Path::new("x.deadlock"));
    }
}
