//! The order theory as the solver sees it: assignments in, conflicts, propagations and explanations out.

use raddle_base::Id;

use super::reach::LoggedChange;
use super::{Assigned, Candidate, EdgeId, Held, Local, OrderTheory, u32_of};
use crate::sat::{Conflict, Lit, Theory, Var};

impl Theory for OrderTheory {
    fn observed(&self) -> &[Var] {
        &self.observed
    }

    fn begin(&mut self) {
        self.rebuild();
        // What was propagated in an earlier call may never have reached the solver.
        while let Some((literal, _)) = self.implied.pop() {
            self.reasons[literal.index()] = None;
        }
        self.rescan = true;
    }

    fn assign(&mut self, lit: Lit) {
        let Some(literal) = self.local(lit) else { return };
        let observation = literal.observation();
        // The solver may send what the theory propagated, and then what it knew already.
        if self.values[observation].is_some() {
            return;
        }
        self.values[observation] = Some(!literal.is_negated());
        self.fixed[observation] = self.levels.is_empty();
        // `held_before` is set when the literal is processed.
        self.trail.push(Assigned { literal, held_before: 0 });
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: u32) {
        let Some(&length) = self.levels.get(level as usize) else { return };
        self.levels.truncate(level as usize);
        // What was only noted and not processed yet has changed nothing in the graph.
        if length < self.processed {
            self.release(self.trail[length].held_before);
            // The counts go up again, in no particular order: they are only counts.
            for position in length..self.processed {
                for &edge in self.occurrences.row(self.trail[position].literal.index()) {
                    self.missing[edge.index()] += 1;
                }
            }
            self.processed = length;
        }
        for assigned in self.trail.drain(length..) {
            self.values[assigned.literal.observation()] = None;
        }
        // A literal propagated by a part of the trail that stays is still implied.
        while let Some(&(literal, position)) = self.implied.last()
            && position > length
        {
            self.reasons[literal.index()] = None;
            self.implied.pop();
        }
    }

    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Conflict> {
        if let Some(cycle) = &self.broken {
            return Err(Conflict(cycle.clone()));
        }
        if std::mem::take(&mut self.rescan) {
            self.scan_all(implied);
        }
        loop {
            // First the graph takes in all edges that hold, then the next literal: so what is propagated
            // follows from a graph that is complete up to `processed`.
            while self.held_count < self.held.len() {
                self.hold_next(implied)?;
            }
            if self.processed == self.trail.len() {
                return Ok(());
            }
            self.process_next(implied);
        }
    }

    fn explain(&mut self, lit: Lit, reason: &mut Vec<Lit>) {
        let recorded = self.local(lit).and_then(|literal| self.reasons[literal.index()]);
        let (edge, moment) = recorded.expect("only propagated literals are to be explained");
        let start = reason.len();
        let (before, after) = self.ends[edge.index()];
        // The edge would lead from `before` to `after`, so what forbids it is a path the other way round.
        self.explain_path(after, before, moment, reason);
        // The condition that was propagated to false is not part of its own reason.
        reason.extend(self.open_conditions(edge).filter(|condition| condition.var() != lit.var()));
        self.finish_explanation(start, reason);
    }

    fn check_final(&mut self) -> Result<(), Conflict> {
        // All literals are assigned, so nothing can be implied any more.
        self.propagate(&mut Vec::new())
    }
}

impl OrderTheory {
    /// Takes the next literal of the trail into the counts of the edges it is a condition of.
    fn process_next(&mut self, implied: &mut Vec<Lit>) {
        let assigned = &mut self.trail[self.processed];
        // So that backtracking to before this literal knows how much of `held` to drop.
        assigned.held_before = self.held.len();
        let literal = assigned.literal;
        self.processed += 1;
        let start = self.occurrences.starts[literal.index()];
        let end = self.occurrences.starts[literal.index() + 1];
        // Two loops: all counts must be right before anything is propagated by them.
        for position in start..end {
            let edge = self.occurrences.items[position];
            self.missing[edge.index()] -= 1;
            if self.missing[edge.index()] == 0 {
                self.held.push(Held { edge, needed: false, log_before: 0 });
            }
        }
        for position in start..end {
            let edge = self.occurrences.items[position];
            let (before, after) = self.ends[edge.index()];
            // One condition is missing, and the edge would close a cycle.
            if self.missing[edge.index()] == 1 && self.reach.reaches(after, before) {
                self.imply_last_condition(edge, implied);
            }
        }
    }

    /// Takes the next edge whose conditions are true into the graph.
    fn hold_next(&mut self, implied: &mut Vec<Lit>) -> Result<(), Conflict> {
        let edge = self.held[self.held_count].edge;
        let (before, after) = self.ends[edge.index()];
        // Found by a conflict and not by propagation: the last two conditions became true together.
        if self.reach.reaches(after, before) {
            let mut literals = Vec::new();
            self.explain_path(after, before, u32_of(self.held_count), &mut literals);
            literals.extend(self.open_conditions(edge));
            self.finish_explanation(0, &mut literals);
            self.statistics.conflicts += 1;
            return Err(Conflict(literals));
        }
        // An edge that the graph implies anyway changes no table. It stays among the edges, because it may
        // give a shorter explanation.
        let needed = !self.reach.reaches(before, after);
        let log_before = self.reach.log().len();
        self.held[self.held_count] = Held { edge, needed, log_before };
        self.held_count += 1;
        let open = self.open_conditions(edge).count();
        self.costs[edge.index()] = (u32_of(open), u32_of(self.held_count));
        self.outgoing[before as usize].push(edge);
        self.statistics.activations += 1;
        if needed {
            self.reach.insert(before, after, &self.predecessors);
            self.predecessors[after as usize].push(before);
            let log_after = self.reach.log().len();
            self.statistics.insertions += 1;
            self.statistics.changes += (log_after - log_before) as u64;
            // Each change of the table is a set of new pairs. Only edges against one of those pairs can have
            // become impossible.
            for position in log_before..log_after {
                let change = self.reach.log()[position];
                self.scan_change(change, implied);
            }
        }
        // Literals are assigned in the order of their levels, so only such edges were held before this one.
        if open == 0 {
            self.reach.keep_changes(log_before);
        }
        Ok(())
    }

    /// Takes edges out of the graph until so many are left in `held`.
    fn release(&mut self, length: usize) {
        while self.held_count > length {
            self.held_count -= 1;
            let held = self.held[self.held_count];
            let (before, after) = self.ends[held.edge.index()];
            // The edges out of a vertex come and go like a stack, since `held` does.
            self.outgoing[before as usize].pop();
            if held.needed {
                self.predecessors[after as usize].pop();
                self.reach.undo_to(held.log_before);
            }
        }
        self.held.truncate(length);
    }

    /// Looks for edges that a change of the table made impossible.
    fn scan_change(&mut self, change: LoggedChange, implied: &mut Vec<Lit>) {
        let now = self.reach.entry(change.vertex, change.chain);
        let row =
            self.sources.starts[change.vertex as usize]..self.sources.starts[change.vertex as usize + 1];
        // Sorted by chain and position: the sources between the new and the old entry are those that the
        // vertex reaches now and did not before.
        let skipped = self.sources.items[row.clone()]
            .partition_point(|source| (source.chain, source.position) < (change.chain, now));
        for position in row.start + skipped..row.end {
            let source = self.sources.items[position];
            if source.chain != change.chain || source.position >= change.old {
                break;
            }
            for position in source.start..source.end {
                self.check_candidate(self.candidates[position as usize], implied);
            }
        }
    }

    /// The edge would close a cycle: if it lacks one condition, that one must be false.
    fn check_candidate(&mut self, candidate: Candidate, implied: &mut Vec<Lit>) {
        let [first, last] = candidate.conditions.map(|condition| self.value(condition));
        // Half of all candidates have a false condition, and looking at two literals here saves looking at
        // the edge.
        if first == Some(false) || last == Some(false) || self.missing[candidate.edge.index()] != 1 {
            return;
        }
        match candidate.conditions {
            [condition, _] if first.is_none() => self.imply_false(candidate.edge, condition, implied),
            [_, condition] if last.is_none() => self.imply_false(candidate.edge, condition, implied),
            // There may be a third.
            _ => self.imply_last_condition(candidate.edge, implied),
        }
    }

    /// Looks for impossible edges everywhere.
    fn scan_all(&mut self, implied: &mut Vec<Lit>) {
        for position in 0..self.candidates.len() {
            let candidate = self.candidates[position];
            let (before, after) = self.ends[candidate.edge.index()];
            if self.missing[candidate.edge.index()] == 1 && self.reach.reaches(after, before) {
                self.imply_last_condition(candidate.edge, implied);
            }
        }
    }

    /// The edge would close a cycle and lacks one condition: that one must be false.
    fn imply_last_condition(&mut self, edge: EdgeId, implied: &mut Vec<Lit>) {
        let open = self.edges[edge].conditions.iter().copied().find(|&lit| self.value(lit).is_none());
        // Otherwise it is false already, or true and about to be processed.
        if let Some(open) = open {
            self.imply_false(edge, open, implied);
        }
    }

    /// The edge would close a cycle, and all its conditions but this open one are true.
    fn imply_false(&mut self, edge: EdgeId, condition: Local, implied: &mut Vec<Lit>) {
        let literal = condition.negated();
        // Already propagated, for a reason at least as old.
        if self.reasons[literal.index()].is_some() {
            return;
        }
        // All of `held` may explain it: the conditions are assigned, though not all may be in the graph yet.
        self.reasons[literal.index()] = Some((edge, u32_of(self.held.len())));
        self.implied.push((literal, self.processed));
        self.statistics.propagations += 1;
        implied.push(self.global(literal));
    }

    /// The conditions of an edge that do not hold for good.
    pub(super) fn open_conditions(&self, edge: EdgeId) -> impl Iterator<Item = Lit> {
        let conditions = self.edges[edge].conditions.iter();
        conditions.filter(|lit| !self.fixed[lit.observation()]).map(|&lit| self.global(lit))
    }

    fn finish_explanation(&mut self, start: usize, literals: &mut Vec<Lit>) {
        literals[start..].sort_unstable();
        // In place: reasons are made thousands of times a second.
        let mut kept = start;
        for position in start..literals.len() {
            if position == start || literals[position] != literals[position - 1] {
                literals[kept] = literals[position];
                kept += 1;
            }
        }
        literals.truncate(kept);
        self.statistics.explanations += 1;
        self.statistics.explanation_literals += (kept - start) as u64;
    }
}
