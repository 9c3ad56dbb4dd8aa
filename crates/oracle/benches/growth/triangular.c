// Each thread sets its number to one more than the other's.
int i = 3, j = 6;

void *left(void *unused) {
    for (int round = 0; round < SIZE; round++)
        i = j + 1;
    return unused;
}
void *right(void *unused) {
    for (int round = 0; round < SIZE; round++)
        j = i + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    int seen = i, other = j;
    assert(seen <= 6 + 2 * SIZE && other <= 6 + 2 * SIZE);
}
