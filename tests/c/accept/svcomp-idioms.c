// What verification tasks are made of.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "task.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }
extern int __VERIFIER_nondet_int();
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void assume_abort_if_not(int cond) { if(!cond) {abort();} }
int x = 0, y = 0;
_Bool main$tmp_guard0; _Bool __unbuffered_p0_EAX$flush_delayed;
void __VERIFIER_atomic_cas(int *v, int e, int u, int *r) { if (*v == e) { *v = u, *r = 1; } else { *r = 0; } }
void *P0(void *arg)
{
    __VERIFIER_atomic_begin();
    main$tmp_guard0 = x == 1 && y == (0 && 1);
    __unbuffered_p0_EAX$flush_delayed = main$tmp_guard0 ? x : __VERIFIER_nondet_bool() ? (_Bool)0 : __unbuffered_p0_EAX$flush_delayed;
    __VERIFIER_atomic_end();
    return 0;
}
int main() { int r; __VERIFIER_atomic_cas(&x, 0, __VERIFIER_nondet_int(), &r); assume_abort_if_not(r > 0); __VERIFIER_assert(x > 0); P0((void *)0); return 0; }
