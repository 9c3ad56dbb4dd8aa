//@ property: data-race, assertion
//@ verdict: bug
// All are given the address of the counter that goes on.
#include <assert.h>
#include <pthread.h>

void *work(void *number) {
    int n = *(int *)number; //~ BUG data-race
    assert(n < 2); //~ BUG assertion
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) //~ BUG data-race
        pthread_create(&t[i], 0, work, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
}
