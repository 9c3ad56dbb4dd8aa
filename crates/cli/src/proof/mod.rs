//! `raddle proof`: proofs without bounds, checked by themselves.
//!
//! `raddle proof check` builds the program again, as the certificate says that it was built, and has every proof checked that the certificate
//! claims. Nothing of the analysis that found them runs; nothing in the file is believed.

mod file;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use raddle_base::{Budget, Span};
use raddle_cfront::layout::DataModel;
use raddle_engines::{CheckedProof, programs_for};
use raddle_ir::{Program, Property};
use raddle_lower::LowerOptions;
use raddle_proof::{Rejected, Statement, fingerprint};

use crate::arguments::{
    EnvironmentArguments, MessageArguments, PreprocessorArguments, ProofCheckArguments, ProofCommand,
};
use crate::assumed;
use crate::check::program_files;
use crate::load::Runnable;
use crate::output::{self, Exit};
use crate::task::{self, Task};
pub(crate) use file::CertificateFile;

/// Runs the command.
pub(crate) fn run(command: &ProofCommand, messages: &MessageArguments) -> Exit {
    match command {
        ProofCommand::Check(arguments) => match prepared(arguments, messages) {
            Ok((task, file)) => check(&task, &file, arguments),
            Err(exit) => exit,
        },
    }
}

/// Reads the certificate and builds the program.
fn prepared(
    arguments: &ProofCheckArguments,
    messages: &MessageArguments,
) -> Result<(Task, CertificateFile), Exit> {
    let Some((certificate, files)) = arguments.files.split_last() else { return Err(Exit::InputError) };
    let refuse = |why: String| {
        output::note(&format!("{}: {why}", certificate.display()));
        Exit::InputError
    };
    let file = CertificateFile::from_text(&read(certificate).map_err(&refuse)?).map_err(&refuse)?;
    let files = program_files(files, messages)?;
    let model = match file.program.data_model.as_str() {
        "lp64" => DataModel::Lp64,
        "ilp32" => DataModel::Ilp32,
        other => return Err(refuse(format!("there is no data model `{other}`"))),
    };
    let options = PreprocessorArguments::from_words(&file.program.preprocessor, model)
        .map_err(|error| refuse(error.to_string()))?;
    let environment = EnvironmentArguments::from_words(&file.program.environment)
        .map_err(|error| refuse(error.to_string()))?;
    let lowering = LowerOptions { environment, ..task::lowering(&file.program) };
    // What the program is told of its own name is part of it.
    let name = file.program.files.first().map_or("", |file| file.name.as_str());
    let task = task::build_as(name, &files, &options, lowering, messages)?;
    if let Some(why) = difference(&task, &file, &files) {
        return Err(refuse(why));
    }
    Ok((task, file))
}

fn read(file: &Path) -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "the certificate is named on the command line")]
    std::fs::read_to_string(file).map_err(|error| error.to_string())
}

/// How a program differs from the one that a certificate is about.
fn difference(task: &Task, file: &CertificateFile, files: &[PathBuf]) -> Option<String> {
    // A program in which nothing is checked breaks nothing.
    let asked = || file.proofs.iter().flat_map(|statement| &statement.asked);
    let unchecked =
        [(Property::Overflow, file.program.overflow), (Property::Arithmetic, file.program.arithmetic)];
    if let Some((property, _)) =
        unchecked.iter().find(|(property, is_checked)| !is_checked && asked().any(|asked| asked == property))
    {
        return Some(format!("it speaks of {}, which is not checked in its program", property.name()));
    }
    if file.proofs.iter().all(|statement| stands_for_all(&task.runnable, statement).is_some()) {
        return None;
    }
    if files.len() != file.program.files.len() {
        let count = file.program.files.len();
        return Some(format!("it is about another program, of {count} files"));
    }
    let changed = task.info.files.iter().zip(&file.program.files).find(|(now, then)| now.hash != then.hash);
    Some(match changed {
        Some((now, then)) => {
            format!("it is about another program: {} is not {} as it was then", now.name, then.name)
        }
        None => "it is about another program".to_owned(),
    })
}

/// The program that a statement is about, and that stands for this one for a property.
pub(crate) fn stands_for(runnable: &Runnable, statement: &Statement, property: Property) -> Option<Program> {
    let mut candidates = programs_for(&runnable.program, &runnable.source(), property).into_iter();
    candidates.find(|candidate| fingerprint(candidate) == statement.program).map(Cow::into_owned)
}

/// The same for all properties that it is about.
fn stands_for_all(runnable: &Runnable, statement: &Statement) -> Option<Program> {
    let mut asked = statement.asked.iter().map(|&property| stands_for(runnable, statement, property));
    let first = asked.next()??;
    asked.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Checks every proof, and says what is proved.
fn check(task: &Task, file: &CertificateFile, arguments: &ProofCheckArguments) -> Exit {
    let mut budget = Budget::unlimited();
    if let Some(time) = arguments.timeout {
        budget = budget.with_time(time);
    }
    let mut lines = Vec::new();
    let mut accepted = true;
    for statement in &file.proofs {
        let Some(program) = stands_for_all(&task.runnable, statement) else {
            return Exit::InternalError;
        };
        let result = statement.check(&program, &budget);
        accepted &= result.is_ok();
        let said = match &result {
            Ok(proof) => proved(proof),
            Err(rejected) => format!("REJECTED: {}", reason(task, rejected)),
        };
        lines.extend(statement.asked.iter().map(|property| format!("{:13}  {said}", property.name())));
    }
    let is_itself = |statement: &Statement| statement.program == fingerprint(&task.runnable.program);
    if accepted && !file.proofs.iter().all(is_itself) {
        let note =
            "what is proved was shown of an over-approximation, which has all executions of the program";
        lines.push(format!("{:13}  {note}", "note"));
    }
    if accepted {
        lines.extend(premises(task, file).into_iter().map(|premise| format!("{:13}  {premise}", "assumes")));
    }
    lines.push(format!("CERTIFICATE: {}", if accepted { "ACCEPTED" } else { "REJECTED" }));
    lines.push(String::new());
    let written = output::write(lines.join("\n").as_bytes(), None);
    if written == Exit::Success && !accepted { Exit::Unknown } else { written }
}

fn proved(proof: &CheckedProof) -> String {
    let obligations = proof.obligations();
    let plural = if obligations == 1 { "" } else { "s" };
    format!("PROVED for all executions: {}, {obligations} obligation{plural} checked", proof.method())
}

/// Why, and where.
fn reason(task: &Task, rejected: &Rejected) -> String {
    let place = |span: Span| {
        let location = task.runnable.sources.locate(span.lo).filter(|_| span != Span::NONE)?;
        Some(format!("{}:{}", location.file, location.line))
    };
    let at = place(rejected.at).map_or_else(String::new, |at| format!(", at {at}"));
    let other = rejected.other.and_then(place).map_or_else(String::new, |other| format!(", with {other}"));
    format!("{rejected}{at}{other}")
}

/// Whether single steps break a property.
const fn ends_threads(property: Property) -> bool {
    match property {
        Property::Assertion
        | Property::LockMisuse
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic => true,
        Property::Deadlock
        | Property::DataRace
        | Property::Leak
        | Property::Cleanup
        | Property::Uninitialised => false,
    }
}

/// What the proofs rest on beside the program, a sentence each.
fn premises(task: &Task, file: &CertificateFile) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_owned()];
    let is_proved =
        |property: &Property| file.proofs.iter().any(|statement| statement.asked.contains(property));
    let excused = Property::ALL.iter().filter(|property| {
        ends_threads(**property)
            && !is_proved(property)
            && file.proofs.iter().any(|statement| statement.excused.contains(property))
    });
    all.extend(excused.map(|property| {
        format!("a thread that breaks {} stops there: that it does not is not proved", property.name())
    }));
    if !task.info.signed_overflow_undefined {
        all.push("signed overflow wraps around".to_owned());
    }
    all.extend(assumed::environment(&task.runnable, false));
    all
}
