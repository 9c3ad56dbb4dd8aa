//! Addresses that may come again: freed and allocated, compared, exchanged.

use super::Generator;
use crate::tree::Node;

impl Generator {
    pub(super) fn reuse_protocol(&mut self) {
        match self.random.below(3) {
            0 => self.compared_blocks(),
            1 => self.published_blocks(),
            _ => self.popped_nodes(),
        }
    }

    /// Whether a new block lies where an old one did.
    fn compared_blocks(&mut self) {
        let group = self.new_group();
        let body = self.random.below(self.bodies.len());
        let again = self.pick(&["malloc(sizeof(int))", "calloc(1, sizeof(int))", "malloc(2 * sizeof(int))"]);
        let frees = self.chance(70);
        let same = self.pick(&["(uintptr_t)new == was", "(uintptr_t)new != was", "!((uintptr_t)new ^ was)"]);
        let look = self.assert(same);
        let mut nodes = vec![Node::line("int *old = malloc(sizeof(int)); uintptr_t was = (uintptr_t)old;")];
        if frees {
            nodes.push(Node::line("free(old);"));
        }
        nodes.push(Node::line(format!("int *new = {again};")));
        nodes.push(look);
        nodes.push(Node::line(if frees { "free(new);" } else { "free(new); free(old);" }));
        self.insert(body, vec![Node::nest("{", nodes, "}").of(group)]);
    }

    /// Two bodies allocate, publish and perhaps free.
    fn published_blocks(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let at = self.fresh("at");
        self.declare(group, format!("_Atomic uintptr_t {at}[2];"));
        for (body, number) in [(first, 0), (second, 1)] {
            let own = self.fresh("own");
            let mut inner = vec![Node::line(format!("{at}[{number}] = (uintptr_t){own};"))];
            if self.chance(50) {
                inner.push(self.assert(&format!("{at}[0] != {at}[1]")));
            }
            if self.chance(50) {
                inner.push(Node::line(format!("free({own});")));
            }
            self.insert(
                body,
                vec![Node::nest(format!("{{ int *{own} = malloc(sizeof(int));"), inner, "}").of(group)],
            );
        }
        let look = self.assert(&format!("{at}[0] != {at}[1]"));
        self.finals.push(look.of(group));
    }

    /// A stack without locks: what is popped and pushed again looks as if it had never been away.
    fn popped_nodes(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (tag, top, pool) = (self.fresh("cell"), self.fresh("top"), self.fresh("pool"));
        self.declare(group, format!("struct {tag} {{ struct {tag} *next; int n; }};"));
        self.declare(group, format!("struct {tag} {pool}[2];"));
        self.declare(group, format!("struct {tag} *_Atomic {top};"));
        let heap = self.chance(40);
        let setup = if heap {
            format!(
                "{{ struct {tag} *one = malloc(sizeof *one); one->next = &{pool}[1]; one->n = 1; {top} = one; }}"
            )
        } else {
            format!("{pool}[0].next = &{pool}[1]; {top} = &{pool}[0];")
        };
        self.setup.push(Node::line(setup).of(group));
        let pop = vec![
            Node::line(format!("struct {tag} *old = {top};")),
            Node::line(format!("struct {tag} *rest = old ? old->next : 0;")),
            Node::line(format!("if (old && atomic_compare_exchange_strong(&{top}, &old, rest)) old->n = 2;")),
        ];
        self.insert(first, vec![Node::nest("{", pop, "}").of(group)]);
        let renew = if heap { "free(one); one = malloc(sizeof *one);" } else { "" };
        let push_again = vec![
            Node::line(format!("struct {tag} *one = atomic_exchange(&{top}, 0);")),
            Node::line(format!("if (one) {{ {renew} one->n = 3; one->next = 0; {top} = one; }}")),
        ];
        self.insert(second, vec![Node::nest("{", push_again, "}").of(group)]);
        let claim = match self.random.below(3) {
            0 => format!("{top} != &{pool}[1]"),
            1 => format!("{pool}[0].n != 2"),
            _ => format!("{pool}[1].n == 0"),
        };
        let look = self.assert(&claim);
        self.finals.push(look.of(group));
    }
}
