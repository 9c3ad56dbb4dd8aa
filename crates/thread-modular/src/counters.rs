//! stub until merged
use raddle_flow::{Flow, LocationId, TemplateId};
use std::collections::BTreeSet;
/// Members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub members: BTreeSet<(TemplateId, LocationId)>,
    pub name: String,
}
/// Levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    None,
    Contributions,
    Passed,
    All,
}
pub fn derive(_: &Flow, _: Level) -> Vec<Counter> {
    Vec::new()
}
