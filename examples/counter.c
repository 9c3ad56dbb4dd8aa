// Two threads count visitors. `visitors++` reads, adds and writes: the other thread may come in between.
#include <assert.h>
#include <pthread.h>

int visitors;

void *door(void *unused) {
    visitors++;
    return unused;
}

int main(void) {
    pthread_t front, back;
    pthread_create(&front, 0, door, 0);
    pthread_create(&back, 0, door, 0);
    pthread_join(front, 0);
    pthread_join(back, 0);
    assert(visitors == 2);
    return 0;
}
