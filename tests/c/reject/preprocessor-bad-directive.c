#includ <stdio.h>
int x;
