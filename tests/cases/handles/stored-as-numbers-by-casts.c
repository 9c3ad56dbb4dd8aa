//@ property: assertion
//@ verdict: bug
/* The handle of a thread that was joined may come again, also where handles lie in plain numbers. */
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    unsigned long first = 0, second = 0;
    pthread_create((pthread_t *)&first, 0, work, 0);
    pthread_join((pthread_t)first, 0);
    pthread_create((pthread_t *)&second, 0, work, 0);
    pthread_join((pthread_t)second, 0);
    assert(first != second); //~ BUG assertion
    return 0;
}
