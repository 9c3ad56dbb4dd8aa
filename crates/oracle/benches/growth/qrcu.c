// Quick RCU: readers count themselves in one of two counters; an updater flips them, and waits until nobody reads what is old.
int which, counter[2] = {1, 0}, reading[SIZE];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int enter(int mine) {
    __VERIFIER_atomic_begin();
    int ok = counter[mine] > 0;
    if (ok)
        counter[mine]++;
    __VERIFIER_atomic_end();
    return ok;
}
void *reader(void *number) {
    long me = (long)number;
    int mine = which;
    if (!enter(mine)) {
        mine = which;
        if (!enter(mine))
            return 0;
    }
    reading[me] = 1;
    reading[me] = 2;
    __VERIFIER_atomic_begin();
    counter[mine]--;
    __VERIFIER_atomic_end();
    return 0;
}
void *updater(void *unused) {
    int before[SIZE];
    pthread_mutex_lock(&lock);
    for (int number = 0; number < SIZE; number++)
        before[number] = reading[number];
    int old = which;
    __VERIFIER_atomic_begin();
    counter[!old]++;
    __VERIFIER_atomic_end();
    which = !old;
    __VERIFIER_atomic_begin();
    counter[old]--;
    __VERIFIER_atomic_end();
    while (counter[old] > 0)
        ;
    for (int number = 0; number < SIZE; number++)
        assert(before[number] != 1 || reading[number] != 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t readers[SIZE], a;
    pthread_create(&a, 0, updater, 0);
    for (long number = 0; number < SIZE; number++)
        pthread_create(&readers[number], 0, reader, (void *)number);
    pthread_join(a, 0);
    for (long number = 0; number < SIZE; number++)
        pthread_join(readers[number], 0);
}
