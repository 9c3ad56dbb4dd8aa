// Peterson's filter lock for three: two levels, at each of which one stays behind.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int level[3], last[3], inside;

int somebody_above(int me, int at) {
    for (int other = 0; other < 3; other++)
        if (other != me && level[other] >= at)
            return 1;
    return 0;
}

void *work(void *number) {
    int me = (int)(long)number;
    for (int at = 1; at < 3; at++) {
        level[me] = at;
        last[at] = me;
        while (somebody_above(me, at) && last[at] == me)
            ;
    }
    inside++;
    assert(inside == 1);
    inside--;
    level[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)2);
    work((void *)0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
