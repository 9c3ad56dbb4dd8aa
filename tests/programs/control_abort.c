#include <stdlib.h>
#include <stdio.h>
int main(void) { printf("a\n"); fflush(stdout); abort(); }
