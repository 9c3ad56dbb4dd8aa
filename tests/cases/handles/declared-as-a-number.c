//@ property: assertion
//@ verdict: bug
/* A program that declares the library by itself, with numbers for handles. */
/* The handle of a thread that was joined may come again. */
unsigned long pthread_self(void);
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
int pthread_join(unsigned long thread, void **result);
void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

static unsigned long first, second;

static void *one(void *unused) {
    first = pthread_self();
    return unused;
}

static void *other(void *unused) {
    second = pthread_self();
    return unused;
}

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, one, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    if (first == second) {
        __assert_fail("first != second", "declared-as-a-number.c", 30, "main"); //~ BUG assertion
    }
    return 0;
}
