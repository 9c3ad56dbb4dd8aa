int a = 3 @ 4;
int b = `c`;
int \d = 5;
int e = 6;
