/*
 * A cache behind a reader-writer lock, with eviction of the entry that was used
 * longest ago.
 *
 * Look-ups share the lock; what is missing is loaded without it and inserted
 * under the exclusive one. Entries are counted: the cache holds a reference,
 * and so does everybody who got the entry. So eviction only takes an entry out
 * of the list, and the last user frees it.
 *
 * BUG: a look-up leaves the lock before it takes its reference.
 *   A reader finds the entry and unlocks; another thread inserts, evicts that entry and
 *   drops the last reference, which frees it; the reader increments a freed counter.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define CAPACITY 2

/* ---- entries -------------------------------------------------------------- */

struct entry {
    int key;
    int value;
    atomic_int references;
    atomic_uint last_use; /* written by readers too */
    struct entry *next;
};

static atomic_int live_entries;

static struct entry *entry_new(int key, int value)
{
    struct entry *entry = malloc(sizeof *entry);

    if (entry == NULL)
        return NULL;
    entry->key = key;
    entry->value = value;
    entry->next = NULL;
    atomic_init(&entry->references, 1);
    atomic_init(&entry->last_use, 0);
    atomic_fetch_add(&live_entries, 1);
    return entry;
}

static void entry_get(struct entry *entry)
{
    int before = atomic_fetch_add_explicit(&entry->references, 1, memory_order_relaxed);

    assert(before > 0);
}

static void entry_put(struct entry *entry)
{
    /* The last one must see all that the others did to the entry. */
    int before = atomic_fetch_sub_explicit(&entry->references, 1, memory_order_acq_rel);

    assert(before > 0);
    if (before == 1) {
        free(entry);
        atomic_fetch_sub(&live_entries, 1);
    }
}

/* ---- the cache -------------------------------------------------------------- */

typedef bool (*load_fn)(int key, int *value);

struct cache {
    pthread_rwlock_t lock;
    struct entry *entries;
    size_t count;
    size_t capacity;
    load_fn load;
    atomic_uint clock;
    atomic_uint hits;
    atomic_uint misses;
};

static bool cache_init(struct cache *cache, size_t capacity, load_fn load)
{
    if (pthread_rwlock_init(&cache->lock, NULL) != 0)
        return false;
    cache->entries = NULL;
    cache->count = 0;
    cache->capacity = capacity;
    cache->load = load;
    atomic_init(&cache->clock, 0);
    atomic_init(&cache->hits, 0);
    atomic_init(&cache->misses, 0);
    return true;
}

static void cache_destroy(struct cache *cache)
{
    while (cache->entries != NULL) {
        struct entry *entry = cache->entries;

        cache->entries = entry->next;
        entry_put(entry);
    }
    pthread_rwlock_destroy(&cache->lock);
}

/* The caller holds the lock, shared or exclusive. */
static struct entry *cache_find(struct cache *cache, int key)
{
    struct entry *entry = cache->entries;

    while (entry != NULL && entry->key != key)
        entry = entry->next;
    return entry;
}

static void cache_touch(struct cache *cache, struct entry *entry)
{
    atomic_store(&entry->last_use, atomic_fetch_add(&cache->clock, 1) + 1);
}

/* Take the entry out that was used longest ago. The caller holds the lock
 * exclusively and drops the reference afterwards. */
static struct entry *cache_evict(struct cache *cache)
{
    struct entry **oldest = &cache->entries;
    struct entry *victim;

    for (struct entry **link = &cache->entries; *link != NULL; link = &(*link)->next)
        if (atomic_load(&(*link)->last_use) < atomic_load(&(*oldest)->last_use))
            oldest = link;
    victim = *oldest;
    assert(victim != NULL);
    *oldest = victim->next;
    victim->next = NULL;
    cache->count--;
    return victim;
}

/* A reference to the entry if it is cached, else NULL. */
static struct entry *cache_lookup(struct cache *cache, int key)
{
    struct entry *entry;

    pthread_rwlock_rdlock(&cache->lock);
    entry = cache_find(cache, key);
#ifdef BUG
    pthread_rwlock_unlock(&cache->lock);
    if (entry != NULL) {
        entry_get(entry);
        cache_touch(cache, entry);
    }
#else
    if (entry != NULL) {
        entry_get(entry);
        cache_touch(cache, entry);
    }
    pthread_rwlock_unlock(&cache->lock);
#endif
    return entry;
}

/* Insert a loaded entry, or get the one that another thread has inserted in the
 * meantime. Either way the caller has a reference to the result. */
static struct entry *cache_insert(struct cache *cache, struct entry *loaded)
{
    struct entry *entry, *victim = NULL;

    pthread_rwlock_wrlock(&cache->lock);
    entry = cache_find(cache, loaded->key);
    if (entry == NULL) {
        if (cache->count == cache->capacity)
            victim = cache_evict(cache);
        entry = loaded;
        entry->next = cache->entries;
        cache->entries = entry;
        cache->count++;
        loaded = NULL;
    }
    entry_get(entry);
    cache_touch(cache, entry);
    assert(cache->count <= cache->capacity);
    pthread_rwlock_unlock(&cache->lock);

    if (victim != NULL)
        entry_put(victim);
    if (loaded != NULL)
        entry_put(loaded);
    return entry;
}

/* The entry for a key, from the cache or loaded; NULL if that fails. */
static struct entry *cache_get(struct cache *cache, int key)
{
    struct entry *entry = cache_lookup(cache, key);
    int value;

    if (entry != NULL) {
        atomic_fetch_add(&cache->hits, 1);
        return entry;
    }
    atomic_fetch_add(&cache->misses, 1);
    if (!cache->load(key, &value))
        return NULL;
    entry = entry_new(key, value);
    if (entry == NULL)
        return NULL;
    return cache_insert(cache, entry);
}

/* ---- scenario: two users, three keys, two places ------------------------------ */

static struct cache cache;

static bool load_cube(int key, int *value)
{
    if (key < 0 || key > 1000)
        return false;
    *value = key * key * key;
    return true;
}

struct user {
    pthread_t thread;
    int keys[2];
    int failures;
};

static void use_key(struct user *user, int key)
{
    struct entry *entry = cache_get(&cache, key);

    if (entry == NULL) {
        user->failures++;
        return;
    }
    assert(entry->key == key);
    assert(entry->value == key * key * key);
    entry_put(entry);
}

static void *user_main(void *arg)
{
    struct user *self = arg;

    for (size_t i = 0; i < sizeof self->keys / sizeof self->keys[0]; i++)
        use_key(self, self->keys[i]);
    return NULL;
}

int main(void)
{
    /* The second user's last key may be one that cannot be loaded. */
    bool bad_key = __VERIFIER_nondet_uint() % 2 == 1;
    struct user users[2] = {
        { .keys = { 1, 2 } },
        { .keys = { 3, bad_key ? -1 : 2 } },
    };
    struct user warm_up = { .failures = 0 };

    if (!cache_init(&cache, CAPACITY, load_cube))
        return EXIT_FAILURE;
    use_key(&warm_up, 1);
    use_key(&warm_up, 2);
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&users[i].thread, NULL, user_main, &users[i]) != 0) {
            perror("rw_cache: pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(users[i].thread, NULL);

    assert(warm_up.failures == 0);
    assert(users[0].failures == 0);
    assert(users[1].failures == (bad_key ? 1 : 0));
    assert(atomic_load(&cache.hits) + atomic_load(&cache.misses) == 6);
    assert(atomic_load(&live_entries) == (int)cache.count);
    cache_destroy(&cache);
    assert(atomic_load(&live_entries) == 0);
    return 0;
}
