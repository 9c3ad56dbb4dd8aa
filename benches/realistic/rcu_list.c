/*
 * A sorted list that readers walk without locks, in the manner of read-copy-
 * update, with epochs and deferred frees.
 *
 * A reader announces the epoch in which it began and takes the announcement back
 * when it leaves. A writer unlinks a node, starts a new epoch and puts the node
 * aside with the number of that epoch; it may be freed when no reader is left
 * that began before. Writers never wait for readers.
 *
 * BUG: a new node is linked by a relaxed store.
 *   The writer fills a node and links it; a reader follows the link, but nothing orders
 *   the writer's plain stores to key and value before the reader's loads of them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define READERS 2
#define QUIESCENT 0u

#ifdef BUG
#define PUBLISH_ORDER __ATOMIC_RELAXED
#else
#define PUBLISH_ORDER __ATOMIC_SEQ_CST
#endif

/* ---- epochs ------------------------------------------------------------------- */

struct reader_slot {
    unsigned epoch; /* atomic: the epoch of a reader inside, or QUIESCENT */
};

struct epochs {
    unsigned current; /* atomic */
    struct reader_slot readers[READERS];
};

static struct epochs epochs = { .current = 1 };

static void read_enter(struct reader_slot *slot)
{
    unsigned now = __atomic_load_n(&epochs.current, __ATOMIC_SEQ_CST);

    /* Announce first, read links second: both in the single total order. A
     * stale epoch only delays a free. */
    __atomic_store_n(&slot->epoch, now, __ATOMIC_SEQ_CST);
}

static void read_leave(struct reader_slot *slot)
{
    __atomic_store_n(&slot->epoch, QUIESCENT, __ATOMIC_RELEASE);
}

static unsigned epoch_advance(void)
{
    return __atomic_add_fetch(&epochs.current, 1, __ATOMIC_SEQ_CST);
}

/* Whether every reader that is inside began in this epoch or later. */
static bool epoch_is_past(unsigned epoch)
{
    for (int i = 0; i < READERS; i++) {
        unsigned seen = __atomic_load_n(&epochs.readers[i].epoch, __ATOMIC_SEQ_CST);

        if (seen != QUIESCENT && seen < epoch)
            return false;
    }
    return true;
}

/* ---- the list ------------------------------------------------------------------- */

struct node {
    int key;
    int value;
    struct node *next;    /* atomic */
    unsigned retired_in;  /* the writer's: epoch that began after unlinking */
    struct node *retired; /* the writer's: next in the list of retired nodes */
};

struct list {
    struct node *head; /* atomic */
    pthread_mutex_t write_lock;
    struct node *retired;
};

static struct node *link_load(struct node **link)
{
    return __atomic_load_n(link, __ATOMIC_SEQ_CST);
}

/* Makes the node and what was written to it visible. */
static void link_publish(struct node **link, struct node *node)
{
    __atomic_store_n(link, node, PUBLISH_ORDER);
}

static bool list_init(struct list *list)
{
    list->head = NULL;
    list->retired = NULL;
    return pthread_mutex_init(&list->write_lock, NULL) == 0;
}

/* The first link whose node has this key or a larger one, or the last link. */
static struct node **list_locate(struct list *list, int key)
{
    struct node **link = &list->head;
    struct node *node;

    while ((node = link_load(link)) != NULL && node->key < key)
        link = &node->next;
    return link;
}

/* The caller holds the write lock, and has unlinked the node. */
static void list_retire(struct list *list, struct node *node)
{
    node->retired_in = epoch_advance();
    node->retired = list->retired;
    list->retired = node;
}

/* Free what no reader can reach any more. The caller holds the write lock. */
static unsigned list_reclaim(struct list *list)
{
    struct node **link = &list->retired;
    unsigned freed = 0;

    while (*link != NULL) {
        struct node *node = *link;

        if (epoch_is_past(node->retired_in)) {
            *link = node->retired;
            free(node);
            freed++;
        } else {
            link = &node->retired;
        }
    }
    return freed;
}

/* Insert, or replace the node that has the key: nodes are never changed. */
static bool list_set(struct list *list, int key, int value)
{
    struct node *node = malloc(sizeof *node);
    struct node **link;
    struct node *old;

    if (node == NULL)
        return false;
    node->key = key;
    node->value = value;
    pthread_mutex_lock(&list->write_lock);
    link = list_locate(list, key);
    old = link_load(link);
    if (old != NULL && old->key == key) {
        node->next = link_load(&old->next);
        link_publish(link, node);
        list_retire(list, old);
    } else {
        node->next = old;
        link_publish(link, node);
    }
    list_reclaim(list);
    pthread_mutex_unlock(&list->write_lock);
    return true;
}

static bool list_remove(struct list *list, int key)
{
    struct node **link;
    struct node *node;
    bool found;

    pthread_mutex_lock(&list->write_lock);
    link = list_locate(list, key);
    node = link_load(link);
    found = node != NULL && node->key == key;
    if (found) {
        __atomic_store_n(link, link_load(&node->next), __ATOMIC_SEQ_CST);
        list_retire(list, node);
    }
    list_reclaim(list);
    pthread_mutex_unlock(&list->write_lock);
    return found;
}

/* Nobody uses the list any more. */
static unsigned list_destroy(struct list *list)
{
    unsigned reclaimed = list_reclaim(list);

    assert(list->retired == NULL);
    while (list->head != NULL) {
        struct node *node = list->head;

        list->head = node->next;
        free(node);
    }
    pthread_mutex_destroy(&list->write_lock);
    return reclaimed;
}

/* ---- reading ---------------------------------------------------------------------- */

/* Readers see a node and its value together, and keys in ascending order. */
static bool list_get(struct list *list, struct reader_slot *slot, int key, int *value)
{
    struct node *node;
    int last_key = -1;
    bool found = false;

    read_enter(slot);
    node = link_load(&list->head);
    while (node != NULL && node->key <= key) {
        assert(node->key > last_key);
        last_key = node->key;
        if (node->key == key) {
            *value = node->value;
            found = true;
            break;
        }
        node = link_load(&node->next);
    }
    read_leave(slot);
    return found;
}

/* ---- scenario: key 1 is replaced, key 2 inserted, perhaps key 1 removed ------------ */

static struct list list;

struct reader {
    pthread_t thread;
    struct reader_slot *slot;
    int key;
};

static void *reader_main(void *arg)
{
    struct reader *self = arg;
    int value = 0;

    if (list_get(&list, self->slot, self->key, &value))
        assert(value == 10 * self->key || value == 10 * self->key + 1);
    return NULL;
}

static void fail(const char *what)
{
    fprintf(stderr, "rcu_list: %s\n", what);
    exit(EXIT_FAILURE);
}

int main(void)
{
    bool removing = __VERIFIER_nondet_uint() % 2 == 1;
    struct reader readers[READERS];
    int value = 0;
    unsigned reclaimed;
    bool found;

    if (!list_init(&list) || !list_set(&list, 1, 10))
        fail("cannot prepare the list");
    for (int i = 0; i < READERS; i++) {
        readers[i].slot = &epochs.readers[i];
        readers[i].key = i + 1;
        if (pthread_create(&readers[i].thread, NULL, reader_main, &readers[i]) != 0)
            fail("cannot start a reader");
    }
    if (!list_set(&list, 1, 11) || !list_set(&list, 2, 20))
        fail("out of memory");
    if (removing) {
        found = list_remove(&list, 1);
        assert(found);
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i].thread, NULL);

    found = list_get(&list, &epochs.readers[0], 1, &value);
    assert(found == !removing);
    assert(removing || value == 11);
    found = list_get(&list, &epochs.readers[0], 2, &value);
    assert(found && value == 20);
    assert(epochs.current == (removing ? 3u : 2u));
    reclaimed = list_destroy(&list);
    assert(reclaimed <= 2);
    return 0;
}
