// Two threads add two numbers to each other: no larger numbers than Fibonacci's come out.
int i = 1, j = 1;

void *left(void *unused) {
    for (int round = 0; round < SIZE; round++)
        i += j;
    return unused;
}
void *right(void *unused) {
    for (int round = 0; round < SIZE; round++)
        j += i;
    return unused;
}

int main(void) {
    pthread_t a, b;
    int most = 1, before = 1;
    for (int step = 0; step < 2 * SIZE; step++) {
        int sum = most + before;
        before = most;
        most = sum;
    }
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    int seen = i, other = j;
    assert(seen <= most && other <= most);
}
