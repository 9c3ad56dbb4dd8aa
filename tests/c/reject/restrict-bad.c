restrict int a;
int restrict b;
int (*restrict f)(void);
