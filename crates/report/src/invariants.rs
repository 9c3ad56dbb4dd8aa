//! Invariants as they are shown: lines of the source, and below each what holds there.

use std::fmt::Write as _;

use raddle_ir::Property;
use serde::Serialize;

use crate::report::Report;

/// What holds whenever a thread takes a step, in words of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InvariantsReport {
    /// At every line.
    pub everywhere: Vec<String>,
    /// At single lines, by file and line.
    pub lines: Vec<LineReport>,
}

/// What holds while a thread is at a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineReport {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The line as the user wrote it, if it is at hand.
    pub source: Option<String>,
    /// What holds there beside what holds everywhere.
    pub facts: Vec<String>,
}

impl Report {
    /// These invariants show that a property holds.
    pub fn tell_invariants(&mut self, property: Property, invariants: InvariantsReport) {
        for told in self.properties.iter_mut().filter(|told| told.property == property.name()) {
            told.invariants = Some(invariants.clone());
        }
    }

    /// All invariants, those that several properties have in common once.
    pub(crate) fn write_invariants(&self, text: &mut String) {
        let mut groups: Vec<(Vec<&str>, &InvariantsReport)> = Vec::new();
        for property in &self.properties {
            let Some(invariants) = &property.invariants else { continue };
            match groups.iter_mut().find(|(_, known)| *known == invariants) {
                Some((names, _)) => names.push(property.property),
                None => groups.push((vec![property.property], invariants)),
            }
        }
        for (names, invariants) in groups {
            let _ = writeln!(text, "What holds in all executions (checked for {}):\n", names.join(", "));
            invariants.write(text);
            text.push('\n');
        }
    }
}

impl InvariantsReport {
    fn write(&self, text: &mut String) {
        if self.everywhere.is_empty() && self.lines.is_empty() {
            text.push_str("  (nothing that has a name in the program)\n");
        }
        if !self.everywhere.is_empty() {
            text.push_str("  everywhere\n");
            write_facts(&self.everywhere, text);
        }
        let mut file = None;
        for (index, line) in self.lines.iter().enumerate() {
            if file != Some(&line.file) {
                let _ = writeln!(text, "  {}", line.file);
                file = Some(&line.file);
            }
            let source = line.source.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{}", format!("{:6}  {source}", line.line).trim_end());
            // Lines that have the same in common are told of together.
            let next = self.lines.get(index + 1);
            if next.is_none_or(|next| next.file != line.file || next.facts != line.facts) {
                write_facts(&line.facts, text);
            }
        }
    }
}

fn write_facts(facts: &[String], text: &mut String) {
    for fact in facts {
        let _ = writeln!(text, "        | {fact}");
    }
}
