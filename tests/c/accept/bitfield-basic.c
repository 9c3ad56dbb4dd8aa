// Bit-fields of every integer type, unnamed and zero-width ones.
struct flags {
    unsigned ready : 1;
    unsigned mode : 3, : 4;
    signed level : 7;
    int plain : 9;
    _Bool yes : 1;
    unsigned char byte : 8;
    unsigned : 0;
    long long wide : 40;
    enum color { RED, GREEN, BLUE } color : 2;
    const int fixed : 4;
};
union overlay { unsigned low : 4; unsigned all; };
int use(struct flags *f)
{
    f->ready = 1;
    f->mode += 2;
    f->level--;
    f->wide = 1LL << 39;
    f->color = BLUE;
    return f->ready + f->plain + f->yes + (f->mode << 2) + -f->fixed;
}
struct flags initial = {1, 5, .plain = -3, 1, .wide = 77, BLUE};
_Static_assert(sizeof(union overlay) == 4, "");
