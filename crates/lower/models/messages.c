/* Texts for numbers of errors and signals, as glibc has them in English. */

static const char *const __message_errors[134] = {
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
    "Unknown error 41",
    "No message of desired type",
    "Identifier removed",
    "Channel number out of range",
    "Level 2 not synchronized",
    "Level 3 halted",
    "Level 3 reset",
    "Link number out of range",
    "Protocol driver not attached",
    "No CSI structure available",
    "Level 2 halted",
    "Invalid exchange",
    "Invalid request descriptor",
    "Exchange full",
    "No anode",
    "Invalid request code",
    "Invalid slot",
    "Unknown error 58",
    "Bad font file format",
    "Device not a stream",
    "No data available",
    "Timer expired",
    "Out of streams resources",
    "Machine is not on the network",
    "Package not installed",
    "Object is remote",
    "Link has been severed",
    "Advertise error",
    "Srmount error",
    "Communication error on send",
    "Protocol error",
    "Multihop attempted",
    "RFS specific error",
    "Bad message",
    "Value too large for defined data type",
    "Name not unique on network",
    "File descriptor in bad state",
    "Remote address changed",
    "Can not access a needed shared library",
    "Accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted",
    "Streams pipe error",
    "Too many users",
    "Socket operation on non-socket",
    "Destination address required",
    "Message too long",
    "Protocol wrong type for socket",
    "Protocol not available",
    "Protocol not supported",
    "Socket type not supported",
    "Operation not supported",
    "Protocol family not supported",
    "Address family not supported by protocol",
    "Address already in use",
    "Cannot assign requested address",
    "Network is down",
    "Network is unreachable",
    "Network dropped connection on reset",
    "Software caused connection abort",
    "Connection reset by peer",
    "No buffer space available",
    "Transport endpoint is already connected",
    "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice",
    "Connection timed out",
    "Connection refused",
    "Host is down",
    "No route to host",
    "Operation already in progress",
    "Operation now in progress",
    "Stale file handle",
    "Structure needs cleaning",
    "Not a XENIX named type file",
    "No XENIX semaphores available",
    "Is a named type file",
    "Remote I/O error",
    "Disk quota exceeded",
    "No medium found",
    "Wrong medium type",
    "Operation canceled",
    "Required key not available",
    "Key has expired",
    "Key has been revoked",
    "Key was rejected by service",
    "Owner died",
    "State not recoverable",
    "Operation not possible due to RF-kill",
    "Memory page has hardware error",
};
static const char *const __message_names[134] = {    "0", "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG",
    "ENOEXEC", "EBADF", "ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK",
    "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE",
    "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK",
    "EPIPE", "EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY",
    "ELOOP", "", "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST",
    "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO",
    "EBADRQC", "EBADSLT", "", "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR",
    "ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
    "EMULTIHOP", "EDOTDOT", "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG", "ELIBACC",
    "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART", "ESTRPIPE", "EUSERS",
    "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE", "ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP",
    "EPFNOSUPPORT", "EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED",
    "ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED",
    "EHOSTDOWN", "EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN", "ENOTNAM", "ENAVAIL",
    "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE", "ECANCELED", "ENOKEY", "EKEYEXPIRED",
    "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};
static const struct { const char *name, *text; } __message_signals[65] = {
    {"", ""},
    {"HUP", "Hangup"},
    {"INT", "Interrupt"},
    {"QUIT", "Quit"},
    {"ILL", "Illegal instruction"},
    {"TRAP", "Trace/breakpoint trap"},
    {"ABRT", "Aborted"},
    {"BUS", "Bus error"},
    {"FPE", "Floating point exception"},
    {"KILL", "Killed"},
    {"USR1", "User defined signal 1"},
    {"SEGV", "Segmentation fault"},
    {"USR2", "User defined signal 2"},
    {"PIPE", "Broken pipe"},
    {"ALRM", "Alarm clock"},
    {"TERM", "Terminated"},
    {"STKFLT", "Stack fault"},
    {"CHLD", "Child exited"},
    {"CONT", "Continued"},
    {"STOP", "Stopped (signal)"},
    {"TSTP", "Stopped"},
    {"TTIN", "Stopped (tty input)"},
    {"TTOU", "Stopped (tty output)"},
    {"URG", "Urgent I/O condition"},
    {"XCPU", "CPU time limit exceeded"},
    {"XFSZ", "File size limit exceeded"},
    {"VTALRM", "Virtual timer expired"},
    {"PROF", "Profiling timer expired"},
    {"WINCH", "Window changed"},
    {"POLL", "I/O possible"},
    {"PWR", "Power failure"},
    {"SYS", "Bad system call"},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
    {"", ""},
};

static _Thread_local char __message_unknown[40];

/* `start` and a number, in a place of the thread. */
static char *__message_numbered(const char *start, int number) {
    int length = 0;
    for (; start[length]; length++)
        __message_unknown[length] = start[length];
    unsigned value = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    if (number < 0)
        __message_unknown[length++] = '-';
    int digits = 1;
    for (unsigned rest = value / 10; rest != 0; rest /= 10)
        digits++;
    for (int i = digits - 1; i >= 0; i--) {
        __message_unknown[length + i] = (char)('0' + value % 10);
        value /= 10;
    }
    __message_unknown[length + digits] = 0;
    return __message_unknown;
}

static int __message_is_error(int number) { return number >= 0 && number < 134 && number != 41 && number != 58; }

char *__model_strerror(int number) {
    return __message_is_error(number) ? (char *)__message_errors[number] : __message_numbered("Unknown error ", number);
}
const char *__model_strerrordesc_np(int number) { return __message_is_error(number) ? __message_errors[number] : 0; }
const char *__model_strerrorname_np(int number) { return __message_is_error(number) ? __message_names[number] : 0; }

/* GNU's form returns the text; POSIX's copies it and returns an error, and the headers call it by another name. */
char *__model_strerror_r(int number, char *buffer, unsigned long size) {
    (void)buffer;
    (void)size;
    return __model_strerror(number);
}
int __model___xpg_strerror_r(int number, char *buffer, unsigned long size) {
    const char *text = __model_strerror(number);
    unsigned long i = 0;
    for (; i + 1 < size && text[i]; i++)
        buffer[i] = text[i];
    if (size > 0)
        buffer[i] = 0;
    return text[i] ? 34 : __message_is_error(number) ? 0 : 22;
}

static int __message_is_signal(int number) { return number > 0 && number < 65 && __message_signals[number].name[0]; }
char *__model_strsignal(int number) {
    if (__message_is_signal(number))
        return (char *)__message_signals[number].text;
    return __message_numbered(number >= 34 && number <= 64 ? "Real-time signal " : "Unknown signal ",
                              number >= 34 && number <= 64 ? number - 34 : number);
}
const char *__model_sigabbrev_np(int number) { return __message_is_signal(number) ? __message_signals[number].name : 0; }
const char *__model_sigdescr_np(int number) { return __message_is_signal(number) ? __message_signals[number].text : 0; }

static int __put_text(int stream, const char *text) {
    for (; *text; text++)
        __raddle_put_byte(stream, *text);
    return 0;
}
void __model_psignal(int number, const char *text) {
    if (text && *text) {
        __put_text(2, text);
        __put_text(2, ": ");
    }
    __put_text(2, __model_strsignal(number));
    __raddle_put_byte(2, '\n');
}
