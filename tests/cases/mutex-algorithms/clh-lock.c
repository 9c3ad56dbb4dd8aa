// Craig, Landin and Hagersten: each waits at its predecessor's node.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { atomic_int busy; };
struct node nodes[3];
_Atomic(struct node *) tail = &nodes[2];
int x;

void *work(void *number) {
    struct node *mine = &nodes[(long)number];
    atomic_store(&mine->busy, 1);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->busy))
        ;
    x++;
    atomic_store(&mine->busy, 0);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
    assert(x == 2);
}
