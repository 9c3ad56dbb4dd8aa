//@ pipeline: simplify,threads,statics,labels(at=visible)
unsigned __raddle_fork(void *(*function)(void *), void *argument);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int shared, mine;
void *work(void *argument)
{
    mine = 1;
    __VERIFIER_atomic_begin();
    shared = shared + mine;
    __VERIFIER_atomic_end();
    return argument;
}
int main(void)
{
    __raddle_fork(work, 0);
    return shared;
}
