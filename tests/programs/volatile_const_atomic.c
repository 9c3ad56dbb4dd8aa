#include <stdio.h>
#include <stdatomic.h>
#define P(e) printf("%lld\n", (long long)(e))

static volatile int v = 3; static _Atomic int a = 5; static atomic_uint au; static atomic_flag fl = ATOMIC_FLAG_INIT; static _Atomic(short) as = 32767; static int arr[3] = {1, 2, 3}; static int *_Atomic ap = arr; static _Atomic _Bool ab;
int main(void) { v++; v += v * 2; printf("%d\n", v); a += 3; a++; --a; a *= 2; a <<= 1; a %= 7; P(a); P(a++); P(a); as++; printf("%d\n", as); ap++; P(*ap); P(*ap++); P(*ap); ab = 7; printf("%d\n", ab); atomic_fetch_add(&au, 10); atomic_fetch_sub(&au, 3); atomic_fetch_or(&au, 8); atomic_fetch_xor(&au, 1); P(atomic_load(&au)); P(atomic_exchange(&au, 99)); unsigned e = 1; P(atomic_compare_exchange_strong(&au, &e, 5)); P(e); P(atomic_compare_exchange_strong(&au, &e, 5)); P(au); P(atomic_flag_test_and_set(&fl)); P(atomic_flag_test_and_set(&fl)); atomic_flag_clear(&fl); printf("%d\n", atomic_flag_test_and_set(&fl)); atomic_store_explicit(&a, 77, memory_order_release); printf("%d\n", atomic_load_explicit(&a, memory_order_acquire)); atomic_thread_fence(memory_order_seq_cst); }
