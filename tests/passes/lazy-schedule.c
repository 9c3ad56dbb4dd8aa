//@ pipeline: simplify,threads,statics,labels,lazy(schedule=main:t1:all,switches=1.main:1;*.t1:0|2..3)
unsigned __raddle_fork(void *(*function)(void *), void *argument);
int x;
void *work(void *argument)
{
    x = 1;
    x = 2;
    return argument;
}
int main(void)
{
    __raddle_fork(work, 0);
    return x;
}
