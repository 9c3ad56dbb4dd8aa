//! CaDiCaL (Biere et al.: "CaDiCaL 2.0", CAV 2024) behind the [`Sat`] trait, with any [`Theory`] as its external propagator
//! (IPASIR-UP: Fazekas et al., "IPASIR-UP: User Propagators for CDCL", SAT 2023).
//!
//! The solver calls back from C++, and no panic may pass through that: every callback runs under
//! `catch_unwind`. The first panic is kept, the solver is asked to stop, and `solve_with` resumes the panic
//! once it is back in Rust. After that the solver is poisoned and refuses to solve.
//!
//! The propagator stays connected from the first theory on, while a theory is only lent for one call. So the
//! `Bridge` keeps its own copy of the trail of observed literals: the theory follows it, is wound back to
//! level zero when the call ends, and catches up at the next one.
//!
//! A variable that was part of an earlier `solve` may have been eliminated, and CaDiCaL refuses to observe
//! such a one. A theory that asks for it gets a fresh variable, made equal to it by two clauses.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::ptr::NonNull;
use std::rc::Rc;

use cadical_sys::{CaDiCal, ExternalPropagator, State, Status, Terminator};
use raddle_base::{Budget, Exhausted};

use super::{Answer, Conflict, Lit, Sat, Statistics, Stop, Theory, Var};

/// CaDiCaL counts its work in ticks, about one for each cache line. It searches as long as the budget has work left and is
/// charged then: there a thread may have to wait for its next turn. No search is so short that it learns nothing.
const TICKS_PER_UNIT: u64 = 40;
const LEAST_UNITS: u64 = 20_000;

/// The kinds of proof CaDiCaL writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// Clauses added and deleted; checked by `drat-trim`.
    Drat,
    /// The same with hints; checked by `lrat-check`.
    Lrat,
}

/// A proof could not be written to where it should go.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot write a proof to `{0}`")]
pub struct ProofError(pub String);

/// The CaDiCaL solver.
pub struct Cadical {
    /// In a cell because CaDiCaL's getters change it.
    solver: RefCell<CaDiCal>,
    bridge: Rc<RefCell<Bridge>>,
    /// CaDiCaL's number of each variable.
    numbers: Vec<i32>,
    next_number: i32,
    /// Variables below this one were part of a `solve` and may have been eliminated unless observed.
    solved: usize,
    /// Whether the last `solve` ran, so that CaDiCaL's state speaks of it.
    answered: bool,
    /// The failed assumptions of the last `solve`, sorted.
    core: Vec<Lit>,
    connected: bool,
    proof: bool,
    conflict_limit: Option<u64>,
    clauses: u64,
    solves: u64,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    /// A solver without clauses.
    #[must_use]
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        // Chronological backtracking: where a conflict would undo hundreds of decisions at once, it undoes one, so that large trails are
        // not built up again. Literals of earlier levels then stay assigned; CaDiCaL reports them again, see `notify_backtrack`.
        solver.set("chrono", 1);
        // No looking for assignments that are all of one kind before every search: where many questions are asked of a large formula, that
        // costs more than the answers.
        solver.set("lucky", 0);
        Self {
            solver: RefCell::new(solver),
            bridge: Rc::new(RefCell::new(Bridge::default())),
            numbers: Vec::new(),
            next_number: 1,
            solved: 0,
            answered: false,
            core: Vec::new(),
            connected: false,
            proof: false,
            conflict_limit: None,
            clauses: 0,
            solves: 0,
        }
    }

    /// A solver that writes a proof of every unsatisfiability to a file, as text.
    ///
    /// With a theory the theory's explanations stand in the proof as if they were given clauses: the proof
    /// then shows that the clauses and those explanations contradict each other, and says nothing on
    /// whether an explanation is right.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn with_proof(path: &Path, format: ProofFormat) -> Result<Self, ProofError> {
        let mut this = Self::new();
        let solver = this.solver.get_mut();
        solver.set("binary", 0);
        match format {
            ProofFormat::Drat => {}
            ProofFormat::Lrat => {
                solver.set("lrat", 1);
            }
        }
        let name = path.to_str().ok_or_else(|| ProofError(path.display().to_string()))?;
        if !solver.trace_proof2(name) {
            return Err(ProofError(name.to_owned()));
        }
        // Only now: `close_proof` runs when this is dropped, and there must be something to close.
        this.proof = true;
        Ok(this)
    }

    /// Ends the proof and writes out what is still in memory. Later steps are not recorded.
    pub fn close_proof(&mut self) {
        if std::mem::take(&mut self.proof) {
            let solver = self.solver.get_mut();
            solver.flush_proof_trace(false);
            solver.close_proof_trace(false);
        }
    }

    /// Sets an option of CaDiCaL itself, before anything else is done; `false` when there is no such option.
    pub fn set_option(&mut self, name: &str, value: i32) -> bool {
        let solver = self.solver.get_mut();
        CaDiCal::is_valid_option(name) && solver.state() == State::CONFIGURING && solver.set(name, value)
    }

    fn number(&self, lit: Lit) -> i32 {
        let number = self.numbers[lit.var().index()];
        if lit.is_negated() { -number } else { number }
    }

    fn fresh_number(&mut self) -> i32 {
        let number = self.next_number;
        self.next_number = number.checked_add(1).expect("CaDiCaL counts variables with 31 bits");
        number
    }

    /// Connects the bridge when first needed, and observes what the theory asks for.
    fn observe(&mut self, observed: &[Var]) {
        if observed.is_empty() {
            return;
        }
        if !self.connected {
            self.connected = true;
            self.solver.get_mut().connect_external_propagator(Rc::clone(&self.bridge));
        }
        let known = self.bridge.borrow().observed;
        for &var in &observed[known.min(observed.len())..] {
            let mut number = self.numbers[var.index()];
            // Solved before, perhaps eliminated: see the head of the module.
            if var.index() < self.solved {
                let twin = self.fresh_number();
                let solver = self.solver.get_mut();
                solver.clause2(-number, twin);
                solver.clause2(number, -twin);
                number = twin;
            }
            self.bridge.borrow_mut().add_observed(var, number);
            self.solver.get_mut().add_observed_var(number);
        }
    }

    fn run(&mut self, assumptions: &[Lit]) -> Status {
        let numbers: Vec<i32> = assumptions.iter().map(|&lit| self.number(lit)).collect();
        let mut conflicts = self.conflict_limit;
        let status = loop {
            // Statistics only grow, so differences belong to this search.
            let before = self.count("conflicts");
            let status = self.search(&numbers, conflicts);
            let met = self.count("conflicts") - before;
            conflicts = conflicts.map(|left| left.saturating_sub(met));
            // Unknown without any of these reasons: the ticks were used up. The budget was charged and
            // perhaps granted more, so the search goes on.
            if status != Status::UNKNOWN || conflicts == Some(0) || self.bridge.borrow().has_to_stop() {
                break status;
            }
        };
        let solver = self.solver.get_mut();
        if status == Status::UNSATISFIABLE {
            // CaDiCaL looks for them when first asked, and then may want reasons from the theory: so now.
            let pairs = assumptions.iter().zip(&numbers);
            self.core = pairs.filter(|&(_, &number)| solver.failed(number)).map(|(&lit, _)| lit).collect();
            self.core.sort_unstable();
        }
        status
    }

    /// Searches for a while, and charges the budget for it.
    fn search(&mut self, assumptions: &[i32], conflicts: Option<u64>) -> Status {
        let before = self.count("ticks");
        let left = self.bridge.borrow().budget.as_ref().and_then(Budget::work_left);
        let ticks = left.map(|units| units.max(LEAST_UNITS).saturating_mul(TICKS_PER_UNIT));
        let at_most = |limit: Option<u64>| limit.map_or(-1, |limit| i32::try_from(limit).unwrap_or(i32::MAX));
        let solver = self.solver.get_mut();
        // CaDiCaL must know all variables before it is asked about one, also those that no clause mentions.
        solver.resize(self.next_number - 1);
        for &number in assumptions {
            solver.assume(number);
        }
        // CaDiCaL forgets its limits after each call.
        solver.limit("conflicts", at_most(conflicts));
        solver.limit("ticks", at_most(ticks));
        let status = solver.solve();
        let units = (self.count("ticks") - before) / TICKS_PER_UNIT;
        self.bridge.borrow_mut().charge(u32::try_from(units).unwrap_or(u32::MAX));
        // Charged after the fact: a search cannot be stopped in the middle of a clause.
        status
    }

    fn count(&self, name: &str) -> u64 {
        u64::try_from(self.solver.borrow().get_statistic_value(name)).unwrap_or(0)
    }
}

impl Sat for Cadical {
    fn new_var(&mut self) -> Var {
        let var = Var(u32::try_from(self.numbers.len()).expect("CaDiCaL counts variables with 31 bits"));
        let number = self.fresh_number();
        self.numbers.push(number);
        var
    }

    fn variables(&self) -> u32 {
        u32::try_from(self.numbers.len()).expect("CaDiCaL counts variables with 31 bits")
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        for &lit in clause {
            let number = self.number(lit);
            self.solver.get_mut().add(number);
        }
        self.solver.get_mut().add(0);
    }

    fn solve_with(&mut self, assumptions: &[Lit], theory: &mut dyn Theory, budget: &Budget) -> Answer {
        self.solves += 1;
        self.answered = false;
        self.core.clear();
        // After a panic the trail of CaDiCaL and that of the theory may differ, and an answer could be wrong.
        assert!(!self.bridge.borrow().poisoned, "a panic in a callback has left this solver unusable");
        if let Err(exhausted) = budget.check() {
            return Answer::Unknown(Stop::Budget(exhausted));
        }
        // Before variables are observed: here the theory takes in what was declared, and that may bring new
        // ones.
        theory.begin();
        if self.conflict_limit == Some(0) {
            return Answer::Unknown(Stop::Conflicts);
        }
        self.observe(theory.observed());
        self.solver.get_mut().connect_terminator(Watchman(Rc::clone(&self.bridge)));

        let lease = Lease::new(&self.bridge, theory, budget);
        let status = self.run(assumptions);
        // The lease ends before anything else looks at the bridge: dropping it winds the theory back to level
        // zero.
        drop(lease);

        self.solver.get_mut().disconnect_terminator();
        self.solved = self.numbers.len();
        self.answered = true;
        let (panic, exhausted) = {
            let mut bridge = self.bridge.borrow_mut();
            (bridge.panic.take(), bridge.exhausted.take())
        };
        // The panic of a callback surfaces where the solver was called.
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        match (status, exhausted) {
            (Status::SATISFIABLE, _) => Answer::Sat,
            (Status::UNSATISFIABLE, _) => Answer::Unsat,
            (Status::UNKNOWN, Some(exhausted)) => Answer::Unknown(Stop::Budget(exhausted)),
            (Status::UNKNOWN, None) => Answer::Unknown(Stop::Conflicts),
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let mut solver = self.solver.borrow_mut();
        // CaDiCaL's values mean something only right after it found a model, and for variables that took
        // part.
        let known = self.answered && lit.var().index() < self.solved && solver.state() == State::SATISFIED;
        known.then(|| lit.under(solver.val(self.numbers[lit.var().index()]) > 0))
    }

    fn failed(&self, lit: Lit) -> bool {
        let current = self.solver.borrow().state() == State::UNSATISFIED;
        self.answered && current && self.core.binary_search(&lit).is_ok()
    }

    fn set_phase(&mut self, lit: Lit) {
        let number = self.number(lit);
        self.solver.get_mut().phase(number);
    }

    fn clear_phase(&mut self, var: Var) {
        let number = self.number(var.positive());
        self.solver.get_mut().unphase(number);
    }

    fn set_conflict_limit(&mut self, limit: Option<u64>) {
        self.conflict_limit = limit;
    }

    fn statistics(&self) -> Statistics {
        let solver = self.solver.borrow();
        let count = |name: &str| u64::try_from(solver.get_statistic_value(name)).unwrap_or(0);
        let bridge = self.bridge.borrow();
        Statistics {
            variables: u64::from(self.variables()),
            clauses: self.clauses,
            solves: self.solves,
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
            // CaDiCaL counts its restarts but does not report them.
            restarts: 0,
            theory_propagations: bridge.propagations,
            theory_conflicts: bridge.conflicts,
            theory_explanations: bridge.explanations,
        }
    }

    fn name(&self) -> &'static str {
        "cadical"
    }
}

impl Drop for Cadical {
    fn drop(&mut self) {
        self.close_proof();
    }
}

impl fmt::Debug for Cadical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cadical").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// Where in a clause being handed over literal by literal CaDiCaL has come to.
#[derive(Debug, Default)]
struct Handover {
    clause: Vec<i32>,
    next: usize,
}

impl Handover {
    fn start(&mut self, clause: impl Iterator<Item = i32>) {
        self.clause.clear();
        self.clause.extend(clause);
        self.next = 0;
    }

    /// The next literal, or zero at the end.
    fn step(&mut self) -> i32 {
        let number = self.clause.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number
    }
}

/// What CaDiCaL calls back into. It lives as long as the solver, the theory in it only during a `solve`.
#[derive(Default)]
struct Bridge {
    /// Present while a [`Lease`] exists.
    theory: Option<NonNull<dyn Theory>>,
    budget: Option<Budget>,
    exhausted: Option<Exhausted>,
    panic: Option<Box<dyn Any + Send>>,
    poisoned: bool,

    /// How many variables are observed; the literal of a CaDiCaL number; the number of a variable.
    observed: usize,
    literals: Vec<Option<Lit>>,
    numbers: Vec<i32>,

    /// The observed literals CaDiCaL has assigned, and where each level above zero starts.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// How much of both has been sent to the theory.
    sent_trail: usize,
    sent_levels: usize,

    /// What the theory propagated and CaDiCaL has not been given yet.
    queue: Vec<Lit>,
    queue_next: usize,
    /// Whether the theory was asked for propagations since it last got assignments.
    propagated: bool,
    conflict: Option<Conflict>,
    external: Handover,
    reason: Handover,
    reason_open: bool,
    scratch: Vec<Lit>,

    propagations: u64,
    conflicts: u64,
    explanations: u64,
}

/// Puts a theory and a budget into the bridge, and takes them out again when it is dropped.
struct Lease<'a>(Rc<RefCell<Bridge>>, PhantomData<&'a mut dyn Theory>);

impl<'a> Lease<'a> {
    #[expect(unsafe_code, reason = "CaDiCaL's callbacks must be 'static, a theory is only lent")]
    fn new(bridge: &Rc<RefCell<Bridge>>, theory: &'a mut dyn Theory, budget: &Budget) -> Self {
        let theory: NonNull<dyn Theory + 'a> = NonNull::from(theory);
        // SAFETY: only the lifetime bound of the trait object changes. The pointer is reachable through the
        // bridge alone, and the lease, which cannot outlive the borrow, removes it when dropped.
        let theory = unsafe { std::mem::transmute::<NonNull<dyn Theory + 'a>, NonNull<dyn Theory>>(theory) };
        let mut inside = bridge.borrow_mut();
        // From here to the end of the lease the callbacks find a theory.
        inside.theory = Some(theory);
        inside.budget = Some(budget.clone());
        inside.exhausted = None;
        inside.propagated = false;
        drop(inside);
        Self(Rc::clone(bridge), PhantomData)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut bridge = self.0.borrow_mut();
        bridge.guarded(|bridge, theory| {
            theory.backtrack(0);
            bridge.sent_levels = 0;
            // Literals of level zero stay and are not sent again; all above was undone in the theory.
            bridge.sent_trail = bridge.sent_trail.min(bridge.level_start(0));
        });
        bridge.queue.clear();
        bridge.queue_next = 0;
        bridge.conflict = None;
        bridge.theory = None;
        bridge.budget = None;
    }
}

impl Bridge {
    fn add_observed(&mut self, var: Var, number: i32) {
        let position = usize::try_from(number).expect("CaDiCaL's numbers are positive");
        if self.literals.len() <= position {
            self.literals.resize(position + 1, None);
        }
        self.literals[position] = Some(var.positive());
        if self.numbers.len() <= var.index() {
            self.numbers.resize(var.index() + 1, 0);
        }
        self.numbers[var.index()] = number;
        self.observed += 1;
    }

    fn literal(&self, number: i32) -> Option<Lit> {
        let position = usize::try_from(number.unsigned_abs()).ok()?;
        let positive = self.literals.get(position).copied().flatten()?;
        Some(if number < 0 { !positive } else { positive })
    }

    fn number(&self, lit: Lit) -> i32 {
        let number = self.numbers.get(lit.var().index()).copied().unwrap_or(0);
        assert!(number != 0, "a theory may only speak of variables it observes");
        if lit.is_negated() { -number } else { number }
    }

    /// Where the literals above this level start.
    fn level_start(&self, level: usize) -> usize {
        self.levels.get(level).copied().unwrap_or(self.trail.len())
    }

    /// Runs something on the theory, if there is one and nothing has gone wrong, and keeps a panic.
    #[expect(unsafe_code, reason = "the theory is lent by pointer; see `Lease`")]
    fn guarded<R: Default>(&mut self, action: impl FnOnce(&mut Self, &mut dyn Theory) -> R) -> R {
        if self.poisoned {
            return R::default();
        }
        let Some(mut theory) = self.theory else { return R::default() };
        // SAFETY: the pointer is present only while a `Lease` borrows the theory exclusively, and nothing
        // else in this module makes a reference from it; this one ends with the call, and calls do not nest
        // because the bridge is borrowed mutably.
        let theory = unsafe { theory.as_mut() };
        let outcome = catch_unwind(AssertUnwindSafe(|| action(self, theory)));
        outcome.unwrap_or_else(|panic| {
            self.poisoned = true;
            self.panic = Some(panic);
            R::default()
        })
    }

    /// Whether the search must not go on.
    fn has_to_stop(&self) -> bool {
        self.poisoned || self.exhausted.is_some()
    }

    /// Takes work from the budget.
    fn charge(&mut self, units: u32) {
        if self.exhausted.is_none() {
            self.exhausted = self.budget.as_ref().and_then(|budget| budget.spend(units).err());
        }
    }

    /// Tells the theory the levels and literals it has not seen.
    fn send(&mut self, theory: &mut dyn Theory) {
        if self.sent_trail == self.trail.len() && self.sent_levels == self.levels.len() {
            return;
        }
        self.propagated = false;
        loop {
            // All literals up to where the next level starts, then that level, and so on: the theory hears of
            // things in the order in which they happened.
            let end = self.level_start(self.sent_levels);
            for position in self.sent_trail..end {
                theory.assign(self.trail[position]);
            }
            self.sent_trail = self.sent_trail.max(end);
            if self.sent_levels == self.levels.len() {
                break;
            }
            self.sent_levels += 1;
            theory.new_level();
        }
    }

    /// The next literal the theory implies, asking it if need be.
    fn next_propagation(&mut self, theory: &mut dyn Theory) -> i32 {
        self.send(theory);
        // The theory is asked once for each new set of assignments, and gives its answers one by one.
        if self.queue_next == self.queue.len() && !self.propagated && self.conflict.is_none() {
            if let Some(exhausted) = self.budget.as_ref().and_then(|budget| budget.spend(0).err()) {
                self.exhausted = Some(exhausted);
            }
            self.queue.clear();
            self.queue_next = 0;
            self.propagated = true;
            // A conflict makes what was propagated beside it worthless.
            if let Err(conflict) = theory.propagate(&mut self.queue) {
                self.queue.clear();
                self.conflict = Some(conflict);
            }
        }
        let Some(&lit) = self.queue.get(self.queue_next) else { return 0 };
        self.queue_next += 1;
        self.propagations += 1;
        self.number(lit)
    }

    fn start_reason(&mut self, theory: &mut dyn Theory, number: i32) {
        self.explanations += 1;
        let lit = self.literal(number).expect("CaDiCaL asks for reasons of what the theory propagated");
        let mut reason = std::mem::take(&mut self.scratch);
        reason.clear();
        theory.explain(lit, &mut reason);
        // The clause of a reason: the literal, or one of the premises is false.
        let mut clause = vec![number];
        clause.extend(reason.iter().map(|&premise| -self.number(premise)));
        self.reason.start(clause.into_iter());
        self.scratch = reason;
    }
}

impl ExternalPropagator for Bridge {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, numbers: &[i32]) {
        for &number in numbers {
            if let Some(lit) = self.literal(number) {
                self.trail.push(lit);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, level: usize) {
        if level >= self.levels.len() {
            return;
        }
        // Literals that were assigned late at an earlier level go with the others: CaDiCaL keeps them and reports them again. What was
        // propagated and not handed over belonged to the levels that are gone.
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
        self.queue.clear();
        self.queue_next = 0;
        self.conflict = None;
        self.propagated = false;
        // Levels that were never sent need not be undone in the theory.
        if self.sent_levels > level {
            self.sent_levels = level;
            self.guarded(|_, theory| theory.backtrack(u32::try_from(level).unwrap_or(u32::MAX)));
        }
        self.sent_trail = self.sent_trail.min(self.trail.len());
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        self.guarded(|bridge, theory| {
            bridge.send(theory);
            bridge.conflict = theory.check_final().err();
        });
        self.conflict.is_none()
    }

    fn cb_decide(&mut self) -> i32 {
        self.guarded(|bridge, theory| {
            bridge.send(theory);
            theory.decide().map_or(0, |lit| bridge.number(lit))
        })
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guarded(Self::next_propagation)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if !self.reason_open {
            self.reason_open = true;
            // Should the theory panic, CaDiCaL still insists on a clause with this literal.
            self.reason.start(std::iter::once(propagated));
            if self.theory.is_none() && !self.poisoned {
                self.poisoned = true;
                self.panic = Some(Box::new("CaDiCaL asked for a reason while there was no theory"));
            }
            self.guarded(|bridge, theory| bridge.start_reason(theory, propagated));
        }
        let number = self.reason.step();
        self.reason_open = number != 0;
        number
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        let Some(conflict) = self.conflict.take() else { return false };
        if self.poisoned {
            return false;
        }
        self.conflicts += 1;
        let converted = self.guarded(|bridge, _| {
            let clause: Vec<i32> = conflict.0.iter().map(|&lit| -bridge.number(lit)).collect();
            bridge.external.start(clause.into_iter());
            true
        });
        // And with a clause that CaDiCaL dropped again it would, so it has to be asked.
        // With the clause handed over the theory may see the same conflict again.
        self.propagated = false;
        converted
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.external.step()
    }
}

/// Stops the solver when the budget ends or a callback has panicked.
struct Watchman(Rc<RefCell<Bridge>>);

impl Terminator for Watchman {
    fn terminated(&mut self) -> bool {
        let mut bridge = self.0.borrow_mut();
        if bridge.poisoned || bridge.exhausted.is_some() {
            return true;
        }
        bridge.exhausted = bridge.budget.as_ref().and_then(|budget| budget.spend(0).err());
        bridge.exhausted.is_some()
    }
}
