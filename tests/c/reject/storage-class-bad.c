static extern int a;
typedef static int b;
auto int c;
register int d;
int f(static int x, extern int y);
auto int g(void);
int h(void) { static int i(void); typedef extern int j; return 0; }
_Thread_local register int k;
