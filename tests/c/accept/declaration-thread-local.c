// Thread storage.
_Thread_local int a = 1;
static _Thread_local int b;
extern __thread int c;
__thread int c = 3;
static __thread struct { int x, y; } d = {1, 2};
int use(void)
{
    static _Thread_local int counter;
    static __thread char *name = "none";
    extern _Thread_local int a;
    return ++counter + a + b + c + d.x + *name;
}
