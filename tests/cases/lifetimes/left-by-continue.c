//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        if (kept)
            *kept = 5; //~ BUG memory-safety
        int inner = i;
        kept = &inner;
        if (i == 0)
            continue;
        *kept = 2;
    }
}
