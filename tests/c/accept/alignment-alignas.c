// _Alignas on variables and members, with types and with constants.
_Alignas(16) char buffer[32];
_Alignas(double) char room[sizeof(double)];
_Alignas(0) int nothing;
static _Alignas(64) _Alignas(32) int both;

struct cache_line {
    _Alignas(64) int head;
    char tail;
};

union slot {
    _Alignas(long long) char bytes[3];
    int number;
};

_Static_assert(sizeof(struct cache_line) == 64, "the member's alignment pads the structure");
_Static_assert(_Alignof(struct cache_line) == 64, "and is its own");

int use(void)
{
    _Alignas(32) int local = 3;
    return local + both + room[0] + buffer[1] + nothing;
}
