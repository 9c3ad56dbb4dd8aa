//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair { int *pointer; long number; };

int main(void) {
    int value = 5;
    struct pair a = {&value, 7}, b, cells[3] = {{0, 1}, {&value, 2}, {0, 3}};
    memcpy(&b, &a, sizeof a);
    assert(*b.pointer == 5 && b.number == 7);
    memmove(&cells[1], &cells[0], 2 * sizeof cells[0]);
    assert(cells[1].number == 1 && cells[2].number == 2 && *cells[2].pointer == 5);
    char bytes[9] = "abcdefgh";
    memmove(bytes + 1, bytes, 7);
    assert(memcmp(bytes, "aabcdefg", 8) == 0);
    memset(bytes, 'z', 3);
    assert(memcmp(bytes, "zzzcdefg", 8) == 0);
    int *grown = calloc(2, sizeof *grown);
    assert(grown[0] == 0 && grown[1] == 0);
    grown[1] = 9;
    grown = realloc(grown, 4 * sizeof *grown);
    assert(grown[1] == 9);
    grown[3] = 1;
    free(grown);
    void *aligned = aligned_alloc(64, 128);
    assert((uintptr_t)aligned % 64 == 0);
    free(aligned);
    assert(posix_memalign(&aligned, 4096, 16) == 0 && (uintptr_t)aligned % 4096 == 0);
    free(aligned);
    free(0);
}
