//@ property: uninitialised
//@ verdict: bug
int array[4];

static int at(const int *index) {
    return array[*index & 3]; //~ BUG uninitialised
}

int main(void) {
    int index[2];
    index[0] = 1;
    array[0] = at(&index[0]);
    array[1] = at(&index[1]);
    return 0;
}
