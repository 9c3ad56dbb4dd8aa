//! From gates to clauses, as needed and in the polarity needed.
//!
//! A gate gets a variable and clauses (Tseitin 1968) only when a clause refers to it. A literal that only ever occurs
//! positively needs to imply its gate, one that only occurs negatively needs to be implied by it (Plaisted
//! and Greenbaum: "A Structure-preserving Clause Form Translation", 1986); when the other polarity is asked for later, the missing
//! half is added. Conjunctions used by nothing else are merged into the conjunction above them.
//!
//! A consequence: in a model, the variable of a gate may differ from what its inputs say. Only the variables
//! of inputs count; everything else is evaluated.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::gates::{Gate, Gates, Wire};
use crate::sat::{Lit, Sat, Var};

/// Which way a literal and its wire are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The literal implies the wire: for literals that are asserted, or occur unnegated in a clause.
    Positive,
    /// The wire implies the literal: for literals whose negation occurs.
    Negative,
    /// Both.
    Both,
}

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = POSITIVE | NEGATIVE;

impl Polarity {
    const fn mask(self) -> u8 {
        match self {
            Self::Positive => POSITIVE,
            Self::Negative => NEGATIVE,
            Self::Both => BOTH,
        }
    }
}

/// The polarity of the negation.
const fn flip(mask: u8) -> u8 {
    (mask & POSITIVE) << 1 | (mask & NEGATIVE) >> 1
}

/// How many inputs a merged conjunction has at most.
const MAX_CONJUNCTS: usize = 64;

/// Which gates have variables and clauses.
#[derive(Debug, Default)]
pub struct Cnf {
    variables: Vec<Option<Var>>,
    /// For each gate, the polarities in which its clauses were added.
    done: Vec<u8>,
    todo: Vec<(Wire, u8)>,
}

impl Cnf {
    fn grow(&mut self, gates: &Gates) {
        if self.variables.len() < gates.len() {
            self.variables.resize(gates.len(), None);
            self.done.resize(gates.len(), 0);
        }
    }

    /// The variable of the gate behind a wire, if it has one.
    #[must_use]
    pub fn variable(&self, wire: Wire) -> Option<Var> {
        self.variables.get(wire.gate()).copied().flatten()
    }

    /// A literal tied to the wire, with all clauses that takes.
    pub fn literal(&mut self, gates: &Gates, sat: &mut dyn Sat, wire: Wire, polarity: Polarity) -> Lit {
        self.grow(gates);
        let lit = self.request(sat, wire, polarity.mask());
        self.emit(gates, sat);
        lit
    }

    /// Adds the clause that says `wire`, or one of the `others`.
    pub fn assert(&mut self, gates: &Gates, sat: &mut dyn Sat, wire: Wire, others: &[Lit]) {
        self.grow(gates);
        let mut open = vec![wire];
        let mut seen: IndexSet<Wire, FxBuildHasher> = IndexSet::default();
        // A conjunction that is asserted falls into its parts, and needs no variable. Each part is a clause
        // with `others` then.
        while let Some(wire) = open.pop() {
            if !seen.insert(wire) {
                continue;
            }
            // Neither a conjunction nor its negation: one literal.
            let Gate::And(a, b) = gates.gate(wire) else {
                let mut clause: SmallVec<[Lit; 8]> = SmallVec::from_slice(others);
                if wire != Wire::FALSE {
                    clause.push(self.request(sat, wire, POSITIVE));
                    // A false wire leaves the `others` alone; a true one needs no clause at all.
                }
                if wire != Wire::TRUE {
                    sat.add_clause(&clause);
                }
                continue;
            };
            if !wire.is_negated() {
                open.extend([a, b]);
                continue;
            }
            // A negated conjunction is itself a clause: of the negated parts.
            let mut clause: SmallVec<[Lit; 8]> = SmallVec::from_slice(others);
            for part in self.conjuncts(gates, wire) {
                clause.push(self.request(sat, !part, POSITIVE));
            }
            sat.add_clause(&clause);
        }
        self.emit(gates, sat);
    }

    /// The literal of a wire; its clauses in this polarity will be added by `emit`.
    fn request(&mut self, sat: &mut dyn Sat, wire: Wire, mask: u8) -> Lit {
        let var = *self.variables[wire.gate()].get_or_insert_with(|| sat.new_var());
        let mask = if wire.is_negated() { flip(mask) } else { mask };
        // Each half of the definition is added once. What was asked for before is not asked for again.
        let missing = mask & !self.done[wire.gate()];
        if missing != 0 {
            self.done[wire.gate()] |= missing;
            self.todo.push((wire.positive(), missing));
        }
        Lit::new(var, wire.is_negated())
    }

    /// The inputs of a conjunction and of those below that nothing else uses.
    fn conjuncts(&self, gates: &Gates, wire: Wire) -> SmallVec<[Wire; 8]> {
        let Gate::And(a, b) = gates.gate(wire) else { unreachable!("only asked for conjunctions") };
        let mut found: SmallVec<[Wire; 8]> = SmallVec::new();
        let mut open: SmallVec<[Wire; 8]> = SmallVec::from_slice(&[b, a]);
        while let Some(part) = open.pop() {
            // A part that has a variable already is shared with some clause, and would only be said twice.
            // More than so many parts make clauses that no solver likes.
            let inner = !part.is_negated()
                && gates.fanout(part) == 1
                && self.variables[part.gate()].is_none()
                && found.len() + open.len() < MAX_CONJUNCTS;
            if inner && let Gate::And(a, b) = gates.gate(part) {
                open.extend([b, a]);
            } else {
                found.push(part);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn emit(&mut self, gates: &Gates, sat: &mut dyn Sat) {
        while let Some((wire, mask)) = self.todo.pop() {
            let out = self.variables[wire.gate()].expect("requested gates have variables").positive();
            match gates.gate(wire) {
                Gate::Input(_) => {}
                Gate::False => sat.add_clause(&[!out]),
                Gate::And(..) => self.emit_and(gates, sat, wire, out, mask),
                Gate::Xor(a, b) => {
                    // An input of an exclusive or counts in both polarities, whatever the polarity of the
                    // output.
                    let (a, b) = (self.request(sat, a, BOTH), self.request(sat, b, BOTH));
                    clauses(sat, mask, out, &[[a, b], [!a, !b]], &[[a, !b], [!a, b]]);
                }
                Gate::Xor3(a, b, c) => {
                    let a = self.request(sat, a, BOTH);
                    let (b, c) = (self.request(sat, b, BOTH), self.request(sat, c, BOTH));
                    clauses(
                        sat,
                        mask,
                        out,
                        &[[a, b, c], [a, !b, !c], [!a, b, !c], [!a, !b, c]],
                        &[[!a, !b, !c], [!a, b, c], [a, !b, c], [a, b, !c]],
                    );
                }
                Gate::Mux(c, a, b) => {
                    // The condition decides in both directions; the branches only pass on the polarity that
                    // was asked for.
                    let c = self.request(sat, c, BOTH);
                    let (a, b) = (self.request(sat, a, mask), self.request(sat, b, mask));
                    // The third of each is implied, but lets the solver see what both branches agree on.
                    clauses(sat, mask, out, &[[!c, a], [c, b], [a, b]], &[[!c, !a], [c, !b], [!a, !b]]);
                }
                Gate::Majority(a, b, c) => {
                    let a = self.request(sat, a, mask);
                    let (b, c) = (self.request(sat, b, mask), self.request(sat, c, mask));
                    clauses(sat, mask, out, &[[a, b], [a, c], [b, c]], &[[!a, !b], [!a, !c], [!b, !c]]);
                }
            }
        }
    }

    fn emit_and(&mut self, gates: &Gates, sat: &mut dyn Sat, wire: Wire, out: Lit, mask: u8) {
        let parts: SmallVec<[Lit; 8]> =
            self.conjuncts(gates, wire).iter().map(|&part| self.request(sat, part, mask)).collect();
        if mask & POSITIVE != 0 {
            for &part in &parts {
                sat.add_clause(&[!out, part]);
            }
        }
        if mask & NEGATIVE != 0 {
            let mut clause: SmallVec<[Lit; 8]> = parts.iter().map(|&part| !part).collect();
            clause.push(out);
            sat.add_clause(&clause);
        }
    }
}

/// Adds `not out or …` for each of `implied`, if positive clauses are wanted, and `out or …` for each of
/// `implying`, if negative ones are.
fn clauses<const N: usize>(
    sat: &mut dyn Sat,
    mask: u8,
    out: Lit,
    implied: &[[Lit; N]],
    implying: &[[Lit; N]],
) {
    let mut add = |first: Lit, rest: &[Lit; N]| {
        let mut clause: SmallVec<[Lit; 4]> = SmallVec::from_slice(rest);
        clause.push(first);
        sat.add_clause(&clause);
    };
    if mask & POSITIVE != 0 {
        implied.iter().for_each(|rest| add(!out, rest));
    }
    if mask & NEGATIVE != 0 {
        implying.iter().for_each(|rest| add(out, rest));
    }
}
