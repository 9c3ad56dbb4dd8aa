//@ property: overflow, arithmetic
//@ verdict: bug
// Operands that have no result are no overflow, whatever the type.
#include <pthread.h>

_Atomic int which;

void *work(void *unused) {
    for (int i = 1; i < 10; i++)
        which = i;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    volatile int zero = 0, negative = -1, width = 32, result = 0;
    volatile unsigned nothing = 0, large = 33, left = 0;
    volatile double far = 3e9, below = -1.5;
    switch (which) {
    case 1: result = 1 / zero; break;           //~ BUG arithmetic
    case 2: result = 1 % zero; break;           //~ BUG arithmetic
    case 3: left = 1u / nothing; break;         //~ BUG arithmetic
    case 4: result = 1 << negative; break;      //~ BUG arithmetic
    case 5: result = 1 >> width; break;         //~ BUG arithmetic
    case 6: left = 1u << large; break;          //~ BUG arithmetic
    case 7: result = (int)far; break;           //~ BUG arithmetic
    case 8: left = (unsigned)below; break;      //~ BUG arithmetic
    case 9: result = 1; result <<= width; break; //~ BUG arithmetic
    }
    pthread_join(a, 0);
}
