//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <ctype.h>

int main(void) {
    assert(isalpha('q') && !isalpha('1') && isdigit('7') && isspace('\t') && ispunct('!') && isxdigit('F'));
    assert(toupper('a') == 'A' && tolower('Z') == 'z' && toupper('1') == '1' && !isprint(200) && !isalnum(-1));
}
