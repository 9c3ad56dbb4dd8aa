// A local of an atomic function ends with it.
//@ property: memory-safety
//@ verdict: bug
extern void __VERIFIER_atomic_begin(void);
int *kept;

static int __VERIFIER_atomic_keep(void) {
    int local = 1;
    kept = &local;
    return *kept;
}

int main(void) {
    int one = __VERIFIER_atomic_keep();
    return one + *kept; //~ BUG memory-safety
}
