/* Output. Formatting is the machine's; what engines prove does not depend on what is printed. */

typedef __builtin_va_list __stdio_list;

/* The arguments' area: the first word of a list. */
static void *__stdio_area(__stdio_list *list) { return *(void **)list; }

/* Streams are told apart by the objects that the headers declare. Nobody looks inside. */
struct _IO_FILE;
struct _IO_FILE *stdin = (struct _IO_FILE *)16;
struct _IO_FILE *stdout = (struct _IO_FILE *)32;
struct _IO_FILE *stderr = (struct _IO_FILE *)48;

/* A list that was handed over: an array arrives as the address of its first word. */
static void *__stdio_passed(__stdio_list list) { return sizeof(long) == 8 ? *(void **)list : *(void **)&list; }

/* The machine formats into memory of our own; the copy makes the accesses that others may see. */
static int __stdio_format(char *buffer, unsigned long size, const char *format, void *area) {
    int length = __raddle_print_buffer(0, 0, format, area);
    if (size == 0)
        return length;
    char *text = __raddle_alloc((unsigned long)length + 1, 0);
    __raddle_print_buffer(text, (unsigned long)length + 1, format, area);
    unsigned long i = 0;
    for (; i < (unsigned long)length && i < size - 1; i++)
        buffer[i] = text[i];
    buffer[i] = 0;
    __raddle_free(text);
    return length;
}

int __model_printf(const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    int result = __raddle_print_out(format, __stdio_area(&list));
    __builtin_va_end(list);
    return result;
}

int __model_fprintf(void *stream, const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    void *area = __stdio_area(&list);
    int result = stream == stderr ? __raddle_print_error(format, area) : __raddle_print_out(format, area);
    __builtin_va_end(list);
    return result;
}

int __model_sprintf(char *buffer, const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    int result = __stdio_format(buffer, ~0ul, format, __stdio_area(&list));
    __builtin_va_end(list);
    return result;
}

int __model_snprintf(char *buffer, unsigned long size, const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    int result = __stdio_format(buffer, size, format, __stdio_area(&list));
    __builtin_va_end(list);
    return result;
}

int __model_dprintf(int file, const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    void *area = __stdio_area(&list);
    int result = file == 2 ? __raddle_print_error(format, area) : __raddle_print_out(format, area);
    __builtin_va_end(list);
    return result;
}

int __model_vprintf(const char *format, __stdio_list list) { return __raddle_print_out(format, __stdio_passed(list)); }

int __model_vfprintf(void *stream, const char *format, __stdio_list list) {
    void *area = __stdio_passed(list);
    return stream == stderr ? __raddle_print_error(format, area) : __raddle_print_out(format, area);
}

int __model_vsprintf(char *buffer, const char *format, __stdio_list list) {
    return __stdio_format(buffer, ~0ul, format, __stdio_passed(list));
}

int __model_vsnprintf(char *buffer, unsigned long size, const char *format, __stdio_list list) {
    return __stdio_format(buffer, size, format, __stdio_passed(list));
}

int __model_asprintf(char **result, const char *format, ...) {
    __stdio_list list;
    __builtin_va_start(list, format);
    void *area = __stdio_area(&list);
    int length = __raddle_print_buffer(0, 0, format, area);
    char *text = __raddle_alloc((unsigned long)length + 1, 0);
    __raddle_print_buffer(text, (unsigned long)length + 1, format, area);
    __builtin_va_end(list);
    *result = text;
    return length;
}

int __model_putchar(int byte) { return __raddle_put_byte(1, byte); }
int __model_fputc(int byte, void *stream) { return __raddle_put_byte(stream == stderr ? 2 : 1, byte); }
int __model_putc(int byte, void *stream) { return __raddle_put_byte(stream == stderr ? 2 : 1, byte); }

int __model_fputs(const char *text, void *stream) {
    while (*text)
        __raddle_put_byte(stream == stderr ? 2 : 1, *text++);
    return 1;
}

int __model_puts(const char *text) {
    while (*text)
        __raddle_put_byte(1, *text++);
    return __raddle_put_byte(1, '\n');
}

void __model_perror(const char *text) {
    while (*text)
        __raddle_put_byte(2, *text++);
    __raddle_put_byte(2, '\n');
}

int __model_fflush(void *stream) { (void)stream; return 0; }
int __model_setvbuf(void *stream, char *buffer, int mode, unsigned long size) {
    (void)stream;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}
void __model_setbuf(void *stream, char *buffer) { (void)stream; (void)buffer; }
void __model_flockfile(void *stream) { (void)stream; }
void __model_funlockfile(void *stream) { (void)stream; }

unsigned long __model_fwrite(const void *from, unsigned long size, unsigned long count, void *stream) {
    const unsigned char *bytes = from;
    for (unsigned long i = 0; i < size * count; i++)
        __raddle_put_byte(stream == stderr ? 2 : 1, bytes[i]);
    return count;
}

long __model_write(int file, const void *from, unsigned long size) {
    const unsigned char *bytes = from;
    for (unsigned long i = 0; i < size; i++)
        __raddle_put_byte(file, bytes[i]);
    return (long)size;
}
