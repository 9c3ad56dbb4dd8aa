//! Atomic objects, memory orders, fences, and what is built on them.

use super::super::sketch::Sketch;

const LOADS: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
const STORES: [&str; 3] = ["relaxed", "release", "seq_cst"];
const UPDATES: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
/// The failure orders of a compare-exchange.
const FAILURES: [&str; 3] = ["relaxed", "acquire", "seq_cst"];

/// An order of C11: any of these, or the strongest alone.
fn order(s: &mut Sketch, orders: &[&'static str]) -> String {
    let order = if s.weak { s.pick(orders) } else { "seq_cst" };
    format!("memory_order_{order}")
}

fn gcc_order(s: &mut Sketch, orders: &[&'static str]) -> String {
    let order = if s.weak { s.pick(orders) } else { "seq_cst" };
    format!("__ATOMIC_{}", order.to_uppercase())
}

/// One atomic variable and all that can be done to it.
pub(super) fn operations(s: &mut Sketch) {
    s.weak |= s.chance(50);
    let x = s.name("x");
    let ty = s.pick(&["int", "unsigned char", "short", "long", "unsigned long long", "unsigned"]);
    let style = s.below(3);
    s.global(match style {
        0 => format!("static _Atomic {ty} {x} = 1;"),
        _ => format!("static {ty} {x} = 1;"),
    });
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let got = s.got(7);
            let statement = match style {
                0 => c11(s, &x, ty, &got),
                1 => gcc(s, &x, ty, &got),
                _ => sync(s, &x, &got),
            };
            s.work(worker, statement);
        }
    }
    s.observe(&x, 13);
}

fn c11(s: &mut Sketch, x: &str, ty: &str, got: &str) -> String {
    let step = 1 + s.below(3);
    let operation = s.pick(&["add", "sub", "or", "xor", "and"]);
    match s.below(10) {
        0 => format!("{got} = (int)atomic_load_explicit(&{x}, {});", order(s, &LOADS)),
        1 => format!("atomic_store_explicit(&{x}, {step}, {});", order(s, &STORES)),
        2 => format!("{got} = (int)atomic_exchange_explicit(&{x}, {step}, {});", order(s, &UPDATES)),
        3 => format!("{got} = (int)atomic_fetch_{operation}_explicit(&{x}, {step}, {});", order(s, &UPDATES)),
        4 => format!("{got} = (int)({x} += {step});"),
        5 => format!("{got} = (int){x}++;"),
        6 | 7 => {
            let (old, strength) = (s.local("old"), s.pick(&["strong", "weak"]));
            let (success, failure) = (order(s, &UPDATES), order(s, &FAILURES));
            format!(
                "{{ {ty} {old} = {step}; {got} = atomic_compare_exchange_{strength}_explicit(&{x}, &{old}, 5, {success}, \
                 {failure}) ? 6 : (int){old}; }}"
            )
        }
        8 => {
            let old = s.local("old");
            format!(
                "{{ {ty} {old} = atomic_load(&{x}); while (!atomic_compare_exchange_weak(&{x}, &{old}, ({ty})({old} * 2 + 1))) J(); \
                 {got} = (int){old}; }}"
            )
        }
        _ => format!("{x} = ({ty})({x} * 2);"),
    }
}

fn gcc(s: &mut Sketch, x: &str, ty: &str, got: &str) -> String {
    let step = 1 + s.below(3);
    let operation = s.pick(&["add", "sub", "or", "xor", "and", "nand"]);
    match s.below(7) {
        0 => format!("{got} = (int)__atomic_load_n(&{x}, {});", gcc_order(s, &LOADS)),
        1 => format!("__atomic_store_n(&{x}, {step}, {});", gcc_order(s, &STORES)),
        2 => format!("{got} = (int)__atomic_exchange_n(&{x}, {step}, {});", gcc_order(s, &UPDATES)),
        3 => format!("{got} = (int)__atomic_fetch_{operation}(&{x}, {step}, {});", gcc_order(s, &UPDATES)),
        4 => format!("{got} = (int)__atomic_{operation}_fetch(&{x}, {step}, {});", gcc_order(s, &UPDATES)),
        5 => {
            let (a, b) = (s.local("a"), s.local("b"));
            format!(
                "{{ {ty} {a} = {step}, {b}; __atomic_exchange(&{x}, &{a}, &{b}, {}); {got} = (int){b}; }}",
                gcc_order(s, &UPDATES)
            )
        }
        _ => {
            let (old, weak) = (s.local("old"), s.below(2));
            let (success, failure) = (gcc_order(s, &UPDATES), gcc_order(s, &FAILURES));
            format!(
                "{{ {ty} {old} = 1; {got} = __atomic_compare_exchange_n(&{x}, &{old}, {step}, {weak}, {success}, {failure}) \
                 ? 6 : (int){old}; }}"
            )
        }
    }
}

fn sync(s: &mut Sketch, x: &str, got: &str) -> String {
    let step = 1 + s.below(3);
    let operation = s.pick(&["add", "sub", "or", "xor", "and", "nand"]);
    match s.below(4) {
        0 => format!("{got} = (int)__sync_fetch_and_{operation}(&{x}, {step});"),
        1 => format!("{got} = (int)__sync_{operation}_and_fetch(&{x}, {step});"),
        2 => format!("{got} = (int)__sync_val_compare_and_swap(&{x}, 1, {step});"),
        _ => format!("{got} = __sync_bool_compare_and_swap(&{x}, {step}, 4);"),
    }
}

/// Atomic objects that are no plain integers: pointers, truth values, structures, flags.
pub(super) fn shapes(s: &mut Sketch) {
    let x = s.name("x");
    let workers = s.some_workers();
    match s.below(4) {
        0 => {
            let a = s.name("a");
            s.global(format!("static int {a}[8];\nstatic int *_Atomic {x} = {a};"));
            for worker in workers {
                let (got, step) = (s.got(8), 1 + s.below(2));
                let statement = match s.below(4) {
                    0 => format!("{got} = (int)(atomic_fetch_add(&{x}, {step}) - {a});"),
                    1 => format!("{got} = (int)(({x} += {step}) - {a});"),
                    2 => format!("{got} = (int)({x}++ - {a});"),
                    _ => format!(
                        "{{ int *old = {a}; {got} = atomic_compare_exchange_strong(&{x}, &old, {a} + 4) ? 7 : (int)(old - {a}); }}"
                    ),
                };
                s.work(worker, statement);
            }
            s.observe(&format!("{x} - {a}"), 9);
        }
        1 => {
            s.global(format!("static atomic_bool {x};"));
            for worker in workers {
                let got = s.got(2);
                let statement = s.pick(&[
                    format!("{got} = atomic_exchange(&{x}, 3);"),
                    format!("{got} = atomic_load(&{x});"),
                    format!("{x} = 2; {got} = {x};"),
                    format!("{got} = !atomic_exchange(&{x}, {got} + 1);"),
                ]);
                s.work(worker, statement);
            }
            s.observe(&x, 3);
        }
        2 => {
            s.global(format!("struct {x}_t {{ int a, b; }};\nstatic _Atomic struct {x}_t {x};"));
            for worker in workers {
                let (got, step, own) = (s.got(16), 1 + s.below(3), s.local("own"));
                let statement = match s.below(3) {
                    0 => {
                        format!("{{ struct {x}_t {own} = {{ {step}, {step} }}; atomic_store(&{x}, {own}); }}")
                    }
                    1 => format!(
                        "{{ struct {x}_t {own} = atomic_load(&{x}); {got} = {own}.a * 4 + {own}.b; }}"
                    ),
                    _ => format!(
                        "{{ struct {x}_t {own} = {{ {step}, 0 }}; {own} = atomic_exchange(&{x}, {own}); {got} = {own}.a * 4 + {own}.b; }}"
                    ),
                };
                s.work(worker, statement);
            }
            let own = s.local("own");
            s.ending(format!("struct {x}_t {own} = atomic_load(&{x});"));
            s.observe(&format!("{own}.a * 4 + {own}.b"), 16);
        }
        _ => {
            s.global(format!("static atomic_flag {x} = ATOMIC_FLAG_INIT;"));
            for worker in workers {
                let got = s.got(2);
                let clear =
                    if s.chance(50) { format!(" J(); atomic_flag_clear(&{x});") } else { String::new() };
                s.work(worker, format!("{got} = atomic_flag_test_and_set(&{x});{clear}"));
            }
        }
    }
}

/// Where a litmus test keeps its values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Volatile,
    Relaxed,
    Mixed,
    Strong,
}

fn store(s: &mut Sketch, cell: Cell, x: &str, value: usize) -> String {
    match cell {
        Cell::Volatile => format!("{x} = {value};"),
        Cell::Relaxed => format!("atomic_store_explicit(&{x}, {value}, memory_order_relaxed);"),
        Cell::Mixed => format!("atomic_store_explicit(&{x}, {value}, memory_order_{});", s.pick(&STORES)),
        Cell::Strong => format!("atomic_store(&{x}, {value});"),
    }
}

fn load(s: &mut Sketch, cell: Cell, x: &str, got: &str) -> String {
    match cell {
        Cell::Volatile => format!("{got} = {x};"),
        Cell::Relaxed => format!("{got} = atomic_load_explicit(&{x}, memory_order_relaxed);"),
        Cell::Mixed => format!("{got} = atomic_load_explicit(&{x}, memory_order_{});", s.pick(&LOADS)),
        Cell::Strong => format!("{got} = atomic_load(&{x});"),
    }
}

/// Two or three threads, two variables: which orders of accesses show?
pub(super) fn litmus(s: &mut Sketch) {
    let cell = s.pick(&[Cell::Volatile, Cell::Relaxed, Cell::Mixed, Cell::Strong]);
    let (x, y) = (s.name("x"), s.name("y"));
    s.weak |= cell != Cell::Strong;
    s.races |= cell == Cell::Volatile;
    let ty = if cell == Cell::Volatile { "volatile int" } else { "atomic_int" };
    s.global(format!("static {ty} {x}, {y};"));
    let fence = s.pick(&["", "", "atomic_thread_fence(memory_order_seq_cst);", "__sync_synchronize();"]);
    s.unsanitized |= !fence.is_empty();
    let (first, second) = s.two();
    let pairs = match s.below(6) {
        // Store buffering, message passing, load buffering, 2+2W, R, S.
        0 => [(first, 'w', &x, 'r', &y), (second, 'w', &y, 'r', &x)],
        1 => [(first, 'w', &x, 'w', &y), (second, 'r', &y, 'r', &x)],
        2 => [(first, 'r', &x, 'w', &y), (second, 'r', &y, 'w', &x)],
        3 => [(first, 'w', &x, 'w', &y), (second, 'w', &y, 'w', &x)],
        4 => [(first, 'w', &x, 'w', &y), (second, 'w', &y, 'r', &x)],
        _ => [(first, 'w', &x, 'w', &y), (second, 'r', &y, 'w', &x)],
    };
    for (number, (worker, one, a, two, b)) in pairs.into_iter().enumerate() {
        let access = |s: &mut Sketch, kind: char, x: &str| {
            if kind == 'w' {
                store(s, cell, x, number + 1)
            } else {
                let got = s.got(3);
                load(s, cell, x, &got)
            }
        };
        // No delay in between, so that the processor may reorder them.
        let (one, two) = (access(s, one, a), access(s, two, b));
        s.work(worker, format!("{one} {fence} {two}"));
    }
    if s.workers() > 2 {
        let third = (0..s.workers()).find(|worker| *worker != first && *worker != second).unwrap_or(0);
        for place in [&y, &x] {
            let got = s.got(3);
            let statement = load(s, cell, place, &got);
            s.work(third, statement);
        }
    }
    s.observe(&x, 3);
    s.observe(&y, 3);
}

/// Data that is passed by a flag, in the orders that suffice.
pub(super) fn passing(s: &mut Sketch) {
    let (data, flag, got) = (s.name("data"), s.name("flag"), s.got(4));
    let (giver, taker) = s.two();
    let (value, fenced) = (1 + s.below(3), s.chance(30));
    s.weak = true;
    s.unsanitized |= fenced;
    s.global(format!("static int {data};\nstatic atomic_int {flag};"));
    let give = if fenced {
        format!(
            "atomic_thread_fence(memory_order_release); atomic_store_explicit(&{flag}, 1, memory_order_relaxed);"
        )
    } else {
        s.pick(&[
            format!("atomic_store_explicit(&{flag}, 1, memory_order_release);"),
            format!("atomic_fetch_add_explicit(&{flag}, 1, memory_order_acq_rel);"),
            format!("{flag} = 1;"),
        ])
    };
    let look = if fenced {
        format!("atomic_load_explicit(&{flag}, memory_order_relaxed)")
    } else {
        format!("atomic_load_explicit(&{flag}, memory_order_acquire)")
    };
    let fence = if fenced { "atomic_thread_fence(memory_order_acquire);" } else { "" };
    s.work(giver, format!("{data} = {value}; J(); {give}"));
    if s.chance(50) {
        s.work(taker, format!("while (!{look}) RELAX(); {fence} {got} = {data};"));
    } else {
        s.work(taker, format!("if ({look}) {{ {fence} {got} = {data}; }}"));
    }
}

/// A stack without locks.
pub(super) fn stack(s: &mut Sketch) {
    let (node, top) = (s.name("node"), s.name("top"));
    s.global(format!(
        "struct {node} {{ int key; struct {node} *next; }};\nstatic struct {node} *_Atomic {top};"
    ));
    for (number, worker) in s.some_workers().into_iter().enumerate() {
        let one = s.name("one");
        s.global(format!("static struct {node} {one} = {{ {} }};", number + 1));
        let (old, strength) = (s.local("old"), s.pick(&["strong", "weak"]));
        s.work(
            worker,
            format!(
                "{{ struct {node} *{old} = atomic_load(&{top}); do {{ {one}.next = {old}; J(); }} \
                 while (!atomic_compare_exchange_{strength}(&{top}, &{old}, &{one})); }}"
            ),
        );
        if s.chance(40) {
            let (got, old) = (s.got(4), s.local("old"));
            // Each node is pushed once, so nothing comes back under the same address.
            s.work(
                worker,
                format!(
                    "{{ struct {node} *{old} = atomic_load(&{top}); while ({old} && !atomic_compare_exchange_strong(&{top}, &{old}, \
                     {old}->next)) J(); {got} = {old} ? {old}->key : 0; }}"
                ),
            );
        }
    }
    let (order, each) = (s.local("order"), s.local("each"));
    s.ending(format!("unsigned {order} = 0;"));
    s.ending(format!(
        "for (struct {node} *{each} = {top}; {each}; {each} = {each}->next) {order} = {order} * 4 + (unsigned){each}->key;"
    ));
    s.observe(&order, 64);
}

/// Mutual exclusion of two by atomic variables.
pub(super) fn exclusion(s: &mut Sketch) {
    let (wants, turn, x) = (s.name("wants"), s.name("turn"), s.name("x"));
    s.global(format!("static atomic_int {wants}[2], {turn};\nstatic int {x} = 1;"));
    let (first, second) = s.two();
    for (worker, me, other) in [(first, 0, 1), (second, 1, 0)] {
        let step = 1 + s.below(3);
        s.work(
            worker,
            format!(
                "{wants}[{me}] = 1; J(); {turn} = {other}; while ({wants}[{other}] && {turn} == {other}) RELAX(); \
                 {x} = {x} * 2 + {step}; J(); {wants}[{me}] = 0;"
            ),
        );
    }
    s.observe(&x, 17);
}
