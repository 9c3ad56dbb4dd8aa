//! What several threads do together: each gets its part, and sometimes one part is left out.

use super::access::Guard;
use super::data::DataShape;
use super::{Feature, Generator};
use crate::tree::Node;

impl Generator {
    pub(super) fn add_protocols(&mut self) {
        type Protocol = fn(&mut Generator);
        let protocols: [(Feature, Protocol); 30] = [
            (Feature::Spin, Self::spin_protocol),
            (Feature::Exclusion, Self::exclusion_protocol),
            (Feature::Condition, Self::condition_protocol),
            (Feature::Semaphore, Self::semaphore_protocol),
            (Feature::Barrier, Self::barrier_protocol),
            (Feature::Once, Self::once_protocol),
            (Feature::Litmus, Self::litmus_protocol),
            (Feature::Counter, Self::counter_protocol),
            (Feature::Publish, Self::publish_protocol),
            (Feature::TwoMutexes, Self::nesting_protocol),
            (Feature::EarlyEnd, Self::early_end),
            (Feature::Copy, Self::copying),
            (Feature::Offset, Self::offset_protocol),
            (Feature::TwoTargets, Self::target_protocol),
            (Feature::LockWord, Self::lock_words),
            (Feature::JoinMisuse, Self::join_misuse),
            (Feature::Exchange, Self::exchange_protocol),
            (Feature::Library, Self::library_protocol),
            (Feature::LeftBlock, Self::left_block),
            (Feature::NullInBlock, Self::null_in_block),
            (Feature::MisuseBeside, Self::misuse_beside),
            (Feature::FreeInput, Self::free_inputs),
            (Feature::Forwarding, Self::forwarding_protocol),
            (Feature::Pieces, Self::pieces_protocol),
            (Feature::Wrapper, Self::wrapper_protocol),
            (Feature::Handle, Self::handle_protocol),
            (Feature::Leap, Self::leap_protocol),
            (Feature::Attempt, Self::attempt_protocol),
            (Feature::Reuse, Self::reuse_protocol),
            (Feature::Ending, Self::ending_protocol),
        ];
        for (feature, protocol) in protocols {
            if self.has(feature) {
                protocol(self);
            }
        }
        let shared = self.shared.clone();
        for shared in shared {
            let visible =
                matches!(shared.shape, DataShape::Scalar | DataShape::Array(_) | DataShape::Record(_));
            if visible && self.chance(45) {
                let scope = self.scope(0);
                let lvalue = self.lvalue_in(&scope, &shared);
                let (read, number) = (self.load(&lvalue), self.random.below(4));
                let claim = match self.random.below(4) {
                    0 => format!("{read} <= {number}"),
                    1 => format!("{read} == {number} || {read} > 1"),
                    _ => format!("{read} != {number}"),
                };
                let node = self.assert(&claim);
                self.finals.push(node);
            }
        }
        if self.finals.is_empty() && self.chance(60) {
            // Nobody else is there in the end, so main may look at everything.
            let mut scope = self.scope(0);
            scope.held = self.shared.iter().map(|shared| shared.guard.clone()).collect();
            let node = self.assertion(&scope);
            self.finals.push(node);
        }
    }

    fn spin_protocol(&mut self) {
        if self.chance(65) { self.flag_protocol() } else { self.turn_protocol() }
    }

    fn condition_protocol(&mut self) {
        let group = self.new_group();
        let (condition, done) = (self.fresh("c"), self.fresh("done"));
        let mutexes = self.mutexes.clone();
        let mutex = self.pick(&mutexes);
        let c11 = self.is_c11();
        if c11 {
            self.globals.push(Node::line(format!("cnd_t {condition};")).of(group));
            self.setup.push(Node::line(format!("cnd_init(&{condition});")).of(group));
        } else {
            let line = format!("pthread_cond_t {condition} = PTHREAD_COND_INITIALIZER;");
            self.globals.push(Node::line(line).of(group));
        }
        let call = |name: &str| if c11 { format!("cnd_{name}") } else { format!("pthread_cond_{name}") };
        self.globals.push(Node::line(format!("int {done};")).of(group));
        let (sender, receiver) = self.two_bodies();
        let wake = if self.chance(70) { call("signal") } else { call("broadcast") };
        let (lock, unlock) = (self.lock(&mutex), self.unlock(&mutex));
        let mut inner = vec![Node::line(format!("{done} = 1;"))];
        if !self.chance(10) {
            inner.push(Node::line(format!("{wake}(&{condition});")));
        }
        let sends =
            if self.chance(90) { vec![Node::nest(lock.clone(), inner, unlock.clone())] } else { inner };
        let waits = format!("{}(&{condition}, &{mutex});", call("wait"));
        let head = match self.random.below(10) {
            0 | 1 => format!("if (!{done}) {waits}"),
            2 => waits,
            _ => format!("while (!{done}) {waits}"),
        };
        let mut inner = vec![Node::line(head)];
        if self.chance(50) {
            inner.push(Node::line(format!("assert({done} == 1);")));
        }
        let receives = Node::nest(lock, inner, unlock);
        self.insert(sender, sends.into_iter().map(|node| node.of(group)).collect());
        self.insert(receiver, vec![receives.of(group)]);
    }

    fn semaphore_protocol(&mut self) {
        let group = self.new_group();
        let name = self.fresh("sem");
        self.globals.push(Node::line(format!("sem_t {name};")).of(group));
        let (first, second) = self.two_bodies();
        let wait = |generator: &mut Self| match generator.random.below(6) {
            0 => Node::line(format!("while (sem_trywait(&{name})) ;")),
            1 => Node::line(format!("if (sem_trywait(&{name})) sem_wait(&{name});")),
            _ => Node::line(format!("sem_wait(&{name});")),
        };
        let post = || Node::line(format!("sem_post(&{name});"));
        if self.chance(50) {
            // A handing over.
            let start = usize::from(self.chance(15));
            self.setup.push(Node::line(format!("sem_init(&{name}, 0, {start});")).of(group));
            if !self.chance(8) {
                self.insert(first, vec![post().of(group)]);
            }
            let node = wait(self);
            self.insert(second, vec![node.of(group)]);
            if self.chance(30) {
                let node = wait(self);
                self.bodies[first].nodes.push(node.of(group));
                self.bodies[second].nodes.push(post().of(group));
            }
        } else {
            // A lock.
            let start = if self.chance(15) { 2 } else { 1 };
            self.setup.push(Node::line(format!("sem_init(&{name}, 0, {start});")).of(group));
            for body in [first, second] {
                let open = wait(self);
                let close = if self.chance(6) { Vec::new() } else { vec![post()] };
                self.wrap(body, vec![open], close, group);
            }
        }
        if self.chance(20) {
            self.teardown.push(Node::line(format!("sem_destroy(&{name});")).of(group));
        }
    }

    fn barrier_protocol(&mut self) {
        let group = self.new_group();
        let name = self.fresh("barrier");
        self.globals.push(Node::line(format!("pthread_barrier_t {name};")).of(group));
        let with_main = self.chance(30);
        let parties = self.threads.len() + usize::from(with_main);
        let parties = if self.chance(8) { parties + 1 } else { parties };
        self.setup.push(Node::line(format!("pthread_barrier_init(&{name}, 0, {parties});")).of(group));
        for body in usize::from(!with_main)..self.bodies.len() {
            let node = Node::line(format!("pthread_barrier_wait(&{name});"));
            self.insert(body, vec![node.of(group)]);
        }
    }

    fn once_protocol(&mut self) {
        let group = self.new_group();
        let (control, count, function) = (self.fresh("once"), self.fresh("begun"), self.fresh("begin"));
        self.globals.push(Node::line(format!("pthread_once_t {control} = PTHREAD_ONCE_INIT;")).of(group));
        self.globals.push(Node::line(format!("int {count};")).of(group));
        let body = vec![Node::line(format!("{count}++;"))];
        self.functions.push(Node::block(&format!("static void {function}(void)"), body).of(group));
        let (first, second) = self.two_bodies();
        for body in [first, second] {
            let mut nodes = vec![Node::line(format!("pthread_once(&{control}, {function});")).of(group)];
            if self.chance(60) {
                nodes.push(Node::line(format!("assert({count} == 1);")).of(group));
            }
            self.insert(body, nodes);
        }
    }

    /// Two threads, two variables: which results are possible?
    fn litmus_protocol(&mut self) {
        let group = self.new_group();
        let (x, y, p, q) = (self.fresh("x"), self.fresh("y"), self.fresh("got"), self.fresh("got"));
        let qualifier = self.pick(&["", "volatile ", "_Atomic "]);
        self.globals.push(Node::line(format!("{qualifier}int {x}, {y};")).of(group));
        self.globals.push(Node::line(format!("int {p}, {q};")).of(group));
        let (first, second) = self.two_bodies();
        let fence = self.chance(20);
        let fenced = |store: String, load: String| {
            let mut lines = vec![store];
            if fence {
                lines.push("__sync_synchronize();".to_owned());
            }
            lines.push(load);
            lines.into_iter().map(|line| Node::line(line).of(group)).collect::<Vec<Node>>()
        };
        let (a, b) = (self.random.below(2), self.random.below(2));
        let claim = format!("!({p} == {a} && {q} == {b})");
        match self.random.below(4) {
            0 | 1 => {
                // Store buffering.
                self.insert(first, fenced(format!("{x} = 1;"), format!("{p} = {y};")));
                self.insert(second, fenced(format!("{y} = 1;"), format!("{q} = {x};")));
            }
            2 => {
                // Message passing.
                self.insert(first, fenced(format!("{x} = 1;"), format!("{y} = 1;")));
                self.insert(second, fenced(format!("{p} = {y};"), format!("{q} = {x};")));
            }
            _ => {
                // Load buffering.
                self.insert(first, fenced(format!("{p} = {x};"), format!("{y} = 1;")));
                self.insert(second, fenced(format!("{q} = {y};"), format!("{x} = 1;")));
            }
        }
        let node = self.assert(&claim);
        self.finals.push(node.of(group));
    }

    /// Threads count together.
    fn counter_protocol(&mut self) {
        let group = self.new_group();
        let name = self.fresh("count");
        let (ty, steps): (&str, Vec<String>) = match self.random.below(4) {
            0 => ("int", vec![format!("{name}++;")]),
            1 => ("_Atomic int", vec![format!("{name}++;")]),
            2 => {
                let old = self.fresh("old");
                (
                    "int",
                    vec![format!(
                        "{{ int {old}; do {old} = {name}; \
                     while (!__sync_bool_compare_and_swap(&{name}, {old}, {old} + 1)); }}"
                    )],
                )
            }
            _ => (
                "unsigned char",
                vec![
                    "__VERIFIER_atomic_begin();".to_owned(),
                    format!("{name} = {name} + 1;"),
                    "__VERIFIER_atomic_end();".to_owned(),
                ],
            ),
        };
        self.globals.push(Node::line(format!("{ty} {name};")).of(group));
        let mut total = 0;
        for body in 1..self.bodies.len() {
            let instances = self.threads.iter().filter(|&&thread| thread == body).count();
            total += instances;
            let nodes = steps.iter().map(|line| Node::line(line.clone()).of(group)).collect();
            self.insert(body, nodes);
        }
        let claim = match self.random.below(4) {
            0 => format!("{name} >= 1"),
            1 => format!("{name} <= {total}"),
            _ => format!("{name} == {total}"),
        };
        let node = self.assert(&claim);
        self.finals.push(node.of(group));
    }

    /// Data first, then the sign that they are there.
    fn publish_protocol(&mut self) {
        let group = self.new_group();
        let data = self.fresh("data");
        self.globals.push(Node::line(format!("int {data};")).of(group));
        let (sender, receiver) = self.two_bodies();
        let number = 1 + self.random.below(2);
        let write = Node::line(format!("{data} = {number};")).of(group);
        let check = format!("assert({data} == {number});");
        if self.chance(50) {
            let flag = self.declare_flag(group);
            let set = Node::line(self.set_flag(&flag, "1")).of(group);
            let nodes = if self.chance(85) { vec![write, set] } else { vec![set, write] };
            let read = self.read_flag(&flag);
            self.insert(sender, nodes);
            self.insert(
                receiver,
                vec![Node::block(&format!("if ({read})"), vec![Node::line(check)]).of(group)],
            );
        } else {
            let pointer = self.fresh("published");
            let seen = self.fresh("seen");
            let atomic = self.chance(50);
            let qualifier = if atomic { "*_Atomic " } else { "*" };
            self.globals.push(Node::line(format!("int {qualifier}{pointer};")).of(group));
            let set = Node::line(format!("{pointer} = &{data};")).of(group);
            let nodes = if self.chance(85) { vec![write, set] } else { vec![set, write] };
            let inner = vec![
                Node::line(format!("int *{seen} = {pointer};")),
                Node::line(format!("if ({seen}) assert(*{seen} == {number});")),
            ];
            self.insert(sender, nodes);
            self.insert(receiver, vec![Node::nest("{", inner, "}").of(group)]);
        }
    }

    /// Two mutexes, one inside the other, in the same order or not.
    fn nesting_protocol(&mut self) {
        let group = self.new_group();
        let (outer, inner) = (self.mutexes[0].clone(), self.mutexes[1].clone());
        let (first, second) = self.two_bodies();
        let reversed = self.chance(45);
        for (body, swap) in [(first, false), (second, reversed)] {
            let (a, b) = if swap { (&inner, &outer) } else { (&outer, &inner) };
            let mut scope = self.scope(body);
            scope.depth = 2;
            scope.is_thread = false;
            scope.held = vec![Guard::Mutex(outer.clone()), Guard::Mutex(inner.clone())];
            let middle = self.access(&mut scope);
            let within = self.with_mutex(b, middle);
            let (lock, unlock) = (self.lock(a), self.unlock(a));
            self.insert(body, vec![Node::nest(lock, within, unlock).of(group)]);
        }
    }
}
