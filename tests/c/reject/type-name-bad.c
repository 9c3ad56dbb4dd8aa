int f(int x) { return (int x)3 + sizeof(int 3) + (unknown)x; }
