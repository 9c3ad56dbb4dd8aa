//! Memory as bytes: pointers in pieces, unions, elements around their members, blocks whose addresses come again, torn copies.

use super::super::sketch::Sketch;

/// Pointers that are copied or rebuilt piece by piece.
pub(super) fn pieces(s: &mut Sketch) {
    let (a, p, lock) = (s.name("a"), s.name("p"), s.lock());
    s.global(format!("static int {a}[3] = {{ 1, 2, 3 }};\nstatic int *{p} = {a};"));
    for worker in s.some_workers() {
        let step = 1 + s.below(3);
        let copy = match s.below(8) {
            0 => {
                "for (unsigned i = 0; i < sizeof q; i++) ((unsigned char *)&q)[i] = ((unsigned char *)&own)[i];"
            }
            1 => {
                "memcpy(&q, &own, sizeof q / 2); memcpy((char *)&q + sizeof q / 2, (char *)&own + sizeof q / 2, sizeof q / 2);"
            }
            2 => {
                "union { int *p; unsigned char b[sizeof(int *)]; } u = { own }, v; for (unsigned i = sizeof u; i-- > 0;) v.b[i] = u.b[i]; \
                 q = v.p;"
            }
            3 => {
                "uintptr_t n = (uintptr_t)own, low = n & 0xffff, high = n >> 16; q = (int *)(high << 16 | low);"
            }
            4 => "uintptr_t n = (uintptr_t)own, m = 12; n ^= m; m ^= n; q = (int *)m;",
            5 => {
                "char b[sizeof q + 3]; memcpy(b + 3, &own, sizeof q); memmove(b + 1, b + 3, sizeof q); memcpy(&q, b + 1, sizeof q);"
            }
            6 => "struct { char c; int *p; } one = { 1, own }, two; two = one; q = two.p;",
            _ => "int **at = malloc(sizeof *at); *at = own; q = *at; free(at);",
        };
        let go = s.pick(&["q == END ? A : q + 1", "q == A ? END : q - 1", "q"]);
        let go = go.replace("END", &format!("{a} + 2")).replace('A', &a);
        let statement = format!("int *own = {p}, *q; {copy} *q += {step}; J(); {p} = {go};");
        let statement = Sketch::surely_locked(&lock, &statement);
        s.work(worker, statement);
    }
    s.observe(&format!("{p} - {a}"), 3);
    for number in 0..3 {
        s.observe(&format!("{a}[{number}]"), 11);
    }
}

/// Members that share their bytes.
pub(super) fn unions(s: &mut Sketch) {
    let (tag, u, lock) = (s.name("any"), s.name("u"), s.lock());
    s.global(format!(
        "union {tag} {{ unsigned whole; unsigned short half[2]; signed char byte[4]; struct {{ unsigned low : 12, high : 20; }} bits; \
         float number; struct {{ char first; short second; }} both; }};"
    ));
    s.global(format!("static union {tag} {u} = {{ 0x12345678 }};"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let (number, step) = (s.below(4), 1 + s.below(3));
            let statement = match s.below(9) {
                0 => format!("{u}.byte[{number}] += {step};"),
                1 => format!("{u}.half[{}] ^= {step};", number % 2),
                2 => format!("{u}.whole += 0x01010101u * {step};"),
                3 => format!("{u}.bits.low += {step};"),
                4 => format!("{u}.bits.high -= {step};"),
                5 => format!("{u}.number = {step}.5f; {u}.byte[0] |= 1;"),
                6 => format!("union {tag} copy = {u}; copy.both.second = {step}; J(); {u} = copy;"),
                7 => format!("memcpy(&{u}.byte[2], {u}.byte, 2); {u}.both.first = {step};"),
                _ => format!("union {tag} fresh = {{ .half = {{ {step}, {number} }} }}; {u} = fresh;"),
            };
            let statement = Sketch::surely_locked(&lock, &statement);
            s.work(worker, statement);
        }
    }
    s.observe(&format!("{u}.whole"), 10_007);
    s.observe(&format!("{u}.half[1]"), 1_009);
}

/// Elements that are found again from pointers to their members.
pub(super) fn containers(s: &mut Sketch) {
    let (tag, items, at, lock) = (s.name("item"), s.name("items"), s.name("at"), s.lock());
    let member = s.pick(&["a", "b.n", "c[1]", "d"]);
    s.global(format!(
        "struct {tag} {{ char key; short a; struct {{ char m; int n; }} b; long c[2]; char d; }};"
    ));
    s.global(format!("static struct {tag} {items}[3] = {{ {{ 1 }}, {{ 2 }}, {{ 3 }} }};"));
    s.global(format!("static void *{at} = &{items}[1].{member};"));
    let of = format!("((struct {tag} *)((char *){at} - offsetof(struct {tag}, {member})))");
    for worker in s.some_workers() {
        let (number, step) = (s.below(3), 1 + s.below(2));
        let statement = match s.below(6) {
            0 => format!("{of}->key += {step};"),
            1 => format!("{at} = &{items}[{number}].{member};"),
            2 => format!(
                "struct {tag} *p = {of}; {at} = p == {items} ? &p[2].{member} : &p[-1].{member}; p->d = {step};"
            ),
            3 => format!(
                "struct {tag} *p = {of}; struct {tag} old = *p; *p = {items}[{number}]; {items}[{number}] = old;"
            ),
            4 => format!("__typeof__({items}[0].{member}) *p = {at}; *p = {step}; {of}->key ^= 4;"),
            _ => format!("for (struct {tag} *p = {items} + 3; p-- != {items};) p->key += p == {of};"),
        };
        let statement = Sketch::surely_locked(&lock, &statement);
        s.work(worker, statement);
    }
    s.observe(&format!("{of} - {items}"), 3);
    for number in 0..3 {
        s.observe(&format!("{items}[{number}].key + 9 * (int){items}[{number}].{member}"), 97);
    }
}

/// Whether a new block lies where an old one did, or where another one lies.
pub(super) fn reuse(s: &mut Sketch) {
    let workers = s.some_workers();
    let at = s.name("at");
    s.global(format!("static _Atomic uintptr_t {at}[{}];", workers.len()));
    for (number, worker) in workers.iter().copied().enumerate() {
        let other = (number + 1) % workers.len();
        let (got, size, again) = (s.got(4), s.pick(&["4", "16", "24"]), s.pick(&["4", "16", "24", "400"]));
        let statement = match s.below(4) {
            0 => format!(
                "{{ int *old = malloc({size}); uintptr_t was = (uintptr_t)old; *old = 1; free(old); J(); int *new = malloc({again}); \
                 *new = 2; {got} = ((uintptr_t)new == was) + *new - 1; free(new); }}"
            ),
            1 => format!(
                "{{ int *own = malloc({size}); *own = 2; {at}[{number}] = (uintptr_t)own; J(); {got} = {at}[{other}] == (uintptr_t)own; \
                 {at}[{number}] = 0; J(); free(own); }}"
            ),
            2 => format!(
                "{{ int *own = malloc({size}); *own = 2; {at}[{number}] = (uintptr_t)own; J(); free(own); J(); \
                 own = malloc({again}); *own = 1; {got} = ({at}[{other}] == (uintptr_t)own) * 2 + ({at}[{number}] == (uintptr_t)own); \
                 free(own); }}"
            ),
            _ => format!(
                "{{ char *own = malloc(8); own[7] = 2; uintptr_t was = (uintptr_t)own; own = realloc(own, {again}00); J(); \
                 {got} = ((uintptr_t)own == was) + own[7]; free(own); }}"
            ),
        };
        s.work(worker, statement);
    }
}

/// A structure that is copied while another thread changes it: what lies between its members shows.
pub(super) fn torn(s: &mut Sketch) {
    let (tag, x) = (s.name("record"), s.name("x"));
    s.races = true;
    let members = s.pick(&[
        "int a; int b;",
        "short a; short b;",
        "char a; char b;",
        "long a; long b;",
        "char a; int b;",
    ]);
    s.global(format!("struct {tag} {{ {members} }};\nstatic volatile struct {tag} {x} = {{ 1, 1 }};"));
    let (writer, reader) = s.two();
    let statement = match s.below(3) {
        0 => format!("{{ struct {tag} own = {{ 2, 2 }}; {x} = own; }}"),
        1 => format!("{x} = (struct {tag}){{ 2, 2 }}; {x}.a = 3;"),
        _ => format!("{x}.b = 2; {x}.a = 2;"),
    };
    s.work(writer, statement);
    let got = s.got(16);
    let statement = match s.below(2) {
        0 => format!("{{ struct {tag} own = {x}; {got} = (int)own.a * 4 + (int)own.b; }}"),
        _ => format!("{{ {got} = (int){x}.a * 4; {got} += (int){x}.b; {x}.b = 3; }}"),
    };
    s.work(reader, statement);
    s.observe(&format!("{x}.a * 4 + {x}.b"), 16);
}
