// As often as they like, two threads add two numbers to each other: within eight rounds no larger numbers than these come out.
int i = 1, j = 1;

void *left(void *unused) {
    while (__VERIFIER_nondet_int())
        i += j;
    return unused;
}
void *right(void *unused) {
    while (__VERIFIER_nondet_int())
        j += i;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    int seen = i, other = j;
    assert(seen <= 2584 && other <= 2584);
}
