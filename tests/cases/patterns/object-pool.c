// Two threads take objects from a pool of two; they must get different ones.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int used[2], owner[2];

int take(int me) {
    for (int i = 0; i < 2; i++)
        if (!used[i]) {
            used[i] = 1;
            owner[i] = me;
            return i;
        }
    return -1;
}

void *work(void *number) {
    int me = 1 + (int)(long)number;
    int mine = take(me);
    if (mine >= 0)
        assert(owner[mine] == me); //~ BUG assertion
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
