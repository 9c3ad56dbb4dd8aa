// One element too many, in blocks whose size depends on an input.
//@ property: memory-safety
//@ verdict: bug
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 3 || k < 0 || k >= n)
        return 0;
    int *block = malloc(n * sizeof *block);
    long *zeros = calloc(n, sizeof *zeros);
    int array[n];
    for (int i = 0; i <= n; i++)
        array[i] = block[i] = i; //~ BUG memory-safety
    assert(block[k] == k && array[n - 1 - k] == n - 1 - k && zeros[k] == 0);
    zeros[k] = 2;
    assert(zeros[n - 1] == 2 * (k == n - 1));
    free(zeros);
    free(block);
}
