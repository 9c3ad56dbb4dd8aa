//! Handles of threads and keys: copied, compared, kept in structures, handed on.

use super::Generator;
use crate::tree::Node;

impl Generator {
    pub(super) fn handle_protocol(&mut self) {
        if self.is_c11() {
            return;
        }
        match self.random.below(3) {
            0 => self.compared_selves(),
            1 => self.copied_handles(),
            _ => self.own_values(),
        }
    }

    /// Who am I, and who was that?
    fn compared_selves(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (who, known) = (self.fresh("who"), self.fresh("known"));
        self.declare(group, format!("pthread_t {who};"));
        self.declare(group, format!("_Atomic int {known};"));
        let nodes = vec![format!("{who} = pthread_self();"), format!("{known} = 1;")];
        self.insert(first, nodes.into_iter().map(|line| Node::line(line).of(group)).collect());
        let claim = match self.random.below(3) {
            0 => format!("!pthread_equal({who}, pthread_self())"),
            1 => format!("pthread_equal({who}, pthread_self())"),
            _ => format!("pthread_equal({who}, {who})"),
        };
        let look = self.assert(&claim);
        let node = if self.chance(80) { Node::block(&format!("if ({known})"), vec![look]) } else { look };
        self.insert(second, vec![node.of(group)]);
    }

    /// Threads joined by copies of their handles.
    fn copied_handles(&mut self) {
        let group = self.new_group();
        let (function, x, who) = (self.fresh("helper"), self.fresh("x"), self.fresh("who"));
        self.declare(group, format!("_Atomic int {x};"));
        self.declare(group, format!("pthread_t {who};"));
        let body = vec![
            Node::line(format!("{who} = pthread_self();")),
            Node::line(format!("{x}++;")),
            Node::line("return 0;"),
        ];
        self.functions.push(Node::block(&format!("static void *{function}(void *argument)"), body).of(group));
        let copy = match self.random.below(5) {
            0 => "pthread_t copy = handle;",
            1 => "pthread_t copy; memcpy(&copy, &handle, sizeof copy);",
            2 => {
                "struct { int n; pthread_t of; } one = { 1, handle }, two; two = one; pthread_t copy = two.of;"
            }
            3 => "pthread_t all[2] = { handle, handle }, copy = all[1];",
            _ => "pthread_t *at = malloc(sizeof *at); *at = handle; pthread_t copy = *at; free(at);",
        };
        let claim = match self.random.below(4) {
            0 => format!("pthread_equal(handle, {who})"),
            1 => "!pthread_equal(copy, pthread_self())".to_owned(),
            2 => "pthread_equal(handle, copy)".to_owned(),
            _ => format!("{x} != 1"),
        };
        let look = self.assert(&claim);
        let mut lines = vec![
            Node::line("pthread_t handle;"),
            Node::line(format!("pthread_create(&handle, 0, {function}, 0);")),
            Node::line(copy),
        ];
        let join = Node::line("pthread_join(copy, 0);");
        lines.extend(if self.chance(70) { [join, look] } else { [look, join] });
        let body = self.random.below(self.bodies.len());
        self.insert(body, vec![Node::nest("{", lines, "}").of(group)]);
    }

    /// What each thread keeps under a key is its own.
    fn own_values(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (key, x) = (self.fresh("key"), self.fresh("x"));
        self.declare(group, format!("pthread_key_t {key};"));
        self.declare(group, format!("int {x}[2];"));
        self.setup.push(Node::line(format!("pthread_key_create(&{key}, 0);")).of(group));
        for (body, number) in [(first, 0), (second, 1)] {
            let mut lines = Vec::new();
            if self.chance(75) {
                lines.push(Node::line(format!("pthread_setspecific({key}, &{x}[{number}]);")).of(group));
            }
            let own = self.fresh("own");
            let claim = match self.random.below(3) {
                0 => format!("{own} == &{x}[{number}]"),
                1 => format!("{own} != &{x}[{}]", 1 - number),
                _ => format!("{own} == 0"),
            };
            let look = self.assert(&claim);
            let inner = vec![look, Node::line(format!("if ({own}) (*{own})++;"))];
            let open = format!("{{ pthread_key_t copy = {key}; int *{own} = pthread_getspecific(copy);");
            lines.push(Node::nest(open, inner, "}").of(group));
            self.insert(body, lines);
        }
    }
}
