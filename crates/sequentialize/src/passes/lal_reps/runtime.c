void __VERIFIER_assume(int);
unsigned char __VERIFIER_nondet_uchar(void);

/* Which thread runs, and in which round it is. */
unsigned int __raddle_current;
unsigned char __raddle_round;
unsigned int __raddle_leave;

/* The violation that was found last, and whether the running thread found one. From the round of the violation on, threads that
   would run after it do nothing. */
unsigned int __raddle_error;
unsigned char __raddle_limit = __RADDLE_ROUNDS;
_Bool __raddle_stopped;

/* Of each thread: the round in which it was started; and, shared by all, whether it was started and has come to its end, and
   what it gave back. */
unsigned char __raddle_born[__RADDLE_THREADS];
_Bool __raddle_active[__RADDLE_THREADS] = {1};
_Bool __raddle_finished[__RADDLE_THREADS];
void *__raddle_result[__RADDLE_THREADS];
char *__raddle_arguments[2] = {"program", 0};

/* Before a visible statement, at the label of this number: the thread may go on in a later round, or not at all. */
_Bool __raddle_switch(unsigned int label) {
    unsigned char next = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(next >= __raddle_round && (next < __raddle_limit || next == __RADDLE_ROUNDS));
    __raddle_leave = label;
    __raddle_round = next;
    return next == __RADDLE_ROUNDS;
}

void __raddle_fail(unsigned int number) {
    __raddle_error = number;
    __raddle_limit = __raddle_round;
    __raddle_stopped = 1;
}

unsigned int __raddle_create(unsigned int thread) {
    __raddle_born[thread] = __raddle_round;
    __raddle_active[thread] = 1;
    return thread;
}

void __raddle_finish(unsigned int thread) { __raddle_finished[thread] = 1; }
void __raddle_join_wait(unsigned int thread) { __VERIFIER_assume(__raddle_finished[thread]); }

void *__raddle_join_result(unsigned int thread) {
    __VERIFIER_assume(__raddle_finished[thread]);
    return __raddle_result[thread];
}

unsigned int __raddle_self_number(void) { return __raddle_current; }
int __raddle_is_active(unsigned int thread) { return thread < __RADDLE_THREADS && __raddle_active[thread]; }

/* Before an access: what does not hold ends the thread there. */
void __raddle_ensure(int condition) { __VERIFIER_assume(condition); }

void __raddle_lock_word(int *word) {
    __VERIFIER_assume(*word == 0);
    *word = (int)__raddle_current + 1;
}

void __raddle_unlock_word(int *word) { *word = 0; }
int __raddle_holds_word(int *word) { return *word == (int)__raddle_current + 1; }
int __raddle_word_is_free(int *word) { return *word == 0; }
int __raddle_look_at_word(int *word, int unwritten) { return *word; }

/* `main` was taken to be alone where it is not: nothing is known then. */
void __raddle_unsupported(const char *);
void __raddle_not_alone(void) { __raddle_unsupported("a thread that still runs when main has joined as many as it started"); }

void __raddle_guess(void) {}
void __raddle_begin(void) {}
void __raddle_check(void) {}
void __raddle_report(void) {}
