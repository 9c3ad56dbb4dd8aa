// typedef names in every position.
typedef int integer, *pointer, array[3], function(int), (*function_pointer)(int, ...);
typedef struct node node;
struct node { node *next; pointer value; array values; };
typedef const integer constant;
typedef unsigned char u8, *u8p;
function declared, *pointed;
int declared(int x) { return x; }
integer use(node *n, function_pointer fp, function f, constant c, u8p bytes)
{
    array a = {1, 2, 3};
    const array b = {4};
    pointed = f;
    integer integer = sizeof(array) / sizeof(u8);
    return integer + *n->value + a[1] + b[0] + fp(1, 2) + f(3) + c + *bytes + (*pointed)(4) + n->next->values[2];
}
typedef void handler(int, void *), *handler_pointer;
handler *handlers[4];
handler_pointer install(handler h, int n) { handler *old = handlers[n]; handlers[n] = h; return old; }
void (*signal(int, void (*)(int)))(int);
typedef typeof(int (*)[2]) strange;
