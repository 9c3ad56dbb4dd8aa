void v;
void f(int x) { void local; extern void fine; void array[3]; }
