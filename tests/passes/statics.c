//@ pipeline: threads,statics
unsigned __raddle_fork(void *(*function)(void *), void *argument);
struct pair { int a, b; };
void *work(void *argument)
{
    int n;
    struct pair p = { 1, 2 };
    int list[2] = { 3 };
    n = p.a + list[1];
    return argument;
}
int main(void)
{
    int unset;
    __raddle_fork(work, &unset);
    return 0;
}
