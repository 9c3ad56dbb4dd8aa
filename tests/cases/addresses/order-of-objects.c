// Which of two objects comes first in memory is nobody's to say.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>

int a, b;

int main(void) { assert(&a < &b); }
