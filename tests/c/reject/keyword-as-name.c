int for = 3;
int f(int while) { return 1; }
struct int { int a; };
