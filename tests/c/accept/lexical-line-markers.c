# 1 "somewhere.c"
# 1 "/usr/include/thing.h" 1 3 4
extern int from_header;
# 3 "somewhere.c" 2
#pragma once_upon_a_time
int a;
#line 100 "elsewhere.c"
int b
#line 200
;
#pragma GCC diagnostic push
int f(void)
{
#pragma omp parallel
    return a +
# 300 "third.c"
        b;
#pragma GCC diagnostic pop
}
_Pragma("GCC diagnostic ignored \"-Wall\"") int c;
#ident "something"
