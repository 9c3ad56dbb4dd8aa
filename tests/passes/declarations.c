//@ pipeline: declarations
int f(int n)
{
    static int count = 3;
    struct pair { int a, b; } p = { n, 2 }, q;
    int x = 1, y = x + 1;
    for (int x = 0; x < n; x++) {
        int y = x;
        count += y;
    }
    q = p;
    return count + x + y + q.a;
}
