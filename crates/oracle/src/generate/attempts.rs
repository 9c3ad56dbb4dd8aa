//! Locks of every kind that are only tried, or waited for until some time.

use super::Generator;
use crate::tree::Node;

/// A time; whether it has passed nobody says.
const SOME_TIME: &str = "&(struct timespec){ 1, 0 }";

/// How a lock is declared, made ready, tried in two ways, taken and given back.
struct AttemptKind {
    ty: &'static str,
    init: &'static str,
    attempts: [&'static str; 3],
    release: &'static str,
}

const KINDS: [AttemptKind; 6] = [
    AttemptKind {
        ty: "pthread_mutex_t",
        init: "pthread_mutex_init(&L, 0);",
        attempts: [
            "pthread_mutex_trylock(&L)",
            "pthread_mutex_timedlock(&L, TIME)",
            "pthread_mutex_lock(&L)",
        ],
        release: "pthread_mutex_unlock(&L);",
    },
    AttemptKind {
        ty: "pthread_rwlock_t",
        init: "pthread_rwlock_init(&L, 0);",
        attempts: [
            "pthread_rwlock_trywrlock(&L)",
            "pthread_rwlock_timedwrlock(&L, TIME)",
            "pthread_rwlock_wrlock(&L)",
        ],
        release: "pthread_rwlock_unlock(&L);",
    },
    AttemptKind {
        ty: "pthread_rwlock_t",
        init: "pthread_rwlock_init(&L, 0);",
        // Readers do not shut each other out.
        attempts: [
            "pthread_rwlock_tryrdlock(&L)",
            "pthread_rwlock_timedrdlock(&L, TIME)",
            "pthread_rwlock_wrlock(&L)",
        ],
        release: "pthread_rwlock_unlock(&L);",
    },
    AttemptKind {
        ty: "pthread_spinlock_t",
        init: "pthread_spin_init(&L, 0);",
        attempts: ["pthread_spin_trylock(&L)", "pthread_spin_trylock(&L)", "pthread_spin_lock(&L)"],
        release: "pthread_spin_unlock(&L);",
    },
    AttemptKind {
        ty: "sem_t",
        init: "sem_init(&L, 0, 1);",
        attempts: ["sem_trywait(&L)", "sem_timedwait(&L, TIME)", "sem_wait(&L)"],
        release: "sem_post(&L);",
    },
    AttemptKind {
        ty: "mtx_t",
        init: "mtx_init(&L, mtx_timed);",
        attempts: [
            "mtx_trylock(&L) != thrd_success",
            "mtx_timedlock(&L, TIME) != thrd_success",
            "mtx_lock(&L) != thrd_success",
        ],
        release: "mtx_unlock(&L);",
    },
];

impl Generator {
    pub(super) fn attempt_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let kind = &KINDS[self.random.below(KINDS.len())];
        let (lock, x) = (self.fresh("lock"), self.fresh("x"));
        let of = |text: &str| text.replace("&L", &format!("&{lock}")).replace("TIME", SOME_TIME);
        self.declare(group, format!("{} {lock};", kind.ty));
        self.declare(group, format!("int {x};"));
        self.setup.push(Node::line(of(kind.init)).of(group));
        for body in [first, second] {
            let attempt = of(kind.attempts[self.random.below(3)]);
            let number = 1 + self.random.below(2);
            let look = self.assert(&format!("{x} == {number}"));
            let inner = vec![
                Node::line(format!("{x}++;")),
                look,
                Node::line(format!("{x}--;")),
                Node::line(of(kind.release)),
            ];
            let otherwise = match self.random.below(4) {
                0 => format!("{x} = 0;"),
                1 => of(kind.release),
                _ => ";".to_owned(),
            };
            let node = if self.chance(30) {
                Node::choice(&format!("!({attempt})"), inner, vec![Node::line(otherwise)])
            } else {
                Node::block(&format!("if (!({attempt}))"), inner)
            };
            self.insert(body, vec![node.of(group)]);
        }
    }
}
