int x;
int x(void);
typedef int y;
int y;
enum { z };
int z = 3;
