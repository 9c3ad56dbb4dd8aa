//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

struct guarded {
    pthread_mutex_t mutex;
    int value;
};

int main(void) {
    struct guarded first, second;
    pthread_mutex_init(&first.mutex, 0);
    first.value = 0;
    second = first;
    pthread_mutex_lock(&second.mutex); //~ BUG lock-misuse
}
