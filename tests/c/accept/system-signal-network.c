// More system headers, with their inline functions and unions.
#include <signal.h>
#include <ucontext.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <netdb.h>
#include <pwd.h>
#include <syslog.h>
#include <getopt.h>
#include <regex.h>
#include <glob.h>
#include <dlfcn.h>
#include <byteswap.h>
#include <endian.h>
static void handler(int n, siginfo_t *info, void *context) { (void)n; (void)info->si_addr; (void)((ucontext_t *)context)->uc_flags; }
int install(void)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(3, &set);
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = 3}};
    return sigaction(SIGINT, &action, 0) + FD_ISSET(3, &set) + (int)event.data.u32 + bswap_16(3) + htobe32(4);
}
