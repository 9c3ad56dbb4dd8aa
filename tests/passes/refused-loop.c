//@ pipeline: simplify,threads,statics,labels
unsigned __raddle_fork(void *(*function)(void *), void *argument);
int x;
void *work(void *argument)
{
    while (x)
        x = x - 1;
    return argument;
}
int main(void)
{
    x = 3;
    __raddle_fork(work, 0);
    x = 4;
    return 0;
}
