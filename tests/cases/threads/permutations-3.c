// Three threads start in one step; each then writes once, and main is gone: 3! orders.
//@ property: assertion
//@ verdict: safe
//@ executions: 6
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int cells[3];

void *write_cell(void *index) {
    cells[(long)index] = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    __VERIFIER_atomic_begin();
    for (long i = 0; i < 3; i++)
        pthread_create(&t, 0, write_cell, (void *)i);
    __VERIFIER_atomic_end();
    pthread_exit(0);
}
