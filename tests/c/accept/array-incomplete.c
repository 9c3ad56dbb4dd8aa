// Arrays completed later, by another declaration or by the initialiser.
extern int table[];
int before(void) { return table[2]; }
int *start = table;
int table[5] = {1, 2, 3};
unsigned long after(void) { return sizeof table; }
int counted[] = {1, 2, 3, [7] = 4};
_Static_assert(sizeof counted == 8 * sizeof(int), "");
char text[] = "hello", braced[] = {"braces"}, exact[5] = "hello";
_Static_assert(sizeof text == 6 && sizeof braced == 7 && sizeof exact == 5, "");
int pairs[][2] = {{1, 2}, {3}, 4, 5, 6};
_Static_assert(sizeof pairs == 4 * 2 * sizeof(int), "");
int tentative[];
static const char *const names[] = {"zero", "one", 0};
