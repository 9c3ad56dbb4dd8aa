struct s { int a; } object;
int n;
int global = n;
int f(void);
int called = f();
int from_struct = object;
struct s bad = 3;
int *p = object;
char text[3] = 5;
int array[2] = 7;
int empty = {};
int function(void) = 3;
extern int both;
void g(void) { extern int x = 3; struct s s = 4; static int t = n; int a[2] = n; }
