//! The referee that shares nothing with us: programs as gcc builds them and as the processor runs them.
//!
//! A generated program ends with one number, its *outcome*, which encodes what its threads have read. gcc builds it, it is run many
//! times ([`native`]), and every outcome that is seen must be among those that enumeration finds; no engine may prove that
//! an outcome cannot be which was seen ([`referee`]). Programs have defined behaviour, so that gcc means the same program.
//! Where accesses race they are `volatile`; then, and with memory orders weaker than sequential consistency, what may be
//! seen is what x86 allows, which is our memory model `tso`.
//!
//! What is never seen natively says nothing: this finds outcomes that we miss, not those that we invent. The sanitizers, and what
//! holds of every program by construction (no deadlock, no misuse of locks, no invalid access), are a second opinion on those.

pub mod native;
pub mod referee;
mod scenes;
mod sketch;

use std::collections::BTreeSet;

use raddle_base::SplitMix;
use raddle_engines::MemoryModel;

use self::scenes::{Cast, SCENES, Scene};
use self::sketch::{MOST_WORKERS, Sketch};

/// What stands in front of every program when we build it: what the harness has, with delays that do nothing.
pub const INCLUDES: &str = "#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#define J() ((void)0)
#define START(threads) ((void)0)
#define RELAX() ((void)0)
#define FINISH(outcome) finish(outcome)
";

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Variables of all types that several threads change.
    Counters,
    /// Structures that are copied.
    Structs,
    /// Lists through links inside of their elements.
    Lists,
    /// Pointers and their arithmetic, tables of functions.
    Pointers,
    /// Blocks of the heap.
    Heap,
    /// Functions of the C library.
    Library,
    /// What lock functions return.
    Locks,
    /// Semaphores, barriers, condition variables, once-functions.
    Waiting,
    /// Atomic objects.
    Atomics,
    /// The order of memory accesses.
    Litmus,
    /// Objects that live as long as a block, a call or a thread.
    Lifetimes,
    /// How threads begin and end.
    Threads,
    /// Cleanup handlers, keys with destructors, jumps, signals, cancellation.
    Endings,
    /// `<threads.h>`
    C11,
}

impl Topic {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Counters,
        Self::Structs,
        Self::Lists,
        Self::Pointers,
        Self::Heap,
        Self::Library,
        Self::Locks,
        Self::Waiting,
        Self::Atomics,
        Self::Litmus,
        Self::Lifetimes,
        Self::Threads,
        Self::Endings,
        Self::C11,
    ];

    /// What people call it on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counters => "counters",
            Self::Structs => "structs",
            Self::Lists => "lists",
            Self::Pointers => "pointers",
            Self::Heap => "heap",
            Self::Library => "library",
            Self::Locks => "locks",
            Self::Waiting => "waiting",
            Self::Atomics => "atomics",
            Self::Litmus => "litmus",
            Self::Lifetimes => "lifetimes",
            Self::Threads => "threads",
            Self::Endings => "endings",
            Self::C11 => "c11",
        }
    }

    /// The topic of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|topic| topic.name() == name)
    }
}

/// What a program claims of its outcomes: an assertion at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This one never is.
    Never(i32),
    /// It is always one of these.
    Only(BTreeSet<i32>),
}

impl Claim {
    /// Whether an outcome breaks it.
    #[must_use]
    pub fn is_broken_by(&self, outcome: i32) -> bool {
        match self {
            Self::Never(wrong) => outcome == *wrong,
            Self::Only(right) => !right.contains(&outcome),
        }
    }

    /// The condition in C that breaks it.
    fn broken(&self) -> String {
        match self {
            Self::Never(wrong) => format!("outcome == {wrong}"),
            Self::Only(right) => {
                let differs: Vec<String> = right.iter().map(|one| format!("outcome != {one}")).collect();
                if differs.is_empty() { "1".to_owned() } else { differs.join(" && ") }
            }
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Never(wrong) => write!(f, "the outcome is never {wrong}"),
            Self::Only(right) => write!(f, "the outcome is always one of {right:?}"),
        }
    }
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Where it came from.
    pub seed: u64,
    /// What it is about.
    pub topics: BTreeSet<Topic>,
    /// Under which memory model all that gcc and the processor may do is found.
    pub memory_model: MemoryModel,
    /// Whether some accesses race.
    pub races: bool,
    /// Whether it uses locks in ways that they refuse.
    pub misuses: bool,
    /// Whether its threads synchronise in ways that gcc's thread sanitizer does not know.
    pub unsanitized: bool,
    /// Its text, with `@` in front of names of file scope.
    text: String,
}

impl Scenario {
    /// The text for us, with an assertion of a claim at its end.
    #[must_use]
    pub fn ours(&self, claim: Option<&Claim>) -> String {
        let check = claim.map(|claim| format!("if ({}) reach_error(); ", claim.broken())).unwrap_or_default();
        let text = self.text.replace('@', "");
        format!(
            "void reach_error(void) {{}}\nstatic void finish(int outcome) {{ {check}_Exit(outcome); }}\n{text}"
        )
    }

    /// The text for gcc, as the program of a number among others in the same file.
    #[must_use]
    pub fn for_gcc(&self, number: usize) -> String {
        self.text.replace('@', &format!("p{number}_"))
    }
}

/// The program of a seed, about a topic or about any.
#[must_use]
pub fn scenario(seed: u64, about: Option<Topic>) -> Scenario {
    // Seeds that lie close together must not give similar programs.
    let mut random = SplitMix::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0c0e);
    let candidates: Vec<&Scene> =
        SCENES.iter().filter(|scene| about.is_none_or(|topic| scene.topic == topic)).collect();
    let first = candidates[random.below(candidates.len())];
    let (workers, second) = match first.cast {
        Cast::Main => (MOST_WORKERS, random.once_in(8)),
        Cast::Workers if random.once_in(4) => (MOST_WORKERS, random.once_in(4)),
        Cast::Workers => (2, random.below(100) < 65),
    };
    let mut scenes = vec![first];
    if second {
        let others: Vec<&Scene> = SCENES.iter().filter(|scene| scene.cast == first.cast).collect();
        scenes.push(others[random.below(others.len())]);
    }
    let lapses = random.once_in(6);
    let mut sketch = Sketch::new(random, workers);
    sketch.lapses = lapses;
    for scene in &scenes {
        (scene.play)(&mut sketch);
    }
    Scenario {
        seed,
        topics: scenes.iter().map(|scene| scene.topic).collect(),
        memory_model: if sketch.weak || sketch.races { MemoryModel::Tso } else { MemoryModel::Sc },
        races: sketch.races,
        misuses: sketch.misuses,
        // The thread sanitizer also complains of misuse that POSIX allows.
        unsanitized: sketch.unsanitized || sketch.misuses,
        text: sketch.text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_says_it_all() {
        for seed in 0..50 {
            assert_eq!(scenario(seed, None), scenario(seed, None));
        }
        assert_ne!(scenario(1, None).text, scenario(2, None).text);
        let about = |topic: Topic| (0..20).all(|seed| scenario(seed, Some(topic)).topics.contains(&topic));
        assert!(
            Topic::ALL.iter().all(|&topic| about(topic) && Topic::from_name(topic.name()) == Some(topic))
        );
    }

    #[test]
    fn a_claim_is_an_assertion() {
        let one = scenario(1, None);
        let (never, only) = (Claim::Never(7), Claim::Only(BTreeSet::from([-1, 7])));
        assert!(one.ours(Some(&never)).contains("if (outcome == 7) reach_error();"));
        assert!(one.ours(Some(&only)).contains("if (outcome != -1 && outcome != 7) reach_error();"));
        assert!(
            never.is_broken_by(7) && !never.is_broken_by(8) && only.is_broken_by(8) && !only.is_broken_by(7)
        );
        assert!(!one.ours(None).contains("if (outcome "));
        assert!(!one.ours(None).contains('@') && one.for_gcc(3).contains("int p3_main(void)"));
    }
}
