//@ property: memory-safety
//@ verdict: safe
static int numbers[4];

int main(void) {
    unsigned long last = 3;
    long back = -3;
    int *end = &numbers[last];
    end[back] = 1;
    return numbers[last - 3] != 1;
}
