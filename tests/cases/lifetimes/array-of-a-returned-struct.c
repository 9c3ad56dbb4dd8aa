// What a function returns lives until the end of the full expression.
//@ property: memory-safety
//@ verdict: bug
struct row { int cells[2]; };

static struct row make(int first) {
    struct row row = { { first, 7 } };
    return row;
}

int main(void) {
    int sum = make(1).cells[1];
    int *kept = make(2).cells;
    return sum + *kept; //~ BUG memory-safety
}
