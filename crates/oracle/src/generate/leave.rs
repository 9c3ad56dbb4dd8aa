//! Atomic blocks and critical sections that are left in the middle: by the end of the thread, of the process, or by a failure.

use super::Generator;
use crate::tree::Node;

impl Generator {
    /// An atomic block that is left by whatever ends its thread or the process, or by a jump.
    pub(super) fn left_block(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (x, y) = (self.fresh("x"), self.fresh("y"));
        self.globals.push(Node::line(format!("int {x}, {y};")).of(group));
        let thread_ends = first != 0;
        let exit = if self.is_c11() { "thrd_exit(0);" } else { "pthread_exit(0);" };
        let ends = [exit, "return 0;", "exit(0);", "abort();"];
        let end = if thread_ends { self.pick(&ends) } else { self.pick(&ends[2..]) };
        let number = self.random.below(3);
        let leave = if self.chance(50) { format!("if ({y} == {number}) {end}") } else { end.to_owned() };
        let inner = vec![
            Node::line(format!("{x} = 1;")),
            Node::line(leave),
            Node::line(format!("{x} = 2;")),
            Node::line(format!("{y} = {};", number + 1)),
        ];
        let node = Node::nest("__VERIFIER_atomic_begin();", inner, "__VERIFIER_atomic_end();");
        self.insert(first, vec![node.of(group)]);
        let value = 1 + self.random.below(2);
        let seen = self.assert(&format!("{x} != {value}"));
        let look = if self.chance(50) {
            vec![Node::nest(
                "__VERIFIER_atomic_begin();",
                vec![seen, Node::line(format!("{y}++;"))],
                "__VERIFIER_atomic_end();",
            )]
        } else {
            vec![seen, Node::line(format!("{y} = 2;"))]
        };
        self.insert(second, look.into_iter().map(|node| node.of(group)).collect());
    }

    /// An atomic block or critical section that fails by an invalid pointer, with writes before and behind that.
    pub(super) fn null_in_block(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (x, p, m) = (self.fresh("x"), self.fresh("p"), self.fresh("m"));
        self.globals.push(Node::line(format!("int {x};")).of(group));
        self.globals.push(Node::line(format!("int *{p} = &{x};")).of(group));
        let (open, close) = if self.chance(60) {
            ("__VERIFIER_atomic_begin();".to_owned(), "__VERIFIER_atomic_end();".to_owned())
        } else {
            self.globals
                .push(Node::line(format!("pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;")).of(group));
            (format!("pthread_mutex_lock(&{m});"), format!("pthread_mutex_unlock(&{m});"))
        };
        let number = self.random.below(3);
        let use_it = match self.random.below(4) {
            0 => format!("*{p} = 2;"),
            1 => format!("{x} += *{p};"),
            2 => format!("if ({x}) {{ *{p} = 3; }}"),
            _ => format!("assert(*{p} != {number});"),
        };
        let inner =
            vec![Node::line(format!("{x}++;")), Node::line(use_it), Node::line(format!("{x} = {number};"))];
        self.insert(first, vec![Node::nest(open.clone(), inner, close.clone()).of(group)]);
        let clear = match self.random.below(3) {
            0 => format!("if ({x} == {number}) {p} = 0;"),
            1 => format!("{p} = 0;"),
            _ => format!("{p} = {x} ? 0 : &{x};"),
        };
        let value = 1 + self.random.below(3);
        let look = self.assert(&format!("{x} != {value}"));
        let inner = vec![Node::line(clear), look];
        let node = if self.chance(70) { Node::nest(open, inner, close) } else { Node::nest("{", inner, "}") };
        self.insert(second, vec![node.of(group)]);
    }
}
