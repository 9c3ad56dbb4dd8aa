//! What is proved, of which program, and by what certificate: what is kept of a proof, written to files and checked again.
//!
//! Nothing of it is believed: [`Statement::check`] derives from the program what has to be shown. A statement that says less than what is asked proves
//! less, so whoever checks one tells what it says.

use std::sync::Arc;

use raddle_base::{Budget, Span};
use raddle_ir::text::print_program;
use raddle_ir::{Program, Property};
use raddle_verdict::CheckedProof;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certificate::Certificate;
use crate::checker::{Claim, Rejected, check, check_product};
use crate::product::Product;

/// That some properties hold in all executions of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The program: see [`fingerprint`].
    pub program: String,
    /// The properties that hold.
    #[serde(serialize_with = "write_names", deserialize_with = "read_names")]
    pub asked: Vec<Property>,
    /// Properties that a thread may break: it takes no more steps then.
    #[serde(serialize_with = "write_names", deserialize_with = "read_names")]
    pub excused: Vec<Property>,
    /// What shows it.
    pub certificate: Kind,
}

/// A certificate of some kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Invariants at locations of threads.
    ThreadModular(Certificate),
    /// Predicates over the product of a bounded number of threads.
    Product(Product),
}

impl Statement {
    /// That some properties hold in a program, others excused.
    #[must_use]
    pub fn new(
        program: &Program,
        (asked, excused): (Vec<Property>, Vec<Property>),
        certificate: Kind,
    ) -> Self {
        Self { program: fingerprint(program), asked, excused, certificate }
    }

    /// Checks that it is true of a program. The proof keeps the statement.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<CheckedProof, Rejected> {
        let reject = |why: &str| Rejected { why: why.to_owned(), at: Span::NONE, other: None, missing: None };
        if self.program != fingerprint(program) {
            return Err(reject("the certificate is about another program"));
        }
        if self.asked.iter().any(|property| self.excused.contains(property)) {
            return Err(reject("what is to be proved must not be excused"));
        }
        let claim = Claim { program, asked: self.asked.clone(), excused: self.excused.clone() };
        let proof = match &self.certificate {
            Kind::ThreadModular(certificate) => check(&claim, certificate, budget)?,
            Kind::Product(certificate) => {
                check_product(&claim, certificate, budget).map_err(|unproved| unproved.why)?
            }
        };
        Ok(proof.with_certificate(self.text()))
    }

    /// As text.
    #[must_use]
    pub fn text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("a statement is plain data").into()
    }

    /// What [`text`](Self::text) makes.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// A word for a program by its text (FNV-1a), wherever its files lie: tells whether it is the same one, so that people are told if it is not.
/// No proof rests on it.
#[must_use]
pub fn fingerprint(program: &Program) -> String {
    let text = print_program(program, None);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut rest = text.as_str();
    while let Some(first) = rest.as_bytes().first() {
        // Where something stands in files makes no difference.
        let skipped = span_length(rest);
        if skipped > 0 {
            rest = rest.get(skipped..).unwrap_or_default();
            continue;
        }
        hash = (hash ^ u64::from(*first)).wrapping_mul(0x0100_0000_01b3);
        let width = rest.chars().next().map_or(1, char::len_utf8);
        rest = rest.get(width..).unwrap_or_default();
    }
    format!("fnv1a:{hash:016x}")
}

/// How long a source span (`@12-17`) is with which a text begins; zero if it begins with none.
fn span_length(text: &str) -> usize {
    let Some(numbers) = text.strip_prefix('@') else { return 0 };
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let low = digits(numbers);
    let Some(rest) = numbers.get(low..).and_then(|rest| rest.strip_prefix('-')) else { return 0 };
    let high = digits(rest);
    if low == 0 || high == 0 { 0 } else { low + high + 2 }
}

#[expect(clippy::ptr_arg, reason = "serde gives what the field holds")]
fn write_names<S: Serializer>(properties: &Vec<Property>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(properties.iter().map(|property| property.name()))
}

fn read_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Property>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let property = |name: &String| {
        Property::from_name(name)
            .ok_or_else(|| serde::de::Error::custom(format!("there is no property `{name}`")))
    };
    names.iter().map(property).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Constraint, Location, Quantity, Reading, Relation, Side};
    use raddle_base::Id as _;
    use raddle_ir::text::parse_program;
    use raddle_ir::{BlockId, FunctionId, Point, Site};

    fn program(value: u32, span: &str) -> Program {
        let text = format!(
            "program pointer_bits 64 entry f0
            function f0 \"main\" () {{
              registers r0: i1
            b0:
              r0 = equal i32 {value}, i32 3
              check assertion r0, \"three is @1-2\" {span}
              exit_process i32 0
            }}"
        );
        parse_program(&text).unwrap()
    }

    /// At the start everything is possible, and that suffices.
    fn statement(program: &Program) -> Statement {
        let site = Site { function: FunctionId::from_index(0), block: BlockId::from_index(0), index: 0 };
        let start = Location {
            template: 0,
            point: Point { frame: Vec::new(), site },
            constants: Vec::new(),
            invariant: vec![Vec::new()],
        };
        let certificate = Certificate {
            templates: vec![FunctionId::from_index(0)],
            locations: vec![start],
            ..Certificate::default()
        };
        Statement {
            program: fingerprint(program),
            asked: vec![Property::Assertion],
            excused: vec![Property::MemorySafety],
            certificate: Kind::ThreadModular(certificate),
        }
    }

    #[test]
    fn a_program_is_told_by_its_text_wherever_it_stands() {
        let three = fingerprint(&program(3, "@5-6"));
        assert_eq!(three, fingerprint(&program(3, "@17-28")));
        assert_ne!(three, fingerprint(&program(4, "@5-6")));
        let lengths = ["@12-3 x", "@x", "@12", "@12-", "@-3", ""].map(span_length);
        assert_eq!(lengths, [5, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_proof_keeps_what_was_checked() {
        let program = program(3, "@5-6");
        let statement = statement(&program);
        let proof = statement.check(&program, &Budget::unlimited()).unwrap();
        let kept = Statement::from_text(proof.certificate().unwrap()).unwrap();
        assert_eq!(kept, statement);
        assert!(statement.text().contains(r#""asked":["assertion"]"#), "{}", statement.text());
    }

    #[test]
    fn what_is_not_true_or_about_something_else_is_rejected() {
        let (three, four) = (program(3, "@5-6"), program(4, "@5-6"));
        let why = |statement: &Statement, program| {
            statement.check(program, &Budget::unlimited()).unwrap_err().to_string()
        };
        assert_eq!(why(&statement(&three), &four), "the certificate is about another program");
        assert_ne!(why(&statement(&four), &four), "the certificate is about another program");
        let mut excused = statement(&three);
        excused.excused.push(Property::Assertion);
        assert_eq!(why(&excused, &three), "what is to be proved must not be excused");
        let unknown = statement(&three).text().replace("assertion", "beauty");
        let error = Statement::from_text(&unknown).unwrap_err().to_string();
        assert!(error.starts_with("there is no property `beauty`"), "{error}");
    }

    #[test]
    fn large_factors_survive() {
        let program = program(3, "@5-6");
        let mut statement = statement(&program);
        let Kind::ThreadModular(certificate) = &mut statement.certificate else {
            panic!("a statement of another kind");
        };
        let reading = Reading { quantity: Quantity::Identity, signed: false, side: Side::Left };
        certificate.locations[0].invariant[0].push(Constraint {
            terms: vec![(i128::MIN, reading)],
            constant: i128::MAX,
            relation: Relation::LessEqual,
        });
        assert_eq!(Statement::from_text(&statement.text()).unwrap(), statement);
    }
}
