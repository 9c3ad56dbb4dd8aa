//! What the passes print for small programs: each file of `tests/passes` says which passes to run in its first line
//! (`//@ pipeline: …`), and what they must print stands beside it in a `.out` file. With `//@ linemap` the table of lines stands
//! behind the text, with `//@ models` the API models come along; files that `//@ with:` names are read before. After a wanted
//! change, run with `RADDLE_BLESS=1` and read what has changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

mod common;

use common::{environment, files, folder, program_of, read, run, write};
use raddle_cfront::layout::DataModel;
use raddle_sequentialize::linemap;

fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix("//@ ")?.strip_prefix(name))
        .map(|rest| rest.trim_start_matches(':').trim())
}

fn printed(name: &str, text: &str) -> String {
    let pipeline = directive(text, "pipeline").unwrap();
    let with = directive(text, "with").map(|with| (with, read(&folder("passes").join(with))));
    let mut texts: Vec<(&str, &str)> = with.iter().map(|(name, text)| (*name, text.as_str())).collect();
    texts.push((name, text));
    let mut program = program_of(&texts, DataModel::Lp64, directive(text, "models").is_some());
    if let Err(refusal) = run(pipeline, &mut program) {
        return format!("refused by {refusal}\n");
    }
    let printed = linemap::print(&program);
    match directive(text, "linemap") {
        Some(_) => format!("{}-- lines\n{}", printed.text, linemap::table(&program, &printed)),
        None => printed.text,
    }
}

#[test]
fn passes_print_what_they_should() {
    let all = files(&folder("passes"), "c");
    let mut failures = Vec::new();
    let mut seen = 0;
    for file in all {
        let text = read(&file);
        if directive(&text, "pipeline").is_none() {
            continue;
        }
        seen += 1;
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let found = printed(&name, &text);
        let snapshot = file.with_extension("out");
        if environment("RADDLE_BLESS").is_some() {
            write(&snapshot, &found);
        } else if found != read(&snapshot) {
            failures.push(format!("{name}: printed\n{found}"));
        }
    }
    assert!(seen >= 15, "the cases are there");
    assert!(failures.is_empty(), "{} changed\n{}", failures.len(), failures.join("\n"));
}
