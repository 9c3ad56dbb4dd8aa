//! Trees of sequences: what is still to be searched from a state.
//!
//! Two sequences are *equivalent* when one becomes the other by exchanging neighbours that are independent. A *wakeup tree* holds
//! sequences that are pairwise not prefixes of each other up to equivalence (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, section 6).

use super::steps::{StepId, Steps};

/// Names an execution that is made ahead; those that are asked for later have higher numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket(u64);

impl Ticket {
    /// The one that is asked for next.
    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Whether it was asked for not long before another one.
    pub(super) const fn is_near(self, newest: Self, distance: usize) -> bool {
        newest.0.saturating_sub(self.0) < distance as u64
    }
}

/// A step that is to be made, and what is to follow it. Behind a leaf anything may.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// Steps that follow each other without another way; the first one last.
    steps: Vec<StepId>,
    below: Vec<Branch>,
    /// Where its first sequence, and what follows, is made ahead.
    pub(super) ticket: Option<Ticket>,
}

impl Branch {
    fn new(steps: Vec<StepId>, below: Vec<Self>) -> Self {
        Self { steps, below, ticket: None }
    }

    /// A single step.
    pub(super) fn leaf(step: StepId) -> Self {
        Self::new(vec![step], Vec::new())
    }

    /// The first step.
    pub(super) fn first(&self) -> StepId {
        *self.steps.last().expect("a branch has a step")
    }

    /// Whether it is a single step.
    pub(super) fn is_leaf(&self) -> bool {
        self.steps.len() == 1 && self.below.is_empty()
    }

    /// The sequence that is searched first.
    pub(super) fn first_sequence(&self) -> Vec<StepId> {
        let mut sequence = Vec::new();
        let mut branch = Some(self);
        while let Some(Self { steps, below, .. }) = branch {
            sequence.extend(steps.iter().rev());
            branch = below.first();
        }
        sequence
    }

    /// What is to follow the first step.
    pub(super) fn rest(mut self) -> Vec<Self> {
        self.steps.pop();
        self.ticket = None;
        if self.steps.is_empty() { self.below } else { vec![self] }
    }
}

/// A sequence to be searched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sequence {
    pub(super) steps: Vec<StepId>,
    /// Whether the last step may take any inputs: who has made it, or will, tries the others by himself.
    pub(super) is_open: bool,
}

impl Sequence {
    /// Whether a step can be the first of an equivalent sequence, or of one that this is continued to.
    pub(super) fn leads_with(&self, first: StepId, steps: &Steps) -> bool {
        self.front(first, steps).is_some()
    }

    /// Whether a step of the sequence can be its first.
    pub(super) fn begins_with(&self, first: StepId, steps: &Steps) -> bool {
        self.front(first, steps).flatten().is_some()
    }

    /// Whether a step can be moved to the front of a sequence, or put there: the step of the sequence that it then is.
    fn front(&self, first: StepId, steps: &Steps) -> Option<Option<usize>> {
        for (position, &step) in self.steps.iter().enumerate() {
            if steps.depend(step, first) {
                let is_own = steps.thread(step) == steps.thread(first);
                let is_last = position + 1 == self.steps.len();
                let is_same = is_own && (is_last && self.is_open || steps.are_alike(step, first));
                return is_same.then_some(Some(position));
            }
        }
        Some(None)
    }

    /// A step was moved to the front: what follows it.
    fn drop_step(&mut self, position: Option<usize>) {
        if let Some(position) = position {
            self.is_open &= position + 1 < self.steps.len();
            self.steps.remove(position);
        }
    }

    fn into_branch(mut self) -> Branch {
        self.steps.reverse();
        self.steps.shrink_to_fit();
        Branch::new(self.steps, Vec::new())
    }
}

/// Adds a sequence to a tree, unless what is there leads to all that it leads to.
pub(super) fn insert(tree: &mut Vec<Branch>, mut sequence: Sequence, steps: &Steps) {
    let mut level = tree;
    loop {
        let leads = |(index, branch): (usize, &Branch)| Some((index, sequence.front(branch.first(), steps)?));
        let Some((index, position)) = level.iter().enumerate().find_map(leads) else {
            level.push(sequence.into_branch());
            return;
        };
        sequence.drop_step(position);
        let branch = &mut level[index];
        for passed in (1..branch.steps.len()).rev() {
            if sequence.steps.is_empty() {
                return;
            }
            let Some(position) = sequence.front(branch.steps[passed - 1], steps) else {
                branch.fork(passed, sequence);
                return;
            };
            sequence.drop_step(position);
        }
        level = &mut branch.below;
        if level.is_empty() || sequence.steps.is_empty() {
            return;
        }
    }
}

impl Branch {
    /// Lets a sequence go another way where so many steps are left.
    fn fork(&mut self, left: usize, other: Sequence) {
        let rest: Vec<StepId> = self.steps.drain(..left).collect();
        let below = std::mem::take(&mut self.below);
        self.below = vec![Self::new(rest, below), other.into_branch()];
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::Step;
    use super::*;
    use crate::explore::footprint::{Footprint, Setting};

    /// Steps of as many threads, of which none depends on another.
    fn independent(count: u32) -> (Steps, Vec<StepId>) {
        let mut steps = Steps::new(Setting { reuse: false, weak: false });
        let step = |thread| Step { thread, picks: Vec::new(), footprint: Footprint::default() };
        let ids = (0..count).map(|thread| steps.id_of(step(thread))).collect();
        (steps, ids)
    }

    #[test]
    fn what_a_tree_leads_to_is_not_added() {
        let (steps, ids) = independent(3);
        let sequence = |order: &[usize]| Sequence {
            steps: order.iter().map(|&index| ids[index]).collect(),
            is_open: false,
        };
        let mut tree = Vec::new();
        insert(&mut tree, sequence(&[0, 1, 2]), &steps);
        for same in [&[2, 1, 0][..], &[1, 0], &[0], &[2]] {
            insert(&mut tree, sequence(same), &steps);
            assert_eq!((tree.len(), tree[0].steps.len()), (1, 3), "{same:?}");
        }
    }

    #[test]
    fn a_branch_divides_where_sequences_do() {
        let (mut steps, ids) = independent(2);
        let mut footprint = Footprint::default();
        footprint.fails();
        footprint.exits = true;
        let exit = steps.id_of(Step { thread: 2, picks: Vec::new(), footprint });
        let sequence = |steps: &[StepId]| Sequence { steps: steps.to_vec(), is_open: false };
        let mut tree = Vec::new();
        insert(&mut tree, sequence(&[ids[0], ids[1], exit]), &steps);
        insert(&mut tree, sequence(&[ids[0], exit]), &steps);
        assert_eq!(tree.len(), 1);
        assert_eq!(tree[0].steps, [ids[0]]);
        let below: Vec<StepId> = tree[0].below.iter().map(Branch::first).collect();
        assert_eq!(below, [ids[1], exit]);
    }
}
