//! Structures that are copied, pointers into their middle, and pointers with two targets.

use super::Generator;
use crate::tree::Node;

impl Generator {
    /// A structure that one copies while another changes it.
    pub(super) fn copying(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (tag, x, y) = (self.fresh("record"), self.fresh("x"), self.fresh("y"));
        let members =
            self.pick(&["int a; int b;", "char a; int b;", "short a; short b; int c;", "long a; char b;"]);
        self.globals.push(Node::line(format!("struct {tag} {{ {members} }};")).of(group));
        self.globals.push(Node::line(format!("struct {tag} {x}, {y} = {{ 1, 1 }};")).of(group));
        let made = self.fresh("made");
        let head = format!("static struct {tag} {made}(struct {tag} from, int step)");
        let body = vec![Node::line("from.a += step;"), Node::line("return from;")];
        self.functions.push(Node::block(&head, body).of(group));
        let copy = match self.random.below(8) {
            0 => format!("{x} = {y};"),
            6 => format!("{x} = {made}({y}, 1);"),
            7 => format!("{{ struct {tag} all[2] = {{ {y}, {x} }}; {x} = all[{y}.a & 1]; }}"),
            1 => format!("memcpy(&{x}, &{y}, sizeof {x});"),
            2 => format!("memmove(&{x}, &{y}, sizeof {x});"),
            3 => format!("{x} = (struct {tag}){{ 2, 2 }};"),
            4 => format!("memset(&{x}, 0, sizeof {x});"),
            _ => format!("{{ struct {tag} own = {y}; own.b = 2; {x} = own; }}"),
        };
        let other = match self.random.below(5) {
            0 => format!("{x}.a = 3;"),
            1 => format!("{y}.b = 3;"),
            2 => format!("{y} = {x};"),
            3 => format!("assert({x}.a == {x}.b);"),
            _ => format!("{{ struct {tag} seen = {x}; assert(seen.a == seen.b); }}"),
        };
        let number = self.random.below(4);
        let (copy, other) = self.perhaps_guarded(copy, other);
        self.insert(first, vec![copy.of(group)]);
        self.insert(second, vec![other.of(group)]);
        let claim = format!("{x}.a == {x}.b || {x}.b == {number}");
        let node = self.assert(&claim);
        self.finals.push(node.of(group));
    }

    /// Both with a mutex held, if there is one, most of the time.
    fn perhaps_guarded(&mut self, first: String, second: String) -> (Node, Node) {
        if self.mutexes.is_empty() || self.chance(40) {
            return (Node::line(first), Node::line(second));
        }
        let mutexes = self.mutexes.clone();
        let mutex = self.pick(&mutexes);
        let (lock, unlock) = (self.lock(&mutex), self.unlock(&mutex));
        let guarded = |line: String| Node::nest(lock.clone(), vec![Node::line(line)], unlock.clone());
        (guarded(first), guarded(second))
    }

    /// Elements found again from a pointer to one of their members, or from one behind them.
    pub(super) fn offset_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (tag, items, at) = (self.fresh("item"), self.fresh("items"), self.fresh("at"));
        self.globals.push(
            Node::line(format!(
                "struct {tag} {{ int key; struct {{ int n; }} link; }} {items}[2] = {{ {{ 1 }}, {{ 2 }} }};"
            ))
            .of(group),
        );
        let start = self.random.below(2);
        self.globals.push(Node::line(format!("void *{at} = &{items}[{start}].link;")).of(group));
        let offset =
            self.pick(&["__builtin_offsetof(struct TAG, link)", "(unsigned long)&((struct TAG *)0)->link"]);
        let of = format!("((struct {tag} *)((char *){at} - {}))", offset.replace("TAG", &tag));
        let access = |generator: &mut Self| match generator.random.below(7) {
            0 => format!("{of}->key++;"),
            1 => format!("{at} = &{items}[{}].link;", generator.random.below(2)),
            2 => format!("assert({of}->key != {});", generator.random.below(4)),
            3 => format!("((int *){at})[-1] = {};", generator.random.below(4)),
            4 => format!("{{ struct {tag} *end = {items} + 2; end[-1].key = 3; }}"),
            5 => format!("{{ int n = {of}->key & 1; ((int *){at})[-n] = 5; }}"),
            _ => format!("{{ struct {tag} *p = {of}; if (p != {items}) p[-1].key = 4; }}"),
        };
        for body in [first, second] {
            let (one, two) = (access(self), access(self));
            let (one, two) = self.perhaps_guarded(one, two);
            self.insert(body, vec![one.of(group), two.of(group)]);
        }
        let (which, number) = (self.random.below(2), self.random.below(6));
        let node = self.assert(&format!("{items}[{which}].key != {number}"));
        self.finals.push(node.of(group));
    }

    /// What is written, locked or unlocked depends on a variable that others write.
    pub(super) fn target_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (which, x, m) = (self.fresh("which"), self.fresh("x"), self.fresh("pair"));
        self.globals.push(Node::line(format!("_Atomic int {which};")).of(group));
        self.globals.push(Node::line(format!("int {x}[2];")).of(group));
        self.globals.push(
            Node::line(format!(
                "pthread_mutex_t {m}[2] = {{ PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER }};"
            ))
            .of(group),
        );
        let fixed = self.random.below(2);
        for body in [first, second] {
            let (own, number) = (self.fresh("i"), self.random.below(3));
            // Most choose once; some look again when they unlock.
            let unlock = if self.chance(85) { own.clone() } else { format!("({which} & 1)") };
            let choose = if self.chance(60) { format!("{which} & 1") } else { fixed.to_string() };
            let target = match self.random.below(3) {
                0 => format!("int *p = {own} ? &{x}[0] : &{x}[1];"),
                1 => format!("int *p = &{x}[{own}];"),
                _ => format!("int *p = {which} ? {x} : {x} + 1;"),
            };
            let inner = vec![
                Node::line(target),
                Node::line(format!("*p = *p + {};", number + 1)),
                Node::line(format!("assert(*p != {});", number + 2)),
            ];
            let node = Node::nest(
                format!("{{ int {own} = {choose}; pthread_mutex_lock(&{m}[{own}]);"),
                inner,
                format!("pthread_mutex_unlock(&{m}[{unlock}]); }}"),
            );
            self.insert(body, vec![node.of(group)]);
            if self.chance(50) {
                let value = self.random.below(2);
                self.insert(body, vec![Node::line(format!("{which} = {value};")).of(group)]);
            }
        }
    }
}
