/* Waiting until something is ready: pipes, poll, epoll; and a storm of switches. */
#include "truth.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>

static int ends[2], event;
static atomic_int other;
static volatile bool over;

static void *feed(void *file) {
    uint64_t one = 1;
    struct mark at = born();
    other = gettid();
    while (!over) {
        nap(0.005);
        phase(&at, "blocked/sleep");
        if (write(*(int *)file, &one, sizeof one) != sizeof one) give_up("write");
    }
    return idle_away();
}

/* A thread writes into the pipe every 5 ms. */
static void piped(double seconds) {
    if (pipe(ends)) give_up("pipe");
    struct mark at = mark();
    double waited = 0;
    start_thread(feed, &ends[1]);
    phase(&at, "blocked");
    for (double end = at.wall + seconds; at.wall < end;) {
        uint64_t piece;
        if (read(ends[0], &piece, sizeof piece) != sizeof piece) give_up("read");
        waited += phase(&at, "blocked/pipe");
    }
    over = true;
    charge(MAY_CHARGE, "blocked/pipe", waited, other);
}

/* A thread makes an eventfd ready every 5 ms. */
static void threads(double seconds) {
    event = eventfd(0, EFD_CLOEXEC);
    struct mark at = mark();
    double waited = 0;
    start_thread(feed, &event);
    phase(&at, "blocked");
    for (double end = at.wall + seconds; at.wall < end;) {
        struct pollfd set = {.fd = event, .events = POLLIN};
        uint64_t count;
        if (poll(&set, 1, -1) != 1 || read(event, &count, sizeof count) != sizeof count) give_up("poll");
        waited += phase(&at, "blocked/poll");
    }
    over = true;
    charge(MAY_CHARGE, "blocked/poll", waited, other);
}

/* epoll on a timer every `period` seconds, with some computing after each. */
static void on_timer(double seconds, double period, double work) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), set = epoll_create1(EPOLL_CLOEXEC);
    struct timespec every = {0, (long)(period * 1e9)};
    struct itimerspec when = {every, every};
    struct epoll_event wanted = {.events = EPOLLIN};
    if (timerfd_settime(timer, 0, &when, NULL) || epoll_ctl(set, EPOLL_CTL_ADD, timer, &wanted)) give_up("epoll");
    struct mark at = mark();
    for (double end = at.wall + seconds; at.wall < end;) {
        uint64_t count;
        if (epoll_wait(set, &wanted, 1, -1) != 1 || read(timer, &count, sizeof count) != sizeof count) give_up("epoll");
        phase(&at, "blocked/poll");
        if (work > 0) {
            spin(work);
            phase(&at, "on-cpu/user");
        }
    }
}

static void timer(double seconds) { on_timer(seconds, 0.003, 0); }

static void loop(double seconds) { on_timer(seconds, 0.010, 0.004); }

/* A fixed number of bytes to a child and back, with a little work: some 100,000 switches a second. Prints how many. */
static void storm(double seconds) {
    int back[2];
    if (pipe(ends) || pipe(back)) give_up("pipe");
    struct mark at = mark();
    char byte = 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1) spin_rounds(4300);
        _exit(0);
    }
    phase(&at, "blocked");
    for (int i = 0; i < (int)(seconds * 50000); i++) {
        if (write(ends[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) give_up("storm");
        spin_rounds(4300);
    }
    phase(&at, "blocked/pipe");
    struct rusage own, others;
    close(ends[1]);
    waitpid(child, NULL, 0);
    phase(&at, "blocked/child");
    if (getrusage(RUSAGE_SELF, &own) || getrusage(RUSAGE_CHILDREN, &others)) give_up("getrusage");
    dprintf(1, "%ld\n", own.ru_nvcsw + own.ru_nivcsw + others.ru_nvcsw + others.ru_nivcsw);
}

static const char *const names[] = {"piped", "threads", "timer", "loop", "storm"};
static specimen *const modes[] = {piped, threads, timer, loop, storm};
MAIN(names, modes)
