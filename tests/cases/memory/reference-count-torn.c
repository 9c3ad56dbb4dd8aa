// The count is decremented and read again: both may see zero.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int references = 2;
char *object;

void *drop(void *unused) {
    __atomic_sub_fetch(&references, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&references, __ATOMIC_SEQ_CST) == 0)
        free(object); //~ BUG memory-safety
    return unused;
}

int main(void) {
    pthread_t a;
    object = malloc(1);
    pthread_create(&a, 0, drop, 0);
    drop(0);
    pthread_join(a, 0);
}
