int a = 0x;
int b = 12abc;
int c = 089;
int d = 1.2.3;
int e = 0b102;
int f = 1ulll;
double g = 1e;
double h = 0x1.8;
