//@ property: assertion
//@ verdict: safe
// Only where the reader comes first does it end.
#include <assert.h>
#include <pthread.h>

int cell = 7;
int *_Atomic place;

void *writer(void *unused) {
    place = &cell;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int *seen = place;
    assert(*seen == 7); //~ UNDEFINED memory-safety
    pthread_join(a, 0);
}
