//@ pipeline: simplify,labels
unsigned __raddle_fork(void *(*function)(void *), void *argument);
int x;
void *work(void *argument) { return argument; }
int main(void)
{
    void *next = &&end;
    __raddle_fork(work, 0);
    goto *next;
end:
    return x;
}
