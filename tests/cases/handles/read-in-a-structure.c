//@ property: assertion
//@ verdict: bug
/* The handle of a thread that was joined may come again, also where it is read as the structure that it lies in. */
#include <assert.h>
#include <pthread.h>

struct task {
    pthread_t thread;
};

static void *work(void *unused) { return unused; }

int main(void) {
    struct task first, second;
    pthread_create(&first.thread, 0, work, 0);
    pthread_join(first.thread, 0);
    pthread_create(&second.thread, 0, work, 0);
    pthread_join(second.thread, 0);
    assert(*(unsigned long *)&first != *(unsigned long *)&second); //~ BUG assertion
    return 0;
}
