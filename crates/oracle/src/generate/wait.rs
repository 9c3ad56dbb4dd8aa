//! Waiting by looking again and again, in many forms, and mutual exclusion that is made of it.

use super::access::{LOADS, STORES};
use super::{Feature, Generator};
use crate::tree::{Group, Node};

/// A variable that threads signal each other with.
#[derive(Clone, Debug)]
pub(super) struct Flag {
    name: String,
    kind: FlagKind,
    /// Holds nothing but 0 and 1.
    is_truth: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlagKind {
    Plain,
    C11,
    Gcc,
}

impl Generator {
    pub(super) fn declare_flag(&mut self, group: Group) -> Flag {
        let name = self.fresh("flag");
        let kind = self.pick(&[FlagKind::Plain, FlagKind::Plain, FlagKind::C11, FlagKind::Gcc]);
        let ty = match kind {
            FlagKind::Plain => self.pick(&["int", "volatile int", "_Bool", "unsigned char"]),
            FlagKind::C11 => self.pick(&["_Atomic int", "atomic_int", "_Atomic unsigned char"]),
            FlagKind::Gcc => self.pick(&["int", "long", "short"]),
        };
        self.globals.push(Node::line(format!("{ty} {name};")).of(group));
        Flag { name, kind, is_truth: ty == "_Bool" }
    }

    pub(super) fn read_flag(&mut self, flag: &Flag) -> String {
        let name = &flag.name;
        match flag.kind {
            FlagKind::Plain => name.clone(),
            FlagKind::C11 if self.chance(50) => name.clone(),
            FlagKind::C11 => format!("atomic_load_explicit(&{name}, {})", self.c11_order(&LOADS)),
            FlagKind::Gcc => format!("__atomic_load_n(&{name}, {})", self.gcc_order(&LOADS)),
        }
    }

    pub(super) fn set_flag(&mut self, flag: &Flag, value: &str) -> String {
        let name = &flag.name;
        match flag.kind {
            FlagKind::Plain => format!("{name} = {value};"),
            FlagKind::C11 if self.chance(50) => format!("{name} = {value};"),
            FlagKind::C11 => format!("atomic_store_explicit(&{name}, {value}, {});", self.c11_order(&STORES)),
            FlagKind::Gcc => format!("__atomic_store_n(&{name}, {value}, {});", self.gcc_order(&STORES)),
        }
    }

    /// Waits until reading something gives a number.
    pub(super) fn wait_for(&mut self, read: &str, number: usize) -> Node {
        let wanted = match number {
            1 if self.chance(40) => read.to_owned(),
            _ => format!("{read} == {number}"),
        };
        match self.random.below(14) {
            0 | 1 => Node::line(format!("while (!({wanted})) ;")),
            2 => Node::line(format!("while ({read} != {number}) {{ }}")),
            3 => Node::line(format!("do {{ }} while (!({wanted}));")),
            4 => Node::block("for (;;)", vec![Node::line(format!("if ({wanted}) break;"))]),
            5 => {
                let seen = self.fresh("seen");
                let body = vec![
                    Node::line(format!("int {seen} = {read};")),
                    Node::line(format!("if ({seen} == {number}) break;")),
                ];
                Node::block("while (1)", body)
            }
            6 => {
                let again = self.fresh("again");
                Node::nest("{", vec![Node::line(format!("{again}: if (!({wanted})) goto {again};"))], "}")
            }
            7 => Node::line(format!("while (!({wanted})) sched_yield();")),
            8 => {
                let seen = self.fresh("seen");
                let body = vec![
                    Node::line(format!("int {seen} = {read};")),
                    Node::line(format!("while ({seen} != {number}) {seen} = {read};")),
                ];
                Node::nest("{", body, "}")
            }
            // An index may be a local variable, which another function does not know.
            9 if !read.contains('[') => {
                let name = self.fresh("ready");
                let body = vec![Node::line(format!("return {wanted};"))];
                self.functions.push(Node::block(&format!("static int {name}(void)"), body));
                Node::line(format!("while (!{name}()) ;"))
            }
            10 => Node::block(
                &format!("while (!({wanted}))"),
                vec![Node::line(format!("assert({read} < {});", number + 2))],
            ),
            11 => {
                // Gives up after some looks.
                let (counter, most) = (self.fresh("i"), 1 + self.random.below(2));
                Node::line(format!(
                    "for (int {counter} = 0; {counter} < {most} && !({wanted}); {counter}++) ;"
                ))
            }
            12 => {
                self.used.insert(Feature::Assume);
                Node::line(format!("__VERIFIER_assume({wanted});"))
            }
            _ => {
                // What it has seen is looked at behind the loop.
                let seen = self.fresh("seen");
                let body = vec![
                    Node::line(format!("int {seen};")),
                    Node::line(format!("while (({seen} = {read}) == 0) ;")),
                    Node::line(format!("assert({seen} == {number});")),
                ];
                Node::nest("{", body, "}")
            }
        }
    }

    /// One thread sets a flag, another waits for it.
    pub(super) fn flag_protocol(&mut self) {
        let group = self.new_group();
        let flag = self.declare_flag(group);
        let (sender, receiver) = self.two_bodies();
        let number = 1 + self.random.below(2);
        let sent = if self.chance(8) { 3 - number } else { number };
        let (number, sent) = if flag.is_truth { (1, 1) } else { (number, sent) };
        let set = self.set_flag(&flag, &sent.to_string());
        let read = self.read_flag(&flag);
        let wait = self.wait_for(&read, number);
        if !self.chance(6) {
            self.insert(sender, vec![Node::line(set).of(group)]);
        }
        self.insert(receiver, vec![wait.of(group)]);
        if self.chance(25) {
            // And back again.
            let back = self.declare_flag(group);
            let set = self.set_flag(&back, "1");
            let read = self.read_flag(&back);
            let wait = self.wait_for(&read, 1);
            self.bodies[receiver].nodes.push(Node::line(set).of(group));
            self.bodies[sender].nodes.push(wait.of(group));
        }
    }

    /// Threads take turns.
    pub(super) fn turn_protocol(&mut self) {
        let group = self.new_group();
        let flag = self.declare_flag(group);
        let (first, second) = self.two_bodies();
        for (body, mine, next) in [(first, 0, 1), (second, 1, if flag.is_truth { 0 } else { 2 })] {
            let read = self.read_flag(&flag);
            let wait = self.wait_for(&read, mine);
            let pass = self.set_flag(&flag, &next.to_string());
            self.wrap(body, vec![wait], vec![Node::line(pass)], group);
        }
    }

    /// Mutual exclusion of two threads by plain variables: right, or with a step left out.
    pub(super) fn exclusion_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (wants, turn) = (self.fresh("wants"), self.fresh("turn"));
        let qualifier = self.pick(&["volatile ", "_Atomic ", "", "volatile "]);
        self.globals.push(Node::line(format!("{qualifier}int {wants}[2], {turn};")).of(group));
        let inside = self.fresh("inside");
        self.globals.push(Node::line(format!("int {inside};")).of(group));
        let form = self.random.below(4);
        for (body, me, other) in [(first, 0, 1), (second, 1, 0)] {
            let open = match form {
                // Peterson.
                0 | 1 => vec![
                    format!("{wants}[{me}] = 1;"),
                    format!("{turn} = {other};"),
                    format!("while ({wants}[{other}] && {turn} == {other}) ;"),
                ],
                // Peterson with the first two steps exchanged: wrong.
                2 => vec![
                    format!("{turn} = {other};"),
                    format!("{wants}[{me}] = 1;"),
                    format!("while ({wants}[{other}] == 1 && {turn} == {other}) ;"),
                ],
                // Flags alone: safe, but both may wait for ever.
                _ => vec![format!("{wants}[{me}] = 1;"), format!("while ({wants}[{other}]) {{ }}")],
            };
            let mut open: Vec<Node> = open.into_iter().map(Node::line).collect();
            open.push(Node::line(format!("{inside}++;")));
            open.push(Node::line(format!("assert({inside} == 1);")));
            let close = vec![Node::line(format!("{inside}--;")), Node::line(format!("{wants}[{me}] = 0;"))];
            self.wrap(body, open, close, group);
        }
    }
}
