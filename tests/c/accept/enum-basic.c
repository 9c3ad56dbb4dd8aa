// Enumerations: values, negative, large, trailing comma, anonymous, used before and after.
enum empty_tail { A, B, C, };
enum values { V0 = 10, V1, V2 = V0 - 20, V3 };
enum { ANONYMOUS = 42 };
enum big { LARGE = 0xffffffff, SMALL = 0 };
enum huge { HUGE_VALUE = 1LL << 40, MINUS = -1 };
enum only_negative { MINIMUM = -2147483647 - 1 };
typedef enum { ON = 1, OFF = 0 } toggle;
enum values variable = V3;
struct holder { enum inner { I1, I2 = 5 } field; };
_Static_assert(V3 == -9 && V1 == 11 && (int)I2 == 5, "");
_Static_assert(sizeof(enum huge) == 8 && sizeof(enum big) == 4, "");
_Static_assert((enum values)-1 < 0 && (enum big)-1 > 0, "signedness follows the values");
toggle flip(toggle t) { return t == ON ? OFF : ON; }
int arithmetic(enum empty_tail e) { e++; e |= B; return e + C * A + (enum values)3 + ANONYMOUS; }
unsigned long long wide = LARGE + HUGE_VALUE;
