//! An installed solver as a [`Solver`]: one process for each check, which is given the whole question.
//!
//! Slower to start than the embedded solver and independent of it, which is the point. Models are read back,
//! so evaluation can check them.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use raddle_base::process::{self, Ending, Limits};
use raddle_base::{Budget, Exhausted};

use super::read::{self, Sexp};
use super::write::{assertion_name, assumption_name, node_name, question};
use crate::solver::record::{Assertion, OrderEdge};
use crate::solver::{Answer, Core, Name, NodeId, QueryRecord, Solver, SolverError, Statistics, Stop};
use crate::term::print::symbol_text;
use crate::term::{Model, TermId, Terms, Value};

/// How to start a solver that reads SMT-LIB from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    arguments: Vec<String>,
    advice: String,
}

/// The solvers known by name: name, program, arguments, how to get it.
const KNOWN: &[(&str, &str, &[&str], &str)] = &[
    ("z3", "z3", &["-in", "-smt2"], "install it, for example with `apt install z3`"),
    ("cvc5", "cvc5", &["--lang=smt2", "--produce-models"], "install it, for example with `apt install cvc5`"),
    ("bitwuzla", "bitwuzla", &["--lang", "smt2", "-"], "install it from bitwuzla.github.io"),
    ("yices", "yices-smt2", &["--incremental"], "install it, for example with `apt install yices2`"),
];

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

impl Command {
    /// `z3`, `cvc5`, `bitwuzla`, `yices`, or any command line, split at spaces.
    #[must_use]
    pub fn named(text: &str) -> Self {
        if let Some(&(_, program, arguments, advice)) = KNOWN.iter().find(|known| known.0 == text) {
            let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
            return Self { program: program.to_owned(), arguments, advice: advice.to_owned() };
        }
        let mut words = text.split_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_default();
        let advice = "name one of z3, cvc5, bitwuzla, yices, or a command that reads SMT-LIB from its input";
        Self { program, arguments: words.collect(), advice: advice.to_owned() }
    }

    /// Whether the program can be started; the error says what to install.
    pub fn available(&self) -> Result<(), SolverError> {
        self.run("(exit)\n", &Budget::unlimited()).map(drop)
    }

    /// What the solver prints when it is given this text, or that the budget ended.
    pub fn run(&self, text: &str, budget: &Budget) -> Result<Result<String, Exhausted>, SolverError> {
        let words: Vec<OsString> =
            std::iter::once(&self.program).chain(&self.arguments).map(OsString::from).collect();
        let limits = Limits {
            wall: budget.remaining().unwrap_or(Duration::MAX),
            cpu: None,
            memory_bytes: budget.memory_limit().unwrap_or(u64::MAX),
        };
        let ended = || budget.check().is_err();
        let run = process::run_with_input(&words, text.as_bytes().to_vec(), &limits, &ended);
        let run = run.map_err(|error| SolverError::Missing {
            program: self.program.clone(),
            why: error.to_string(),
            advice: self.advice.clone(),
        })?;
        Ok(match run.ending {
            Ending::Code(_) | Ending::Signal(_) => Ok(run.stdout),
            Ending::OverMemory => Err(Exhausted::Memory),
            Ending::OverTime => Err(Exhausted::Time),
            Ending::Cancelled => Err(budget.check().err().unwrap_or(Exhausted::Time)),
        })
    }
}

/// Pipes each question to an installed solver. See [`Solver`].
#[derive(Debug)]
pub struct External {
    command: Command,
    record: QueryRecord,
    outcome: ExternalResult,
    asserted: u64,
    checks: u64,
}

/// What the last check found.
#[derive(Debug)]
enum ExternalResult {
    None,
    Model(Model, Vec<NodeId>),
    Core(Core),
}

impl External {
    /// Over this command, which is started at the first check.
    #[must_use]
    pub fn new(command: Command) -> Self {
        Self {
            command,
            record: QueryRecord::default(),
            outcome: ExternalResult::None,
            asserted: 0,
            checks: 0,
        }
    }

    fn unexpected(&self, answer: &str) -> SolverError {
        let first = answer.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing at all");
        let answer = first.chars().take(200).collect();
        SolverError::Unexpected { program: self.command.program.clone(), answer }
    }

    /// The symbols' values and the nodes' order, from the answers to `get-value`.
    fn read_model(
        &self,
        terms: &Terms,
        symbols: &[TermId],
        answers: &[Sexp],
    ) -> Option<(Model, Vec<NodeId>)> {
        let mut model = Model::new();
        let mut values = answers.iter().map(|answer| answer.list()?.first()?.list()?.get(1));
        for &term in symbols {
            let symbol = terms.as_symbol(term)?;
            match read::value(values.next()??)? {
                Value::Bool(value) => model.set_bool(symbol, value),
                Value::Bits { value, .. } => model.set_bits(symbol, value),
                Value::Array(value) => model.set_array(symbol, value),
            }
        }
        let mut placed: Vec<(i128, NodeId, NodeId)> = Vec::new();
        // The first node of a block stands for it where integers are equal.
        let mut firsts: indexmap::IndexMap<String, NodeId> = indexmap::IndexMap::new();
        for node in self.record.nodes.ids() {
            let number = integer(values.next()??)?;
            let first = *firsts.entry(node_name(&self.record, node)).or_insert(node);
            placed.push((number, first, node));
        }
        let position_in_block = |node: NodeId| self.record.nodes[node].map(|(_, position)| position);
        placed.sort_by_key(|&(number, first, node)| (number, first, position_in_block(node), node));
        let order: Vec<NodeId> = placed.iter().map(|&(_, _, node)| node).collect();
        for (&(low, high), &term) in &self.record.befores {
            let position = |node: NodeId| order.iter().position(|&other| other == node);
            model.set_bool(terms.as_symbol(term)?, position(low) < position(high));
        }
        Some((model, order))
    }

    fn read_core(&self, assumptions: &[TermId], answer: &Sexp) -> Option<Core> {
        let used: indexmap::IndexSet<&str> = answer.list()?.iter().filter_map(Sexp::atom).collect();
        let mut names: Vec<Name> = self.record.assertions.iter().filter_map(|one| one.name).collect();
        names.retain(|&name| used.contains(assertion_name(name).as_str()));
        names.sort_unstable();
        names.dedup();
        let used_assumption =
            |&(position, _): &(usize, &TermId)| used.contains(assumption_name(position).as_str());
        let assumptions = assumptions.iter().enumerate().filter(used_assumption).map(|(_, &term)| term);
        Some(Core { names, assumptions: assumptions.collect() })
    }

    /// The question, and the questions after the answer.
    fn script(&self, terms: &Terms, assumptions: &[TermId]) -> (String, Vec<TermId>) {
        let (mut text, symbols) = question(terms, &self.record, assumptions);
        text.push_str("(check-sat)\n(echo \"answered\")\n(get-unsat-core)\n(echo \"core\")\n");
        for &symbol in &symbols {
            let name = symbol_text(terms, terms.as_symbol(symbol).expect("only symbols are declared"));
            text.push_str(&format!("(get-value ({name}))\n"));
        }
        for node in self.record.nodes.ids() {
            text.push_str(&format!("(get-value ({}))\n", node_name(&self.record, node)));
        }
        text.push_str("(exit)\n");
        (text, symbols)
    }
}

/// An integer as solvers print it: `5` or `(- 5)`.
fn integer(sexp: &Sexp) -> Option<i128> {
    match sexp {
        Sexp::Atom(text) => text.parse().ok(),
        Sexp::List(parts) => match parts.as_slice() {
            [minus, number] if minus.atom() == Some("-") => Some(-number.atom()?.parse::<i128>().ok()?),
            _ => None,
        },
    }
}

impl Solver for External {
    fn name(&self) -> String {
        self.command.program.clone()
    }

    fn assert(&mut self, _: &mut Terms, term: TermId) {
        self.outcome = ExternalResult::None;
        self.asserted += 1;
        self.record.assertions.push(Assertion { term, name: None });
    }

    fn assert_named(&mut self, _: &mut Terms, name: Name, term: TermId) {
        self.outcome = ExternalResult::None;
        self.asserted += 1;
        self.record.assertions.push(Assertion { term, name: Some(name) });
    }

    fn assert_clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]) {
        self.outcome = ExternalResult::None;
        self.record.clause(terms, conditions, consequences);
    }

    fn assert_equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        self.outcome = ExternalResult::None;
        self.record.equal_if(terms, condition, a, b);
    }

    fn push(&mut self) {
        self.outcome = ExternalResult::None;
        self.record.frames.push(self.record.assertions.len());
    }

    fn pop(&mut self) {
        self.outcome = ExternalResult::None;
        self.record.pop();
    }

    fn add_node(&mut self) -> NodeId {
        self.record.nodes.push(None)
    }

    fn add_edge(&mut self, before: NodeId, after: NodeId) {
        self.record.edges.push(OrderEdge { conditions: Vec::new(), before, after });
    }

    fn add_edge_if(&mut self, _: &Terms, conditions: &[TermId], before: NodeId, after: NodeId) {
        self.record.edges.push(OrderEdge { conditions: conditions.to_vec(), before, after });
    }

    fn before(&mut self, terms: &mut Terms, before: NodeId, after: NodeId) -> TermId {
        self.record.before(terms, before, after).0
    }

    fn make_atomic(&mut self, nodes: &[NodeId]) {
        self.record.make_atomic(nodes);
    }

    fn limit_conflicts(&mut self, _: Option<u64>) {}

    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        self.checks += 1;
        self.outcome = ExternalResult::None;
        let (text, symbols) = self.script(terms, assumptions);
        let printed = match self.command.run(&text, budget)? {
            Ok(printed) => printed,
            Err(exhausted) => return Ok(Answer::Unknown(Stop::Budget(exhausted))),
        };
        // The answer, `answered`, a core or an error, `core`, and values or errors.
        let parts = read::read(&printed);
        let answered = parts.iter().position(|part| part.atom() == Some("answered"));
        let core_at = parts.iter().position(|part| part.atom() == Some("core"));
        let (Some(answered), Some(core_at)) = (answered, core_at) else {
            return Err(self.unexpected(&printed));
        };
        match answered.checked_sub(1).and_then(|position| parts[position].atom()) {
            Some("sat") => {
                let read = self.read_model(terms, &symbols, &parts[core_at + 1..]);
                let (model, order) = read.ok_or_else(|| self.unexpected(&printed))?;
                self.outcome = ExternalResult::Model(model, order);
                Ok(Answer::Sat)
            }
            Some("unsat") => {
                let core = parts.get(answered + 1).and_then(|core| self.read_core(assumptions, core));
                self.outcome = ExternalResult::Core(core.ok_or_else(|| self.unexpected(&printed))?);
                Ok(Answer::Unsat)
            }
            // The solver gave up by itself.
            Some("unknown") => Ok(Answer::Unknown(Stop::Budget(Exhausted::Time))),
            _ => Err(self.unexpected(&printed)),
        }
    }

    fn model(&self) -> Option<&Model> {
        if let ExternalResult::Model(model, _) = &self.outcome { Some(model) } else { None }
    }

    fn order(&self) -> Option<Vec<NodeId>> {
        if let ExternalResult::Model(_, order) = &self.outcome { Some(order.clone()) } else { None }
    }

    fn core(&self) -> Option<&Core> {
        if let ExternalResult::Core(core) = &self.outcome { Some(core) } else { None }
    }

    /// The solver's own core is what there is.
    fn minimize_core(&mut self, _: &mut Terms, _: &Budget) -> Result<(), SolverError> {
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { assertions: self.asserted, checks: self.checks, ..Statistics::default() }
    }

    fn record(&self) -> &QueryRecord {
        &self.record
    }
}
