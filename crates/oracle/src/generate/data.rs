//! The shared variables of a program, and how each is guarded.

use super::access::{Atomic, Guard};
use super::types::Ty;
use super::{Feature, Generator};
use crate::tree::Node;

/// A shared variable.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) shape: DataShape,
    pub(super) guard: Guard,
}

/// How it is designated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DataShape {
    Scalar,
    /// So many elements: a power of two.
    Array(usize),
    /// Members, each with its type.
    Record(Vec<(&'static str, Ty)>),
    /// A pointer to one of these variables.
    Pointer(Vec<String>),
    /// A pointer to a node on the heap.
    Node,
    /// A pointer to one of these functions.
    Function(Vec<String>),
}

impl Generator {
    pub(super) fn declare_shared(&mut self) {
        let guards = self.draw_guards();
        if self.has(Feature::Struct) {
            self.declare_record(&guards, false);
        }
        if self.has(Feature::Union) {
            self.declare_record(&guards, true);
        }
        if self.has(Feature::BitField) {
            self.declare_bit_fields(&guards);
        }
        if self.has(Feature::Array) {
            self.declare_array(&guards);
        }
        if self.has(Feature::Heap) {
            self.declare_node(&guards);
        }
        if self.has(Feature::FunctionPointer) {
            self.declare_function_pointer(&guards);
        }
        let scalars = 1 + self.random.below(3_usize.saturating_sub(self.shared.len()).max(1));
        for _ in 0..scalars {
            self.declare_scalar(&guards);
        }
        if self.has(Feature::Pointer) {
            self.declare_pointer();
        }
        if self.has(Feature::ThreadLocal) {
            let name = self.fresh("own");
            self.globals.push(Node::line(format!("_Thread_local int {name};")));
            let guard = Guard::Plain;
            self.shared.push(Shared { name, ty: Ty::Int, shape: DataShape::Scalar, guard });
        }
    }

    /// The guards that variables draw from; what they need is declared.
    fn draw_guards(&mut self) -> Vec<Guard> {
        let mut guards = vec![Guard::Plain];
        if self.has(Feature::Mutex) {
            let count = if self.has(Feature::TwoMutexes) || self.chance(20) { 2 } else { 1 };
            for _ in 0..count {
                let name = self.declare_mutex();
                guards.extend([Guard::Mutex(name.clone()), Guard::Mutex(name)]);
            }
        }
        if self.has(Feature::RwLock) {
            let name = self.declare_rwlock();
            guards.extend([Guard::RwLock(name.clone()), Guard::RwLock(name)]);
        }
        if self.has(Feature::SpinLock) {
            let guard = self.declare_spin_lock();
            guards.extend([guard.clone(), guard]);
        }
        if self.has(Feature::AtomicBlock) {
            guards.extend([Guard::AtomicBlock, Guard::AtomicBlock]);
        }
        if self.has(Feature::AtomicFunction) {
            guards.extend([Guard::Function, Guard::Function]);
        }
        for (feature, atomic) in [
            (Feature::C11Atomic, Atomic::C11),
            (Feature::GccAtomic, Atomic::Gcc),
            (Feature::SyncAtomic, Atomic::Sync),
        ] {
            if self.has(feature) {
                guards.extend([Guard::Atomic(atomic), Guard::Atomic(atomic)]);
            }
        }
        // With one guard for everything there is a chance that no access races.
        if guards.len() > 1 && self.chance(40) {
            let only = 1 + self.random.below(guards.len() - 1);
            guards = vec![guards[only].clone()];
        }
        guards
    }

    fn plain_guard(&mut self, guards: &[Guard]) -> Guard {
        let lasting: Vec<Guard> =
            guards.iter().filter(|guard| !matches!(guard, Guard::Atomic(_))).cloned().collect();
        if lasting.is_empty() { Guard::Plain } else { self.pick(&lasting) }
    }

    fn declare_scalar(&mut self, guards: &[Guard]) {
        let guard = self.pick(guards);
        let ty = match guard {
            Guard::Atomic(_) => Ty::numeric(&mut self.random),
            Guard::Plain
            | Guard::Mutex(_)
            | Guard::RwLock(_)
            | Guard::Spin(..)
            | Guard::AtomicBlock
            | Guard::Function => Ty::any(&mut self.random),
        };
        let name = self.fresh("x");
        let qualifier = match guard {
            Guard::Atomic(Atomic::C11) => "_Atomic ",
            Guard::Plain if self.chance(15) => "volatile ",
            Guard::Plain
            | Guard::Mutex(_)
            | Guard::RwLock(_)
            | Guard::Spin(..)
            | Guard::AtomicBlock
            | Guard::Function
            | Guard::Atomic(_) => "",
        };
        let first = ty.first_value(&mut self.random);
        let first = if first == "0" { String::new() } else { format!(" = {first}") };
        self.globals.push(Node::line(format!("{qualifier}{} {name}{first};", ty.name())));
        self.shared.push(Shared { name, ty, shape: DataShape::Scalar, guard });
    }

    fn declare_array(&mut self, guards: &[Guard]) {
        let guard = self.pick(guards);
        let ty = Ty::numeric(&mut self.random);
        let qualifier = if guard == Guard::Atomic(Atomic::C11) { "_Atomic " } else { "" };
        let (name, length) = (self.fresh("a"), if self.chance(70) { 2 } else { 4 });
        let first = if self.chance(50) { "" } else { " = { 1, 2 }" };
        self.globals.push(Node::line(format!("{qualifier}{} {name}[{length}]{first};", ty.name())));
        self.shared.push(Shared { name, ty, shape: DataShape::Array(length), guard });
    }

    fn declare_record(&mut self, guards: &[Guard], is_union: bool) {
        let guard = self.plain_guard(guards);
        let name = self.fresh(if is_union { "u" } else { "s" });
        let members: Vec<(&'static str, Ty)> = if is_union {
            let other = self.pick(&[Ty::Short, Ty::UnsignedChar, Ty::LongLong]);
            vec![("whole", Ty::Unsigned), ("part", other)]
        } else {
            let first = Ty::any(&mut self.random);
            let second = self.pick(&[Ty::Char, Ty::Bool, Ty::Int, Ty::Short]);
            vec![("first", first), ("second", second), ("inner.third", Ty::Int)]
        };
        let (kind, text) = if is_union {
            ("union", format!("unsigned whole; {} part; unsigned char bytes[4];", members[1].1.name()))
        } else {
            let (first, second) = (members[0].1.name(), members[1].1.name());
            ("struct", format!("{first} first; {second} second; struct {{ int third; }} inner;"))
        };
        let first = if self.chance(30) { " = { 1 }" } else { "" };
        self.globals.push(Node::line(format!("{kind} {name}_tag {{ {text} }} {name}{first};")));
        let mut members = members;
        if is_union {
            members.push(("bytes[1]", Ty::UnsignedChar));
        }
        self.shared.push(Shared { name, ty: Ty::Int, shape: DataShape::Record(members), guard });
    }

    fn declare_bit_fields(&mut self, guards: &[Guard]) {
        let guard = self.plain_guard(guards);
        let name = self.fresh("b");
        let text = "unsigned low : 3; int middle : 5; unsigned char high : 2; int apart;";
        self.globals.push(Node::line(format!("struct {{ {text} }} {name};")));
        // What they hold is small, so what type they are of hardly matters.
        let members =
            vec![("low", Ty::Unsigned), ("middle", Ty::Int), ("high", Ty::UnsignedChar), ("apart", Ty::Int)];
        self.shared.push(Shared { name, ty: Ty::Int, shape: DataShape::Record(members), guard });
    }

    fn declare_node(&mut self, guards: &[Guard]) {
        let guard = self.plain_guard(guards);
        if !self.globals.iter().any(|node| *node == node_type()) {
            self.globals.push(node_type());
        }
        let name = self.fresh("head");
        self.globals.push(Node::line(format!("struct node *{name};")));
        let how =
            if self.chance(50) { "malloc(sizeof(struct node))" } else { "calloc(1, sizeof(struct node))" };
        self.setup.push(Node::line(format!("{name} = {how};")));
        self.setup.push(Node::line(format!("{name}->value = {};", self.random.below(3))));
        self.setup.push(Node::line(format!("{name}->next = 0;")));
        if self.chance(50) {
            self.teardown.push(Node::line(format!("free({name});")));
        }
        self.shared.push(Shared { name, ty: Ty::Int, shape: DataShape::Node, guard });
    }

    fn declare_function_pointer(&mut self, guards: &[Guard]) {
        let guard = self.plain_guard(guards);
        let mut targets = Vec::new();
        for text in ["return v + 1;", "return v * 2;", "return !v;"] {
            let name = self.fresh("f");
            self.functions.push(Node::nest(format!("int {name}(int v) {{"), vec![Node::line(text)], "}"));
            self.globals.push(Node::line(format!("int {name}(int v);")));
            targets.push(name);
        }
        let name = self.fresh("operation");
        self.globals.push(Node::line(format!("int (*{name})(int) = {};", targets[0])));
        self.shared.push(Shared { name, ty: Ty::Int, shape: DataShape::Function(targets), guard });
    }

    /// A pointer to variables of one type and guard, so that what it points to is guarded as itself is.
    fn declare_pointer(&mut self) {
        let is_target =
            |shared: &&Shared| shared.shape == DataShape::Scalar && !matches!(shared.guard, Guard::Atomic(_));
        let candidates: Vec<Shared> = self.shared.iter().filter(is_target).cloned().collect();
        let first = if candidates.is_empty() {
            self.declare_scalar(&[Guard::Plain]);
            self.shared.last().expect("it was just declared").clone()
        } else {
            self.pick(&candidates)
        };
        let second = self.fresh("y");
        self.globals.push(Node::line(format!("{} {second} = 1;", first.ty.name())));
        let name = self.fresh("p");
        let start = match self.random.below(3) {
            0 => " = 0".to_owned(),
            1 => format!(" = &{second}"),
            _ => String::new(),
        };
        let null_at_first = !start.contains('&');
        self.globals.push(Node::line(format!("volatile {} *{name}{start};", first.ty.name())));
        if null_at_first && !self.has(Feature::NullPointer) {
            self.setup.push(Node::line(format!("{name} = &{};", first.name)));
        }
        let targets = vec![first.name, second.clone()];
        let (ty, guard) = (first.ty, first.guard);
        self.shared.push(Shared { name, ty, shape: DataShape::Pointer(targets), guard: guard.clone() });
        self.shared.push(Shared { name: second, ty, shape: DataShape::Scalar, guard });
    }
}

fn node_type() -> Node {
    Node::line("struct node { int value; struct node *next; };")
}
