#include <stdio.h>

int t; int t; extern int t; int t = 5; extern int later; static int s; static int s; int *use(void) { return &later; } int arr[]; int arr[3]; int later = 8; int main(void) { extern int t; { extern int later; later++; } printf("%d %d %d %d %d\n", t, *use(), s, arr[2], (int)sizeof arr); }
