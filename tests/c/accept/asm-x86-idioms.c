// Inline assembly as found in libraries.
static inline unsigned long long timestamp(void) { unsigned lo, hi; __asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi)); return ((unsigned long long)hi << 32) | lo; }
static inline int compare_and_swap(volatile int *p, int old, int new)
{
    int before;
    asm volatile("lock; cmpxchgl %2, %1" : "=a"(before), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return before == old;
}
static inline void pause_cpu(void) { asm volatile("pause" ::: "memory"); }
static inline void cpuid(int leaf, unsigned r[4]) { asm("cpuid" : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3]) : "a"(leaf), "c"(0)); }
int spin(volatile int *p) { while (!compare_and_swap(p, 0, 1)) pause_cpu(); return timestamp() > 0; }
