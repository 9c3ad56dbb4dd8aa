int negative[-1];
int fractional[2.5];
int n;
int variable[n];
int f(void) { int a[-3]; int p[(char *)0]; return a[0]; }
