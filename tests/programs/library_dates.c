/* Dates in UTC. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    setenv("TZ", "UTC0", 1);
    static const long times[] = {0, 1, 86399, 951782400, 1078012800, 1700000000, 2147483647, -1, -86401, 1230768000, 1262304000};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        time_t time = times[i];
        struct tm date = *gmtime(&time);
        char text[200];
        strftime(text, sizeof text, "%a %A %b %B %c %C %d %D %e %F %g %G %H %I %j %m %M %p %r %R %S %T %u %U %V %w %W %x %X %y %Y %%",
                 &date);
        printf("%ld %s %d %d\n", (long)timegm(&date), text, date.tm_yday, date.tm_wday);
        printf("%s%s", asctime(&date), ctime(&time));
    }
    struct tm odd = {.tm_year = 120, .tm_mon = 14, .tm_mday = -3, .tm_hour = 30, .tm_min = -10, .tm_sec = 100};
    printf("%ld", (long)mktime(&odd));
    printf(" %d %d %d %d %d\n", odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_hour, odd.tm_wday);
    char small[4];
    printf("%zu %d %g\n", strftime(small, sizeof small, "%Y", &odd), dysize(2000), difftime(5, 3));
    return 0;
}
