/* Every primitive that can be left in a sequential program. */
enum colour { RED, GREEN };
struct node { struct node *next; int value; };

void __VERIFIER_assume(int);
void __raddle_assume(int);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);
enum colour __VERIFIER_nondet_colour(void);
int __raddle_nondet_int(void);
_Noreturn void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "file.c", 3, "reach_error"); }
_Noreturn void abort(void);
_Noreturn void __raddle_exit_process(int);
_Noreturn void __raddle_unsupported(const char *);
void __raddle_bound_reached(void);
void __raddle_check_assertion(int, const char *);
void __raddle_check_lock(int, const char *);
void __raddle_check_memory(int, const char *);
void __raddle_fence(void);
void *__raddle_alloc(unsigned long, int);
void __raddle_free(void *);

int integers(void) {
    _Bool b = __VERIFIER_nondet_bool();
    char c = __VERIFIER_nondet_char();
    unsigned char uc = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    unsigned short us = __VERIFIER_nondet_ushort();
    int i = __VERIFIER_nondet_int() + __raddle_nondet_int();
    unsigned int ui = __VERIFIER_nondet_uint();
    long l = __VERIFIER_nondet_long();
    unsigned long ul = __VERIFIER_nondet_ulong();
    long long ll = __VERIFIER_nondet_longlong();
    enum colour colour = __VERIFIER_nondet_colour();
    __VERIFIER_assume(i > 0 && i < 10);
    __raddle_assume(colour == GREEN);
    return b + c + uc + s + us + i + (int)ui + (int)l + (int)ul + (int)ll + colour;
}

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    int uninitialised;
    if (!(f < d))
        __assert_fail("f < d", "file.c", 55, "main");
    struct node *node = __raddle_alloc(sizeof(struct node), 0);
    struct node *zeroed = __raddle_alloc(sizeof(struct node), 1);
    node->next = __VERIFIER_nondet_pointer();
    __raddle_check_memory(node->next == 0, "a \"wild\" pointer");
    __raddle_check_lock(!zeroed->value, "held twice");
    __raddle_check_assertion(node->value == uninitialised, "as said");
    __raddle_fence();
    __raddle_free(node);
    int sum = integers();
    if (sum == 1)
        reach_error();
    if (sum == 2)
        abort();
    if (sum == 3)
        __raddle_exit_process(1);
    if (sum == 4)
        __raddle_unsupported("the fourth");
    if (sum == 5)
        __raddle_bound_reached();
    return 0;
}
