//@ property: data-race
//@ verdict: bug
// Main has joined another one when it reads.
#include <pthread.h>

int cells[3];

void *work(void *cell) {
    *(int *)cell += 1; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t t[3];
    int sum = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, &cells[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], 0);
        sum += cells[2 - i]; //~ BUG data-race
    }
    return sum;
}
