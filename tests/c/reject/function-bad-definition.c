int f(int, char *b) { return 0; }
int g(int a, int a) { return a; }
int h { return 1; }
struct s i(void) { }
typedef int fn(void);
fn j { return 1; }
int k() = 3;
