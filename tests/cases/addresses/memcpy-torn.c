// `memcpy` of a structure of two `int`s, which are aligned to four bytes: another thread sees one of them copied.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <string.h>

char before;
struct pair { int a, b; } to, from = {1, 2};

void *work(void *argument) {
    memcpy(&to, &from, sizeof to);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int a = to.a;
    int b = to.b;
    assert(!(a == 1 && b == 0)); //~ BUG assertion
    pthread_join(thread, 0);
}
