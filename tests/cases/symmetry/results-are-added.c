//@ property: assertion, data-race
//@ verdict: safe
// Which of them returned what makes no difference.
#include <assert.h>
#include <pthread.h>

_Atomic int tickets;

void *work(void *unused) { return (void *)(long)tickets++; }

int main(void) {
    pthread_t t[3];
    long sum = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(t[i], &result);
        sum += (long)result;
    }
    assert(sum == 3);
}
