//! DIMACS: a solver that records what passes through it, a writer, and a reader.
//!
//! The reader is strict about what a clause is and lenient about white space; it is meant for what the writer
//! made and for test files, not for gigabytes. What a theory forbids is not in the clauses, so a dump of a
//! problem with a theory is weaker than the problem: unsatisfiable only if the problem is.

use std::fmt::Write as _;

use raddle_base::Budget;

use super::{Answer, Lit, Sat, Statistics, Theory, Var};

/// A set of clauses over variables numbered from zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are; each literal is below.
    pub variables: u32,
    /// The clauses, in the order they were added.
    pub clauses: Vec<Vec<Lit>>,
}

/// What is wrong with a DIMACS text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DimacsError {
    /// There is no line `p cnf VARIABLES CLAUSES` before the clauses.
    #[error("line {line}: expected `p cnf VARIABLES CLAUSES`")]
    Header {
        /// Counted from one.
        line: usize,
    },
    /// Something is not a literal of a declared variable.
    #[error("line {line}: `{token}` is not a literal of a declared variable")]
    Literal {
        /// Counted from one.
        line: usize,
        /// What stands there.
        token: String,
    },
    /// The last clause is not ended by a zero.
    #[error("the last clause is not ended by 0")]
    Unfinished,
    /// The number of clauses is not the declared one.
    #[error("{declared} clauses are declared, {found} are there")]
    Count {
        /// In the header.
        declared: usize,
        /// In the text.
        found: usize,
    },
}

impl Cnf {
    /// The clauses as DIMACS text. Assumptions, if any, become unit clauses at the end.
    #[must_use]
    pub fn to_dimacs(&self, assumptions: &[Lit]) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.clauses.len() + assumptions.len());
        let units = assumptions.iter().map(std::slice::from_ref);
        for clause in self.clauses.iter().map(Vec::as_slice).chain(units) {
            for lit in clause {
                write!(text, "{} ", lit.to_dimacs()).expect("writing to a string does not fail");
            }
            text.push_str("0\n");
        }
        text
    }

    /// Reads DIMACS text. Lines that start with `c` are comments; clauses may span lines.
    ///
    /// # Errors
    /// When the text is not well formed or does not keep what its header promises.
    pub fn parse(text: &str) -> Result<Self, DimacsError> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('c'));
        let (variables, declared) = match lines.next() {
            Some((line, header)) => parse_header(header).ok_or(DimacsError::Header { line })?,
            None => return Err(DimacsError::Header { line: 1 }),
        };
        let mut clauses = Vec::new();
        let mut clause = Vec::new();
        for (line, content) in lines {
            for token in content.split_ascii_whitespace() {
                let wrong = || DimacsError::Literal { line, token: token.to_owned() };
                match Lit::from_dimacs(token.parse().map_err(|_| wrong())?) {
                    Some(lit) if lit.var().0 < variables => clause.push(lit),
                    Some(_) => return Err(wrong()),
                    None => clauses.push(std::mem::take(&mut clause)),
                }
            }
        }
        if !clause.is_empty() {
            return Err(DimacsError::Unfinished);
        }
        if clauses.len() != declared {
            return Err(DimacsError::Count { declared, found: clauses.len() });
        }
        Ok(Self { variables, clauses })
    }

    /// Gives variables and clauses to a solver that has none yet.
    pub fn load(&self, solver: &mut dyn Sat) {
        for _ in 0..self.variables {
            solver.new_var();
        }
        for clause in &self.clauses {
            solver.add_clause(clause);
        }
    }
}

fn parse_header(line: &str) -> Option<(u32, usize)> {
    let mut words = line.split_ascii_whitespace();
    let ("p", "cnf") = (words.next()?, words.next()?) else { return None };
    let variables: u32 = words.next()?.parse().ok().filter(|&count| count < 1 << 31)?;
    let clauses = words.next()?.parse().ok()?;
    words.next().is_none().then_some((variables, clauses))
}

/// Passes everything on to another solver and keeps the clauses.
#[derive(Debug)]
pub struct Recorder<S> {
    inner: S,
    cnf: Cnf,
    assumptions: Vec<Lit>,
}

impl<S: Sat> Recorder<S> {
    /// Records what goes to `inner` from now on.
    #[must_use]
    pub fn new(inner: S) -> Self {
        let cnf = Cnf { variables: inner.variables(), clauses: Vec::new() };
        Self { inner, cnf, assumptions: Vec::new() }
    }

    /// The clauses so far.
    #[must_use]
    pub const fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The clauses so far, and the assumptions of the last `solve` as unit clauses, as DIMACS text.
    #[must_use]
    pub fn to_dimacs(&self) -> String {
        self.cnf.to_dimacs(&self.assumptions)
    }

    /// The solver inside.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: Sat> Sat for Recorder<S> {
    fn new_var(&mut self) -> Var {
        let var = self.inner.new_var();
        self.cnf.variables = self.inner.variables();
        var
    }
    fn variables(&self) -> u32 {
        self.inner.variables()
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        self.cnf.clauses.push(clause.to_vec());
        self.inner.add_clause(clause);
    }
    fn solve_with(&mut self, assumptions: &[Lit], theory: &mut dyn Theory, budget: &Budget) -> Answer {
        self.assumptions = assumptions.to_vec();
        self.inner.solve_with(assumptions, theory, budget)
    }
    fn value(&self, lit: Lit) -> Option<bool> {
        self.inner.value(lit)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.inner.failed(lit)
    }
    fn set_phase(&mut self, lit: Lit) {
        self.inner.set_phase(lit);
    }
    fn clear_phase(&mut self, var: Var) {
        self.inner.clear_phase(var);
    }
    fn set_conflict_limit(&mut self, limit: Option<u64>) {
        self.inner.set_conflict_limit(limit);
    }
    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
    fn name(&self) -> &'static str {
        self.inner.name()
    }
}

impl<S: Sat + ?Sized> Sat for Box<S> {
    fn new_var(&mut self) -> Var {
        (**self).new_var()
    }
    fn variables(&self) -> u32 {
        (**self).variables()
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        (**self).add_clause(clause);
    }
    fn solve_with(&mut self, assumptions: &[Lit], theory: &mut dyn Theory, budget: &Budget) -> Answer {
        (**self).solve_with(assumptions, theory, budget)
    }
    fn value(&self, lit: Lit) -> Option<bool> {
        (**self).value(lit)
    }
    fn failed(&self, lit: Lit) -> bool {
        (**self).failed(lit)
    }
    fn set_phase(&mut self, lit: Lit) {
        (**self).set_phase(lit);
    }
    fn clear_phase(&mut self, var: Var) {
        (**self).clear_phase(var);
    }
    fn set_conflict_limit(&mut self, limit: Option<u64>) {
        (**self).set_conflict_limit(limit);
    }
    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
    fn name(&self) -> &'static str {
        (**self).name()
    }
}
