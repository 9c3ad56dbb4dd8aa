// Each round has an argument of its own, which is gone in the next.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

int sum;

void *work(void *argument) {
    sum = *(int *)argument; //~ BUG memory-safety
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int argument = i;
        pthread_create(&threads[i], 0, work, &argument);
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
