void __VERIFIER_assume(int);
/* Any label. */
__raddle_label __raddle_nondet_label(void);

/* Which round it is, whose turn it is, and at which label that thread will be left. */
unsigned int __raddle_round;
unsigned int __raddle_current;
__raddle_label __raddle_leave;

/* Of each thread: whether it was started and has come to its end, what it was given and what it gave back. */
_Bool __raddle_active[__RADDLE_THREADS];
_Bool __raddle_finished[__RADDLE_THREADS];
void *__raddle_argument[__RADDLE_THREADS];
void *__raddle_result[__RADDLE_THREADS];
char *__raddle_arguments[2] = {"program", 0};

/* Whether it is only asked if the thread is stuck where it stands; what the answer is; whether something was changed before;
   and whether `main` has returned, which ends all threads. */
_Bool __raddle_probe;
_Bool __raddle_blocked;
_Bool __raddle_written;
_Bool __raddle_over;

void __raddle_wait_until(int);
void __raddle_unsupported(const char *);
void __raddle_probe_unclear(void) { __raddle_unsupported("a deadlock at a wait inside of an atomic block"); }

void __raddle_seq_by_pointer(void) {
    __raddle_unsupported("a function that starts or ends threads, called through a pointer of another type");
}

/* `main` was taken to be alone here: if it is not, nothing is known. */
void __raddle_seq_check_alone(void) {
    for (unsigned int thread = 1; thread < __RADDLE_THREADS; thread++)
        if (__raddle_active[thread] && !__raddle_finished[thread])
            __raddle_unsupported("a thread that still runs when main has joined as many as it started");
}

/* Every live thread waits: the sequential program waits for ever, too. */
void __raddle_deadlock(void) { __raddle_wait_until(0); }

unsigned int __raddle_seq_create(unsigned int thread, void *argument) {
    __raddle_active[thread] = 1;
    __raddle_argument[thread] = argument;
    return thread;
}

void *__raddle_seq_join(unsigned int thread) {
    __VERIFIER_assume(__raddle_finished[thread]);
    return __raddle_result[thread];
}

unsigned int __raddle_seq_self(void) { return __raddle_current; }
int __raddle_seq_exists(unsigned int thread) { return thread < __RADDLE_THREADS && __raddle_active[thread]; }

void __raddle_seq_lock(int *word) {
    __VERIFIER_assume(*word == 0);
    *word = (int)__raddle_current + 1;
}

void __raddle_seq_unlock(int *word) { *word = 0; }
int __raddle_seq_holds(int *word) { return *word == (int)__raddle_current + 1; }
int __raddle_seq_lock_is_free(int *word) { return *word == 0; }
