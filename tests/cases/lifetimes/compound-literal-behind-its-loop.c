//@ property: memory-safety
//@ verdict: bug
static int *kept;

static int take(int *pointer) {
    kept = pointer;
    return *pointer;
}

int main(void) {
    int rounds = 0;
    while (take(&(int){ 3 }) == 3 && rounds < 2)
        rounds++;
    return *kept; //~ BUG memory-safety
}
