// Anonymous structures and unions, nested, and access through them.
struct variant {
    int kind;
    union {
        int number;
        struct { short low, high; };
        const struct { char c; union { float f; unsigned bits; }; };
    };
    struct named { int inside; } tagged;
    struct { int only; } *pointer, array[2];
    volatile union { int v1, v2; };
};
int use(struct variant *v, struct variant w)
{
    v->number = 1; v->low++; w.high = v->bits + w.c; w.v1 = 3;
    return v->number + w.low + v->pointer->only + w.array[1].only + v->tagged.inside + (&w)->high + &v->high - &v->low;
}
struct variant table[] = {{1, {2}}, {.kind = 3, .high = 4}, {.low = 1, .f = 2.0f}};
_Static_assert(__builtin_offsetof(struct variant, high) == 6, "");
