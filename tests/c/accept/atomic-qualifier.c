// _Atomic as a qualifier and as a type specifier.
_Atomic int counter = 5;
_Atomic(int) other;
int *_Atomic pointer;
_Atomic(int *) same_pointer;
const _Atomic long constant = 3;
_Atomic struct pair { int a, b; } pair;
typedef _Atomic unsigned atomic_unsigned;
atomic_unsigned array[3];
_Atomic(int *) (*pointer_to_array)[2];
int operations(void)
{
    counter++;
    --other;
    counter += 3;
    counter = other = 4;
    struct pair copy = pair;
    pair = copy;
    pointer = same_pointer;
    array[1] |= 4;
    return counter + *pointer + copy.a;
}
int parameter(_Atomic int *p, _Atomic int v) { return *p + v; }
