// GNU nested functions: they see the variables around them.
int outer(int n)
{
    int total = 0;
    auto int forward(int);
    int add(int x) { total += x; return total; }
    void twice(void (*f)(int), int k) { f(k); f(k); }
    void step(int k) { add(k * n); }
    int forward(int x) { int deeper(int y) { return y + x + n; } return deeper(total); }
    twice(step, 3);
    return add(1) + forward(2);
}
int in_block(int n) { if (n) { int square(int x) { return x * x; } return square(n); } return 0; }
