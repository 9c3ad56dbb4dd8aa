// The flavours of inline.
inline int plain(int x) { return x + 1; }
extern inline int with_external(int x) { return x + 2; }
static inline int internal(int x) { return x + 3; }
inline int declared_extern_later(int x) { return x + 4; }
extern int declared_extern_later(int x);
extern inline __attribute__((gnu_inline)) int gnu(int x) { return x + 5; }
static __inline__ __attribute__((always_inline)) int always(int x) { return x + 6; }
inline static const int *order_is_free(void) { return 0; }
int use(int x) { return plain(x) + with_external(x) + internal(x) + declared_extern_later(x) + gnu(x) + always(x) + !order_is_free(); }
_Noreturn static inline void never(void) { for (;;) ; }
