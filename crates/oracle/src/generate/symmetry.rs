//! Programs whose threads run one function: equal ones, and such as only look equal.
//!
//! They may be told apart by what they are given, by their ids, by the order in which they are joined and what happens in
//! between, by who started them, or by what is theirs: locks, thread-local objects, memory. So whoever takes them for equal
//! is wrong in some of these programs, and right in others.

use std::collections::BTreeSet;

use raddle_base::SplitMix;

use super::access::{LOADS, STORES, UPDATES};
use super::{DECLARATIONS, Feature, Generated};
use crate::tree::{Node, Tree};

const DATA: [&str; 2] = ["x", "y"];
const FLAGS: [&str; 2] = ["f", "g"];
const LOCKS: [&str; 2] = ["m", "n"];

/// What is declared in every program.
const GLOBALS: &[&str] = &[
    "int x, y, f, g;",
    "int cells[4];",
    "int *shared;",
    "_Thread_local int own;",
    "pthread_t who;",
    "pthread_t ts[4];",
    "pthread_key_t key;",
    "sem_t sem;",
    "pthread_once_t once = PTHREAD_ONCE_INIT;",
    "pthread_cond_t cond = PTHREAD_COND_INITIALIZER;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;",
    "void init(void) { y = 1; }",
];

/// How deep statements are inside each other.
const DEPTH: u32 = 2;

/// How the arguments of the threads differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    Equal,
    Numbers,
    Cells,
}

struct Symmetry {
    random: SplitMix,
    arguments: Arguments,
    count: usize,
    last_name: u32,
    used: BTreeSet<Feature>,
}

/// The program of a seed.
pub(super) fn program(seed: u64, mut random: SplitMix) -> Generated {
    let arguments = match random.below(5) {
        0 => Arguments::Numbers,
        1 => Arguments::Cells,
        _ => Arguments::Equal,
    };
    let count = [2, 2, 2, 3, 3, 4][random.below(6)];
    let mut symmetry = Symmetry { random, arguments, count, last_name: 0, used: BTreeSet::new() };
    let mut nodes: Vec<Node> = DECLARATIONS.iter().chain(GLOBALS).map(|&line| Node::line(line)).collect();
    nodes.push(symmetry.worker());
    let starts_elsewhere = symmetry.random.once_in(8);
    if starts_elsewhere {
        symmetry.used.insert(Feature::NestedCreate);
        let body = vec![
            Node::line("pthread_create(&ts[1], 0, worker, 0);"),
            Node::line(if symmetry.random.once_in(2) { "pthread_join(ts[1], 0);" } else { "" }),
            Node::line("return 0;"),
        ];
        nodes.push(Node::block("void *starter(void *a)", body));
    }
    nodes.push(symmetry.main(starts_elsewhere));
    Generated { seed, tree: Tree(nodes), features: symmetry.used }
}

impl Symmetry {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn order(&mut self, from: &[&'static str]) -> String {
        format!("__ATOMIC_{}", self.pick(from).to_uppercase())
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.last_name += 1;
        format!("{stem}{}", self.last_name)
    }

    fn worker(&mut self) -> Node {
        let mut body = vec![Node::line("int s = 0;")];
        // With more threads fewer statements: all interleavings are to be enumerated.
        for _ in 0..1 + self.random.below(6 - self.count) {
            body.push(self.statement(DEPTH));
        }
        let last = match self.random.below(8) {
            0 => "return (void *)(long)s;",
            1 => "pthread_exit(0);",
            2 => "return a;",
            3 => "return &cells[s & 3];",
            _ => "return 0;",
        };
        body.push(Node::line(last));
        Node::block("void *worker(void *a)", body)
    }

    fn statement(&mut self, depth: u32) -> Node {
        match self.random.below(26) {
            0..=3 => self.data(),
            4..=6 => self.atomic(),
            7..=9 if depth > 0 => self.locked(depth - 1),
            10 if depth > 0 => {
                let lock = self.pick(&LOCKS);
                let inner = vec![self.statement(depth - 1)];
                let open = format!("if (!pthread_mutex_trylock(&{lock})) {{");
                Node::nest(open, inner, format!("pthread_mutex_unlock(&{lock}); }}"))
            }
            11 if depth > 0 => {
                let inner = vec![self.statement(0), self.statement(0)];
                Node::nest("__VERIFIER_atomic_begin();", inner, "__VERIFIER_atomic_end();")
            }
            12 | 13 if depth > 0 => {
                let condition = self.condition();
                Node::block(&format!("if ({condition})"), vec![self.statement(depth - 1)])
            }
            14 => self.assertion(),
            15 | 16 => self.identity(),
            17 | 18 => self.thread_local(),
            19 => self.memory(),
            20 | 21 => self.argument(),
            22 => self.waiting(),
            23 => Node::line("pthread_once(&once, init);"),
            24 => self.lock_word(),
            _ => self.data(),
        }
    }

    fn data(&mut self) -> Node {
        let data = self.pick(&DATA);
        Node::line(match self.random.below(4) {
            0 => format!("s = {data};"),
            1 => format!("{data} = s + 1;"),
            2 => format!("{data} = 1;"),
            _ => format!("{data}++;"),
        })
    }

    fn atomic(&mut self) -> Node {
        let flag = self.pick(&FLAGS);
        Node::line(match self.random.below(5) {
            0 => format!("s = __atomic_load_n(&{flag}, {});", self.order(&LOADS)),
            1 | 2 => format!("__atomic_store_n(&{flag}, 1, {});", self.order(&STORES)),
            3 => format!("s = __atomic_exchange_n(&{flag}, 2, {});", self.order(&UPDATES)),
            _ => format!("s = __atomic_fetch_add(&{flag}, 1, {});", self.order(&UPDATES)),
        })
    }

    fn locked(&mut self, depth: u32) -> Node {
        self.used.insert(Feature::Mutex);
        let lock = self.pick(&LOCKS);
        let inner = vec![self.statement(depth), self.data()];
        // Here and there it is not given back, or not by whoever took it.
        let close = if self.random.once_in(16) { "" } else { lock };
        let close = if close.is_empty() { String::new() } else { format!("pthread_mutex_unlock(&{close});") };
        Node::nest(format!("pthread_mutex_lock(&{lock});"), inner, close)
    }

    fn condition(&mut self) -> String {
        let flag = self.pick(&FLAGS);
        match self.random.below(4) {
            0 => "s == 1".to_owned(),
            1 => "s".to_owned(),
            2 => format!("__atomic_load_n(&{flag}, {}) == 1", self.order(&LOADS)),
            _ => "__VERIFIER_nondet_bool()".to_owned(),
        }
    }

    fn assertion(&mut self) -> Node {
        let (data, number) = (self.pick(&DATA), self.random.below(4));
        let flag = self.pick(&FLAGS);
        let claim = match self.random.below(5) {
            0 => format!("s != {number}"),
            1 => format!("{data} <= {number}"),
            2 => format!("{data} == {}", self.count),
            3 => format!("{flag} != {number}"),
            _ => "own < 2".to_owned(),
        };
        Node::line(format!("assert({claim});"))
    }

    /// Who am I, and who was that?
    fn identity(&mut self) -> Node {
        Node::line(match self.random.below(6) {
            0 => "who = pthread_self();",
            1 => "if (pthread_equal(who, pthread_self())) x = 2;",
            2 => "s = pthread_equal(ts[0], pthread_self());",
            3 => "assert(!pthread_equal(ts[1], pthread_self()));",
            4 => "pthread_detach(pthread_self());",
            _ => "if (pthread_equal(pthread_self(), ts[0])) pthread_join(ts[1], 0);",
        })
    }

    fn thread_local(&mut self) -> Node {
        Node::line(match self.random.below(6) {
            0 => "own++;",
            1 => "s = own;",
            2 => "shared = &own;",
            3 => "if (shared) s = *shared;",
            4 => "pthread_setspecific(key, &x);",
            _ => "s = pthread_getspecific(key) == &x;",
        })
    }

    fn memory(&mut self) -> Node {
        let pointer = self.fresh("p");
        let claim = match self.random.below(6) {
            0 => "free",
            1 => "shared = ",
            2 => "*",
            3 => "",
            4 => return Node::line("if (shared) free(shared);"),
            _ => "if (s) free",
        };
        let make = format!("int *{pointer} = malloc(sizeof *{pointer});");
        Node::line(match claim {
            "*" => format!("{make} *{pointer} = s; x = *{pointer}; free({pointer});"),
            "" => "if (shared) *shared = 1;".to_owned(),
            "shared = " => format!("{make} shared = {pointer};"),
            other => format!("{make} {other}({pointer});"),
        })
    }

    fn argument(&mut self) -> Node {
        Node::line(match (self.arguments, self.random.below(3)) {
            (Arguments::Equal, 0) => "s = a != 0;",
            (Arguments::Equal, _) => "if (a) y = 2;",
            (Arguments::Numbers, 0) => "s = (int)(long)a;",
            (Arguments::Numbers, 1) => "if ((long)a == 1) x = 3;",
            (Arguments::Numbers, _) => "cells[(long)a] = 1;",
            (Arguments::Cells, 0) => "*(int *)a = 1;",
            (Arguments::Cells, 1) => "s = *(int *)a;",
            (Arguments::Cells, _) => "if (a == &cells[1]) x = 3;",
        })
    }

    fn waiting(&mut self) -> Node {
        match self.random.below(4) {
            0 => Node::line("sem_wait(&sem);"),
            1 => Node::line("sem_post(&sem);"),
            2 => {
                let wait = "while (!y) pthread_cond_wait(&cond, &m);";
                Node::nest("pthread_mutex_lock(&m);", vec![Node::line(wait)], "pthread_mutex_unlock(&m);")
            }
            _ => {
                let tell = ["y = 1;", "pthread_cond_broadcast(&cond);"].map(Node::line);
                Node::nest("pthread_mutex_lock(&m);", tell.into(), "pthread_mutex_unlock(&m);")
            }
        }
    }

    fn lock_word(&mut self) -> Node {
        Node::line(match self.random.below(4) {
            0 => "pthread_mutex_unlock(&n);",
            1 => "pthread_mutex_lock(&n);",
            2 => "s = *(int *)&m;",
            _ => "pthread_mutex_destroy(&n);",
        })
    }

    fn given(&self, number: &str) -> String {
        match self.arguments {
            Arguments::Equal => "0".to_owned(),
            Arguments::Numbers => format!("(void *)(long){number}"),
            Arguments::Cells => format!("&cells[{number}]"),
        }
    }

    fn main(&mut self, starts_elsewhere: bool) -> Node {
        let mut body = vec![
            Node::line("int s = 0;"),
            Node::line("void *got = 0;"),
            Node::line("pthread_key_create(&key, 0);"),
            Node::line(format!("sem_init(&sem, 0, {});", self.random.below(3))),
        ];
        let head = format!("for (int i = 0; i < {}; i++)", self.count);
        if starts_elsewhere {
            body.push(Node::line("pthread_create(&ts[0], 0, starter, 0);"));
            body.extend(
                (2..self.count).map(|i| Node::line(format!("pthread_create(&ts[{i}], 0, worker, 0);"))),
            );
        } else if self.random.once_in(2) {
            self.used.insert(Feature::CreateInLoop);
            let create = format!("pthread_create(&ts[i], 0, worker, {});", self.given("i"));
            body.push(Node::block(&head, vec![Node::line(create)]));
        } else {
            let between = self.random.once_in(6);
            for i in 0..self.count {
                let argument = self.given(&i.to_string());
                body.push(Node::line(format!("pthread_create(&ts[{i}], 0, worker, {argument});")));
                if between {
                    body.push(self.statement(0));
                }
            }
        }
        if self.random.once_in(4) {
            body.push(self.statement(1));
        }
        self.joins(&head, &mut body);
        for _ in 0..1 + self.random.below(2) {
            body.push(if self.random.once_in(3) { self.data() } else { self.assertion() });
        }
        body.push(Node::line(if self.random.once_in(10) { "pthread_exit(0);" } else { "return s & 1;" }));
        // Other functions call their argument so.
        body.insert(0, Node::line("void *a = 0;"));
        Node::block("int main(void)", body)
    }

    fn joins(&mut self, head: &str, body: &mut Vec<Node>) {
        let last = self.count - 1;
        match self.random.below(12) {
            0..=3 => body.push(Node::block(head, vec![Node::line("pthread_join(ts[i], 0);")])),
            4 => {
                let backward = format!("for (int i = {last}; i >= 0; i--)");
                body.push(Node::block(&backward, vec![Node::line("pthread_join(ts[i], 0);")]));
            }
            5 => {
                let inner = ["pthread_join(ts[i], &got);", "s += got != 0;"].map(Node::line);
                body.push(Node::block(head, inner.into()));
            }
            6 => {
                let inner = vec![Node::line("pthread_join(ts[i], 0);"), self.statement(0)];
                body.push(Node::block(head, inner));
            }
            7 => {
                body.push(Node::line(format!("pthread_join(ts[{last}], 0);")));
                body.push(self.statement(0));
                body.push(Node::line("pthread_join(ts[0], 0);"));
            }
            8 => body.push(Node::block(head, vec![Node::line("pthread_detach(ts[i]);")])),
            9 => body.push(Node::line("pthread_join(ts[0], 0);")),
            10 => {
                let inner = ["pthread_join(ts[i], 0);", "s += cells[i];"].map(Node::line);
                body.push(Node::block(head, inner.into()));
            }
            _ => {}
        }
    }
}
