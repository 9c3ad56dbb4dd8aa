// Attributes in the places gcc allows them.
__attribute__((unused)) static int before;
static __attribute__((unused)) int middle;
static int __attribute__((unused)) after_type;
static int behind __attribute__((unused)) = 3, another __attribute__((used));
int __attribute__((noinline)) f(int x __attribute__((unused)), __attribute__((unused)) int y) { return x; }
void __attribute__((noreturn, cold)) fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct __attribute__((packed)) p { char c; int i; } __attribute__((may_alias));
enum __attribute__((packed)) small { ONE __attribute__((deprecated)) = 1, TWO };
typedef int (*handler)(int) __attribute__((nonnull));
int *__attribute__((aligned(8))) *pointer;
int g(void)
{
    __attribute__((unused)) int local = 1;
    switch (local) {
    case 1:
        local++;
        __attribute__((fallthrough));
    default:
        break;
    }
    if (local) goto out;
out: __attribute__((unused));
    return local;
}
__attribute__(()) int empty;
__attribute__((, unused, )) static int commas;
__extension__ __attribute__((__unused__)) static int underscored;
