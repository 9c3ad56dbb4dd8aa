// `exit` ends the process at once: main's variables live until then.
//@ property: memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, work, &local);
    exit(0);
}
