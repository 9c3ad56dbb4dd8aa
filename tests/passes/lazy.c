//@ pipeline: simplify,threads,statics,labels,lazy(2)
//@ linemap
unsigned __raddle_fork(void *(*function)(void *), void *argument);
void *__raddle_join(unsigned thread);
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int x;
void *work(void *argument)
{
    if (x)
        x = x + 1;
    else
        x = 5;
    return argument;
}
int main(void)
{
    unsigned thread = __raddle_fork(work, 0);
    x = 1;
    __raddle_join(thread);
    if (x != 2)
        __assert_fail("x == 2", "lazy.c", 20, "main");
    return 0;
}
