//! `setjmp` and `longjmp` within a thread: out of calls, back to try again, out of critical sections.

use super::Generator;
use crate::tree::Node;

impl Generator {
    pub(super) fn leap_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (x, env, leap) = (self.fresh("x"), self.fresh("env"), self.fresh("leap"));
        self.declare(group, format!("_Atomic int {x};"));
        let number = self.random.below(3);
        let when = match self.random.below(3) {
            0 => format!("{x} == {number}"),
            1 => format!("{x} < 2"),
            _ => "__VERIFIER_nondet_bool()".to_owned(),
        };
        // The buffer is the function's own, the thread's own, or handed on.
        let (declaration, call) = if self.chance(50) {
            self.declare(group, format!("_Thread_local jmp_buf {env};"));
            let body = vec![Node::line(format!("if ({when}) longjmp({env}, 1 + depth);"))];
            self.functions.push(Node::block(&format!("static void {leap}(int depth)"), body).of(group));
            (String::new(), format!("{leap}(1);"))
        } else {
            let body = vec![Node::line(format!("if ({when}) longjmp(*to, depth);"))];
            let head = format!("static void {leap}(jmp_buf *to, int depth)");
            self.functions.push(Node::block(&head, body).of(group));
            (format!("jmp_buf {env}; "), format!("{leap}(&{env}, 2);"))
        };
        let (lock, unlock) = if self.mutexes.is_empty() || self.chance(50) {
            (String::new(), String::new())
        } else {
            let mutexes = self.mutexes.clone();
            let mutex = self.pick(&mutexes);
            (self.lock(&mutex), self.unlock(&mutex))
        };
        let behind = if self.chance(85) { unlock.clone() } else { String::new() };
        let after = self.assert(&format!("{x} != {}", number + 1));
        let node = if self.chance(50) {
            Node::nest(
                format!("{{ {declaration}{lock} if (setjmp({env}) == 0) {{"),
                vec![Node::line(format!("{x}++;")), Node::line(call), Node::line(unlock)],
                format!("}} else {{ {x} += 2; {behind} }} }}"),
            )
        } else {
            // Tries again, twice at most.
            let inner = vec![Node::line(format!("{x}++;")), Node::line(call), after];
            Node::nest(
                format!("{{ {declaration}volatile int tries = 0; setjmp({env}); if (tries++ < 2) {{"),
                inner,
                "} }",
            )
        };
        self.insert(first, vec![node.of(group)]);
        let look = self.assert(&format!("{x} != {}", number + 2));
        self.insert(second, vec![Node::line(format!("{x}++;")).of(group), look.of(group)]);
    }
}
