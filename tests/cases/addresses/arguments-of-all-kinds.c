// Pointers and numbers lie side by side among the arguments of a variadic function.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static long sum(const char *kinds, ...)
{
    va_list list;
    long result = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': result += va_arg(list, int); break;
        case 'l': result += va_arg(list, long); break;
        case 'p': result += *va_arg(list, int *); break;
        }
    va_end(list);
    return result;
}

int x = 3;

void *work(void *unused)
{
    assert(sum("ipl", 1, &x, 5L) == 9);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(sum("plpi", &x, 4L, &x, 2) == 12);
}
