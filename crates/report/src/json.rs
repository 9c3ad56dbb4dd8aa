//! A report for programs: one JSON object.

use crate::report::Report;

impl Report {
    /// The JSON form, indented, with a line end. Its fields are those of [`Report`]; `docs/check.md` explains them.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a report is plain data");
        text.push('\n');
        text
    }
}
