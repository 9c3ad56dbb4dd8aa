//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void *work(void *unused) {
    struct timespec before, after;
    assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
    usleep(10);
    assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
    assert(after.tv_nsec >= 0 && after.tv_nsec < 1000000000);
    assert(after.tv_sec > before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
    return unused;
}

int main(void) {
    pthread_t a;
    struct timeval now;
    struct timespec calendar;
    time_t seconds = time(0);
    pthread_create(&a, 0, work, 0);
    assert(gettimeofday(&now, 0) == 0 && now.tv_usec >= 0 && now.tv_usec < 1000000);
    assert(timespec_get(&calendar, TIME_UTC) == TIME_UTC);
    assert(time(0) >= seconds);
    pthread_join(a, 0);
}
