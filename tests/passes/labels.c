//@ pipeline: simplify,threads,statics,labels
unsigned __raddle_fork(void *(*function)(void *), void *argument);
void __VERIFIER_assume(int condition);
int shared, mine, constant = 3;
void *work(void *argument)
{
    int seen = shared;
    mine = seen + constant;
    __VERIFIER_assume(mine > 2);
    shared = mine;
    __VERIFIER_assume(seen > 2);
    return argument;
}
int main(void)
{
    shared = 1;
    __raddle_fork(work, 0);
    if (shared)
        shared = 2;
    return 0;
}
