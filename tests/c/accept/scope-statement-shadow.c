// A typedef name hidden by a variable of the same name where the type is still needed.
typedef struct node { int v; } node;
typedef unsigned long size;
node *make(size size) { extern node *allocate(unsigned long); node *node = allocate(size); __auto_type other = node; __typeof__(node) third = other; size = sizeof(*node); return size ? node : third; }
int hides(void) { int size = sizeof(node); typeof(size) next = size; __auto_type length = sizeof(int); return next + (int)length; }
