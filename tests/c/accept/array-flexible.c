// Flexible array members, zero-length arrays, and their initialisers.
struct packet { int length; char data[]; };
struct old_packet { int length; char data[0]; };
struct packet hello = {5, "hello"};
struct packet numbers = {3, {1, 2, 3}};
struct outer { int tag; struct packet last; };
_Static_assert(sizeof(struct packet) == 4 && sizeof(struct old_packet) == 4, "");
char first(struct packet *p) { return p->length ? p->data[0] : 0; }
int nothing[0];
