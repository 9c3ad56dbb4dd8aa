//@ property: memory-safety
//@ verdict: unknown
//@ reason: where objects lie
// One half of each of two addresses: whether that points anywhere, the layout says.
static int a = 1, b = 2;
static int *pointer = &a;

int main(void) {
    int *other = &b;
    char *halves = (char *)&pointer, *others = (char *)&other;
    for (unsigned i = 0; i < sizeof pointer / 2; i++)
        halves[i] = others[i];
    return *pointer;
}
