int f(int);
int f(char *);
extern int x;
char *x;
int g(void);
double g(void) { return 1.0; }
int h(int a, ...);
int h(int a);
typedef int t;
typedef long t;
