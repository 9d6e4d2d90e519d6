/* One small program that plays every target of these tests: `actor PART ARGUMENTS`. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;

static void spin(uint64_t rounds) {
    uint64_t state = 1;
    for (uint64_t round = 0; round < rounds; round++)
        state = state * 6364136223846793005ULL + round;
    sink = state;
}

static long used_ms(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

/* Computes until the kernel says it has used this much CPU time. */
static void burn(long ms) {
    while (used_ms() < ms)
        spin(100000);
}

static void note(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
    while (nanosleep(&time, &time) < 0 && errno == EINTR)
        ;
}

/* Time on the CPU of all threads of a process, from the scheduler. */
static unsigned long long on_cpu(int pid) {
    char path[300];
    unsigned long long sum = 0, one = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        return 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        if (task->d_name[0] == '.')
            continue;
        char file[600];
        snprintf(file, sizeof file, "%s/%s/schedstat", path, task->d_name);
        FILE *stat = fopen(file, "r");
        if (stat && fscanf(stat, "%llu", &one) == 1)
            sum += one;
        if (stat)
            fclose(stat);
    }
    closedir(tasks);
    return sum;
}

static int parent_of(int pid) {
    char path[64], text[2048];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *stat = fopen(path, "r");
    if (!stat)
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, stat);
    fclose(stat);
    text[length] = 0;
    int parent = 0;
    char *end = strrchr(text, ')');
    if (end)
        sscanf(end + 1, " %*c %d", &parent);
    return parent;
}

/* Whether slowpath or its launcher computed while this program slept. */
static int quiet(const char *log) {
    int launcher = getppid(), slowpath = parent_of(launcher);
    sleep_ms(150);
    unsigned long long before[2] = {on_cpu(launcher), on_cpu(slowpath)};
    sleep_ms(200);
    unsigned long long after[2] = {on_cpu(launcher), on_cpu(slowpath)};
    char line[200];
    snprintf(line, sizeof line, "%llu %llu %d\n", after[0] - before[0], after[1] - before[1], before[0] > 0 && before[1] > 0);
    note(log, line);
    return 0;
}

static int link_of(int fd, char *into, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, into, size - 1);
    if (length < 0)
        return 0;
    into[length] = 0;
    return 1;
}

/* What a program can see of the world it was started in, without what differs from run to run. */
static int world(const char *log) {
    char line[5000], link[4000];
    for (int fd = 0; fd < 64; fd++)
        if (link_of(fd, link, sizeof link)) {
            snprintf(line, sizeof line, "fd %d %s\n", fd, fd < 3 ? link : "open");
            note(log, line);
        }
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6) || !strncmp(line, "NoNewPrivs", 10) || !strncmp(line, "Seccomp:", 8) || !strncmp(line, "Cpus_allowed:", 13))
            note(log, line);
    snprintf(line, sizeof line, "nice %d\n", getpriority(PRIO_PROCESS, 0));
    note(log, line);
    snprintf(line, sizeof line, "umask %o\n", umask(0));
    note(log, line);
    if (getcwd(link, sizeof link)) {
        snprintf(line, sizeof line, "cwd %s\n", link);
        note(log, line);
    }
    return 0;
}

/* A process that leaves its parent, its group and its session, and stays. */
static int daemonise(const char *log) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            note(log, "x");
            sleep_ms(120000);
            _exit(0);
        }
        _exit(0);
    }
    struct stat seen;
    while (wait(NULL) > 0)
        ;
    while (stat(log, &seen) != 0 || seen.st_size == 0)
        sleep_ms(1);
    return 0;
}

static int many(int children) {
    for (int child = 0; child < children; child++) {
        int pid = fork();
        if (pid == 0) {
            spin(1000);
            _exit(0);
        }
        if (pid < 0)
            return 9;
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}

int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "";
    const char *first = argc > 2 ? argv[2] : "0";
    long number = atol(first);
    if (!strcmp(part, "spin"))
        spin((uint64_t)number);
    else if (!strcmp(part, "burn"))
        burn(number);
    else if (!strcmp(part, "system")) {
        char buffer[65536];
        int zero = open("/dev/zero", O_RDONLY);
        for (struct rusage usage; getrusage(RUSAGE_SELF, &usage), usage.ru_stime.tv_sec * 1000 + usage.ru_stime.tv_usec / 1000 < number;)
            for (int call = 0; call < 100; call++)
                if (read(zero, buffer, sizeof buffer) < 0)
                    return 9;
    } else if (!strcmp(part, "touch")) {
        size_t bytes = (size_t)number << 20;
        if (bytes == 0)
            return 0;
        char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return 9;
        madvise(memory, bytes, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < bytes; at += 4096)
            memory[at] = 1;
    } else if (!strcmp(part, "hex")) {
        for (int index = 2; index < argc; index++) {
            for (const unsigned char *byte = (unsigned char *)argv[index]; *byte; byte++)
                printf("%02x", *byte);
            printf("\n");
        }
    } else if (!strcmp(part, "read")) {
        char buffer[4096];
        int file = open(first, O_RDONLY);
        for (long left = atol(argv[3]); left > 0;) {
            ssize_t got = read(file, buffer, left < 4096 ? left : 4096);
            if (got <= 0)
                return 9;
            left -= got;
        }
    } else if (!strcmp(part, "write")) {
        char buffer[4096] = {0};
        for (long left = number; left > 0;) {
            ssize_t put = write(1, buffer, left < 4096 ? left : 4096);
            if (put <= 0)
                return 9;
            left -= put;
        }
    } else if (!strcmp(part, "children")) {
        for (long child = 0; child < number; child++) {
            if (fork() == 0) {
                burn(atol(argv[3]));
                _exit(0);
            }
            while (wait(NULL) > 0)
                ;
        }
    } else if (!strcmp(part, "group"))
        return getpgrp() == getpid() ? 0 : 9;
    else if (!strcmp(part, "daemon"))
        return daemonise(first);
    else if (!strcmp(part, "many"))
        return many((int)number);
    else if (!strcmp(part, "quiet"))
        return quiet(first);
    else if (!strcmp(part, "world"))
        return world(first);
    else if (!strcmp(part, "lines"))
        for (long line = 0; line < number; line++)
            printf("line %ld of a flood that nobody reads\n", line);
    else if (!strcmp(part, "noise")) {
        fwrite("\xff\xfe\x80 \x1b[31m bytes\n", 1, 16, stdout);
        fwrite("\xc3\x28 not text\n", 1, 12, stderr);
        return (int)number;
    } else if (!strcmp(part, "close")) {
        close(0), close(1), close(2);
    } else if (!strcmp(part, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
        note(first, "x");
        sleep_ms(120000);
    } else if (!strcmp(part, "stop"))
        raise(SIGSTOP);
    else if (!strcmp(part, "die"))
        raise((int)number);
    else if (!strcmp(part, "exit"))
        return (int)number;
    else
        return 64;
    return 0;
}
