/* Formatted input. From a text it is exact. From a stream it is anything that the format allows: each conversion may fail, and one that does
   not gives any value of its type. */

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
    int most = width > 0 && width < 63 ? width : 63, length = 0;
    for (; length < most && text[length] && !__stdlib_is_space(text[length]); length++)
        piece[length] = text[length];
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
            if (to)
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
                if (to)
                    ((char *)to)[length] = text[length];
            }
            if (length == 0 || (letter == 'c' && length < width))
                return count;
            if (to && letter != 'c')
                ((char *)to)[length] = 0;
            text += length;
        } else {
            char piece[64], *end = piece;
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
                if (to && letter == 'p')
                    *(void **)to = (void *)(unsigned long)value;
                else if (to)
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
                if (to)
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

/* Bytes that a stream may hold where a text is wanted; without a width nothing but the stream says where it ends. */
static void __scan_any_text(const struct __scan_directive *directive, const char *set, const char *end, char *to) {
    int width = directive->width > 0 ? directive->width : directive->letter == 'c' ? 1 : 0x7fffffff, length = 0;
    for (; length < width; length++) {
        char byte = (char)__raddle_nondet_uchar();
        if (directive->letter != 'c' && length > 0 && __raddle_nondet_bool())
            break;
        if (directive->letter == 's')
            __raddle_assume(!__stdlib_is_space(byte));
        else if (directive->letter == '[')
            __raddle_assume(__scan_in_set(set, end, byte));
        if (to)
            to[length] = byte;
    }
    if (to && directive->letter != 'c')
        to[length] = 0;
}

static int __scan_stream(const char *format, char *area) {
    int count = 0, read = 0;
    while (*format) {
        if (*format != '%' || format[1] == '%') {
            if (!__stdlib_is_space(*format) && __raddle_nondet_bool())
                return !read && __raddle_nondet_bool() ? -1 : count;
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
            if (to)
                __scan_store_integer(directive.length, to, (unsigned)__raddle_nondet_int() & 0x7fffffff);
            continue;
        }
        if (__raddle_nondet_bool())
            return !read && __raddle_nondet_bool() ? -1 : count;
        switch (directive.letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            if (to && (directive.length == SCAN_LONG_LONG || directive.length == 3 || directive.length == 5))
                __scan_store_integer(directive.length, to,
                                     (unsigned long long)(unsigned)__raddle_nondet_int() << 32 | (unsigned)__raddle_nondet_int());
            else if (to)
                __scan_store_integer(directive.length, to, (unsigned)__raddle_nondet_int());
            break;
        case 'p':
            if (to)
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
            if (to)
                __scan_store_float(directive.length, to, __raddle_nondet_double());
            break;
        case 'c':
        case 's':
        case '[':
            if (directive.length == 3)
                __raddle_unsupported("formatted input of wide characters");
            __scan_any_text(&directive, set, end, to);
            break;
        default:
            __raddle_unsupported("a conversion of formatted input that the C standard does not know");
        }
        read = 1;
        if (!directive.dropped)
            count++;
    }
    return count;
}

/* The stream must be one. */
static int __scan_from(void *stream, const char *format, char *area) {
    __model___print_stream(stream);
    return __scan_stream(format, area);
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
    return __scan_stream(format, __scan_area(&list));
}
int __model_vscanf(const char *format, __scan_list list) { return __scan_stream(format, __scan_passed(list)); }
int __model_fscanf(void *stream, const char *format, ...) {
    __scan_list list;
    __builtin_va_start(list, format);
    return __scan_from(stream, format, __scan_area(&list));
}
int __model_vfscanf(void *stream, const char *format, __scan_list list) {
    return __scan_from(stream, format, __scan_passed(list));
}
