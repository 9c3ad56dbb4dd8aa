int f(void)[3];
typedef int array[3];
array g(void);
typedef int function(void);
function h(void);
struct incomplete i(void) { }
