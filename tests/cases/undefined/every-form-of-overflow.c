//@ property: overflow
//@ verdict: bug
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int which;

void *work(void *unused) {
    for (int i = 1; i < 12; i++)
        which = i;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    volatile int most = INT_MAX, least = INT_MIN, result = 0;
    volatile long long far = LLONG_MAX;
    switch (which) {
    case 1: result = most + 1; break;           //~ BUG overflow
    case 2: result = least - 1; break;          //~ BUG overflow
    case 3: result = most * 2; break;           //~ BUG overflow
    case 4: result = -least; break;             //~ BUG overflow
    case 5: most++; break;                      //~ BUG overflow
    case 6: --least; break;                     //~ BUG overflow
    case 7: result = least % -1; break;         //~ BUG overflow
    case 8: result = 1 << 31; break;            //~ BUG overflow
    case 9: result = -1 << 1; break;            //~ BUG overflow
    case 10: far += 1; break;                   //~ BUG overflow
    case 11: result = abs(least); break;        //~ BUG overflow
    }
    pthread_join(a, 0);
}
