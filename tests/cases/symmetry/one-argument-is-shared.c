//@ property: data-race
//@ verdict: bug
// Two of three threads write the same cell.
#include <pthread.h>

int cells[2];

void *work(void *cell) {
    *(int *)cell += 1; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, work, &cells[0]);
    pthread_create(&t[1], 0, work, &cells[1]);
    pthread_create(&t[2], 0, work, &cells[0]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
