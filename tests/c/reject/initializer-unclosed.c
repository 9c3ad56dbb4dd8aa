int a[3] = {1, 2, 3;
int b = 4;
