//! Programs about memory orders: plain data, atomic flags of all orders, fences, and locks that are only tried.
//!
//! What a thread sees of another one decides what it does next, so that accesses are often never possible at the same
//! moment and yet not ordered.

use std::collections::BTreeSet;

use raddle_base::SplitMix;

use super::access::{LOADS, STORES, UPDATES};
use super::{DECLARATIONS, Feature, Generated};
use crate::tree::{Node, Tree};

const FENCES: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];
const DATA: [&str; 2] = ["d", "e"];
const FLAGS: [&str; 2] = ["f", "g"];

/// How deep statements are inside each other.
const DEPTH: u32 = 2;

struct Orders {
    random: SplitMix,
    /// Whether data is accessed only by the first thread at its begin, and by threads that got a message.
    passes: bool,
    used: BTreeSet<Feature>,
}

/// The program of a seed.
pub(super) fn program(seed: u64, random: SplitMix) -> Generated {
    let used = BTreeSet::from([Feature::WeakOrder, Feature::GccAtomic]);
    let mut orders = Orders { random, passes: false, used };
    orders.passes = orders.random.once_in(2);
    let threads = 2 + usize::from(orders.random.once_in(4));
    let length = if threads == 2 { 4 } else { 3 };
    let mut nodes: Vec<Node> = DECLARATIONS.iter().map(|&line| Node::line(line)).collect();
    nodes.push(Node::line("int d, e, f, g;"));
    nodes.push(Node::line("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"));
    for thread in 1..=threads {
        let mut body = vec![Node::line("int s = 0;")];
        if orders.passes && thread == 1 {
            body.push(Node::line("d = 1;"));
        }
        for _ in 0..2 + orders.random.below(length) {
            body.push(orders.statement(DEPTH));
        }
        body.push(Node::line("return a;"));
        nodes.push(Node::block(&format!("void *t{thread}(void *a)"), body));
    }
    let mut main: Vec<Node> = (1..=threads)
        .flat_map(|thread| {
            [format!("pthread_t p{thread};"), format!("pthread_create(&p{thread}, 0, t{thread}, 0);")]
        })
        .map(Node::line)
        .collect();
    let joins = orders.random.below(3);
    main.extend((1..=joins).map(|thread| Node::line(format!("pthread_join(p{thread}, 0);"))));
    if joins > 0 && orders.random.once_in(3) {
        main.push(Node::line("d = 3;"));
    }
    main.push(Node::line("return 0;"));
    nodes.push(Node::block("int main(void)", main));
    Generated { seed, tree: Tree(nodes), features: orders.used }
}

impl Orders {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn order(&mut self, from: &[&'static str]) -> String {
        format!("__ATOMIC_{}", self.pick(from).to_uppercase())
    }

    fn statement(&mut self, depth: u32) -> Node {
        match self.random.below(16) {
            0..=3 if !(self.passes && depth == DEPTH) => self.data(),
            0..=5 => Node::line(self.flag_store()),
            6 => Node::line(self.flag_load()),
            7 => Node::line(self.flag_update()),
            8 => {
                let order = self.order(&FENCES);
                Node::line(format!("__atomic_thread_fence({order});"))
            }
            9 if depth > 0 => self.locked(),
            10 if depth > 0 => self.atomic_block(),
            _ if depth > 0 => self.told(depth - 1),
            _ => self.data(),
        }
    }

    fn data(&mut self) -> Node {
        let data = self.pick(&DATA);
        let line = if self.random.once_in(2) { format!("s = {data};") } else { format!("{data} = 1;") };
        Node::line(line)
    }

    fn flag_store(&mut self) -> String {
        let (flag, order) = (self.pick(&FLAGS), self.order(&STORES));
        format!("__atomic_store_n(&{flag}, {}, {order});", 1 + self.random.below(2))
    }

    fn flag_load(&mut self) -> String {
        let (flag, order) = (self.pick(&FLAGS), self.order(&LOADS));
        format!("s = __atomic_load_n(&{flag}, {order});")
    }

    fn flag_update(&mut self) -> String {
        let (flag, order) = (self.pick(&FLAGS), self.order(&UPDATES));
        match self.random.below(3) {
            0 => format!("s = __atomic_exchange_n(&{flag}, 2, {order});"),
            1 => format!("s = 1; __atomic_compare_exchange_n(&{flag}, &s, 2, 0, {order}, __ATOMIC_RELAXED);"),
            _ => format!("s = __atomic_fetch_add(&{flag}, 1, {order});"),
        }
    }

    /// Something in a critical section.
    fn locked(&mut self) -> Node {
        self.used.insert(Feature::Mutex);
        let inner = vec![self.statement(0), self.statement(0)];
        Node::nest("pthread_mutex_lock(&m);", inner, "pthread_mutex_unlock(&m);")
    }

    fn atomic_block(&mut self) -> Node {
        self.used.insert(Feature::AtomicBlock);
        let inner = vec![self.statement(0)];
        Node::nest("__VERIFIER_atomic_begin();", inner, "__VERIFIER_atomic_end();")
    }

    /// Something that is done only if another thread has done something.
    fn told(&mut self, depth: u32) -> Node {
        let inner = vec![self.statement(depth), self.data()];
        if self.random.once_in(6) {
            self.used.insert(Feature::TryLock);
            return if self.random.once_in(2) {
                Node::nest("if (pthread_mutex_trylock(&m)) {", inner, "} else { pthread_mutex_unlock(&m); }")
            } else {
                Node::nest("if (!pthread_mutex_trylock(&m)) {", inner, "pthread_mutex_unlock(&m); }")
            };
        }
        let look = if self.random.once_in(4) { self.flag_update() } else { self.flag_load() };
        let fence = if self.random.once_in(3) {
            format!(" __atomic_thread_fence({});", self.order(&FENCES))
        } else {
            String::new()
        };
        Node::nest(format!("{look}{fence} if (s == {}) {{", 1 + self.random.below(2)), inner, "}")
    }
}
