//@ property: memory-safety
//@ verdict: bug
struct pair { int first, second; };

int main(void) {
    struct pair *kept;
    {
        kept = &(struct pair){ 1, 2 };
        kept->first = kept->second;
    }
    return kept->first; //~ BUG memory-safety
}
