//@ property: data-race
//@ verdict: safe
// Each of them knows a variable of its own thread, and only numbers are given.
#include <pthread.h>

_Thread_local int mine;
void note(int number);

static void *work(void *unused) {
    note(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    note(2);
    pthread_join(thread, 0);
    return 0;
}
