//@ property: leak, cleanup
//@ verdict: safe
// What the library allocates for a thread with keys is not the program's to free.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void *work(void *unused) {
    pthread_setspecific(key, malloc(4));
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
