int x;
#if 1
int y;
