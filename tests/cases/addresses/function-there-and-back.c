//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdint.h>

static int called;
static void first(void) { called = 1; }
static void second(void) { called = 2; }

int main(void) {
    uintptr_t number = (uintptr_t)second;
    void (*function)(void) = (void (*)(void))number;
    function();
    assert(called == 2 && number == (uintptr_t)function && number != (uintptr_t)first);
}
