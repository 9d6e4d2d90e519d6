/* Time that is taken from a thread that only computes, as it sees itself: it asks the clock all the time, and what lies
 * between two answers beyond a moment was not its own. Appends one line to the file of SLOWPATH_TRUTH: microseconds taken,
 * how often, its own CPU microseconds.
 *
 *   taken SECONDS */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    /* Nanoseconds between two answers that are not worth counting. */
    MOMENT = 700,
    /* An interrupt takes less; who is away for longer has lost the CPU to somebody, whose time is counted there. */
    AWAY = 50000,
    DEPTH = 12,
};

static long long taken, times;

static long long nanos(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((noinline)) static void watch(long long end) {
    long long last = nanos(CLOCK_MONOTONIC);
    while (last < end) {
        long long now = nanos(CLOCK_MONOTONIC), between = now - last;
        if (between > MOMENT && between < AWAY) taken += between, times++;
        last = now;
    }
}

/* Some callers with something in their frames, as programs have. */
__attribute__((noinline)) static void called(int depth, long long end) {
    volatile char room[96];
    room[depth] = 1;
    if (depth > 0) {
        called(depth - 1, end);
    } else {
        watch(end);
    }
    taken += room[depth] - 1;
}

int main(int argc, char **argv) {
    const char *log = getenv("SLOWPATH_TRUTH");
    if (argc < 2 || log == NULL) return 2;
    called(DEPTH, nanos(CLOCK_MONOTONIC) + (long long)(atof(argv[1]) * 1e9));
    int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return 3;
    dprintf(file, "%lld %lld %lld\n", taken / 1000, times, nanos(CLOCK_PROCESS_CPUTIME_ID) / 1000);
    return 0;
}
