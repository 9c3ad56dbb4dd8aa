// Implicit int and implicit declarations: gcc only warns.
implicit_variable = 3;
static hidden;
const c = 4;
old(a, b) { return a + b + later(3, 4.0, "x") + hidden + c; }
extern e;
main() { register i = 0; auto j = 1; static k; puts("hello"); return undeclared(i, j, k); }
later() { return 1; }
