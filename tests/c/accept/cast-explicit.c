// Casts between every kind of scalar, to void, to pointers of all sorts.
long casts(int i, double d, void *p, unsigned char c)
{
    (void)i;
    (void)(i + 1);
    char narrow = (char)i;
    unsigned long address = (unsigned long)p;
    int (*function)(int) = (int (*)(int))p;
    int (*array)[3] = (int (*)[3])p;
    float f = (float)d;
    _Bool b = (_Bool)d;
    void *back = (void *)address;
    const char *text = (const char *)(void *)c;
    return (long)(short)-(int)d + (int)+c + *(int *)p + ((struct { int x; } *)p)->x
        + (function != 0) + (array != 0) + narrow + (f > 0) + b + (back == (void *)0) + (text != 0) + (long)(i, c);
}
