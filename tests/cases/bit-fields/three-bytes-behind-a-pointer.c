// Three bytes hold both neighbours, and a pointer leads to them.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct packet { char first; struct { unsigned left : 10; unsigned right : 10; }; char last; } all;
struct packet *packet = &all;

void *work(void *argument) {
    packet->left = 1000;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    packet->right = 7;
    pthread_join(thread, 0);
    assert(packet->left == 1000 && packet->right == 7); //~ BUG assertion
}
