//! Variables that several workers change: under locks, without, beside each other.

use super::super::sketch::Sketch;

const INTEGERS: [&str; 8] =
    ["int", "unsigned", "signed char", "unsigned char", "short", "unsigned short", "long", "long long"];

/// One variable, changed in ways whose order shows.
pub(super) fn counter(s: &mut Sketch) {
    let (x, ty, lock) = (s.name("x"), s.pick(&INTEGERS), s.lock());
    let (volatile, first) = (s.volatile(), s.below(3));
    s.global(format!("static {volatile}{ty} {x} = {first};"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let update = update(s, &x, ty);
            let statement = s.locked(&lock, &update);
            s.work(worker, statement);
        }
    }
    if s.chance(30) {
        let (worker, got) = (s.two().0, s.got(5));
        let statement = s.locked(&lock, &format!("{got} = (int){x};"));
        s.work(worker, statement);
    }
    s.observe(&x, 13);
}

/// Statements that change a variable.
fn update(s: &mut Sketch, x: &str, ty: &str) -> String {
    let step = 1 + s.below(3);
    match s.below(6) {
        0 => format!("{x}++;"),
        1 => format!("{x} += {step};"),
        2 => format!("{x} = ({ty})({x} * 2 + {step});"),
        3 => {
            let seen = s.local("seen");
            format!("{ty} {seen} = {x}; J(); {x} = ({ty})({seen} + {step});")
        }
        4 => format!("if ({x} > {step}) {x} -= {step}; else {x} += {step};"),
        _ => format!("{x} = ({ty})({x} ^ {});", step + 4),
    }
}

/// One variable, changed without any lock.
pub(super) fn race(s: &mut Sketch) {
    let (x, ty) = (s.name("x"), s.pick(&INTEGERS));
    s.races = true;
    s.global(format!("static volatile {ty} {x};"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let update = update(s, &x, ty);
            s.work(worker, format!("{{ {update} }}"));
        }
    }
    s.observe(&x, 13);
}

/// Variables beside each other: to change one must not touch the other.
pub(super) fn neighbours(s: &mut Sketch) {
    let (x, workers) = (s.name("x"), s.some_workers());
    let ty = s.pick(&["char", "short", "unsigned char", "_Bool", "int"]);
    if s.chance(50) {
        s.global(format!("static {ty} {x}[4];"));
        for (number, worker) in workers.into_iter().enumerate() {
            let (seen, value) = (s.local("seen"), 1 + s.below(2));
            let member = format!("{x}[{number}]");
            s.work(
                worker,
                format!("{{ {ty} {seen} = {member}; J(); {member} = ({ty})({seen} + {value}); }}"),
            );
            s.observe(&member, 4);
        }
        return;
    }
    let members = ["a", "b", "c"];
    s.global(format!("static struct {{ {ty} a; char b; short c; }} {x};"));
    for (member, worker) in members.into_iter().zip(workers) {
        let member = format!("{x}.{member}");
        for _ in 0..2 {
            s.work(worker, format!("{member}++;"));
        }
        s.observe(&member, 4);
    }
}

/// Bit-fields of one storage unit, changed side by side; those behind `: 0` are apart.
pub(super) fn bit_fields(s: &mut Sketch) {
    let (x, workers) = (s.name("x"), s.some_workers());
    let lock = s.lock();
    let racy = s.chance(50);
    s.races |= racy;
    let volatile = if racy { "volatile " } else { s.volatile() };
    s.global(format!(
        "static {volatile}struct {{ unsigned a : 3; int b : 5; unsigned char c : 4; int : 0; unsigned d : 6; }} {x};"
    ));
    let members = ["a", "b", "c"];
    for (member, worker) in members.into_iter().zip(workers.clone()) {
        let value = 1 + s.below(3);
        let update =
            if s.chance(50) { format!("{x}.{member} = {value};") } else { format!("{x}.{member}++;") };
        let statement = if racy { update } else { s.locked(&lock, &update) };
        s.work(worker, statement);
        s.observe(&format!("{x}.{member}"), 5);
    }
    s.work(workers[0], format!("{x}.d += 2;"));
    s.observe(&format!("{x}.d"), 5);
}

/// Floating-point numbers under a lock.
pub(super) fn floats(s: &mut Sketch) {
    let (x, ty, lock) = (s.name("x"), s.pick(&["double", "float", "long double"]), s.lock());
    s.global(format!("static {ty} {x} = 1.5;"));
    for worker in s.some_workers() {
        let update = match s.below(5) {
            0 => format!("{x} = {x} * 2.25 + 1;"),
            1 => format!("{x} += 0.75;"),
            2 => format!("{x} = {x} / 2;"),
            3 => format!("{x} = (int){x} + 0.5f;"),
            _ => format!("{x} = {x} > 2 ? 1 : {x} + 3;"),
        };
        let statement = Sketch::surely_locked(&lock, &update);
        s.work(worker, statement);
    }
    s.observe(&format!("(int)({x} * 16)"), 101);
}
