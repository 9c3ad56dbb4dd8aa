//@ pipeline: prune
struct unused { int a; };
struct used { int a; };
struct used one;
int nobody;
static int never(void) { return nobody; }
static int needed(void) { return one.a; }
int main(void) { return needed(); }
