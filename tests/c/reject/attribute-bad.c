int x __attribute__((aligned(3)));
int y __attribute__((aligned("x")));
struct s { int a; } __attribute__((vector_size(5)));
typedef int v __attribute__((vector_size(7)));
