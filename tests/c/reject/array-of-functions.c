int a[3](void);
int f(void)[2];
int g(void)(int);
