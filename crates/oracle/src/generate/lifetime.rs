//! Objects whose lifetime ends while another thread may still hold their address.

use super::Generator;
use crate::tree::Node;

/// What ends the lifetime.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Block,
    Call,
    Parameter,
    Thread,
    Loop,
    Heap,
}

impl Generator {
    /// One body publishes the address of something that does not last; another uses it, in time or too late.
    pub(super) fn early_end(&mut self) {
        let group = self.new_group();
        let (owner, user) = self.two_bodies();
        let shared = self.fresh("lent");
        let atomic = self.chance(50);
        let qualifier = if atomic { "*_Atomic " } else { "*volatile " };
        self.globals.push(Node::line(format!("int {qualifier}{shared};")).of(group));
        let (own, value) = (self.fresh("own"), self.random.below(3));
        let form =
            self.pick(&[Form::Block, Form::Call, Form::Parameter, Form::Thread, Form::Loop, Form::Heap]);
        let (address, object) = if form == Form::Heap {
            (own.clone(), format!("*{own}"))
        } else {
            (format!("&{own}"), own.clone())
        };
        let mut inner = vec![Node::line(format!("{shared} = {address};"))];
        // An assertion names local variables of its body, which another function does not know.
        if !matches!(form, Form::Call | Form::Parameter) && self.chance(40) {
            let scope = self.scope(owner);
            inner.push(self.assertion(&scope));
        }
        if self.chance(50) {
            inner.push(Node::line(format!("{object} += 1;")));
        }
        // Whoever takes it back before the end is right only if nobody has looked yet.
        if self.chance(30) {
            inner.push(Node::line(format!("{shared} = 0;")));
        }
        let nodes = match form {
            Form::Block => vec![Node::nest(format!("{{ int {own} = {value};"), inner, "}")],
            Form::Call | Form::Parameter => {
                let name = self.fresh("lend");
                let (parameter, argument) = if form == Form::Call {
                    inner.insert(0, Node::line(format!("int {own} = {value};")));
                    ("void".to_owned(), String::new())
                } else {
                    (format!("int {own}"), value.to_string())
                };
                let head = format!("static void {name}({parameter})");
                self.functions.push(Node::block(&head, inner).of(group));
                vec![Node::line(format!("{name}({argument});"))]
            }
            Form::Thread => {
                self.globals.push(Node::line(format!("_Thread_local int {own} = {value};")).of(group));
                inner
            }
            Form::Loop => {
                vec![Node::nest(format!("for (int i = 0; i < 2; i++) {{ int {own} = i;"), inner, "}")]
            }
            Form::Heap => {
                let open = format!("{{ int *{own} = malloc(sizeof(int)); {object} = {value};");
                vec![Node::nest(open, inner, format!("free({own}); }}"))]
            }
        };
        self.insert(owner, nodes.into_iter().map(|node| node.of(group)).collect());
        let (seen, number) = (self.fresh("seen"), self.random.below(4));
        let use_it = match self.random.below(4) {
            0 => format!("*{seen} = {number};"),
            1 => format!("assert(*{seen} != {number});"),
            2 => format!("(*{seen})++;"),
            _ => format!("if (*{seen} == {number}) *{seen} = 1;"),
        };
        let node = Node::nest(
            format!("{{ int *{seen} = {shared};"),
            vec![Node::line(format!("if ({seen}) {{ {use_it} }}"))],
            "}",
        );
        self.insert(user, vec![node.of(group)]);
        if self.chance(35) {
            self.argument_on_the_stack();
        }
    }

    /// A thread is given the address of a local variable, and is joined in time or not.
    fn argument_on_the_stack(&mut self) {
        if self.is_c11() {
            return;
        }
        let group = self.new_group();
        let (function, spawn, handle) = (self.fresh("use"), self.fresh("spawn"), self.fresh("h"));
        let number = self.random.below(3);
        let look = self.assert(&format!("*p != {number}"));
        let body =
            vec![Node::line("int *p = argument;"), look, Node::line("*p = 2;"), Node::line("return 0;")];
        self.functions.push(Node::block(&format!("static void *{function}(void *argument)"), body).of(group));
        let mut body = vec![
            Node::line("int own = 1;"),
            Node::line(format!("pthread_t {handle};")),
            Node::line(format!("pthread_create(&{handle}, 0, {function}, &own);")),
        ];
        match self.random.below(3) {
            0 => body.push(Node::line(format!("pthread_join({handle}, 0);"))),
            1 => body.push(Node::line("own = 3;")),
            _ => {}
        }
        self.functions.push(Node::block(&format!("static void {spawn}(void)"), body).of(group));
        let body = self.random.below(self.bodies.len());
        self.insert(body, vec![Node::line(format!("{spawn}();")).of(group)]);
    }
}
