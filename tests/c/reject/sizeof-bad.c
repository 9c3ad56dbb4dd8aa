struct s; struct b { int f : 2; } b;
int x = sizeof(struct s), y = sizeof b.f, z = _Alignof(struct s), w = sizeof(int, 3), v = sizeof;
