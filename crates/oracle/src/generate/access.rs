//! Reading and writing shared variables, each under its guard.

use super::data::{DataShape, Shared};
use super::types::Ty;
use super::{Feature, Generator, Scope};
use crate::tree::Node;

/// How a variable is meant to be accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// Just so.
    Plain,
    /// With this mutex held.
    Mutex(String),
    /// With this readers-writer lock held.
    RwLock(String),
    /// Between these lines.
    Spin(String, String),
    /// In an atomic block.
    AtomicBlock,
    /// In a function that is an atomic block.
    Function,
    /// By atomic operations.
    Atomic(Atomic),
}

/// Which atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    C11,
    Gcc,
    Sync,
}

impl Guard {
    /// Whether there is nothing to do around an access.
    fn is_open(&self) -> bool {
        matches!(self, Self::Plain | Self::Atomic(_))
    }
}

/// Something that can be read and written.
#[derive(Clone, Debug)]
pub(super) struct SharedLvalue {
    pub(super) text: String,
    pub(super) ty: Ty,
    pub(super) guard: Guard,
}

impl Generator {
    /// Statements that access some variables of one guard, under it.
    pub(super) fn access(&mut self, scope: &mut Scope) -> Vec<Node> {
        let guard = {
            let at = self.random.below(self.shared.len());
            self.shared[at].guard.clone()
        };
        if guard == Guard::Function && !scope.in_atomic_block {
            return vec![self.atomic_call(scope)];
        }
        let lapse = self.chance(6);
        if guard.is_open() || lapse || scope.held.contains(&guard) || scope.in_atomic_block {
            return vec![self.store(scope, &guard)];
        }
        self.under(scope, &guard, |generator, scope, guard| {
            let mut nodes = vec![generator.store(scope, guard)];
            if generator.chance(35) {
                nodes.push(generator.store(scope, guard));
            } else if generator.chance(20) {
                nodes.push(generator.assertion(scope));
            } else if generator.chance(25) && scope.depth < 3 {
                nodes.extend(generator.activity(scope));
            }
            nodes
        })
    }

    /// Puts what `make` makes between the lines that take and release a guard.
    pub(super) fn under(
        &mut self,
        scope: &mut Scope,
        guard: &Guard,
        make: impl FnOnce(&mut Self, &mut Scope, &Guard) -> Vec<Node>,
    ) -> Vec<Node> {
        let mut inner = scope.clone();
        inner.held.push(guard.clone());
        inner.depth += 1;
        inner.in_atomic_block |= *guard == Guard::AtomicBlock;
        // A thread that leaves with the guard held is a bug of another kind; rarely.
        inner.is_thread &= self.chance(10);
        let nodes = make(self, &mut inner, guard);
        match guard {
            Guard::Plain | Guard::Function | Guard::Atomic(_) => nodes,
            Guard::Mutex(name) => self.with_mutex(name, nodes),
            Guard::RwLock(name) => {
                // Whether anything is written inside is not looked at: sometimes a reader writes.
                let kind = if self.chance(20) { "rdlock" } else { "wrlock" };
                let open = format!("pthread_rwlock_{kind}(&{name});");
                vec![Node::nest(open, nodes, format!("pthread_rwlock_unlock(&{name});"))]
            }
            Guard::Spin(open, close) => vec![Node::nest(open.clone(), nodes, close.clone())],
            Guard::AtomicBlock => {
                vec![Node::nest("__VERIFIER_atomic_begin();", nodes, "__VERIFIER_atomic_end();")]
            }
        }
    }

    /// A new function that is an atomic block, and its call.
    fn atomic_call(&mut self, scope: &Scope) -> Node {
        let name = format!("__VERIFIER_atomic_{}", self.fresh("f"));
        let mut inner = Scope {
            locals: vec!["v".to_owned()],
            counters: Vec::new(),
            held: vec![Guard::Function],
            depth: 2,
            is_thread: false,
            in_atomic_block: true,
        };
        let mut nodes = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            nodes.push(self.store(&mut inner, &Guard::Function));
        }
        let assumes = self.drawn.contains(&Feature::Assume) && self.chance(50);
        if assumes {
            self.used.insert(Feature::Assume);
            let condition = self.condition(&inner);
            let at = self.random.below(nodes.len() + 1);
            nodes.insert(at, Node::line(format!("__VERIFIER_assume({condition});")));
        }
        let result = self.value(&inner, 1);
        nodes.push(Node::line(format!("return {result};")));
        self.functions.push(Node::block(&format!("int {name}(int v)"), nodes));
        let argument = self.value_of_locals(scope);
        match scope.locals.last() {
            Some(local) => Node::line(format!("{local} = {name}({argument});")),
            None => Node::line(format!("{name}({argument});")),
        }
    }

    /// A variable of a guard; any if none has it.
    fn shared_of(&mut self, guard: &Guard) -> Shared {
        let of_guard: Vec<Shared> =
            self.shared.iter().filter(|shared| shared.guard == *guard).cloned().collect();
        let candidates = if of_guard.is_empty() { self.shared.clone() } else { of_guard };
        self.pick(&candidates)
    }

    pub(super) fn lvalue_in(&mut self, scope: &Scope, shared: &Shared) -> SharedLvalue {
        let name = &shared.name;
        let (text, ty) = match &shared.shape {
            DataShape::Scalar | DataShape::Function(_) => (name.clone(), shared.ty),
            DataShape::Array(length) => {
                let locals = scope.readable_locals();
                let index = if self.chance(45) || locals.is_empty() {
                    self.random.below(*length).to_string()
                } else if self.has(Feature::OutOfBounds) && self.chance(40) {
                    // Small, but perhaps not small enough.
                    let local = self.pick(&locals);
                    format!("{local} & {length}")
                } else {
                    let local = self.pick(&locals);
                    format!("{local} & {}", length - 1)
                };
                (format!("{name}[{index}]"), shared.ty)
            }
            DataShape::Record(members) => {
                let (member, ty) = self.pick(members);
                (format!("{name}.{member}"), ty)
            }
            DataShape::Pointer(_) => (format!("*{name}"), shared.ty),
            DataShape::Node => (format!("{name}->value"), Ty::Int),
        };
        SharedLvalue { text, ty, guard: shared.guard.clone() }
    }

    /// An lvalue that can be read where the scope is, most often.
    pub(super) fn readable(&mut self, scope: &Scope) -> Option<String> {
        let lapse = self.chance(5);
        let may_read = |shared: &&Shared| {
            let shape = !matches!(shared.shape, DataShape::Function(_));
            shape && (lapse || shared.guard.is_open() || scope.held.contains(&shared.guard))
        };
        let candidates: Vec<Shared> = self.shared.iter().filter(may_read).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let shared = self.pick(&candidates);
        let lvalue = self.lvalue_in(scope, &shared);
        Some(self.load(&lvalue))
    }

    /// The text that reads an lvalue.
    pub(super) fn load(&mut self, lvalue: &SharedLvalue) -> String {
        let text = &lvalue.text;
        match lvalue.guard {
            Guard::Plain
            | Guard::Mutex(_)
            | Guard::RwLock(_)
            | Guard::Spin(..)
            | Guard::AtomicBlock
            | Guard::Function => text.clone(),
            Guard::Atomic(Atomic::C11) => match self.random.below(3) {
                0 => text.clone(),
                1 => format!("atomic_load(&{text})"),
                _ => format!("atomic_load_explicit(&{text}, {})", self.c11_order(&LOADS)),
            },
            Guard::Atomic(Atomic::Gcc) => format!("__atomic_load_n(&{text}, {})", self.gcc_order(&LOADS)),
            Guard::Atomic(Atomic::Sync) => format!("__sync_fetch_and_add(&{text}, 0)"),
        }
    }

    /// A statement that changes an lvalue of a guard, or reads one.
    pub(super) fn store(&mut self, scope: &mut Scope, guard: &Guard) -> Node {
        let shared = self.shared_of(guard);
        match &shared.shape {
            DataShape::Function(targets) if self.chance(50) => {
                let target = self.pick(targets);
                return Node::line(format!("{} = {target};", shared.name));
            }
            DataShape::Function(_) => return self.call_pointer(scope, &shared.name),
            DataShape::Pointer(targets) if self.chance(45) => {
                let null = self.has(Feature::NullPointer) && self.chance(30);
                let target = if null { "0".to_owned() } else { format!("&{}", self.pick(targets)) };
                return Node::line(format!("{} = {target};", shared.name));
            }
            DataShape::Node if self.chance(35) => return self.push_node(scope, &shared.name),
            DataShape::Scalar
            | DataShape::Array(_)
            | DataShape::Record(_)
            | DataShape::Pointer(_)
            | DataShape::Node => {}
        }
        let lvalue = self.lvalue_in(scope, &shared);
        if self.chance(25) && !scope.locals.is_empty() {
            let (local, read) = (self.pick(&scope.locals), self.load(&lvalue));
            return Node::line(format!("{local} = {read};"));
        }
        Node::line(self.assignment(scope, &lvalue))
    }

    fn call_pointer(&mut self, scope: &Scope, name: &str) -> Node {
        let argument = self.value_of_locals(scope);
        match scope.locals.first() {
            Some(local) => Node::line(format!("{local} = {name}({argument});")),
            None => Node::line(format!("{name}({argument});")),
        }
    }

    /// A new node in front of a list.
    fn push_node(&mut self, scope: &Scope, head: &str) -> Node {
        let (name, value) = (self.fresh("n"), self.value_of_locals(scope));
        Node::nest(
            "{",
            vec![
                Node::line(format!("struct node *{name} = malloc(sizeof *{name});")),
                Node::line(format!("{name}->value = {value};")),
                Node::line(format!("{name}->next = {head};")),
                Node::line(format!("{head} = {name};")),
            ],
            "}",
        )
    }

    /// `lvalue = …;` in one of many forms.
    pub(super) fn assignment(&mut self, scope: &Scope, lvalue: &SharedLvalue) -> String {
        let text = &lvalue.text;
        let step = 1 + self.random.below(2);
        if let Guard::Atomic(atomic) = lvalue.guard {
            return self.atomic_assignment(scope, text, lvalue.ty, atomic);
        }
        if lvalue.ty == Ty::Bool {
            let value = self.value(scope, 1);
            return if self.chance(30) { format!("{text} = !{text};") } else { format!("{text} = {value};") };
        }
        match self.random.below(8) {
            0 => format!("{text}++;"),
            1 => format!("{text} += {step};"),
            2 => format!("{text} -= {step};"),
            3 => format!("{text} = {text} + {step};"),
            4 => format!("{text} ^= {step};"),
            _ => format!("{text} = {};", self.value(scope, 2)),
        }
    }

    fn atomic_assignment(&mut self, scope: &Scope, text: &str, ty: Ty, atomic: Atomic) -> String {
        let value = self.value_of_locals(scope);
        let step = 1 + self.random.below(2);
        let operation = self.pick(&["add", "sub", "or", "xor", "and"]);
        let form = self.random.below(5);
        let keep = |what: String| match scope.locals.first() {
            Some(local) => format!("{local} = {what};"),
            None => format!("{what};"),
        };
        match atomic {
            Atomic::C11 => match form {
                0 => format!("{text} = {value};"),
                1 => format!("atomic_store_explicit(&{text}, {value}, {});", self.c11_order(&STORES)),
                2 => keep(format!("atomic_fetch_{operation}(&{text}, {step})")),
                3 => {
                    keep(format!("atomic_exchange_explicit(&{text}, {value}, {})", self.c11_order(&UPDATES)))
                }
                _ => format!("{text}++;"),
            },
            Atomic::Gcc => match form {
                0 | 1 => format!("__atomic_store_n(&{text}, {value}, {});", self.gcc_order(&STORES)),
                2 => {
                    keep(format!("__atomic_{operation}_fetch(&{text}, {step}, {})", self.gcc_order(&UPDATES)))
                }
                3 => keep(format!("__atomic_exchange_n(&{text}, {value}, {})", self.gcc_order(&UPDATES))),
                _ => {
                    let old = self.fresh("old");
                    format!(
                        "{{ {} {old} = {step}; __atomic_compare_exchange_n(&{text}, &{old}, {value}, 0, {}, {}); }}",
                        ty.name(),
                        self.gcc_order(&UPDATES),
                        self.gcc_order(&FAILURES),
                    )
                }
            },
            Atomic::Sync => match form {
                0 | 1 => keep(format!("__sync_fetch_and_{operation}(&{text}, {step})")),
                2 => keep(format!("__sync_{operation}_and_fetch(&{text}, {step})")),
                3 => keep(format!("__sync_val_compare_and_swap(&{text}, {step}, {value})")),
                _ => keep(format!("__sync_bool_compare_and_swap(&{text}, {step}, {value})")),
            },
        }
    }

    /// A memory order of C11, without its prefix the same as gcc's.
    pub(super) fn order(&mut self, orders: &[&'static str]) -> &'static str {
        if self.has(Feature::WeakOrder) { self.pick(orders) } else { "seq_cst" }
    }

    pub(super) fn c11_order(&mut self, orders: &[&'static str]) -> String {
        format!("memory_order_{}", self.order(orders))
    }

    pub(super) fn gcc_order(&mut self, orders: &[&'static str]) -> String {
        format!("__ATOMIC_{}", self.order(orders).to_uppercase())
    }
}

pub(super) const LOADS: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
pub(super) const STORES: [&str; 3] = ["relaxed", "release", "seq_cst"];
pub(super) const UPDATES: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const FAILURES: [&str; 2] = ["relaxed", "acquire"];
