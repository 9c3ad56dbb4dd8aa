//@ property: memory-safety
//@ verdict: bug
//@ models: lp64
/* The same in storage that each thread has for itself. */
int x;
int *q = &x;
static __thread int *p = (int *)0x28000000000;

int main(void) {
    *p = 1; //~ BUG memory-safety
}
