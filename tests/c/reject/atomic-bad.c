_Atomic int a[3];
_Atomic(int[3]) b;
_Atomic(const int) c;
_Atomic void f(void);
_Atomic(int(void)) d;
