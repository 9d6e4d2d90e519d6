/* What a whole tool costs: starts it, waits for it, and appends one line to FILE: CPU microseconds of the tool and
 * everything it waited for, wall microseconds, status.
 *
 *   usage FILE PROGRAM [ARGUMENT...] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    struct timespec before, after;
    struct rusage used;
    pid_t child;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ) != 0) return 127;
    if (wait4(child, &status, 0, &used) != child) return 3;
    clock_gettime(CLOCK_MONOTONIC, &after);
    long long cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    long long wall = (after.tv_sec - before.tv_sec) * 1000000LL + (after.tv_nsec - before.tv_nsec) / 1000;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    int file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return 3;
    dprintf(file, "%lld %lld %d\n", cpu, wall, code);
    return code;
}
