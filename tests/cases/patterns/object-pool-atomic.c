//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int used[2];
int owner[2];

int take(int me) {
    for (int i = 0; i < 2; i++)
        if (!atomic_exchange(&used[i], 1)) {
            owner[i] = me;
            return i;
        }
    return -1;
}

void *work(void *number) {
    int me = 1 + (int)(long)number;
    int mine = take(me);
    assert(mine >= 0 && owner[mine] == me);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
