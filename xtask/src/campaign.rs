//! Long comparisons of the front end with gcc: round trips of real files, and broken copies of them.
//!
//! Both take folders of C files from outside (nothing is copied into the tree). A task file `NAME.yml` beside
//! `NAME.i` gives the data model; without one it is LP64.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use raddle_base::{SourceMap, SplitMix};
use raddle_cfront::layout::DataModel;
use raddle_cfront::names::Names;
use raddle_cfront::token::{Token, TokenKind};
use raddle_cfront::{Parsed, dump, lexer, parse_program, print};

use crate::chores::{command, is_installed, say};
use crate::tidy::collect;

/// A parse that takes longer hangs: the largest real files take well under a second.
const HANG: Duration = Duration::from_secs(20);

/// Parses, prints, re-parses and compares every file below the folders.
pub(crate) fn roundtrip(arguments: &[String]) -> Result<()> {
    let files = c_files(arguments)?;
    let mut failures = Vec::new();
    for (index, file) in files.iter().enumerate() {
        if let Err(why) = roundtrip_one(file) {
            failures.push(format!("{}: {why:#}", file.display()));
            say(failures.last().map_or("", String::as_str));
        }
        if index % 100 == 99 {
            say(&format!("… {} of {} files", index + 1, files.len()));
        }
    }
    say(&format!("{} files, {} round trips failed", files.len(), failures.len()));
    if failures.is_empty() { Ok(()) } else { bail!("{} of {} failed", failures.len(), files.len()) }
}

fn roundtrip_one(file: &Path) -> Result<()> {
    let model = data_model(file);
    let text = preprocessed(file, model)?;
    let mut sources = SourceMap::new();
    let first = parse_text(&mut sources, "input.i", text, model)?;
    let printed = print::print(&first.ast, &print::PrintOptions::default(), &sources);
    gcc_verdict(printed.as_bytes(), model)?.accepted().context("gcc refuses what we print")?;
    let second =
        parse_text(&mut sources, "printed.i", printed.into_bytes(), model).context("our own print")?;
    let (before, after) = (dump::dump(&first.ast), dump::dump(&second.ast));
    if let Some((number, (left, right))) =
        before.lines().zip(after.lines()).enumerate().find(|(_, (left, right))| left != right)
    {
        bail!("trees differ at line {}:\n  before: {left}\n  after:  {right}", number + 1);
    }
    if before.len() == after.len() { Ok(()) } else { bail!("one tree is longer than the other") }
}

fn parse_text(sources: &mut SourceMap, name: &str, text: Vec<u8>, model: DataModel) -> Result<Parsed> {
    let file = sources.add(name, text).context("too large")?;
    let parsed = parse_program(sources, &[file], model);
    let first_error = parsed.diagnostics.iter().find(|found| found.severity == raddle_base::Severity::Error);
    match first_error {
        None => Ok(parsed),
        Some(error) => {
            let place = sources.locate(error.primary.span.lo);
            let at = place.map(|place| format!("{}:{}:{}", place.file, place.line, place.column));
            bail!("{} at {}", error.message, at.unwrap_or_default())
        }
    }
}

/// What gcc says of a text.
enum Gcc {
    Accepts,
    /// Its first error line, and whether it is one of syntax.
    Rejects(String, bool),
}

impl Gcc {
    fn accepted(self) -> Result<()> {
        match self {
            Self::Accepts => Ok(()),
            Self::Rejects(message, _) => bail!("{message}"),
        }
    }
}

fn gcc_verdict(text: &[u8], model: DataModel) -> Result<Gcc> {
    let path = std::env::temp_dir().join(format!("raddle-xtask-{}.i", std::process::id()));
    #[expect(clippy::disallowed_methods, reason = "gcc reads files")]
    fs::write(&path, text)?;
    let mut gcc = command("gcc");
    gcc.args(["-fsyntax-only", "-w", "-std=gnu17", "-fmax-errors=1"]).arg(&path);
    if model == DataModel::Ilp32 {
        gcc.arg("-m32");
    }
    let output = gcc.output().context("cannot start gcc");
    fs::remove_file(&path)?;
    let output = output?;
    if output.status.success() {
        return Ok(Gcc::Accepts);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let first = messages.lines().find(|line| line.contains("error:")).unwrap_or_default();
    let syntax = ["expected ", "stray ", "missing terminating", "unterminated "]
        .iter()
        .any(|sign| first.contains(sign));
    Ok(Gcc::Rejects(first.to_owned(), syntax))
}

/// Breaks copies of files and compares what gcc and we say of them.
pub(crate) fn mutate(arguments: &[String]) -> Result<()> {
    let (mut count, mut seed, mut keep, mut folders) = (1_000, 1, None, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--count" => count = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--keep" => keep = Some(PathBuf::from(value()?)),
            _ => folders.push(argument.clone()),
        }
    }
    let files = c_files(&folders)?;
    if !is_installed("gcc") {
        bail!("the comparison needs gcc, which is not installed");
    }
    let tally = run_mutants(&files, count, seed, keep.as_deref())?;
    tally.report();
    tally.verdict()
}

/// What became of the mutants.
#[derive(Default)]
struct Tally {
    accepted_by_both: usize,
    syntax_errors: usize,
    syntax_errors_missed: Vec<String>,
    other_errors: usize,
    other_errors_missed: Vec<String>,
    wrongly_rejected: Vec<String>,
    crashed: Vec<String>,
}

impl Tally {
    fn report(&self) {
        for (title, list) in [
            ("panicked or hung", &self.crashed),
            ("rejected though gcc accepts", &self.wrongly_rejected),
            ("accepted though gcc finds a syntax error", &self.syntax_errors_missed),
            ("accepted though gcc finds another error", &self.other_errors_missed),
        ] {
            for entry in list {
                say(&format!("{title}: {entry}"));
            }
        }
        say(&format!("accepted by both: {}", self.accepted_by_both));
        say(&format!("rejected though gcc accepts: {}", self.wrongly_rejected.len()));
        let caught = self.syntax_errors - self.syntax_errors_missed.len();
        say(&format!("syntax errors by gcc: {}, of which we reject {caught}", self.syntax_errors));
        let caught = self.other_errors - self.other_errors_missed.len();
        say(&format!("other errors by gcc: {}, of which we reject {caught}", self.other_errors));
        say(&format!("panics and hangs: {}", self.crashed.len()));
    }

    /// The bar: nothing accepted is rejected, no crash, and at least 99 % of the syntax errors are found.
    fn verdict(&self) -> Result<()> {
        let missed = self.syntax_errors_missed.len();
        if self.crashed.is_empty() && self.wrongly_rejected.is_empty() && missed * 100 <= self.syntax_errors {
            Ok(())
        } else {
            bail!("gcc and we disagree on what is wrong")
        }
    }
}

fn run_mutants(files: &[PathBuf], count: usize, seed: u64, keep: Option<&Path>) -> Result<Tally> {
    if files.is_empty() {
        bail!("no C files there");
    }
    let mut random = SplitMix::new(seed);
    let mut tally = Tally::default();
    for number in 0..count {
        let file = &files[random.below(files.len())];
        let model = data_model(file);
        let (mutant, what) = break_one(&preprocessed(file, model)?, &mut random);
        let name = format!("mutant {number} (seed {seed}): {} {what}", file.display());
        let ours = our_verdict(mutant.clone(), model);
        let gcc = gcc_verdict(&mutant, model)?;
        let disagreement = match (ours, gcc) {
            (Ours::Accepts, Gcc::Accepts) => {
                tally.accepted_by_both += 1;
                continue;
            }
            (Ours::Crashes(how), _) => (&mut tally.crashed, how),
            (Ours::Rejects(why), Gcc::Accepts) => (&mut tally.wrongly_rejected, why),
            (Ours::Rejects(_), Gcc::Rejects(_, syntax)) => {
                *(if syntax { &mut tally.syntax_errors } else { &mut tally.other_errors }) += 1;
                continue;
            }
            (Ours::Accepts, Gcc::Rejects(why, true)) => {
                tally.syntax_errors += 1;
                (&mut tally.syntax_errors_missed, why)
            }
            (Ours::Accepts, Gcc::Rejects(why, false)) => {
                tally.other_errors += 1;
                (&mut tally.other_errors_missed, why)
            }
        };
        disagreement.0.push(format!("{name}: {}", disagreement.1));
        if let Some(folder) = keep {
            fs::create_dir_all(folder)?;
            #[expect(clippy::disallowed_methods, reason = "asked for on the command line")]
            fs::write(folder.join(format!("mutant-{seed}-{number}.i")), &mutant)?;
        }
    }
    Ok(tally)
}

enum Ours {
    Accepts,
    Rejects(String),
    Crashes(String),
}

fn our_verdict(text: Vec<u8>, model: DataModel) -> Ours {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let verdict = catch_unwind(AssertUnwindSafe(|| {
            match parse_text(&mut SourceMap::new(), "mutant.i", text, model) {
                Ok(_) => Ours::Accepts,
                Err(why) => Ours::Rejects(format!("{why:#}")),
            }
        }));
        // The receiver is gone only after a hang was reported.
        let _ = sender.send(verdict.unwrap_or_else(|_| Ours::Crashes("panic".to_owned())));
    });
    receiver.recv_timeout(HANG).unwrap_or_else(|_| Ours::Crashes("hang".to_owned()))
}

/// Deletes, duplicates or swaps a token; returns which.
fn break_one(text: &[u8], random: &mut SplitMix) -> (Vec<u8>, String) {
    let mut sources = SourceMap::new();
    let Some(file) = sources.add("original.i", text.to_vec()) else { return (text.to_vec(), String::new()) };
    let tokens = lexer::lex(&mut sources, file, &mut Names::new(), &mut raddle_base::Diagnostics::new());
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| token.kind != TokenKind::Eof).collect();
    if tokens.len() < 2 {
        return (text.to_vec(), "unchanged".to_owned());
    }
    let index = random.below(tokens.len() - 1);
    let start = sources.file(file).start as usize;
    let range = |token: &Token| token.span.lo as usize - start..token.span.hi as usize - start;
    let (this, next) = (range(&tokens[index]), range(&tokens[index + 1]));
    let spelling = String::from_utf8_lossy(&text[this.clone()]).into_owned();
    let mut mutant = text[..this.start].to_vec();
    let what = match random.below(3) {
        0 => "deleted",
        1 => {
            mutant.extend_from_slice(&text[this.clone()]);
            mutant.push(b' ');
            mutant.extend_from_slice(&text[this.clone()]);
            "doubled"
        }
        _ => {
            mutant.extend_from_slice(&text[next.clone()]);
            mutant.push(b' ');
            mutant.extend_from_slice(&text[this.end..next.start]);
            mutant.extend_from_slice(&text[this.clone()]);
            mutant.push(b' ');
            mutant.extend_from_slice(&text[next.end..]);
            return (mutant, format!("swapped `{spelling}` at byte {} with the next token", this.start));
        }
    };
    mutant.push(b' ');
    mutant.extend_from_slice(&text[this.end..]);
    (mutant, format!("{what} `{spelling}` at byte {}", this.start))
}

/// All `.i` and `.c` files below the folders; a file may be named itself.
fn c_files(arguments: &[String]) -> Result<Vec<PathBuf>> {
    if arguments.is_empty() {
        bail!("name at least one folder or file");
    }
    let mut files = Vec::new();
    for argument in arguments {
        let path = PathBuf::from(argument);
        if path.is_file() {
            files.push(path);
        } else {
            collect(&path, "i", &mut files)?;
            collect(&path, "c", &mut files)?;
        }
    }
    Ok(files)
}

fn data_model(file: &Path) -> DataModel {
    #[expect(clippy::disallowed_methods, reason = "task files tell the data model")]
    let task = fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
    if task.contains("data_model: ILP32") || file.to_string_lossy().contains("ilp32") {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    }
}

fn preprocessed(file: &Path, model: DataModel) -> Result<Vec<u8>> {
    if file.extension().is_some_and(|extension| extension == "i") {
        #[expect(clippy::disallowed_methods, reason = "the input")]
        return Ok(fs::read(file)?);
    }
    let mut gcc = command("gcc");
    gcc.args(["-E", "-std=gnu17"]).arg(file);
    if model == DataModel::Ilp32 {
        gcc.arg("-m32");
    }
    let output = gcc.output().context("cannot start gcc")?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        bail!("{}", String::from_utf8_lossy(&output.stderr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fixed sample of the campaign: broken copies of the accepted cases.
    #[test]
    fn gcc_agrees_on_what_is_wrong_with_mutants() {
        if !is_installed("gcc") {
            say("SKIPPED: gcc is not installed, so nobody tells what is wrong with the mutants");
            return;
        }
        let mut files = Vec::new();
        collect(&crate::chores::root().join("tests/c/accept"), "c", &mut files).unwrap();
        assert!(files.len() >= 100, "the accepted cases are there");
        let tally = run_mutants(&files, 300, 7, None).unwrap();
        tally.report();
        tally.verdict().unwrap();
    }
}
