// What a thread does with its own variables is no step: only the one write counts. Main writes once too: 2 orders.
//@ property: assertion
//@ verdict: safe
//@ executions: 2
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    int sum = 0, cells[4];
    for (int i = 0; i < 4; i++)
        cells[i] = i;
    for (int i = 0; i < 4; i++)
        sum += cells[i];
    x = sum;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    x = 1;
    pthread_join(a, 0);
    assert(x == 1 || x == 6);
}
