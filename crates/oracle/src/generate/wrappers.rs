//! Memory orders that are values: handed to functions, kept in variables, chosen at run time.

use super::Generator;
use super::access::{LOADS, STORES};
use crate::tree::{Group, Node};

impl Generator {
    /// Threads that speak by atomics behind functions which get the memory order.
    pub(super) fn wrapper_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (take, give) = self.declare_wrappers(group);
        let (x, y, data) = (self.fresh("x"), self.fresh("y"), self.fresh("data"));
        self.declare(group, format!("_Atomic int {x}, {y};"));
        self.declare(group, format!("int {data};"));
        let (stores, loads) = (self.order_value(group, &STORES), self.order_value(group, &LOADS));
        if self.chance(60) {
            let nodes = vec![
                Node::line(format!("{data} = 1;")).of(group),
                Node::line(format!("{give}(&{x}, 1, {stores});")).of(group),
            ];
            self.insert(first, nodes);
            let look = self.assert(&format!("{data} == 1"));
            let node = Node::block(&format!("if ({take}(&{x}, {loads}))"), vec![look]);
            self.insert(second, vec![node.of(group)]);
            return;
        }
        let (p, q) = (self.fresh("got"), self.fresh("got"));
        self.declare(group, format!("int {p}, {q};"));
        for (body, own, other, got) in [(first, &x, &y, &p), (second, &y, &x, &q)] {
            let nodes = vec![
                Node::line(format!("{give}(&{own}, 1, {stores});")).of(group),
                Node::line(format!("{got} = {take}(&{other}, {loads});")).of(group),
            ];
            self.insert(body, nodes);
        }
        let claim = self.assert(&format!("{p} || {q}"));
        self.finals.push(claim.of(group));
    }

    /// Functions that load and store with an order which they are given.
    fn declare_wrappers(&mut self, group: Group) -> (String, String) {
        let (take, give) = (self.fresh("take"), self.fresh("give"));
        let (load, store) = match self.random.below(4) {
            0 => ("return __atomic_load_n(p, order);", "__atomic_store_n(p, value, order);"),
            1 => (
                "switch (order) { case memory_order_relaxed: return atomic_load_explicit(p, memory_order_relaxed); \
                 case memory_order_acquire: return atomic_load_explicit(p, memory_order_acquire); default: return atomic_load(p); }",
                "if (order == memory_order_seq_cst) atomic_store(p, value); else atomic_store_explicit(p, value, order);",
            ),
            2 => (
                "int value = atomic_load_explicit(p, memory_order_relaxed); atomic_thread_fence(order); return value;",
                "atomic_thread_fence(order); atomic_store_explicit(p, value, memory_order_relaxed);",
            ),
            _ => ("return atomic_load_explicit(p, order);", "atomic_store_explicit(p, value, order);"),
        };
        let order = self.pick(&["memory_order", "int", "const memory_order"]);
        let inline = self.pick(&["static", "static inline", "static __attribute__((noinline))"]);
        self.functions.push(
            Node::block(
                &format!("{inline} int {take}(_Atomic int *p, {order} order)"),
                vec![Node::line(load)],
            )
            .of(group),
        );
        self.functions.push(
            Node::block(
                &format!("{inline} void {give}(_Atomic int *p, int value, {order} order)"),
                vec![Node::line(store)],
            )
            .of(group),
        );
        (take, give)
    }

    /// An order: as it is, in a variable, or one of two.
    fn order_value(&mut self, group: Group, orders: &[&'static str]) -> String {
        let order = format!("memory_order_{}", self.pick(orders));
        match self.random.below(5) {
            0 => {
                let name = self.fresh("order");
                let qualifier = self.pick(&["", "const ", "volatile "]);
                self.declare(group, format!("{qualifier}memory_order {name} = {order};"));
                name
            }
            1 => format!("__VERIFIER_nondet_bool() ? memory_order_{} : {order}", self.pick(orders)),
            _ => order,
        }
    }
}
