//@ property: data-race
//@ verdict: unknown
//@ reason: depends on `change`, which has no body
// Both calls may write it at once.
#include <pthread.h>

static int given;
void change(int *place);

static void *work(void *unused) {
    change(&given);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
