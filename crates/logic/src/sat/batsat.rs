//! batsat, a solver in pure Rust, behind the [`Sat`] trait.
//!
//! It serves as the second opinion and where there is no C++ compiler. What it cannot do: take a phase hint
//! for a variable that has already been used, and ask a theory what to decide on.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, TheoryArg, lbool};
use raddle_base::{Budget, Exhausted};

use super::{Answer, Lit, Sat, Statistics, Stop, Theory, Var};

/// The batsat solver.
pub struct Batsat {
    solver: Solver<BudgetWatch>,
    state: Rc<CallbackState>,
    /// The phase asked for each variable; batsat takes it when it makes the variable, at its first use.
    phases: Vec<Option<bool>>,
    observed: Vec<bool>,
    observed_count: usize,
    /// How much of batsat's root trail was sent to the theory.
    sent: usize,
    /// What the last solve found; `None` after a change.
    answer: Option<Answer>,
    conflict_limit: Option<u64>,
    clauses: u64,
    solves: u64,
    counts: TheoryCounts,
}

/// What the solver's callbacks and the adapter of the theory both look at.
#[derive(Debug, Default)]
struct CallbackState {
    conflicts_left: Cell<Option<u64>>,
    exhausted: Cell<Option<Exhausted>>,
    /// The theory has no model at all, whatever the literals.
    hopeless: Cell<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
struct TheoryCounts {
    propagations: u64,
    conflicts: u64,
    explanations: u64,
}

struct BudgetWatch {
    budget: Budget,
    state: Rc<CallbackState>,
}

impl Callbacks for BudgetWatch {
    fn on_new_clause(&mut self, _clause: &[batsat::Lit], kind: ClauseKind) {
        match kind {
            ClauseKind::Learnt | ClauseKind::Theory => {
                let left = self.state.conflicts_left.get();
                self.state.conflicts_left.set(left.map(|left| left.saturating_sub(1)));
            }
            ClauseKind::Axiom => {}
        }
    }

    fn stop(&self) -> bool {
        if self.state.hopeless.get() || self.state.conflicts_left.get() == Some(0) {
            return true;
        }
        if self.state.exhausted.get().is_none() {
            self.state.exhausted.set(self.budget.poll().err());
        }
        self.state.exhausted.get().is_some()
    }
}

fn outward(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var().0), !lit.is_negated())
}

fn inward(lit: batsat::Lit) -> Lit {
    Lit::new(Var(lit.var().idx()), !lit.sign())
}

impl Default for Batsat {
    fn default() -> Self {
        Self::new()
    }
}

impl Batsat {
    /// A solver without clauses.
    #[must_use]
    pub fn new() -> Self {
        let state = Rc::new(CallbackState::default());
        let watch = BudgetWatch { budget: Budget::unlimited(), state: Rc::clone(&state) };
        Self {
            solver: Solver::new(SolverOpts::default(), watch),
            state,
            phases: Vec::new(),
            observed: Vec::new(),
            observed_count: 0,
            sent: 0,
            answer: None,
            conflict_limit: None,
            clauses: 0,
            solves: 0,
            counts: TheoryCounts::default(),
        }
    }

    /// Makes batsat's variables up to and including the one at this position.
    fn make(&mut self, up_to: usize) {
        let mut made = self.solver.num_vars() as usize;
        while made <= up_to {
            let phase = self.phases[made].map_or(lbool::UNDEF, lbool::new);
            self.solver.new_var(phase, true);
            made += 1;
        }
    }

    /// Takes in newly observed variables; those already fixed are sent at once.
    fn observe(&mut self, theory: &mut dyn Theory) {
        let fresh: Vec<Var> = theory.observed().get(self.observed_count..).unwrap_or_default().to_vec();
        self.observed_count += fresh.len();
        self.observed.resize(self.phases.len(), false);
        for &var in &fresh {
            self.observed[var.index()] = true;
        }
        for var in fresh {
            for lit in [var.positive(), var.negative()] {
                if self.solver.value_lvl_0(outward(lit)) == lbool::TRUE {
                    theory.assign(lit);
                }
            }
        }
    }
}

impl Sat for Batsat {
    fn new_var(&mut self) -> Var {
        let var = Var(self.variables());
        self.phases.push(None);
        var
    }

    fn variables(&self) -> u32 {
        u32::try_from(self.phases.len()).expect("there are fewer than 2^31 variables")
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.answer = None;
        self.clauses += 1;
        if let Some(last) = clause.iter().map(|lit| lit.var().index()).max() {
            self.make(last);
        }
        let mut clause: Vec<batsat::Lit> = clause.iter().map(|&lit| outward(lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve_with(&mut self, assumptions: &[Lit], theory: &mut dyn Theory, budget: &Budget) -> Answer {
        self.solves += 1;
        self.answer = None;
        if let Err(exhausted) = budget.check() {
            return Answer::Unknown(Stop::Budget(exhausted));
        }
        theory.begin();
        if self.conflict_limit == Some(0) {
            return Answer::Unknown(Stop::Conflicts);
        }
        if !self.phases.is_empty() {
            self.make(self.phases.len() - 1);
        }
        self.observe(theory);
        self.state.conflicts_left.set(self.conflict_limit);
        self.state.exhausted.set(None);
        self.state.hopeless.set(false);
        self.solver.cb_mut().budget = budget.clone();

        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(|&lit| outward(lit)).collect();
        let mut adapter = Adapter {
            theory,
            observed: &self.observed,
            sent: self.sent,
            levels: Vec::new(),
            counts: &mut self.counts,
            state: &self.state,
            implied: Vec::new(),
            reason: Vec::new(),
            outward_reason: Vec::new(),
        };
        let result = self.solver.solve_limited_th(&mut adapter, &assumptions);
        adapter.theory.backtrack(0);
        self.sent = adapter.sent;

        let answer = if self.state.hopeless.get() || result == lbool::FALSE {
            Answer::Unsat
        } else if result == lbool::TRUE {
            Answer::Sat
        } else {
            let stop = self.state.exhausted.get().map_or(Stop::Conflicts, Stop::Budget);
            Answer::Unknown(stop)
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        if self.answer != Some(Answer::Sat) {
            return None;
        }
        match self.solver.value_var(batsat::Var::unsafe_from_idx(lit.var().0)) {
            value if value == lbool::TRUE => Some(lit.under(true)),
            value if value == lbool::FALSE => Some(lit.under(false)),
            _ => None,
        }
    }

    fn failed(&self, lit: Lit) -> bool {
        // batsat's core is the clause of the negated assumptions.
        self.answer == Some(Answer::Unsat)
            && !self.state.hopeless.get()
            && self.solver.unsat_core_contains_lit(outward(!lit))
    }

    fn set_phase(&mut self, lit: Lit) {
        self.phases[lit.var().index()] = Some(!lit.is_negated());
    }

    fn clear_phase(&mut self, var: Var) {
        self.phases[var.index()] = None;
    }

    fn set_conflict_limit(&mut self, limit: Option<u64>) {
        self.conflict_limit = limit;
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.variables()),
            clauses: self.clauses,
            solves: self.solves,
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
            restarts: self.solver.num_restarts(),
            theory_propagations: self.counts.propagations,
            theory_conflicts: self.counts.conflicts,
            theory_explanations: self.counts.explanations,
        }
    }

    fn name(&self) -> &'static str {
        "batsat"
    }
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// Shows one of our theories to batsat as one of its own.
struct Adapter<'a> {
    theory: &'a mut dyn Theory,
    observed: &'a [bool],
    /// How much of batsat's trail was sent to the theory, now and when each level was opened.
    sent: usize,
    levels: Vec<usize>,
    counts: &'a mut TheoryCounts,
    state: &'a CallbackState,
    implied: Vec<Lit>,
    reason: Vec<Lit>,
    outward_reason: Vec<batsat::Lit>,
}

impl Adapter<'_> {
    fn send(&mut self, acts: &TheoryArg<'_>) {
        for &lit in &acts.model()[self.sent..] {
            if self.observed.get(lit.var().idx() as usize).copied().unwrap_or(false) {
                self.theory.assign(inward(lit));
            }
        }
        self.sent = acts.model().len();
    }

    fn object(&mut self, acts: &mut TheoryArg<'_>, conflict: &[Lit]) {
        self.counts.conflicts += 1;
        if conflict.is_empty() {
            self.state.hopeless.set(true);
            return;
        }
        let clause: Vec<batsat::Lit> = conflict.iter().map(|&lit| outward(!lit)).collect();
        acts.raise_conflict(&clause, false);
    }
}

impl batsat::Theory for Adapter<'_> {
    fn final_check(&mut self, acts: &mut TheoryArg<'_>) {
        self.send(acts);
        if let Err(conflict) = self.theory.check_final() {
            self.object(acts, &conflict.0);
        }
    }

    fn create_level(&mut self) {
        self.levels.push(self.sent);
        self.theory.new_level();
    }

    fn pop_levels(&mut self, count: usize) {
        let level = self.levels.len() - count;
        self.sent = self.levels[level];
        self.levels.truncate(level);
        self.theory.backtrack(u32::try_from(level).expect("there are fewer levels than variables"));
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    fn partial_check(&mut self, acts: &mut TheoryArg<'_>) {
        self.send(acts);
        let mut implied = std::mem::take(&mut self.implied);
        implied.clear();
        match self.theory.propagate(&mut implied) {
            Ok(()) => {
                for &lit in &implied {
                    self.counts.propagations += 1;
                    if !acts.propagate(outward(lit)) {
                        break;
                    }
                }
            }
            Err(conflict) => self.object(acts, &conflict.0),
        }
        self.implied = implied;
    }

    fn explain_propagation(&mut self, lit: batsat::Lit) -> &[batsat::Lit] {
        self.counts.explanations += 1;
        self.reason.clear();
        self.theory.explain(inward(lit), &mut self.reason);
        self.outward_reason.clear();
        self.outward_reason.extend(self.reason.iter().map(|&premise| outward(premise)));
        &self.outward_reason
    }
}
