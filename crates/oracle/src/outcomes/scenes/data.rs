//! Structures, lists, pointers and the heap.

use super::super::sketch::{Lock, Sketch};

/// Structures that are copied as a whole, in the many ways there are.
pub(super) fn copies(s: &mut Sketch) {
    let (tag, x, lock) = (s.name("record"), s.name("x"), s.lock());
    let members = s.pick(&[
        "char a; short b; int c;",
        "int a; int b; int c;",
        "char a; long b; char c;",
        "short a; char b; char c;",
        "unsigned char a; int b; unsigned long long c;",
    ]);
    s.global(format!("struct {tag} {{ {members} }};"));
    s.global(format!("static struct {tag} {x} = {{ 1, 2, 3 }};"));
    let changed = s.name("changed");
    s.function(format!(
        "static struct {tag} {changed}(struct {tag} one, int step)\n{{\n    one.b += step;\n    one.c = one.a;\n    return one;\n}}"
    ));
    for worker in s.some_workers() {
        let (own, step) = (s.local("own"), 1 + s.below(3));
        let take = match s.below(5) {
            0 => format!("{own} = {x};"),
            1 => format!("memcpy(&{own}, &{x}, sizeof {own});"),
            2 => format!("memmove(&{own}, &{x}, sizeof({x}));"),
            3 => format!("{own} = *&(struct {tag}[2]){{ {x}, {x} }}[1];"),
            _ => format!("{own} = {changed}({x}, 0);"),
        };
        let change = match s.below(4) {
            0 => format!("{own} = {changed}({own}, {step});"),
            1 => format!("{own}.a += {step};"),
            2 => format!("{own} = (struct {tag}){{ .b = {own}.b, .a = {step} }};"),
            _ => format!("struct {tag} *p = &{own}; p->c = p->b + {step};"),
        };
        let put = match s.below(3) {
            0 => format!("{x} = {own};"),
            1 => format!("memcpy(&{x}, &{own}, sizeof {own});"),
            _ => format!("{x} = ({own}.a > 1 ? {own} : {changed}({own}, 1));"),
        };
        let (take, put) = (Sketch::surely_locked(&lock, &take), Sketch::surely_locked(&lock, &put));
        if s.chance(60) {
            s.work(worker, format!("{{ struct {tag} {own}; {take} J(); {change} {put} }}"));
        } else {
            let whole = Sketch::surely_locked(&lock, &format!("{change} {x} = {own};"));
            s.work(worker, format!("{{ struct {tag} {own} = {{ 4, 5, 6 }}; {whole} {take} J(); {put} }}"));
        }
    }
    for (member, values) in [("a", 7), ("b", 11), ("c", 11)] {
        s.observe(&format!("{x}.{member}"), values);
    }
}

/// Lists through links inside of their elements, found again by `offsetof`.
pub(super) fn intrusive_list(s: &mut Sketch) {
    let (node, link, head, lock) = (s.name("node"), s.name("link"), s.name("head"), s.lock());
    s.global(format!("struct {link} {{ struct {link} *next, *prev; }};"));
    s.global(format!("struct {node} {{ int key; struct {link} link; char rest; }};"));
    s.global(format!("static struct {link} {head} = {{ &{head}, &{head} }};"));
    let (add, cut) = (s.name("add"), s.name("cut"));
    s.function(format!(
        "static void {add}(struct {link} *new, struct {link} *at)\n{{\n    new->next = at->next;\n    new->prev = at;\n    \
         at->next->prev = new;\n    at->next = new;\n}}"
    ));
    s.function(format!(
        "static void {cut}(struct {link} *old)\n{{\n    old->prev->next = old->next;\n    old->next->prev = old->prev;\n}}"
    ));
    let of =
        |pointer: &str| format!("((struct {node} *)((char *)({pointer}) - offsetof(struct {node}, link)))");
    for (number, worker) in s.some_workers().into_iter().enumerate() {
        let key = number + 1;
        let one = s.name("one");
        let (declaration, address) = if s.chance(60) {
            s.global(format!("static struct {node} {one} = {{ {key} }};"));
            (String::new(), format!("&{one}"))
        } else {
            let p = s.local("p");
            (format!("struct {node} *{p} = malloc(sizeof *{p}); {p}->key = {key}; J();"), p)
        };
        let at = if s.chance(50) { format!("&{head}") } else { format!("{head}.prev") };
        let push = Sketch::surely_locked(&lock, &format!("{add}(&({address})->link, {at});"));
        s.work(worker, format!("{{ {declaration} {push} }}"));
        if s.chance(40) {
            let got = s.got(4);
            let end = s.pick(&["next", "prev"]);
            let first = of(&format!("{head}.{end}"));
            let pop =
                format!("if ({head}.{end} != &{head}) {{ {got} = {first}->key; {cut}(&{first}->link); }}");
            let statement = Sketch::surely_locked(&lock, &pop);
            s.work(worker, statement);
        }
    }
    let (order, each) = (s.local("order"), s.local("each"));
    let key = of(&each);
    s.ending(format!("unsigned {order} = 0;"));
    s.ending(format!(
        "for (struct {link} *{each} = {head}.next; {each} != &{head}; {each} = {each}->next) {order} = {order} * 4 + {key}->key;"
    ));
    s.observe(&order, 256);
}

/// Pointers that lead here or there, and what is written through them.
pub(super) fn pointers(s: &mut Sketch) {
    let (a, p, lock) = (s.name("a"), s.name("p"), s.lock());
    s.global(format!("static int {a}[4] = {{ 1, 2, 3, 4 }};"));
    s.global(format!("static int *{p} = {a} + 1;"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let (number, step) = (s.below(4), 1 + s.below(3));
            let statement = match s.below(9) {
                0 => format!("{p} = &{a}[{number}];"),
                1 => format!("*{p} += {step};"),
                2 => format!("{p} = {p} == {a} + 4 - 1 ? {a} : {p} + 1;"),
                3 => format!("int *end = {a} + 4; end[-{step}] = (int)({p} - {a});"),
                4 => format!("for (int *q = {a}; q != {a} + 4; ++q) *q ^= (q == {p});"),
                5 => format!("uintptr_t n = (uintptr_t){p}; n |= 1; *(int *)(n & ~(uintptr_t)3) = {step};"),
                6 => {
                    let (x, y) = (format!("(uintptr_t)&{a}[{number}]"), format!("(uintptr_t){p}"));
                    format!("uintptr_t both = {x} ^ {y}; *(int *)(both ^ {y}) = 5 + {step};")
                }
                7 => format!("int **pp = &{p}; **pp = {step}; *pp = {a} + {number};"),
                _ => format!("if ({p} - {a} > {number}) {p} -= {number}; else *{p} = {number};"),
            };
            let statement = Sketch::surely_locked(&lock, &statement);
            s.work(worker, statement);
        }
    }
    s.observe(&format!("{p} - {a}"), 4);
    for number in 0..4 {
        s.observe(&format!("{a}[{number}]"), 9);
    }
}

/// Blocks of the heap that go from hand to hand.
pub(super) fn heap(s: &mut Sketch) {
    let p = s.name("p");
    let (giver, taker) = s.two();
    let (value, got, own) = (1 + s.below(5), s.got(8), s.local("own"));
    let make = match s.below(4) {
        0 => format!("int *{own} = calloc(2, sizeof(int)); {own}[1] = {value};"),
        1 => format!(
            "int *{own} = malloc(sizeof(int)); *{own} = 1; {own} = realloc({own}, 2 * sizeof(int)); {own}[1] = {value} - *{own} + 1;"
        ),
        2 => format!("int *{own} = malloc(2 * sizeof *{own}); {own}[0] = 3; {own}[1] = {value};"),
        _ => format!("int *{own} = aligned_alloc(16, 16); memset({own}, 0, 16); {own}[1] = {value};"),
    };
    let took = s.local("took");
    if s.chance(50) {
        s.global(format!("static int *_Atomic {p};"));
        let (put, take) = (s.pick(&["memory_order_release", "memory_order_seq_cst"]), s.local("waits"));
        s.work(giver, format!("{{ {make} J(); atomic_store_explicit(&{p}, {own}, {put}); }}"));
        s.weak |= put == "memory_order_release";
        let seen = match s.below(3) {
            0 => format!("int *{took} = atomic_exchange(&{p}, 0);"),
            1 => format!(
                "int *{took} = atomic_load_explicit(&{p}, memory_order_acquire); if ({took}) {p} = 0;"
            ),
            _ => format!(
                "int *{took} = 0; for (int {take} = 0; {take} < 2 && !({took} = atomic_exchange(&{p}, 0)); {take}++) J();"
            ),
        };
        s.work(
            taker,
            format!("{{ {seen} if ({took}) {{ {got} = {took}[1]; {took}[1] = 9; J(); free({took}); }} }}"),
        );
    } else {
        let lock: Lock = s.lock();
        s.global(format!("static int *{p};"));
        let put = Sketch::surely_locked(&lock, &format!("{p} = {own};"));
        s.work(giver, format!("{{ {make} {put} }}"));
        let take = Sketch::surely_locked(&lock, &format!("{took} = {p}; {p} = 0;"));
        s.work(
            taker,
            format!("{{ int *{took}; {take} if ({took}) {{ {got} = {took}[1]; free({took}); }} }}"),
        );
    }
    s.ending(format!("if ({p}) {{ {got} = 6 + ({p}[1] == {value}); free({p}); {p} = 0; }}"));
}

/// Tables of functions.
pub(super) fn functions(s: &mut Sketch) {
    let (x, table, lock) = (s.name("x"), s.name("table"), s.lock());
    s.global(format!("static int {x} = 1;"));
    let mut names = Vec::new();
    for step in ["x + 1", "x * 2", "x ^ 5"] {
        let name = s.name("step");
        s.function(format!("static int {name}(int x)\n{{\n    return {step};\n}}"));
        names.push(name);
    }
    s.function(format!("static int (*{table}[3])(int) = {{ {} }};", names.join(", ")));
    for worker in s.some_workers() {
        let (first, second) = (s.below(3), s.below(3));
        let statement = match s.below(3) {
            0 => format!("{x} = {table}[{first}]({x});"),
            1 => format!(
                "int (*old)(int) = {table}[{first}]; {table}[{first}] = {table}[{second}]; {table}[{second}] = old;"
            ),
            _ => format!("{x} = {table}[({x} + {first}) % 3]({x}) & 15;"),
        };
        let statement = Sketch::surely_locked(&lock, &statement);
        s.work(worker, statement);
    }
    s.observe(&x, 17);
    for (number, name) in names.iter().enumerate() {
        s.observe(&format!("({table}[0] == {name} ? {number} : {table}[1] == {name} ? 3 : 4)"), 5);
    }
}
