//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `
// The first call may keep the address, and the second may use it.
void keep(const int *place);
void use(void);

static void early(void) {
    int local = 0;
    keep(&local);
}

int main(void) {
    early();
    use();
    return 0;
}
