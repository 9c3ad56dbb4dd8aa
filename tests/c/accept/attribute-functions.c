// Function attributes that carry a meaning.
void start(void) __attribute__((constructor));
void start(void) {}
__attribute__((constructor(101))) static void early(void) {}
__attribute__((destructor)) void stop(void) {}
__attribute__((weak)) int maybe(void);
int real(void) { return 1; }
int alias(void) __attribute__((alias("real")));
__attribute__((noreturn)) void die(void);
_Noreturn void die_too(void);
static inline __attribute__((always_inline)) int fast(int x) { return x + 1; }
__attribute__((noinline)) int slow(int x) { return fast(x); }
int again(void *) __attribute__((returns_twice));
__attribute__((weak)) int weak_variable = 3;
int pure(int) __attribute__((pure, const, warn_unused_result, nothrow, leaf));
void (*pointer)(void) __attribute__((noreturn)) = die;
int use(void) { return maybe ? maybe() : weak_variable; }
