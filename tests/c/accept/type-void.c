// void pointers, void expressions, sizeof void.
void *p; extern void nothing; void f(void); void (*g)(void) = f; void *(*h)(void *);
void use(void *v, int i) { (void)v; (void)(i ? f() : f()); f(), (void)0; p = v + 1; v = &nothing; (void)*v; i = sizeof(void) + sizeof *v; return f(); }
