// A queue under a lock: what is taken out was put in, in the same order.
int items[SIZE], stored[SIZE], head, tail, amount;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *put(void *unused) {
    for (int round = 0; round < SIZE; round++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        stored[round] = value;
        items[tail] = value;
        tail = tail + 1 == SIZE ? 0 : tail + 1;
        amount++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
void *take(void *unused) {
    int taken = 0;
    for (int round = 0; round < SIZE; round++) {
        pthread_mutex_lock(&lock);
        if (amount > 0) {
            assert(items[head] == stored[taken]);
            head = head + 1 == SIZE ? 0 : head + 1;
            amount--;
            taken++;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
