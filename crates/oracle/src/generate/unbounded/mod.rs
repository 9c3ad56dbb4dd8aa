//! Programs whose loops and threads have no bound: what they keep is kept by invariants alone.
//!
//! A program has a few [`idioms`], each a few shared variables that some of its threads change in a disciplined way, with assertions that hold
//! because of that discipline; the idioms are mixed in the bodies of the threads. Loops go on as long as an input says
//! ([`AGAIN`]), also the loops in which main, or a worker, creates threads. In two programs of three one or two [`faults`] are made, so that
//! a part of the programs is right, a part is nearly right, and nobody knows which: judges tell. [`few_rounds`] makes the program whose
//! loops end, for those who enumerate: what breaks it breaks the program.

mod faults;
mod idioms;

use std::collections::BTreeSet;

use raddle_base::SplitMix;

use super::{DECLARATIONS, Feature, Generated};
use crate::tree::{Node, Tree};

/// What stands in front of these programs: little, because there are many of them.
pub const FEW_INCLUDES: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n";

/// The head of a loop without a bound.
const AGAIN: &str = "while (__VERIFIER_nondet_bool())";

/// The same program with loops of so many rounds at most.
#[must_use]
pub fn few_rounds(text: &str, rounds: usize) -> String {
    let head = format!("for (int round__ = 0; round__ < {rounds} && __VERIFIER_nondet_bool(); round__++)");
    text.replace(AGAIN, &head)
}

/// How a few statements are made one step, or exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    Atomic,
    Mutex,
    Spin,
    Writer,
    Semaphore,
    Try,
}

const DISCIPLINES: [Discipline; 8] = [
    Discipline::Atomic,
    Discipline::Atomic,
    Discipline::Mutex,
    Discipline::Mutex,
    Discipline::Spin,
    Discipline::Writer,
    Discipline::Semaphore,
    Discipline::Try,
];

/// Types of shared numbers, and the largest number of each that is used as a bound.
const TYPES: [(&str, usize); 8] = [
    ("int", 1000),
    ("int", 5),
    ("unsigned", 1000),
    ("unsigned char", 255),
    ("signed char", 127),
    ("short", 300),
    ("unsigned short", 65535),
    ("long", 100_000),
];

struct Unbounded {
    random: SplitMix,
    used: BTreeSet<Feature>,
    last_name: u32,
    globals: Vec<Node>,
    functions: Vec<Node>,
    /// What main does before any thread is there.
    setup: Vec<Node>,
    /// What each kind of thread does, in parts that may be mixed.
    workers: Vec<Vec<Node>>,
    /// What main does after it has started threads.
    after: Vec<Node>,
    /// What surrounds the creation of a worker in main: before it.
    before_creation: Vec<Vec<Node>>,
}

/// The program of a seed.
pub(super) fn program(seed: u64, mut random: SplitMix) -> Generated {
    let kinds = 1 + random.below(3).min(random.below(3));
    let mut unbounded = Unbounded {
        random,
        used: BTreeSet::new(),
        last_name: 0,
        globals: Vec::new(),
        functions: Vec::new(),
        setup: Vec::new(),
        workers: vec![Vec::new(); kinds],
        after: Vec::new(),
        before_creation: vec![Vec::new(); kinds],
    };
    let count = 1 + unbounded.random.below(2);
    for _ in 0..count {
        unbounded.idiom();
    }
    let mut tree = unbounded.assemble();
    let faults = unbounded.random.below(3);
    for _ in 0..faults {
        tree = faults::one(&tree, &mut unbounded.random);
    }
    Generated { seed, tree, features: unbounded.used }
}

impl Unbounded {
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.last_name += 1;
        format!("{stem}{}", self.last_name)
    }

    /// A shared variable of a random type, and a bound that its type can hold.
    fn number(&mut self, stem: &str) -> (String, usize) {
        let name = self.fresh(stem);
        let (ty, most) = self.pick(&TYPES);
        let qualifier = if self.random.once_in(8) { "volatile " } else { "" };
        self.globals.push(Node::line(format!("{qualifier}{ty} {name};")));
        (name, 1 + self.random.below(most))
    }

    fn discipline(&mut self) -> (Discipline, String) {
        let kind = self.pick(&DISCIPLINES);
        let name = self.fresh("m");
        let (line, feature) = match kind {
            Discipline::Atomic => return (kind, name),
            Discipline::Mutex | Discipline::Try => {
                (format!("pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"), Feature::Mutex)
            }
            Discipline::Spin => (format!("int {name};"), Feature::SpinLock),
            Discipline::Writer => {
                (format!("pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;"), Feature::RwLock)
            }
            Discipline::Semaphore => {
                self.setup.push(Node::line(format!("sem_init(&{name}, 0, 1);")));
                (format!("sem_t {name};"), Feature::Semaphore)
            }
        };
        self.used.insert(feature);
        self.globals.push(Node::line(line));
        (kind, name)
    }

    /// Statements under a discipline.
    fn under(&mut self, (kind, name): &(Discipline, String), body: Vec<Node>) -> Node {
        let (open, close) = match kind {
            Discipline::Atomic => {
                self.used.insert(Feature::AtomicBlock);
                ("__VERIFIER_atomic_begin();".to_owned(), "__VERIFIER_atomic_end();".to_owned())
            }
            Discipline::Mutex => {
                (format!("pthread_mutex_lock(&{name});"), format!("pthread_mutex_unlock(&{name});"))
            }
            Discipline::Spin => (
                format!("while (!__sync_bool_compare_and_swap(&{name}, 0, 1)) ;"),
                self.pick(&[format!("{name} = 0;"), format!("__sync_lock_release(&{name});")]),
            ),
            Discipline::Writer => {
                (format!("pthread_rwlock_wrlock(&{name});"), format!("pthread_rwlock_unlock(&{name});"))
            }
            Discipline::Semaphore => (format!("sem_wait(&{name});"), format!("sem_post(&{name});")),
            Discipline::Try => {
                self.used.insert(Feature::TryLock);
                (
                    format!("if (pthread_mutex_trylock(&{name}) == 0) {{"),
                    format!("pthread_mutex_unlock(&{name}); }}"),
                )
            }
        };
        Node::nest(open, body, close)
    }

    /// A kind of thread.
    fn somebody(&mut self) -> usize {
        self.random.below(self.workers.len())
    }

    /// Gives a thread something to do, perhaps in a loop, perhaps in a function, perhaps under a condition.
    fn does(&mut self, who: usize, nodes: Vec<Node>) {
        let nodes = match self.random.below(6) {
            0 | 1 => vec![Node::block(AGAIN, nodes)],
            2 => vec![Node::block("if (__VERIFIER_nondet_bool())", nodes)],
            3 => {
                self.used.insert(Feature::Call);
                let name = self.fresh("f");
                self.functions.push(Node::block(&format!("static void {name}(void)"), nodes));
                vec![Node::line(format!("{name}();"))]
            }
            _ => nodes,
        };
        self.workers[who].extend(nodes);
    }

    /// How main starts the threads of one kind.
    fn creation(&mut self, who: usize) -> Vec<Node> {
        let before = std::mem::take(&mut self.before_creation[who]);
        let create = |argument: &str| format!("pthread_create(&t{who}, 0, w{who}, {argument});");
        let with = |mut before: Vec<Node>, line: String| {
            before.push(Node::line(line));
            before
        };
        match self.random.below(8) {
            0 => with(before, create("0")),
            1 => {
                let mut nodes = with(before.clone(), create("0"));
                nodes.extend(with(before, create("0")));
                nodes
            }
            2 => {
                let loop_ = format!("for (int i{who} = 0; i{who} < {}; i{who}++)", 2 + self.random.below(3));
                vec![Node::block(&loop_, with(before, create("0")))]
            }
            3 => {
                let mut nodes = with(before, create("0"));
                nodes.push(Node::line(format!("pthread_join(t{who}, 0);")));
                nodes
            }
            _ => {
                self.used.insert(Feature::CreateInLoop);
                vec![Node::block(AGAIN, with(before, create("0")))]
            }
        }
    }

    fn assemble(&mut self) -> Tree {
        let mut nodes: Vec<Node> = DECLARATIONS.iter().map(|&line| Node::line(line)).collect();
        nodes.append(&mut self.globals);
        nodes.append(&mut self.functions);
        let kinds = self.workers.len();
        let mut main: Vec<Node> = (0..kinds).map(|who| Node::line(format!("pthread_t t{who};"))).collect();
        main.append(&mut self.setup);
        for who in 0..kinds {
            // The last kind is perhaps started by the one before it.
            let is_nested = who > 0 && who + 1 == kinds && self.random.once_in(5);
            let started = self.creation(who);
            if is_nested {
                self.used.insert(Feature::NestedCreate);
                self.workers[who - 1].push(Node::line(format!("pthread_t t{who};")));
                self.workers[who - 1].extend(started);
                nodes.push(Node::line(format!("void *w{who}(void *a);")));
            } else {
                main.extend(started);
            }
        }
        for who in 0..kinds {
            let mut body = std::mem::take(&mut self.workers[who]);
            if self.random.once_in(6) {
                body = vec![Node::block(AGAIN, body)];
            }
            body.push(Node::line("return 0;"));
            nodes.push(Node::block(&format!("void *w{who}(void *a)"), body));
        }
        main.append(&mut self.after);
        main.push(Node::line("return 0;"));
        nodes.push(Node::block("int main(void)", main));
        Tree(nodes)
    }
}

fn lines(lines: &[String]) -> Vec<Node> {
    lines.iter().map(Node::line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Topic, program};

    #[test]
    fn few_rounds_bound_every_loop_without_bound() {
        let texts: Vec<String> =
            (0..60).map(|seed| program(Topic::Unbounded.first_seed() + seed).tree.to_string()).collect();
        assert!(texts.iter().filter(|text| text.contains(AGAIN)).count() > 40);
        for text in texts {
            let few = few_rounds(&text, 2);
            assert!(!few.contains(AGAIN), "{few}");
            assert_eq!(few.matches("round__ < 2").count(), text.matches(AGAIN).count());
        }
    }
}
