// A bit-field is promoted where it is read, and casts are to what they say.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct { unsigned narrow : 6; _Bool flag : 1; int sign : 4; unsigned char byte : 3; } x;

void *work(void *unused)
{
    x.narrow += 2;
    x.flag = 1;
    x.sign--;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert((unsigned)x.narrow - 3 > 4u && x.narrow - 3 < 0);
    assert((_Bool)x.flag && (int)x.sign == -1 && (unsigned char)x.byte == 0);
    assert((unsigned)x.narrow % 5 != 2); //~ BUG assertion
}
