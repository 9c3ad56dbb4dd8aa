// Tentative definitions and repeated declarations.
int a;
int a;
int a = 3;
int a;
extern int a;
static int b;
static int b = 4;
static int b;
extern int b;
int f(int), f(int x), f(int);
int f(int x) { extern int a; extern int b; return a + b + x; }
int f(int);
extern int later;
int later = 5;
static int g(void);
int uses(void) { int g(void); return g(); }
static int g(void) { return 1; }
extern int g(void);
struct incomplete;
extern struct incomplete object;
struct incomplete *pointer = &object;
struct incomplete { int now; };
struct incomplete object = {3};
typedef int twice;
typedef int twice;
int unprototyped();
int calls(void) { return unprototyped(1, 2L, 3.0f); }
int unprototyped(int a, long b, double c);
