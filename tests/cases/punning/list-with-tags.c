// Nodes with a number between two pointers; which node it is, is not known.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { void *data; int tag; struct node *next; };
static struct node *head;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int one = 1, two = 2;

static void *push(void *data) {
    struct node *node = malloc(sizeof *node);
    node->data = data;
    node->tag = 7;
    pthread_mutex_lock(&mutex);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, push, &one);
    push(&two);
    pthread_join(thread, 0);
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        struct node *node = head;
        head = node->next;
        sum += *(int *)node->data;
        assert(node->tag == 7);
        free(node);
    }
    assert(sum == 3 && head == 0);
}
