//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int order[3], count;

void note(void *number) {
    order[count++] = (int)(long)number;
}

void deeper(void) {
    pthread_cleanup_push(note, (void *)2);
    pthread_cleanup_push(note, (void *)9);
    pthread_cleanup_pop(0);
    pthread_exit((void *)7);
    pthread_cleanup_pop(1);
}

void *work(void *unused) {
    pthread_cleanup_push(note, (void *)1);
    deeper();
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, &result);
    assert(result == (void *)7);
    assert(count == 2 && order[0] == 2 && order[1] == 1);
}
