//! What a pass is: a name, a line that describes it, its parameters, and a rewrite of the tree.
//!
//! Every pass is one file under `passes`, and all of them stand in one list, [`crate::passes::PASSES`]. Parameters are typed
//! and checked before anything runs, so a pass reads values that are there and in range.

use raddle_base::{Diagnostic, Exhausted, Span};

use crate::program::Program;

/// A pass.
#[derive(Debug)]
pub struct Pass {
    /// As it is written in a pipeline.
    pub name: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// In the order in which they may be given without their names.
    pub parameters: &'static [Parameter],
    /// The rewrite.
    pub run: fn(&mut Program, &Values) -> Result<(), Refusal>,
}

/// A parameter of a pass.
#[derive(Debug)]
pub struct Parameter {
    /// As it is written before `=`.
    pub name: &'static str,
    /// A few words for people.
    pub description: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
}

/// What a parameter may be, and what it is when nothing is said.
#[derive(Clone, Copy, Debug)]
pub enum ParameterKind {
    /// A number within bounds.
    Number {
        /// The least it may be.
        least: u32,
        /// The most it may be.
        most: u32,
        /// When nothing is said.
        default: u32,
    },
    /// One of these words; the first when nothing is said.
    Choice(&'static [&'static str]),
    /// Any words without commas and brackets; empty when nothing is said.
    Text,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// Of a number.
    Number(u32),
    /// Of a choice: its index in the list.
    Choice(usize),
    /// Of a text.
    Text(String),
}

/// The values of all parameters of a pass, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub(crate) Vec<ParameterValue>);

impl Values {
    /// The number at this index of the pass's parameters.
    #[must_use]
    pub fn number(&self, place: usize) -> u32 {
        match self.0.get(place) {
            Some(ParameterValue::Number(number)) => *number,
            Some(ParameterValue::Choice(_) | ParameterValue::Text(_)) | None => 0,
        }
    }

    /// The choice at this index of the pass's parameters.
    #[must_use]
    pub fn choice(&self, place: usize) -> usize {
        match self.0.get(place) {
            Some(ParameterValue::Choice(choice)) => *choice,
            Some(ParameterValue::Number(_) | ParameterValue::Text(_)) | None => 0,
        }
    }

    /// The text at this index of the pass's parameters.
    #[must_use]
    pub fn text(&self, place: usize) -> &str {
        match self.0.get(place) {
            Some(ParameterValue::Text(text)) => text,
            Some(ParameterValue::Number(_) | ParameterValue::Choice(_)) | None => "",
        }
    }
}

/// A pass cannot do its work on this program: what stands in its way, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is in the way, as a sentence.
    pub message: String,
    /// Where it stands.
    pub span: Span,
    /// A way around it.
    pub help: Option<String>,
    /// Nothing is in the way but a limit: the work was to stop.
    pub exhausted: Option<Exhausted>,
}

impl Refusal {
    /// A refusal without advice.
    #[must_use]
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, help: None, exhausted: None }
    }

    /// The work is to stop.
    #[must_use]
    pub fn exhausted(why: Exhausted) -> Self {
        Self { exhausted: Some(why), ..Self::new(Span::NONE, why.to_string()) }
    }

    /// The same, with a way around.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// As an error message.
    #[must_use]
    pub fn diagnostic(&self, pass: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.span, format!("pass `{pass}`: {}", self.message));
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}
