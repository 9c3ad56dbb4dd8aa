//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *inside, round = 0;
again:
    goto into;
    {
        int passed;
    into:
        if (round == 1)
            *inside = 1; //~ BUG memory-safety
        inside = &passed;
        *inside = 5;
        round++;
    }
    if (round < 2)
        goto again;
}
