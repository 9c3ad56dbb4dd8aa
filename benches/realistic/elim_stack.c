/*
 * A lock-free stack with elimination back-off (Hendler, Shavit, Yerushalmi,
 * SPAA 2004) over a fixed pool of nodes.
 *
 * Nodes are named by index. A head is one 64-bit word: an index and a tag that
 * every exchange increments, so that a head that went away and came back is not
 * taken for one that stayed. Who fails at the head visits the exchanger: a
 * pusher offers its node there for a while, a popper takes an offer.
 *
 * BUG: the tag is not incremented.
 *   One thread reads head A and next B; the other pops A and B, releases both and pushes A
 *   again; the first one's exchange succeeds and makes B the head, which is free.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define POOL_SIZE 4
#define POPPERS 2
#define NIL UINT32_MAX
#define OFFER_SPINS 1

/* ---- tagged heads ------------------------------------------------------ */

typedef uint64_t head_word;

static head_word head_make(uint32_t index, uint32_t tag)
{
    return ((head_word)tag << 32) | index;
}

static uint32_t head_index(head_word head)
{
    return (uint32_t)head;
}

static uint32_t head_tag(head_word head)
{
    return (uint32_t)(head >> 32);
}

static uint32_t next_tag(head_word head)
{
#ifdef BUG
    return head_tag(head);
#else
    return head_tag(head) + 1;
#endif
}

/* ---- nodes and lists of nodes ------------------------------------------ */

struct node {
    int value;             /* belongs to who holds the node */
    _Atomic uint32_t next; /* others may look at it at any time */
};

struct list {
    _Atomic head_word head;
};

static struct node pool[POOL_SIZE];

static void list_init(struct list *list)
{
    atomic_init(&list->head, head_make(NIL, 0));
}

/* One attempt to link a node; false if another thread was faster. */
static bool list_try_push(struct list *list, uint32_t index)
{
    head_word head = atomic_load_explicit(&list->head, memory_order_acquire);

    atomic_store_explicit(&pool[index].next, head_index(head), memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&list->head, &head,
                                                   head_make(index, next_tag(head)),
                                                   memory_order_acq_rel, memory_order_acquire);
}

enum attempt { ATTEMPT_DONE, ATTEMPT_EMPTY, ATTEMPT_LOST };

static enum attempt list_try_pop(struct list *list, uint32_t *index)
{
    head_word head = atomic_load_explicit(&list->head, memory_order_acquire);
    uint32_t first = head_index(head);
    uint32_t next;

    if (first == NIL)
        return ATTEMPT_EMPTY;
    next = atomic_load_explicit(&pool[first].next, memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&list->head, &head,
                                                 head_make(next, next_tag(head)),
                                                 memory_order_acq_rel, memory_order_acquire))
        return ATTEMPT_LOST;
    *index = first;
    return ATTEMPT_DONE;
}

/* ---- the free nodes ----------------------------------------------------- */

static struct list free_nodes;

static void node_release(uint32_t index)
{
    while (!list_try_push(&free_nodes, index))
        continue;
}

static uint32_t node_acquire(void)
{
    uint32_t index = NIL;

    while (list_try_pop(&free_nodes, &index) == ATTEMPT_LOST)
        continue;
    return index;
}

static void pool_init(void)
{
    list_init(&free_nodes);
    for (uint32_t i = 0; i < POOL_SIZE; i++) {
        atomic_init(&pool[i].next, NIL);
        node_release(i);
    }
}

static unsigned pool_count(void)
{
    unsigned count = 0;
    uint32_t index = head_index(atomic_load(&free_nodes.head));

    while (index != NIL && count <= POOL_SIZE) {
        count++;
        index = atomic_load(&pool[index].next);
    }
    return count;
}

/* ---- the exchanger ------------------------------------------------------ */

#define SLOT_EMPTY NIL
#define SLOT_TAKEN (NIL - 1)

struct stack {
    struct list list;
    _Atomic uint32_t slot; /* empty, taken, or the index on offer */
};

static void stack_init(struct stack *stack)
{
    list_init(&stack->list);
    atomic_init(&stack->slot, SLOT_EMPTY);
}

/* Offer a node for a while; true if a popper took it. */
static bool exchanger_offer(struct stack *stack, uint32_t index)
{
    uint32_t expected = SLOT_EMPTY;

    if (!atomic_compare_exchange_strong_explicit(&stack->slot, &expected, index,
                                                 memory_order_acq_rel, memory_order_acquire))
        return false; /* another pusher is here */
    for (int spin = 0; spin < OFFER_SPINS; spin++)
        if (atomic_load_explicit(&stack->slot, memory_order_relaxed) == SLOT_TAKEN)
            break;
    expected = index;
    if (atomic_compare_exchange_strong_explicit(&stack->slot, &expected, SLOT_EMPTY,
                                                memory_order_acq_rel, memory_order_acquire))
        return false; /* withdrawn */
    assert(expected == SLOT_TAKEN);
    atomic_store_explicit(&stack->slot, SLOT_EMPTY, memory_order_release);
    return true;
}

/* Take an offer, if there is one. */
static bool exchanger_take(struct stack *stack, uint32_t *index)
{
    uint32_t offered = atomic_load_explicit(&stack->slot, memory_order_acquire);

    if (offered == SLOT_EMPTY || offered == SLOT_TAKEN)
        return false;
    if (!atomic_compare_exchange_strong_explicit(&stack->slot, &offered, SLOT_TAKEN,
                                                 memory_order_acq_rel, memory_order_acquire))
        return false;
    *index = offered;
    return true;
}

/* ---- the stack ----------------------------------------------------------- */

static bool stack_push(struct stack *stack, int value)
{
    uint32_t index = node_acquire();

    if (index == NIL)
        return false;
    pool[index].value = value;
    while (!list_try_push(&stack->list, index))
        if (exchanger_offer(stack, index))
            break;
    return true;
}

/* The caller gets the node and releases it. */
static bool stack_detach(struct stack *stack, uint32_t *index)
{
    for (;;) {
        switch (list_try_pop(&stack->list, index)) {
        case ATTEMPT_DONE:
            return true;
        case ATTEMPT_EMPTY:
            return false;
        case ATTEMPT_LOST:
            if (exchanger_take(stack, index))
                return true;
            break;
        }
    }
}

static bool stack_pop(struct stack *stack, int *value)
{
    uint32_t index;

    if (!stack_detach(stack, &index))
        return false;
    *value = pool[index].value;
    node_release(index);
    return true;
}

/* Replace the two topmost values by their sum. */
static void stack_add(struct stack *stack)
{
    uint32_t first, second;
    int sum;

    if (!stack_detach(stack, &first))
        return;
    sum = pool[first].value;
    if (stack_detach(stack, &second)) {
        sum += pool[second].value;
        node_release(second);
    }
    node_release(first);
    if (!stack_push(stack, sum)) {
        fprintf(stderr, "elim_stack: no node left\n");
        exit(EXIT_FAILURE);
    }
}

/* ---- scenario: two threads pop, one adds ----------------------------------- */

static struct stack stack;

struct popper {
    pthread_t thread;
    bool found;
    int value;
};

static void *popper_main(void *arg)
{
    struct popper *self = arg;

    self->found = stack_pop(&stack, &self->value);
    return NULL;
}

static void *adder_main(void *arg)
{
    (void)arg;
    stack_add(&stack);
    return NULL;
}

static void start(pthread_t *thread, void *(*body)(void *), void *arg)
{
    if (pthread_create(thread, NULL, body, arg) != 0) {
        perror("elim_stack: pthread_create");
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    struct popper poppers[POPPERS] = { { .found = false }, { .found = false } };
    pthread_t adder;
    int sum = 0;
    int value;
    unsigned left = 0;

    pool_init();
    stack_init(&stack);
    if (!stack_push(&stack, 1) || !stack_push(&stack, 2) || !stack_push(&stack, 4))
        return EXIT_FAILURE;

    start(&adder, adder_main, NULL);
    for (int i = 0; i < POPPERS; i++)
        start(&poppers[i].thread, popper_main, &poppers[i]);
    pthread_join(adder, NULL);
    for (int i = 0; i < POPPERS; i++) {
        pthread_join(poppers[i].thread, NULL);
        if (poppers[i].found)
            sum += poppers[i].value;
    }
    while (left <= POOL_SIZE && stack_pop(&stack, &value)) {
        sum += value;
        left++;
    }
    /* Values are added and moved, never lost and never doubled. */
    assert(sum == 7);
    assert(left <= 2);
    assert(atomic_load(&stack.slot) == SLOT_EMPTY);
    assert(pool_count() == POOL_SIZE);
    return 0;
}
