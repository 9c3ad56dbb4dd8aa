/* Formatted output. Numbers are shown by the virtual machine; everything that is read from memory is read here, byte by byte, and
   so is everything that goes to memory. How long a text is does not depend on the virtual machine, save for floating numbers.

   A text goes to a stream (a number from 1 on), or, if that is 0, to a buffer with room for so many bytes; `count` is how many
   bytes came before. A specification is the conversion's letter and, above it, flags. Formats that are literals are
   taken apart by the lowering, which calls __print_conversion, __print_byte and __print_end itself. */

enum { PRINT_LEFT = 0x100, PRINT_PLUS = 0x200, PRINT_SPACE = 0x400, PRINT_ALTERNATE = 0x800, PRINT_ZERO = 0x1000,
       PRINT_NEGATIVE = 0x2000 };
enum { PRINT_INT = 0, PRINT_CHAR = 1, PRINT_SHORT = 2, PRINT_LONG = 3, PRINT_LONG_LONG = 4, PRINT_SIZE = 5,
       PRINT_LONG_DOUBLE = 6 };

typedef __builtin_va_list __print_list;

char *__model_strerror(int number);
int *__model___errno_location(void);

unsigned long __model___print_byte(int stream, char *to, unsigned long room, unsigned long count, int byte) {
    if (stream != 0)
        __raddle_put_byte(stream, byte);
    else if (count + 1 < room)
        to[count] = (char)byte;
    return count + 1;
}

/* A buffer ends in a zero. */
int __model___print_end(int stream, char *to, unsigned long room, unsigned long count) {
    if (stream == 0 && room != 0)
        to[count < room ? count : room - 1] = 0;
    return (int)count;
}

static unsigned long __print_repeat(int stream, char *to, unsigned long room, unsigned long count, int byte, int times) {
    for (int i = 0; i < times; i++)
        count = __model___print_byte(stream, to, room, count, byte);
    return count;
}

/* How many digits a number has; without loops and divisions, because nobody may ask. */
static int __print_decimals(unsigned long long value) {
    return 1 + (value >= 10) + (value >= 100) + (value >= 1000) + (value >= 10000) + (value >= 100000) + (value >= 1000000) +
           (value >= 10000000) + (value >= 100000000) + (value >= 1000000000) + (value >= 10000000000) +
           (value >= 100000000000) + (value >= 1000000000000) + (value >= 10000000000000) + (value >= 100000000000000) +
           (value >= 1000000000000000) + (value >= 10000000000000000) + (value >= 100000000000000000) +
           (value >= 1000000000000000000) + (value >= 10000000000000000000ull);
}

static int __print_digits(int conversion, unsigned long long value) {
    int bits = value == 0 ? 1 : 64 - __builtin_clzll(value);
    if (conversion == 'x' || conversion == 'X')
        return (bits + 3) / 4;
    if (conversion == 'o')
        return (bits + 2) / 3;
    return __print_decimals(value);
}

static int __print_most(int left, int right) { return left > right ? left : right; }

/* The digits themselves, into a buffer: the last one first. */
static unsigned long __print_number(char *to, unsigned long room, unsigned long count, int conversion, int digits,
                                    unsigned long long value) {
    unsigned base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
    unsigned long at = count + (unsigned long)digits;
    int above = conversion == 'X' ? 'A' - 10 : 'a' - 10;
    for (int i = 0; i < digits; i++) {
        int digit = (int)(value % base);
        at--;
        if (at + 1 < room)
            to[at] = (char)(digit < 10 ? '0' + digit : above + digit);
        value /= base;
    }
    return count + (unsigned long)digits;
}

static unsigned long __print_integer(int stream, char *to, unsigned long room, unsigned long count, int specification, int width,
                                     int precision, unsigned long long value) {
    int conversion = specification & 0xff;
    int signs = conversion == 'd' || conversion == 'i';
    int sign = signs && (specification & (PRINT_NEGATIVE | PRINT_PLUS | PRINT_SPACE)) != 0;
    int prefix = (specification & PRINT_ALTERNATE) && (conversion == 'x' || conversion == 'X') && value != 0 ? 2 : 0;
    int digits = precision == 0 && value == 0 ? 0 : __print_digits(conversion, value);
    int zeros = __print_most(precision - digits, 0);
    if (conversion == 'o' && (specification & PRINT_ALTERNATE) && zeros == 0 && (value != 0 || digits == 0))
        zeros = 1;
    if (precision < 0 && (specification & PRINT_ZERO) && !(specification & PRINT_LEFT))
        zeros = __print_most(zeros, width - sign - prefix - digits);
    int blanks = __print_most(width - sign - prefix - zeros - digits, 0);
    if (stream != 0) {
        __raddle_put_integer(stream, specification, width, precision, value);
        return count + (unsigned long)(blanks + sign + prefix + zeros + digits);
    }
    if (!(specification & PRINT_LEFT))
        count = __print_repeat(0, to, room, count, ' ', blanks);
    if (sign)
        count = __model___print_byte(0, to, room, count,
                                     specification & PRINT_NEGATIVE ? '-' : specification & PRINT_PLUS ? '+' : ' ');
    if (prefix) {
        count = __model___print_byte(0, to, room, count, '0');
        count = __model___print_byte(0, to, room, count, conversion);
    }
    count = __print_repeat(0, to, room, count, '0', zeros);
    count = __print_number(to, room, count, conversion, digits, value);
    if (specification & PRINT_LEFT)
        count = __print_repeat(0, to, room, count, ' ', blanks);
    return count;
}

static unsigned long __print_float(int stream, char *to, unsigned long room, unsigned long count, int specification, int width,
                                   int precision, double value) {
    if (stream != 0)
        return count + (unsigned long)__raddle_put_float(stream, specification, width, precision, value);
    for (int i = 0;; i++) {
        int byte = __raddle_float_byte(specification, width, precision, value, i);
        if (byte < 0)
            return count;
        count = __model___print_byte(0, to, room, count, byte);
    }
}

/* At most `precision` bytes are read, if that is not negative. */
static unsigned long __print_text(int stream, char *to, unsigned long room, unsigned long count, int specification, int width,
                                  int precision, const char *text) {
    if (!text)
        text = precision < 0 || precision >= 6 ? "(null)" : "";
    int length = 0;
    if (width > 0 && !(specification & PRINT_LEFT)) {
        while ((precision < 0 || length < precision) && text[length])
            length++;
        count = __print_repeat(stream, to, room, count, ' ', width - length);
        for (int i = 0; i < length; i++)
            count = __model___print_byte(stream, to, room, count, text[i]);
        return count;
    }
    while (precision < 0 || length < precision) {
        char byte = text[length];
        if (!byte)
            break;
        count = __model___print_byte(stream, to, room, count, byte);
        length++;
    }
    return __print_repeat(stream, to, room, count, ' ', width - length);
}

static unsigned long __print_wide_text(int stream, char *to, unsigned long room, unsigned long count, int specification,
                                       int width, int precision, const int *text) {
    int length = 0;
    while ((precision < 0 || length < precision) && text[length])
        length++;
    if (!(specification & PRINT_LEFT))
        count = __print_repeat(stream, to, room, count, ' ', width - length);
    for (int i = 0; i < length; i++) {
        int wide = text[i];
        if (wide < 0 || wide > 127)
            __raddle_unsupported("wide characters beyond ASCII in formatted output");
        count = __model___print_byte(stream, to, room, count, wide);
    }
    return specification & PRINT_LEFT ? __print_repeat(stream, to, room, count, ' ', width - length) : count;
}

static void __print_count(int length, void *to, unsigned long count) {
    if (length == PRINT_CHAR)
        *(signed char *)to = (signed char)count;
    else if (length == PRINT_SHORT)
        *(short *)to = (short)count;
    else if (length == PRINT_LONG || length == PRINT_SIZE)
        *(long *)to = (long)count;
    else if (length == PRINT_LONG_LONG)
        *(long long *)to = (long long)count;
    else
        *(int *)to = (int)count;
}

static long long __print_signed(int length, const void *argument) {
    if (length == PRINT_LONG_LONG)
        return *(const long long *)argument;
    if (length == PRINT_LONG || length == PRINT_SIZE)
        return *(const long *)argument;
    int value = *(const int *)argument;
    return length == PRINT_CHAR ? (signed char)value : length == PRINT_SHORT ? (short)value : value;
}

static unsigned long long __print_unsigned(int length, const void *argument) {
    if (length == PRINT_LONG_LONG)
        return *(const unsigned long long *)argument;
    if (length == PRINT_LONG || length == PRINT_SIZE)
        return *(const unsigned long *)argument;
    unsigned value = *(const unsigned *)argument;
    return length == PRINT_CHAR ? (unsigned char)value : length == PRINT_SHORT ? (unsigned short)value : value;
}

/* One conversion, of the argument at a place in the area of arguments. */
unsigned long __model___print_conversion(int stream, char *to, unsigned long room, unsigned long count, int specification,
                                         int width, int precision, int length, void *argument) {
    int conversion = specification & 0xff;
    if (width < 0) {
        specification |= PRINT_LEFT;
        width = -width;
    }
    switch (conversion) {
    case 'd':
    case 'i': {
        long long value = __print_signed(length, argument);
        unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
        if (value < 0)
            specification |= PRINT_NEGATIVE;
        return __print_integer(stream, to, room, count, specification, width, precision, magnitude);
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return __print_integer(stream, to, room, count, specification, width, precision, __print_unsigned(length, argument));
    case 'c': {
        int byte = *(int *)argument;
        if (length == PRINT_LONG && (byte < 0 || byte > 127))
            __raddle_unsupported("wide characters beyond ASCII in formatted output");
        if (!(specification & PRINT_LEFT))
            count = __print_repeat(stream, to, room, count, ' ', width - 1);
        count = __model___print_byte(stream, to, room, count, byte);
        return specification & PRINT_LEFT ? __print_repeat(stream, to, room, count, ' ', width - 1) : count;
    }
    case 's':
        if (length == PRINT_LONG)
            return __print_wide_text(stream, to, room, count, specification, width, precision, *(const int **)argument);
        return __print_text(stream, to, room, count, specification, width, precision, *(const char **)argument);
    case 'p': {
        void *pointer = *(void **)argument;
        if (stream != 0)
            return count + (unsigned long)__raddle_put_pointer(stream, specification, width, pointer);
        if (!pointer)
            return __print_text(stream, to, room, count, specification, width, -1, "(nil)");
        specification = (specification & ~0xff) | PRINT_ALTERNATE | 'x';
        return __print_integer(stream, to, room, count, specification, width, -1, (unsigned long)pointer);
    }
    case 'n':
        __print_count(length, *(void **)argument, count);
        return count;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (length == PRINT_LONG_DOUBLE)
            __raddle_unsupported("formatted output of `long double`");
        return __print_float(stream, to, room, count, specification, width, precision, *(double *)argument);
    default:
        __raddle_unsupported("a conversion of formatted output that the C standard does not know");
    }
}

static int __print_flag(char letter) {
    switch (letter) {
    case '-': return PRINT_LEFT;
    case '+': return PRINT_PLUS;
    case ' ': return PRINT_SPACE;
    case '#': return PRINT_ALTERNATE;
    case '0': return PRINT_ZERO;
    default: return 0;
    }
}

/* A decimal number or `*`, which takes an argument; the default is what stands for none. */
static int __print_read_number(const char **format, char **area, int none) {
    if (**format == '*') {
        int given = *(int *)*area;
        *area += 8;
        ++*format;
        return given;
    }
    if (**format < '0' || **format > '9')
        return none;
    int value = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        value = value * 10 + (**format - '0');
    return value;
}

static int __print_read_length(const char **format) {
    switch (**format) {
    case 'h':
        ++*format;
        if (**format != 'h')
            return PRINT_SHORT;
        ++*format;
        return PRINT_CHAR;
    case 'l':
        ++*format;
        if (**format != 'l')
            return PRINT_LONG;
        ++*format;
        return PRINT_LONG_LONG;
    case 'q':
    case 'j':
        ++*format;
        return PRINT_LONG_LONG;
    case 'z':
    case 'Z':
    case 't':
        ++*format;
        return PRINT_SIZE;
    case 'L':
        ++*format;
        return PRINT_LONG_DOUBLE;
    default:
        return PRINT_INT;
    }
}

/* A format that is known only here. */
static int __print_format(int stream, char *to, unsigned long room, const char *format, char *area) {
    unsigned long count = 0;
    for (;;) {
        char byte = *format++;
        if (byte == 0)
            return __model___print_end(stream, to, room, count);
        if (byte != '%') {
            count = __model___print_byte(stream, to, room, count, byte);
            continue;
        }
        int specification = 0;
        while (__print_flag(*format))
            specification |= __print_flag(*format++);
        int width = __print_read_number(&format, &area, 0);
        int precision = -1;
        if (*format == '.') {
            format++;
            precision = __print_read_number(&format, &area, 0);
        }
        int length = __print_read_length(&format);
        char conversion = *format++;
        if (conversion == '$')
            __raddle_unsupported("formatted output with numbered arguments (`%1$d`)");
        if (conversion == '%') {
            count = __model___print_byte(stream, to, room, count, '%');
        } else if (conversion == 'm') {
            count = __print_text(stream, to, room, count, specification, width, precision,
                                 __model_strerror(*__model___errno_location()));
        } else {
            count = __model___print_conversion(stream, to, room, count, specification | (unsigned char)conversion, width,
                                               precision, length, area);
            area += 8;
        }
    }
}

/* The arguments' area: the first word of a list. */
static char *__print_area(__print_list *list) { return *(char **)list; }

/* A list that was handed over: an array arrives as the address of its first word. */
static char *__print_passed(__print_list list) { return sizeof(long) == 8 ? *(char **)list : *(char **)&list; }

/* Streams are numbered: 1 is standard output, 2 is standard error; others are heard by nobody. */
int __model___print_stream(void *stream);
int __model___print_output(void);
int __model___print_result(void *stream, int count);
int __model___print_descriptor(int descriptor) { return descriptor == 1 || descriptor == 2 ? descriptor : 3; }

int __model_vprintf(const char *format, __print_list list) {
    return __print_format(__model___print_output(), 0, 0, format, __print_passed(list));
}
int __model_vfprintf(void *stream, const char *format, __print_list list) {
    return __model___print_result(stream, __print_format(__model___print_stream(stream), 0, 0, format, __print_passed(list)));
}
int __model_vdprintf(int file, const char *format, __print_list list) {
    return __print_format(__model___print_descriptor(file), 0, 0, format, __print_passed(list));
}
int __model_vsprintf(char *buffer, const char *format, __print_list list) {
    return __print_format(0, buffer, ~0ul, format, __print_passed(list));
}
int __model_vsnprintf(char *buffer, unsigned long size, const char *format, __print_list list) {
    return __print_format(0, buffer, size, format, __print_passed(list));
}

/* First how long it gets, then the text. */
static int __print_allocated(char **result, const char *format, char *area) {
    int length = __print_format(0, 0, 0, format, area);
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return -1;
    char *text = __raddle_alloc((unsigned long)length + 1, 0);
    __print_format(0, text, (unsigned long)length + 1, format, area);
    *result = text;
    return length;
}

int __model_vasprintf(char **result, const char *format, __print_list list) {
    return __print_allocated(result, format, __print_passed(list));
}

int __model_printf(const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __print_format(__model___print_output(), 0, 0, format, __print_area(&list));
}
int __model_fprintf(void *stream, const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __model___print_result(stream, __print_format(__model___print_stream(stream), 0, 0, format, __print_area(&list)));
}
int __model_dprintf(int file, const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __print_format(__model___print_descriptor(file), 0, 0, format, __print_area(&list));
}
int __model_sprintf(char *buffer, const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __print_format(0, buffer, ~0ul, format, __print_area(&list));
}
int __model_snprintf(char *buffer, unsigned long size, const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __print_format(0, buffer, size, format, __print_area(&list));
}
int __model_asprintf(char **result, const char *format, ...) {
    __print_list list;
    __builtin_va_start(list, format);
    return __print_allocated(result, format, __print_area(&list));
}
