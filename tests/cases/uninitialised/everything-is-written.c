//@ property: uninitialised, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    int *numbers = argument;
    numbers[1] = numbers[0] + 1;
    return numbers;
}

int main(void) {
    pthread_t a;
    void *result;
    int *numbers = malloc(2 * sizeof *numbers);
    int *zeros = calloc(2, sizeof *zeros);
    numbers[0] = 1;
    pthread_create(&a, 0, work, numbers);
    pthread_join(a, &result);
    int *seen = result;
    assert(seen[1] == 2 && zeros[1] == 0);
    free(numbers);
    free(zeros);
}
