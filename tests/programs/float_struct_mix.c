#include <stdio.h>

struct v { float x; double y; int z; };
static struct v add(struct v a, struct v b) { struct v r = {a.x + b.x, a.y + b.y, a.z + b.z}; return r; }
int main(void) {
    struct v s = {0.5f, 0.25, 1}; for (int i = 0; i < 5; i++) s = add(s, (struct v){1.5f, i, i});
    printf("%g %g %d\n", s.x, s.y, s.z);
}
