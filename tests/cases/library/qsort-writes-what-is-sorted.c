//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int numbers[2] = {1, 2};

int compare(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

void *look(void *unused) {
    return numbers[1] == 7 ? unused : 0; //~ BUG data-race
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    qsort(numbers, 2, sizeof *numbers, compare); //~ BUG data-race
    pthread_join(a, 0);
}
