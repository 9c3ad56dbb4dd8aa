//! Pointers that are copied, swapped or rebuilt piece by piece: bytes, halves, numbers, members of unions.

use super::Generator;
use crate::tree::Node;

impl Generator {
    /// One body takes a pointer to pieces and uses what it has put together; another changes where the pointer leads.
    pub(super) fn pieces_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (a, b, p) = (self.fresh("a"), self.fresh("b"), self.fresh("p"));
        self.declare(group, format!("int {a}, {b} = 1;"));
        self.declare(group, format!("int *{p} = &{a};"));
        let copy = self.rebuilt(&p);
        let number = self.random.below(4);
        let use_it = match self.random.below(5) {
            0 => format!("*q = {number};"),
            1 => "*q += 2;".to_owned(),
            2 => format!("assert(*q != {number});"),
            3 => format!("assert(q == &{a} || *q == {number});"),
            _ => format!("if (q != own) *q = 3; else *q = {number};"),
        };
        let inner = vec![Node::line(format!("int *own = {p}, *q;")), Node::line(copy), Node::line(use_it)];
        let change = match self.random.below(4) {
            0 => format!("{p} = &{b};"),
            1 => format!("{p} = {p} == &{a} ? &{b} : &{a};"),
            2 => format!("{{ int *own = &{b}; memcpy(&{p}, &own, sizeof own); }}"),
            _ => format!("{b} = {number}; {a} += 1;"),
        };
        let (open, close) = if self.mutexes.is_empty() || self.chance(30) {
            ("{".to_owned(), "}".to_owned())
        } else {
            let mutexes = self.mutexes.clone();
            let mutex = self.pick(&mutexes);
            (format!("{{ {}", self.lock(&mutex)), format!("{} }}", self.unlock(&mutex)))
        };
        self.insert(first, vec![Node::nest(open.clone(), inner, close.clone()).of(group)]);
        self.insert(second, vec![Node::nest(open, vec![Node::line(change)], close).of(group)]);
        let which = self.pick(&[a, b]);
        let claim = self.assert(&format!("{which} != {number}"));
        self.finals.push(claim.of(group));
    }

    /// Makes `q` the same pointer as `own`, or where it is copied straight from shared memory as `p`.
    fn rebuilt(&mut self, p: &str) -> String {
        let from = if self.chance(80) { "own" } else { p };
        match self.random.below(8) {
            0 => format!(
                "for (unsigned i = 0; i < sizeof q; i++) ((unsigned char *)&q)[i] = ((unsigned char *)&{from})[i];"
            ),
            1 => format!(
                "memcpy(&q, &{from}, sizeof q / 2); memcpy((char *)&q + sizeof q / 2, (char *)&{from} + sizeof q / 2, sizeof q / 2);"
            ),
            2 => format!(
                "{{ union {{ int *p; unsigned char b[sizeof(int *)]; }} u = {{ {from} }}, v; \
                 for (unsigned i = sizeof u; i-- > 0;) v.b[i] = u.b[i]; q = v.p; }}"
            ),
            3 => format!(
                "{{ uintptr_t n = (uintptr_t){from}, low = n & 0xffff, high = n >> 16; q = (int *)(high << 16 | low); }}"
            ),
            4 => format!("{{ uintptr_t n = (uintptr_t){from}, m = 12; n ^= m; m ^= n; q = (int *)m; }}"),
            5 => format!(
                "{{ unsigned char b[sizeof q]; memcpy(b, &{from}, sizeof b); \
                 for (unsigned i = 0; i < sizeof b / 2; i++) {{ unsigned char c = b[i]; b[i] = b[sizeof b - 1 - i]; b[sizeof b - 1 - i] = c; }} \
                 for (unsigned i = 0; i < sizeof b; i++) ((unsigned char *)&q)[i] = b[sizeof b - 1 - i]; }}"
            ),
            6 => format!("{{ uintptr_t n = (uintptr_t){from} | 1; q = (int *)(n & ~(uintptr_t)1); }}"),
            _ => format!("{{ struct {{ int *p; char c; }} s = {{ {from}, 1 }}, t; t = s; q = t.p; }}"),
        }
    }
}
