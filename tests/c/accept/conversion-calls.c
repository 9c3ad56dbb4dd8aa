// Arguments are converted or promoted; results too.
int take(char c, short s, float f, long l, double d, _Bool b, void *p, const char *t, enum e { EA } e); int vary(int n, ...); int old();
int call(int i, float f, unsigned char c, int a[3], int g(void)) { take(i, i, i, i, i, i, a, "x", i); vary(1, f, c, (short)2, a, g, "x", 1.0L, 2LL); old(f, c, a, g); return take(f, f, f, f, f, f, 0, 0, f) + (char)vary(1); }
