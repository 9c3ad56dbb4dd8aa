//! Pipelines: which passes run, in which order, with which parameters.
//!
//! As text: `simplify,unroll(3),inline(depth=2)`. In a file the passes may stand on lines of their own, and `#` begins a
//! remark. Parameters are given in order or by name. In debug builds the program is checked after every pass
//! ([`crate::check`]).

use std::fmt;

use raddle_base::Exhausted;

use crate::check;
use crate::pass::{Parameter, ParameterKind, ParameterValue, Pass, Refusal, Values};
use crate::passes::PASSES;
use crate::program::Program;

/// A pass with the values of its parameters.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The pass.
    pub pass: &'static Pass,
    /// Its parameters.
    pub values: Values,
}

impl Stage {
    /// A pass with what its parameters are when nothing is said.
    #[must_use]
    pub fn new(pass: &'static Pass) -> Self {
        Self { pass, values: Values(pass.parameters.iter().map(default).collect()) }
    }

    /// The same with a number. Panics if the pass has no such parameter: pipelines that are not text are our own.
    #[must_use]
    pub fn number(self, name: &str, number: u32) -> Self {
        self.with(name, |kind| match kind {
            ParameterKind::Number { .. } => Some(ParameterValue::Number(number)),
            ParameterKind::Choice(_) | ParameterKind::Text => None,
        })
    }

    /// The same with one of the words of a choice. Panics if the pass has no such parameter or word.
    #[must_use]
    pub fn choice(self, name: &str, word: &str) -> Self {
        self.with(name, |kind| match kind {
            ParameterKind::Choice(words) => {
                words.iter().position(|&known| known == word).map(ParameterValue::Choice)
            }
            ParameterKind::Number { .. } | ParameterKind::Text => None,
        })
    }

    /// The same with a text. Panics if the pass has no such parameter.
    #[must_use]
    pub fn text(self, name: &str, text: &str) -> Self {
        self.with(name, |kind| match kind {
            ParameterKind::Text => Some(ParameterValue::Text(text.to_owned())),
            ParameterKind::Number { .. } | ParameterKind::Choice(_) => None,
        })
    }

    fn with(mut self, name: &str, value: impl FnOnce(ParameterKind) -> Option<ParameterValue>) -> Self {
        let place = self.pass.parameters.iter().position(|parameter| parameter.name == name);
        let value = place.and_then(|place| Some((place, value(self.pass.parameters[place].kind)?)));
        let Some((place, value)) = value else {
            panic!("pass `{}` has no such parameter `{name}`", self.pass.name);
        };
        self.values.0[place] = value;
        self
    }
}

/// Stages in order.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// The stages.
    pub stages: Vec<Stage>,
}

/// What is wrong with the text of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PipelineError {
    /// A sentence that says it.
    pub message: String,
    /// Where in the text, in bytes.
    pub offset: usize,
}

/// Why a pipeline did not come to its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// A pass refused the program.
    #[error("pass `{pass}`: {refusal}")]
    Refused {
        /// Which.
        pass: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// A pass broke the program: a mistake of ours.
    #[error("pass `{pass}` broke the program: {problem}")]
    Broken {
        /// Which.
        pass: &'static str,
        /// What the check found.
        problem: String,
    },
    /// The work had to stop before the end.
    #[error("{0}")]
    Exhausted(Exhausted),
}

impl Pipeline {
    /// Reads a pipeline.
    ///
    /// # Errors
    /// When the text names an unknown pass, or parameters that the pass has not or that are out of range.
    pub fn parse(text: &str) -> Result<Self, PipelineError> {
        PipelineReader { text, offset: 0 }.pipeline()
    }

    /// Makes sure that all numbers are in range, which those of a pipeline that was read are.
    ///
    /// # Errors
    /// When one is not: a bound that is silently another one would be a wrong answer.
    pub fn check(&self) -> Result<(), PipelineError> {
        for stage in &self.stages {
            for (parameter, value) in stage.pass.parameters.iter().zip(&stage.values.0) {
                if let (ParameterKind::Number { least, most, .. }, ParameterValue::Number(number)) =
                    (parameter.kind, value)
                    && !(least..=most).contains(number)
                {
                    return Err(PipelineError {
                        message: out_of_range(parameter.name, least, most, number),
                        offset: 0,
                    });
                }
            }
        }
        Ok(())
    }

    /// The pass of this name, if there is one.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Pass> {
        PASSES.iter().copied().find(|pass| pass.name == name)
    }

    /// Runs all passes in order. `after` is shown the program after each of them. With `checked`, every pass must have
    /// left a program behind that prints, reads back and is the same.
    ///
    /// # Errors
    /// When a pass refuses the program, or breaks it, or the program's budget ends.
    pub fn run(
        &self,
        program: &mut Program,
        checked: bool,
        mut after: impl FnMut(usize, &Stage, &Program),
    ) -> Result<(), RunError> {
        for (place, stage) in self.stages.iter().enumerate() {
            let pass = stage.pass.name;
            let done = (stage.pass.run)(program, &stage.values);
            done.map_err(|refusal| match refusal.exhausted {
                Some(why) => RunError::Exhausted(why),
                None => RunError::Refused { pass, refusal },
            })?;
            program.budget.check().map_err(RunError::Exhausted)?;
            if checked {
                check::check(program).map_err(|problem| RunError::Broken { pass, problem })?;
            }
            after(place, stage, program);
        }
        Ok(())
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, stage) in self.stages.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{stage}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pass.name)?;
        let mut separator = "(";
        for (parameter, value) in self.pass.parameters.iter().zip(&self.values.0) {
            if *value == default(parameter) {
                continue;
            }
            write!(f, "{separator}{}=", parameter.name)?;
            match (value, parameter.kind) {
                (ParameterValue::Choice(place), ParameterKind::Choice(words)) => {
                    write!(f, "{}", words.get(*place).unwrap_or(&""))?;
                }
                (ParameterValue::Number(number), _) => write!(f, "{number}")?,
                (ParameterValue::Text(text), _) => write!(f, "{text}")?,
                (ParameterValue::Choice(_), ParameterKind::Number { .. } | ParameterKind::Text) => {}
            }
            separator = ",";
        }
        if separator == "," { write!(f, ")") } else { Ok(()) }
    }
}

fn out_of_range(name: &str, least: u32, most: u32, given: &dyn fmt::Display) -> String {
    format!("`{name}` is a number from {least} to {most}, not `{given}`")
}

fn default(parameter: &Parameter) -> ParameterValue {
    match parameter.kind {
        ParameterKind::Number { default, .. } => ParameterValue::Number(default),
        ParameterKind::Choice(_) => ParameterValue::Choice(0),
        ParameterKind::Text => ParameterValue::Text(String::new()),
    }
}

struct PipelineReader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> PipelineReader<'a> {
    fn error<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, PipelineError> {
        Err(PipelineError { message: message.into(), offset })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Passes by spaces, line ends and remarks.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.offset += blank;
            if !self.rest().starts_with('#') {
                return;
            }
            self.offset += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn eat(&mut self, character: char) -> bool {
        self.space();
        let found = self.rest().starts_with(character);
        if found {
            self.offset += character.len_utf8();
        }
        found
    }

    /// A name, number or other word: up to a separator.
    fn word(&mut self) -> &'a str {
        self.space();
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "(),=#".contains(c)).unwrap_or(rest.len());
        self.offset += end;
        &rest[..end]
    }

    fn pipeline(mut self) -> Result<Pipeline, PipelineError> {
        let mut stages = Vec::new();
        loop {
            while self.eat(',') {}
            let start = self.offset;
            let name = self.word();
            if name.is_empty() {
                if self.rest().is_empty() {
                    return Ok(Pipeline { stages });
                }
                return self.error(start, "the name of a pass is expected here");
            }
            let Some(pass) = Pipeline::find(name) else {
                let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                return self
                    .error(start, format!("there is no pass `{name}`; there are {}", known.join(", ")));
            };
            let values = self.values(pass)?;
            stages.push(Stage { pass, values });
        }
    }

    fn values(&mut self, pass: &'static Pass) -> Result<Values, PipelineError> {
        let mut given: Vec<Option<ParameterValue>> = pass.parameters.iter().map(|_| None).collect();
        if self.eat('(') {
            let mut next = 0;
            while !self.eat(')') {
                let start = self.offset;
                let first = self.word();
                let (place, word, at) = if self.eat('=') {
                    let place = pass.parameters.iter().position(|parameter| parameter.name == first);
                    let at = self.offset;
                    (place, self.word(), at)
                } else {
                    (Some(next), first, start)
                };
                let Some((place, parameter)) = place.and_then(|at| Some((at, pass.parameters.get(at)?)))
                else {
                    return self.error(start, format!("pass `{}` has no such parameter", pass.name));
                };
                if given[place].is_some() {
                    return self.error(start, format!("`{}` is given twice", parameter.name));
                }
                given[place] = Some(self.value(parameter, word, at)?);
                next = place + 1;
                if !self.eat(',') && !self.rest().starts_with(')') {
                    return self.error(self.offset, "`,` or `)` is expected here");
                }
            }
        }
        let values = given.into_iter().zip(pass.parameters);
        Ok(Values(values.map(|(value, parameter)| value.unwrap_or_else(|| default(parameter))).collect()))
    }

    fn value(&self, parameter: &Parameter, word: &str, at: usize) -> Result<ParameterValue, PipelineError> {
        let name = parameter.name;
        match parameter.kind {
            ParameterKind::Number { least, most, .. } => match word.parse::<u32>() {
                Ok(number) if (least..=most).contains(&number) => Ok(ParameterValue::Number(number)),
                Ok(_) | Err(_) => self.error(at, out_of_range(name, least, most, &word)),
            },
            ParameterKind::Choice(words) => match words.iter().position(|&known| known == word) {
                Some(place) => Ok(ParameterValue::Choice(place)),
                None => self.error(at, format!("`{name}` is one of {}, not `{word}`", words.join(", "))),
            },
            ParameterKind::Text => Ok(ParameterValue::Text(word.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Pipeline::parse(text).unwrap().to_string()
    }

    fn message(text: &str) -> String {
        Pipeline::parse(text).unwrap_err().message
    }

    #[test]
    fn pipelines_are_read_and_shown() {
        assert_eq!(shown("loops , switches,unroll(3)"), "loops,switches,unroll(bound=3)");
        assert_eq!(shown("unroll(beyond=assert, bound=3)"), "unroll(bound=3,beyond=assert)");
        assert_eq!(shown("# first\nloops\nswitches # then\n"), "loops,switches");
        assert_eq!(shown(""), "");
    }

    #[test]
    fn a_pipeline_that_is_no_text_is_the_same_as_its_text() {
        use crate::schema::{LalReps, Lazy};
        let schedule = Some("main, t1:t1".parse().unwrap());
        let lazy = Lazy { schedule, unwind: 3, deadlock: true, constant: Some(7), ..Lazy::default() };
        for made in [
            lazy.pipeline(),
            Lazy::default().pipeline(),
            LalReps { misuse: true, ..LalReps::default() }.pipeline(),
        ] {
            assert_eq!(shown(&made.to_string()), made.to_string());
        }
        let huge = Lazy { unwind: u32::MAX, ..Lazy::default() }.pipeline();
        assert!(huge.check().unwrap_err().message.starts_with("`bound` is a number from 1 to"));
        assert!(
            lazy.pipeline().check().is_ok()
                && lazy.pipeline().to_string().contains(",bounds(most=7),unroll(bound=3,which=visible),")
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(message("loops,nothing").starts_with("there is no pass `nothing`; there are"));
        assert!(message("unroll(0)").contains("from 1 to"));
        assert!(message("unroll(x)").contains("not `x`"));
        assert!(message("unroll(beyond=never)").contains("one of"));
        assert!(message("unroll(1,bound=2)").contains("twice"));
        assert!(message("loops(3)").contains("no such parameter"));
        assert!(message("unroll(2 3)").contains("expected"));
        assert!(message("unroll(2").contains("expected") || !message("unroll(2").is_empty());
        assert!(message("loops)").contains("expected"));
    }
}
