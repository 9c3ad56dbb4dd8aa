//@ property: leak
//@ verdict: bug
// Both threads allocate; who stores last hides what the other stored.
#include <pthread.h>
#include <stdlib.h>

int *_Atomic box;

void *work(void *unused) {
    box = malloc(sizeof(int)); //~ BUG leak
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(box);
}
