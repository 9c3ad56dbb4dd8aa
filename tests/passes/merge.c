//@ pipeline: merge
//@ with: merge.inc
static int counter = 2;
struct shape { int a; };
int first(struct shape *s);
int main(void)
{
    struct shape s = { counter };
    return first(&s);
}
