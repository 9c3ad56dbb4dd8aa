//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

unsigned char bits = 0xf0;

void *work(void *unused) {
    assert(__atomic_fetch_and(&bits, 0x3f, __ATOMIC_SEQ_CST) == 0xf0);
    assert(__atomic_or_fetch(&bits, 1, __ATOMIC_SEQ_CST) == 0x31);
    assert(__atomic_xor_fetch(&bits, 0xff, __ATOMIC_SEQ_CST) == 0xce);
    assert(__atomic_nand_fetch(&bits, 0x0f, __ATOMIC_SEQ_CST) == 0xf1);
    assert(__atomic_fetch_sub(&bits, 2, __ATOMIC_SEQ_CST) == 0xf1);
    assert(__atomic_add_fetch(&bits, 0x20, __ATOMIC_SEQ_CST) == 0x0f);
    assert(__atomic_exchange_n(&bits, 9, __ATOMIC_SEQ_CST) == 0x0f);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(bits == 9);
}
