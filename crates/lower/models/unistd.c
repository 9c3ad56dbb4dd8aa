/* The process and the system around it: files by number, names of files, users, other processes, the environment. What comes from
   outside is anything that the function may give; what is asked for may fail. */

int *__model___errno_location(void);

static int __system_fail(void) {
    int reason = __raddle_nondet_int();
    __raddle_assume(reason > 0 && reason < 134);
    *__model___errno_location() = reason;
    return -1;
}
static int __system_may_fail(void) { return __raddle_nondet_bool() ? __system_fail() : 0; }
static int __system_number(int least) {
    int number = __raddle_nondet_int();
    __raddle_assume(number >= least);
    return number;
}
/* A text is read up to its end. */
static void __system_read(const char *text) {
    while (*text)
        text++;
}
/* A text of any bytes, with its end in the last place at the latest. */
static char *__system_text(char *to, unsigned long size) {
    for (unsigned long i = 0; i + 1 < size; i++) {
        char byte = (char)__raddle_nondet_uchar();
        to[i] = byte;
        if (!byte)
            return to;
    }
    if (size > 0)
        to[size - 1] = 0;
    return to;
}
static int __system_name(const char *name) {
    __system_read(name);
    return __system_may_fail();
}

/* Files by number. What the process had open when it began nobody knows, save for 0, 1 and 2. A new number is one that is not open, and
   no larger than any that is known to be free. */
struct __file_entry { int number; _Bool open; } __files[32] = {{0, 1}, {1, 1}, {2, 1}};
int __files_known = 3;

/* Whether numbers are closed or made at all; else those that are used are open. */
static int __files_change(void) {
    return __raddle_program_uses("close") || __raddle_program_uses("dup") || __raddle_program_uses("dup2") ||
           __raddle_program_uses("dup3") || __raddle_program_uses("open") || __raddle_program_uses("creat") ||
           __raddle_program_uses("fclose") || __raddle_program_uses("closefrom") || __raddle_program_uses("close_range");
}
/* Notes what is known of a number; inside an atomic block. */
__attribute__((raddle_reads(hidden)))
static void __file_note(int number, _Bool is_open) {
    int place = 0;
    while (place < __files_known && __files[place].number != number)
        place++;
    if (place == 32)
        __raddle_unsupported("more than 32 numbers of files");
    if (place == __files_known)
        __files_known++;
    __files[place].number = number;
    __files[place].open = is_open;
}
static int __file_take_from(int least) {
    int number = __raddle_nondet_int();
    __raddle_assume(number >= least && number < 1048576);
    __raddle_atomic_begin();
    for (int i = 0; i < __files_known; i++)
        __raddle_assume(__files[i].open ? number != __files[i].number
                                        : __files[i].number < least || number <= __files[i].number);
    __file_note(number, 1);
    __raddle_atomic_end();
    return number;
}
static int __file_take(void) { return __file_take_from(0); }
static void __file_release(int number) {
    __raddle_atomic_begin();
    __file_note(number, 0);
    __raddle_atomic_end();
}
/* Whether a number is none of an open file; errno is EBADF then. */
static int __file_is_bad(int number) {
    int bad = number < 0;
    if (!bad && __files_change()) {
        __raddle_atomic_begin();
        for (int i = 0; i < __files_known; i++)
            if (__files[i].number == number && !__files[i].open)
                bad = 1;
        __raddle_atomic_end();
    }
    if (bad)
        *__model___errno_location() = 9; /* EBADF */
    return bad;
}
static int __file_may_fail(int number) { return __file_is_bad(number) ? -1 : __system_may_fail(); }
static int __file_new(void) { return __raddle_nondet_bool() ? __system_fail() : __file_take(); }

void __model_pthread_testcancel(void);

static long __file_read(void *to, unsigned long size) {
    unsigned char *bytes = to;
    if (__raddle_nondet_bool())
        return __system_fail();
    unsigned long count = __raddle_nondet_ulong();
    __raddle_assume(count <= size);
    for (unsigned long i = 0; i < count; i++)
        bytes[i] = __raddle_nondet_uchar();
    return (long)count;
}
long __model_read(int file, void *to, unsigned long size) {
    __model_pthread_testcancel();
    return __file_is_bad(file) ? -1 : __file_read(to, size);
}
long __model_pread(int file, void *to, unsigned long size, long offset) {
    if (offset < 0) {
        *__model___errno_location() = 22; /* EINVAL */
        return -1;
    }
    return __model_read(file, to, size);
}
static long __file_write(int file, const void *from, unsigned long size) {
    const unsigned char *bytes = from;
    for (unsigned long i = 0; i < size; i++)
        __raddle_put_byte(file == 1 || file == 2 ? file : 3, bytes[i]);
    if (file == 1 || file == 2)
        return (long)size;
    if (__raddle_nondet_bool())
        return __system_fail();
    unsigned long count = __raddle_nondet_ulong();
    __raddle_assume(count <= size);
    return (long)count;
}
long __model_write(int file, const void *from, unsigned long size) {
    __model_pthread_testcancel();
    return __file_is_bad(file) ? -1 : __file_write(file, from, size);
}
long __model_pwrite(int file, const void *from, unsigned long size, long offset) {
    (void)offset;
    __model_pthread_testcancel();
    return __file_is_bad(file) ? -1 : __file_write(3, from, size);
}
long __model_lseek(int file, long offset, int from) {
    (void)offset;
    (void)from;
    if (__file_is_bad(file))
        return -1;
    if (__raddle_nondet_bool())
        return __system_fail();
    return (long)(__raddle_nondet_ulong() >> 1);
}
int __model_open(const char *name, int flags, ...) {
    (void)flags;
    __system_read(name);
    __model_pthread_testcancel();
    return __file_new();
}
int __model_creat(const char *name, unsigned mode) { return __model_open(name, 0, mode); }
/* After an error the number is free on Linux too. */
int __model_close(int file) {
    __model_pthread_testcancel();
    if (__file_is_bad(file))
        return -1;
    __file_release(file);
    return __system_may_fail();
}
__attribute__((raddle_reads(hidden)))
static void __files_close(int least, int most) {
    __raddle_atomic_begin();
    for (int i = 0; i < __files_known; i++)
        if (__files[i].number >= least && __files[i].number <= most)
            __files[i].open = 0;
    __raddle_atomic_end();
}
void __model_closefrom(int least) { __files_close(least, 0x7fffffff); }
int __model_close_range(unsigned least, unsigned most, int flags) {
    (void)flags;
    if (__raddle_nondet_bool())
        return __system_fail();
    __files_close(least > 0x7fffffff ? 0x7fffffff : (int)least, most > 0x7fffffff ? 0x7fffffff : (int)most);
    return 0;
}
int __model_dup(int file) { return __file_is_bad(file) ? -1 : __file_new(); }
int __model_dup2(int file, int other) {
    if (__file_is_bad(file) || (other < 0 && __file_is_bad(other)))
        return -1;
    if (__raddle_nondet_bool())
        return __system_fail();
    __raddle_atomic_begin();
    __file_note(other, 1);
    __raddle_atomic_end();
    return other;
}
int __model_dup3(int file, int other, int flags) { (void)flags; return __model_dup2(file, other); }
int __model_fsync(int file) { __model_pthread_testcancel(); return __file_may_fail(file); }
int __model_fdatasync(int file) { __model_pthread_testcancel(); return __file_may_fail(file); }
int __model_syncfs(int file) { return __file_may_fail(file); }
void __model_sync(void) {}
int __model_ftruncate(int file, long size) { (void)size; return __file_may_fail(file); }
int __model_truncate(const char *name, long size) { (void)size; return __system_name(name); }
int __model_lockf(int file, int command, long size) {
    (void)size;
    if (command == 1) /* F_LOCK, which waits */
        __model_pthread_testcancel();
    return __file_may_fail(file);
}
long __model_copy_file_range(int from, long *start, int to, long *other, unsigned long size, unsigned flags) {
    (void)flags;
    if (__file_is_bad(from) || __file_is_bad(to))
        return -1;
    if (__raddle_nondet_bool())
        return __system_fail();
    unsigned long count = __raddle_nondet_ulong();
    __raddle_assume(count <= size);
    if (start)
        *start += (long)count;
    if (other)
        *other += (long)count;
    return (long)count;
}
int __model_isatty(int file) { (void)file; return __raddle_nondet_bool(); }
int __model_getentropy(void *to, unsigned long size) {
    unsigned char *bytes = to;
    if (size > 256)
        return __system_fail();
    for (unsigned long i = 0; i < size; i++)
        bytes[i] = __raddle_nondet_uchar();
    return 0;
}

/* Files by name. */
int __model_access(const char *name, int mode) { (void)mode; return __system_name(name); }
int __model_faccessat(int folder, const char *name, int mode, int flags) {
    (void)folder;
    (void)mode;
    (void)flags;
    return __system_name(name);
}
int __model_chown(const char *name, unsigned user, unsigned group) { (void)user; (void)group; return __system_name(name); }
int __model_lchown(const char *name, unsigned user, unsigned group) { (void)user; (void)group; return __system_name(name); }
int __model_fchown(int file, unsigned user, unsigned group) { (void)file; (void)user; (void)group; return __system_may_fail(); }
int __model_fchownat(int folder, const char *name, unsigned user, unsigned group, int flags) {
    (void)folder;
    (void)user;
    (void)group;
    (void)flags;
    return __system_name(name);
}
int __model_chdir(const char *name) { return __system_name(name); }
int __model_fchdir(int file) { (void)file; return __system_may_fail(); }
int __model_chroot(const char *name) { return __system_name(name); }
int __model_link(const char *from, const char *to) { __system_read(from); return __system_name(to); }
int __model_linkat(int folder, const char *from, int other, const char *to, int flags) {
    (void)folder;
    (void)other;
    (void)flags;
    return __model_link(from, to);
}
int __model_symlink(const char *from, const char *to) { return __model_link(from, to); }
int __model_symlinkat(const char *from, int folder, const char *to) { (void)folder; return __model_link(from, to); }
long __model_readlink(const char *name, char *to, unsigned long size) {
    __system_read(name);
    return __file_read(to, size);
}
long __model_readlinkat(int folder, const char *name, char *to, unsigned long size) {
    (void)folder;
    return __model_readlink(name, to, size);
}
int __model_unlink(const char *name) { return __system_name(name); }
int __model_unlinkat(int folder, const char *name, int flags) { (void)folder; (void)flags; return __system_name(name); }
int __model_rmdir(const char *name) { return __system_name(name); }
int __model_acct(const char *name) { return name ? __system_name(name) : __system_may_fail(); }
int __model_revoke(const char *name) { return __system_name(name); }
int __model_vhangup(void) { return __system_may_fail(); }
int __model_profil(unsigned short *buffer, unsigned long size, unsigned long offset, unsigned scale) {
    (void)buffer;
    (void)size;
    (void)offset;
    (void)scale;
    return __system_may_fail();
}
char *__model_getcwd(char *to, unsigned long size) {
    if (__raddle_nondet_bool()) {
        __system_fail();
        return 0;
    }
    if (!to)
        to = __raddle_alloc(size = size ? size : 64, 0);
    return __system_text(to, size);
}
char *__model_getwd(char *to) { return __model_getcwd(to, 4096); }
char *__model_get_current_dir_name(void) { return __model_getcwd(0, 0); }
long __model_pathconf(const char *name, int what) {
    (void)what;
    __system_read(name);
    return __system_number(-1);
}
long __model_fpathconf(int file, int what) { (void)file; (void)what; return __system_number(-1); }
unsigned long __model_confstr(int what, char *to, unsigned long size) {
    (void)what;
    if (size > 0)
        __system_text(to, size);
    return (unsigned long)__system_number(0);
}
/* The last six letters of a name, which must be `X`, become others. */
static int __system_template(char *name, int suffix) {
    unsigned long length = 0;
    while (name[length])
        length++;
    int fits = suffix >= 0 && length >= 6 + (unsigned long)suffix;
    for (unsigned long i = 0; fits && i < 6; i++)
        if (name[length - 1 - (unsigned long)suffix - i] != 'X')
            fits = 0;
    if (!fits) {
        *__model___errno_location() = 22; /* EINVAL */
        return -1;
    }
    for (unsigned long i = length - 6 - (unsigned long)suffix; i < length - (unsigned long)suffix; i++) {
        unsigned char letter = __raddle_nondet_uchar();
        __raddle_assume(letter > ' ' && letter < 127 && letter != '/');
        name[i] = (char)letter;
    }
    return 0;
}
int __model_mkstemps(char *name, int suffix) {
    if (__system_template(name, suffix) < 0)
        return -1;
    return __file_new();
}
int __model_mkstemp(char *name) { return __model_mkstemps(name, 0); }
int __model_mkostemp(char *name, int flags) { (void)flags; return __model_mkstemps(name, 0); }
int __model_mkostemps(char *name, int suffix, int flags) { (void)flags; return __model_mkstemps(name, suffix); }
char *__model_mktemp(char *name) {
    if (__system_template(name, 0) < 0)
        *name = 0;
    return name;
}
char *__model_mkdtemp(char *name) { return __system_template(name, 0) < 0 || __system_may_fail() < 0 ? 0 : name; }
char *__model_realpath(const char *name, char *to) {
    __system_read(name);
    if (__raddle_nondet_bool()) {
        __system_fail();
        return 0;
    }
    return __system_text(to ? to : __raddle_alloc(64, 0), to ? 4096 : 64);
}
char *__model_canonicalize_file_name(const char *name) { return __model_realpath(name, 0); }

/* Terminals. */
static char __system_terminal[64];
int __model_ttyname_r(int file, char *to, unsigned long size) {
    (void)file;
    if (__raddle_nondet_bool())
        return 25; /* ENOTTY */
    __system_text(to, size);
    return 0;
}
char *__model_ttyname(int file) { return __model_ttyname_r(file, __system_terminal, 64) == 0 ? __system_terminal : 0; }
int __model_ptsname_r(int file, char *to, unsigned long size) { return __model_ttyname_r(file, to, size); }
char *__model_ptsname(int file) { return __model_ttyname(file); }
int __model_posix_openpt(int flags) { (void)flags; return __file_new(); }
int __model_getpt(void) { return __model_posix_openpt(0); }
int __model_grantpt(int file) { (void)file; return __system_may_fail(); }
int __model_unlockpt(int file) { (void)file; return __system_may_fail(); }
int __model_ttyslot(void) { return __system_number(0); }
int __model_tcgetpgrp(int file) { (void)file; return __raddle_nondet_bool() ? __system_fail() : __system_number(1); }
int __model_tcsetpgrp(int file, int group) { (void)file; (void)group; return __system_may_fail(); }
char *__model_getpass(const char *prompt) {
    __system_read(prompt);
    return __system_text(__system_terminal, 64);
}

/* Processes, users, the machine. */
/* What a process is called outside, nobody knows, but it stays so. */
struct __system_constant { int value; _Bool known; };
enum { SYSTEM_LEAST = -2147483647 - 1, SYSTEM_MOST = 2147483647, SYSTEM_MOST_PROCESSES = 4194304 };
__attribute__((raddle_reads(any)))
static int __system_same(struct __system_constant *constant, int least, int most) {
    int value = __raddle_nondet_int();
    __raddle_assume(value >= least && value <= most);
    __raddle_atomic_begin();
    if (constant->known) {
        value = constant->value;
    } else {
        constant->known = 1;
        constant->value = value;
    }
    __raddle_atomic_end();
    return value;
}
static void __system_forget(struct __system_constant *constant) {
    __raddle_atomic_begin();
    constant->known = 0;
    __raddle_atomic_end();
}
static struct __system_constant __system_process, __system_group, __system_user, __system_group_of_user, __system_effective_user,
    __system_effective_group;
int __model_getpid(void) { return __system_same(&__system_process, 1, SYSTEM_MOST_PROCESSES); }
int __model_gettid(void) { return __model_getpid() + (int)__raddle_self(); }
int __model_getppid(void) { return __system_number(0); }
int __model_getpgrp(void) { return __system_same(&__system_group, 1, SYSTEM_MOST_PROCESSES); }
int __model_getpgid(int process) { (void)process; return __raddle_nondet_bool() ? __system_fail() : __system_number(1); }
int __model_getsid(int process) { return __model_getpgid(process); }
int __model_setpgid(int process, int group) {
    (void)process;
    (void)group;
    __system_forget(&__system_group);
    return __system_may_fail();
}
int __model_setpgrp(void) { return __model_setpgid(0, 0); }
int __model_setsid(void) {
    if (__raddle_nondet_bool())
        return __system_fail();
    __system_forget(&__system_group);
    return __model_getpid();
}
int __model_nice(int more) { (void)more; return __raddle_nondet_bool() ? __system_fail() : (int)(__raddle_nondet_uchar() % 40) - 20; }
unsigned __model_getuid(void) { return (unsigned)__system_same(&__system_user, SYSTEM_LEAST, SYSTEM_MOST); }
unsigned __model_geteuid(void) { return (unsigned)__system_same(&__system_effective_user, SYSTEM_LEAST, SYSTEM_MOST); }
unsigned __model_getgid(void) { return (unsigned)__system_same(&__system_group_of_user, SYSTEM_LEAST, SYSTEM_MOST); }
unsigned __model_getegid(void) { return (unsigned)__system_same(&__system_effective_group, SYSTEM_LEAST, SYSTEM_MOST); }
int __model_getgroups(int room, unsigned *groups) {
    if (__raddle_nondet_bool())
        return __system_fail();
    int count = __system_number(0);
    __raddle_assume(room == 0 ? count < 65536 : count <= room);
    for (int i = 0; room != 0 && i < count; i++)
        groups[i] = (unsigned)__raddle_nondet_int();
    return count;
}
int __model_group_member(unsigned group) { (void)group; return __raddle_nondet_bool(); }
/* Who the process belongs to may have changed. */
static int __system_set_user(void) {
    __system_forget(&__system_user);
    __system_forget(&__system_effective_user);
    return __system_may_fail();
}
static int __system_set_group(void) {
    __system_forget(&__system_group_of_user);
    __system_forget(&__system_effective_group);
    return __system_may_fail();
}
int __model_setuid(unsigned user) { (void)user; return __system_set_user(); }
int __model_seteuid(unsigned user) { (void)user; return __system_set_user(); }
int __model_setreuid(unsigned user, unsigned other) { (void)user; (void)other; return __system_set_user(); }
int __model_setresuid(unsigned a, unsigned b, unsigned c) { (void)a; (void)b; (void)c; return __system_set_user(); }
int __model_setgid(unsigned group) { (void)group; return __system_set_group(); }
int __model_setegid(unsigned group) { (void)group; return __system_set_group(); }
int __model_setregid(unsigned group, unsigned other) { (void)group; (void)other; return __system_set_group(); }
int __model_setresgid(unsigned a, unsigned b, unsigned c) { (void)a; (void)b; (void)c; return __system_set_group(); }
int __model_getresuid(unsigned *a, unsigned *b, unsigned *c) {
    *a = __model_getuid();
    *b = __model_geteuid();
    *c = (unsigned)__raddle_nondet_int();
    return 0;
}
int __model_getresgid(unsigned *a, unsigned *b, unsigned *c) {
    *a = __model_getgid();
    *b = __model_getegid();
    *c = (unsigned)__raddle_nondet_int();
    return 0;
}
static char __system_login[64];
int __model_getlogin_r(char *to, unsigned long size) {
    if (__raddle_nondet_bool())
        return 6; /* ENXIO */
    __system_text(to, size);
    return 0;
}
char *__model_getlogin(void) { return __model_getlogin_r(__system_login, 64) == 0 ? __system_login : 0; }
int __model_setlogin(const char *name) { return __system_name(name); }
int __model_gethostname(char *to, unsigned long size) {
    if (__raddle_nondet_bool())
        return __system_fail();
    __system_text(to, size);
    return 0;
}
int __model_getdomainname(char *to, unsigned long size) { return __model_gethostname(to, size); }
int __model_sethostname(const char *name, unsigned long size) {
    for (unsigned long i = 0; i < size; i++) {
        char byte = name[i];
        (void)byte;
    }
    return __system_may_fail();
}
int __model_setdomainname(const char *name, unsigned long size) { return __model_sethostname(name, size); }
long __model_gethostid(void) { return __raddle_nondet_int(); }
int __model_sethostid(long number) { (void)number; return __system_may_fail(); }
char *__model_getusershell(void) { return __raddle_nondet_bool() ? 0 : __system_text(__system_terminal, 64); }
void __model_setusershell(void) {}
void __model_endusershell(void) {}
int __model_getpagesize(void) { return 4096; }
int __model_getdtablesize(void) { return __system_number(20); }
int __model_getloadavg(double *to, int count) {
    if (__raddle_nondet_bool())
        return -1;
    for (int i = 0; i < count && i < 3; i++) {
        double load = __raddle_nondet_double();
        __raddle_assume(load >= 0);
        to[i] = load;
    }
    return count < 3 ? count : 3;
}
long __model_sysconf(int name) {
    if (name == 83 || name == 84) /* _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN */
        return 1 + (__raddle_nondet_int() & 3);
    if (name == 30) /* _SC_PAGESIZE */
        return 4096;
    if (name == 2) /* _SC_CLK_TCK */
        return 100;
    return __system_number(-1);
}

/* Scheduling: every schedule is possible anyway. */
int __model_sched_yield(void) { return 0; }
int __model_sched_getcpu(void) { return __raddle_nondet_int() & 3; }
int __model_getcpu(unsigned *cpu, unsigned *node) {
    if (cpu)
        *cpu = (unsigned)__raddle_nondet_int() & 3;
    if (node)
        *node = 0;
    return 0;
}
int __model_sched_setparam(int process, const int *parameters) {
    int priority = *parameters;
    (void)process;
    (void)priority;
    return __system_may_fail();
}
int __model_sched_getparam(int process, int *parameters) {
    (void)process;
    *parameters = __raddle_nondet_int() & 127;
    return 0;
}
int __model_sched_setscheduler(int process, int policy, const int *parameters) {
    (void)policy;
    return __model_sched_setparam(process, parameters);
}
int __model_sched_getscheduler(int process) { (void)process; return __raddle_nondet_int() & 3; }
int __model_sched_get_priority_max(int policy) { return policy == 1 || policy == 2 ? 99 : 0; }
int __model_sched_get_priority_min(int policy) { return policy == 1 || policy == 2 ? 1 : 0; }
int __model_sched_rr_get_interval(int process, long *result) {
    (void)process;
    result[0] = 0;
    result[1] = 100000000;
    return 0;
}
/* Sets of processors are words of bits; which are allowed nobody knows, but one is. */
int __model_sched_setaffinity(int process, unsigned long size, const unsigned char *set) {
    (void)process;
    for (unsigned long i = 0; i < size; i++) {
        unsigned char bits = set[i];
        (void)bits;
    }
    return __system_may_fail();
}
int __model_sched_getaffinity(int process, unsigned long size, unsigned char *set) {
    (void)process;
    for (unsigned long i = 0; i < size; i++)
        set[i] = i == 0 ? 15 : 0;
    return 0;
}
int __model___sched_cpucount(unsigned long size, const unsigned char *set) {
    int count = 0;
    for (unsigned long i = 0; i < size; i++)
        count += __builtin_popcount(set[i]);
    return count;
}
void *__model___sched_cpualloc(unsigned long count) { return __model_malloc((count + 63) / 64 * 8); }
void __model___sched_cpufree(void *set) { __raddle_free(set); }
int __model_unshare(int flags) { (void)flags; return __system_may_fail(); }
int __model_setns(int file, int kind) { (void)file; (void)kind; return __system_may_fail(); }

/* Another program in place of this one: that ends the process, or fails. Its arguments and its environment are read, up to a null pointer. */
static void __system_read_all(char *const *texts) {
    for (; *texts; texts++)
        __system_read(*texts);
}
static int __system_exec(const char *name) {
    __system_read(name);
    if (__raddle_nondet_bool())
        __raddle_exit_process(0);
    return __system_fail();
}
int __model_execv(const char *name, char *const *arguments) {
    if (arguments)
        __system_read_all(arguments);
    return __system_exec(name);
}
int __model_execve(const char *name, char *const *arguments, char *const *environment) {
    if (environment)
        __system_read_all(environment);
    return __model_execv(name, arguments);
}
int __model_execvp(const char *name, char *const *arguments) { return __model_execv(name, arguments); }
int __model_execvpe(const char *name, char *const *arguments, char *const *environment) {
    return __model_execve(name, arguments, environment);
}
/* Arguments one by one: each lies in a slot of eight bytes. */
static char *__system_read_list(const char *argument, char *area) {
    for (; argument; area += 8) {
        __system_read(argument);
        argument = *(const char **)area;
    }
    return area;
}
int __model_execl(const char *name, const char *argument, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, argument);
    __system_read_list(argument, *(char **)&list);
    return __system_exec(name);
}
int __model_execlp(const char *name, const char *argument, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, argument);
    __system_read_list(argument, *(char **)&list);
    return __system_exec(name);
}
int __model_execle(const char *name, const char *argument, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, argument);
    char *environment = __system_read_list(argument, *(char **)&list);
    __system_read_all(*(char *const **)environment);
    return __system_exec(name);
}
int __model_fexecve(int file, char *const *arguments, char *const *environment) {
    (void)file;
    return __model_execve("", arguments, environment);
}
int __model_execveat(int folder, const char *name, char *const *arguments, char *const *environment, int flags) {
    (void)folder;
    (void)flags;
    return __model_execve(name, arguments, environment);
}
/* A command of the shell changes nothing in this process. */
int __model_system(const char *command) {
    if (command)
        __system_read(command);
    return __raddle_nondet_int();
}

/* A signal that comes by itself needs a handler to be noticed; without one it ends the process, which may stop anywhere. */
unsigned __model_alarm(unsigned seconds) {
    if (seconds != 0 && (__raddle_program_uses("signal") || __raddle_program_uses("sigaction")))
        __raddle_unsupported("signals that come by themselves (alarm)");
    return (unsigned)__raddle_nondet_int();
}
unsigned __model_ualarm(unsigned microseconds, unsigned again) { (void)again; return __model_alarm(microseconds); }

/* The environment. A variable that the program has not set may be there or not, and is then a text of at most 63 bytes. What is
   found stays so. Nothing guards the environment: who sets a variable while another looks for one races. */
static struct { char *name, *value; } __environment[16];
static int __environment_count;
static int __environment_guard;
static _Bool __environment_cleared;

__attribute__((raddle_reads(hidden)))
static int __environment_same(const char *left, const char *right) {
    unsigned long i = 0;
    while (left[i] && left[i] == right[i] && left[i] != '=')
        i++;
    return (left[i] == 0 || left[i] == '=') && (right[i] == 0 || right[i] == '=');
}
/* All texts are kept, as glibc does: somebody may still hold one that was replaced. */
static char *__environment_room(unsigned long size) {
    char *room = __raddle_alloc_own(size + 1, 0);
    *room = 0;
    return room + 1; /* nothing to give to free */
}
static char *__environment_copy(const char *text) {
    unsigned long length = 0;
    while (text[length])
        length++;
    char *copy = __environment_room(length + 1);
    for (unsigned long i = 0; i <= length; i++)
        copy[i] = text[i];
    return copy;
}
__attribute__((raddle_reads(hidden)))
static int __environment_place(const char *name) {
    char *copy = __environment_copy(name);
    __raddle_atomic_begin();
    for (int i = 0; i < __environment_count; i++)
        if (__environment_same(__environment[i].name, copy)) {
            __raddle_atomic_end();
            return i;
        }
    int place = __environment_count++;
    if (place == 16)
        __raddle_unsupported("more than 16 variables of the environment");
    __environment[place].name = copy;
    if (!__environment_cleared && __raddle_nondet_bool()) {
        char *value = __environment_room(64);
        value[63] = 0;
        __environment[place].value = value;
    }
    __raddle_atomic_end();
    return place;
}
char *__model_getenv(const char *name) {
    int guard = __environment_guard;
    (void)guard;
    int place = __environment_place(name);
    __raddle_atomic_begin();
    char *value = __environment[place].value;
    __raddle_atomic_end();
    return value;
}
char *__model_secure_getenv(const char *name) { return __raddle_nondet_bool() ? 0 : __model_getenv(name); }
__attribute__((raddle_reads(hidden)))
static int __environment_set(const char *name, char *value, int overwrite) {
    __environment_guard = 1;
    int place = __environment_place(name);
    __raddle_atomic_begin();
    if (overwrite || !__environment[place].value)
        __environment[place].value = value;
    __raddle_atomic_end();
    return 0;
}
static int __environment_is_name(const char *name) {
    if (!name || !*name)
        return 0;
    for (; *name; name++)
        if (*name == '=')
            return 0;
    return 1;
}
int __model_setenv(const char *name, const char *value, int overwrite) {
    if (!__environment_is_name(name)) {
        *__model___errno_location() = 22;
        return -1;
    }
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __memory_is_out())
        return -1;
    return __environment_set(name, __environment_copy(value), overwrite);
}
int __model_unsetenv(const char *name) {
    if (!__environment_is_name(name)) {
        *__model___errno_location() = 22;
        return -1;
    }
    return __environment_set(name, 0, 1);
}
/* The text itself becomes part of the environment. */
int __model_putenv(char *text) {
    char *value = text;
    while (*value && *value != '=')
        value++;
    return __environment_set(text, *value ? value + 1 : 0, 1);
}
__attribute__((raddle_reads(hidden)))
int __model_clearenv(void) {
    __environment_guard = 1;
    __raddle_atomic_begin();
    for (int i = 0; i < __environment_count; i++)
        __environment[i].value = 0;
    __environment_cleared = 1;
    __raddle_atomic_end();
    return 0;
}

/* Refused by name. */
int __model_fork(void) { __raddle_unsupported("other processes (fork)"); }
int __model_vfork(void) { __raddle_unsupported("other processes (vfork)"); }
int __model__Fork(void) { __raddle_unsupported("other processes (_Fork)"); }
int __model_clone(void) { __raddle_unsupported("other processes (clone)"); }
int __model_daemon(int stay, int keep) {
    (void)stay;
    (void)keep;
    __raddle_unsupported("other processes (daemon)");
}
int __model_pipe(int *files) { (void)files; __raddle_unsupported("pipes (pipe)"); }
int __model_pipe2(int *files, int flags) {
    (void)files;
    (void)flags;
    __raddle_unsupported("pipes (pipe2)");
}
int __model_pause(void) { __raddle_unsupported("waiting for a signal (pause)"); }
int __model_brk(void *end) { (void)end; __raddle_unsupported("moving the end of the data segment (brk)"); }
void *__model_sbrk(long more) { (void)more; __raddle_unsupported("moving the end of the data segment (sbrk)"); }
long __model_syscall(long number, ...) { (void)number; __raddle_unsupported("calls of the kernel by number (syscall)"); }
int __model_getopt(int count, char *const *arguments, const char *options) {
    (void)count;
    (void)arguments;
    (void)options;
    __raddle_unsupported("options of the command line (getopt)");
}
char *__model_crypt(const char *key, const char *salt) {
    (void)key;
    (void)salt;
    __raddle_unsupported("hashing passwords (crypt)");
}
