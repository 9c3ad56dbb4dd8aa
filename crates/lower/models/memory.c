/* Allocation, and the functions of <string.h>. */

/* Whether there is no memory left, which is only asked where that may be. */
int *__model___errno_location(void);
static int __memory_is_out(void) {
    if (!__raddle_nondet_bool())
        return 0;
    *__model___errno_location() = 12; /* ENOMEM */
    return 1;
}

/* No object is larger than differences of pointers can tell. */
static int __memory_is_too_large(unsigned long size) {
    if (size <= ~0ul >> 1)
        return 0;
    *__model___errno_location() = 12; /* ENOMEM */
    return 1;
}

static void *__memory_refused(void) {
    *__model___errno_location() = 12; /* ENOMEM */
    return 0;
}

void *__model_malloc(unsigned long size) {
    if (__memory_is_too_large(size))
        return 0;
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return 0;
    return __raddle_alloc(size, 0);
}

void *__model_calloc(unsigned long count, unsigned long size) {
    /* Without a variable that has an address: it may be taken for what `errno` leads to. */
    if (size && count > ~0ul / size)
        return __memory_refused();
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return 0;
    return __raddle_alloc(count * size, 1);
}

void __model_free(void *pointer) { __raddle_free(pointer); }
void __model_cfree(void *pointer) { __raddle_free(pointer); }

/* In units of so many bytes, and by bytes what is left. A word that is a pointer stays one. A call of one of these
   functions by its name comes with the unit that the types of the pointers guarantee, in the function with `_by`. Gives whether one begins
   inside the other: as both are aligned to the unit, that is where a unit begins. */
static int __memory_copy(unsigned char *target, const unsigned char *source, unsigned long size, unsigned long unit) {
    unsigned long done = 0;
    int overlap = 0;
    if (unit == sizeof(long))
        for (; done + unit <= size; done += unit) {
            overlap |= done != 0 && (target + done == source || source + done == target);
            *(unsigned long *)(target + done) = *(const unsigned long *)(source + done);
        }
    else if (unit == 4)
        for (; done + unit <= size; done += unit) {
            overlap |= done != 0 && (target + done == source || source + done == target);
            *(unsigned int *)(target + done) = *(const unsigned int *)(source + done);
        }
    else if (unit == 2)
        for (; done + unit <= size; done += unit) {
            overlap |= done != 0 && (target + done == source || source + done == target);
            *(unsigned short *)(target + done) = *(const unsigned short *)(source + done);
        }
    for (; done < size; done++) {
        overlap |= done != 0 && (target + done == source || source + done == target);
        target[done] = source[done];
    }
    return overlap;
}

void *__model_memcpy_by(void *to, const void *from, unsigned long size, unsigned long unit) {
    __raddle_check_memory(!__memory_copy(to, from, size, unit), "memory is copied to where it overlaps (memcpy)");
    return to;
}

void *__model_memcpy(void *to, const void *from, unsigned long size) { return __model_memcpy_by(to, from, size, 1); }

__attribute__((raddle_reads(initialised)))
void *__model_realloc(void *pointer, unsigned long size) {
    if (__memory_is_too_large(size))
        return 0;
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && (!pointer || size != 0) && __memory_is_out())
        return 0;
    if (!pointer)
        return __raddle_alloc(size, 0);
    if (size == 0) {
        __raddle_free(pointer);
        return 0;
    }
    unsigned long old = __raddle_object_size(pointer);
    void *moved = __raddle_alloc(size, 0);
    __memory_copy(moved, pointer, old < size ? old : size, sizeof(long));
    __raddle_free(pointer);
    return moved;
}

void *__model_reallocarray(void *pointer, unsigned long count, unsigned long size) {
    unsigned long bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = ~0ul;
    return __model_realloc(pointer, bytes);
}

static void *__memory_aligned(unsigned long alignment, unsigned long size) {
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return 0;
    if (alignment <= 16)
        return __raddle_alloc(size, 0);
    if (alignment <= 64)
        return __raddle_alloc_aligned(size, 64);
    if (alignment <= 4096)
        return __raddle_alloc_aligned(size, 4096);
    __raddle_unsupported("heap objects aligned to more than 4096 bytes");
}

/* Older libraries take the next power of two. */
void *__model_aligned_alloc(unsigned long alignment, unsigned long size) {
    if ((alignment == 0 || (alignment & (alignment - 1)) != 0) && __raddle_nondet_bool()) {
        *__model___errno_location() = 22; /* EINVAL */
        return 0;
    }
    return __memory_aligned(alignment, size);
}

void *__model_memalign(unsigned long alignment, unsigned long size) { return __memory_aligned(alignment, size); }
void *__model_valloc(unsigned long size) { return __memory_aligned(4096, size); }

int __model_posix_memalign(void **result, unsigned long alignment, unsigned long size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    void *made = __memory_aligned(alignment, size);
    if (!made)
        return 12; /* ENOMEM */
    *result = made;
    return 0;
}

unsigned long __model_malloc_usable_size(void *pointer) { return pointer ? __raddle_object_size(pointer) : 0; }

/* As if through a place of its own: which of the two lies first is not asked. */
void *__model_memmove_by(void *to, const void *from, unsigned long size, unsigned long unit) {
    if (size == 0)
        return to;
    unsigned char *between = __raddle_alloc(size, 0);
    __memory_copy(between, from, size, unit);
    __memory_copy(to, between, size, unit);
    __raddle_free(between);
    return to;
}

void *__model_memmove(void *to, const void *from, unsigned long size) { return __model_memmove_by(to, from, size, 1); }

void *__model_memset_by(void *to, int byte, unsigned long size, unsigned long unit) {
    unsigned char *target = to;
    unsigned long done = 0;
    unsigned long word = (unsigned char)byte * (~0ul / 255);
    if (unit == sizeof(long))
        for (; done + unit <= size; done += unit)
            *(unsigned long *)(target + done) = word;
    else if (unit == 4)
        for (; done + unit <= size; done += unit)
            *(unsigned int *)(target + done) = (unsigned int)word;
    else if (unit == 2)
        for (; done + unit <= size; done += unit)
            *(unsigned short *)(target + done) = (unsigned short)word;
    for (; done < size; done++)
        target[done] = (unsigned char)byte;
    return to;
}

void *__model_memset(void *to, int byte, unsigned long size) { return __model_memset_by(to, byte, size, 1); }

void *__model_mempcpy_by(void *to, const void *from, unsigned long size, unsigned long unit) {
    __model_memcpy_by(to, from, size, unit);
    return (char *)to + size;
}

void *__model_mempcpy(void *to, const void *from, unsigned long size) { return __model_mempcpy_by(to, from, size, 1); }

void __model_bcopy_by(const void *from, void *to, unsigned long size, unsigned long unit) {
    __model_memmove_by(to, from, size, unit);
}

void __model_bcopy(const void *from, void *to, unsigned long size) { __model_bcopy_by(from, to, size, 1); }

void __model_bzero_by(void *to, unsigned long size, unsigned long unit) { __model_memset_by(to, 0, size, unit); }

void __model_bzero(void *to, unsigned long size) { __model_bzero_by(to, size, 1); }

/* Only the sign of a comparison means something. Processors give the difference of two bytes, compilers one. A call that is asked for nothing
   but the sign is one of the function with `_sign`. */
static int __string_order(int difference) {
    if (difference < -1)
        return __raddle_nondet_bool() ? -1 : difference;
    return difference > 1 && __raddle_nondet_bool() ? 1 : difference;
}

int __model_memcmp_sign(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left, *b = right;
    for (unsigned long i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}
int __model_memcmp(const void *left, const void *right, unsigned long size) {
    return __string_order(__model_memcmp_sign(left, right, size));
}

void *__model_memchr(const void *in, int byte, unsigned long size) {
    const unsigned char *bytes = in;
    for (unsigned long i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)byte)
            return (void *)(bytes + i);
    return 0;
}

unsigned long __model_strlen(const char *text) {
    unsigned long length = 0;
    while (text[length])
        length++;
    return length;
}

unsigned long __model_strnlen(const char *text, unsigned long limit) {
    unsigned long length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

/* Whether the places of two texts that are copied so far meet. */
static int __string_meets(const char *to, const char *from, unsigned long i) {
    return i != 0 && (to + i == from || from + i == to);
}

/* Gives where the copy ends. */
char *__model_stpcpy(char *to, const char *from) {
    unsigned long i = 0;
    int overlap = 0;
    for (char byte;; i++) {
        byte = from[i];
        overlap |= __string_meets(to, from, i);
        __raddle_check_memory(!overlap, "a text is copied to where it overlaps (strcpy)");
        to[i] = byte;
        if (!byte)
            return to + i;
    }
}
char *__model_strcpy(char *to, const char *from) {
    __model_stpcpy(to, from);
    return to;
}

char *__model_strncpy(char *to, const char *from, unsigned long size) {
    unsigned long i = 0;
    int overlap = 0;
    for (; i < size && from[i]; i++) {
        overlap |= __string_meets(to, from, i);
        to[i] = from[i];
    }
    __raddle_check_memory(!overlap, "a text is copied to where it overlaps (strncpy)");
    for (; i < size; i++)
        to[i] = 0;
    return to;
}

char *__model_strcat(char *to, const char *from) {
    __model_strcpy(to + __model_strlen(to), from);
    return to;
}

char *__model_strncat(char *to, const char *from, unsigned long size) {
    unsigned long end = __model_strlen(to), i = 0;
    for (; i < size && from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

int __model_strcmp_sign(const char *left, const char *right) {
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}
int __model_strcmp(const char *left, const char *right) { return __string_order(__model_strcmp_sign(left, right)); }

int __model_strncmp_sign(const char *left, const char *right, unsigned long size) {
    for (; size > 0; size--, left++, right++)
        if (*left != *right || !*left)
            return (unsigned char)*left - (unsigned char)*right;
    return 0;
}
int __model_strncmp(const char *left, const char *right, unsigned long size) {
    return __string_order(__model_strncmp_sign(left, right, size));
}

char *__model_strchr(const char *text, int byte) {
    for (;; text++) {
        if (*text == (char)byte)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *__model_strrchr(const char *text, int byte) {
    char *found = 0;
    for (;; text++) {
        if (*text == (char)byte)
            found = (char *)text;
        if (!*text)
            return found;
    }
}

char *__model_strstr(const char *text, const char *wanted) {
    unsigned long length = __model_strlen(wanted);
    for (;; text++) {
        if (__model_strncmp_sign(text, wanted, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

unsigned long __model_strspn(const char *text, const char *set) {
    unsigned long length = 0;
    while (text[length] && __model_strchr(set, text[length]))
        length++;
    return length;
}

unsigned long __model_strcspn(const char *text, const char *set) {
    unsigned long length = 0;
    while (text[length] && !__model_strchr(set, text[length]))
        length++;
    return length;
}

char *__model_strpbrk(const char *text, const char *set) {
    text += __model_strcspn(text, set);
    return *text ? (char *)text : 0;
}

char *__model_strtok_r(char *text, const char *set, char **rest) {
    if (!text)
        text = *rest;
    text += __model_strspn(text, set);
    if (!*text) {
        *rest = text;
        return 0;
    }
    char *end = text + __model_strcspn(text, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

/* One place for all threads, as POSIX has it. */
static char *__strtok_rest;
char *__model_strtok(char *text, const char *set) { return __model_strtok_r(text, set, &__strtok_rest); }

static int __string_lower(unsigned char byte) { return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte; }

int __model_strcasecmp_sign(const char *left, const char *right) {
    while (*left && __string_lower(*left) == __string_lower(*right)) {
        left++;
        right++;
    }
    return __string_lower(*left) - __string_lower(*right);
}
int __model_strcasecmp(const char *left, const char *right) { return __string_order(__model_strcasecmp_sign(left, right)); }

int __model_strncasecmp_sign(const char *left, const char *right, unsigned long size) {
    for (; size > 0; size--, left++, right++)
        if (__string_lower(*left) != __string_lower(*right) || !*left)
            return __string_lower(*left) - __string_lower(*right);
    return 0;
}
int __model_strncasecmp(const char *left, const char *right, unsigned long size) {
    return __string_order(__model_strncasecmp_sign(left, right, size));
}

char *__model_strdup(const char *text) {
    unsigned long size = __model_strlen(text) + 1;
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return 0;
    return __model_memcpy(__raddle_alloc(size, 0), text, size);
}

char *__model_strndup(const char *text, unsigned long limit) {
    unsigned long size = __model_strnlen(text, limit);
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return 0;
    char *copy = __model_memcpy(__raddle_alloc(size + 1, 0), text, size);
    copy[size] = 0;
    return copy;
}

/* The rest of <string.h>. In the C locale texts collate by their bytes. */
void *__model_memccpy(void *to, const void *from, int byte, unsigned long size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (unsigned long i = 0; i < size; i++)
        if ((target[i] = source[i]) == (unsigned char)byte)
            return target + i + 1;
    return 0;
}
void *__model_memrchr(const void *in, int byte, unsigned long size) {
    const unsigned char *bytes = in;
    while (size > 0)
        if (bytes[--size] == (unsigned char)byte)
            return (void *)(bytes + size);
    return 0;
}
void *__model_rawmemchr(const void *in, int byte) {
    const unsigned char *bytes = in;
    while (*bytes != (unsigned char)byte)
        bytes++;
    return (void *)bytes;
}
void *__model_memmem(const void *in, unsigned long size, const void *wanted, unsigned long length) {
    const unsigned char *bytes = in;
    for (unsigned long i = 0; length <= size && i <= size - length; i++)
        if (__model_memcmp_sign(bytes + i, wanted, length) == 0)
            return (void *)(bytes + i);
    return 0;
}
void *__model_memfrob(void *in, unsigned long size) {
    unsigned char *bytes = in;
    for (unsigned long i = 0; i < size; i++)
        bytes[i] ^= 42;
    return in;
}
void __model_explicit_bzero(void *to, unsigned long size) { __model_memset(to, 0, size); }
void __model_swab(const void *from, void *to, long size) {
    const unsigned char *source = from;
    unsigned char *target = to;
    for (long i = 0; i + 1 < size; i += 2) {
        unsigned char first = source[i], second = source[i + 1];
        target[i] = second;
        target[i + 1] = first;
    }
}

char *__model_stpncpy(char *to, const char *from, unsigned long size) {
    unsigned long i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    for (unsigned long rest = i; rest < size; rest++)
        to[rest] = 0;
    return to + i;
}
char *__model_strchrnul(const char *text, int byte) {
    while (*text && *text != (char)byte)
        text++;
    return (char *)text;
}
char *__model_strcasestr(const char *text, const char *wanted) {
    unsigned long length = __model_strlen(wanted);
    for (;; text++) {
        if (__model_strncasecmp_sign(text, wanted, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}
int __model_strcoll_sign(const char *left, const char *right) { return __model_strcmp_sign(left, right); }
int __model_strcoll(const char *left, const char *right) { return __model_strcmp(left, right); }
unsigned long __model_strxfrm(char *to, const char *from, unsigned long size) {
    unsigned long length = __model_strlen(from);
    for (unsigned long i = 0; i < size && i <= length; i++)
        to[i] = from[i];
    return length;
}
char *__model_strsep(char **text, const char *set) {
    char *start = *text;
    if (!start)
        return 0;
    char *end = start + __model_strcspn(start, set);
    if (*end) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = 0;
    }
    return start;
}
char *__model_strfry(char *text) {
    unsigned long length = __model_strlen(text);
    for (unsigned long i = 0; i + 1 < length; i++) {
        unsigned long other = i + __raddle_nondet_ulong() % (length - i);
        char held = text[i];
        text[i] = text[other];
        text[other] = held;
    }
    return text;
}
char *__model_basename(const char *name) {
    char *slash = __model_strrchr(name, '/');
    return slash ? slash + 1 : (char *)name;
}

static int __string_is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/* Numbers in texts compare as numbers; one with zeros in front is a fraction and comes before. */
int __model_strverscmp(const char *left, const char *right) {
    unsigned long i = 0, start = 0;
    int zeros = 1;
    for (; left[i] == right[i]; i++) {
        char byte = left[i];
        if (!byte)
            return 0;
        if (!__string_is_digit(byte)) {
            start = i + 1;
            zeros = 1;
        } else if (byte != '0') {
            zeros = 0;
        }
    }
    if (left[start] != '0' && right[start] != '0' && __string_is_digit(left[start]) && __string_is_digit(right[start])) {
        unsigned long end = i;
        for (; __string_is_digit(left[end]); end++)
            if (!__string_is_digit(right[end]))
                return 1;
        if (__string_is_digit(right[end]))
            return -1;
    } else if (zeros && start < i && (__string_is_digit(left[i]) || __string_is_digit(right[i]))) {
        return (unsigned char)(left[i] - '0') - (unsigned char)(right[i] - '0');
    }
    return (unsigned char)left[i] - (unsigned char)right[i];
}

/* glibc moves even where it could grow a block; whoever keeps the old address is wrong either way. */
void *__model_pvalloc(unsigned long size) { return __memory_aligned(4096, (size + 4095) / 4096 * 4096); }
