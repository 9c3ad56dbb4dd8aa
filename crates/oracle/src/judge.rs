//! Cases and their variants, given to an engine: right or unknown, never wrong.

use std::collections::BTreeMap;
use std::fmt;

use raddle_base::Budget;
use raddle_cfront::layout::DataModel;
use raddle_engines::{Evidence, Verdict};
use raddle_ir::Property;

use crate::build::{Built, build_as, model_name, preprocess};
use crate::cases::{Case, for_each};
use crate::compare::{Disagreement, Finding, Question, ask, compare};
use crate::truth::{Enumeration, InputDomain, Truth, within_bound};
use crate::variant::{VariantKind, variants};

/// Searches of cases within a bound are given up beyond so many states.
const MAX_STATES: u64 = 50_000;

/// What is true of executions of few context switches.
fn within_contexts(
    built: &Built,
    properties: &[Property],
    question: &Question<'_>,
) -> Vec<(Property, Truth)> {
    let how = Enumeration {
        domain: InputDomain::Any,
        memory_model: question.memory_model,
        max_states: MAX_STATES,
        rounds: None,
        contexts: question.contexts,
        budget: &Budget::unlimited().with_time(question.time),
    };
    within_bound(&built.program, properties, &how)
}

/// What an engine made of a case, or of a variant of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// `topic/name (lp64)`, and what was done to it.
    pub name: String,
    /// What was done to it.
    pub kind: Option<VariantKind>,
    /// What came of each property; what is wrong with the program if it cannot be built.
    pub findings: Result<Vec<(Property, Finding)>, String>,
}

/// Gives cases, and with `with_variants` all their variants, to an engine. Each case's own result comes before those of its
/// variants.
#[must_use]
pub fn judge(cases: &[Case], question: &Question<'_>, jobs: usize, with_variants: bool) -> Vec<Judged> {
    for_each(cases, jobs, &|case, model| judge_one(case, model, question, with_variants))
}

fn judge_one(case: &Case, model: DataModel, question: &Question<'_>, with_variants: bool) -> Vec<Judged> {
    let name = format!("{} ({})", case.name, model_name(model));
    let text = match preprocess(&case.path, model) {
        Ok(text) => text,
        Err(why) => return vec![Judged { name, kind: None, findings: Err(why) }],
    };
    let answer = |text: &[u8]| {
        let built = build_as("case.i", text, model, case.lowering())?;
        Ok(findings(case, &built, question))
    };
    let mut judged = vec![Judged { name: name.clone(), kind: None, findings: answer(&text) }];
    if with_variants {
        for variant in variants(&text, model) {
            let line = if variant.line > 0 { format!(" at line {}", variant.line) } else { String::new() };
            judged.push(Judged {
                name: format!("{name}, {}{line}", variant.kind),
                kind: Some(variant.kind),
                findings: answer(&variant.text),
            });
        }
    }
    judged
}

fn findings(case: &Case, built: &Built, question: &Question<'_>) -> Vec<(Property, Finding)> {
    let (properties, model) = (&case.properties, question.memory_model);
    let answer = ask(question, built, properties, &case.bounds);
    let mut truths = case.truths(model);
    if question.contexts.is_some() {
        truths.in_contexts = within_contexts(built, properties, question);
    }
    let mut findings = compare(&built.program, properties, &truths, &answer, model);
    let Ok(outcome) = &answer.outcome else { return findings };
    // What comes upon something that is not supported cannot be safe, and undefined behaviour is reported just where it is.
    let cannot_be_safe = case.is_unknown() || case.ends_undefined;
    for ((_, finding), answer) in findings.iter_mut().zip(&outcome.answers) {
        let verdict = &answer.verdict;
        let is_wrong = match verdict {
            Verdict::Safe(Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_)) => {
                cannot_be_safe
            }
            // Who does not look for a property does not know whether executions end by what it is about.
            Verdict::SafeUnless(..) => {
                !case.ends_undefined
                    && properties.iter().all(|&property| question.engine.card().offers(property))
            }
            Verdict::Safe(Evidence::Bounded(_)) | Verdict::Violated(_) | Verdict::Unknown(_) => false,
        };
        if is_wrong {
            *finding = Finding::Disagreement(Disagreement::WrongSafe);
        }
    }
    findings
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct JudgeReport {
    /// Programs: cases, and variants of each kind.
    pub programs: BTreeMap<Option<VariantKind>, usize>,
    /// How many properties came out right, bounded, unknown.
    pub right: usize,
    /// Safe up to bounds.
    pub bounded: usize,
    /// Not known.
    pub unknown: usize,
    /// Wrong verdicts, programs that cannot be built.
    pub failures: Vec<String>,
    /// What the engine decides of a case, but not of a variant.
    pub weaker: Vec<String>,
    /// What is not decided of the cases themselves: case, property, why.
    pub undecided: Vec<String>,
}

impl JudgeReport {
    /// Sums up.
    #[must_use]
    pub fn new(judged: &[Judged]) -> Self {
        let mut report = Self::default();
        let mut original: Vec<(Property, Finding)> = Vec::new();
        for one in judged {
            *report.programs.entry(one.kind).or_default() += 1;
            let findings = match &one.findings {
                Ok(findings) => findings,
                Err(why) => {
                    report.failures.push(format!("{}: cannot be built: {why}", one.name));
                    continue;
                }
            };
            for (property, finding) in findings {
                let known = original.iter().find(|(of, _)| of == property).map(|(_, finding)| finding);
                report.add(&one.name, one.kind.is_some(), *property, finding, known);
            }
            if one.kind.is_none() {
                original.clone_from(findings);
            }
        }
        report
    }

    fn add(
        &mut self,
        name: &str,
        is_variant: bool,
        property: Property,
        finding: &Finding,
        original: Option<&Finding>,
    ) {
        let line = |why: &str| format!("{name}: {}: {why}", property.name());
        let why = match finding {
            Finding::Violated | Finding::Beyond | Finding::Safe | Finding::Unchecked => {
                self.right += 1;
                return;
            }
            Finding::Disagreement(what) => {
                self.failures.push(line(&what.to_string()));
                return;
            }
            Finding::Bounded(_) => {
                self.bounded += 1;
                "safe up to bounds"
            }
            Finding::Unknown(why) => {
                self.unknown += 1;
                why
            }
        };
        if !is_variant {
            self.undecided.push(line(why));
        } else if matches!(original, Some(Finding::Violated | Finding::Beyond | Finding::Safe)) {
            self.weaker.push(line(why));
        }
    }
}

impl fmt::Display for JudgeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in &self.programs {
            let what = kind.map_or_else(|| "cases".to_owned(), |kind| kind.to_string());
            writeln!(f, "  {what}: {count}")?;
        }
        writeln!(
            f,
            "{} verdicts right, {} bounded, {} unknown, {} wrong, {} weaker than for the case itself",
            self.right,
            self.bounded,
            self.unknown,
            self.failures.len(),
            self.weaker.len()
        )
    }
}
