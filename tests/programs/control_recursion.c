#include <stdio.h>

static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(int); static int even(int n) { return n == 0 || odd(n - 1); } static int odd(int n) { return n != 0 && even(n - 1); }
static void hanoi(int n, char a, char b, char c, int *count) { if (!n) return; hanoi(n - 1, a, c, b, count); ++*count; hanoi(n - 1, c, b, a, count); }
int main(void) { int c = 0; hanoi(7, 'a', 'b', 'c', &c); printf("%d %d %d %d %d %d\n", fact(10), fib(15), ack(2, 3), even(10), odd(7), c); }
