//! Objects of blocks, calls and threads that another thread uses while they live, and ways to leave their blocks.

use super::super::sketch::Sketch;

/// One lends, the other uses, and both say when.
pub(super) fn lent(s: &mut Sketch) {
    let (p, ready, done, got) = (s.name("p"), s.name("ready"), s.name("done"), s.got(31));
    let (lender, borrower) = s.two();
    let (value, step) = (1 + s.below(4), 1 + s.below(4));
    s.global(format!("static int *{p};\nstatic sem_t {ready}, {done};"));
    s.setup(format!("sem_init(&{ready}, 0, 0); sem_init(&{done}, 0, 0);"));
    let lend = |object: &str| format!("{p} = {object}; sem_post(&{ready}); J(); sem_wait(&{done});");
    let mut times = 1;
    let statement = match s.below(8) {
        0 => format!("{{ int own = {value}; {} {got} = own; }}", lend("&own")),
        1 => format!(
            "{{ int n = {value}; int own[n]; own[n - 1] = n; {} {got} = own[n - 1]; }}",
            lend("&own[n - 1]")
        ),
        2 => format!(
            "{{ int *own = alloca(2 * sizeof(int)); own[1] = {value}; {} {got} = own[1]; }}",
            lend("&own[1]")
        ),
        3 => format!("{{ int *own = &(int){{ {value} }}; {} {got} = *own; }}", lend("own")),
        4 => {
            let call = s.name("call");
            let play = lend("&own");
            s.function(format!("static int {call}(int own)\n{{\n    {play}\n    return own;\n}}"));
            format!("{got} = {call}({value});")
        }
        5 => {
            times = 2;
            let play = lend("&own");
            format!(
                "for (int i = 0; i < 2; i++) {{ int own = {value} + i; {play} {got} += own; if (own > 100) break; }}"
            )
        }
        6 => {
            times = 2;
            let down = s.name("down");
            let play = lend("&own");
            s.function(format!(
                "static int {down}(int depth)\n{{\n    int own = depth;\n    int below = depth ? {down}(depth - 1) : 0;\n    {play}\n    \
                 return own + below;\n}}"
            ));
            format!("{got} = {down}(1);")
        }
        _ => format!(
            "{{ struct {{ char c; int n[2]; }} own = {{ 1, {{ 2, {value} }} }}, copy; {} copy = own; {got} = copy.n[1] + copy.c; }}",
            lend("&own.n[1]")
        ),
    };
    s.work(lender, statement);
    for _ in 0..times {
        s.work(borrower, format!("sem_wait(&{ready}); *{p} += {step}; J(); sem_post(&{done});"));
    }
}

/// Blocks that are left by jumps of all kinds, with objects that begin anew each time.
pub(super) fn left(s: &mut Sketch) {
    let x = s.name("x");
    s.global(format!("static atomic_int {x};"));
    for worker in s.some_workers() {
        let (got, number) = (s.got(16), 1 + s.below(3));
        let (env, label) = (s.local("env"), s.local("out"));
        let statement = match s.below(5) {
            0 => format!(
                "{{ jmp_buf {env}; volatile int tries = 0; if (setjmp({env}) == 0) {{ tries = 1; if ({x}++ < {number}) longjmp({env}, 2); }} \
                 else tries += 4; {got} = tries; }}"
            ),
            1 => format!(
                "{{ jmp_buf {env}; volatile int tries = 0; switch (setjmp({env})) {{ case 0: {x} += 1; break; case 1: {x} += 2; }} \
                 if (tries++ < 1) longjmp({env}, 1); {got} = tries; }}"
            ),
            2 => format!(
                "{{ int i = 0; for (;;) {{ int own = i; int *p = &own; *p += {number}; if ({x}++ >= 2) {{ {got} = own; goto {label}; }} i += *p; \
                 if (i > 5) break; }} {got} += i; {label}: ; }}"
            ),
            3 => format!(
                "switch ({x}++ & 3) {{ int own; case 0: own = 3; {got} = own; break; case 1: own = {number}; {x} += own; default: own = 5; \
                 {got} = own; }}"
            ),
            _ => format!(
                "{got} = ({{ int own = {x}; J(); {x} = own + {number}; int *p = &own; *p * 2; }}) + (int[]){{ 1, 2 }}[{x} & 1];"
            ),
        };
        s.work(worker, statement);
    }
    s.observe(&x, 16);
}

/// Handles of threads that are kept, copied and compared while their threads live.
pub(super) fn handles(s: &mut Sketch) {
    let (who, meet) = (s.name("who"), s.name("meet"));
    let workers = s.some_workers();
    let count = workers.len();
    s.global(format!("static pthread_t {who}[{count}];\nstatic pthread_barrier_t {meet};"));
    s.setup(format!("pthread_barrier_init(&{meet}, 0, {count});"));
    for (number, &worker) in workers.iter().enumerate() {
        let (got, other) = (s.got(8), (number + 1) % count);
        let copy = s.pick(&[
            "pthread_t copy = WHO[N];",
            "pthread_t copy; memcpy(&copy, &WHO[N], sizeof copy);",
            "struct { char c; pthread_t of; } one = { 1, WHO[N] }, two; two = one; pthread_t copy = two.of;",
            "pthread_t all[2] = { WHO[N], WHO[N] }, copy = all[1];",
        ]);
        let copy = copy.replace("WHO", &who).replace('N', &other.to_string());
        s.work(
            worker,
            format!(
                "{{ {who}[{number}] = pthread_self(); J(); pthread_barrier_wait(&{meet}); {copy} \
                 {got} = !!pthread_equal(copy, {who}[{other}]) * 4 + !!pthread_equal(copy, pthread_self()) * 2 + \
                 !!pthread_equal({who}[{number}], pthread_self()); J(); pthread_barrier_wait(&{meet}); }}"
            ),
        );
    }
}
