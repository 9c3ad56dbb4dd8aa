//@ property: data-race
//@ verdict: unknown
//@ reason: depends on `use`, which has no body
// It may be freed while the function runs.
#include <pthread.h>
#include <stdlib.h>

void use(int *place);
static int *place;

static void *work(void *unused) {
    use(place);
    return unused;
}

int main(void) {
    pthread_t thread;
    place = malloc(sizeof *place);
    pthread_create(&thread, 0, work, 0);
    free(place);
    pthread_join(thread, 0);
    return 0;
}
