//@ property: assertion, deadlock, data-race
//@ verdict: safe
// It is given texts and numbers, and all else is the program's own.
#include <assert.h>
#include <pthread.h>

static int own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void note(const char *format, ...);

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    own++;
    note("now %d", own);
    pthread_mutex_unlock(&lock);
    note("done");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(own == 2);
    return 0;
}
