// Several declarators in one declaration, storage classes in any order.
int a, *b, c[3], (*d)(int), e = 4, **f = &b;
static const int x = 1, *y = &x;
const static int odd_order = 3;
int const unsigned typedef static_last;
int volatile long unsigned const mixed = 5;
long const long int signed sixty_four;
char unsigned byte;
short int unsigned half;
double long extended;
auto_name(void);
extern int declared_only, also_array[];
unsigned inline static function(void) { return 3; }
int main_like(void) { auto int local = 3; register int r = 4, *p = &local; static int s, t = 5; extern int outside; return local + r + *p + s + t; }
;
int semicolons;;
;
