// A stack under a lock never holds fewer than nothing, nor more than it has room for.
int items[SIZE], top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *push(void *unused) {
    for (int round = 0; round < SIZE; round++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        assert(top >= 0 && top < SIZE);
        items[top] = value;
        top++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
void *pop(void *unused) {
    for (int round = 0; round < SIZE; round++) {
        pthread_mutex_lock(&lock);
        if (top > 0) {
            top--;
            assert(top >= 0 && top < SIZE);
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
