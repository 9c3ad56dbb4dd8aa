// Compound literals: structures, arrays, scalars; at file scope; their address; nested.
struct point { int x, y; };
struct point *origin = &(struct point){0, 0};
int *numbers = (int[]){1, 2, 3};
const char *text = (const char[]){"text"};
int length(struct point p) { return p.x + p.y; }
int use(int n)
{
    struct point p = (struct point){.y = n};
    p = (struct point){n, (int){n + 1}};
    int *q = (int[5]){n, [3] = 4};
    (int){3}++;
    struct nested { struct point *at; int size; } s = {&(struct point){1, 2}, sizeof (int[]){1, 2, 3}};
    return length((struct point){1, 2}) + q[1] + (struct point){3, 4}.y + (&(struct point){5})->x + s.at->x + s.size;
}
