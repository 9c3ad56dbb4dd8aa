// Idioms of kernel code.
#define likely(x) __builtin_expect(!!(x), 1)
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, val) do { *(volatile typeof(x) *)&(x) = (val); } while (0)
#define BUILD_BUG_ON(c) ((void)sizeof(char[1 - 2 * !!(c)]))
#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
#define barrier() __asm__ __volatile__("" : : : "memory")
#define BIT(n) (1UL << (n))
#define __init __attribute__((__section__(".init.text"))) __attribute__((__cold__))
typedef struct { volatile int counter; } atomic_t;
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD(name) struct list_head name = {&(name), &(name)}
static LIST_HEAD(all);
static inline __attribute__((__gnu_inline__)) __attribute__((__unused__)) void atomic_inc(atomic_t *v) { asm volatile("lock; incl %0" : "+m"(v->counter)); }
static int __init setup(atomic_t *v, unsigned long flags)
{
    BUILD_BUG_ON(sizeof(int) != 4);
    if (likely(READ_ONCE(v->counter) < 3)) { atomic_inc(v); barrier(); WRITE_ONCE(v->counter, 4); }
    return min(v->counter, 3) + !!(flags & BIT(3)) + (all.next == &all);
}
static int (*initcall)(atomic_t *, unsigned long) __attribute__((__used__, section(".initcall"))) = setup;
