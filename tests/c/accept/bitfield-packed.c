// Packed bit-fields straddle their units.
struct __attribute__((packed)) tight { unsigned a : 3; unsigned b : 30; unsigned char c : 2; unsigned long long d : 60; };
struct loose { unsigned a : 3; unsigned b : 30; unsigned char c : 2; };
struct partly { char x; unsigned a : 20 __attribute__((packed)); unsigned b : 20; };
_Static_assert(sizeof(struct tight) == 12, "");
_Static_assert(sizeof(struct loose) == 8, "");
