//@ property: memory-safety
//@ verdict: bug
int main(void) {
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int between;
        case 0:
            kept = &between;
            *kept = 1;
            break;
        case 1:
            *kept = 2; //~ BUG memory-safety
        }
    }
}
