// packed: on types and on members; mixed with aligned.
struct __attribute__((packed)) header { char kind; int length; short flags; };
struct trailer { char c; int i; } __attribute__((packed, aligned(2)));
struct partly { char c; int i __attribute__((packed)); int j; };
union __attribute__((packed)) u { char c[5]; int i; };
struct container { char c; struct header h; union u u; };
struct both { char c; int i __attribute__((packed, aligned(2))); };
_Static_assert(sizeof(struct header) == 7 && sizeof(struct trailer) == 6 && sizeof(struct partly) == 12, "");
_Static_assert(sizeof(union u) == 5 && sizeof(struct container) == 13 && sizeof(struct both) == 6, "");
int read(struct header *h) { return h->length + h->flags; }
