//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void fence(memory_order order) {
    atomic_thread_fence(order);
}

static void *writer(void *argument) {
    data = 1;
    fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        fence(memory_order_acquire);
        data = 2;
    }
    pthread_join(thread, 0);
}
