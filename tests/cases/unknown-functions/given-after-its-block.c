//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `use`, which has no body
// The block of the variable is left.
void use(int *place);

int main(void) {
    int *place;
    {
        int inner = 0;
        place = &inner;
    }
    use(place);
    return 0;
}
