//! What the differential tests share: a deterministic source of randomness, random types, and gcc as the judge.

#![allow(dead_code, reason = "each test uses a part of this module")]
#![allow(unreachable_pub, reason = "a module of tests is no library")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail, and says what it skips")]
#![allow(clippy::wildcard_enum_match_arm, reason = "the tests look at some kinds of types only")]

pub mod constants;
pub mod gcc;
pub mod initializers;
pub mod layout;
pub mod types;

use raddle_base::{Severity, SourceMap, SplitMix};
use raddle_cfront::ast::Ast;
use raddle_cfront::dump::dump;
use raddle_cfront::layout::DataModel;
use raddle_cfront::print::{PrintOptions, print};

/// A message about a generated text: the line it is about, from one, and what it says.
pub type Complaint = (usize, String);

/// Reads a C text; gives the tree and the errors.
pub fn read(model: DataModel, text: &str) -> (Ast, Vec<Complaint>) {
    let mut sources = SourceMap::new();
    let file = sources.add("generated.c", text.as_bytes()).unwrap();
    let start = sources.file(file).start;
    let parsed = raddle_cfront::parse_program(&mut sources, &[file], model);
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let complaints = errors.map(|error| {
        let place = (error.primary.span.lo - start) as usize;
        (text[..place].matches('\n').count() + 1, error.message.clone())
    });
    (parsed.ast, complaints.collect())
}

/// Reads a C text that must be correct; gives the errors with their lines if there are any.
pub fn front_end(model: DataModel, text: &str) -> Result<Ast, String> {
    let (ast, complaints) = read(model, text);
    if complaints.is_empty() {
        return Ok(ast);
    }
    let show = |(line, message): &Complaint| {
        format!("line {line}: {message}\n    {}\n", text.lines().nth(line - 1).unwrap_or_default())
    };
    Err(complaints.iter().map(show).collect())
}

/// Prints a program and reads it again, which must give the same tree; gives the text.
pub fn print_again(model: DataModel, ast: &Ast) -> Result<String, String> {
    let text = print(ast, &PrintOptions::default(), &SourceMap::new());
    let (before, after) = (dump(ast), dump(&front_end(model, &text)?));
    match before.lines().zip(after.lines()).find(|(before, after)| before != after) {
        Some((before, after)) => Err(format!("printed and read again, `{before}` became `{after}`:\n{text}")),
        None if before.len() != after.len() => {
            Err(format!("printed and read again, the tree has another size:\n{text}"))
        }
        None => Ok(text),
    }
}

/// Random choices from a seed.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        let length = u64::try_from(list.len()).unwrap();
        list[usize::try_from(self.below(length)).unwrap()]
    }
}
