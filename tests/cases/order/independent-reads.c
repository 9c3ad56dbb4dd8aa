// Under sequential consistency two readers cannot disagree about the order of two writes.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x, y, a1, a2, b1, b2;

void *write_x(void *unused) { x = 1; return unused; }
void *write_y(void *unused) { y = 1; return unused; }
void *read_xy(void *unused) { a1 = x; a2 = y; return unused; }

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, write_x, 0);
    pthread_create(&t[1], 0, write_y, 0);
    pthread_create(&t[2], 0, read_xy, 0);
    b1 = y;
    b2 = x;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(!(a1 == 1 && a2 == 0 && b1 == 1 && b2 == 0));
}
