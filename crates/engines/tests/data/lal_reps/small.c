unsigned __raddle_fork(void *(*function)(void *), void *argument);
void reach_error(void);

int x;
int *p = &x;

void *work(void *argument) {
    x = 1;
    *p = 2;
    return argument;
}

int main(void) {
    __raddle_fork(work, 0);
    int seen = x;
    if (seen == 2)
        reach_error();
    return 0;
}
