int f(int a, char *b);
int g(void) { return f(1); }
