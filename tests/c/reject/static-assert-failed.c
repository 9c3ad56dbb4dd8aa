_Static_assert(sizeof(int) == 8, "int has eight bytes");
_Static_assert(0);
int n;
_Static_assert(n, "not constant");
_Static_assert(1, 2);
