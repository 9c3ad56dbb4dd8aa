/* Formatted input. From a text it is exact. From a stream it is anything that the format allows: each conversion may fail, and one that does
   not gives any value of its type that has room in the width. What is not dropped (`%*d`) is stored, and a null pointer is no place. */

enum { SCAN_NONE = 0, SCAN_LONG_LONG = 4 };

typedef __builtin_va_list __scan_list;
static char *__scan_area(__scan_list *list) { return *(char **)list; }
static char *__scan_passed(__scan_list list) { return sizeof(long) == 8 ? *(char **)list : *(char **)&list; }

/* A directive: `%*10ld`. The letter is 0 at the end of the format. */
struct __scan_directive {
    _Bool dropped;
    int width; /* 0 for none */
    int length;
    char letter;
};

static void __scan_directive(const char **format, struct __scan_directive *directive) {
    directive->dropped = **format == '*';
    if (directive->dropped)
        ++*format;
    directive->width = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        directive->width = directive->width * 10 + (**format - '0');
    if (**format == '$')
        __raddle_unsupported("formatted input with numbered arguments (`%1$d`)");
    if (**format == 'm')
        __raddle_unsupported("formatted input that allocates (`%ms`)");
    directive->length = __print_read_length(format);
    directive->letter = *(*format)++;
}

/* Where `[...]` ends, and whether a byte is in it. */
static const char *__scan_set_end(const char *set) {
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set && *set != ']')
        set++;
    return set;
}
static int __scan_in_set(const char *set, const char *end, char byte) {
    int wanted = 1;
    if (*set == '^') {
        wanted = 0;
        set++;
    }
    for (const char *at = set; at < end; at++) {
        if (at + 2 < end && at[1] == '-') {
            if ((unsigned char)byte >= (unsigned char)at[0] && (unsigned char)byte <= (unsigned char)at[2])
                return wanted;
            at += 2;
        } else if (*at == byte) {
            return wanted;
        }
    }
    return !wanted;
}

static void __scan_store_integer(int length, void *to, unsigned long long value) {
    if (length == 1)
        *(unsigned char *)to = (unsigned char)value;
    else if (length == 2)
        *(unsigned short *)to = (unsigned short)value;
    else if (length == 3 || length == 5)
        *(unsigned long *)to = (unsigned long)value;
    else if (length == SCAN_LONG_LONG)
        *(unsigned long long *)to = value;
    else
        *(unsigned *)to = (unsigned)value;
}
static void __scan_store_float(int length, void *to, double value) {
    if (length == 6)
        __raddle_unsupported("formatted input of `long double`");
    if (length == 3)
        *(double *)to = value;
    else
        *(float *)to = (float)value;
}

/* At most `width` bytes of a text, which a number may be in, as a text of its own. */
static int __scan_piece(const char *text, int width, char *piece) {
    int length = 0;
    for (; (width == 0 || length < width) && text[length] && !__stdlib_is_space(text[length]); length++) {
        if (length == 127)
            __raddle_unsupported("formatted input of numbers with more than 127 characters");
        piece[length] = text[length];
    }
    piece[length] = 0;
    return length;
}

static int __scan_base(char letter) {
    switch (letter) {
    case 'i': return 0;
    case 'o': return 8;
    case 'x':
    case 'X':
    case 'p': return 16;
    default: return 10;
    }
}

static int __scan_text(const char *text, const char *format, char *area) {
    const char *start = text;
    int count = 0, read = 0;
    while (*format) {
        if (__stdlib_is_space(*format)) {
            while (__stdlib_is_space(*text))
                text++;
            format++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                while (__stdlib_is_space(*text))
                    text++;
                format++;
            }
            if (*text != *format)
                return !*text && !read ? -1 : count;
            text++;
            format++;
            continue;
        }
        format++;
        struct __scan_directive directive = {0, 0, 0, 0};
        __scan_directive(&format, &directive);
        char letter = directive.letter;
        void *to = 0;
        if (!directive.dropped) {
            to = *(void **)area;
            area += 8;
        }
        if (letter == 'n') {
            if (!directive.dropped)
                __scan_store_integer(directive.length, to, (unsigned long long)(text - start));
            continue;
        }
        if (letter != 'c' && letter != '[')
            while (__stdlib_is_space(*text))
                text++;
        if (!*text)
            return read ? count : -1;
        if (letter == 'c' || letter == 's' || letter == '[') {
            if (directive.length == 3)
                __raddle_unsupported("formatted input of wide characters");
            const char *set = format, *end = format;
            if (letter == '[') {
                end = __scan_set_end(set);
                format = *end ? end + 1 : end;
            }
            int width = directive.width > 0 ? directive.width : letter == 'c' ? 1 : 0x7fffffff, length = 0;
            for (; length < width && text[length]; length++) {
                if (letter == 's' && __stdlib_is_space(text[length]))
                    break;
                if (letter == '[' && !__scan_in_set(set, end, text[length]))
                    break;
                if (!directive.dropped)
                    ((char *)to)[length] = text[length];
            }
            if (length == 0 || (letter == 'c' && length < width))
                return count;
            if (!directive.dropped && letter != 'c')
                ((char *)to)[length] = 0;
            text += length;
        } else {
            char piece[128], *end = piece;
            __scan_piece(text, directive.width, piece);
            switch (letter) {
            case 'd':
            case 'i':
            case 'u':
            case 'o':
            case 'x':
            case 'X':
            case 'p': {
                int is_signed = letter == 'd' || letter == 'i', wide = directive.length == SCAN_LONG_LONG;
                unsigned long long most = wide ? ~0ull : ~0ul;
                unsigned long long value =
                    __stdlib_number(piece, &end, __scan_base(letter), is_signed ? most >> 1 : most, is_signed);
                if (end == piece)
                    return count;
                if (!directive.dropped && letter == 'p')
                    *(void **)to = (void *)(unsigned long)value;
                else if (!directive.dropped)
                    __scan_store_integer(directive.length, to, value);
                break;
            }
            case 'f':
            case 'F':
            case 'e':
            case 'E':
            case 'g':
            case 'G':
            case 'a':
            case 'A': {
                double value = __model_strtod(piece, &end);
                if (end == piece)
                    return count;
                if (!directive.dropped)
                    __scan_store_float(directive.length, to, value);
                break;
            }
            default:
                __raddle_unsupported("a conversion of formatted input that the C standard does not know");
            }
            text += end - piece;
        }
        read = 1;
        if (!directive.dropped)
            count++;
    }
    return count;
}

/* Bytes that a stream may hold where a text is wanted; without a width nothing but the stream says where it ends. The first one may be
   known: it was pushed back. */
static void __scan_any_text(const struct __scan_directive *directive, const char *set, const char *end, char *to, int first) {
    int width = directive->width > 0 ? directive->width : directive->letter == 'c' ? 1 : 0x7fffffff, length = 0;
    for (; length < width; length++) {
        char byte = (char)__raddle_nondet_uchar();
        if (directive->letter != 'c' && length > 0 && __raddle_nondet_bool())
            break;
        if (directive->letter == 's')
            __raddle_assume(!__stdlib_is_space(byte));
        else if (directive->letter == '[')
            __raddle_assume(__scan_in_set(set, end, byte));
        if (first != 0 && length == 0)
            __raddle_assume(byte == (char)(first - 1));
        if (!directive->dropped)
            to[length] = byte;
    }
    if (!directive->dropped && directive->letter != 'c')
        to[length] = 0;
}

/* Any number that has room in so many characters, one of which may be its sign. */
static unsigned long long __scan_narrow(const struct __scan_directive *directive) {
    int base = __scan_base(directive->letter), width = directive->width, negative = width > 1 && __raddle_nondet_bool();
    unsigned long long limit = 1, other = 1;
    for (int i = negative; i < width; i++)
        limit *= base == 0 ? 10 : (unsigned)base;
    for (int i = negative + 2; i < width && base == 0; i++)
        other *= 16;
    unsigned long long value = (unsigned long long)(unsigned)__raddle_nondet_int() << 32 | (unsigned)__raddle_nondet_int();
    __raddle_assume(value < limit || value < other);
    return negative ? -value : value;
}

static void __scan_any_number(const struct __scan_directive *directive, void *to) {
    int length = directive->length;
    if (directive->dropped)
        return;
    if (directive->width > 0 && directive->width < 15)
        __scan_store_integer(length, to, __scan_narrow(directive));
    else if (length == SCAN_LONG_LONG || length == 3 || length == 5)
        __scan_store_integer(length, to,
                             (unsigned long long)(unsigned)__raddle_nondet_int() << 32 | (unsigned)__raddle_nondet_int());
    else
        __scan_store_integer(length, to, (unsigned)__raddle_nondet_int());
}

/* Something does not fit. Before the first conversion that may be an end of the input, or an error, and the stream knows. */
static int __scan_stops(struct __stdio_file *file, int read, int count) {
    if (read || !__raddle_nondet_bool())
        return count;
    __raddle_atomic_begin();
    if (__raddle_nondet_bool())
        file->failed = 1;
    else
        file->ended = 1;
    __raddle_atomic_end();
    return -1;
}

/* Whether the stream is at its end already; else the byte that was pushed back, plus one, or 0. */
static int __scan_begins(struct __stdio_file *file, int *first) {
    __raddle_atomic_begin();
    int ended = file->ended;
    *first = file->pushed;
    file->pushed = 0;
    file->position = 0;
    __raddle_atomic_end();
    return ended;
}

static int __scan_stream(struct __stdio_file *file, const char *format, char *area) {
    int count = 0, read = 0, first = 0;
    if (__scan_begins(file, &first))
        return *format ? -1 : 0;
    while (*format) {
        if (*format != '%' || format[1] == '%') {
            if (first != 0)
                __raddle_unsupported("formatted input behind a byte that was pushed back (ungetc)");
            if (!__stdlib_is_space(*format) && __raddle_nondet_bool())
                return __scan_stops(file, read, count);
            format += *format == '%' ? 2 : 1;
            continue;
        }
        format++;
        struct __scan_directive directive = {0, 0, 0, 0};
        __scan_directive(&format, &directive);
        const char *set = format, *end = format;
        if (directive.letter == '[') {
            end = __scan_set_end(set);
            format = *end ? end + 1 : end;
        }
        void *to = 0;
        if (!directive.dropped) {
            to = *(void **)area;
            area += 8;
        }
        if (directive.letter == 'n') {
            if (!directive.dropped)
                __scan_store_integer(directive.length, to, (unsigned)__raddle_nondet_int() & 0x7fffffff);
            continue;
        }
        if (first != 0 && (directive.letter != 'c' || directive.width > 1))
            __raddle_unsupported("formatted input behind a byte that was pushed back (ungetc)");
        if (first == 0 && __raddle_nondet_bool())
            return __scan_stops(file, read, count);
        switch (directive.letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            __scan_any_number(&directive, to);
            break;
        case 'p':
            if (!directive.dropped)
                *(void **)to = (void *)__raddle_nondet_ulong();
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (!directive.dropped)
                __scan_store_float(directive.length, to, __raddle_nondet_double());
            break;
        case 'c':
        case 's':
        case '[':
            if (directive.length == 3)
                __raddle_unsupported("formatted input of wide characters");
            __scan_any_text(&directive, set, end, to, first);
            first = 0;
            break;
        default:
            __raddle_unsupported("a conversion of formatted input that the C standard does not know");
        }
        read = 1;
        if (!directive.dropped)
            count++;
    }
    /* The last thing read may be the last thing there is. */
    if (read && (__raddle_program_uses("feof") || __raddle_program_uses("feof_unlocked")) && __raddle_nondet_bool()) {
        __raddle_atomic_begin();
        file->ended = 1;
        __raddle_atomic_end();
    }
    return count;
}

/* The stream must be one. */
static int __scan_from(void *stream, const char *format, char *area) {
    return __scan_stream(__stdio_use(stream), format, area);
}
static int __scan_input(const char *format, char *area) {
    return __scan_from(__stdio_input(), format, area);
}
int __model_sscanf(const char *text, const char *format, ...) {
    __scan_list list;
    __builtin_va_start(list, format);
    return __scan_text(text, format, __scan_area(&list));
}
int __model_vsscanf(const char *text, const char *format, __scan_list list) {
    return __scan_text(text, format, __scan_passed(list));
}
int __model_scanf(const char *format, ...) {
    __scan_list list;
    __builtin_va_start(list, format);
    return __scan_input(format, __scan_area(&list));
}
int __model_vscanf(const char *format, __scan_list list) { return __scan_input(format, __scan_passed(list)); }
int __model_fscanf(void *stream, const char *format, ...) {
    __scan_list list;
    __builtin_va_start(list, format);
    return __scan_from(stream, format, __scan_area(&list));
}
int __model_vfscanf(void *stream, const char *format, __scan_list list) {
    return __scan_from(stream, format, __scan_passed(list));
}
