//! Compare-exchange in all forms, and inputs of any value.

use super::access::UPDATES;
use super::{Feature, Generator};
use crate::tree::Node;

/// The failure orders of a compare-exchange.
const FAILURES: [&str; 3] = ["relaxed", "acquire", "seq_cst"];

impl Generator {
    /// Compare-exchange: strong and weak, once and in loops, with every failure order, and data that its success publishes.
    pub(super) fn exchange_protocol(&mut self) {
        self.drawn.insert(Feature::WeakOrder);
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (x, data) = (self.fresh("x"), self.fresh("data"));
        let c11 = self.chance(50);
        let ty = if c11 { "_Atomic int" } else { "int" };
        self.globals.push(Node::line(format!("{ty} {x};")).of(group));
        self.globals.push(Node::line(format!("int {data};")).of(group));
        for (body, gives) in [(first, true), (second, false)] {
            let old = self.fresh("old");
            let (success, failure) = (self.pick(&UPDATES), self.pick(&FAILURES));
            let weak = self.chance(60);
            let (from, to) = if gives { (0, 1) } else { (1, 2) };
            let call = if c11 {
                let strength = if weak { "weak" } else { "strong" };
                format!(
                    "atomic_compare_exchange_{strength}_explicit(&{x}, &{old}, {to}, memory_order_{success}, memory_order_{failure})"
                )
            } else {
                let (success, failure) = (success.to_uppercase(), failure.to_uppercase());
                format!(
                    "__atomic_compare_exchange_n(&{x}, &{old}, {to}, {}, __ATOMIC_{success}, __ATOMIC_{failure})",
                    usize::from(weak)
                )
            };
            let mut nodes = Vec::new();
            if gives {
                nodes.push(Node::line(format!("{data} = 1;")));
            }
            let then = if gives { format!("assert({old} == 0);") } else { format!("assert({data} == 1);") };
            let other =
                if gives { format!("assert({old} != 0);") } else { format!("if ({old} == 2) {data} = 2;") };
            let inner = match self.random.below(4) {
                0 => Node::line(format!("while (!{call}) {old} = {from};")),
                1 => Node::choice(&call, vec![Node::line(then)], vec![Node::line(other)]),
                2 => Node::block(&format!("if (!{call})"), vec![Node::line(other)]),
                _ => Node::block(&format!("if ({call})"), vec![Node::line(then)]),
            };
            nodes.push(Node::nest(format!("{{ int {old} = {from};"), vec![inner], "}"));
            self.insert(body, nodes.into_iter().map(|node| node.of(group)).collect());
        }
    }

    /// Values from outside, of which there are too many to try.
    pub(super) fn free_inputs(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (x, flag) = (self.fresh("x"), self.fresh("flag"));
        self.globals.push(Node::line(format!("int {x};")).of(group));
        self.globals.push(Node::line(format!("_Atomic int {flag};")).of(group));
        let n = self.fresh("n");
        let (low, width) = (self.random.below(50), 1 + self.random.below(20));
        let high = low + width;
        let bound = match self.random.below(5) {
            0 | 1 => format!("__VERIFIER_assume({n} >= {low} && {n} < {high});"),
            2 | 3 => format!("if ({n} < {low} || {n} >= {high}) {n} = {low};"),
            _ => String::new(),
        };
        // Claims that hold of the value within its bounds, or nearly.
        let slip = self.random.below(5).saturating_sub(3);
        let (gives, claim) = match self.random.below(5) {
            0 => (format!("{x} = {n};"), format!("{x} == 0 || ({x} >= {low} && {x} < {})", high - slip)),
            1 => (format!("{x} = {n} * 2 + 1;"), format!("{x} == 0 || ({x} % 2 != 0) != {slip}")),
            2 => (format!("{x} = {n} ^ 85;"), format!("{x} == 0 || ({x} ^ 85) < {}", high - slip)),
            3 => (
                format!("{x} = {n} > {low} ? {n} - {low} : {low} - {n};"),
                format!("{x} >= {slip} && {x} <= {width}"),
            ),
            _ => (
                format!("for (int i = 0; i < ({n} & 3); i++) {x} += {n};"),
                format!("{x} <= {} && {x} >= {slip}", 3 * high),
            ),
        };
        let node = Node::nest(
            format!("{{ int {n} = __VERIFIER_nondet_int();"),
            vec![Node::line(bound), Node::line(gives), Node::line(format!("{flag} = 1;"))],
            "}",
        );
        self.insert(first, vec![node.of(group)]);
        let look = self.assert(&claim);
        let node = if self.chance(60) { Node::block(&format!("if ({flag})"), vec![look]) } else { look };
        self.insert(second, vec![node.of(group)]);
    }
}
