// Labels as values and computed goto.
int interpret(const unsigned char *code)
{
    static const void *const table[] = {&&push, &&add, &&halt};
    static const int offsets[] = {&&push - &&push, &&add - &&push, &&halt - &&push};
    int stack[8], top = 0;
    void *next = &&push;
    goto *table[*code++];
push:
    stack[top++] = *code++;
    goto *table[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *(&&push + offsets[*code++]);
halt:
    return next == &&push ? stack[0] : 0;
}
