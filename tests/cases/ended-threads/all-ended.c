// A thread that may have ended is there until it is joined.
//@ property: lock-misuse
//@ verdict: safe
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t go;

void *work(void *unused) {
    sem_wait(&go);
    return unused;
}

int main(void) {
    pthread_t a;
    struct sched_param parameters = {0};
    int policy;
    char name[16] = "";
    pthread_attr_t attributes;
    clockid_t clock;
    sem_init(&go, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_post(&go);
    pthread_getschedparam(a, &policy, &parameters);
    pthread_setschedparam(a, policy, &parameters);
    pthread_setschedprio(a, 0);
    pthread_setname_np(a, name);
    pthread_getattr_np(a, &attributes);
    pthread_getcpuclockid(a, &clock);
    pthread_join(a, 0);
}
