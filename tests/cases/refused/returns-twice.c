//@ property: assertion
//@ verdict: unknown
//@ reason: returns twice
int again(void) __attribute__((returns_twice));

int main(void) { return again(); }
