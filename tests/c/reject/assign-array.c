int f(void) { int a[3], b[3]; a = b; "text" = 0; return a[0]; }
