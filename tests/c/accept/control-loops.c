// for, while and do in every shape.
int loops(int n)
{
    int total = 0;
    for (int i = 0, *p = &n, a[2] = {1, 2}; i < *p; i++)
        total += a[i & 1];
    for (;;) break;
    for (total = 0; ; ) { if (total++ > 3) break; else continue; }
    for (const char *s = "abc"; *s; s++) total += *s;
    for (struct { int x; } s = {3}; s.x; s.x--) total++;
    while (n--) if (n & 1) continue; else total++;
    do total--; while (total > 100);
    do { if (!total) break; } while (total -= 1, total > 0);
    while (total) while (n) do n--; while (n);
    return total;
}
