/* Streams and files. What is read is anything: bytes, an end, an error. What is written goes to standard output and standard error, or
   is lost; writing succeeds there, and elsewhere may fail. Streams are locked by each function, as C says, so what a
   model does with them happens in atomic blocks; the lock orders nothing else. */

struct __stdio_file {
    int number;          /* 0 to 2 for the standard streams, 3 for others */
    int pushed;          /* a byte of ungetc plus one, or 0 */
    _Bool ended, failed; /* what feof and ferror say */
};

static struct __stdio_file __stdio_in = {0, 0, 0, 0}, __stdio_out = {1, 0, 0, 0}, __stdio_error = {2, 0, 0, 0};

struct _IO_FILE;
struct _IO_FILE *stdin = (struct _IO_FILE *)&__stdio_in;
struct _IO_FILE *stdout = (struct _IO_FILE *)&__stdio_out;
struct _IO_FILE *stderr = (struct _IO_FILE *)&__stdio_error;

int *__model___errno_location(void);
void *__model_realloc(void *pointer, unsigned long size);

/* Something failed, nobody knows why. */
static int __stdio_fail(void) {
    int reason = __raddle_nondet_int();
    __raddle_assume(reason > 0 && reason < 134);
    *__model___errno_location() = reason;
    return -1;
}

/* The number that output goes to. A stream that was closed is no object any more. */
int __model___print_stream(void *stream) {
    if (stream == &__stdio_out)
        return 1;
    if (stream == &__stdio_error)
        return 2;
    __raddle_atomic_begin();
    int number = ((struct __stdio_file *)stream)->number;
    __raddle_atomic_end();
    return number == 0 ? 3 : number;
}

int __model_fputc(int byte, void *stream) {
    __raddle_put_byte(__model___print_stream(stream), byte);
    return (unsigned char)byte;
}
int __model_putc(int byte, void *stream) { return __model_fputc(byte, stream); }
int __model__IO_putc(int byte, void *stream) { return __model_fputc(byte, stream); }
int __model___overflow(void *stream, int byte) { return __model_fputc(byte, stream); }
int __model_putchar(int byte) {
    __raddle_put_byte(1, byte);
    return (unsigned char)byte;
}
int __model_putw(int word, void *stream) {
    for (int i = 0; i < 4; i++)
        __model_fputc(word >> 8 * i & 255, stream);
    return 0;
}

int __model_fputs(const char *text, void *stream) {
    int number = __model___print_stream(stream);
    for (char byte; (byte = *text); text++)
        __raddle_put_byte(number, byte);
    return 1;
}

int __model_puts(const char *text) {
    for (char byte; (byte = *text); text++)
        __raddle_put_byte(1, byte);
    __raddle_put_byte(1, '\n');
    return 1;
}

char *__model_strerror(int number);

void __model_perror(const char *text) {
    if (text && *text) {
        for (char byte; (byte = *text); text++)
            __raddle_put_byte(2, byte);
        __raddle_put_byte(2, ':');
        __raddle_put_byte(2, ' ');
    }
    for (const char *reason = __model_strerror(*__model___errno_location()); *reason; reason++)
        __raddle_put_byte(2, *reason);
    __raddle_put_byte(2, '\n');
}

unsigned long __model_fwrite(const void *from, unsigned long size, unsigned long count, void *stream) {
    const unsigned char *bytes = from;
    int number = __model___print_stream(stream);
    for (unsigned long i = 0; i < size * count; i++)
        __raddle_put_byte(number, bytes[i]);
    return size == 0 ? 0 : count;
}

/* The next byte of a stream, or -1. */
static int __stdio_get(struct __stdio_file *file) {
    unsigned char byte = 0;
    int end = 0;
    __raddle_atomic_begin();
    if (file->pushed) {
        byte = (unsigned char)(file->pushed - 1);
        file->pushed = 0;
    } else if (file->ended || __raddle_nondet_bool()) {
        end = 1;
        if (!file->ended && __raddle_nondet_bool())
            file->failed = 1;
        else
            file->ended = 1;
    } else {
        byte = __raddle_nondet_uchar();
    }
    __raddle_atomic_end();
    return end ? -1 : byte;
}

int __model_fgetc(void *stream) { return __stdio_get(stream); }
int __model_getc(void *stream) { return __stdio_get(stream); }
int __model__IO_getc(void *stream) { return __stdio_get(stream); }
int __model___uflow(void *stream) { return __stdio_get(stream); }
int __model_getchar(void) { return __stdio_get(&__stdio_in); }
int __model_getw(void *stream) {
    __stdio_get(stream);
    return __raddle_nondet_int();
}

int __model_ungetc(int byte, void *stream) {
    struct __stdio_file *file = stream;
    if (byte == -1)
        return -1;
    __raddle_atomic_begin();
    if (file->pushed)
        __raddle_unsupported("more than one byte that is pushed back (ungetc)");
    file->pushed = (unsigned char)byte + 1;
    file->ended = 0;
    __raddle_atomic_end();
    return (unsigned char)byte;
}

char *__model_fgets(char *text, int size, void *stream) {
    int length = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int byte = __stdio_get(stream);
        if (byte < 0)
            break;
        text[length++] = (char)byte;
        if (byte == '\n')
            break;
    }
    if (length == 0 && size > 1)
        return 0;
    text[length] = 0;
    return text;
}

/* No size keeps it from writing on; C11 has no such function. */
char *__model_gets(char *text) {
    int length = 0;
    for (int byte; (byte = __stdio_get(&__stdio_in)) >= 0 && byte != '\n'; length++)
        text[length] = (char)byte;
    text[length] = 0;
    return text;
}

unsigned long __model_fread(void *to, unsigned long size, unsigned long count, void *stream) {
    unsigned char *bytes = to;
    if (size == 0)
        return 0;
    for (unsigned long i = 0; i < size * count; i++) {
        int byte = __stdio_get(stream);
        if (byte < 0)
            return i / size;
        bytes[i] = (unsigned char)byte;
    }
    return count;
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
    __raddle_atomic_begin();
    int ended = ((struct __stdio_file *)stream)->ended;
    __raddle_atomic_end();
    return ended;
}
int __model_ferror(void *stream) {
    __raddle_atomic_begin();
    int failed = ((struct __stdio_file *)stream)->failed;
    __raddle_atomic_end();
    return failed;
}
void __model_clearerr(void *stream) {
    __raddle_atomic_begin();
    ((struct __stdio_file *)stream)->ended = 0;
    ((struct __stdio_file *)stream)->failed = 0;
    __raddle_atomic_end();
}
int __model_fileno(void *stream) {
    __raddle_atomic_begin();
    int number = ((struct __stdio_file *)stream)->number;
    __raddle_atomic_end();
    if (number < 3)
        return number;
    int file = __raddle_nondet_int();
    __raddle_assume(file > 2 && file < 1024);
    return file;
}

/* A name is read up to its end. */
static void __stdio_read_name(const char *name) {
    while (*name)
        name++;
}

static void *__stdio_new(void) {
    struct __stdio_file *file = __raddle_alloc(sizeof *file, 1);
    file->number = 3;
    return file;
}

void *__model_fopen(const char *name, const char *mode) {
    __stdio_read_name(name);
    __stdio_read_name(mode);
    if (__raddle_nondet_bool()) {
        __stdio_fail();
        return 0;
    }
    return __stdio_new();
}
void *__model_fdopen(int file, const char *mode) {
    (void)file;
    return __model_fopen("", mode);
}
void *__model_tmpfile(void) { return __model_fopen("", ""); }

int __model_fclose(void *stream) {
    if (stream == &__stdio_in || stream == &__stdio_out || stream == &__stdio_error)
        return 0;
    __raddle_free(stream);
    return __raddle_nondet_bool() ? __stdio_fail() : 0;
}
int __model_fcloseall(void) { return 0; }

void *__model_freopen(const char *name, const char *mode, void *stream) {
    if (name)
        __stdio_read_name(name);
    __stdio_read_name(mode);
    if (__raddle_nondet_bool()) {
        __model_fclose(stream);
        __stdio_fail();
        return 0;
    }
    __model_clearerr(stream);
    return stream;
}

int __model_fflush(void *stream) { (void)stream; return 0; }
int __model_setvbuf(void *stream, char *buffer, int mode, unsigned long size) {
    (void)stream;
    (void)buffer;
    (void)size;
    return mode < 0 || mode > 2 ? -1 : 0;
}
void __model_setbuf(void *stream, char *buffer) { (void)stream; (void)buffer; }
void __model_setbuffer(void *stream, char *buffer, unsigned long size) { (void)stream; (void)buffer; (void)size; }
void __model_setlinebuf(void *stream) { (void)stream; }
void __model_flockfile(void *stream) { (void)stream; }
int __model_ftrylockfile(void *stream) { (void)stream; return __raddle_nondet_bool(); }
void __model_funlockfile(void *stream) { (void)stream; }

int __model_fseek(void *stream, long offset, int from) {
    struct __stdio_file *file = stream;
    (void)offset;
    if (from < 0 || from > 2 || __raddle_nondet_bool())
        return __stdio_fail();
    __raddle_atomic_begin();
    file->ended = 0;
    file->pushed = 0;
    __raddle_atomic_end();
    return 0;
}
int __model_fseeko(void *stream, long offset, int from) { return __model_fseek(stream, offset, from); }
void __model_rewind(void *stream) {
    __model_fseek(stream, 0, 0);
    __model_clearerr(stream);
}
long __model_ftell(void *stream) {
    (void)stream;
    if (__raddle_nondet_bool())
        return __stdio_fail();
    return (long)(__raddle_nondet_ulong() >> 1);
}
long __model_ftello(void *stream) { return __model_ftell(stream); }
int __model_fgetpos(void *stream, long *position) {
    long now = __model_ftell(stream);
    if (now < 0)
        return -1;
    *position = now;
    return 0;
}
int __model_fsetpos(void *stream, const long *position) { return __model_fseek(stream, *position, 0); }

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
