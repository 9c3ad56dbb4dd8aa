//! Memory orders that are values, and loads whose value is known between accesses whose order shows.

use super::super::sketch::Sketch;

const LOADS: [&str; 3] = ["memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst"];
const STORES: [&str; 3] = ["memory_order_relaxed", "memory_order_release", "memory_order_seq_cst"];

/// Atomics behind functions that get the memory order.
pub(super) fn wrappers(s: &mut Sketch) {
    let (take, give, add, x, y) = (s.name("take"), s.name("give"), s.name("add"), s.name("x"), s.name("y"));
    let same = s.chance(40);
    s.weak |= !same;
    s.global(format!("static atomic_int {x}, {y};"));
    let inline = s.pick(&["static", "static inline", "static __attribute__((noinline))"]);
    let (load, store) = s.pick(&[
        ("return atomic_load_explicit(p, order);", "atomic_store_explicit(p, value, order);"),
        ("return __atomic_load_n(p, order);", "__atomic_store_n(p, value, order);"),
        (
            "switch (order) { case memory_order_relaxed: return atomic_load_explicit(p, memory_order_relaxed); default: return *p; }",
            "if (order == memory_order_seq_cst) *p = value; else atomic_store_explicit(p, value, memory_order_release);",
        ),
    ]);
    s.function(format!("{inline} int {take}(atomic_int *p, memory_order order)\n{{\n    {load}\n}}"));
    s.function(format!(
        "{inline} void {give}(atomic_int *p, int value, memory_order order)\n{{\n    {store}\n}}"
    ));
    s.function(format!(
        "{inline} int {add}(atomic_int *p, int step, int order)\n{{\n    return __atomic_fetch_add((int *)p, step, order);\n}}"
    ));
    let order = s.name("order");
    let kept =
        if same { "memory_order_seq_cst" } else { s.pick(&["memory_order_relaxed", "memory_order_seq_cst"]) };
    s.global(format!("static memory_order {order} = {kept};"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let (got, step, at) = (s.got(7), 1 + s.below(2), s.pick(&[x.clone(), y.clone()]));
            let one = |s: &mut Sketch, orders: &[&'static str]| {
                if s.chance(35) {
                    order.clone()
                } else if same {
                    "memory_order_seq_cst".to_owned()
                } else {
                    s.pick(orders).to_owned()
                }
            };
            let statement = match s.below(3) {
                0 => format!("{got} = {take}(&{at}, {});", one(s, &LOADS)),
                1 => format!("{give}(&{at}, {step}, {});", one(s, &STORES)),
                _ => format!("{got} = {add}(&{at}, {step}, {});", one(s, &STORES)),
            };
            s.work(worker, statement);
        }
    }
    s.observe(&x, 7);
    s.observe(&y, 7);
}

/// What a thread does between two accesses whose order shows: loads whose value is known, of constants and of its own stores.
pub(super) fn known(s: &mut Sketch) {
    let (x, y, never, table) = (s.name("x"), s.name("y"), s.name("never"), s.name("table"));
    let volatile = s.chance(50);
    s.weak = true;
    s.races |= volatile;
    let ty = if volatile { "volatile int" } else { "atomic_int" };
    let constant = s.pick(&["volatile int", "const volatile int", "atomic_int", "const int"]);
    s.global(format!("static {ty} {x}, {y};\nstatic {constant} {never} = 1;"));
    s.global(format!("static const volatile int {table}[2] = {{ 0, 1 }};"));
    let (first, second) = s.two();
    for (worker, own, other) in [(first, &x, &y), (second, &y, &x)] {
        let (got, seen) = (s.got(3), s.got(3));
        let (store, load, mine) = if volatile {
            (format!("{own} = 1;"), format!("{got} = {other};"), own.clone())
        } else {
            let relaxed = "memory_order_relaxed";
            (
                format!("atomic_store_explicit(&{own}, 1, {relaxed});"),
                format!("{got} = atomic_load_explicit(&{other}, {relaxed});"),
                format!("atomic_load_explicit(&{own}, {relaxed})"),
            )
        };
        let between = match s.below(7) {
            0 => String::new(),
            1 => format!("{seen} = {never};"),
            2 => format!("{seen} = {table}[{never} & 1];"),
            3 | 4 => format!("{seen} = {mine};"),
            5 => format!("if ({mine} != 1) {seen} = 2;"),
            _ => format!("for (int i = 0; i < {never}; i++) {seen} += {table}[i] + {mine};"),
        };
        s.work(worker, format!("{store} {between} {load}"));
    }
    s.observe(&x, 3);
}
