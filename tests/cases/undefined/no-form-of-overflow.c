//@ property: overflow, arithmetic, assertion
//@ verdict: safe
// Conversions to narrow types are defined by the implementation, unsigned and atomic arithmetic wraps around.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

_Atomic int counter = INT_MAX;

void *work(void *unused) {
    counter++;
    ++counter;
    counter += 2;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    volatile signed char c = 127;
    volatile short s = -32768;
    volatile unsigned u = UINT_MAX;
    volatile int most = INT_MAX, least = INT_MIN;
    volatile double exact = 2147483647.0, small = -2147483648.5;
    volatile float third = 16777216.0f;
    c++;
    c += 1;
    s--;
    s = -s;
    u = u + 1 << 31;
    u = -u;
    assert(c == -127 && s == -32767 && u == 0);
    assert(1 << 30 == 1073741824 && least >> 31 == -1);
    assert((int)exact == most && (int)small == least && (int)third == 16777216);
    assert((unsigned)4294967295.5 == UINT_MAX && (unsigned char)-0.5 == 0);
    assert(most / -1 == least + 1);
    pthread_join(a, 0);
    assert(counter == INT_MIN + 3);
}
