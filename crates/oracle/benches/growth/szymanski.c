// Szymanski's algorithm for two, again and again: a waiting room with two doors.
int flag[2], inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    for (int round = 0; round < SIZE; round++) {
        flag[me] = 1;
        while (flag[other] >= 3)
            ;
        flag[me] = 3;
        if (flag[other] == 1) {
            flag[me] = 2;
            while (flag[other] != 4)
                ;
        }
        flag[me] = 4;
        if (me == 1)
            while (flag[other] >= 2)
                ;
        inside++;
        assert(inside == 1);
        inside--;
        if (me == 0)
            while (flag[other] / 2 == 1)
                ;
        flag[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
