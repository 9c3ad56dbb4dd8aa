void __VERIFIER_assume(int);
unsigned int __VERIFIER_nondet_uint(void);

/* Whose turn it is, and at which label it will be left. */
unsigned int __seq_current;
__seq_label __seq_leave;

/* Of each thread: whether it was started and has come to its end, what it was given and what it gave back. */
_Bool __seq_active[SEQ_THREADS];
_Bool __seq_finished[SEQ_THREADS];
void *__seq_argument[SEQ_THREADS];
void *__seq_result[SEQ_THREADS];
char *__seq_arguments[2] = {"program", 0};

static __seq_label __seq_guess(void) { return (__seq_label)__VERIFIER_nondet_uint(); }

unsigned int __seq_create(unsigned int thread, void *argument) {
    __seq_active[thread] = 1;
    __seq_argument[thread] = argument;
    return thread;
}

void *__seq_join(unsigned int thread) {
    __VERIFIER_assume(__seq_finished[thread]);
    return __seq_result[thread];
}

unsigned int __seq_self(void) { return __seq_current; }
int __seq_exists(unsigned int thread) { return thread < SEQ_THREADS && __seq_active[thread]; }

void __seq_lock(int *word) {
    __VERIFIER_assume(*word == 0);
    *word = (int)__seq_current + 1;
}

void __seq_unlock(int *word) { *word = 0; }
int __seq_holds(int *word) { return *word == (int)__seq_current + 1; }
int __seq_lock_is_free(int *word) { return *word == 0; }
