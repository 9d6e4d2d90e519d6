// Guards of a canal set the sluices; all of them write the levels into one book, which lies in a file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GUARDS = 5, SLUICES = 64 };

struct book {
    int handle;
    int lock;
};

struct entry {
    uint32_t level;
    uint32_t changes;
};

static int book_open(struct book *book, const char *path)
{
    book->handle = open(path, O_RDWR);
    book->lock = open(path, O_RDONLY);
    return book->handle < 0 || book->lock < 0 ? -1 : 0;
}

static void book_change(struct book *book, unsigned sluice, uint32_t flow)
{
    struct entry entry;
    pread(book->handle, &entry, sizeof entry, (off_t)(sluice * sizeof entry));
    entry.level = entry.level + flow;
    entry.changes++;
    pwrite(book->handle, &entry, sizeof entry, (off_t)(sluice * sizeof entry));
}

// The gauge house upstream: tells how much water comes down; it takes a moment to read the gauge.
static void gauge_house(int line)
{
    uint32_t question;
    while (read(line, &question, sizeof question) == (ssize_t)sizeof question) {
        struct timespec look = {0, 3000000};
        nanosleep(&look, NULL);
        uint32_t flow = question * 2654435761u >> 24;
        write(line, &flow, sizeof flow);
    }
}

static uint32_t ask_flow(int line, uint32_t hour)
{
    uint32_t flow = 0;
    write(line, &hour, sizeof hour);
    read(line, &flow, sizeof flow);
    return flow;
}

// How far the gate must be turned.
static unsigned turns(uint32_t flow)
{
    unsigned angle = flow;
    for (unsigned tooth = 0; tooth < 4000; tooth++)
        angle = (angle * 33 + tooth) % 3607;
    return angle;
}

static void set_sluice(struct book *book, int line, uint32_t hour)
{
    flock(book->lock, LOCK_EX);
    uint32_t flow = ask_flow(line, hour);
    book_change(book, hour % SLUICES, flow + turns(flow));
    flock(book->lock, LOCK_UN);
}

static void guard(const char *path, int line, unsigned number, unsigned hours)
{
    struct book book;
    if (book_open(&book, path))
        _exit(1);
    for (unsigned hour = 0; hour < hours; hour++)
        set_sluice(&book, line, number * 1000 + hour);
    _exit(0);
}

static pid_t start_guard(const char *path, unsigned number, unsigned hours)
{
    pid_t child = fork();
    if (child)
        return child;
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        close(ends[0]);
        gauge_house(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    guard(path, ends[0], number, hours);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned hours = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
    char path[] = "/tmp/sluiceXXXXXX";
    int handle = mkstemp(path);
    struct entry entries[SLUICES] = {{0}};
    if (handle < 0 || write(handle, entries, sizeof entries) != (ssize_t)sizeof entries)
        return 1;
    for (unsigned number = 0; number < GUARDS; number++)
        start_guard(path, number, hours);
    while (wait(NULL) > 0)
        ;
    pread(handle, entries, sizeof entries, 0);
    unlink(path);
    unsigned long level = 0, changes = 0;
    for (unsigned sluice = 0; sluice < SLUICES; sluice++) {
        level = (level * 31 + entries[sluice].level) % 1000003;
        changes += entries[sluice].changes;
    }
    printf("changes %lu level %lu\n", changes, level);
    return 0;
}
