// vector_size: element-wise operators, subscripts, scalars, comparisons, casts, initialisers.
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(2 * sizeof(double))));
v4si global = {1, 2, 3, 4};
v4si add(v4si a, v4si b) { return a + b * 2 - (a & b) + (a << 1); }
v4si compare(v4sf a, v4sf b) { return a < b; }
int lane(v4si v, int i) { v[1] = 7; return v[i] + global[2]; }
v4ui bits(v4si v) { return (v4ui)v; }
v4sf scale(v4sf v, float f) { v *= f; return -v + 1.0f; }
v4si shuffled(v4si a, v4si m) { return __builtin_shuffle(a, m); }
v4si *pointer_to_vector;
v2df literal(void) { return (v2df){1.0, 2.0}; }
__attribute__((vector_size(8))) short direct;
