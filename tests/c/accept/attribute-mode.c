// The mode attribute chooses an integer type by its width.
typedef int byte __attribute__((mode(QI)));
typedef unsigned int half __attribute__((mode(HI)));
typedef int word __attribute__((__mode__(SI)));
typedef unsigned int big __attribute__((mode(DI)));
typedef int pointer_sized __attribute__((mode(__pointer__)));
typedef int machine_word __attribute__((mode(__word__)));
typedef float real __attribute__((mode(DF)));
_Static_assert(sizeof(byte) == 1 && sizeof(half) == 2 && sizeof(word) == 4 && sizeof(big) == 8, "");
_Static_assert(sizeof(pointer_sized) == sizeof(void *) && sizeof(real) == 8, "");
int x __attribute__((mode(DI)));
_Static_assert((big)-1 > 0 && (byte)-1 < 0, "");
