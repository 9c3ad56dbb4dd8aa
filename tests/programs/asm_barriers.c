#include <stdio.h>

int main(void) { int x = 5, y; __asm__ volatile("" ::: "memory"); __asm__ volatile("" : "+r"(x)); __asm__("" : "=r"(y) : "0"(x + 1)); __asm__ volatile("pause"); __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("" : : "r"(x++), "m"(y)); printf("%d %d\n", x, y); }
