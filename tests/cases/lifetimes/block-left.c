//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept;
    {
        int inner = 1;
        kept = &inner;
        *kept = 2;
    }
    *kept = 3; //~ BUG memory-safety thread=t0
}
