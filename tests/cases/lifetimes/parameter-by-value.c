// An aggregate parameter ends with its function as well.
//@ property: memory-safety
//@ verdict: bug
struct pair { int first, second; };

int *kept;

static int sum(struct pair pair) {
    kept = &pair.second;
    return pair.first + *kept;
}

int main(void) {
    struct pair pair = { 1, 2 };
    int all = sum(pair);
    return all + *kept; //~ BUG memory-safety
}
