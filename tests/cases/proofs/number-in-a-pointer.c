//@ property: memory-safety
//@ verdict: bug
//@ models: ilp32
/* What a pointer holds from the start is a number, whatever lies in memory. */
int x;
int *q = &x;
int *p = (int *)0x680000;

int main(void) {
    *p = 1; //~ BUG memory-safety
}
