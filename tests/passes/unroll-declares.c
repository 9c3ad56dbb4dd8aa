//@ pipeline: loops,unroll(2,assert)
int flag;
int f(void)
{
    while (1) {
        int seen = flag;
        if (seen == 2)
            break;
    }
    return flag;
}
