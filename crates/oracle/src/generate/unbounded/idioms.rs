//! Disciplined ways to use shared variables, with what holds because of them.

use super::super::Feature;
use super::{Unbounded, lines};
use crate::tree::Node;

impl Unbounded {
    /// One of them.
    pub(super) fn idiom(&mut self) {
        type Maker = fn(&mut Unbounded);
        const MAKERS: [Maker; 26] = [
            Unbounded::section,
            Unbounded::section,
            Unbounded::pair,
            Unbounded::bounded,
            Unbounded::bounded,
            Unbounded::monotone,
            Unbounded::publish,
            Unbounded::wait_for_flag,
            Unbounded::exchange,
            Unbounded::joined,
            Unbounded::created,
            Unbounded::own,
            Unbounded::array,
            Unbounded::references,
            Unbounded::pointer,
            Unbounded::states,
            Unbounded::local_loop,
            Unbounded::condition,
            Unbounded::readers,
            Unbounded::masked,
            Unbounded::handed_over,
            Unbounded::local_of_main,
            Unbounded::test_and_set,
            Unbounded::phases,
            Unbounded::ticket,
            Unbounded::once,
        ];
        let maker = self.pick(&MAKERS);
        maker(self);
    }

    /// Between two changes nobody else is there.
    fn section(&mut self) {
        let (count, _) = self.number("inside");
        let lock = self.discipline();
        let by = 1 + self.random.below(3);
        let up = self.pick(&[format!("{count} += {by};"), format!("{count} = {count} + {by};")]);
        let mut body = vec![Node::line(up)];
        for _ in 0..1 + self.random.below(2) {
            body.push(Node::line(format!("assert({count} == {by});")));
        }
        body.push(Node::line(format!("{count} -= {by};")));
        let node = self.under(&lock, body);
        let who = self.somebody();
        self.does(who, vec![node]);
        if self.random.once_in(2) {
            let node = self.under(&lock, vec![Node::line(format!("assert({count} == 0);"))]);
            self.after.push(node);
        }
    }

    /// Two variables that change together.
    fn pair(&mut self) {
        let (x, _) = self.number("x");
        let (y, _) = (self.fresh("y"), ());
        let declared = self.globals.last().map(|node| format!("{node:?}")).unwrap_or_default();
        let ty = ["unsigned char", "signed char", "unsigned short", "unsigned", "short", "long"]
            .into_iter()
            .find(|ty| declared.contains(&format!("{ty} ")))
            .unwrap_or("int");
        self.globals.push(Node::line(format!("{ty} {y};")));
        let lock = self.discipline();
        let by = 1 + self.random.below(4);
        let sign = self.pick(&["+", "-", "^"]);
        let guard = self.random.once_in(2);
        let change = vec![Node::line(format!("{x} {sign}= {by};")), Node::line(format!("{y} {sign}= {by};"))];
        let change = if guard { vec![Node::block(&format!("if ({x} < 90)"), change)] } else { change };
        let node = self.under(&lock, change);
        let who = self.somebody();
        self.does(who, vec![node]);
        let node = self.under(&lock, vec![Node::line(format!("assert({x} == {y});"))]);
        if self.random.once_in(2) {
            self.after.push(node);
        } else {
            let who = self.somebody();
            self.does(who, vec![node]);
        }
    }

    /// A number that is tested before it grows.
    fn bounded(&mut self) {
        let (x, bound) = self.number("n");
        let lock = self.discipline();
        let up = Node::block(&format!("if ({x} < {bound})"), vec![Node::line(format!("{x}++;"))]);
        let mut body = vec![up];
        if self.random.once_in(2) {
            body.push(Node::line(format!("assert({x} <= {bound});")));
        }
        let node = self.under(&lock, body);
        let who = self.somebody();
        self.does(who, vec![node]);
        if self.random.once_in(2) {
            let down = Node::block(&format!("if ({x} > 0)"), vec![Node::line(format!("{x}--;"))]);
            let node = self.under(&lock, vec![down]);
            let who = self.somebody();
            self.does(who, vec![node]);
        }
        let what = self.pick(&[format!("{x} <= {bound}"), format!("{x} >= 0"), format!("{x} <= {bound}")]);
        self.after.push(Node::line(format!("assert({what});")));
    }

    /// A number that never becomes smaller.
    fn monotone(&mut self) {
        let (x, bound) = self.number("g");
        let lock = self.discipline();
        let by = 1 + self.random.below(2);
        let up =
            Node::block(&format!("if ({x} < {bound} - {by})"), vec![Node::line(format!("{x} += {by};"))]);
        let node = self.under(&lock, vec![up]);
        let who = self.somebody();
        self.does(who, vec![node]);
        let (a, b) = (self.fresh("a"), self.fresh("b"));
        let look =
            lines(&[format!("long {a} = {x};"), format!("long {b} = {x};"), format!("assert({a} <= {b});")]);
        if self.random.once_in(2) {
            self.after.push(Node::nest("{", look, "}"));
        } else {
            let who = self.somebody();
            self.does(who, vec![Node::nest("{", look, "}")]);
        }
    }

    /// Data, then a flag.
    fn publish(&mut self) {
        let (data, value) = self.number("d");
        let flag = self.fresh("ready");
        self.globals.push(Node::line(format!("int {flag};")));
        let who = self.somebody();
        let write = lines(&[format!("{data} = {value};"), format!("{flag} = 1;")]);
        self.does(who, write);
        let look = Node::block(&format!("if ({flag})"), lines(&[format!("assert({data} == {value});")]));
        if self.random.once_in(2) {
            self.after.push(look);
        } else {
            let who = self.somebody();
            self.does(who, vec![look]);
        }
    }

    /// Data behind a flag that is waited for.
    fn wait_for_flag(&mut self) {
        self.used.insert(Feature::Spin);
        let (data, value) = self.number("d");
        let flag = self.fresh("go");
        self.globals.push(Node::line(format!("volatile int {flag};")));
        let who = self.somebody();
        let wait = lines(&[format!("while (!{flag}) ;"), format!("assert({data} == {value});")]);
        self.does(who, wait);
        self.after.extend(lines(&[format!("{data} = {value};"), format!("{flag} = 1;")]));
    }

    /// A number that grows by compare and exchange.
    fn exchange(&mut self) {
        self.used.insert(Feature::Exchange);
        let (x, bound) = self.number("c");
        let old = self.fresh("o");
        let by = 1 + self.random.below(2);
        let look = vec![
            Node::line(format!("long {old} = {x};")),
            Node::block(
                &format!("if ({old} + {by} <= {bound})"),
                vec![Node::line(format!("__sync_bool_compare_and_swap(&{x}, {old}, {old} + {by});"))],
            ),
        ];
        let who = self.somebody();
        self.does(who, vec![Node::nest("{", look, "}")]);
        self.after.push(Node::line(format!("assert({x} <= {bound});")));
        if self.random.once_in(2) {
            self.after.push(Node::line(format!("assert({x} >= 0);")));
        }
    }

    /// What a thread has done when it was joined.
    fn joined(&mut self) {
        let (x, value) = self.number("done");
        let (name, thread) = (self.fresh("j"), self.fresh("h"));
        self.functions.push(Node::block(
            &format!("static void *{name}(void *a)"),
            lines(&[format!("{x} = {value};"), "return 0;".to_owned()]),
        ));
        let made = lines(&[
            format!("pthread_t {thread};"),
            format!("pthread_create(&{thread}, 0, {name}, 0);"),
            format!("pthread_join({thread}, 0);"),
            format!("assert({x} == {value});"),
        ]);
        self.after.extend(made);
    }

    /// No more are counted than were created.
    fn created(&mut self) {
        let (n, w) = (self.fresh("n"), self.fresh("w"));
        let ty = self.pick(&["int", "unsigned", "long", "short"]);
        self.globals.extend(lines(&[format!("{ty} {n};"), format!("{ty} {w};")]));
        let who = self.somebody();
        let up = Node::block(&format!("if ({w} < {n})"), lines(&[format!("{w}++;")]));
        let atomic =
            |inner: Vec<Node>| Node::nest("__VERIFIER_atomic_begin();", inner, "__VERIFIER_atomic_end();");
        if self.random.once_in(2) {
            self.workers[who].push(atomic(vec![up]));
        } else {
            self.workers[who].push(atomic(lines(&[format!("{w}++;")])));
        }
        self.before_creation[who].push(atomic(lines(&[format!("{n}++;")])));
        self.after.push(atomic(lines(&[format!("assert({w} <= {n});")])));
    }

    /// Each thread has its own.
    fn own(&mut self) {
        self.used.insert(Feature::ThreadLocal);
        let x = self.fresh("own");
        self.globals.push(Node::line(format!("_Thread_local int {x};")));
        let who = self.somebody();
        let up = lines(&[format!("{x}++;"), format!("assert({x} == 1);"), format!("{x}--;")]);
        self.does(who, up);
        self.after.push(Node::line(format!("assert({x} == 0);")));
    }

    /// An array whose elements stay within bounds.
    fn array(&mut self) {
        self.used.insert(Feature::Array);
        let (a, i, k) = (self.fresh("a"), self.fresh("i"), self.fresh("k"));
        let ty = self.pick(&["int", "unsigned char", "char"]);
        self.globals.extend(lines(&[format!("int {a}[4];"), format!("{ty} {i};")]));
        let lock = self.discipline();
        let who = self.somebody();
        let body = lines(&[
            format!("{i} = ({i} + 1) & 3;"),
            format!("assert({i} >= 0 && {i} < 4);"),
            format!("{a}[{i}] = 1;"),
        ]);
        let node = self.under(&lock, body);
        self.does(who, vec![node]);
        let made = lines(&[
            format!("unsigned {k} = __VERIFIER_nondet_int() & 3;"),
            format!("assert({a}[{k}] <= 1);"),
        ]);
        self.after.push(Node::nest("{", made, "}"));
    }

    /// References that are handed over at creation.
    fn references(&mut self) {
        let (r, gone) = (self.fresh("refs"), self.fresh("gone"));
        self.globals.extend(lines(&[format!("int {r} = 1;"), format!("int {gone};")]));
        let who = self.somebody();
        let z = self.fresh("z");
        let drop = Node::nest(
            "__VERIFIER_atomic_begin();",
            lines(&[format!("{r}--;"), format!("{z} = {r};")]),
            "__VERIFIER_atomic_end();",
        );
        let release = |drop: Node| {
            vec![Node::line(format!("int {z};")), drop, Node::line(format!("if ({z} == 0) {gone} = 1;"))]
        };
        self.workers[who].push(Node::line(format!("assert({gone} == 0);")));
        self.workers[who].extend(release(drop.clone()));
        self.before_creation[who].push(Node::nest(
            "__VERIFIER_atomic_begin();",
            lines(&[format!("{r}++;")]),
            "__VERIFIER_atomic_end();",
        ));
        self.after.extend(release(drop));
    }

    /// A pointer that leads to one of two.
    fn pointer(&mut self) {
        self.used.insert(Feature::Pointer);
        let (x, y, p) = (self.fresh("x"), self.fresh("y"), self.fresh("p"));
        let lock = self.discipline();
        self.globals.extend(lines(&[format!("int {x}, {y};"), format!("int *{p} = &{x};")]));
        let who = self.somebody();
        let body = lines(&[
            format!("if (__VERIFIER_nondet_bool()) {p} = &{y};"),
            format!("*{p} = 1;"),
            format!("assert({x} <= 1);"),
        ]);
        let node = self.under(&lock, body);
        self.does(who, vec![node]);
        self.after.push(Node::line(format!("assert({y} == 0 || {y} == 1);")));
    }

    /// A state that goes on by one.
    fn states(&mut self) {
        let s = self.fresh("state");
        let ty = self.pick(&["int", "unsigned char", "short"]);
        self.globals.push(Node::line(format!("{ty} {s};")));
        let lock = self.discipline();
        let last = 2 + self.random.below(2);
        for state in 0..last {
            let who = self.somebody();
            let step =
                Node::block(&format!("if ({s} == {state})"), lines(&[format!("{s} = {};", state + 1)]));
            let node = self.under(&lock, vec![step]);
            self.does(who, vec![node]);
        }
        let back = self.random.once_in(2);
        if back {
            let who = self.somebody();
            let step = Node::block(&format!("if ({s} == {last})"), lines(&[format!("{s} = 0;")]));
            let node = self.under(&lock, vec![step]);
            self.does(who, vec![node]);
        }
        self.after.push(Node::line(format!("assert({s} <= {last});")));
        if !back {
            let a = self.fresh("a");
            let look = lines(&[format!("int {a} = {s};"), format!("assert({a} <= {s});")]);
            self.after.push(Node::nest("{", look, "}"));
        }
    }

    /// A loop over a number of one's own.
    fn local_loop(&mut self) {
        let (i, n) = (self.fresh("i"), self.fresh("n"));
        let ty = self.pick(&["int", "unsigned char", "unsigned", "short"]);
        let bound = 3 + self.random.below(5);
        let who = self.somebody();
        let limit = format!("int {n} = (__VERIFIER_nondet_int() & 255) % {bound};");
        let (head, what) = match self.random.below(3) {
            0 => (format!("for ({ty} {i} = 0; {i} < {n}; {i}++)"), format!("assert({i} < {bound});")),
            1 => (format!("for ({ty} {i} = {n}; {i} > 0; {i}--)"), format!("assert({i} <= {bound});")),
            _ => (format!("for ({ty} {i} = 0; {i} != {n}; {i}++)"), format!("assert({i} <= {n});")),
        };
        let nodes = vec![Node::line(limit), Node::block(&head, vec![Node::line(what)])];
        self.does(who, vec![Node::nest("{", nodes, "}")]);
    }

    /// What holds behind a wait.
    fn condition(&mut self) {
        self.used.insert(Feature::Condition);
        let (m, c, n) = (self.fresh("m"), self.fresh("c"), self.fresh("items"));
        self.globals.extend(lines(&[
            format!("pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;"),
            format!("pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;"),
            format!("int {n};"),
        ]));
        let (open, close) = (format!("pthread_mutex_lock(&{m});"), format!("pthread_mutex_unlock(&{m});"));
        let who = self.somebody();
        let give = vec![
            Node::block(&format!("if ({n} < 3)"), lines(&[format!("{n}++;")])),
            Node::line(format!("pthread_cond_signal(&{c});")),
        ];
        self.does(who, vec![Node::nest(open.clone(), give, close.clone())]);
        let who = self.somebody();
        let wait = self.pick(&["while", "while", "if"]);
        let take = lines(&[
            format!("{wait} ({n} == 0) pthread_cond_wait(&{c}, &{m});"),
            format!("{n}--;"),
            format!("assert({n} >= 0);"),
        ]);
        self.does(who, vec![Node::nest(open, take, close)]);
    }

    /// Readers see no half of a change.
    fn readers(&mut self) {
        self.used.insert(Feature::RwLock);
        let (l, x) = (self.fresh("rw"), self.fresh("x"));
        let value = 1 + self.random.below(3);
        self.globals.extend(lines(&[
            format!("pthread_rwlock_t {l} = PTHREAD_RWLOCK_INITIALIZER;"),
            format!("int {x};"),
        ]));
        let close = format!("pthread_rwlock_unlock(&{l});");
        let who = self.somebody();
        let write = lines(&[format!("{x} = {value};"), format!("{x} = 0;")]);
        self.does(who, vec![Node::nest(format!("pthread_rwlock_wrlock(&{l});"), write, close.clone())]);
        let who = self.somebody();
        let read = lines(&[format!("assert({x} == 0);")]);
        self.does(who, vec![Node::nest(format!("pthread_rwlock_rdlock(&{l});"), read, close)]);
    }

    /// Bits that are never set.
    fn masked(&mut self) {
        let (x, _) = self.number("bits");
        let who = self.somebody();
        let line = self.pick(&[
            format!("__sync_fetch_and_or(&{x}, 4);"),
            format!("__sync_fetch_and_and(&{x}, 6);"),
            format!("{x} = ({x} + 2) & 6;"),
            format!("{x} = {x} | 2;"),
        ]);
        self.does(who, lines(&[line]));
        let what = self.pick(&[format!("{x} <= 7"), format!("({x} & 1) == 0"), format!("{x} >= 0")]);
        self.after.push(Node::line(format!("assert({what});")));
    }

    /// A lock that one takes and another gives back.
    fn handed_over(&mut self) {
        let (turn, x) = (self.fresh("turn"), self.fresh("x"));
        self.globals.push(Node::line(format!("int {turn}, {x};")));
        let kinds = 2;
        for mine in 0..kinds {
            let who = self.somebody();
            let other = 1 - mine;
            let wait = Node::line(format!("__VERIFIER_assume({turn} == {mine});"));
            let claim = Node::line(format!("{turn} = 2;"));
            let take =
                Node::nest("__VERIFIER_atomic_begin();", vec![wait, claim], "__VERIFIER_atomic_end();");
            let mut nodes = vec![take];
            nodes.extend(lines(&[
                format!("{x}++;"),
                format!("assert({x} == 1);"),
                format!("{x}--;"),
                format!("{turn} = {other};"),
            ]));
            self.does(who, nodes);
        }
    }

    /// A thread that is given a variable of main's.
    fn local_of_main(&mut self) {
        let (name, thread, x) = (self.fresh("u"), self.fresh("h"), self.fresh("x"));
        let value = 1 + self.random.below(5);
        self.functions.push(Node::block(
            &format!("static void *{name}(void *a)"),
            lines(&[format!("*(int *)a = {value};"), "return 0;".to_owned()]),
        ));
        let made = lines(&[
            format!("int {x} = 0;"),
            format!("pthread_t {thread};"),
            format!("pthread_create(&{thread}, 0, {name}, &{x});"),
            format!("assert({x} == 0 || {x} == {value});"),
            format!("pthread_join({thread}, 0);"),
            format!("assert({x} == {value});"),
        ]);
        self.after.extend(made);
    }

    /// A lock made of an exchange.
    fn test_and_set(&mut self) {
        self.used.insert(Feature::SpinLock);
        let (l, x) = (self.fresh("tas"), self.fresh("x"));
        let ty = self.pick(&["int", "char", "_Bool"]);
        self.globals.push(Node::line(format!("{ty} {l}; int {x};")));
        let who = self.somebody();
        let body = lines(&[format!("{x} = 1;"), format!("assert({x} == 1);"), format!("{x} = 0;")]);
        let open = format!("while (__atomic_test_and_set(&{l}, 5)) ;");
        let node = Node::nest(open, body, format!("__atomic_clear(&{l}, 5);"));
        self.does(who, vec![node]);
        let who = self.somebody();
        let body = lines(&[format!("assert({x} == 0);")]);
        let open = format!("if (!__atomic_test_and_set(&{l}, 5)) {{");
        self.does(who, vec![Node::nest(open, body, format!("__atomic_clear(&{l}, 5); }}"))]);
    }

    /// What is written before any thread is started, and never again.
    fn phases(&mut self) {
        let (k, value) = self.number("k");
        self.setup.push(Node::line(format!("{k} = {value};")));
        let who = self.somebody();
        self.does(who, lines(&[format!("assert({k} == {value});")]));
        if self.random.once_in(3) {
            self.after.push(Node::line(format!("{k} = {value};")));
        }
    }

    /// Numbers that are given out, of which none is served too early.
    fn ticket(&mut self) {
        let (next, serving, mine) = (self.fresh("next"), self.fresh("serving"), self.fresh("mine"));
        let ty = self.pick(&["unsigned", "int", "unsigned char"]);
        self.globals.push(Node::line(format!("{ty} {next}, {serving};")));
        let who = self.somebody();
        let guard = self.random.once_in(2);
        let draw = lines(&[format!("{mine} = {next};"), format!("{next} = {next} + 1;")]);
        let limit = if guard { format!("__VERIFIER_assume({next} < 100);") } else { String::new() };
        let mut begin = vec![Node::line(limit)];
        begin.extend(draw);
        let serve = Node::block(&format!("if ({serving} < {next})"), lines(&[format!("{serving}++;")]));
        let nodes = vec![
            Node::line(format!("{ty} {mine};")),
            Node::nest("__VERIFIER_atomic_begin();", begin, "__VERIFIER_atomic_end();"),
            Node::line(format!("assert({mine} < {next});")),
            Node::nest("__VERIFIER_atomic_begin();", vec![serve], "__VERIFIER_atomic_end();"),
        ];
        self.does(who, vec![Node::nest("{", nodes, "}")]);
        self.after.push(Node::nest(
            "__VERIFIER_atomic_begin();",
            lines(&[format!("assert({serving} <= {next});")]),
            "__VERIFIER_atomic_end();",
        ));
    }

    /// What is initialised once.
    fn once(&mut self) {
        self.used.insert(Feature::Once);
        let (o, x, init) = (self.fresh("once"), self.fresh("x"), self.fresh("init"));
        self.globals
            .extend(lines(&[format!("pthread_once_t {o} = PTHREAD_ONCE_INIT;"), format!("int {x};")]));
        let by = 1 + self.random.below(2);
        self.functions
            .push(Node::block(&format!("static void {init}(void)"), lines(&[format!("{x} += {by};")])));
        let who = self.somebody();
        let made = lines(&[format!("pthread_once(&{o}, {init});"), format!("assert({x} == {by});")]);
        self.does(who, made);
    }
}
