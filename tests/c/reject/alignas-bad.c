_Alignas(3) int a;
_Alignas(16) typedef int b;
int f(_Alignas(8) int x);
_Alignas(1) int c;
struct s { _Alignas(8) int d : 3; };
