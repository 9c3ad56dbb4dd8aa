// Main makes c1 c2 j1 j2 in this order; w1 goes between c1 and j1, w2 between c2 and j2. If w1 comes before c2, then w2
// comes before or after j1: 2 orders. If w1 comes after c2, then w2 comes before w1, between w1 and j1, or after j1: 3
// orders. 5 in all.
//@ property: assertion
//@ verdict: safe
//@ executions: 5
#include <pthread.h>

int cells[2];

void *write_cell(void *index) {
    cells[(long)index] = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write_cell, (void *)0);
    pthread_create(&b, 0, write_cell, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
