//@ property: memory-safety
//@ verdict: bug
static int *get(int which) {
    int first = 1;
    if (which) {
        int second = 2;
        return &second;
    }
    return &first;
}

int main(void) {
    return *get(1); //~ BUG memory-safety
}
