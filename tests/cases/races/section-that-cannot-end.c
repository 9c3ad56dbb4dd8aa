// The section writes the pointer, and cannot go on: nothing of it happens, so nothing of it races.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int y = 1, *p = &y;

void *advance(void *unused) {
    __VERIFIER_atomic_begin();
    p++;
    int seen = *p; //~ UNDEFINED memory-safety
    (void)seen;
    __VERIFIER_atomic_end();
    return unused;
}
void *write(void *unused) {
    *p = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write, 0);
    pthread_create(&b, 0, advance, 0);
}
