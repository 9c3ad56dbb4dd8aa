//@ property: memory-safety
//@ verdict: bug
// The index times the size is a small number of bytes again, but that far there is no element (C11 6.5.6p8).
static int numbers[4];

int main(void) {
    unsigned long index = (~0ul >> 2) + 2;
    numbers[index] = 1; //~ BUG memory-safety
}
