// Enumerations and integers mix freely.
enum e { A, B, C = 200 }; enum f { D = -1, E };
enum e g = 1, h = E; int i = C; unsigned char c = C;
int mix(enum e x, enum f y) { x = y; y = 3; x++; x += y; x = x | B; int a[C] = {[B] = 1}; return x == y || x < D ? a[x] : (enum f)2.5; }
enum e *p = &g; enum e returns(int v) { return v; } int passes(void) { return returns(A + B) + returns(D); }
