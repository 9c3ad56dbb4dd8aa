/* In front of generated programs when gcc builds them: delays between accesses, and a process for each run.
   Each run is a child of its own, so that it begins with fresh memory, and may exit, abort or hang as it likes. */
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

static _Atomic unsigned long long *harness_report;
static unsigned harness_mode, harness_seed;
static atomic_uint harness_started, harness_threads;
static __thread unsigned harness_state;

static unsigned harness_random(void)
{
    if (!harness_state)
        harness_state = harness_seed * 2654435761u + 40503u * atomic_fetch_add(&harness_threads, 1) + 1;
    harness_state ^= harness_state << 13;
    harness_state ^= harness_state >> 17;
    harness_state ^= harness_state << 5;
    return harness_state;
}

/* Not inlined, which would make gcc slow. */
__attribute__((noinline)) static void harness_delay(void)
{
    if (!harness_mode)
        return;
    unsigned drawn = harness_random();
    switch (harness_mode) {
    case 1:
        if (!(drawn & 192))
            sched_yield();
        return;
    case 2:
        for (volatile unsigned i = drawn >> 8 & 255; i; i--)
            ;
        return;
    default:
        if (!(drawn & 0x1c0))
            nanosleep(&(struct timespec){0, drawn >> 16 & 0x7fff}, 0);
        else if (!(drawn & 0xc00))
            sched_yield();
    }
}

/* Threads begin together most of the time. On a busy machine each yield may take long, so there are few. */
__attribute__((noinline)) static void harness_start(unsigned threads)
{
    atomic_fetch_add(&harness_started, 1);
    for (int i = 0; i < 2000 && atomic_load(&harness_started) < threads; i++)
        if (i % 500 == 499)
            sched_yield();
    harness_delay();
}

/* The first to finish says how the run ended. */
__attribute__((noinline)) static void harness_finish(int outcome)
{
    unsigned long long nothing = 0;
    atomic_compare_exchange_strong(harness_report, &nothing, 1ull << 32 | (unsigned)outcome);
    _exit(0);
}

#define J() harness_delay()
#define START(threads) harness_start(threads)
#define RELAX() sched_yield()
#define FINISH(outcome) harness_finish(outcome)

static void harness_child(int (*program)(void), unsigned run, unsigned seconds)
{
    harness_seed = run + 1;
    harness_mode = run % 4;
    if (run / 4 % 2) {
        cpu_set_t allowed, one;
        sched_getaffinity(0, sizeof allowed, &allowed);
        unsigned number = run / 8 % (unsigned)CPU_COUNT(&allowed), cpu = 0;
        while (!CPU_ISSET(cpu, &allowed) || number--)
            cpu++;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {seconds, 0}}, 0);
    harness_finish(program());
}

/* Prints for each program and each way that a run of it ended: program, way, value, how often. */
static int harness_main(int (*const *programs)(void), unsigned count, int argc, char **argv)
{
    enum { MOST = 4096 };
    static struct { int way, value; unsigned times; } ways[MOST];
    unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 1, seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 5;
    unsigned first = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    harness_report = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned p = 0; p < count; p++) {
        unsigned known = 0;
        for (unsigned run = 0; run < runs; run++) {
            atomic_store(harness_report, 0);
            pid_t child = fork();
            if (child < 0)
                return 1;
            if (!child)
                harness_child(programs[p], first + run, seconds);
            int status, way, value;
            waitpid(child, &status, 0);
            unsigned long long reported = atomic_load(harness_report);
            if (WIFSIGNALED(status))
                way = 'S', value = WTERMSIG(status);
            else if (WEXITSTATUS(status))
                way = 'E', value = WEXITSTATUS(status);
            else
                way = 'O', value = reported ? (int)(unsigned)reported : 0;
            unsigned i = 0;
            while (i < known && (ways[i].way != way || ways[i].value != value))
                i++;
            if (i == known && known < MOST) {
                ways[known].way = way, ways[known].value = value, ways[known].times = 0;
                known++;
            }
            if (i < known)
                ways[i].times++;
            if (way == 'S' && value == SIGALRM)
                break; /* The others would hang as well. */
        }
        for (unsigned i = 0; i < known; i++)
            printf("%u %c %d %u\n", p, ways[i].way, ways[i].value, ways[i].times);
    }
    return 0;
}
