//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept;
    for (int i = 0; i < 2; i++)
        kept = &i;
    return *kept; //~ BUG memory-safety
}
