//@ property: memory-safety
//@ verdict: safe
// The bounds of an access are those of the whole object.
static struct {
    int first[2], second[2];
} both;

static int table[2][3];

int main(void) {
    int index = 2, place = 3;
    both.first[index] = 1;
    table[0][place] = 1;
    return both.second[0] != table[1][0];
}
