#include <stdio.h>

int main(void) { int i = 1, j = (i++, i * 2), k; for (i = 0, k = 10; i < k; i++, k--) ; printf("%d %d %d\n", i, j, k); int x = (printf("a"), printf("b"), 3); printf("%d\n", x); int arr[] = {(1, 2), (3, 4)}; printf("%d %d\n", arr[0], arr[1]); i = 5; i = (i += 2, i * i); printf("%d\n", i); if (i = 0, j > 3) printf("yes %d\n", i); return (1, 2, 7); }
