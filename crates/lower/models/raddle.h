/* The primitives that models are written with. Put in front of every model. */
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_wait_until(int condition);                 /* blocks; in an atomic block the whole block waits */
void __raddle_assume(int condition);                     /* ends the thread when false */
void __raddle_lock(int *word);                           /* waits for 0, sets to self + 1, acquires */
void __raddle_unlock(int *word);                         /* sets to 0, releases */
int __raddle_holds(int *word);                           /* whether it is self + 1; orders nothing */
int __raddle_lock_is_free(int *word);                    /* whether it is 0; orders nothing */
int __raddle_peek(int *word, int unwritten);             /* its value, or `unwritten`, a constant; orders nothing */
unsigned __raddle_fork(void *(*function)(void *), void *argument);
void *__raddle_join(unsigned thread);
unsigned __raddle_self(void);
int __raddle_thread_exists(unsigned thread);
void __raddle_exit_thread(void *result) __attribute__((noreturn));
void __raddle_end_locals(void);                          /* nobody returns to the functions of this thread: their variables end */
void __raddle_exit_process(int status) __attribute__((noreturn));
void __raddle_abort(void) __attribute__((noreturn));
void *__raddle_alloc(unsigned long size, int zeroed);
void *__raddle_alloc_own(unsigned long size, int zeroed); /* what the library needs for itself: no leak of the program */
void *__raddle_alloc_aligned(unsigned long size, unsigned long alignment); /* the alignment is a constant */
void __raddle_free(void *pointer);
unsigned long __raddle_object_size(const void *pointer);
void __raddle_check_lock(int condition, const char *message);
void __raddle_check_memory(int condition, const char *message);
void __raddle_check_assertion(int condition, const char *message);
int __raddle_program_uses(const char *name);             /* whether it names that function, variable or constant; a constant */
int __raddle_program_reaches(const char *model);         /* whether it may come to that function of the models; a constant */
int __raddle_threads_looked_at(void);                    /* 0 unless the program looks at handles: 1 compares them, 2 takes them for
                                                            numbers; a constant, as for keys */
int __raddle_keys_looked_at(void);
int __raddle_keeps_threads_apart(void);                  /* 0 where the program is lowered for proofs, which any number of threads
                                                            takes part in; a constant */
int __raddle_locks_copied(void);                         /* whether the program may copy locks; a constant */
void __raddle_unsupported(const char *what) __attribute__((noreturn));
void __raddle_fence(void);
int __raddle_nondet_int(void);
unsigned long __raddle_nondet_ulong(void);
_Bool __raddle_nondet_bool(void);
_Bool __raddle_nondet_spurious(void);                    /* whether a wait ends for no reason; see ir/src/passes/spin_condition.rs */
unsigned char __raddle_nondet_uchar(void);
double __raddle_nondet_double(void);
int __raddle_put_byte(int stream, int byte);
void __raddle_put_integer(int stream, int specification, int width, int precision, unsigned long long magnitude);
int __raddle_put_float(int stream, int specification, int width, int precision, double number);
int __raddle_put_pointer(int stream, int specification, int width, const void *pointer);
int __raddle_float_byte(int specification, int width, int precision, double number, int index); /* -1 behind the last one */
double __raddle_decimal(unsigned long long mantissa, int exponent);                              /* mantissa * 10^exponent */

/* Synchronisation objects keep two words in themselves from when they are initialised to when they are destroyed: a mark, and
   where they are. So what was never written, and the copy of an object, is not one. */
enum { OBJECT_LIVE = 0x4c495645, OBJECT_UNWRITTEN = -2, OBJECT_DESTROYED = -1 };

__attribute__((raddle_reads(initialised)))
static inline int __object_is_live(int *mark, unsigned long *self, void *object) {
    return __raddle_peek(mark, 0) == OBJECT_LIVE && *self == (unsigned long)object;
}

/* The copy of one that is, in a program that copies any: to look is not for nothing. */
__attribute__((raddle_reads(initialised)))
static inline int __object_is_copy(int *mark, unsigned long *self, void *object) {
    return __raddle_locks_copied() && __raddle_peek(mark, 0) == OBJECT_LIVE && *self != (unsigned long)object;
}

static inline void __object_begin(int *mark, unsigned long *self, void *object) {
    *mark = OBJECT_LIVE;
    *self = (unsigned long)object;
}

/* A time that a function is given is read, and its nanoseconds must be such. */
static inline int __time_is_valid(const long *time) {
    long seconds = time[0], nanoseconds = time[1];
    (void)seconds;
    return nanoseconds >= 0 && nanoseconds < 1000000000;
}
