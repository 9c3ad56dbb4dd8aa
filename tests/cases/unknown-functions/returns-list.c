//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// What is returned leads on to another object.
#include <assert.h>

struct node { int value; struct node *next; };
static struct node second = {2, 0}, first = {1, &second};
struct node *head(void) { return &first; }
void run(void);

int main(void) {
    run();
    assert(second.value == 2);
    return 0;
}
