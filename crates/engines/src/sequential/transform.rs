//! From the input to a sequential program of the IR, by the passes of a schema.

use raddle_base::{Budget, Diagnostics, Severity, Span, on_large_stack};
use raddle_cfront::ast::Ast;
use raddle_cfront::check::{Checker, TreeBuilder};
use raddle_cfront::link::{UnitRange, link};
use raddle_lower::{Environment, LowerOptions, Lowered, SignedOverflow, lower, models_in};
use raddle_sequentialize::linemap::Printed;
use raddle_sequentialize::passes::labels;
use raddle_sequentialize::pipeline::Stage;
use raddle_sequentialize::{Pipeline, Program as Tree, RunError};

use crate::Reason;
use crate::task::Source;

/// A sequential program.
#[derive(Debug)]
pub(crate) struct Made {
    tree: Tree,
    /// The world around the program.
    environment: Environment,
    /// How many rounds it goes through.
    pub(crate) rounds: u32,
    /// Whether some loop or recursion may be cut off.
    pub(crate) is_cut: bool,
    /// Where threads can be left.
    pub(crate) labels: Labels,
}

impl Made {
    /// Ready for our own checker, with signed overflow as it is in the input.
    pub(crate) fn lower(&self, signed_overflow: SignedOverflow) -> Result<raddle_ir::Program, Reason> {
        on_large_stack(|| {
            // What is left of the library (printing, for one) has models that are needed again.
            let ast = with_models(&self.tree, &self.environment)?;
            let arguments = vec!["program".to_owned()];
            let environment = self.environment.clone();
            let options = LowerOptions { arguments, signed_overflow, environment, ..LowerOptions::default() };
            let Lowered { program, diagnostics } = lower(&ast, options, 1);
            let program = program.ok_or_else(|| internal("the sequential program", &diagnostics))?;
            raddle_ir::validate::debug_validate(&program, "sequentialization");
            Ok(program)
        })
    }

    /// As C, for others.
    pub(crate) fn print(&self) -> Printed {
        on_large_stack(|| raddle_sequentialize::linemap::print(&self.tree))
    }
}

/// Where in the input a thread stands when it is left at a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before this statement.
    Before(Span),
    /// At its end.
    End,
}

/// The labels of all threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// For each thread, where its labels stand; the last is its end.
    pub(super) places: Vec<Vec<Span>>,
}

impl Labels {
    /// Where a thread stands at a label.
    pub(crate) fn place(&self, thread: u32, label: u32) -> Option<Place> {
        let places = self.places.get(thread as usize)?;
        let place = *places.get(label as usize)?;
        Some(if label as usize + 1 == places.len() { Place::End } else { Place::Before(place) })
    }

    /// The last label of each thread.
    pub(crate) fn ends(&self) -> Vec<u32> {
        let last = |places: &Vec<Span>| u32::try_from(places.len()).unwrap_or(u32::MAX).saturating_sub(1);
        self.places.iter().map(last).collect()
    }

    /// How many there are in all.
    pub(crate) fn count(&self) -> usize {
        self.places.iter().map(Vec::len).sum()
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.places.len()
    }

    fn of(tree: &Tree) -> Self {
        let threads = tree.sequential.iter().flat_map(|sequential| &sequential.threads);
        Self {
            places: threads.map(|thread| thread.points.iter().map(|point| point.span).collect()).collect(),
        }
    }
}

/// Runs a pipeline on the input.
pub(crate) fn transform(source: &Source<'_>, pipeline: &Pipeline, budget: &Budget) -> Result<Made, Reason> {
    on_large_stack(|| {
        pipeline.check().map_err(|error| Reason::Other(error.message))?;
        let mut tree = Tree::new(source.sources.clone(), source.ast.clone(), 1);
        tree.budget = budget.clone();
        let mut is_cut = false;
        let look = |_: usize, stage: &Stage, tree: &Tree| {
            // The last pass before the schema.
            if std::ptr::eq(stage.pass, &labels::PASS) {
                is_cut = raddle_sequentialize::flow::may_be_cut(tree);
            }
        };
        pipeline.run(&mut tree, cfg!(debug_assertions), look).map_err(refused)?;
        let labels = Labels::of(&tree);
        let rounds = tree.sequential.as_ref().map_or(0, |sequential| sequential.rounds.len());
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        Ok(Made { tree, environment: source.lowering.environment.clone(), rounds, is_cut, labels })
    })
}

fn refused(error: RunError) -> Reason {
    match error {
        RunError::Refused { pass, refusal } => {
            Reason::Unsupported { what: format!("{} (pass `{pass}`)", refusal.message), span: refusal.span }
        }
        RunError::Exhausted(why) => Reason::Exhausted(why),
        error @ RunError::Broken { .. } => Reason::Internal { message: error.to_string(), trace: None },
    }
}

fn internal(what: &str, diagnostics: &Diagnostics) -> Reason {
    let error = diagnostics.iter().find(|found| found.severity == Severity::Error);
    let why = error.map_or_else(String::new, |error| format!(": {}", error.message));
    Reason::Internal { message: format!("{what} cannot be lowered{why}"), trace: None }
}

/// The program with the API models as one more unit.
fn with_models(tree: &Tree, environment: &Environment) -> Result<Ast, Reason> {
    let (name, text) = models_in(environment);
    let mut sources = tree.sources.clone();
    let Some(file) = sources.add(name, text.into_bytes()) else {
        return Err(Reason::Other("the program's texts are too large".to_owned()));
    };
    let model = tree.ast().model;
    let before = UnitRange::starting(&Ast::new(model)).ending(tree.ast());
    let start = UnitRange::starting(tree.ast());
    let checker = Checker::over(TreeBuilder::over(tree.ast().clone()));
    let mut ast = raddle_cfront::parse_unit(&mut sources, file, checker).tree.ast;
    let added = start.ending(&ast);
    let mut diagnostics = Diagnostics::new();
    link(&mut ast, &[before, added], &mut diagnostics);
    if diagnostics.has_errors() { Err(internal("the models", &diagnostics)) } else { Ok(ast) }
}
