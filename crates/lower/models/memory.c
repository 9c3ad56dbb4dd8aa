/* Allocation, and the functions of <string.h>. */

void *__model_malloc(unsigned long size) { return __raddle_alloc(size, 0); }

void *__model_calloc(unsigned long count, unsigned long size) {
    unsigned long bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return 0;
    return __raddle_alloc(bytes, 1);
}

void __model_free(void *pointer) { __raddle_free(pointer); }
void __model_cfree(void *pointer) { __raddle_free(pointer); }

/* A difference: a cast would make a number of the pointer, which then may come back anywhere. */
static int __memory_is_aligned(const void *pointer) {
    return ((const char *)pointer - (const char *)0) % sizeof(long) == 0;
}

void *__model_memcpy(void *to, const void *from, unsigned long size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    unsigned long done = 0;
    /* Whole words where both are aligned: pointers stay pointers. */
    if (__memory_is_aligned(to) && __memory_is_aligned(from))
        for (; done + sizeof(long) <= size; done += sizeof(long))
            *(unsigned long *)(target + done) = *(const unsigned long *)(source + done);
    for (; done < size; done++)
        target[done] = source[done];
    return to;
}

void *__model_realloc(void *pointer, unsigned long size) {
    if (!pointer)
        return __raddle_alloc(size, 0);
    if (size == 0) {
        __raddle_free(pointer);
        return 0;
    }
    unsigned long old = __raddle_object_size(pointer);
    void *moved = __raddle_alloc(size, 0);
    __model_memcpy(moved, pointer, old < size ? old : size);
    __raddle_free(pointer);
    return moved;
}

void *__model_reallocarray(void *pointer, unsigned long count, unsigned long size) {
    unsigned long bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return 0;
    return __model_realloc(pointer, bytes);
}

void *__model_aligned_alloc(unsigned long alignment, unsigned long size) {
    if (alignment <= 16)
        return __raddle_alloc(size, 0);
    if (alignment <= 64)
        return __raddle_alloc_aligned(size, 64);
    if (alignment <= 4096)
        return __raddle_alloc_aligned(size, 4096);
    __raddle_unsupported("heap objects aligned to more than 4096 bytes");
}

void *__model_memalign(unsigned long alignment, unsigned long size) { return __model_aligned_alloc(alignment, size); }
void *__model_valloc(unsigned long size) { return __raddle_alloc_aligned(size, 4096); }

int __model_posix_memalign(void **result, unsigned long alignment, unsigned long size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    *result = __model_aligned_alloc(alignment, size);
    return 0;
}

unsigned long __model_malloc_usable_size(void *pointer) { return pointer ? __raddle_object_size(pointer) : 0; }

void *__model_memmove(void *to, const void *from, unsigned long size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    if (target <= source || target >= source + size)
        return __model_memcpy(to, from, size);
    if (size % sizeof(long) == 0 && __memory_is_aligned(to) && __memory_is_aligned(from)) {
        for (; size > 0; size -= sizeof(long))
            *(unsigned long *)(target + size - sizeof(long)) = *(const unsigned long *)(source + size - sizeof(long));
    }
    while (size > 0) {
        size--;
        target[size] = source[size];
    }
    return to;
}

void *__model_memset(void *to, int byte, unsigned long size) {
    unsigned char *target = to;
    unsigned long done = 0;
    if (__memory_is_aligned(to)) {
        unsigned long word = (unsigned char)byte * (~0ul / 255);
        for (; done + sizeof(long) <= size; done += sizeof(long))
            *(unsigned long *)(target + done) = word;
    }
    for (; done < size; done++)
        target[done] = (unsigned char)byte;
    return to;
}

void *__model_mempcpy(void *to, const void *from, unsigned long size) {
    __model_memcpy(to, from, size);
    return (char *)to + size;
}

void __model_bcopy(const void *from, void *to, unsigned long size) { __model_memmove(to, from, size); }

void __model_bzero(void *to, unsigned long size) { __model_memset(to, 0, size); }

int __model_memcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left, *b = right;
    for (unsigned long i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
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

char *__model_strcpy(char *to, const char *from) {
    unsigned long i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
    return to;
}

char *__model_stpcpy(char *to, const char *from) {
    while ((*to = *from++))
        to++;
    return to;
}

char *__model_strncpy(char *to, const char *from, unsigned long size) {
    unsigned long i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
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

int __model_strcmp(const char *left, const char *right) {
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}

int __model_strncmp(const char *left, const char *right, unsigned long size) {
    for (; size > 0; size--, left++, right++)
        if (*left != *right || !*left)
            return (unsigned char)*left - (unsigned char)*right;
    return 0;
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
        if (__model_strncmp(text, wanted, length) == 0)
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
char *__model___strtok_r(char *text, const char *set, char **rest) { return __model_strtok_r(text, set, rest); }

/* One place for all threads, as POSIX has it. */
static char *__strtok_rest;
char *__model_strtok(char *text, const char *set) { return __model_strtok_r(text, set, &__strtok_rest); }

static int __string_lower(unsigned char byte) { return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte; }

int __model_strcasecmp(const char *left, const char *right) {
    while (*left && __string_lower(*left) == __string_lower(*right)) {
        left++;
        right++;
    }
    return __string_lower(*left) - __string_lower(*right);
}

int __model_strncasecmp(const char *left, const char *right, unsigned long size) {
    for (; size > 0; size--, left++, right++)
        if (__string_lower(*left) != __string_lower(*right) || !*left)
            return __string_lower(*left) - __string_lower(*right);
    return 0;
}

char *__model_strdup(const char *text) {
    unsigned long size = __model_strlen(text) + 1;
    return __model_memcpy(__raddle_alloc(size, 0), text, size);
}

char *__model_strndup(const char *text, unsigned long limit) {
    unsigned long size = __model_strnlen(text, limit);
    char *copy = __model_memcpy(__raddle_alloc(size + 1, 0), text, size);
    copy[size] = 0;
    return copy;
}

char *__model_strerror(int number) { (void)number; return "error"; }
