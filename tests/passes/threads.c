//@ pipeline: threads(2)
unsigned __raddle_fork(void *(*function)(void *), void *argument);
int x;
void *work(void *argument)
{
    x = x + 1;
    return argument;
}
int main(void)
{
    __raddle_fork(work, 0);
    __raddle_fork(work, &x);
    __raddle_fork(work, 0);
    return 0;
}
