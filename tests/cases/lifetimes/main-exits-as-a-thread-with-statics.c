//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct argument { int id; };

void *work(void *given) {
    assert(((struct argument *)given)->id == 3);
    return 0;
}

int main(void) {
    static struct argument argument;
    pthread_t a;
    argument.id = 3;
    pthread_create(&a, 0, work, &argument);
    pthread_exit(0);
}
