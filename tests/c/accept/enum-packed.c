// Packed enumerations take the smallest integer type.
enum __attribute__((packed)) tiny { T0, T255 = 255 };
enum negative { N = -128, P = 127 } __attribute__((packed));
typedef enum { H = 256 } __attribute__((__packed__)) half;
_Static_assert(sizeof(enum tiny) == 1 && sizeof(enum negative) == 1 && sizeof(half) == 2, "");
struct s { enum tiny a; enum negative b; half c; };
_Static_assert(sizeof(struct s) == 4, "");
