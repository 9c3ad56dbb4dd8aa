//! SV-COMP's property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! Read strictly: a formula that is not known is refused, never passed over, since an answer to another question would look
//! like an answer to this one. What is known and cannot be answered is refused with its reason.

use std::ops::Range;

use raddle_ir::Property;
use raddle_lower::{ArithmeticChecks, LowerOptions, SignedOverflow};

/// What a property file asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Each once.
    pub(super) properties: Vec<Property>,
    /// Labels that must not be reached.
    pub(super) error_labels: Vec<String>,
    /// Whose rules hold.
    pub(super) rules: Rules,
}

/// What executions count, and what signed overflow is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rules {
    /// Ours: undefined behaviour is never a proof.
    #[default]
    Ours,
    /// SV-COMP's: executions that end by undefined behaviour which is not asked for do not count.
    SvComp,
}

impl Asked {
    /// The properties whose violations may end executions without a word.
    pub(super) fn excused(&self) -> Vec<Property> {
        match self.rules {
            Rules::Ours => Vec::new(),
            Rules::SvComp => {
                let all = Property::ALL.iter().copied();
                all.filter(|property| property.is_about_undefined_behaviour()).collect()
            }
        }
    }

    /// How the program is to be lowered, given what the command line says of signed overflow.
    pub(super) fn lowering(&self, signed_overflow: Option<SignedOverflow>) -> LowerOptions {
        let otherwise = match self.rules {
            Rules::Ours => SignedOverflow::Wraps,
            Rules::SvComp => SignedOverflow::Undefined,
        };
        LowerOptions {
            arithmetic: ArithmeticChecks::of(&self.properties),
            signed_overflow: signed_overflow.unwrap_or(otherwise),
            error_labels: self.error_labels.clone(),
            ..LowerOptions::default()
        }
    }
}

/// What is wrong with a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) message: String,
    /// Where in the text.
    pub(super) at: Range<usize>,
    /// What to do about it.
    pub(super) help: Option<&'static str>,
    /// Whether the file is fine and only asks for what cannot be answered.
    pub(super) refused: bool,
}

/// One formula.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Formula {
    Call(String),
    Label(String),
    Never(Property),
    Always(Property),
    ValidFree,
    ValidDereference,
    Refused(&'static str),
}

/// Reads a property file.
pub(super) fn parse(text: &str) -> Result<Asked, Problem> {
    let mut reader = Reader { text, at: 0 };
    let mut formulas = Vec::new();
    loop {
        formulas.push(reader.check()?);
        if reader.peek().is_none() {
            break;
        }
    }
    asked(&formulas)
}

fn asked(formulas: &[(Formula, Range<usize>)]) -> Result<Asked, Problem> {
    let refuse = |message: String, at: &Range<usize>, help| {
        Err(Problem { message, at: at.clone(), help, refused: true })
    };
    let has = |wanted: &Formula| formulas.iter().any(|(formula, _)| formula == wanted);
    let mut asked = Asked::default();
    for (formula, at) in formulas {
        let property = match formula {
            Formula::Call(name) => {
                if !matches!(name.as_str(), "reach_error" | "__VERIFIER_error") {
                    let message = format!("calls of `{name}` are not looked for");
                    let help = "the error functions are `reach_error` and `__VERIFIER_error`";
                    return refuse(message, at, Some(help));
                }
                Property::Assertion
            }
            Formula::Label(name) => {
                asked.error_labels.push(name.clone());
                Property::Assertion
            }
            Formula::Never(property) | Formula::Always(property) => *property,
            Formula::ValidFree | Formula::ValidDereference => {
                if !(has(&Formula::ValidFree) && has(&Formula::ValidDereference)) {
                    let message = "valid-free and valid-deref are only checked together".to_owned();
                    return refuse(message, at, Some("ask for both"));
                }
                Property::MemorySafety
            }
            Formula::Refused(what) => return refuse(format!("{what} is not checked"), at, None),
        };
        if !asked.properties.contains(&property) {
            asked.properties.push(property);
        }
    }
    Ok(asked)
}

/// Reads from left to right.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// A word or a sign, and where it stands; nothing at the end.
    fn peek(&mut self) -> Option<(&'t str, Range<usize>)> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let rest = &self.text[self.at..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = match rest.find(|c| !is_word(c)) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        (length > 0).then(|| (&rest[..length], self.at..self.at + length))
    }

    fn next(&mut self) -> Option<(&'t str, Range<usize>)> {
        let token = self.peek()?;
        self.at = token.1.end;
        Some(token)
    }

    fn wrong<T>(&mut self, expected: &str) -> Result<T, Problem> {
        let (found, at) = match self.peek() {
            Some((found, at)) => (format!("`{found}`"), at),
            None => {
                let end = self.text.trim_end().len();
                ("the end of the file".to_owned(), end..end)
            }
        };
        let message = format!("expected {expected}, found {found}");
        let help = Some("a property looks like `CHECK( init(main()), LTL(G ! call(reach_error())) )`");
        Err(Problem { message, at, help, refused: false })
    }

    fn expect(&mut self, words: &[&str]) -> Result<(), Problem> {
        for word in words {
            match self.peek() {
                Some((found, _)) if found == *word => self.next(),
                _ => return self.wrong(&format!("`{word}`")),
            };
        }
        Ok(())
    }

    /// A name of C.
    fn name(&mut self) -> Result<String, Problem> {
        let is_name = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !word.contains('-')
        };
        match self.peek() {
            Some((word, _)) if is_name(word) => {
                self.next();
                Ok(word.to_owned())
            }
            _ => self.wrong("a name"),
        }
    }

    /// `CHECK( init(main()), LTL(…) )`
    fn check(&mut self) -> Result<(Formula, Range<usize>), Problem> {
        if let Some(("COVER", at)) = self.peek() {
            let message = "coverage is not checked".to_owned();
            return Err(Problem { message, at, help: None, refused: true });
        }
        self.expect(&["CHECK", "(", "init", "("])?;
        if let Some((entry, at)) = self.peek()
            && entry != "main"
        {
            let message = format!("a program starts in `main`, not in `{entry}`");
            return Err(Problem { message, at, help: None, refused: false });
        }
        self.expect(&["main", "(", ")", ")", ",", "LTL", "("])?;
        let begin = self.peek().map_or(self.text.len(), |(_, at)| at.start);
        let formula = self.formula()?;
        let end = self.at;
        self.expect(&[")", ")"])?;
        Ok((formula, begin..end))
    }

    fn formula(&mut self) -> Result<Formula, Problem> {
        match self.peek() {
            Some(("F", _)) => {
                self.expect(&["F", "end"])?;
                Ok(Formula::Refused("termination"))
            }
            Some(("G", _)) => {
                self.next();
                if let Some(("!", _)) = self.peek() {
                    self.next();
                    return self.never();
                }
                self.always()
            }
            _ => self.wrong("`G` or `F`"),
        }
    }

    /// What comes after `G !`.
    fn never(&mut self) -> Result<Formula, Problem> {
        let formula = match self.peek().map(|(word, _)| word) {
            Some("call") => {
                self.expect(&["call", "("])?;
                let name = self.name()?;
                self.expect(&["(", ")", ")"])?;
                return Ok(Formula::Call(name));
            }
            Some("label") => {
                self.expect(&["label", "("])?;
                let name = self.name()?;
                self.expect(&[")"])?;
                return Ok(Formula::Label(name));
            }
            Some("overflow") => Formula::Never(Property::Overflow),
            Some("data-race") => Formula::Never(Property::DataRace),
            Some("deadlock") => Formula::Never(Property::Deadlock),
            _ => return self.wrong("`call`, `label`, `overflow`, `data-race` or `deadlock`"),
        };
        self.next();
        Ok(formula)
    }

    /// What comes after `G`.
    fn always(&mut self) -> Result<Formula, Problem> {
        let formula = match self.peek().map(|(word, _)| word) {
            Some("valid-free") => Formula::ValidFree,
            Some("valid-deref") => Formula::ValidDereference,
            Some("valid-memtrack") => Formula::Always(Property::Leak),
            Some("valid-memcleanup") => Formula::Always(Property::Cleanup),
            Some("def-behavior") => Formula::Refused("the absence of all undefined behaviour"),
            _ => return self.wrong("`!`, `valid-free`, `valid-deref` or `valid-memtrack`"),
        };
        self.next();
        Ok(formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str) -> String {
        format!("CHECK( init(main()), LTL({formula}) )\n")
    }

    #[test]
    fn what_is_known_is_read() {
        for (formula, property) in [
            ("G ! call(reach_error())", Property::Assertion),
            ("G ! call(__VERIFIER_error())", Property::Assertion),
            ("G ! overflow", Property::Overflow),
            ("G ! data-race", Property::DataRace),
            ("G ! deadlock", Property::Deadlock),
            ("G valid-memtrack", Property::Leak),
            ("G valid-memcleanup", Property::Cleanup),
        ] {
            let expected = Asked { properties: vec![property], ..Asked::default() };
            assert_eq!(parse(&check(formula)), Ok(expected), "{formula}");
        }
        let label = parse("CHECK(init(main()),LTL(G!label(ERROR)))").unwrap();
        assert_eq!(
            (label.properties, label.error_labels),
            (vec![Property::Assertion], vec!["ERROR".to_owned()])
        );
        let memory = ["G valid-free", "G valid-deref", "G valid-memtrack"].map(check).join("\n");
        let memory = parse(&memory).unwrap();
        assert_eq!(memory.properties, [Property::MemorySafety, Property::Leak]);
    }

    #[test]
    fn what_cannot_be_answered_is_refused() {
        for (text, message) in [
            (check("F end"), "termination is not checked"),
            (check("G def-behavior"), "the absence of all undefined behaviour is not checked"),
            (check("G valid-free"), "valid-free and valid-deref are only checked together"),
            (check("G ! call(abort())"), "calls of `abort` are not looked for"),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(), "coverage is not checked"),
        ] {
            let problem = parse(&text).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.refused), (message, true), "{text}");
        }
    }

    #[test]
    fn what_is_no_property_is_an_error_with_its_place() {
        for (text, message, at) in [
            ("", "expected `CHECK`, found the end of the file", 0..0),
            ("check(", "expected `CHECK`, found `check`", 0..5),
            ("CHECK( init(start()), LTL(F end) )", "a program starts in `main`, not in `start`", 12..17),
            ("CHECK( init(main()), LTL(X end) )", "expected `G` or `F`, found `X`", 25..26),
            ("CHECK( init(main()), LTL(G ! call(f)) )", "expected `(`, found `)`", 35..36),
            ("CHECK( init(main()), LTL(G ! call(f()))", "expected `)`, found the end of the file", 39..39),
            ("CHECK( init(main()), LTL(F end) ) €", "expected `CHECK`, found `€`", 34..37),
        ] {
            let problem = parse(text).unwrap_err();
            assert_eq!(
                (problem.message.as_str(), problem.at, problem.refused),
                (message, at, false),
                "{text}"
            );
        }
    }
}
