/*
 * A sorted list with a lock in each node. Threads go hand over hand: they lock
 * the next node before they unlock the last one. Any number of threads.
 *
 * BUG: a thread unlocks the last node before it locks the next one.
 *   In between another thread removes and frees that next node.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node *head; /* its key is less than all others, its next may be null */

static struct node *node_new(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);

    if (n == NULL)
        exit(EXIT_FAILURE);
    pthread_mutex_init(&n->lock, NULL);
    n->key = key;
    n->next = next;
    return n;
}

/* The last node with a smaller key, locked. */
static struct node *list_find(int key)
{
    struct node *last = head;
    struct node *next;

    pthread_mutex_lock(&last->lock);
    while ((next = last->next) != NULL && next->key < key) {
        assert(last->key < next->key);
#ifdef BUG
        pthread_mutex_unlock(&last->lock);
        pthread_mutex_lock(&next->lock);
#else
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&last->lock);
#endif
        last = next;
    }
    return last;
}

static bool list_insert(int key)
{
    struct node *last = list_find(key);
    bool fresh = last->next == NULL || last->next->key != key;

    assert(last->key < key);
    if (fresh)
        last->next = node_new(key, last->next);
    pthread_mutex_unlock(&last->lock);
    return fresh;
}

static bool list_remove(int key)
{
    struct node *last = list_find(key);
    struct node *n = last->next;
    bool found = n != NULL && n->key == key;

    assert(last->key < key);
    if (found) {
        /* Whoever is at this node goes on first; nobody new can come. */
        pthread_mutex_lock(&n->lock);
        last->next = n->next;
        pthread_mutex_unlock(&n->lock);
        pthread_mutex_destroy(&n->lock);
        free(n);
    }
    pthread_mutex_unlock(&last->lock);
    return found;
}

static void *client_main(void *arg)
{
    (void)arg;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key == INT_MIN)
            continue;
        if (__VERIFIER_nondet_int())
            list_insert(key);
        else
            list_remove(key);
    }
    return NULL;
}

int main(void)
{
    head = node_new(INT_MIN, NULL);
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, client_main, NULL) != 0)
            break;
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
