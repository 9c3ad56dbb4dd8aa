#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { PUSH, ADD, MUL, DUP, SWAP, JNZ, DEC, HALT }; struct ins { enum op op; int arg; }; static int run(const struct ins *c) { int st[32], sp = 0, pc = 0; for (;;) { struct ins i = c[pc++]; switch (i.op) { case PUSH: st[sp++] = i.arg; break; case ADD: sp--; st[sp - 1] += st[sp]; break; case MUL: sp--; st[sp - 1] *= st[sp]; break; case DUP: st[sp] = st[sp - 1]; sp++; break; case SWAP: { int t = st[sp - 1]; st[sp - 1] = st[sp - 2]; st[sp - 2] = t; break; } case JNZ: if (st[sp - 1]) pc = i.arg; break; case DEC: st[sp - 1]--; break; case HALT: return st[0]; } } }
int main(void) { const struct ins fact[] = {{PUSH, 1}, {PUSH, 10}, {DUP}, {PUSH, 0}, {ADD}, {SWAP}, {DEC}, {SWAP}, {HALT}}; (void)fact; const struct ins prog[] = {{PUSH, 1}, {PUSH, 5}, {SWAP}, {PUSH, 3}, {MUL}, {SWAP}, {DEC}, {JNZ, 2}, {HALT}}; printf("%d\n", run(prog)); }
