// <wchar.h>, <threads.h>, <setjmp.h>, <locale.h>, <inttypes.h>, <ctype.h>, <search.h>, <sys/stat.h>, <sys/socket.h>, <netinet/in.h>
#include <wchar.h>
#include <wctype.h>
#include <threads.h>
#include <setjmp.h>
#include <locale.h>
#include <inttypes.h>
#include <ctype.h>
#include <search.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <poll.h>
#include <dirent.h>
#include <termios.h>
#include <sys/mman.h>
#include <sys/wait.h>
static jmp_buf environment;
static mtx_t mutex;
static int run(void *p) { return thrd_equal(thrd_current(), *(thrd_t *)p); }
int use(void)
{
    thrd_t thread;
    if (setjmp(environment)) return 1;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, run, &thread);
    printf("%" PRId64 " %ls\n", (int64_t)3, L"wide");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return isalpha('x') + (int)wcslen(L"abc") + WIFEXITED(3) + (address.sin_port != 0);
}
