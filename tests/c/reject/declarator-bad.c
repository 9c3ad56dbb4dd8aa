int *;
int 3x;
int a b;
int (c;
int d[3;
int = 4;
int e,;
