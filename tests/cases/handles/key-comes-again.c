//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t a, b;
    pthread_key_create(&a, 0);
    pthread_key_delete(a);
    pthread_key_create(&b, 0);
    assert(a != b); //~ BUG assertion
}
