// Nothing but what the preprocessor leaves.
#define NOTHING
NOTHING
#define DECLARE(t, n) t n;
DECLARE(int, a) DECLARE(char *, b)
NOTHING;
