//! What a thread does: accesses, branches, loops, calls, ends.

use super::{Feature, Generator, Scope};
use crate::tree::Node;

impl Generator {
    /// Gives every body something to do.
    pub(super) fn fill_bodies(&mut self) {
        let threads = self.threads.len();
        for body in 0..self.bodies.len() {
            // The more threads there are, the less each may do: the interleavings are to be enumerated.
            let most = if body == 0 { 2 } else { 5 - threads.min(3) };
            let activities = self.random.below(most) + usize::from(body != 0);
            let mut scope = self.scope(body);
            for _ in 0..activities {
                let nodes = self.activity(&mut scope);
                self.bodies[body].nodes.extend(nodes);
            }
        }
    }

    /// One thing to do.
    pub(super) fn activity(&mut self, scope: &mut Scope) -> Vec<Node> {
        if scope.depth >= 3 {
            return self.access(scope);
        }
        type Maker = fn(&mut Generator, &mut Scope) -> Vec<Node>;
        let basic: [(usize, Maker); 3] = [(8, Self::access), (2, Self::branch), (2, Self::asserting)];
        let drawn: [(Feature, Maker); 10] = [
            (Feature::ConstantLoop, Self::constant_loop),
            (Feature::DataLoop, Self::data_loop),
            (Feature::Switch, Self::switch),
            (Feature::Goto, Self::jump),
            (Feature::Assume, Self::assume),
            (Feature::Termination, Self::terminate),
            (Feature::Call, Self::call),
            (Feature::Input, Self::receive),
            (Feature::Uninitialised, Self::receive_unset),
            (Feature::Spin, Self::wait_for_shared),
        ];
        let makers: Vec<(usize, Maker, Option<Feature>)> = basic
            .iter()
            .map(|&(weight, maker)| (weight, maker, None))
            .chain(drawn.iter().map(|&(feature, maker)| (4, maker, Some(feature))))
            .chain([(16, Self::open_atomic_block as Maker, Some(Feature::OpenAtomicBlock))])
            .filter(|(_, _, feature)| feature.is_none_or(|feature| self.drawn.contains(&feature)))
            .collect();
        let mut ticket = self.random.below(makers.iter().map(|(weight, ..)| weight).sum());
        for (weight, maker, feature) in makers {
            if ticket < weight {
                self.used.extend(feature);
                return maker(self, scope);
            }
            ticket -= weight;
        }
        self.access(scope)
    }

    fn inner(scope: &Scope) -> Scope {
        Scope { depth: scope.depth + 1, ..scope.clone() }
    }

    fn asserting(&mut self, scope: &mut Scope) -> Vec<Node> {
        vec![self.assertion(scope)]
    }

    fn branch(&mut self, scope: &mut Scope) -> Vec<Node> {
        let condition = self.condition(scope);
        let mut inner = Self::inner(scope);
        let then = self.activity(&mut inner);
        if self.chance(40) {
            let otherwise = self.access(&mut inner);
            vec![Node::choice(&condition, then, otherwise)]
        } else {
            vec![Node::block(&format!("if ({condition})"), then)]
        }
    }

    fn constant_loop(&mut self, scope: &mut Scope) -> Vec<Node> {
        let (counter, rounds) = (self.fresh("i"), 1 + self.random.below(3));
        let mut inner = Self::inner(scope);
        inner.counters.push(counter.clone());
        inner.depth = 3;
        let mut body = self.access(&mut inner);
        if self.chance(20) {
            let condition = self.condition(&inner);
            let leave = self.pick(&["break;", "continue;"]);
            let at = self.random.below(body.len() + 1);
            body.insert(at, Node::line(format!("if ({condition}) {leave}")));
        }
        let head = match self.random.below(3) {
            0 => format!("for (int {counter} = {rounds}; {counter} > 0; {counter}--)"),
            1 => format!("for (unsigned {counter} = 0; {counter} != {rounds}; ++{counter})"),
            _ => format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++)"),
        };
        vec![Node::block(&head, body)]
    }

    fn data_loop(&mut self, scope: &mut Scope) -> Vec<Node> {
        let counter = self.fresh("i");
        let mut inner = Self::inner(scope);
        inner.depth = 3;
        let body = self.access(&mut inner);
        let limit = self.value(scope, 1);
        let head = match self.random.below(4) {
            // The limit is looked at once.
            0 => format!("for (int {counter} = ({limit}) & 3; {counter} > 0; {counter}--)"),
            // The limit is looked at in each round.
            1 => format!("for (int {counter} = 0; {counter} < (({limit}) & 1) + 1; {counter}++)"),
            2 => {
                let condition = self.condition(scope);
                format!("for (int {counter} = 0; {counter} < 2 && ({condition}); {counter}++)")
            }
            _ => {
                let mut body = body;
                body.push(Node::line(format!("{counter}--;")));
                let close = format!("}} while ({counter} > 0); }}");
                return vec![Node::nest(format!("{{ int {counter} = ({limit}) & 1; do {{"), body, close)];
            }
        };
        vec![Node::block(&head, body)]
    }

    fn switch(&mut self, scope: &mut Scope) -> Vec<Node> {
        let mut inner = Self::inner(scope);
        inner.depth = 3;
        let value = self.value(scope, 1);
        let first = self.access(&mut inner);
        let second = self.access(&mut inner);
        let fall = if self.chance(50) { "break;" } else { "__attribute__((fallthrough));" };
        let mut body = vec![Node::line(format!("case {}:", self.random.below(2)))];
        body.extend(first);
        body.push(Node::line(fall));
        body.push(Node::line(if self.chance(50) { "case 2 ... 3:" } else { "default:" }));
        body.extend(second);
        body.push(Node::line(";"));
        vec![Node::block(&format!("switch (({value}) & 3)"), body)]
    }

    fn jump(&mut self, scope: &mut Scope) -> Vec<Node> {
        let mut inner = Self::inner(scope);
        inner.depth = 3;
        let (label, condition) = (self.fresh("out"), self.condition(scope));
        let mut nodes = vec![Node::line(format!("if ({condition}) goto {label};"))];
        nodes.extend(self.access(&mut inner));
        nodes.push(Node::line(format!("{label}: ;")));
        vec![Node::nest("{", nodes, "}")]
    }

    fn assume(&mut self, scope: &mut Scope) -> Vec<Node> {
        let condition = self.condition(scope);
        vec![Node::line(format!("__VERIFIER_assume({condition});"))]
    }

    fn terminate(&mut self, scope: &mut Scope) -> Vec<Node> {
        let condition = self.condition(scope);
        let exit = if self.is_c11() { "thrd_exit(0);" } else { "pthread_exit(0);" };
        let ends = ["return 0;", exit, "abort();", "exit(0);"];
        let text = if scope.is_thread { self.pick(&ends) } else { self.pick(&ends[2..]) };
        vec![Node::line(format!("if ({condition}) {text}"))]
    }

    /// An atomic block in which a thread may wait or stop, or end the process.
    fn open_atomic_block(&mut self, scope: &mut Scope) -> Vec<Node> {
        let mut inner = Scope { depth: 3, is_thread: false, in_atomic_block: true, ..scope.clone() };
        let mut nodes = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let condition = self.condition(&inner);
            match self.random.below(8) {
                0 | 1 => nodes.push(Node::line(format!("__VERIFIER_assume({condition});"))),
                2 => nodes.extend(self.terminate(&mut inner)),
                3 => nodes.push(self.assertion(&inner)),
                4 if !self.mutexes.is_empty() => {
                    let name = self.pick(&self.mutexes.clone());
                    let (lock, unlock) = (self.lock(&name), self.unlock(&name));
                    let within = self.access(&mut inner);
                    // What is locked in the atomic block may be left locked behind it, and the other way round.
                    match self.random.below(8) {
                        0 => nodes.push(Node::line(lock)),
                        1 => nodes.push(Node::line(unlock)),
                        _ => nodes.push(Node::nest(lock, within, unlock)),
                    }
                }
                5 => {
                    let then = self.access(&mut inner);
                    nodes.push(Node::block(&format!("if ({condition})"), then));
                }
                _ => nodes.extend(self.access(&mut inner)),
            }
        }
        if scope.in_atomic_block && self.chance(70) {
            return nodes;
        }
        vec![Node::nest("__VERIFIER_atomic_begin();", nodes, "__VERIFIER_atomic_end();")]
    }

    fn call(&mut self, scope: &mut Scope) -> Vec<Node> {
        let name = self.fresh("call");
        let mut inner = Scope {
            locals: vec!["w".to_owned()],
            counters: vec!["v".to_owned()],
            held: scope.held.clone(),
            depth: 3,
            is_thread: false,
            in_atomic_block: scope.in_atomic_block,
        };
        let mut body = vec![Node::line("int w = v;")];
        body.extend(self.access(&mut inner));
        let recursive = self.chance(30);
        if recursive {
            body.push(Node::line(format!("if (v > 0) return {name}(v - 1);")));
        }
        let result = self.value_of_locals(&inner);
        body.push(Node::line(format!("return w + {result};")));
        self.functions.push(Node::block(&format!("static int {name}(int v)"), body));
        let argument = self.value_of_locals(scope);
        let argument = if recursive { format!("{argument} & 1") } else { argument };
        let call = match scope.locals.first() {
            Some(local) => format!("{local} = {name}({argument});"),
            None => format!("{name}({argument});"),
        };
        vec![Node::line(call)]
    }

    /// Takes something from outside.
    fn receive(&mut self, scope: &mut Scope) -> Vec<Node> {
        let input = self.input();
        match scope.locals.last() {
            Some(local) => vec![Node::line(format!("{local} = {input};"))],
            None => self.access(scope),
        }
    }

    /// Takes what a variable holds that nobody has set.
    fn receive_unset(&mut self, scope: &mut Scope) -> Vec<Node> {
        let name = self.fresh("any");
        let ty = self.pick(&["_Bool", "int", "unsigned char"]);
        match scope.locals.first() {
            Some(local) => vec![Node::line(format!("{{ {ty} {name}; {local} = {name} & 1; }}"))],
            None => self.access(scope),
        }
    }

    /// Waits until some shared variable has changed so; perhaps nobody ever does that.
    fn wait_for_shared(&mut self, scope: &mut Scope) -> Vec<Node> {
        if scope.in_atomic_block || !self.chance(30) {
            return self.access(scope);
        }
        let number = self.random.below(3);
        match self.readable(scope) {
            Some(read) => vec![self.wait_for(&read, number)],
            None => self.access(scope),
        }
    }
}
