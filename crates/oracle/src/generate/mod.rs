//! Small random concurrent C programs: the same seed gives the same program.
//!
//! A program has a few random [`Feature`]s and builds on them: shared variables with a way to guard each; two or three threads, and
//! main, whose bodies access them; protocols between threads, such as a flag that one sets and another waits for, or a lock
//! both take; ways to create and join threads; assertions. Here and there something is left out or done wrongly, so that
//! every property is broken by some programs and kept by others.
//!
//! All nondeterministic values are truth values or masked to one bit, so that to try zero and one is to try everything. Loops
//! are short, except those that wait, so that all interleavings can be enumerated.

mod access;
mod attempts;
mod calls;
mod control;
mod data;
mod endings;
mod expression;
mod fault;
mod feature;
mod forwarding;
mod handles;
mod leap;
mod leave;
mod library;
mod lifetime;
mod memory;
mod misuse;
mod orders;
mod pieces;
mod protocol;
mod reuse;
mod symmetry;
mod synchronise;
mod threads;
mod topic;
mod types;
mod unbounded;
mod wait;
mod wrappers;

use std::collections::BTreeSet;

use raddle_base::SplitMix;

use self::access::Guard;
use self::data::Shared;
pub use self::feature::Feature;
use self::feature::WEIGHTS;
pub use self::topic::Topic;
pub use self::unbounded::{FEW_INCLUDES, few_rounds};
use crate::tree::{Group, Node, Tree};

/// What stands in front of every program.
pub const INCLUDES: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
";

/// What is declared in every program, because no header does it.
const DECLARATIONS: &[&str] = &[
    "extern _Bool __VERIFIER_nondet_bool(void);",
    "extern int __VERIFIER_nondet_int(void);",
    "extern void __VERIFIER_assume(int);",
    "extern void __VERIFIER_atomic_begin(void);",
    "extern void __VERIFIER_atomic_end(void);",
    "void reach_error(void) {}",
];

/// A program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Where it came from.
    pub seed: u64,
    /// What it is.
    pub tree: Tree,
    /// What it has in it.
    pub features: BTreeSet<Feature>,
}

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> Generated {
    // Seeds that lie close together must not give similar programs.
    let mut random = SplitMix::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    let topic = Topic::of(seed);
    if topic == Topic::Orders {
        return orders::program(seed, random);
    }
    if topic == Topic::Symmetry {
        return symmetry::program(seed, random);
    }
    if topic == Topic::Unbounded {
        return unbounded::program(seed, random);
    }
    // What programs are about is not to drown in the rest.
    let wanted = match topic {
        Topic::Any | Topic::Orders | Topic::AtomicBlocks | Topic::Symmetry | Topic::Unbounded => {
            2 + random.below(4)
        }
        Topic::Lifetimes
        | Topic::Copies
        | Topic::Offsets
        | Topic::Targets
        | Topic::LockWords
        | Topic::Joins
        | Topic::Exchanges
        | Topic::Library
        | Topic::Exits
        | Topic::Nulls
        | Topic::Misuse
        | Topic::Inputs
        | Topic::Forwarding
        | Topic::Pieces
        | Topic::Wrappers
        | Topic::Handles
        | Topic::Leaps
        | Topic::Attempts
        | Topic::Reuse
        | Topic::Endings => random.below(3),
    };
    let mut drawn = draw_features(&mut random, wanted);
    drawn.extend(topic.feature());
    let mut generator = Generator::new(random, drawn);
    let tree = generator.build();
    Generated { seed, tree, features: generator.used }
}

/// A few features, and those without which they mean nothing.
fn draw_features(random: &mut SplitMix, wanted: usize) -> BTreeSet<Feature> {
    let total: usize = WEIGHTS.iter().map(|(_, weight)| weight).sum();
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        let mut ticket = random.below(total);
        for &(feature, weight) in WEIGHTS {
            if ticket < weight {
                drawn.insert(feature);
                break;
            }
            ticket -= weight;
        }
    }
    for (feature, needed) in [
        (Feature::TryLock, Feature::Mutex),
        (Feature::MutexKind, Feature::Mutex),
        (Feature::TwoMutexes, Feature::Mutex),
        (Feature::Condition, Feature::Mutex),
        (Feature::OutOfBounds, Feature::Array),
        (Feature::NullPointer, Feature::Pointer),
        (Feature::Freed, Feature::Heap),
    ] {
        if drawn.contains(&feature) {
            drawn.insert(needed);
        }
    }
    if drawn.contains(&Feature::LockMisuse) && !drawn.contains(&Feature::RwLock) {
        drawn.insert(Feature::Mutex);
    }
    let atomics = [Feature::C11Atomic, Feature::GccAtomic, Feature::SyncAtomic];
    if drawn.contains(&Feature::WeakOrder) && !atomics[..2].iter().any(|atomic| drawn.contains(atomic)) {
        drawn.insert(atomics[random.below(2)]);
    }
    drawn
}

/// A thread's function, or main, while it grows.
#[derive(Clone, Debug, Default)]
struct Body {
    name: String,
    group: Option<Group>,
    /// Declarations at its head.
    head: Vec<Node>,
    nodes: Vec<Node>,
    /// Local variables of type `int` that hold something.
    locals: Vec<String>,
    /// What it returns, if that is looked at.
    result: Option<String>,
}

/// Where a statement is to stand.
#[derive(Clone, Debug)]
struct Scope {
    /// Local variables that can be read and written there.
    locals: Vec<String>,
    /// Local variables that can only be read there: to change a loop's counter could make the loop endless.
    counters: Vec<String>,
    /// Guards that are held there.
    held: Vec<Guard>,
    /// How deep.
    depth: u32,
    /// Whether `return 0;` leaves the thread.
    is_thread: bool,
    /// Whether it stands in an atomic block or a function that is one: nothing may wait or end there without need.
    in_atomic_block: bool,
}

struct Generator {
    random: SplitMix,
    drawn: BTreeSet<Feature>,
    used: BTreeSet<Feature>,
    last_name: u32,
    last_group: Group,
    globals: Vec<Node>,
    functions: Vec<Node>,
    /// What main does before any thread is there.
    setup: Vec<Node>,
    /// What main does last.
    teardown: Vec<Node>,
    shared: Vec<Shared>,
    /// The names of the mutexes.
    mutexes: Vec<String>,
    /// Main, then the functions of threads.
    bodies: Vec<Body>,
    /// For each thread, the body it runs.
    threads: Vec<usize>,
    /// Assertions about what is left in the end.
    finals: Vec<Node>,
}

impl Scope {
    /// The local variables that can be read.
    fn readable_locals(&self) -> Vec<String> {
        self.locals.iter().chain(&self.counters).cloned().collect()
    }
}

impl Generator {
    fn new(random: SplitMix, drawn: BTreeSet<Feature>) -> Self {
        Self {
            random,
            drawn,
            used: BTreeSet::new(),
            last_name: 0,
            last_group: 0,
            globals: Vec::new(),
            functions: Vec::new(),
            setup: Vec::new(),
            teardown: Vec::new(),
            shared: Vec::new(),
            mutexes: Vec::new(),
            bodies: Vec::new(),
            threads: Vec::new(),
            finals: Vec::new(),
        }
    }

    fn build(&mut self) -> Tree {
        self.declare_shared();
        self.declare_bodies();
        self.fill_bodies();
        self.add_protocols();
        self.add_faults();
        let main = self.assemble_main();
        let mut nodes: Vec<Node> = DECLARATIONS.iter().map(|&line| Node::line(line)).collect();
        nodes.append(&mut self.globals);
        nodes.append(&mut self.functions);
        for body in std::mem::take(&mut self.bodies).into_iter().skip(1).rev() {
            nodes.push(self.thread_function(body));
        }
        nodes.push(main);
        Tree(nodes)
    }

    /// Whether a feature was drawn; if so it counts as used.
    fn has(&mut self, feature: Feature) -> bool {
        let drawn = self.drawn.contains(&feature);
        if drawn {
            self.used.insert(feature);
        }
        drawn
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.last_name += 1;
        format!("{stem}{}", self.last_name)
    }

    fn new_group(&mut self) -> Group {
        self.last_group += 1;
        self.last_group
    }

    /// A line at file scope that belongs to a group.
    fn declare(&mut self, group: Group, line: String) {
        self.globals.push(Node::line(line).of(group));
    }

    /// Puts statements somewhere into a body, not inside others.
    fn insert(&mut self, body: usize, nodes: Vec<Node>) {
        let at = self.random.below(self.bodies[body].nodes.len() + 1);
        self.bodies[body].nodes.splice(at..at, nodes);
    }

    /// Puts a first and a last line around some of a body's statements, perhaps around none.
    fn wrap(&mut self, body: usize, open: Vec<Node>, close: Vec<Node>, group: Group) {
        let length = self.bodies[body].nodes.len();
        let first = self.random.below(length + 1);
        let last = first + self.random.below(length - first + 1);
        let inner: Vec<Node> = self.bodies[body].nodes.drain(first..last).collect();
        let tagged = |nodes: Vec<Node>| nodes.into_iter().map(move |node| node.of(group));
        let all: Vec<Node> = tagged(open).chain(inner).chain(tagged(close)).collect();
        self.bodies[body].nodes.splice(first..first, all);
    }

    /// Two different bodies; the first may be main's.
    fn two_bodies(&mut self) -> (usize, usize) {
        let first = self.random.below(self.bodies.len());
        let second = (first + 1 + self.random.below(self.bodies.len() - 1)) % self.bodies.len();
        (first, second)
    }

    fn scope(&self, body: usize) -> Scope {
        Scope {
            locals: self.bodies[body].locals.clone(),
            counters: Vec::new(),
            held: Vec::new(),
            depth: 0,
            is_thread: body != 0,
            in_atomic_block: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_says_it_all() {
        for &topic in Topic::ALL {
            let first = topic.first_seed();
            assert_eq!(Topic::from_name(topic.name()), Some(topic));
            assert_eq!(Topic::of(first + 7), topic);
            for seed in first..first + 20 {
                assert_eq!(program(seed).tree, program(seed).tree);
            }
            assert_ne!(program(first + 1).tree, program(first + 2).tree);
        }
    }

    #[test]
    fn every_feature_is_used_by_some_program() {
        let topics = Topic::ALL.iter().map(|topic| topic.first_seed());
        let seeds = (0..3_000).chain(topics.flat_map(|first| first..first + 20));
        let used: BTreeSet<Feature> = seeds.flat_map(|seed| program(seed).features).collect();
        let weighted = WEIGHTS.iter().map(|&(feature, _)| feature);
        let all = weighted.chain(Topic::ALL.iter().filter_map(|topic| topic.feature()));
        let missing: Vec<Feature> = all.filter(|feature| !used.contains(feature)).collect();
        assert_eq!(missing, []);
    }
}
