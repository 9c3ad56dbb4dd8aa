// cleanup: a function called when a variable goes out of scope.
static int released;
static void release(int *p) { released += *p; }
static void close_it(char **p) { *p = 0; }
int guarded(int n)
{
    int lock __attribute__((cleanup(release))) = n;
    __attribute__((cleanup(close_it))) char *name = 0;
    for (int i __attribute__((cleanup(release))) = 0; i < 3; i++)
        if (i == n)
            return i;
    return lock + (name != 0);
}
