// transparent_union: arguments of any member's type.
typedef union {
    int *number;
    const char *text;
} argument __attribute__((transparent_union));
union __attribute__((transparent_union)) tagged { int *a; float *b; };
int take(argument a) { return *a.number; }
int take_tagged(union tagged t);
int use(int x) { float f = 1; return take(&x) + take((argument){.text = "hi"}) + take_tagged(&f); }
