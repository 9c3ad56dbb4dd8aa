// The threads get the address of a variable that main goes on changing.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int sum[2];

void *work(void *index) {
    int mine = *(int *)index; //~ BUG data-race
    if (mine < 2)
        sum[0] = mine;
    return 0;
}

int main(void) {
    pthread_t a;
    int i = 0;
    pthread_create(&a, 0, work, &i);
    i = 1; //~ BUG data-race
    pthread_join(a, 0);
}
