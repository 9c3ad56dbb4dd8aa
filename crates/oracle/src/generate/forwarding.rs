//! Forwarding: loads whose value the thread knows (of what no other thread writes, and of its own store), between two accesses
//! whose order can be observed.
//!
//! An engine that knows such a value may leave the load out, but must not forget that it is one when it orders what stands around
//! it.

use super::Generator;
use super::access::{LOADS, STORES};
use crate::tree::Node;

/// What the two threads do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    StoreBuffering,
    MessagePassing,
}

/// How the variables are accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Volatile,
    /// With memory orders.
    Atomic,
}

/// Names of what a load may look at.
struct KnownLoad<'k> {
    /// What nobody writes.
    never: &'k str,
    /// A table that nobody writes.
    table: &'k str,
    /// What the thread itself has just written, if it has.
    own: Option<&'k str>,
}

impl Generator {
    /// Two threads, two variables, and known loads in between.
    pub(super) fn forwarding_protocol(&mut self) {
        let group = self.new_group();
        let (x, y, p, q) = (self.fresh("x"), self.fresh("y"), self.fresh("got"), self.fresh("got"));
        let (never, table) = (self.fresh("never"), self.fresh("table"));
        let style = self.pick(&[Style::Plain, Style::Volatile, Style::Atomic, Style::Atomic]);
        let qualifier = match style {
            Style::Plain => "",
            Style::Volatile => "volatile ",
            Style::Atomic => "_Atomic ",
        };
        let constant = self.pick(&["", "static ", "const ", "volatile ", "const volatile ", "_Atomic "]);
        let (first, second) = self.two_bodies();
        self.declare(group, format!("{qualifier}int {x}, {y};"));
        self.declare(group, format!("int {p} = 2, {q} = 2;"));
        self.declare(group, format!("{constant}int {never} = 1;"));
        self.declare(group, format!("const int {table}[2] = {{ 0, 1 }};"));
        let form = self.pick(&[Form::StoreBuffering, Form::StoreBuffering, Form::MessagePassing]);
        let parts = match form {
            Form::StoreBuffering => [(first, &x, None, &y, Some(&p)), (second, &y, None, &x, Some(&q))],
            Form::MessagePassing => [(first, &x, None, &y, None), (second, &y, Some(&p), &x, Some(&q))],
        };
        for (body, one, got_one, two, got_two) in parts {
            let own = got_one.is_none().then_some(one.as_str());
            let mut lines = vec![self.forwarded_access(style, one, got_one)];
            lines.push(self.known_load(style, &KnownLoad { never: &never, table: &table, own }));
            let last = self.forwarded_access(style, two, got_two);
            // Which of two equal loads it is depends on a value that is known.
            let last = if self.chance(20) { format!("if ({never} == 1) {{ {last} }}") } else { last };
            lines.push(last);
            self.insert(body, lines.into_iter().map(|line| Node::line(line).of(group)).collect());
        }
        let (a, b) = if form == Form::StoreBuffering { (0, 0) } else { (1, 0) };
        let claim = self.assert(&format!("!({p} == {a} && {q} == {b})"));
        self.finals.push(claim.of(group));
    }

    /// A store of one, or a load into a variable.
    fn forwarded_access(&mut self, style: Style, x: &str, got: Option<&String>) -> String {
        let order = |generator: &mut Self, orders: &[&'static str]| {
            let order = if generator.chance(60) { "relaxed" } else { generator.pick(orders) };
            format!("memory_order_{order}")
        };
        match (style, got) {
            (Style::Plain | Style::Volatile, None) => format!("{x} = 1;"),
            (Style::Plain | Style::Volatile, Some(got)) => format!("{got} = {x};"),
            (Style::Atomic, None) => format!("atomic_store_explicit(&{x}, 1, {});", order(self, &STORES)),
            (Style::Atomic, Some(got)) => {
                format!("{got} = atomic_load_explicit(&{x}, {});", order(self, &LOADS))
            }
        }
    }

    /// A load whose value is known, or something else that only its own thread does.
    fn known_load(&mut self, style: Style, known: &KnownLoad<'_>) -> String {
        let KnownLoad { never, table, own } = *known;
        let own = own.unwrap_or(never);
        let seen = self.fresh("seen");
        let plain = if style == Style::Atomic { "memory_order_relaxed" } else { "memory_order_seq_cst" };
        match self.random.below(14) {
            0 => String::new(),
            1 => format!("{{ int {seen} = {never}; (void){seen}; }}"),
            2 => format!("{{ int {seen} = {table}[{never} & 1]; (void){seen}; }}"),
            3 | 4 => format!("{{ int {seen} = {own}; (void){seen}; }}"),
            5 => format!("{{ unsigned char {seen} = *(unsigned char *)&{own}; (void){seen}; }}"),
            6 => format!("{{ int {seen}; memcpy(&{seen}, (void *)&{own}, sizeof {seen}); }}"),
            7 => format!("assert({own} == 1);"),
            8 => format!("for (int i = 0; i < {never}; i++) {{ int {seen} = {table}[i]; (void){seen}; }}"),
            9 => format!(
                "{{ int *{seen} = malloc(sizeof(int)); *{seen} = 1; *{seen} += *{seen}; free({seen}); }}"
            ),
            10 => {
                let order = self.pick(&["acquire", "release", "acq_rel", "seq_cst"]);
                format!("atomic_thread_fence(memory_order_{order});")
            }
            11 => {
                let group = self.new_group();
                let alone = self.fresh("alone");
                self.declare(group, format!("_Atomic int {alone};"));
                format!("atomic_fetch_add_explicit(&{alone}, 1, {plain});")
            }
            12 => {
                let group = self.new_group();
                let alone = self.fresh("alone");
                self.declare(group, format!("pthread_mutex_t {alone} = PTHREAD_MUTEX_INITIALIZER;"));
                format!("pthread_mutex_lock(&{alone}); pthread_mutex_unlock(&{alone});")
            }
            _ => {
                let group = self.new_group();
                let mine = self.fresh("mine");
                self.declare(group, format!("_Thread_local int {mine};"));
                format!("{mine} = 1; {{ int {seen} = {mine}; (void){seen}; }}")
            }
        }
    }
}
