#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <stdint.h>
#include <limits.h>
_Static_assert(sizeof(size_t) == sizeof(void *) && sizeof(intptr_t) == sizeof(long), "");
_Static_assert(sizeof(long) == 8 ? LONG_MAX == 9223372036854775807LL : LONG_MAX == 2147483647, "");
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int64_t wide = INT64_MAX;
int main(void) { pthread_mutex_lock(&lock); printf("%ld\n", (long)strlen("x")); pthread_mutex_unlock(&lock); return EXIT_SUCCESS; }
