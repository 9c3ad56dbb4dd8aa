//! Threads and what lives as long as they do: arguments, results, thread-local storage, keys, cleanup handlers.
//!
//! Main plays these scenes, with threads of its own, before there are workers; a few are for the workers.

use super::super::sketch::Sketch;

/// The lines that create a thread and wait for it, with something in between.
fn around(s: &mut Sketch, function: &str, argument: &str, between: &str) -> String {
    let thread = s.local("thread");
    format!(
        "pthread_t {thread}; pthread_create(&{thread}, 0, {function}, {argument}); J(); {between} pthread_join({thread}, 0);"
    )
}

/// Objects of a block, a call or a literal that a thread is given, and that last until it is joined.
pub(super) fn arguments(s: &mut Sketch) {
    let (function, got, tag) = (s.name("run"), s.got(40), s.name("pair"));
    let (step, first) = (1 + s.below(4), s.below(4));
    s.global(format!("struct {tag} {{ atomic_int a; int b; }};"));
    s.function(format!(
        "static void *{function}(void *argument)\n{{\n    struct {tag} *p = argument;\n    int seen = p->a;\n    J();\n    \
         p->a = seen + {step};\n    J();\n    p->b = p->a * 2;\n    return 0;\n}}"
    ));
    let main_too = s.chance(50);
    let meddle = |object: &str| if main_too { format!("{object}.a += 1; J();") } else { String::new() };
    let sum = |object: &str| format!("{got} = {object}.a + {object}.b;");
    let statement = match s.below(6) {
        0 => {
            let play = around(s, &function, "&own", &meddle("own"));
            format!("{{ struct {tag} own = {{ {first}, 0 }}; {play} {} }}", sum("own"))
        }
        1 => {
            // Of a call.
            let caller = s.name("caller");
            let play = around(s, &function, "&own", &meddle("own"));
            s.function(format!(
                "static void {caller}(int first)\n{{\n    struct {tag} own = {{ first, 0 }};\n    {play}\n    {}\n}}",
                sum("own")
            ));
            format!("{caller}({first});")
        }
        2 => {
            let play = around(s, &function, "p", &meddle("(*p)"));
            format!("{{ struct {tag} *p = &(struct {tag}){{ {first}, 0 }}; {play} {} }}", sum("(*p)"))
        }
        3 => {
            let play = around(s, &function, "&own[1]", &meddle("own[1]"));
            let declaration =
                format!("volatile int n = 2; struct {tag} own[n]; own[1].a = {first}; own[1].b = 0;");
            format!("{{ {declaration} {play} {} }}", sum("own[1]"))
        }
        4 => {
            let play = around(s, &function, "own", &meddle("(*own)"));
            let declaration =
                format!("struct {tag} *own = alloca(sizeof *own); own->a = {first}; own->b = 0;");
            format!("{{ {declaration} {play} {} }}", sum("(*own)"))
        }
        _ => {
            // The same block twice: each time around it is a new object.
            let play = around(s, &function, "&own", &meddle("own"));
            let inner = format!("struct {tag} own = {{ {first} + i, 0 }}; {play} total += own.a + own.b;");
            format!("{{ int total = 0; for (int i = 0; i < 2; i++) {{ {inner} }} {got} = total; }}")
        }
    };
    s.setup(statement);
}

/// What threads return, in all the ways to end them.
pub(super) fn results(s: &mut Sketch) {
    let (function, got, x) = (s.name("run"), s.got(30), s.name("x"));
    s.global(format!("static atomic_int {x};"));
    let value = 1 + s.below(5);
    let ends = match s.below(4) {
        0 => format!("return (void *)(intptr_t)({x} + {value});"),
        1 => format!("pthread_exit((void *)(intptr_t)({x} + {value}));"),
        2 => {
            let deep = s.name("deep");
            s.function(format!(
                "static void {deep}(int n)\n{{\n    if (n)\n        {deep}(n - 1);\n    pthread_exit((void *)(intptr_t)({x} + {value}));\n}}"
            ));
            format!("{deep}(2); {x} = 9; return 0;")
        }
        _ => format!(
            "int *p = malloc(sizeof *p); *p = {x} + {value}; int n = *p; free(p); return (void *)(intptr_t)n;"
        ),
    };
    s.function(format!("static void *{function}(void *argument)\n{{\n    {x}++;\n    J();\n    {ends}\n}}"));
    let statement = match s.below(4) {
        0 => format!(
            "{{ pthread_t a; void *r; pthread_create(&a, 0, {function}, 0); {x} += 2; pthread_join(a, &r); {got} = (int)(intptr_t)r; }}"
        ),
        1 => format!(
            "{{ pthread_t a, b; void *r, *q; pthread_create(&a, 0, {function}, 0); pthread_create(&b, 0, {function}, 0); \
             {got} = pthread_equal(a, b) ? 20 : 0; pthread_join(b, &q); pthread_join(a, &r); \
             {got} += (int)(intptr_t)r * 3 + (int)(intptr_t)q; }}"
        ),
        2 => {
            // A thread that has a thread, and says who it is.
            let outer = s.name("outer");
            s.function(format!(
                "static void *{outer}(void *argument)\n{{\n    pthread_t a;\n    void *r;\n    \
                 pthread_create(&a, 0, {function}, 0);\n    J();\n    {x} += 3;\n    pthread_join(a, &r);\n    \
                 *(pthread_t *)argument = pthread_self();\n    return r;\n}}"
            ));
            format!(
                "{{ pthread_t a, who; void *r; pthread_create(&a, 0, {outer}, &who); pthread_join(a, &r); \
                 {got} = (int)(intptr_t)r + (pthread_equal(a, who) ? 0 : 15); }}"
            )
        }
        _ => {
            // One that nobody joins.
            let done = s.name("done");
            let lonely = s.name("lonely");
            s.global(format!("static sem_t {done};"));
            s.function(format!(
                "static void *{lonely}(void *argument)\n{{\n    {x} = {x} * 2 + 1;\n    sem_post(&{done});\n    return 0;\n}}"
            ));
            let detach = if s.chance(50) {
                format!("pthread_create(&a, 0, {lonely}, 0); pthread_detach(a);")
            } else {
                format!(
                    "pthread_attr_t how; pthread_attr_init(&how); pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED); \
                     pthread_create(&a, &how, {lonely}, 0); pthread_attr_destroy(&how);"
                )
            };
            format!(
                "{{ pthread_t a; sem_init(&{done}, 0, 0); {detach} J(); {x}++; sem_wait(&{done}); {got} = {x}; }}"
            )
        }
    };
    s.setup(statement);
}

/// Cleanup handlers: pushed and popped, and what they do when a thread ends in between.
pub(super) fn cleanup(s: &mut Sketch) {
    let (function, note, trace, m) = (s.name("run"), s.name("note"), s.name("trace"), s.name("m"));
    s.global(format!("static int {trace};\nstatic pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;"));
    s.function(format!(
        "static void {note}(void *argument)\n{{\n    {trace} = {trace} * 3 + (int)(intptr_t)argument;\n}}"
    ));
    let leave = s.pick(&["pthread_exit(0);", "if (argument) pthread_exit(0);", ""]);
    let (inner, outer) = (s.below(2), s.below(2));
    let unlock = s.name("unlock");
    s.function(format!("static void {unlock}(void *argument)\n{{\n    pthread_mutex_unlock(argument);\n}}"));
    let guarded = s.chance(50);
    let (push, pop) = if guarded {
        (
            format!("pthread_mutex_lock(&{m}); pthread_cleanup_push({unlock}, &{m});"),
            "pthread_cleanup_pop(1);".to_owned(),
        )
    } else {
        (String::new(), String::new())
    };
    s.function(format!(
        "static void *{function}(void *argument)\n{{\n    pthread_cleanup_push({note}, (void *)1);\n    \
         {push}\n    pthread_cleanup_push({note}, (void *)2);\n    J();\n    {leave}\n    \
         pthread_cleanup_pop({inner});\n    {pop}\n    pthread_cleanup_pop({outer});\n    return 0;\n}}"
    ));
    let argument = s.below(2);
    let play = around(s, &function, &format!("(void *){argument}"), "");
    s.setup(format!("{{ {play} }}"));
    s.observe(&trace, 30);
}

/// Values of a thread under a key, and what is called for them when it ends.
pub(super) fn keys(s: &mut Sketch) {
    let (function, key, gone, seen) = (s.name("run"), s.name("key"), s.name("gone"), s.name("seen"));
    s.global(format!("static pthread_key_t {key};\nstatic atomic_int {gone}, {seen};"));
    let again = s.chance(30);
    let repeat = if again {
        format!(
            "\n    if ((intptr_t)value > 1)\n        pthread_setspecific({key}, (void *)((intptr_t)value - 1));"
        )
    } else {
        String::new()
    };
    let destroy = s.name("destroy");
    s.function(format!(
        "static void {destroy}(void *value)\n{{\n    {gone} = {gone} * 4 + (int)(intptr_t)value;\n    \
         {seen} += pthread_getspecific({key}) == 0;{repeat}\n}}"
    ));
    let (value, erased) = (1 + s.below(3), s.chance(25));
    let erase = if erased { format!("pthread_setspecific({key}, 0);") } else { String::new() };
    let ends = s.pick(&["return 0;", "pthread_exit(0);"]);
    s.function(format!(
        "static void *{function}(void *argument)\n{{\n    {seen} += pthread_getspecific({key}) == 0;\n    \
         pthread_setspecific({key}, (void *)(intptr_t)({value} + (argument != 0)));\n    J();\n    \
         {seen} += (intptr_t)pthread_getspecific({key}) > 1;\n    {erase}\n    {ends}\n}}"
    ));
    let with = if s.chance(80) { destroy } else { "0".to_owned() };
    let two = s.chance(50);
    let more = if two {
        format!("pthread_t b; pthread_create(&b, 0, {function}, (void *)1);")
    } else {
        String::new()
    };
    let join = if two { "pthread_join(b, 0);" } else { "" };
    s.setup(format!(
        "{{ pthread_key_create(&{key}, {with}); pthread_setspecific({key}, (void *)7); pthread_t a; \
         pthread_create(&a, 0, {function}, 0); {more} pthread_join(a, 0); {join} \
         {seen} += pthread_getspecific({key}) == (void *)7; pthread_key_delete({key}); }}"
    ));
    s.observe(&gone, 1024);
    s.observe(&seen, 11);
}

/// Thread-local variables: each has its own; a pointer to one is good until its thread ends.
pub(super) fn thread_local(s: &mut Sketch) {
    let own = s.name("own");
    let first = s.below(3);
    let how = s.pick(&["_Thread_local", "__thread"]);
    s.global(format!("static {how} int {own} = {first};"));
    let workers = s.some_workers();
    for (number, &worker) in workers.iter().enumerate() {
        let got = s.got(7);
        s.work(worker, format!("{own} += {}; J(); {got} = {own};", number + 1));
    }
    if s.chance(50) {
        let (p, ready, done) = (s.name("p"), s.name("ready"), s.name("done"));
        let got = s.got(11);
        s.global(format!("static int *{p};\nstatic sem_t {ready}, {done};"));
        s.setup(format!("sem_init(&{ready}, 0, 0); sem_init(&{done}, 0, 0);"));
        s.work(workers[0], format!("{p} = &{own}; sem_post(&{ready}); sem_wait(&{done}); {got} = {own};"));
        s.work(workers[1], format!("sem_wait(&{ready}); *{p} += 5; J(); sem_post(&{done});"));
    }
    s.observe(&own, 5);
}

/// The threads, mutexes, conditions and keys of C11.
pub(super) fn c11(s: &mut Sketch) {
    let (function, m, c, x, got) = (s.name("run"), s.name("m"), s.name("c"), s.name("x"), s.got(20));
    let kind = s.pick(&["mtx_plain", "mtx_recursive", "mtx_timed"]);
    s.unsanitized = true;
    let value = 1 + s.below(4);
    s.global(format!("static mtx_t {m};\nstatic cnd_t {c};\nstatic int {x};"));
    let ends = s.pick(&[format!("return {value};"), format!("thrd_exit({value});\n    return 0;")]);
    let wake = s.pick(&["cnd_signal", "cnd_broadcast"]);
    s.function(format!(
        "static int {function}(void *argument)\n{{\n    mtx_lock(&{m});\n    {x} = {x} * 2 + (argument != 0) + 1;\n    J();\n    \
         {wake}(&{c});\n    mtx_unlock(&{m});\n    {ends}\n}}"
    ));
    let inits = format!("mtx_init(&{m}, {kind}); cnd_init(&{c});");
    let statement = match s.below(4) {
        0 => format!(
            "{{ {inits} thrd_t a; int r; thrd_create(&a, {function}, 0); mtx_lock(&{m}); while (!{x}) cnd_wait(&{c}, &{m}); \
             {x} += 3; mtx_unlock(&{m}); thrd_join(a, &r); {got} = {x} + r; }}"
        ),
        1 => format!(
            "{{ {inits} thrd_t a, b; int r, q; thrd_create(&a, {function}, 0); thrd_create(&b, {function}, &r); \
             thrd_join(a, &r); thrd_join(b, &q); {got} = {x} + r + q + 10 * thrd_equal(thrd_current(), a); }}"
        ),
        2 => format!(
            "{{ {inits} thrd_t a; thrd_create(&a, {function}, 0); int t = mtx_trylock(&{m}); \
             if (t == thrd_success) {{ {x} += 5; J(); mtx_unlock(&{m}); }} thrd_join(a, 0); \
             {got} = {x} + (t == thrd_busy ? 10 : 0); mtx_destroy(&{m}); cnd_destroy(&{c}); }}"
        ),
        _ => {
            let (key, end) = (s.name("key"), s.name("end"));
            s.global(format!("static tss_t {key};"));
            s.function(format!(
                "static void {end}(void *value)\n{{\n    {x} += *(int *)value;\n    free(value);\n}}"
            ));
            let other = s.name("other");
            s.function(format!(
                "static int {other}(void *argument)\n{{\n    int *p = malloc(sizeof *p);\n    *p = {value};\n    \
                 tss_set({key}, p);\n    J();\n    return tss_get({key}) == p;\n}}"
            ));
            format!(
                "{{ tss_create(&{key}, {end}); thrd_t a; int r; thrd_create(&a, {other}, 0); thrd_join(a, &r); \
                 {got} = {x} + 6 * r + (tss_get({key}) == 0 ? 0 : 12); tss_delete({key}); }}"
            )
        }
    };
    s.setup(statement);
}

/// The process ends while others run.
pub(super) fn exits(s: &mut Sketch) {
    let x = s.name("x");
    s.global(format!("static atomic_int {x};"));
    for (number, worker) in s.some_workers().into_iter().enumerate() {
        let step = 1 + s.below(2);
        s.work(worker, format!("{x} += {step};"));
        if s.chance(50) {
            let (code, most) = (1000 * (number + 1), 1 + s.below(4));
            s.work(worker, format!("if ({x} < {most}) FINISH({code} + {x});"));
        } else if s.chance(15) {
            let sum = 2 + s.below(2);
            s.work(worker, format!("if ({x} == {sum}) abort();"));
        }
    }
    s.observe(&x, 9);
}

/// Jumps within a thread, and handlers that run in the raising thread.
pub(super) fn jumps(s: &mut Sketch) {
    let got = s.got(50);
    let value = 1 + s.below(3);
    match s.below(3) {
        0 => {
            let (deep, function, out) = (s.name("deep"), s.name("run"), s.name("out"));
            s.global(format!("static _Thread_local jmp_buf {out};\nstatic atomic_int {out}_sum;"));
            s.function(format!(
                "static void {deep}(int n)\n{{\n    if (!n)\n        longjmp({out}, {value});\n    {deep}(n - 1);\n}}"
            ));
            s.function(format!(
                "static void *{function}(void *argument)\n{{\n    volatile int tries = 0;\n    int r = setjmp({out});\n    \
                 tries++;\n    if (tries < 3)\n        {deep}(tries);\n    {out}_sum += r + tries;\n    return 0;\n}}"
            ));
            let play = around(s, &function, "0", &format!("{out}_sum += 1;"));
            s.setup(format!("{{ {play} {got} = {out}_sum; }}"));
        }
        1 => {
            let (handler, note) = (s.name("handler"), s.name("note"));
            s.global(format!("static volatile sig_atomic_t {note};"));
            s.function(format!(
                "static void {handler}(int number)\n{{\n    {note} += number == SIGUSR1 ? {value} : 10;\n}}"
            ));
            s.setup(format!("{{ signal(SIGUSR1, {handler}); raise(SIGUSR1); {got} = {note}; raise(SIGUSR1); {got} += {note} * 3; }}"));
        }
        _ => {
            let (function, note) = (s.name("run"), s.name("note"));
            let cleaned = s.name("cleaned");
            s.global(format!("static atomic_int {note};"));
            s.function(format!("static void {cleaned}(void *argument)\n{{\n    {note} += 4;\n}}"));
            s.function(format!(
                "static void *{function}(void *argument)\n{{\n    pthread_cleanup_push({cleaned}, 0);\n    {note} += 1;\n    J();\n    \
                 pthread_testcancel();\n    {note} += {value} * 8;\n    pthread_cleanup_pop(0);\n    return 0;\n}}"
            ));
            s.setup(format!(
                "{{ pthread_t a; void *r; pthread_create(&a, 0, {function}, 0); J(); pthread_cancel(a); pthread_join(a, &r); \
                 {got} = {note} + (r == PTHREAD_CANCELED ? 2 : 0); }}"
            ));
        }
    }
}

/// Functions that are called when the process exits: the last registered first.
pub(super) fn handlers(s: &mut Sketch) {
    let (trace, last) = (s.name("trace"), s.name("last"));
    let (register, leave) =
        s.pick(&[("atexit", "exit"), ("atexit", "exit"), ("at_quick_exit", "quick_exit")]);
    s.global(format!("static atomic_int {trace};"));
    s.function(format!("static void {last}(void)\n{{\n    FINISH(100 + {trace});\n}}"));
    s.setup(format!("{register}({last});"));
    for number in 1..=1 + s.below(3) {
        let handler = s.name("handler");
        s.function(format!("static void {handler}(void)\n{{\n    {trace} = {trace} * 4 + {number};\n}}"));
        s.setup(format!("{register}({handler});"));
    }
    if s.chance(50) {
        // A thread of its own may be the one that leaves.
        let function = s.name("run");
        s.function(format!("static void *{function}(void *argument)\n{{\n    {trace} += 1;\n    {leave}(3);\n    return 0;\n}}"));
        s.setup(format!("{{ pthread_t a; pthread_create(&a, 0, {function}, 0); pthread_join(a, 0); }}"));
    } else {
        s.ending(format!("{leave}(4);"));
    }
}
