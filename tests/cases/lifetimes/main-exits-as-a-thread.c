// pthread_exit in main ends main's variables while the others go on.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

struct argument { int id; };
int last;

void *work(void *given) {
    last = ((struct argument *)given)->id; //~ BUG memory-safety
    return 0;
}

int main(void) {
    pthread_t threads[2];
    struct argument arguments[2];
    for (int i = 0; i < 2; i++) {
        arguments[i].id = i;
        pthread_create(&threads[i], 0, work, &arguments[i]);
    }
    pthread_exit(0);
}
