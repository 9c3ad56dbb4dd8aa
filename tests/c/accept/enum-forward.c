// GNU: an enumeration mentioned before its definition.
enum later;
enum later *pointer;
int prototype(enum later *);
enum later { FIRST, SECOND };
enum later value = SECOND;
int prototype(enum later *p) { return *p == FIRST; }
