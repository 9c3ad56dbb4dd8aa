//! Locks as memory, joins against the rules, and locks misused beside assertions.

use super::Generator;
use crate::tree::Node;

impl Generator {
    /// A lock that is initialised again, overwritten, copied or destroyed while others use it.
    pub(super) fn lock_words(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (m, x) = (self.fresh("word"), self.fresh("x"));
        self.globals.push(Node::line(format!("int {x};")).of(group));
        let kind = self.random.below(4);
        let (ty, init, again, lock, unlock) = match kind {
            0 | 1 => {
                ("pthread_mutex_t", "0", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_unlock")
            }
            2 => (
                "pthread_rwlock_t",
                "0",
                "pthread_rwlock_init",
                "pthread_rwlock_wrlock",
                "pthread_rwlock_unlock",
            ),
            _ => ("sem_t", "0, 1", "sem_init", "sem_wait", "sem_post"),
        };
        self.globals.push(Node::line(format!("{ty} {m};")).of(group));
        self.setup.push(Node::line(format!("{again}(&{m}, {init});")).of(group));
        let number = self.random.below(3);
        let user = Node::nest(
            format!("{lock}(&{m});"),
            vec![
                Node::line(format!("{x}++;")),
                Node::line(format!("assert({x} != {});", number + 1)),
                Node::line(format!("{x}--;")),
            ],
            format!("{unlock}(&{m});"),
        );
        self.insert(first, vec![user.clone().of(group)]);
        if self.chance(50) {
            self.insert(second, vec![user.of(group)]);
        }
        let destroy = again.replace("_init", "_destroy");
        let meddle = match self.random.below(6) {
            0 => format!("{again}(&{m}, {init});"),
            1 => format!("{destroy}(&{m});"),
            2 => format!("{destroy}(&{m}); {again}(&{m}, {init});"),
            3 => format!("{{ {ty} copy = {m}; {m} = copy; }}"),
            4 => format!("{{ {ty} copy; {again}(&copy, {init}); {m} = copy; }}"),
            _ => format!("memset(&{m}, 0, sizeof {m});"),
        };
        match self.random.below(3) {
            0 => self.insert(second, vec![Node::line(meddle).of(group)]),
            1 => self.teardown.push(Node::line(meddle).of(group)),
            _ => {
                let body = self.random.below(self.bodies.len());
                self.insert(
                    body,
                    vec![
                        Node::nest(
                            format!("{lock}(&{m});"),
                            vec![Node::line(meddle)],
                            format!("{unlock}(&{m});"),
                        )
                        .of(group),
                    ],
                );
            }
        }
    }

    /// Threads that are joined in ways that nobody may join them.
    pub(super) fn join_misuse(&mut self) {
        if self.is_c11() {
            return;
        }
        let group = self.new_group();
        let (function, handle, x) = (self.fresh("helper"), self.fresh("handle"), self.fresh("x"));
        self.globals.push(Node::line(format!("_Atomic int {x};")).of(group));
        self.globals.push(Node::line(format!("pthread_t {handle};")).of(group));
        let body = vec![Node::line(format!("{x}++;")), Node::line("return 0;")];
        self.functions.push(Node::block(&format!("static void *{function}(void *argument)"), body).of(group));
        let create = format!("pthread_create(&{handle}, 0, {function}, 0);");
        let join = format!("pthread_join({handle}, 0);");
        let number = self.random.below(3);
        let look = self.assert(&format!("{x} != {number}"));
        let body = self.random.below(self.bodies.len());
        let scope = self.scope(body);
        let condition = self.condition(&scope);
        let lines = match self.random.below(7) {
            0 => vec![create, join.clone(), format!("if ({condition}) {join}")],
            1 => vec![create, format!("pthread_detach({handle});"), format!("if ({condition}) {join}")],
            2 => vec![format!("if ({condition}) {create}"), join],
            3 => vec![create, format!("if ({condition}) pthread_join(pthread_self(), 0);"), join],
            4 => vec![create, join, format!("if ({condition}) pthread_detach({handle});")],
            5 => vec![create, join],
            _ => {
                let other = self.random.below(self.bodies.len());
                self.insert(other, vec![Node::line(format!("if ({x}) {join}")).of(group)]);
                vec![create, join]
            }
        };
        let mut nodes: Vec<Node> = lines.into_iter().map(|line| Node::line(line).of(group)).collect();
        nodes.push(look.of(group));
        self.insert(body, nodes);
    }

    /// A lock misused before, behind or beside an assertion that may fail: neither hides the other.
    pub(super) fn misuse_beside(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (m, x) = (self.fresh("m"), self.fresh("x"));
        self.globals.push(Node::line(format!("pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;")).of(group));
        self.globals.push(Node::line(format!("_Atomic int {x};")).of(group));
        let (lock, unlock) = (format!("pthread_mutex_lock(&{m});"), format!("pthread_mutex_unlock(&{m});"));
        let number = self.random.below(3);
        let misuse = match self.random.below(4) {
            0 => vec![Node::line(unlock.clone())],
            1 => vec![Node::line(format!("if ({x} == {number}) {unlock}"))],
            2 => vec![Node::nest(
                lock.clone(),
                vec![Node::line(format!("if ({x}) {{ {lock} }}"))],
                unlock.clone(),
            )],
            _ => vec![
                Node::line(lock.clone()),
                Node::line(format!("if ({x} < 2) {unlock}")),
                Node::line(unlock.clone()),
            ],
        };
        let assertion = self.assert(&format!("{x} != {}", number + 1));
        let mut nodes = misuse;
        let at = self.random.below(nodes.len() + 1);
        nodes.insert(at, assertion);
        self.insert(first, nodes.into_iter().map(|node| node.of(group)).collect());
        let inner = vec![Node::line(format!("{x}++;")), Node::line(format!("{x} += {number};"))];
        let node =
            if self.chance(60) { Node::nest(lock, inner, unlock) } else { Node::nest("{", inner, "}") };
        self.insert(second, vec![node.of(group)]);
    }
}
