/*
 * A concurrent hash map: separate chaining, a lock for each bucket of the first
 * table, growth under all locks.
 *
 * The number of locks is fixed; bucket b belongs to lock b % LOCKS, and tables
 * only double, so that a key keeps its lock for ever. Who needs several locks
 * takes them in ascending order.
 *
 * BUG: a transfer locks the key it takes from first, then the other.
 *   One thread moves from key 1 to key 2 and holds lock 0, the other one moves from 2
 *   to 1 and holds lock 1: each waits for the lock of the other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define LOCKS 2u
#define MAX_LOAD 1u /* entries per bucket before the table grows */

/* ---- the map ------------------------------------------------------------ */

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct map {
    pthread_mutex_t locks[LOCKS];
    struct entry **buckets; /* replaced under all locks, read under any */
    size_t bucket_count;    /* the same */
    atomic_size_t entries;
};

enum map_error { MAP_OK, MAP_EXISTS, MAP_MISSING, MAP_NO_MEMORY };

static unsigned hash(unsigned key)
{
    return key * 5u + 1u;
}

static size_t lock_of(unsigned key)
{
    return hash(key) % LOCKS;
}

/* The caller holds a lock. */
static struct entry **bucket_of(struct map *map, unsigned key)
{
    return &map->buckets[hash(key) % map->bucket_count];
}

/* The caller holds the lock of the key. */
static struct entry *find(struct map *map, unsigned key)
{
    struct entry *entry = *bucket_of(map, key);

    while (entry != NULL && entry->key != key)
        entry = entry->next;
    return entry;
}

static bool map_init(struct map *map)
{
    map->buckets = calloc(LOCKS, sizeof(struct entry *));
    if (map->buckets == NULL)
        return false;
    map->bucket_count = LOCKS;
    atomic_init(&map->entries, 0);
    for (size_t i = 0; i < LOCKS; i++) {
        if (pthread_mutex_init(&map->locks[i], NULL) != 0) {
            while (i-- > 0)
                pthread_mutex_destroy(&map->locks[i]);
            free(map->buckets);
            return false;
        }
    }
    return true;
}

static void map_destroy(struct map *map)
{
    for (size_t b = 0; b < map->bucket_count; b++) {
        struct entry *entry = map->buckets[b];

        while (entry != NULL) {
            struct entry *next = entry->next;

            free(entry);
            entry = next;
        }
    }
    free(map->buckets);
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&map->locks[i]);
}

static void lock_all(struct map *map)
{
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_lock(&map->locks[i]);
}

static void unlock_all(struct map *map)
{
    for (size_t i = LOCKS; i-- > 0;)
        pthread_mutex_unlock(&map->locks[i]);
}

/* Double the table, unless another thread did it in the meantime. */
static enum map_error map_grow(struct map *map, size_t seen_count)
{
    struct entry **buckets;
    size_t count;

    lock_all(map);
    if (map->bucket_count != seen_count) {
        unlock_all(map);
        return MAP_OK;
    }
    count = seen_count * 2;
    buckets = calloc(count, sizeof(struct entry *));
    if (buckets == NULL) {
        unlock_all(map);
        return MAP_NO_MEMORY;
    }
    for (size_t b = 0; b < seen_count; b++) {
        struct entry *entry = map->buckets[b];

        while (entry != NULL) {
            struct entry *next = entry->next;
            size_t target = hash(entry->key) % count;

            assert(target % LOCKS == b % LOCKS);
            entry->next = buckets[target];
            buckets[target] = entry;
            entry = next;
        }
    }
    free(map->buckets);
    map->buckets = buckets;
    map->bucket_count = count;
    unlock_all(map);
    return MAP_OK;
}

static enum map_error map_insert(struct map *map, unsigned key, int value)
{
    pthread_mutex_t *lock = &map->locks[lock_of(key)];
    struct entry *entry = malloc(sizeof *entry);
    struct entry **bucket;
    size_t entries, bucket_count;

    if (entry == NULL)
        return MAP_NO_MEMORY;
    entry->key = key;
    entry->value = value;

    pthread_mutex_lock(lock);
    if (find(map, key) != NULL) {
        pthread_mutex_unlock(lock);
        free(entry);
        return MAP_EXISTS;
    }
    bucket = bucket_of(map, key);
    entry->next = *bucket;
    *bucket = entry;
    entries = atomic_fetch_add(&map->entries, 1) + 1;
    bucket_count = map->bucket_count;
    pthread_mutex_unlock(lock);

    if (entries > bucket_count * MAX_LOAD)
        return map_grow(map, bucket_count);
    return MAP_OK;
}

static enum map_error map_remove(struct map *map, unsigned key, int *value)
{
    pthread_mutex_t *lock = &map->locks[lock_of(key)];
    struct entry **link;
    struct entry *entry;

    pthread_mutex_lock(lock);
    link = bucket_of(map, key);
    while (*link != NULL && (*link)->key != key)
        link = &(*link)->next;
    entry = *link;
    if (entry == NULL) {
        pthread_mutex_unlock(lock);
        return MAP_MISSING;
    }
    *link = entry->next;
    atomic_fetch_sub(&map->entries, 1);
    pthread_mutex_unlock(lock);

    *value = entry->value;
    free(entry);
    return MAP_OK;
}

static enum map_error map_get(struct map *map, unsigned key, int *value)
{
    pthread_mutex_t *lock = &map->locks[lock_of(key)];
    struct entry *entry;

    pthread_mutex_lock(lock);
    entry = find(map, key);
    if (entry != NULL)
        *value = entry->value;
    pthread_mutex_unlock(lock);
    return entry != NULL ? MAP_OK : MAP_MISSING;
}

static void lock_pair(struct map *map, size_t a, size_t b)
{
#ifndef BUG
    if (a > b) {
        size_t t = a;

        a = b;
        b = t;
    }
#endif
    pthread_mutex_lock(&map->locks[a]);
    if (a != b)
        pthread_mutex_lock(&map->locks[b]);
}

static void unlock_pair(struct map *map, size_t a, size_t b)
{
    pthread_mutex_unlock(&map->locks[a]);
    if (a != b)
        pthread_mutex_unlock(&map->locks[b]);
}

/* Move an amount from one key to another, in one step for all observers. */
static enum map_error map_transfer(struct map *map, unsigned from, unsigned to, int amount)
{
    size_t a = lock_of(from), b = lock_of(to);
    enum map_error error = MAP_MISSING;
    struct entry *source, *target;

    lock_pair(map, a, b);
    source = find(map, from);
    target = find(map, to);
    if (source != NULL && target != NULL) {
        source->value -= amount;
        target->value += amount;
        error = MAP_OK;
    }
    unlock_pair(map, a, b);
    return error;
}

/* ---- scenario: two transfers in opposite directions, and a growth --------- */

static struct map map;

static void check(enum map_error error, const char *what)
{
    if (error == MAP_OK)
        return;
    fprintf(stderr, "hash_map: %s: error %d\n", what, (int)error);
    exit(EXIT_FAILURE);
}

static void *forth_main(void *arg)
{
    const unsigned *amount = arg;

    check(map_transfer(&map, 1, 2, (int)*amount), "transfer 1 to 2");
    return NULL;
}

static void *back_main(void *arg)
{
    int value = 0;

    (void)arg;
    check(map_insert(&map, 3, 7), "insert 3");
    check(map_transfer(&map, 2, 1, 30), "transfer 2 to 1");
    check(map_remove(&map, 3, &value), "remove 3");
    assert(value == 7);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    unsigned amount = __VERIFIER_nondet_uint() % 50;
    int first = 0, second = 0, third = 0;
    enum map_error missing;

    if (!map_init(&map))
        return EXIT_FAILURE;
    check(map_insert(&map, 1, 100), "insert 1");
    check(map_insert(&map, 2, 100), "insert 2");

    if (pthread_create(&threads[0], NULL, forth_main, &amount) != 0
        || pthread_create(&threads[1], NULL, back_main, NULL) != 0) {
        perror("hash_map: pthread_create");
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);

    check(map_get(&map, 1, &first), "get 1");
    check(map_get(&map, 2, &second), "get 2");
    missing = map_get(&map, 3, &third);
    assert(missing == MAP_MISSING);
    assert(first == 130 - (int)amount);
    assert(second == 70 + (int)amount);
    assert(map.bucket_count == 2 * LOCKS);
    assert(atomic_load(&map.entries) == 2);
    map_destroy(&map);
    return 0;
}
