//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// gmtime has one object for all.
#include <assert.h>
#include <time.h>

void other(void);

int main(void) {
    time_t zero = 0;
    struct tm *date = gmtime(&zero);
    other();
    assert(date->tm_year == 70);
    return 0;
}
