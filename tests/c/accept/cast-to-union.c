// GNU: a cast to a union type that has a member of the value's type.
union number { int i; double d; char *s; };
union number make(int x, double y)
{
    union number n = (union number)x;
    n = (union number)y;
    n = (union number)(char *)"text";
    return n;
}
