#include <stdio.h>

static int run(const unsigned char *code) {
    static void *table[] = {&&push, &&add, &&mul, &&neg, &&halt}; int stack[16], sp = 0;
    goto *table[*code++];
push: stack[sp++] = *code++; goto *table[*code++];
add: sp--; stack[sp - 1] += stack[sp]; goto *table[*code++];
mul: sp--; stack[sp - 1] *= stack[sp]; goto *table[*code++];
neg: stack[sp - 1] = -stack[sp - 1]; goto *table[*code++];
halt: return stack[0];
}
int main(void) {
    unsigned char c[] = {0, 5, 0, 7, 1, 0, 3, 2, 3, 4}; printf("%d\n", run(c));
    void *where = &&two; int n = 0; goto *where; one: n += 1; two: n += 2; if (n < 5) { where = &&one; goto *where; } printf("%d\n", n);
}
