//@ property: data-race
//@ verdict: bug
// Two of one creator come one after the other; those of two creators do not.
#include <pthread.h>

int x;

void *work(void *unused) {
    x++; //~ BUG data-race
    return unused;
}

void *creates(void *unused) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, creates, 0);
    pthread_create(&b, 0, creates, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
