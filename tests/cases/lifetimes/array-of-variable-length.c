//@ property: memory-safety
//@ verdict: bug
static int length(void) { return 3; }

int main(void) {
    int *kept;
    {
        int array[length()];
        array[2] = 1;
        kept = array;
        kept[1] = array[2];
    }
    return kept[1]; //~ BUG memory-safety
}
