// Reads do not conflict.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

int value;

void *reader(void *result) {
    *(int *)result = value;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int x, y;
    value = 7;
    pthread_create(&a, 0, reader, &x);
    pthread_create(&b, 0, reader, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x + y + value;
}
