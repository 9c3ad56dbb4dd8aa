//! What locks, semaphores, barriers, condition variables and once-functions return and guarantee.

use super::super::sketch::Sketch;

/// A time that has passed.
const PAST: &str = "&(struct timespec){ 1, 0 }";

fn mutex(s: &mut Sketch, kind: &str) -> String {
    let (name, kinds) = (s.name("m"), s.local("kinds"));
    match kind {
        "NORMAL" if s.chance(60) => {
            s.global(format!("static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        "RECURSIVE" | "ERRORCHECK" if s.chance(40) => {
            s.global(format!("static pthread_mutex_t {name} = PTHREAD_{kind}_MUTEX_INITIALIZER_NP;"));
        }
        _ => {
            s.global(format!("static pthread_mutex_t {name};"));
            s.setup(format!("pthread_mutexattr_t {kinds}; pthread_mutexattr_init(&{kinds});"));
            s.setup(format!("pthread_mutexattr_settype(&{kinds}, PTHREAD_MUTEX_{kind});"));
            s.setup(format!("pthread_mutex_init(&{name}, &{kinds});"));
        }
    }
    name
}

/// What lock functions return, for every kind of mutex.
pub(super) fn mutexes(s: &mut Sketch) {
    let kind = s.pick(&["NORMAL", "RECURSIVE", "ERRORCHECK"]);
    let (m, x) = (mutex(s, kind), s.name("x"));
    s.misuses |= kind != "NORMAL";
    s.global(format!("static int {x};"));
    for worker in s.some_workers() {
        let (got, r, step) = (s.got(4), s.local("r"), 1 + s.below(2));
        let attempt = match s.below(5) {
            0 | 1 => format!("pthread_mutex_trylock(&{m})"),
            2 => format!("pthread_mutex_timedlock(&{m}, {PAST})"),
            _ => format!("pthread_mutex_lock(&{m})"),
        };
        let inner = match kind {
            "RECURSIVE" => format!(
                "int again = pthread_mutex_trylock(&{m}); J(); {x} += {step}; if (!again) pthread_mutex_unlock(&{m}); \
                 {got} = again ? 2 : 0;"
            ),
            "ERRORCHECK" => {
                format!("{got} = pthread_mutex_lock(&{m}) == EDEADLK ? 0 : 2; J(); {x} += {step};")
            }
            _ => format!("{got} = pthread_mutex_trylock(&{m}) == EBUSY ? 0 : 2; J(); {x} += {step};"),
        };
        let failure = format!("{got} = {r} == EBUSY ? 1 : {r} == ETIMEDOUT ? 2 : 3;");
        s.work(
            worker,
            format!("{{ int {r} = {attempt}; if (!{r}) {{ J(); {inner} J(); pthread_mutex_unlock(&{m}); }} else {failure} }}"),
        );
    }
    if kind != "NORMAL" {
        let (worker, got) = (s.two().0, s.got(3));
        s.work(worker, format!("{got} = pthread_mutex_unlock(&{m}) == EPERM ? 1 : 2;"));
    }
    s.observe(&x, 7);
    if s.chance(40) {
        s.ending(format!("pthread_mutex_destroy(&{m});"));
    }
}

/// Readers and writers.
pub(super) fn rwlocks(s: &mut Sketch) {
    let (rw, x, readers) = (s.name("rw"), s.name("x"), s.name("readers"));
    if s.chance(50) {
        s.global(format!("static pthread_rwlock_t {rw} = PTHREAD_RWLOCK_INITIALIZER;"));
    } else {
        s.global(format!("static pthread_rwlock_t {rw};"));
        s.setup(format!("pthread_rwlock_init(&{rw}, 0);"));
    }
    s.global(format!("static int {x};\nstatic atomic_int {readers};"));
    for worker in s.some_workers() {
        let (r, got) = (s.local("r"), s.got(8));
        let (take, writes) = match s.below(6) {
            0 => ("tryrdlock", false),
            1 => ("trywrlock", true),
            2 => ("timedrdlock", false),
            3 => ("timedwrlock", true),
            4 => ("wrlock", true),
            _ => ("rdlock", false),
        };
        let time = if take.starts_with("timed") { format!(", {PAST}") } else { String::new() };
        let inner = if writes {
            format!("int seen = {x}; J(); {x} = seen * 2 + 1;")
        } else {
            format!("{got} = {x} + 2 * {readers}++; J(); {readers}--;")
        };
        s.work(
            worker,
            format!(
                "{{ int {r} = pthread_rwlock_{take}(&{rw}{time}); if (!{r}) {{ {inner} J(); pthread_rwlock_unlock(&{rw}); }} \
                 else {got} = {r} == EBUSY ? 6 : {r} == ETIMEDOUT ? 7 : 5; }}"
            ),
        );
    }
    s.observe(&x, 8);
}

/// Spin locks.
pub(super) fn spins(s: &mut Sketch) {
    let (spin, x) = (s.name("spin"), s.name("x"));
    s.global(format!("static pthread_spinlock_t {spin};\nstatic int {x};"));
    s.setup(format!("pthread_spin_init(&{spin}, 0);"));
    for worker in s.some_workers() {
        let (got, step) = (s.got(3), 1 + s.below(3));
        let statement = if s.chance(60) {
            format!(
                "if (!pthread_spin_trylock(&{spin})) {{ {x} = {x} * 2 + {step}; pthread_spin_unlock(&{spin}); {got} = 1; }}"
            )
        } else {
            format!(
                "pthread_spin_lock(&{spin}); {got} = pthread_spin_trylock(&{spin}) == EBUSY ? 2 : 0; {x} += {step}; \
                 pthread_spin_unlock(&{spin});"
            )
        };
        s.work(worker, statement);
    }
    s.observe(&x, 13);
}

/// Semaphores: given and taken, tried, counted.
pub(super) fn semaphores(s: &mut Sketch) {
    let sem = s.name("sem");
    let (giver, taker) = s.two();
    let start = s.below(2);
    s.global(format!("static sem_t {sem};"));
    s.setup(format!("sem_init(&{sem}, 0, {start});"));
    let x = s.name("x");
    s.global(format!("static int {x};"));
    let gives = 1 + s.below(2);
    for number in 0..gives {
        if start == 0 && number == 0 {
            s.work(giver, format!("{x} = 3;"));
        }
        s.work(giver, format!("sem_post(&{sem});"));
    }
    if start == 0 {
        // Behind the wait the other has written.
        let got = s.got(5);
        s.work(taker, format!("sem_wait(&{sem}); {got} = {x};"));
    }
    for _ in 0..1 + s.below(2) {
        let (got, worker) = (s.got(5), s.pick(&[giver, taker]));
        let statement = match s.below(3) {
            0 => format!("{got} = sem_trywait(&{sem}) ? (errno == EAGAIN ? 1 : 2) : 0;"),
            1 => format!("{{ int n; sem_getvalue(&{sem}, &n); {got} = n; }}"),
            _ => format!("{got} = sem_timedwait(&{sem}, {PAST}) ? (errno == ETIMEDOUT ? 3 : 4) : 0;"),
        };
        // Only what cannot take what the other waits for.
        if statement.contains("getvalue") || start == 1 || worker == taker {
            s.work(worker, statement);
        }
    }
    let left = s.local("left");
    s.ending(format!("int {left}; sem_getvalue(&{sem}, &{left}); sem_destroy(&{sem});"));
    s.observe(&left, 5);
}

/// Barriers: all before, all behind, and who is the last.
pub(super) fn barriers(s: &mut Sketch) {
    let (barrier, x, last) = (s.name("barrier"), s.name("x"), s.name("last"));
    let workers = s.some_workers();
    let count = workers.len();
    s.global(format!("static pthread_barrier_t {barrier};\nstatic int {x}[{count}], {last};"));
    s.setup(format!("pthread_barrier_init(&{barrier}, 0, {count});"));
    let phases = 1 + s.below(2);
    for (number, &worker) in workers.iter().enumerate() {
        let other = (number + 1) % count;
        let got = s.got(4);
        s.work(worker, format!("{x}[{number}] = {};", number + 1));
        s.work(
            worker,
            format!(
                "if (pthread_barrier_wait(&{barrier}) == PTHREAD_BARRIER_SERIAL_THREAD) {last} = {number};"
            ),
        );
        s.work(worker, format!("{got} = {x}[{other}];"));
        if phases == 2 {
            s.work(worker, format!("pthread_barrier_wait(&{barrier});"));
            s.work(worker, format!("{x}[{number}] = 0;"));
        }
    }
    s.observe(&last, 4);
    s.ending(format!("pthread_barrier_destroy(&{barrier});"));
}

/// Condition variables, with loops around the waits.
pub(super) fn conditions(s: &mut Sketch) {
    let (m, c, state, got) = (mutex(s, "NORMAL"), s.name("c"), s.name("state"), s.got(7));
    s.global(format!("static pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;\nstatic int {state};"));
    let (first, second) = s.two();
    let wake = s.pick(&["signal", "broadcast"]);
    let (lock, unlock) = (format!("pthread_mutex_lock(&{m});"), format!("pthread_mutex_unlock(&{m});"));
    match s.below(3) {
        0 => {
            // One waits for the other.
            let early = s.chance(50);
            let wakes = format!("pthread_cond_{wake}(&{c});");
            let (inside, behind) = if early { (wakes, String::new()) } else { (String::new(), wakes) };
            s.work(first, format!("{lock} {state} = 2; J(); {inside} {unlock} {behind}"));
            s.work(
                second,
                format!("{lock} while (!{state}) pthread_cond_wait(&{c}, &{m}); {got} = {state}++; {unlock}"),
            );
        }
        1 => {
            // They take turns.
            for (worker, turn, step) in [(first, 0, 1), (second, 1, 2)] {
                s.work(
                    worker,
                    format!(
                        "{lock} while ({state} != {turn}) pthread_cond_wait(&{c}, &{m}); {state}++; {got} = {got} * 2 + {step}; \
                         pthread_cond_broadcast(&{c}); {unlock}"
                    ),
                );
            }
        }
        _ => {
            // One gives up when it is late.
            let r = s.local("r");
            s.work(first, format!("{lock} {state} = 1; pthread_cond_{wake}(&{c}); {unlock}"));
            s.work(
                second,
                format!(
                    "{{ int {r} = 0; {lock} while (!{state} && !{r}) {r} = pthread_cond_timedwait(&{c}, &{m}, {PAST}); \
                     {got} = {state} * 3 + ({r} == 0 ? 0 : {r} == ETIMEDOUT ? 1 : 2); {unlock} }}"
                ),
            );
        }
    }
    s.observe(&state, 4);
}

/// Functions that are called once.
pub(super) fn once(s: &mut Sketch) {
    let (control, begin, x) = (s.name("once"), s.name("begin"), s.name("x"));
    let c11 = s.chance(40);
    s.unsanitized |= c11;
    let (ty, init, call) = if c11 {
        ("once_flag", "ONCE_FLAG_INIT", "call_once")
    } else {
        ("pthread_once_t", "PTHREAD_ONCE_INIT", "pthread_once")
    };
    s.global(format!("static {ty} {control} = {init};\nstatic int {x};\nstatic _Thread_local int {x}_mine;"));
    s.function(format!(
        "static void {begin}(void)\n{{\n    int seen = {x};\n    J();\n    {x} = seen + {x}_mine;\n}}"
    ));
    for (number, worker) in s.some_workers().into_iter().enumerate() {
        let got = s.got(4);
        s.work(worker, format!("{x}_mine = {}; {call}(&{control}, {begin}); {got} = {x};", number + 1));
    }
    s.observe(&x, 7);
}

/// A mutex whose owner ends while it holds it: the next one gets an error, and may make it usable again.
pub(super) fn robust(s: &mut Sketch) {
    let (m, x, kinds, got) = (s.name("m"), s.name("x"), s.local("kinds"), s.got(16));
    s.global(format!("static pthread_mutex_t {m};\nstatic int {x};"));
    s.setup(format!("pthread_mutexattr_t {kinds}; pthread_mutexattr_init(&{kinds});"));
    s.setup(format!(
        "pthread_mutexattr_setrobust(&{kinds}, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&{m}, &{kinds});"
    ));
    s.misuses = true;
    let (first, second) = s.two();
    let gives_back = if s.chance(30) { format!("pthread_mutex_unlock(&{m});") } else { String::new() };
    s.last_work(
        first,
        format!("{{ int r = pthread_mutex_lock(&{m}); {x} += r == EOWNERDEAD ? 2 : 1; {gives_back} }}"),
    );
    s.work(
        second,
        format!(
            "{{ int r = pthread_mutex_lock(&{m}); {got} = {x} * 4 + (r == 0 ? 0 : r == EOWNERDEAD ? 1 : 2); \
             if (r == EOWNERDEAD) pthread_mutex_consistent(&{m}); pthread_mutex_unlock(&{m}); }}"
        ),
    );
    s.observe(&x, 4);
}

/// A buffer of one place between who puts and who takes.
pub(super) fn buffers(s: &mut Sketch) {
    let (place, got, first, second) = (s.name("place"), s.got(25), 1 + s.below(4), 1 + s.below(4));
    let (giver, taker) = s.two();
    if s.chance(50) {
        let (full, empty) = (s.name("full"), s.name("empty"));
        s.global(format!("static int {place};\nstatic sem_t {full}, {empty};"));
        s.setup(format!("sem_init(&{full}, 0, 0); sem_init(&{empty}, 0, 1);"));
        for value in [first, second] {
            s.work(giver, format!("sem_wait(&{empty}); {place} = {value}; J(); sem_post(&{full});"));
            s.work(
                taker,
                format!("sem_wait(&{full}); {got} = {got} * 5 + {place}; J(); sem_post(&{empty});"),
            );
        }
        return;
    }
    let (m, c) = (mutex(s, "NORMAL"), s.name("c"));
    s.global(format!("static int {place};\nstatic pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;"));
    let wake = s.pick(&["signal", "broadcast"]);
    let enter =
        |until: &str| format!("pthread_mutex_lock(&{m}); while ({until}) pthread_cond_wait(&{c}, &{m});");
    let leave = format!("pthread_cond_{wake}(&{c}); pthread_mutex_unlock(&{m});");
    for value in [first, second] {
        s.work(giver, format!("{} {place} = {value}; {leave}", enter(&place)));
        s.work(
            taker,
            format!("{} {got} = {got} * 5 + {place}; {place} = 0; {leave}", enter(&format!("!{place}"))),
        );
    }
}
