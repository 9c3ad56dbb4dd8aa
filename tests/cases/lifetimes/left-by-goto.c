//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept;
    {
        int outer = 0;
        {
            int inner = 1;
            kept = &inner;
            if (*kept)
                goto out;
        }
        outer = 1;
        *kept = outer;
    }
out:
    return *kept; //~ BUG memory-safety
}
