//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int value = 2;
    int *kept = ({ int twice = 2 * value; int *pointer = &twice; *pointer += 1; pointer; });
    int fine = ({ int twice = 2 * value; int *pointer = &twice; *pointer; });
    return fine + *kept; //~ BUG memory-safety
}
