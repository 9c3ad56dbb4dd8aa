//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_key_t first, second;
int last;

void one(void *unused) { last = 1; }
void two(void *unused) { last = 2; }

void *work(void *unused) {
    pthread_setspecific(first, &first);
    pthread_setspecific(second, &second);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&first, one);
    pthread_key_create(&second, two);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(last == 2); //~ BUG assertion
}
