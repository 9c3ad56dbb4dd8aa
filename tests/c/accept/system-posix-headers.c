// The headers of a typical threaded program.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <sys/types.h>
#include <sys/time.h>
#include <fcntl.h>
#include <sched.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int shared;
static void *worker(void *argument)
{
    pthread_mutex_lock(&lock);
    shared += *(int *)argument;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    sem_post(&semaphore);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    int values[2] = {1, 2};
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, &values[i]) != 0) { perror("create"); exit(EXIT_FAILURE); }
    pthread_mutex_lock(&lock);
    while (shared < 3) pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(shared == 3);
    fprintf(stderr, "%d %s %d\n", argc, strerror(errno), (int)strlen(argv[0]));
    return 0;
}
