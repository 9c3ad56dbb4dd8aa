typedef int t = 3;
typedef int u { int x; };
