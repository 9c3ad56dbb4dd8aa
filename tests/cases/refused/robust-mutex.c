//@ property: assertion
//@ verdict: unknown
//@ reason: pthread_mutexattr_setrobust
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
}
