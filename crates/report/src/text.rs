//! A report for people: the story of each violation, what a proof rests on, a line for each property, the verdict.

use std::fmt::Write as _;

use crate::coverage::counted;
use crate::ledger::{LedgerReport, LoopReport, SizesReport};
use crate::report::{Answer, ProofReport, PropertyReport, Report, ViolationReport};

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The lines of the properties and the verdict.
    Quiet,
    /// Stories, and the ledger where something is not violated.
    #[default]
    Normal,
    /// Stories with all their steps, and the ledger in any case.
    Verbose,
}

/// How a report is written.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// In lines of about so many characters.
    pub width: usize,
    /// How much is told.
    pub detail: Detail,
}

impl Report {
    /// The text form. Its last line is `VERDICT: TRUE`, `VERDICT: FALSE` or `VERDICT: UNKNOWN`, the lines before it are one
    /// for each property.
    #[must_use]
    pub fn text(&self, options: &TextOptions) -> String {
        let mut text = String::new();
        if options.detail != Detail::Quiet {
            for property in &self.properties {
                if let Some(violation) = &property.violation {
                    write_violation(violation, options, &mut text);
                }
            }
            self.write_invariants(&mut text);
            if options.detail == Detail::Verbose || self.rests_on_something() {
                write_ledger(&self.ledger, &self.properties, &mut text);
            }
        }
        let width = self.properties.iter().map(|property| property.property.len()).max().unwrap_or(0);
        for property in &self.properties {
            line(&mut text, &format!("{:width$}  {}", property.property, property.line));
        }
        line(&mut text, &format!("VERDICT: {}", self.verdict));
        text
    }

    /// Whether any answer is more than a violation, which rests on nothing but its replay.
    fn rests_on_something(&self) -> bool {
        self.properties.iter().any(|property| match property.answer {
            Answer::Safe | Answer::BoundedSafe | Answer::Unknown => true,
            Answer::Violated | Answer::NotChecked => false,
        })
    }
}

fn line(text: &mut String, words: &str) {
    text.push_str(words.trim_end());
    text.push('\n');
}

fn write_violation(violation: &ViolationReport, options: &TextOptions, text: &mut String) {
    line(text, &violation.line());
    line(text, "");
    match &violation.story {
        Some(story) => {
            let folded = if options.detail == Detail::Verbose { None } else { story.folded() };
            text.push_str(&folded.as_ref().unwrap_or(story).render(options.width));
        }
        None => line(text, "(it cannot be shown)"),
    }
    line(text, "");
    let what = match (&violation.replay.recorded, violation.replay.commands.len()) {
        (Some(_), _) => "To see it again:",
        (None, 1) => "To record it:",
        (None, _) => "To record it and see it again:",
    };
    line(text, what);
    for command in &violation.replay.commands {
        line(text, &format!("    {command}"));
    }
    line(text, "");
}

fn write_ledger(ledger: &LedgerReport, properties: &[PropertyReport], text: &mut String) {
    let mut rows: Vec<(&str, String)> = vec![
        ("engine", ledger.engine.clone()),
        ("memory model", memory_model(&ledger.memory_model).to_owned()),
    ];
    if ledger.threads > 0 {
        rows.push(("threads", ledger.threads.to_string()));
    }
    if let Some(bound) = ledger.contexts {
        let most = counted(bound.switches, "context switch");
        let more = if bound.complete { "no execution has more" } else { "executions may have more" };
        rows.push(("switches", format!("at most {most}; {more}")));
    }
    rows.extend(properties.iter().filter_map(|property| {
        let ProofReport { method, obligations } = property.proof.as_ref()?;
        let checked = counted(*obligations as u64, "obligation");
        Some(("proof", format!("{}: {method}, {checked} checked", property.property)))
    }));
    rows.extend(ledger.loops.iter().map(|entry| ("loop", loop_text(entry))));
    rows.extend(ledger.recursions.iter().map(|entry| {
        let calls = if entry.depth == 1 { "call" } else { "calls" };
        ("recursion", format!("`{}`, {} {calls} deep", entry.function, entry.depth))
    }));
    rows.extend(ledger.without_body.iter().map(|entry| {
        let effect = if entry.pure { "" } else { ", and may change all that it can reach" };
        ("no body", format!("`{}` returns any value{effect}", entry.function))
    }));
    rows.extend(ledger.never_reached.iter().map(|entry| {
        let at = entry.place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
        ("not reached", format!("{at}{}", entry.text))
    }));
    rows.extend(ledger.assumptions.iter().map(|assumption| ("assumes", assumption.clone())));
    rows.extend(ledger.notes.iter().map(|note| ("note", note.clone())));
    let size = sizes(&ledger.sizes);
    if !size.is_empty() {
        rows.push(("size", size));
    }
    rows.push(("time", format!("{:.2} s", ledger.seconds)));
    line(text, "What the answers rest on:");
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut previous = "";
    for (name, value) in &rows {
        let shown = if *name == previous { "" } else { name };
        previous = name;
        line(text, &format!("  {shown:width$}  {value}"));
    }
    line(text, "");
}

fn memory_model(name: &str) -> &str {
    match name {
        "sc" => "sequential consistency (sc)",
        "tso" => "total store order (tso)",
        "pso" => "partial store order (pso)",
        other => other,
    }
}

fn loop_text(entry: &LoopReport) -> String {
    let mut text = entry.name.clone();
    if let Some(place) = &entry.place {
        let _ = write!(text, " at {place}");
    }
    let iterations = counted(entry.iterations, "iteration");
    let how = if entry.complete { "enough for every execution" } else { "NOT enough for every execution" };
    let _ = write!(text, ": {iterations}, {how}");
    text
}

fn sizes(sizes: &SizesReport) -> String {
    let counts = [
        (sizes.events, "event"),
        (sizes.variables, "variable"),
        (sizes.clauses, "clause"),
        (sizes.conflicts, "conflict"),
        (sizes.states, "state"),
        (sizes.executions, "execution"),
    ];
    let shown = counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| counted(*count, name));
    shown.collect::<Vec<_>>().join(", ")
}
