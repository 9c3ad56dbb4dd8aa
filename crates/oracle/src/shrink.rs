//! Delta debugging: a smaller program that still does what one looks for.
//!
//! Whole groups go first, then ever shorter runs of statements (Zeller and Hildebrandt: Simplifying and isolating
//! failure-inducing input, 2002), then statements give way to what they hold. It ends when no single cut is left that keeps
//! the behaviour, or when it has tried often enough.

use crate::tree::{Cut, Tree};

/// At most so many programs are tried.
const MAX_TRIALS: usize = 3_000;

/// Makes a tree smaller as long as `keeps` says that the smaller one still does it.
pub fn shrink(tree: &Tree, keeps: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    let mut shrinker = Shrinker { best: tree.clone(), keeps, trials: 0 };
    loop {
        let before = shrinker.best.count();
        for group in shrinker.best.groups() {
            shrinker.attempt(Cut::Group(group));
        }
        let mut length = shrinker.best.count().next_power_of_two() / 2;
        while length > 0 {
            shrinker.remove_runs(length);
            length /= 2;
        }
        shrinker.unwrap_all();
        if shrinker.best.count() >= before || shrinker.trials >= MAX_TRIALS {
            return shrinker.best;
        }
    }
}

struct Shrinker<'k> {
    best: Tree,
    keeps: &'k mut dyn FnMut(&Tree) -> bool,
    trials: usize,
}

impl Shrinker<'_> {
    fn attempt(&mut self, cut: Cut) -> bool {
        if self.trials >= MAX_TRIALS {
            return false;
        }
        let Some(smaller) = self.best.cut(cut) else { return false };
        self.trials += 1;
        let kept = (self.keeps)(&smaller);
        if kept {
            self.best = smaller;
        }
        kept
    }

    /// Takes out runs of a length, from the back: what stands there depends on what stands before it.
    fn remove_runs(&mut self, length: usize) {
        let mut first = self.best.count();
        while first > 0 {
            first -= 1;
            self.attempt(Cut::Remove { first, count: length });
            first = first.min(self.best.count());
        }
    }

    fn unwrap_all(&mut self) {
        let mut node = 0;
        while node < self.best.count() {
            let unwrapped = (0..2).any(|arm| self.attempt(Cut::Unwrap { node, arm }));
            if !unwrapped {
                node += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::program;
    use crate::tree::Node;

    #[test]
    fn what_matters_stays_and_the_rest_goes() {
        let mut tree = program(7).tree;
        tree.0.insert(3, Node::block("first", vec![Node::line("here"), Node::line("not here")]));
        tree.0.push(Node::choice("second", vec![Node::line("other")], vec![Node::line("there")]));
        let small = shrink(&tree, &mut |tree| {
            let text = tree.to_string();
            text.contains("here\n") && text.contains("there\n")
        });
        assert_eq!(small.to_string(), "there\n", "`there` holds both");
        let small = shrink(&tree, &mut |tree| {
            let text = tree.to_string();
            text.lines().any(|line| line.trim() == "here") && text.contains("there\n")
        });
        assert_eq!(small.to_string(), "here\nthere\n");
    }
}
