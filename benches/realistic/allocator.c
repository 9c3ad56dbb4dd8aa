/*
 * A small memory allocator: free lists for two size classes, each with its lock,
 * over a first-fit arena.
 *
 * Every block has a header in front of it, and behind what the user asked for a
 * guard byte, which is checked when the block comes back. Small blocks go back
 * to the list of their class, large ones to the arena, which joins neighbours.
 *
 * BUG: the guard byte is forgotten when the size is computed.
 *   One thread allocates exactly the size of a class, and its guard lies on the header
 *   or the data of the next block, which belongs to another thread.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ARENA_SIZE 160u
#define ALIGNMENT 16u
#define GUARD 0xA5u
#define CLASSES 2
#define LARGE CLASSES /* the "class" of blocks that come from the arena directly */

#ifdef BUG
#define GUARD_SIZE 0u
#else
#define GUARD_SIZE 1u
#endif

static const uint16_t class_size[CLASSES] = { 16, 32 };

/* ---- blocks -------------------------------------------------------------------- */

struct header {
    uint16_t size;      /* bytes behind the header */
    uint16_t requested; /* what the user asked for; the guard is behind */
    uint8_t class;
    uint8_t in_use;
    uint16_t magic;
    struct header *next; /* in a free list */
};

#define MAGIC 0xBEEFu

_Static_assert(sizeof(struct header) % ALIGNMENT == 0, "headers keep the alignment");

static uint8_t *payload(struct header *block)
{
    return (uint8_t *)(block + 1);
}

static struct header *header_of(void *memory)
{
    return (struct header *)memory - 1;
}

static struct header *follower(struct header *block)
{
    return (struct header *)(payload(block) + block->size);
}

/* ---- the arena: all blocks in one row, first fit --------------------------------- */

struct arena {
    pthread_mutex_t lock;
    uint8_t *base;
    uint8_t *end;
};

static void block_init(struct header *block, size_t size)
{
    block->size = (uint16_t)size;
    block->requested = 0;
    block->class = LARGE;
    block->in_use = 0;
    block->magic = MAGIC;
    block->next = NULL;
}

static bool arena_init(struct arena *arena, size_t size)
{
    arena->base = malloc(size);
    if (arena->base == NULL)
        return false;
    if (pthread_mutex_init(&arena->lock, NULL) != 0) {
        free(arena->base);
        return false;
    }
    arena->end = arena->base + size;
    block_init((struct header *)arena->base, size - sizeof(struct header));
    return true;
}

static void arena_destroy(struct arena *arena)
{
    pthread_mutex_destroy(&arena->lock);
    free(arena->base);
}

/* Cut a free block in two if the rest can hold anything. */
static void block_split(struct header *block, size_t size)
{
    size_t rest = block->size - size;

    if (rest < sizeof(struct header) + ALIGNMENT)
        return;
    block->size = (uint16_t)size;
    block_init(follower(block), rest - sizeof(struct header));
}

/* The first free block of at least this size, a multiple of the alignment. */
static struct header *arena_take(struct arena *arena, size_t size)
{
    struct header *block, *found = NULL;

    pthread_mutex_lock(&arena->lock);
    block = (struct header *)arena->base;
    while (found == NULL && (uint8_t *)block < arena->end) {
        assert(block->magic == MAGIC);
        if (!block->in_use && block->size >= size) {
            block_split(block, size);
            block->in_use = 1;
            found = block;
        } else {
            block = follower(block);
        }
    }
    pthread_mutex_unlock(&arena->lock);
    return found;
}

/* Give a block back, and join all free neighbours. */
static void arena_return(struct arena *arena, struct header *returned)
{
    struct header *block;

    pthread_mutex_lock(&arena->lock);
    returned->in_use = 0;
    block = (struct header *)arena->base;
    while ((uint8_t *)block < arena->end) {
        struct header *next = follower(block);

        if (!block->in_use && (uint8_t *)next < arena->end && !next->in_use)
            block->size = (uint16_t)(block->size + sizeof(struct header) + next->size);
        else
            block = next;
    }
    pthread_mutex_unlock(&arena->lock);
}

/* ---- size classes ------------------------------------------------------------------ */

struct class_list {
    pthread_mutex_t lock;
    struct header *free;
};

struct heap {
    struct arena arena;
    struct class_list classes[CLASSES];
};

static bool heap_init(struct heap *heap)
{
    if (!arena_init(&heap->arena, ARENA_SIZE))
        return false;
    for (int i = 0; i < CLASSES; i++) {
        if (pthread_mutex_init(&heap->classes[i].lock, NULL) != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&heap->classes[i].lock);
            arena_destroy(&heap->arena);
            return false;
        }
        heap->classes[i].free = NULL;
    }
    return true;
}

static uint8_t class_for(size_t bytes)
{
    uint8_t class = 0;

    while (class < CLASSES && class_size[class] < bytes)
        class++;
    return class;
}

static struct header *class_take(struct class_list *list)
{
    struct header *block;

    pthread_mutex_lock(&list->lock);
    block = list->free;
    if (block != NULL)
        list->free = block->next;
    pthread_mutex_unlock(&list->lock);
    return block;
}

static void class_return(struct class_list *list, struct header *block)
{
    pthread_mutex_lock(&list->lock);
    block->next = list->free;
    list->free = block;
    pthread_mutex_unlock(&list->lock);
}

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Memory for so many bytes, or NULL. */
static void *heap_alloc(struct heap *heap, size_t bytes)
{
    size_t needed = bytes + GUARD_SIZE;
    uint8_t class = class_for(needed);
    struct header *block = NULL;

    if (bytes == 0 || bytes > ARENA_SIZE)
        return NULL;
    if (class != LARGE)
        block = class_take(&heap->classes[class]);
    if (block == NULL)
        block = arena_take(&heap->arena, class != LARGE ? class_size[class] : round_up(needed));
    if (block == NULL)
        return NULL;
    block->class = class;
    block->requested = (uint16_t)bytes;
    payload(block)[bytes] = GUARD;
    return payload(block);
}

static void heap_free(struct heap *heap, void *memory)
{
    struct header *block;

    if (memory == NULL)
        return;
    block = header_of(memory);
    assert(block->magic == MAGIC);
    assert(block->in_use);
    assert(payload(block)[block->requested] == GUARD); /* no overrun */
    if (block->class != LARGE)
        class_return(&heap->classes[block->class], block);
    else
        arena_return(&heap->arena, block);
}

/* Everything was freed: empty the lists, and the arena is one block again. */
static void heap_destroy(struct heap *heap)
{
    struct header *whole = (struct header *)heap->arena.base;

    for (int i = 0; i < CLASSES; i++) {
        struct header *block;

        while ((block = class_take(&heap->classes[i])) != NULL)
            arena_return(&heap->arena, block);
        pthread_mutex_destroy(&heap->classes[i].lock);
    }
    assert(!whole->in_use);
    assert(whole->size == ARENA_SIZE - sizeof(struct header));
    arena_destroy(&heap->arena);
}

/* ---- scenario: two users fill their memory and look at it again --------------------- */

static struct heap heap;

struct user {
    pthread_t thread;
    size_t bytes;
    uint8_t pattern;
    bool served;
};

static void use_memory(struct user *user, size_t bytes)
{
    uint8_t *memory = heap_alloc(&heap, bytes);

    if (memory == NULL)
        return;
    memset(memory, user->pattern, bytes);
    assert(memory[0] == user->pattern);
    assert(memory[bytes - 1] == user->pattern);
    user->served = true;
    heap_free(&heap, memory);
}

static void *user_main(void *arg)
{
    struct user *self = arg;

    use_memory(self, self->bytes);
    return NULL;
}

int main(void)
{
    struct user users[2] = {
        { .bytes = 12 + __VERIFIER_nondet_uint() % 5, .pattern = 0x11 },
        { .bytes = 20, .pattern = 0x22 },
    };

    if (!heap_init(&heap)) {
        fprintf(stderr, "allocator: cannot make the heap\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&users[i].thread, NULL, user_main, &users[i]) != 0) {
            perror("allocator: pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(users[i].thread, NULL);
        assert(users[i].served);
    }
    use_memory(&users[0], 40);
    heap_destroy(&heap);
    return 0;
}
