/* The floor every runner is held against: posix_spawn and wait4 in a loop, nothing else.
 *
 *   bare RUNS WARM_UP PROGRAM [ARGUMENT...]
 *
 * One line a counted run: nanoseconds from before posix_spawn to after wait4, nanoseconds from just before the
 * child's execve to after wait4 (0 in the first kind of run), CPU nanoseconds. Runs of the two kinds take turns,
 * the first with posix_spawn, the second with vfork and a time stamp in the child, so that a runner whose clock
 * begins at execve is compared with its own kind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static volatile long long at_exec;

static pid_t start(int stamped, char **argv) {
    pid_t child;
    if (!stamped) return posix_spawn(&child, argv[0], NULL, NULL, argv, environ) == 0 ? child : -1;
    child = vfork();
    if (child == 0) {
        at_exec = now();
        execve(argv[0], argv, environ);
        _exit(127);
    }
    return child;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    int runs = atoi(argv[1]), warm_up = atoi(argv[2]);
    int kinds = getenv("BARE_STAMPED") ? 2 : 1;
    long long(*rows)[3] = calloc((size_t)(runs > 0 ? runs : 1), sizeof *rows);
    int out = fcntl(1, F_DUPFD_CLOEXEC, 10);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    for (int run = -warm_up; run < runs; run++) {
        int stamped = kinds == 2 && run >= 0 && run % 2 == 1, status;
        struct rusage used;
        long long before = now();
        pid_t child = start(stamped, argv + 3);
        if (child < 0 || wait4(child, &status, 0, &used) != child) return 3;
        long long after = now();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 4;
        if (run < 0) continue;
        rows[run][0] = stamped ? 0 : after - before;
        rows[run][1] = stamped ? after - at_exec : 0;
        rows[run][2] = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL +
                       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
    }
    for (int run = 0; run < runs; run++) dprintf(out, "%lld %lld %lld\n", rows[run][0], rows[run][1], rows[run][2]);
    return 0;
}
