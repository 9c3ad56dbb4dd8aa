//! Things done wrongly on purpose: memory, arithmetic, locks.

use super::{Feature, Generator};
use crate::tree::Node;

impl Generator {
    pub(super) fn add_faults(&mut self) {
        if self.has(Feature::Freed) {
            self.free_somewhere();
        }
        if self.has(Feature::Overflow) {
            self.overflow_somewhere();
        }
        if self.has(Feature::LockMisuse) {
            self.misuse_somewhere();
        }
    }

    /// A block that one thread frees while another may still use it.
    fn free_somewhere(&mut self) {
        let group = self.new_group();
        let (block, state) = (self.fresh("block"), self.fresh("state"));
        self.globals.push(Node::line(format!("int *{block};")).of(group));
        self.setup.push(Node::line(format!("{block} = malloc(2 * sizeof(int));")).of(group));
        self.setup.push(Node::line(format!("{block}[0] = 1; {block}[1] = 2;")).of(group));
        let (first, second) = self.two_bodies();
        let frees = Node::line(format!("free({block});"));
        match self.random.below(4) {
            0 => {
                // A flag says who frees; looking and taking are two steps or one.
                self.globals.push(Node::line(format!("int {state};")).of(group));
                let take = if self.chance(60) {
                    format!("__sync_bool_compare_and_swap(&{state}, 0, 1)")
                } else {
                    format!("{state}++ == 0")
                };
                for body in [first, second] {
                    let node = Node::block(&format!("if ({take})"), vec![frees.clone()]).of(group);
                    self.insert(body, vec![node]);
                }
            }
            1 => {
                // A count of who still uses it.
                self.globals.push(Node::line(format!("_Atomic int {state} = 2;")).of(group));
                let last = if self.chance(60) {
                    format!("--{state} == 0")
                } else {
                    format!("({state} -= 1, {state} == 0)")
                };
                for body in [first, second] {
                    let nodes = vec![
                        Node::line(format!("{block}[{}]++;", usize::from(body == first))).of(group),
                        Node::block(&format!("if ({last})"), vec![frees.clone()]).of(group),
                    ];
                    self.insert(body, nodes);
                }
            }
            2 => {
                // One uses it, the other frees it after a message.
                self.globals.push(Node::line(format!("volatile int {state};")).of(group));
                let uses = Node::line(format!("{block}[1] = {block}[0];")).of(group);
                let tells = Node::line(format!("{state} = 1;")).of(group);
                let nodes = if self.chance(70) { vec![uses, tells] } else { vec![tells, uses] };
                self.insert(first, nodes);
                let node = Node::block(&format!("if ({state})"), vec![frees]).of(group);
                self.insert(second, vec![node]);
            }
            _ => {
                // Only the end of main frees it; perhaps twice.
                let node = Node::line(format!("{block}[0] += {block}[1];")).of(group);
                self.insert(first, vec![node]);
                self.teardown.push(frees.clone().of(group));
                if self.chance(30) {
                    self.teardown.push(frees.of(group));
                }
            }
        }
    }

    fn overflow_somewhere(&mut self) {
        let group = self.new_group();
        let name = self.fresh("big");
        let (first, second) = self.two_bodies();
        let ty = self.pick(&[super::types::Ty::Int, super::types::Ty::LongLong]);
        match self.random.below(3) {
            0 => {
                let largest = ty.largest().unwrap_or("0");
                let below = self.random.below(3);
                self.globals
                    .push(Node::line(format!("{} {name} = {largest} - {below};", ty.name())).of(group));
                for body in [first, second] {
                    let step = 1 + self.random.below(2);
                    self.insert(body, vec![Node::line(format!("{name} += {step};")).of(group)]);
                }
            }
            1 => {
                self.globals.push(Node::line(format!("int {name} = {};", self.random.below(3))).of(group));
                self.insert(first, vec![Node::line(format!("{name}--;")).of(group)]);
                let (quotient, rest) = (self.fresh("q"), self.pick(&["/", "%"]));
                let checked = self.chance(50);
                let node = Node::line(format!("int {quotient} = 6 {rest} {name}; (void){quotient};"));
                let node = if checked { Node::block(&format!("if ({name})"), vec![node]) } else { node };
                self.insert(second, vec![node.of(group)]);
            }
            _ => {
                let start = self.pick(&["0", "29", "30"]);
                self.globals.push(Node::line(format!("int {name} = {start};")).of(group));
                let step = 1 + self.random.below(2);
                self.insert(first, vec![Node::line(format!("{name} += {step};")).of(group)]);
                let shifted = self.fresh("shifted");
                let node = Node::line(format!("int {shifted} = 1 << {name}; (void){shifted};")).of(group);
                self.insert(second, vec![node]);
            }
        }
    }

    fn misuse_somewhere(&mut self) {
        let group = self.new_group();
        if self.mutexes.is_empty() {
            return;
        }
        let mutexes = self.mutexes.clone();
        let mutex = self.pick(&mutexes);
        let (first, second) = self.two_bodies();
        let (lock, unlock) = (self.lock(&mutex), self.unlock(&mutex));
        let destroy = if self.is_c11() {
            format!("mtx_destroy(&{mutex});")
        } else {
            format!("pthread_mutex_destroy(&{mutex});")
        };
        let scope = self.scope(first);
        let condition = self.condition(&scope);
        let node = match self.random.below(5) {
            0 => Node::line(format!("if ({condition}) {unlock}")),
            1 => Node::line(unlock),
            2 => Node::nest(
                lock.clone(),
                vec![Node::line(format!("if ({condition}) {{ {lock} {unlock} }}"))],
                unlock,
            ),
            3 => Node::line(format!("if ({condition}) {destroy}")),
            _ => {
                // Locked by one, unlocked by another.
                self.insert(second, vec![Node::line(lock).of(group)]);
                Node::line(unlock)
            }
        };
        self.insert(first, vec![node.of(group)]);
    }
}
