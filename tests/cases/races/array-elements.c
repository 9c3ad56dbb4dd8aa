//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

short cells[2];

void *work(void *index) {
    cells[(long)index]++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cells[0] == 1 && cells[1] == 1);
}
