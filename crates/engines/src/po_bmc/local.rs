//! What terms alone rule out: checks that cannot fail whatever is read, and limits that cannot be reached.
//!
//! `if (x > 0) { x--; assert(x >= 0); }` under a lock holds whatever `x` is. A solver that knows nothing of order and memory finds
//! that out at once; one that knows all may look for the reason there. Over-approximates what can happen, and gives up early: what is ruled
//! out is impossible, what is left may be.

use raddle_base::{Budget, Exhausted};
use raddle_ir::Property;
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{Evaluator, TermId};

use crate::Sizes;
use crate::execution_graph::events::Unrolling;

/// How many conflicts a question may meet; how many more for each thing that is asked about, and for each event: the larger the
/// program, the more does the whole question cost.
const MOST_CONFLICTS: u64 = 500;
const MORE_CONFLICTS: u64 = 20;
const CONFLICTS_OF_EVENT: u64 = 5;
/// How many questions there may be: fewer about a large formula, each model of which costs more.
const MOST_QUESTIONS: u64 = 50;
const LEAST_QUESTIONS: u64 = 5;
const CLAUSES_OF_ALL_QUESTIONS: u64 = 10_000_000;

/// Rules out violations of these properties, and limits; says how large the question was.
pub(super) fn rule_out(
    unrolling: &mut Unrolling,
    properties: &[Property],
    budget: &Budget,
) -> Result<Sizes, Exhausted> {
    let checks = unrolling.checks.iter().filter(|check| properties.contains(&check.property));
    let limits = unrolling.limits.iter().map(|limit| limit.reached);
    let mut open: Vec<TermId> = checks.map(|check| check.violated).chain(limits).collect();
    open.sort_unstable();
    open.dedup();
    open.retain(|&term| unrolling.terms.as_bool(term).is_none());
    if open.is_empty() {
        return Ok(Sizes::default());
    }
    let mut solver = Embedded::without_record();
    for &constraint in &unrolling.constraints {
        solver.assert(&mut unrolling.terms, constraint);
    }
    let mut question = 0;
    loop {
        budget.check()?;
        let (asked, events) = (open.len() as u64, unrolling.events.len() as u64);
        let most = MOST_CONFLICTS + MORE_CONFLICTS * asked + CONFLICTS_OF_EVENT * events;
        solver.limit_conflicts(Some(most));
        let any = unrolling.terms.or_all(open.iter().copied());
        match solver.check(&mut unrolling.terms, &[any], budget) {
            Ok(Answer::Sat) => {
                let model = solver.model().expect("there is one");
                let mut evaluator = Evaluator::new(model);
                open.retain(|&term| !evaluator.holds(&unrolling.terms, term));
                question += 1;
                let affordable = CLAUSES_OF_ALL_QUESTIONS / solver.statistics().sat.clauses.max(1);
                if open.is_empty() || question >= affordable.clamp(LEAST_QUESTIONS, MOST_QUESTIONS) {
                    break;
                }
            }
            Ok(Answer::Unsat) => {
                forget(unrolling, &open);
                break;
            }
            Ok(Answer::Unknown(_)) | Err(_) => break,
        }
    }
    let sat = solver.statistics().sat;
    Ok(Sizes { variables: sat.variables, clauses: sat.clauses, conflicts: sat.conflicts, ..Sizes::default() })
}

/// These terms never hold.
fn forget(unrolling: &mut Unrolling, impossible: &[TermId]) {
    let never = unrolling.terms.bool(false);
    let checks = unrolling.checks.iter_mut().map(|check| &mut check.violated);
    let limits = unrolling.limits.iter_mut().map(|limit| &mut limit.reached);
    for term in checks.chain(limits) {
        if impossible.binary_search(term).is_ok() {
            *term = never;
        }
    }
}
