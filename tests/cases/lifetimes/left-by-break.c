//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept = 0;
    while (1) {
        int inner = 1;
        kept = &inner;
        if (*kept)
            break;
    }
    return *kept; //~ BUG memory-safety
}
