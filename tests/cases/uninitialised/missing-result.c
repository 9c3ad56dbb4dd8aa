//@ property: uninitialised
//@ verdict: bug
static int choose(int which) {
    if (which)
        return 1;
}

int main(void) {
    if (choose(0)) //~ BUG uninitialised
        return 1;
}
