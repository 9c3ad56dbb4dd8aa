//! What the API models let their callers learn of other threads without ordering: the table of all of them.
//!
//! A model that is new, or reads something new, shows up here as one that communicates until it declares why it does not. To
//! accept a change, run with `RADDLE_BLESS=1` and read what has changed.

use std::fmt::Write;

use raddle_base::{Severity, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_ir::Program;
use raddle_ir::analyses::unsynchronised::{Effect, effects};
use raddle_lower::{LowerOptions, lower, models};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/effects.txt");

/// A program that names these functions and calls none.
fn naming(functions: &[&str]) -> Program {
    let mut text = String::new();
    for name in functions {
        writeln!(text, "void {name}();").expect("a text has room");
    }
    writeln!(text, "void *all[] = {{ {} }};", functions.join(", ")).expect("a text has room");
    text.push_str("int main(void) { return all[0] != 0; }\n");
    let mut sources = SourceMap::new();
    let (name, models) = models();
    let files = [("test.c", text), (name, models)]
        .map(|(name, text)| sources.add(name, text.into_bytes()).expect("the text is small"));
    let parsed = parse_program(&mut sources, &files, DataModel::Lp64);
    let errors: Vec<_> =
        parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    lower(&parsed.ast, LowerOptions::default(), 1).program.expect("it can be lowered")
}

/// The names of all functions that have a model, in order.
fn modelled(models: &str) -> Vec<&str> {
    let mut names: Vec<&str> = models
        .match_indices("__model_")
        .map(|(at, prefix)| {
            let rest = &models[at + prefix.len()..];
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// One line for each function of the models that reads something of other threads, where the program uses everything.
fn table(functions: &[&str]) -> String {
    let program = naming(functions);
    let mut lines: Vec<String> = effects(&program)
        .iter()
        .filter_map(|(id, effect)| {
            let name = &program.functions[id].name;
            match effect {
                Effect::Nothing => None,
                Effect::Declared(reads) => Some(format!("{name}: declares {}", reads.word())),
                Effect::NotAcquired(read) => {
                    Some(format!("{name}: COMMUNICATES, declares to acquire and does not, {}", read.word()))
                }
                Effect::Communicates(read) => Some(format!("{name}: COMMUNICATES, {}", read.word())),
            }
        })
        .collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// One line for each API function that communicates where the program uses no other.
fn alone(functions: &[&str]) -> String {
    let mut lines = Vec::new();
    for name in functions {
        let program = naming(&[name]);
        let effects = effects(&program);
        let by = effects.iter().filter(|(_, effect)| effect.communicates());
        let by: Vec<&str> = by.map(|(id, _)| program.functions[id].name.as_str()).collect();
        if !by.is_empty() {
            lines.push(format!("{name}: by {}", by.join(", ")));
        }
    }
    lines.join("\n")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the snapshot is a file")]
fn what_each_model_lets_its_caller_learn() {
    let (_, text) = models();
    let functions = modelled(&text);
    assert!(functions.len() > 800, "{}", functions.len());
    let found = format!(
        "Functions of the models that read what other threads may write:\n\n{}\n\n\
         API functions that communicate without ordering where the program uses no other:\n\n{}\n",
        table(&functions),
        alone(&functions),
    );
    if std::env::var_os("RADDLE_BLESS").is_some() {
        std::fs::write(SNAPSHOT, &found).unwrap();
    }
    let known = std::fs::read_to_string(SNAPSHOT).unwrap_or_default();
    assert!(known == found, "the table has changed; run with RADDLE_BLESS=1 and read what has:\n{found}");
}

/// No declaration is refuted: who declares to acquire does.
#[test]
fn who_declares_to_acquire_does() {
    let (_, text) = models();
    let functions = modelled(&text);
    let program = naming(&functions);
    for (id, effect) in effects(&program).iter() {
        assert!(!matches!(effect, Effect::NotAcquired(_)), "{}: {effect:?}", program.functions[id].name);
    }
}
