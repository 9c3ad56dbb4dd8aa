int f(void, int);
int g(int a, void);
int h(void x);
int i(void) { return 0; }
int j(...);
