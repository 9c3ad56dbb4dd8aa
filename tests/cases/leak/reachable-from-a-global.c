//@ property: leak
//@ verdict: safe
// Nobody frees the list, but its head is a global: it is still reachable at the end.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int number;
    struct node *next;
};

struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
