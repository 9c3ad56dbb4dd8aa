//@ property: assertion, memory-safety
//@ verdict: safe
// Who copies an address byte by byte, or half by half, gets the pointer back.
#include <assert.h>

struct node {
    int number;
    struct node *next;
};

static void copy(void *to, const void *from, unsigned long size) {
    char *target = to;
    const char *source = from;
    while (size-- > 0)
        *target++ = *source++;
}

int main(void) {
    struct node last = {2, 0}, first = {1, &last}, other;
    copy(&other, &first, sizeof other);
    assert(other.next == &last);
    other.next->number++;
    assert(last.number == 3);
}
