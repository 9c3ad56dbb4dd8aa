// A byte behind the name, in a slot that nobody knows, changes a part of the pointer there: where that leads nobody knows.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
struct { char name[8]; int *value; } slots[2];
int numbers[4] = {1, 2, 3, 4};

void *rename_one(void *unused) {
    unsigned slot = __VERIFIER_nondet_uint() % 2, at = 7 + __VERIFIER_nondet_uint() % 2;
    slots[slot].name[at] = 4;
    return unused;
}

int main(void) {
    pthread_t a;
    slots[0].value = slots[1].value = numbers;
    pthread_create(&a, 0, rename_one, 0);
    pthread_join(a, 0);
    assert(*slots[0].value <= 4);
}
