/* Time. Clocks start anywhere, move by any amount, and never go back: nobody but the program sets the clock of the day. Sleeping is to be scheduled later, which every thread may be anyway. The time zone is UTC. */

int *__model___errno_location(void);

static int __time_error(int number) {
    *__model___errno_location() = number;
    return -1;
}

static long __time_any(void) { return (long)(__raddle_nondet_ulong() >> 1); }
static long __time_below(long limit) {
    int part = __raddle_nondet_int();
    __raddle_assume(part >= 0 && part < limit);
    return part;
}

/* The last time that each clock has shown; the coarse clock of the day is the clock of the day. */
static long __time_seconds[12], __time_nanoseconds[12];

__attribute__((raddle_reads(any)))
static void __time_show(int clock, long seconds, long nanoseconds) {
    int which = clock == 5 || clock == 8 ? 0 : clock;
    __raddle_atomic_begin();
    long last = __time_seconds[which];
    __raddle_assume(seconds > last || (seconds == last && nanoseconds >= __time_nanoseconds[which]));
    __time_seconds[which] = seconds;
    __time_nanoseconds[which] = nanoseconds;
    __raddle_atomic_end();
}

static void __time_read(int clock, long *result) {
    long seconds = __time_any(), nanoseconds = __time_below(1000000000);
    __time_show(clock, seconds, nanoseconds);
    result[0] = seconds;
    result[1] = nanoseconds;
}

static int __time_is_known(int clock) { return clock >= 0 && clock < 12 && clock != 10; }

int __model_clock_gettime(int clock, long *result) {
    if (!__time_is_known(clock))
        return __time_error(22); /* EINVAL */
    __time_read(clock, result);
    return 0;
}
int __model_clock_getres(int clock, long *result) {
    if (!__time_is_known(clock))
        return __time_error(22);
    if (result) {
        result[0] = 0;
        result[1] = 1;
    }
    return 0;
}
/* Setting a clock needs a right that the process may not have. */
static int __time_may_fail(void) { return __raddle_nondet_bool() ? __time_error(1) : 0; }
int __model_clock_settime(int clock, const long *time) {
    long seconds = time[0], nanoseconds = time[1];
    if (clock != 0 || seconds < 0 || nanoseconds < 0 || nanoseconds >= 1000000000)
        return __time_error(22);
    if (__time_may_fail() < 0)
        return -1;
    __raddle_atomic_begin();
    __time_seconds[0] = seconds;
    __time_nanoseconds[0] = nanoseconds;
    __raddle_atomic_end();
    return 0;
}
int __model_clock_adjtime(int clock, void *change) { (void)clock; (void)change; return __time_may_fail(); }
int __model_clock_getcpuclockid(int process, int *clock) { (void)process; *clock = 2; return 0; }
int __model_pthread_getcpuclockid(unsigned long thread, int *clock) {
    if (__thread_id_in_use(thread) == THREAD_NONE)
        return THREAD_ESRCH;
    *clock = 3;
    return 0;
}
int __model_timespec_get(long *result, int base) {
    if (base != 1)
        return 0;
    __time_read(0, result);
    return base;
}
int __model_timespec_getres(long *result, int base) {
    if (base != 1)
        return 0;
    if (result)
        __model_clock_getres(0, result);
    return base;
}
int __model_gettimeofday(long *result, void *zone) {
    (void)zone;
    if (result) {
        long seconds = __time_any(), microseconds = __time_below(1000000);
        __time_show(0, seconds, microseconds * 1000 + __time_below(1000));
        result[0] = seconds;
        result[1] = microseconds;
    }
    return 0;
}
long __model_time(long *result) {
    long now = __time_any();
    __time_show(0, now, __time_below(1000000000));
    if (result)
        *result = now;
    return now;
}
static long __time_clock;
__attribute__((raddle_reads(any)))
long __model_clock(void) {
    long now = __time_any();
    __raddle_atomic_begin();
    __raddle_assume(now >= __time_clock);
    __time_clock = now;
    __raddle_atomic_end();
    return now;
}
double __model_difftime(long later, long earlier) {
    return later >= earlier ? (double)((unsigned long)later - (unsigned long)earlier)
                            : -(double)((unsigned long)earlier - (unsigned long)later);
}

/* Who sleeps comes back no earlier than when the time has passed on every clock that never stops. That matters where somebody looks at one. */
static int __time_is_looked_at(void) {
    return __raddle_program_uses("clock_gettime") || __raddle_program_uses("time") || __raddle_program_uses("gettimeofday") ||
           __raddle_program_uses("timespec_get");
}
static int __time_passes_on(int clock) { return clock < 2 || clock == 4 || clock == 6 || clock == 7 || clock == 9 || clock == 11; }
__attribute__((raddle_reads(any)))
static void __time_pass(long seconds, long nanoseconds) {
    long from[12], from_nanoseconds[12];
    if (!__time_is_looked_at())
        return;
    __raddle_atomic_begin();
    for (int clock = 0; clock < 12; clock++)
        if (__time_passes_on(clock)) {
            from[clock] = __time_seconds[clock];
            from_nanoseconds[clock] = __time_nanoseconds[clock];
        }
    __raddle_atomic_end();
    __raddle_atomic_begin();
    for (int clock = 0; clock < 12; clock++)
        if (__time_passes_on(clock)) {
            long later = from_nanoseconds[clock] + nanoseconds;
            long end = from[clock] + seconds + later / 1000000000, left = later % 1000000000;
            __raddle_assume(end >= from[clock]); /* no clock comes to its end */
            if (end > __time_seconds[clock] || (end == __time_seconds[clock] && left > __time_nanoseconds[clock])) {
                __time_seconds[clock] = end;
                __time_nanoseconds[clock] = left;
            }
        }
    __raddle_atomic_end();
}

/* How long is read, and must be a time. */
void __model_pthread_testcancel(void);
static int __time_is_span(const long *time) {
    long seconds = time[0], nanoseconds = time[1];
    return seconds >= 0 && nanoseconds >= 0 && nanoseconds < 1000000000;
}
int __model_nanosleep(const long *time, long *rest) {
    (void)rest;
    __model_pthread_testcancel();
    if (!__time_is_span(time))
        return __time_error(22);
    __time_pass(time[0], time[1]);
    return 0;
}
int __model_clock_nanosleep(int clock, int flags, const long *time, long *rest) {
    (void)rest;
    __model_pthread_testcancel();
    if (!__time_is_known(clock) || !__time_is_span(time))
        return 22;
    if (!(flags & 1)) /* TIMER_ABSTIME */
        __time_pass(time[0], time[1]);
    return 0;
}
unsigned __model_sleep(unsigned seconds) {
    __model_pthread_testcancel();
    __time_pass((long)seconds, 0);
    return 0;
}
int __model_usleep(unsigned microseconds) {
    __model_pthread_testcancel();
    __time_pass((long)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000);
    return 0;
}
int __model_select(int count, void *read, void *write, void *except, long *timeout) {
    (void)read;
    (void)write;
    (void)except;
    if (count > 0)
        __raddle_unsupported("waiting for files (select)");
    __model_pthread_testcancel();
    if (!timeout)
        return 0;
    long seconds = timeout[0], microseconds = timeout[1];
    if (seconds < 0 || microseconds < 0)
        return __time_error(22);
    timeout[0] = 0; /* as Linux does: what is left of the time */
    timeout[1] = 0;
    return 0;
}
int __model_pselect(int count, void *read, void *write, void *except, const long *timeout, const void *mask) {
    (void)read;
    (void)write;
    (void)except;
    (void)mask;
    if (count > 0)
        __raddle_unsupported("waiting for files (pselect)");
    __model_pthread_testcancel();
    return timeout && !__time_is_span(timeout) ? __time_error(22) : 0;
}

/* Dates: glibc's `struct tm`. */
struct __time_date {
    int second, minute, hour, day, month, year, weekday, yearday, summer;
    long offset;
    const char *zone;
};

static int __time_is_leap(long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
int __model_dysize(int year) { return __time_is_leap(year) ? 366 : 365; }
static const short __time_days[2][13] = {{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
                                         {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}};

/* Days from 1970 to the first of March of a year, which is where years of this arithmetic begin (months from March on). */
static long long __time_days_to(long long year, long long month, long long day) {
    year -= month <= 2;
    long long era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    long long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* The date of a time; zero if the year does not fit. */
static int __time_split(long long time, struct __time_date *date) {
    long long days = time / 86400, rest = time % 86400;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    long long weekday = (days + 4) % 7, shifted = days + 719468;
    long long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097, of_era = shifted - era * 146097;
    long long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long long of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long part = (5 * of_year + 2) / 153, month = part < 10 ? part + 3 : part - 9;
    long long year = year_of_era + era * 400 + (month <= 2);
    if (year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1)
        return 0;
    date->second = (int)(rest % 60);
    date->minute = (int)(rest / 60 % 60);
    date->hour = (int)(rest / 3600);
    date->day = (int)(of_year - (153 * part + 2) / 5 + 1);
    date->month = (int)month - 1;
    date->year = (int)(year - 1900);
    date->weekday = (int)(weekday < 0 ? weekday + 7 : weekday);
    date->yearday = __time_days[__time_is_leap((long)year)][date->month] + date->day - 1;
    date->summer = 0;
    date->offset = 0;
    date->zone = "GMT";
    return 1;
}

static long long __time_join(const struct __time_date *date) {
    long long month = date->month, year = date->year + 1900ll + month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    long long days = __time_days_to(year, month + 1, 1) + date->day - 1;
    return ((days * 24 + date->hour) * 60 + date->minute) * 60 + date->second;
}

struct __time_date *__model_gmtime_r(const long *time, struct __time_date *result) {
    if (__time_split(*time, result))
        return result;
    __time_error(75); /* EOVERFLOW */
    return 0;
}
struct __time_date *__model_localtime_r(const long *time, struct __time_date *result) {
    struct __time_date *date = __model_gmtime_r(time, result);
    if (date)
        date->zone = "UTC";
    return date;
}
/* One object for all threads and all of these functions. */
static struct __time_date __time_shared;
struct __time_date *__model_gmtime(const long *time) { return __model_gmtime_r(time, &__time_shared); }
struct __time_date *__model_localtime(const long *time) { return __model_localtime_r(time, &__time_shared); }

long __model_timegm(struct __time_date *date) {
    long long time = __time_join(date);
    if (!__time_split(time, date) || (long)time != time)
        return __time_error(75);
    return (long)time;
}
long __model_mktime(struct __time_date *date) {
    long time = __model_timegm(date);
    date->zone = "UTC";
    return time;
}
void __model_tzset(void) {}

static const char __time_weekdays[7][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char __time_months[12][10] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                                           "October", "November", "December"};

/* A number that is none of these has no name. */
static const char *__time_name(const char (*names)[10], int count, int number) {
    return number >= 0 && number < count ? names[number] : "?";
}

/* Text that grows up to a limit; what does not fit is counted. */
static unsigned long __time_put(char *to, unsigned long room, unsigned long count, char byte) {
    if (count < room)
        to[count] = byte;
    return count + 1;
}
static unsigned long __time_put_text(char *to, unsigned long room, unsigned long count, const char *text, int most) {
    for (int i = 0; i < most && text[i]; i++)
        count = __time_put(to, room, count, text[i]);
    return count;
}
static unsigned long __time_put_number(char *to, unsigned long room, unsigned long count, long value, int width, char fill) {
    char digits[20];
    int length = 0;
    unsigned long rest = value < 0 ? 0 - (unsigned long)value : (unsigned long)value;
    if (value < 0)
        count = __time_put(to, room, count, '-');
    do {
        digits[length++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    for (int i = length; i < width; i++)
        count = __time_put(to, room, count, fill);
    while (length > 0)
        count = __time_put(to, room, count, digits[--length]);
    return count;
}

/* The week of a year that begins on Mondays and has its first Thursday in week 1; and the year that it belongs to. */
static int __time_week(const struct __time_date *date, long *year) {
    int weekday = (date->weekday + 6) % 7, week = (date->yearday - weekday + 10) / 7;
    *year = date->year + 1900l;
    if (week < 1) {
        --*year;
        int days = date->yearday + (__time_is_leap(*year) ? 366 : 365);
        return (days - weekday + 10) / 7;
    }
    if (week == 53 && date->yearday - weekday + 3 >= (__time_is_leap(*year) ? 366 : 365)) {
        ++*year;
        return 1;
    }
    return week;
}

static unsigned long __time_format(char *to, unsigned long room, unsigned long count, const char *format,
                                   const struct __time_date *date);

static unsigned long __time_conversion(char *to, unsigned long room, unsigned long count, char letter,
                                       const struct __time_date *date) {
    int half = date->hour % 12 == 0 ? 12 : date->hour % 12;
    long year = date->year + 1900l, other = 0;
    switch (letter) {
    case 'a': return __time_put_text(to, room, count, __time_name(__time_weekdays, 7, date->weekday), 3);
    case 'A': return __time_put_text(to, room, count, __time_name(__time_weekdays, 7, date->weekday), 10);
    case 'b':
    case 'h': return __time_put_text(to, room, count, __time_name(__time_months, 12, date->month), 3);
    case 'B': return __time_put_text(to, room, count, __time_name(__time_months, 12, date->month), 10);
    case 'c': return __time_format(to, room, count, "%a %b %e %H:%M:%S %Y", date);
    case 'C': return __time_put_number(to, room, count, year / 100, 2, '0');
    case 'd': return __time_put_number(to, room, count, date->day, 2, '0');
    case 'D':
    case 'x': return __time_format(to, room, count, "%m/%d/%y", date);
    case 'e': return __time_put_number(to, room, count, date->day, 2, ' ');
    case 'F': return __time_format(to, room, count, "%Y-%m-%d", date);
    case 'g': __time_week(date, &other); return __time_put_number(to, room, count, other % 100, 2, '0');
    case 'G': __time_week(date, &other); return __time_put_number(to, room, count, other, 1, '0');
    case 'H': return __time_put_number(to, room, count, date->hour, 2, '0');
    case 'I': return __time_put_number(to, room, count, half, 2, '0');
    case 'j': return __time_put_number(to, room, count, date->yearday + 1, 3, '0');
    case 'k': return __time_put_number(to, room, count, date->hour, 2, ' ');
    case 'l': return __time_put_number(to, room, count, half, 2, ' ');
    case 'm': return __time_put_number(to, room, count, date->month + 1, 2, '0');
    case 'M': return __time_put_number(to, room, count, date->minute, 2, '0');
    case 'n': return __time_put(to, room, count, '\n');
    case 'p': return __time_put_text(to, room, count, date->hour < 12 ? "AM" : "PM", 2);
    case 'P': return __time_put_text(to, room, count, date->hour < 12 ? "am" : "pm", 2);
    case 'r': return __time_format(to, room, count, "%I:%M:%S %p", date);
    case 'R': return __time_format(to, room, count, "%H:%M", date);
    case 's': return __time_put_number(to, room, count, (long)__time_join(date), 1, '0');
    case 'S': return __time_put_number(to, room, count, date->second, 2, '0');
    case 't': return __time_put(to, room, count, '\t');
    case 'T':
    case 'X': return __time_format(to, room, count, "%H:%M:%S", date);
    case 'u': return __time_put_number(to, room, count, date->weekday == 0 ? 7 : date->weekday, 1, '0');
    case 'U': return __time_put_number(to, room, count, (date->yearday + 7 - date->weekday) / 7, 2, '0');
    case 'V': return __time_put_number(to, room, count, __time_week(date, &other), 2, '0');
    case 'w': return __time_put_number(to, room, count, date->weekday, 1, '0');
    case 'W': return __time_put_number(to, room, count, (date->yearday + 7 - (date->weekday + 6) % 7) / 7, 2, '0');
    case 'y': return __time_put_number(to, room, count, year % 100, 2, '0');
    case 'Y': return __time_put_number(to, room, count, year, 1, '0');
    case 'z': return __time_put_text(to, room, count, "+0000", 5);
    case 'Z': return __time_put_text(to, room, count, date->zone ? date->zone : "", 100);
    case '%': return __time_put(to, room, count, '%');
    default: __raddle_unsupported("an unusual conversion of strftime");
    }
}

static unsigned long __time_format(char *to, unsigned long room, unsigned long count, const char *format,
                                   const struct __time_date *date) {
    for (char byte; (byte = *format); format++) {
        if (byte != '%') {
            count = __time_put(to, room, count, byte);
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O')
            format++;
        count = __time_conversion(to, room, count, *format, date);
    }
    return count;
}

unsigned long __model_strftime(char *to, unsigned long room, const char *format, const struct __time_date *date) {
    unsigned long count = __time_format(to, room, 0, format, date);
    if (count >= room)
        return 0;
    to[count] = 0;
    return count;
}

char *__model_asctime_r(const struct __time_date *date, char *to) {
    unsigned long count = __time_format(to, 100, 0, "%a %b ", date);
    count = __time_put_number(to, 100, count, date->day, 2, ' ');
    count = __time_format(to, 100, count, " %H:%M:%S %Y\n", date);
    to[count] = 0;
    return to;
}
static char __time_text[100];
char *__model_asctime(const struct __time_date *date) { return __model_asctime_r(date, __time_text); }
char *__model_ctime_r(const long *time, char *to) {
    struct __time_date date;
    return __model_localtime_r(time, &date) ? __model_asctime_r(&date, to) : 0;
}
char *__model_ctime(const long *time) {
    struct __time_date *date = __model_localtime(time);
    return date ? __model_asctime(date) : 0;
}

/* Refused by name. */
char *__model_strptime(const char *text, const char *format, void *date) {
    (void)text;
    (void)format;
    (void)date;
    __raddle_unsupported("reading dates (strptime)");
}
void *__model_getdate(const char *text) { (void)text; __raddle_unsupported("reading dates (getdate)"); }
int __model_getdate_r(const char *text, void *date) {
    (void)text;
    (void)date;
    __raddle_unsupported("reading dates (getdate_r)");
}
int __model_timer_create(int clock, void *event, void *timer) {
    (void)clock;
    (void)event;
    (void)timer;
    __raddle_unsupported("timers (timer_create)");
}
int __model_timer_delete(void *timer) { (void)timer; __raddle_unsupported("timers (timer_delete)"); }
int __model_timer_settime(void *timer, int flags, const void *value, void *old) {
    (void)timer;
    (void)flags;
    (void)value;
    (void)old;
    __raddle_unsupported("timers (timer_settime)");
}
int __model_timer_gettime(void *timer, void *value) {
    (void)timer;
    (void)value;
    __raddle_unsupported("timers (timer_gettime)");
}
int __model_timer_getoverrun(void *timer) { (void)timer; __raddle_unsupported("timers (timer_getoverrun)"); }
