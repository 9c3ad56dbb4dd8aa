//@ property: uninitialised
//@ verdict: bug
// The members of a word are written one by one, and each is as written as it is.
struct flags {
    unsigned low : 3;
    signed middle : 5;
    unsigned high : 9;
};

int sum;

int main(void) {
    struct flags flags;
    flags.low = 5;
    flags.middle = -2;
    if (flags.low == 5)
        sum += 1;
    if (flags.middle == -2)
        sum += 2;
    if (flags.high) //~ BUG uninitialised
        sum += 4;
    return 0;
}
