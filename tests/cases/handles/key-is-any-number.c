//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &key);
    assert(pthread_getspecific(key) == &key);
    assert(key != 0); //~ BUG assertion
}
