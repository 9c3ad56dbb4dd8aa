// Returning every kind of value, and conversions on the way.
struct s { int a[4]; };
struct s structure(struct s x) { return x; }
char narrow(int x) { return x; }
double wide(int x) { return x; }
_Bool truth(double d) { return d; }
void nothing(int x) { if (x) return; return nothing(x - 1); }
void *pointer(int *p) { return p; }
enum e { A } enumeration(void) { return 3; }
int missing(int x) { if (x) return 1; }
int without_value(int x) { if (x) return 2; return; }
void with_value(int x) { return x; }
const int qualified(void) { return 4; }
int member(void) { struct s s; return structure(s).a[2]; }
