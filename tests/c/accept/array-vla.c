// Variable length arrays: local, multi-dimensional, in typedefs, in casts, sizeof evaluated at run time.
unsigned long vla(int n, int m)
{
    int one[n];
    int two[n][m + 1];
    typedef int row[m];
    row rows[3];
    int (*pointer)[m] = rows;
    one[0] = two[1][2] = 4;
    pointer[1][0] = 5;
    n = 9;
    __typeof__(one) copy;
    copy[0] = one[0];
    int (*cast)[m] = (int (*)[m])pointer;
    return sizeof one + sizeof(two[0]) + sizeof(row) + sizeof(int[n]) + sizeof(copy) + cast[0][0];
}
void matrix(int n, int m, double a[n][m], double (*b)[m]) { a[1][2] = b[0][1]; }
int conditional(int n) { if (n > 0) { char text[n]; text[0] = 1; return text[0]; } return 0; }
