//@ property: uninitialised
//@ verdict: safe
static int choose(int which) {
    if (which)
        return 1;
}

int main(void) {
    choose(0);
    if (choose(1))
        return 0;
}
