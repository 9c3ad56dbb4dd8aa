// The branch of an `if` is a block, braces or not.
//@ property: memory-safety
//@ verdict: bug
int yes = 1;

int main(void) {
    int *kept = 0;
    if (yes)
        kept = &(int){ 5 };
    return *kept; //~ BUG memory-safety
}
