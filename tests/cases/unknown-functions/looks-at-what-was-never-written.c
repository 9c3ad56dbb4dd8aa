//@ property: uninitialised
//@ verdict: unknown
//@ reason: depends on `take`, which has no body
// It may branch on what it is given.
void take(int number);

int main(void) {
    int number;
    int *place = &number;
    take(*place);
    return 0;
}
