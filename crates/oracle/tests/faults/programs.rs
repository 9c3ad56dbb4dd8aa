//! Programs that break an assertion, and programs that do not.

/// Each breaks an assertion in some execution.
pub(crate) const UNSAFE: &[(&str, &str)] = &[
    ("lost update", "int x; void *w(void *a) { x++; assert(x > 0); x--; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); return 0; }"),
    ("two in a section", "int x; void *w(void *a) { B; x++; E; B; assert(x == 1); E; B; x--; E; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; }"),
    ("wrong lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x;
        void *w(void *a) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&n); assert(x == 0); pthread_mutex_unlock(&n); return 0; }"),
    ("one more than the bound", "int x; void *w(void *a) { while (1) { B; if (x <= 2) x++; E; } return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int y = x; assert(y <= 2); return 0; }"),
    ("test and then act", "int x; void *w(void *a) { if (x < 1) { B; x++; E; } return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); assert(x <= 1); return 0; }"),
    ("flag before data", "int d, f; void *w(void *a) { f = 1; d = 5; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (f) assert(d == 5); return 0; }"),
    ("no join", "int x; void *w(void *a) { x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(x == 1); return 0; }"),
    ("another one is joined", "int x; void *w(void *a) { x = 1; return 0; } void *v(void *a) { return 0; }
        int main(void) { pthread_t t, s; pthread_create(&t, 0, w, 0); pthread_create(&s, 0, v, 0); pthread_join(s, 0); assert(x == 1); return 0; }"),
    ("a number that wraps", "unsigned char x = 250; void *w(void *a) { while (1) { B; x++; E; } return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); unsigned char a = x; unsigned char b = x; assert(a <= b); return 0; }"),
    ("references taken too late", "int r = 1, gone; void *w(void *a) { B; r++; E; assert(gone == 0); B; r--; if (r == 0) gone = 1; E; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); B; r--; if (r == 0) gone = 1; E; return 0; }"),
    ("unlocked between", "int x, y; void *w(void *a) { B; x++; E; B; y++; E; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); B; assert(x == y); E; return 0; }"),
    ("a lock of plain accesses", "int l, x; void *w(void *a) { while (l) ; l = 1; x = 1; assert(x == 1); x = 0; l = 0; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; }"),
    ("a state that goes back", "int s; void *w(void *a) { B; if (s == 0) s = 1; E; B; if (s == 1) s = 2; E; return 0; } void *v(void *a) { s = 0; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0); int a = s; int b = s; assert(a <= b); return 0; }"),
    ("served before drawn", "unsigned n, s; void *w(void *a) { B; s++; E; B; n++; E; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); B; assert(s <= n); E; return 0; }"),
    ("through a pointer", "int x, y; int *p = &x; void *w(void *a) { p = &y; *p = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int a = y; assert(a == 0); return 0; }"),
    ("a local of main", "void *w(void *a) { *(int *)a = 1; return 0; }
        int main(void) { pthread_t t; int x = 0; pthread_create(&t, 0, w, &x); int y = x; assert(y == 0); pthread_join(t, 0); return 0; }"),
    ("two writers", "int x; void *w(void *a) { x = 1; return 0; } void *v(void *a) { x = 2; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0); int a = x; assert(a != 2); return 0; }"),
    ("a loop too far", "int main(void) { int n = __VERIFIER_nondet_int() & 7; int i = 0; while (i < n) i++; assert(i < 7); return 0; }"),
    ("created by a worker", "int x; void *v(void *a) { x = 2; return 0; } void *w(void *a) { pthread_t t; pthread_create(&t, 0, v, 0); x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(x <= 1); return 0; }"),
    ("a semaphore of two", "sem_t s; int x; void *w(void *a) { sem_wait(&s); x = 1; assert(x == 1); x = 0; sem_post(&s); return 0; }
        int main(void) { pthread_t t; sem_init(&s, 0, 2); pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; }"),
    ("a flag of two", "int f, g; void *w(void *a) { f = 1; g = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int a = f; int b = g; assert(a >= b); return 0; }"),
    ("no room for one more", "int n; void *w(void *a) { while (1) { B; if (n < 4) n++; E; } return 0; } void *v(void *a) { B; n--; E; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0); B; assert(n >= 0); E; return 0; }"),
    ("compared and exchanged", "int x; void *w(void *a) { int o = x; __sync_bool_compare_and_swap(&x, o, o + 2); return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); int y = x; assert(y <= 2); return 0; }"),
    ("an exchange that is lost", "int f, x; void *w(void *a) { if (!__sync_lock_test_and_set(&f, 1)) { x++; } assert(x == 1); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; }"),
];

/// Each holds in all executions, and is proved.
pub(crate) const SAFE: &[(&str, &str)] = &[
    ("a section", "int x; void *w(void *a) { B; x++; assert(x == 1); x--; E; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); return 0; }"),
    ("a bound", "int x; void *w(void *a) { while (1) { B; if (x < 10) x++; E; } return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int y = x; assert(y <= 10); return 0; }"),
    ("data before a flag", "int d, f; void *w(void *a) { d = 5; f = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (f) assert(d == 5); return 0; }"),
    ("a join", "int x; void *w(void *a) { x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(x == 1); return 0; }"),
    ("states", "int s; void *w(void *a) { B; if (s == 0) s = 1; E; B; if (s == 1) s = 2; E; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int a = s; int b = s; assert(a <= b); return 0; }"),
    ("no more served than drawn", "int n, s; void *w(void *a) { B; if (n < 1000) { n++; } E; B; if (s < n) s++; E; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); B; assert(s <= n); E; return 0; }"),
    ("a mutex", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; void *w(void *a) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m); return 0; }"),
    ("a lock of one's own", "int l, x; void *w(void *a) { while (!__sync_bool_compare_and_swap(&l, 0, 1)) ; x = 1; assert(x == 1); x = 0; l = 0; return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); return 0; }"),
    ("its own copy", "_Thread_local int o; void *w(void *a) { o++; assert(o == 1); return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w, 0); assert(o == 0); return 0; }"),
];
