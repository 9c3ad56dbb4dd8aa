//@ property: data-race
//@ verdict: safe
// One call is over before the other begins.
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
    pthread_join(thread, 0);
    change(&given);
    return 0;
}
