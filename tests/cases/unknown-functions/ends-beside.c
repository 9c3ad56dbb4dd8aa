//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `use`, which has no body
// The variable may end while the function runs.
#include <pthread.h>

void use(int *place);
static pthread_t thread;

static void *work(void *place) {
    use(place);
    return 0;
}

static void start(void) {
    int local = 0;
    pthread_create(&thread, 0, work, &local);
}

int main(void) {
    start();
    pthread_join(thread, 0);
    return 0;
}
