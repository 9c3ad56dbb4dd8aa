//@ property: data-race
//@ verdict: safe
// Only the first two bytes are read, and no end is looked for.
#include <pthread.h>
#include <stdio.h>

char name[3] = {'a', 'b', 'x'};

void *change(void *unused) {
    name[2] = 'y';
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, change, 0);
    printf("%.2s %.*s\n", name, 1, name);
    pthread_join(a, 0);
}
