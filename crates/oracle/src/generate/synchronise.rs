//! Locks and what is made of them: mutexes, readers-writer locks, spin locks.

use super::access::{Guard, STORES, UPDATES};
use super::{Feature, Generator};
use crate::tree::Node;

impl Generator {
    pub(super) fn is_c11(&mut self) -> bool {
        self.has(Feature::C11Threads)
    }

    /// A new mutex of some kind.
    pub(super) fn declare_mutex(&mut self) -> String {
        let name = self.fresh("m");
        let group = self.new_group();
        if self.is_c11() {
            self.globals.push(Node::line(format!("mtx_t {name};")).of(group));
            let kind = if self.has(Feature::MutexKind) { "mtx_recursive" } else { "mtx_plain" };
            self.setup.push(Node::line(format!("mtx_init(&{name}, {kind});")).of(group));
            self.mutexes.push(name.clone());
            return name;
        }
        if self.has(Feature::MutexKind) && self.chance(70) {
            let kind = self.pick(&["RECURSIVE", "RECURSIVE", "ERRORCHECK"]);
            if self.chance(50) {
                let initialiser = format!("PTHREAD_{kind}_MUTEX_INITIALIZER_NP");
                self.globals.push(Node::line(format!("pthread_mutex_t {name} = {initialiser};")).of(group));
            } else {
                self.globals.push(Node::line(format!("pthread_mutex_t {name};")).of(group));
                for line in [
                    format!("pthread_mutexattr_t {name}_kind;"),
                    format!("pthread_mutexattr_init(&{name}_kind);"),
                    format!("pthread_mutexattr_settype(&{name}_kind, PTHREAD_MUTEX_{kind});"),
                    format!("pthread_mutex_init(&{name}, &{name}_kind);"),
                ] {
                    self.setup.push(Node::line(line).of(group));
                }
            }
        } else if self.chance(60) {
            let line = format!("pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;");
            self.globals.push(Node::line(line).of(group));
        } else {
            self.globals.push(Node::line(format!("pthread_mutex_t {name};")).of(group));
            let forgotten = self.has(Feature::LockMisuse) && self.chance(10);
            if !forgotten {
                self.setup.push(Node::line(format!("pthread_mutex_init(&{name}, 0);")).of(group));
            }
        }
        if self.chance(25) {
            self.teardown.push(Node::line(format!("pthread_mutex_destroy(&{name});")).of(group));
        }
        self.mutexes.push(name.clone());
        name
    }

    pub(super) fn lock(&mut self, name: &str) -> String {
        if self.is_c11() { format!("mtx_lock(&{name});") } else { format!("pthread_mutex_lock(&{name});") }
    }

    pub(super) fn unlock(&mut self, name: &str) -> String {
        if self.is_c11() {
            format!("mtx_unlock(&{name});")
        } else {
            format!("pthread_mutex_unlock(&{name});")
        }
    }

    /// Statements with a mutex held.
    pub(super) fn with_mutex(&mut self, name: &str, mut nodes: Vec<Node>) -> Vec<Node> {
        let (lock, unlock) = (self.lock(name), self.unlock(name));
        if self.has(Feature::TryLock) && self.chance(60) {
            let attempt = if self.is_c11() {
                format!("mtx_trylock(&{name}) == thrd_success")
            } else {
                format!("pthread_mutex_trylock(&{name}) == 0")
            };
            if self.chance(30) {
                return vec![Node::nest(format!("while (!({attempt})) ;"), nodes, unlock)];
            }
            nodes.push(Node::line(unlock));
            return vec![Node::block(&format!("if ({attempt})"), nodes)];
        }
        if self.drawn.contains(&Feature::MutexKind) && self.chance(40) {
            nodes = vec![Node::nest(lock.clone(), nodes, unlock.clone())];
        }
        vec![Node::nest(lock, nodes, unlock)]
    }

    pub(super) fn declare_rwlock(&mut self) -> String {
        let name = self.fresh("rw");
        let group = self.new_group();
        if self.chance(50) {
            let line = format!("pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;");
            self.globals.push(Node::line(line).of(group));
        } else {
            self.globals.push(Node::line(format!("pthread_rwlock_t {name};")).of(group));
            self.setup.push(Node::line(format!("pthread_rwlock_init(&{name}, 0);")).of(group));
        }
        name
    }

    /// A lock made of a loop that waits, or one of the system's.
    pub(super) fn declare_spin_lock(&mut self) -> Guard {
        let name = self.fresh("spin");
        let group = self.new_group();
        let (declaration, open, close) = match self.random.below(7) {
            0 => {
                self.setup.push(Node::line(format!("pthread_spin_init(&{name}, 0);")).of(group));
                (
                    format!("pthread_spinlock_t {name};"),
                    format!("pthread_spin_lock(&{name});"),
                    format!("pthread_spin_unlock(&{name});"),
                )
            }
            1 => (
                format!("int {name};"),
                format!("while (__sync_lock_test_and_set(&{name}, 1)) ;"),
                format!("__sync_lock_release(&{name});"),
            ),
            2 => (
                format!("atomic_flag {name} = ATOMIC_FLAG_INIT;"),
                format!("while (atomic_flag_test_and_set(&{name})) {{ }}"),
                format!("atomic_flag_clear(&{name});"),
            ),
            3 => (
                format!("int {name};"),
                format!("while (!__sync_bool_compare_and_swap(&{name}, 0, 1)) ;"),
                format!("__atomic_store_n(&{name}, 0, {});", self.gcc_order(&STORES)),
            ),
            4 => (
                format!("_Atomic int {name};"),
                format!("do {{ while ({name}) ; }} while (atomic_exchange(&{name}, 1));"),
                format!("{name} = 0;"),
            ),
            5 => (
                // Tickets.
                format!("unsigned {name}_next, {name}_now;"),
                format!(
                    "{{ unsigned mine = __sync_fetch_and_add(&{name}_next, 1); \
                     while (__atomic_load_n(&{name}_now, __ATOMIC_ACQUIRE) != mine) ; }}"
                ),
                format!("__atomic_add_fetch(&{name}_now, 1, {});", self.gcc_order(&UPDATES)),
            ),
            _ => (
                // Looks and takes in two steps: no lock at all.
                format!("volatile int {name};"),
                format!("while ({name}) ; {name} = 1;"),
                format!("{name} = 0;"),
            ),
        };
        self.globals.push(Node::line(declaration).of(group));
        Guard::Spin(open, close)
    }
}
