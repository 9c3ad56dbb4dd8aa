//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_attr_t attributes;

void *change(void *unused) {
    pthread_attr_setstacksize(&attributes, 65536); //~ BUG data-race
    return unused;
}
void *nothing(void *unused) { return unused; }

pthread_t start(void) {
    pthread_t b;
    pthread_create(&b, &attributes, nothing, 0); //~ BUG data-race
    return b;
}

int main(void) {
    pthread_t a;
    pthread_attr_init(&attributes);
    pthread_create(&a, 0, change, 0);
    pthread_join(start(), 0);
    pthread_join(a, 0);
}
