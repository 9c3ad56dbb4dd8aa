//@ property: assertion
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

int main(void) {
    char name[16];
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "worker") == 0);
    assert(pthread_setname_np(pthread_self(), "far too long a name") != 0);
}
