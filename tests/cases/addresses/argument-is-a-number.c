// Numbers that pass for pointers, negative ones too.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

long sum;

void *work(void *argument) {
    int number = (int)(long)argument;
    sum += number;
    return (void *)(long)(number + 1);
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, (void *)(long)-5);
    pthread_join(thread, &result);
    assert(sum == -5 && (long)result == -4 && result != (void *)-1);
}
