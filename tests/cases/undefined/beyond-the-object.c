//@ property: memory-safety
//@ verdict: bug
static int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void)
{
    volatile int six = 6;
    return matrix[0][six]; //~ BUG memory-safety
}
