struct s { int a; };
struct s x = {.a = {1, {2}}, .b = 3};
int y[] = {.a = 1};
int z[];
int w() { int q[] ; int r[] = {}; return 0; }
