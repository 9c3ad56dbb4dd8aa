/* Streams and files. What is read is anything: bytes, an end, an error. What is written goes to standard output and standard error, or
   is lost; writing succeeds there, and elsewhere may fail. Streams are locked by each function, as C says, so what a
   model does with them happens in atomic blocks; only where a program uses flockfile the lock is one that orders.

   Where a function has a twin with `_dropped`, a call whose result nobody looks at is a call of that: there is less to choose. */

struct __stdio_file {
    int number;                  /* 0 to 2 for the standard streams, 3 for others */
    int descriptor;              /* what fileno says */
    int pushed;                  /* a byte of ungetc plus one, or 0 */
    _Bool ended, failed;         /* what feof and ferror say */
    _Bool made, closed;          /* it was opened by the program; it is a standard stream that was closed */
    int lock, depth;             /* flockfile's */
    int use;                     /* who uses the stream writes it: an atomic access of those that take its lock */
    char *buffer;                /* setvbuf's */
    long position;               /* where it is plus one, 0 where nobody knows, -1 where it has none */
};
/* A stream that was opened does not begin where its memory does: it is nothing to give to free. */
struct __stdio_opened {
    long before[2];
    struct __stdio_file file;
};

static struct __stdio_file __stdio_in = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, __stdio_out = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                           __stdio_error = {2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

struct _IO_FILE;
struct _IO_FILE *stdin = (struct _IO_FILE *)&__stdio_in;
struct _IO_FILE *stdout = (struct _IO_FILE *)&__stdio_out;
struct _IO_FILE *stderr = (struct _IO_FILE *)&__stdio_error;

/* The objects are asked for through these, as programs do. */
__attribute__((raddle_reads(initialised)))
static struct __stdio_file *__stdio_input(void) { return (struct __stdio_file *)stdin; }
__attribute__((raddle_reads(initialised)))
static struct __stdio_file *__stdio_output(void) { return (struct __stdio_file *)stdout; }
__attribute__((raddle_reads(initialised)))
static struct __stdio_file *__stdio_errors(void) { return (struct __stdio_file *)stderr; }

int *__model___errno_location(void);
void *__model_realloc(void *pointer, unsigned long size);
static int __file_take(void);
static void __file_release(int number);

/* Something failed, nobody knows why. */
static int __stdio_fail(void) {
    if (__raddle_program_uses("__errno_location")) {
        int reason = __raddle_nondet_int();
        __raddle_assume(reason > 0 && reason < 134);
        *__model___errno_location() = reason;
    }
    return -1;
}

/* What succeeds may change errno all the same: glibc asks whether it writes to a terminal. */
static void __stdio_change_errno(void) {
    if (__raddle_program_uses("__errno_location") && __raddle_nondet_bool())
        *__model___errno_location() = 25; /* ENOTTY */
}

static int __stdio_has_locks(void) { return __raddle_program_uses("flockfile") || __raddle_program_uses("ftrylockfile"); }
/* The functions that do not take the lock of their stream. */
static int __stdio_is_used_unlocked(void) {
    return __raddle_program_uses("fputc_unlocked") || __raddle_program_uses("putc_unlocked") ||
           __raddle_program_uses("putchar_unlocked") || __raddle_program_uses("fputs_unlocked") ||
           __raddle_program_uses("fwrite_unlocked") || __raddle_program_uses("fgetc_unlocked") ||
           __raddle_program_uses("getc_unlocked") || __raddle_program_uses("getchar_unlocked") ||
           __raddle_program_uses("fgets_unlocked") || __raddle_program_uses("fread_unlocked") ||
           __raddle_program_uses("fflush_unlocked") || __raddle_program_uses("clearerr_unlocked") ||
           __raddle_program_uses("feof_unlocked") || __raddle_program_uses("ferror_unlocked") ||
           __raddle_program_uses("fileno_unlocked");
}
/* Whether this thread is in one of them. */
static _Thread_local int __stdio_skips_lock;
static int __stdio_has_buffers(void) {
    return __raddle_program_uses("setvbuf") || __raddle_program_uses("setbuf") || __raddle_program_uses("setbuffer");
}
static int __stdio_has_positions(void) {
    return __raddle_program_uses("ftell") || __raddle_program_uses("ftello") || __raddle_program_uses("fgetpos");
}
/* Whether a standard stream may have been closed; for that somebody must name it. */
static int __stdio_may_be_closed(void) {
    return (__raddle_program_uses("fclose") || __raddle_program_uses("freopen") || __raddle_program_uses("fcloseall")) &&
           (__raddle_program_uses("stdin") || __raddle_program_uses("stdout") || __raddle_program_uses("stderr") ||
            __raddle_program_uses("fcloseall"));
}

/* Inside an atomic block: POSIX has every function take the lock of its stream as if by flockfile, and so it is ordered. A function that
   takes it races with those that do not, and never with another one that does. */
static void __stdio_await(struct __stdio_file *file) {
    int takes = __stdio_has_locks() && !(__stdio_is_used_unlocked() && __stdio_skips_lock) && !__raddle_holds(&file->lock);
    if (takes)
        __raddle_lock(&file->lock);
    if (__stdio_is_used_unlocked() && !__stdio_skips_lock)
        __atomic_store_n(&file->use, 1, 0);
    if (takes)
        __raddle_unlock(&file->lock);
}

/* Every function that is given a stream looks at it first: it must be one, be open, and not be locked by another thread. A buffer of
   one's own must still be there. */
__attribute__((raddle_reads(hidden)))
static struct __stdio_file *__stdio_use(void *stream) {
    struct __stdio_file *file = stream;
    __stdio_change_errno();
    __raddle_atomic_begin();
    int number = file->number;
    (void)number;
    if (__stdio_has_locks() || __stdio_is_used_unlocked())
        __stdio_await(file);
    if (__stdio_may_be_closed())
        __raddle_check_memory(!file->closed, "a stream is used that was closed");
    if (__stdio_has_buffers() && file->buffer) {
        char first = *file->buffer;
        (void)first;
    }
    __raddle_atomic_end();
    return file;
}
/* The same for standard streams that a function uses by itself, where that can be wrong. */
static int __stdio_is_watched(void) {
    return __stdio_has_locks() || __stdio_is_used_unlocked() || __stdio_may_be_closed() || __stdio_has_buffers();
}
int __model___print_output(void) {
    if (__stdio_is_watched())
        __stdio_use(__stdio_output());
    else
        __stdio_change_errno();
    return 1;
}

/* The number that output goes to. A stream that was closed is no object any more. */
int __model___print_stream(void *stream) {
    if (!__stdio_is_watched() && (stream == &__stdio_out || stream == &__stdio_error)) {
        __stdio_change_errno();
        return stream == &__stdio_out ? 1 : 2;
    }
    struct __stdio_file *file = __stdio_use(stream);
    int number = file->number;
    if (__stdio_has_positions()) {
        __raddle_atomic_begin();
        file->position = 0;
        __raddle_atomic_end();
    }
    return number == 0 ? 3 : number;
}

/* Whether writing to a stream has failed; ferror says so later. */
__attribute__((raddle_reads(initialised)))
static int __stdio_write_fails(void *stream) {
    if (stream == &__stdio_out || stream == &__stdio_error)
        return 0;
    __raddle_atomic_begin();
    int number = ((struct __stdio_file *)stream)->number;
    __raddle_atomic_end();
    if (number == 1 || number == 2 || !__raddle_nondet_bool())
        return 0;
    if (__raddle_program_uses("ferror") || __raddle_program_uses("ferror_unlocked")) {
        __raddle_atomic_begin();
        ((struct __stdio_file *)stream)->failed = 1;
        __raddle_atomic_end();
    }
    __stdio_fail();
    return 1;
}
/* Nobody looks at the result: then only ferror and errno tell. */
static void __stdio_write_fails_unseen(void *stream) {
    if (__raddle_program_uses("ferror") || __raddle_program_uses("ferror_unlocked") || __raddle_program_uses("__errno_location"))
        __stdio_write_fails(stream);
}
int __model___print_result(void *stream, int count) { return __stdio_write_fails(stream) ? -1 : count; }
int __model___print_result_dropped(void *stream, int count) {
    __stdio_write_fails_unseen(stream);
    return count;
}

static int __stdio_put(int byte, void *stream) {
    __raddle_put_byte(__model___print_stream(stream), byte);
    return (unsigned char)byte;
}
int __model_fputc(int byte, void *stream) { return __model___print_result(stream, __stdio_put(byte, stream)); }
int __model_fputc_dropped(int byte, void *stream) { return __model___print_result_dropped(stream, __stdio_put(byte, stream)); }
int __model_putc(int byte, void *stream) { return __model_fputc(byte, stream); }
int __model_putc_dropped(int byte, void *stream) { return __model_fputc_dropped(byte, stream); }
int __model__IO_putc(int byte, void *stream) { return __model_fputc(byte, stream); }
int __model___overflow(void *stream, int byte) { return __model_fputc(byte, stream); }
int __model_putchar(int byte) {
    __raddle_put_byte(__model___print_output(), byte);
    return (unsigned char)byte;
}
int __model_putw(int word, void *stream) {
    for (int i = 0; i < 4; i++)
        __stdio_put(word >> 8 * i & 255, stream);
    return __stdio_write_fails(stream) ? -1 : 0;
}

static void __stdio_put_text(const char *text, int number) {
    for (char byte; (byte = *text); text++)
        __raddle_put_byte(number, byte);
}
int __model_fputs(const char *text, void *stream) {
    __stdio_put_text(text, __model___print_stream(stream));
    return __model___print_result(stream, 1);
}
int __model_fputs_dropped(const char *text, void *stream) {
    __stdio_put_text(text, __model___print_stream(stream));
    return __model___print_result_dropped(stream, 1);
}

int __model_puts(const char *text) {
    __model___print_output();
    __stdio_put_text(text, 1);
    __raddle_put_byte(1, '\n');
    return 1;
}

char *__model_strerror(int number);

void __model_perror(const char *text) {
    if (__stdio_is_watched())
        __stdio_use(__stdio_errors());
    if (text && *text) {
        __stdio_put_text(text, 2);
        __raddle_put_byte(2, ':');
        __raddle_put_byte(2, ' ');
    }
    __stdio_put_text(__model_strerror(*__model___errno_location()), 2);
    __raddle_put_byte(2, '\n');
}

static void __stdio_put_bytes(const unsigned char *bytes, unsigned long size, unsigned long count, int number) {
    for (unsigned long element = 0; size != 0 && element < count; element++)
        for (unsigned long i = 0; i < size; i++)
            __raddle_put_byte(number, *bytes++);
}
unsigned long __model_fwrite(const void *from, unsigned long size, unsigned long count, void *stream) {
    __stdio_put_bytes(from, size, count, __model___print_stream(stream));
    if (size == 0 || count == 0)
        return 0;
    if (!__stdio_write_fails(stream))
        return count;
    unsigned long written = __raddle_nondet_ulong();
    __raddle_assume(written < count);
    return written;
}
unsigned long __model_fwrite_dropped(const void *from, unsigned long size, unsigned long count, void *stream) {
    __stdio_put_bytes(from, size, count, __model___print_stream(stream));
    __stdio_write_fails_unseen(stream);
    return 0;
}

/* The next byte of a stream, -1 at its end, -2 if reading failed. */
static int __stdio_get(struct __stdio_file *file) {
    unsigned char byte = 0;
    int end = 0;
    if (__stdio_is_watched())
        __stdio_use(file);
    __raddle_atomic_begin();
    if (file->pushed) {
        byte = (unsigned char)(file->pushed - 1);
        file->pushed = 0;
    } else if (file->ended || __raddle_nondet_bool()) {
        if (!file->ended && __raddle_nondet_bool()) {
            file->failed = 1;
            end = -2;
        } else {
            file->ended = 1;
            end = -1;
        }
    } else {
        byte = __raddle_nondet_uchar();
    }
    if (__stdio_has_positions() && !end && file->position > 0)
        file->position++;
    __raddle_atomic_end();
    return end ? end : byte;
}

int __model_fgetc(void *stream) {
    int byte = __stdio_get(stream);
    return byte < 0 ? -1 : byte;
}
int __model_getc(void *stream) { return __model_fgetc(stream); }
int __model__IO_getc(void *stream) { return __model_fgetc(stream); }
int __model___uflow(void *stream) { return __model_fgetc(stream); }
int __model_getchar(void) { return __model_fgetc(__stdio_input()); }
int __model_getw(void *stream) {
    __stdio_get(stream);
    return __raddle_nondet_int();
}

__attribute__((raddle_reads(hidden)))
int __model_ungetc(int byte, void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    if (byte == -1)
        return -1;
    __raddle_atomic_begin();
    if (file->pushed)
        __raddle_unsupported("more than one byte that is pushed back (ungetc)");
    file->pushed = (unsigned char)byte + 1;
    file->ended = 0;
    file->position = 0;
    __raddle_atomic_end();
    return (unsigned char)byte;
}

/* At an end before the first byte the array stays as it is. After an error it holds anything. */
char *__model_fgets(char *text, int size, void *stream) {
    int length = 0, byte = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        byte = __stdio_get(stream);
        if (byte < 0)
            break;
        text[length++] = (char)byte;
        if (byte == '\n')
            break;
    }
    if (byte == -2) {
        for (int i = 0; i < size; i++)
            text[i] = (char)__raddle_nondet_uchar();
        return 0;
    }
    if (length == 0 && size > 1)
        return 0;
    text[length] = 0;
    return text;
}

/* No size keeps it from writing on; C11 has no such function. */
char *__model_gets(char *text) {
    int length = 0;
    for (int byte; (byte = __stdio_get(__stdio_input())) >= 0 && byte != '\n'; length++)
        text[length] = (char)byte;
    text[length] = 0;
    return text;
}

unsigned long __model_fread(void *to, unsigned long size, unsigned long count, void *stream) {
    unsigned char *bytes = to;
    for (unsigned long element = 0; size != 0 && element < count; element++)
        for (unsigned long i = 0; i < size; i++) {
            int byte = __stdio_get(stream);
            if (byte < 0)
                return element;
            *bytes++ = (unsigned char)byte;
        }
    return size == 0 ? 0 : count;
}

long __model_getdelim(char **text, unsigned long *room, int end, void *stream) {
    unsigned long length = 0;
    if (!*text)
        *room = 0;
    for (;;) {
        int byte = __stdio_get(stream);
        if (byte < 0)
            break;
        if (length + 2 > *room) {
            unsigned long more = *room < 60 ? 120 : *room * 2;
            char *larger = __model_realloc(*text, more);
            if (!larger)
                return -1;
            *text = larger;
            *room = more;
        }
        (*text)[length++] = (char)byte;
        if (byte == end)
            break;
    }
    if (length == 0)
        return -1;
    (*text)[length] = 0;
    return (long)length;
}
long __model_getline(char **text, unsigned long *room, void *stream) { return __model_getdelim(text, room, '\n', stream); }

int __model_feof(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    __raddle_atomic_begin();
    int ended = file->ended;
    __raddle_atomic_end();
    return ended;
}
int __model_ferror(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    __raddle_atomic_begin();
    int failed = file->failed;
    __raddle_atomic_end();
    return failed;
}
void __model_clearerr(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    __raddle_atomic_begin();
    file->ended = 0;
    file->failed = 0;
    __raddle_atomic_end();
}
int __model_fileno(void *stream) { return __stdio_use(stream)->descriptor; }

/* A name is read up to its end. */
static void __stdio_read_name(const char *name) {
    while (*name)
        name++;
}

static void *__stdio_new(void) {
    struct __stdio_opened *opened = __raddle_alloc(sizeof *opened, 1);
    opened->file.number = 3;
    opened->file.made = 1;
    if (__raddle_program_uses("fileno") || __raddle_program_uses("fileno_unlocked"))
        opened->file.descriptor = __file_take();
    return &opened->file;
}

void *__model_fopen(const char *name, const char *mode) {
    __stdio_read_name(name);
    __stdio_read_name(mode);
    if (__raddle_nondet_bool()) {
        __stdio_fail();
        return 0;
    }
    __stdio_change_errno();
    return __stdio_new();
}
/* The stream is one for the number it is given. */
void *__model_fdopen(int number, const char *mode) {
    __stdio_read_name(mode);
    if (number < 0 || __raddle_nondet_bool()) {
        __stdio_fail();
        return 0;
    }
    struct __stdio_opened *opened = __raddle_alloc(sizeof *opened, 1);
    opened->file.number = number == 1 || number == 2 ? number : 3;
    opened->file.descriptor = number;
    opened->file.made = 1;
    return &opened->file;
}
void *__model_tmpfile(void) { return __model_fopen("", ""); }

int __model_fclose(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    if (!file->made) {
        __file_release(file->number);
        __raddle_atomic_begin();
        file->closed = 1;
        __raddle_atomic_end();
        return 0;
    }
    if (__raddle_program_uses("fileno") || __raddle_program_uses("fileno_unlocked") || __raddle_program_uses("fdopen"))
        __file_release(file->descriptor);
    __raddle_free((char *)stream - 2 * sizeof(long));
    return __raddle_nondet_bool() ? __stdio_fail() : 0;
}
int __model_fclose_dropped(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    if (!file->made || __raddle_program_uses("__errno_location") ||
        __raddle_program_uses("fileno") || __raddle_program_uses("fileno_unlocked") || __raddle_program_uses("fdopen"))
        return __model_fclose(stream);
    __raddle_free((char *)stream - 2 * sizeof(long));
    return 0;
}
int __model_fcloseall(void) {
    __raddle_atomic_begin();
    __stdio_input()->closed = 1;
    __stdio_output()->closed = 1;
    __stdio_errors()->closed = 1;
    __raddle_atomic_end();
    return 0;
}

/* Whether it succeeds or not, what the stream was before is gone. */
__attribute__((raddle_reads(initialised)))
void *__model_freopen(const char *name, const char *mode, void *stream) {
    struct __stdio_file *file = stream;
    __raddle_atomic_begin();
    int number = file->number;
    file->closed = 0;
    __raddle_atomic_end();
    if (name)
        __stdio_read_name(name);
    __stdio_read_name(mode);
    if (__raddle_nondet_bool()) {
        __model_fclose(stream);
        __stdio_fail();
        return 0;
    }
    (void)number;
    __model_clearerr(stream);
    return stream;
}

/* What is still to be written may not get there. */
int __model_fflush(void *stream) {
    if (!stream)
        return 0;
    __stdio_use(stream);
    return __stdio_write_fails(stream) ? -1 : 0;
}
int __model_fflush_dropped(void *stream) {
    if (!stream)
        return 0;
    __stdio_use(stream);
    __stdio_write_fails_unseen(stream);
    return 0;
}
static void __stdio_set_buffer(void *stream, char *buffer) {
    struct __stdio_file *file = __stdio_use(stream);
    __raddle_atomic_begin();
    file->buffer = buffer;
    __raddle_atomic_end();
}
int __model_setvbuf(void *stream, char *buffer, int mode, unsigned long size) {
    __stdio_set_buffer(stream, mode == 2 || size == 0 ? 0 : buffer);
    return mode < 0 || mode > 2 ? -1 : 0;
}
void __model_setbuf(void *stream, char *buffer) { __stdio_set_buffer(stream, buffer); }
void __model_setbuffer(void *stream, char *buffer, unsigned long size) { __stdio_set_buffer(stream, size == 0 ? 0 : buffer); }
void __model_setlinebuf(void *stream) { __stdio_use(stream); }
/* What stands in a buffer is written when the process ends. */
static void __stdio_end(void) {
    if (__stdio_has_buffers() && !__stdio_output()->closed)
        __stdio_use(__stdio_output());
}

/* The lock of a stream may be taken many times by one thread. */
__attribute__((raddle_reads(ordered)))
void __model_flockfile(void *stream) {
    struct __stdio_file *file = stream;
    __raddle_atomic_begin();
    if (!__raddle_holds(&file->lock))
        __raddle_lock(&file->lock);
    file->depth++;
    __raddle_atomic_end();
}
int __model_ftrylockfile(void *stream) {
    struct __stdio_file *file = stream;
    __raddle_atomic_begin();
    int taken = __raddle_lock_is_free(&file->lock), own = __raddle_holds(&file->lock);
    if (taken)
        __raddle_lock(&file->lock);
    if (taken || own)
        file->depth++;
    __raddle_atomic_end();
    return taken || own ? 0 : 1;
}
__attribute__((raddle_reads(ordered)))
void __model_funlockfile(void *stream) {
    struct __stdio_file *file = stream;
    __raddle_atomic_begin();
    __raddle_check_lock(__raddle_holds(&file->lock), "a stream is unlocked that this thread has not locked");
    if (__raddle_holds(&file->lock) && --file->depth == 0)
        __raddle_unlock(&file->lock);
    __raddle_atomic_end();
}

/* Without the lock of the stream: who uses the stream meanwhile races. These functions do what their twins do, and do not wait. */
static void __stdio_begin_unlocked(void *stream) {
    ((struct __stdio_file *)stream)->use = 1;
    __stdio_skips_lock = 1;
}
static void __stdio_begin_unlocked_look(void *stream) {
    int use = ((struct __stdio_file *)stream)->use;
    (void)use;
    __stdio_skips_lock = 1;
}
static int __stdio_end_unlocked(int result) {
    __stdio_skips_lock = 0;
    return result;
}

int __model_fputc_unlocked(int byte, void *stream) {
    __stdio_begin_unlocked(stream);
    return __stdio_end_unlocked(__model_fputc(byte, stream));
}
int __model_putc_unlocked(int byte, void *stream) { return __model_fputc_unlocked(byte, stream); }
int __model_putchar_unlocked(int byte) { return __model_fputc_unlocked(byte, __stdio_output()); }
int __model_fputs_unlocked(const char *text, void *stream) {
    __stdio_begin_unlocked(stream);
    return __stdio_end_unlocked(__model_fputs(text, stream));
}
unsigned long __model_fwrite_unlocked(const void *from, unsigned long size, unsigned long count, void *stream) {
    __stdio_begin_unlocked(stream);
    unsigned long written = __model_fwrite(from, size, count, stream);
    __stdio_end_unlocked(0);
    return written;
}
int __model_fgetc_unlocked(void *stream) {
    __stdio_begin_unlocked(stream);
    return __stdio_end_unlocked(__model_fgetc(stream));
}
int __model_getc_unlocked(void *stream) { return __model_fgetc_unlocked(stream); }
int __model_getchar_unlocked(void) { return __model_fgetc_unlocked(__stdio_input()); }
char *__model_fgets_unlocked(char *text, int size, void *stream) {
    __stdio_begin_unlocked(stream);
    char *line = __model_fgets(text, size, stream);
    __stdio_end_unlocked(0);
    return line;
}
unsigned long __model_fread_unlocked(void *to, unsigned long size, unsigned long count, void *stream) {
    __stdio_begin_unlocked(stream);
    unsigned long read = __model_fread(to, size, count, stream);
    __stdio_end_unlocked(0);
    return read;
}
int __model_fflush_unlocked(void *stream) {
    if (!stream)
        return __model_fflush(stream);
    __stdio_begin_unlocked(stream);
    return __stdio_end_unlocked(__model_fflush(stream));
}
void __model_clearerr_unlocked(void *stream) {
    __stdio_begin_unlocked(stream);
    __model_clearerr(stream);
    __stdio_end_unlocked(0);
}
int __model_feof_unlocked(void *stream) {
    __stdio_begin_unlocked_look(stream);
    return __stdio_end_unlocked(__model_feof(stream));
}
int __model_ferror_unlocked(void *stream) {
    __stdio_begin_unlocked_look(stream);
    return __stdio_end_unlocked(__model_ferror(stream));
}
int __model_fileno_unlocked(void *stream) {
    __stdio_begin_unlocked_look(stream);
    return __stdio_end_unlocked(__model_fileno(stream));
}

int __model_fseek(void *stream, long offset, int from) {
    struct __stdio_file *file = __stdio_use(stream);
    if (from < 0 || from > 2 || (from == 0 && offset < 0) || __raddle_nondet_bool())
        return __stdio_fail();
    __raddle_atomic_begin();
    file->ended = 0;
    file->pushed = 0;
    file->position = from == 0 ? offset + 1 : 0;
    __raddle_atomic_end();
    return 0;
}
int __model_fseeko(void *stream, long offset, int from) { return __model_fseek(stream, offset, from); }
void __model_rewind(void *stream) {
    if (__model_fseek(stream, 0, 0) != 0) {
        __raddle_atomic_begin();
        ((struct __stdio_file *)stream)->position = -1;
        __raddle_atomic_end();
    }
    __model_clearerr(stream);
}
long __model_ftell(void *stream) {
    struct __stdio_file *file = __stdio_use(stream);
    __raddle_atomic_begin();
    long position = file->position;
    __raddle_atomic_end();
    if (position > 0)
        return position - 1;
    if (position < 0 || __raddle_nondet_bool())
        return __stdio_fail();
    position = (long)(__raddle_nondet_ulong() >> 1);
    __raddle_assume(position != (long)(~0ul >> 1));
    __raddle_atomic_begin();
    file->position = position + 1;
    __raddle_atomic_end();
    return position;
}
long __model_ftello(void *stream) { return __model_ftell(stream); }
/* A position is a place and the state of a conversion between bytes and wide characters. */
struct __stdio_position { long place; int state[2]; };
int __model_fgetpos(void *stream, struct __stdio_position *position) {
    long now = __model_ftell(stream);
    if (now < 0)
        return -1;
    position->place = now;
    position->state[0] = 0;
    position->state[1] = 0;
    return 0;
}
int __model_fsetpos(void *stream, const struct __stdio_position *position) {
    long place = position->place;
    int first = position->state[0], second = position->state[1];
    (void)first;
    (void)second;
    return __model_fseek(stream, place, 0);
}

static int __stdio_may_fail(void) { return __raddle_nondet_bool() ? __stdio_fail() : 0; }
int __model_remove(const char *name) {
    __stdio_read_name(name);
    return __stdio_may_fail();
}
int __model_rename(const char *from, const char *to) {
    __stdio_read_name(from);
    __stdio_read_name(to);
    return __stdio_may_fail();
}
int __model_renameat(int folder, const char *from, int other, const char *to) {
    (void)folder;
    (void)other;
    return __model_rename(from, to);
}
int __model_renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    (void)folder;
    (void)other;
    (void)flags;
    return __model_rename(from, to);
}

/* Names that nobody has: twelve bytes behind `/tmp/`. */
static char __stdio_name[20];
static char *__stdio_fill_name(char *name) {
    for (int i = 0; i < 6; i++) {
        unsigned char letter = __raddle_nondet_uchar();
        __raddle_assume(letter > ' ' && letter < 127 && letter != '/');
        name[i] = (char)letter;
    }
    return name;
}
char *__model_tmpnam(char *name) {
    if (!name)
        name = __stdio_name;
    const char *start = "/tmp/file";
    for (int i = 0; i < 9; i++)
        name[i] = start[i];
    __stdio_fill_name(name + 9);
    name[15] = 0;
    return name;
}
char *__model_tmpnam_r(char *name) { return name ? __model_tmpnam(name) : 0; }
char *__model_tempnam(const char *folder, const char *start) {
    if (folder)
        __stdio_read_name(folder);
    if (start)
        __stdio_read_name(start);
    char *name = __model_malloc(20);
    return name ? __model_tmpnam(name) : 0;
}
char *__model_ctermid(char *name) {
    if (!name)
        name = __stdio_name;
    const char *terminal = "/dev/tty";
    for (int i = 0; i < 9; i++)
        name[i] = terminal[i];
    return name;
}
char *__model_cuserid(char *name) {
    if (!name)
        name = __stdio_name;
    name[0] = 0;
    return name;
}

/* Refused by name. */
void *__model_popen(const char *command, const char *mode) {
    (void)command;
    (void)mode;
    __raddle_unsupported("other processes (popen)");
}
int __model_pclose(void *stream) {
    (void)stream;
    __raddle_unsupported("other processes (pclose)");
}
void *__model_fmemopen(void *buffer, unsigned long size, const char *mode) {
    (void)buffer;
    (void)size;
    (void)mode;
    __raddle_unsupported("streams in memory (fmemopen)");
}
void *__model_open_memstream(char **text, unsigned long *size) {
    (void)text;
    (void)size;
    __raddle_unsupported("streams in memory (open_memstream)");
}
void *__model_fopencookie(void) { __raddle_unsupported("streams of one's own (fopencookie)"); }
int __model_obstack_printf(void) { __raddle_unsupported("printing to object stacks (obstack_printf)"); }
int __model_obstack_vprintf(void) { __raddle_unsupported("printing to object stacks (obstack_vprintf)"); }
