//@ pipeline: simplify,threads,statics,labels(deadlock=on),lazy(1,deadlock=on)
unsigned __raddle_fork(void *(*function)(void *), void *argument);
void __raddle_lock(int *word);
void __raddle_unlock(int *word);
int first, second;
void *work(void *argument)
{
    __raddle_lock(&second);
    __raddle_lock(&first);
    __raddle_unlock(&first);
    __raddle_unlock(&second);
    return argument;
}
int main(void)
{
    __raddle_fork(work, 0);
    __raddle_lock(&first);
    __raddle_lock(&second);
    return 0;
}
