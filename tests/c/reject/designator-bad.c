struct s { int a, b; };
int array[3] = {[5] = 1, [-1] = 2, .x = 3};
struct s s = {.c = 1, [0] = 2};
int scalar = {.a = 1};
int n;
int variable[4] = {[n] = 1, [3 ... 1] = 2};
