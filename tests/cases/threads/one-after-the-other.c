// Main starts three threads one by one and is gone; each writes once, after it was started. The third start is the last
// of main's steps. The first write goes anywhere behind the first start, and so on: 5 * 3 * 1 = 15 orders of the six
// steps (of the six places the first start takes the first; its write one of the other 5; the second start takes the
// first place left; its write one of the other 3; then nothing is left to choose).
//@ property: assertion
//@ verdict: safe
//@ executions: 15
#include <pthread.h>

int cells[3];

void *write_cell(void *index) {
    cells[(long)index] = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    for (long i = 0; i < 3; i++)
        pthread_create(&t, 0, write_cell, (void *)i);
    pthread_exit(0);
}
