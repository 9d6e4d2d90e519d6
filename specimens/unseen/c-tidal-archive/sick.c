/* Builds the yearly reports of a tide gauge from its archive of levels. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS (32 * 1024)
#define PIERS 14

typedef struct {
    int16_t level[LEVELS];
} day_t;

typedef struct {
    char path[400];
    int file, days;
    day_t desk;
} archive_t;

typedef long (*report_fn)(const day_t *day, int number);

static void die(const char *what)
{
    fprintf(stderr, "tides: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

/* All days, one after the other, safe on the disk. */
static void lay_down(archive_t *archive)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(archive->path, sizeof archive->path, "%s/tides-XXXXXX", temporary ? temporary : "/tmp");
    archive->file = mkstemp(archive->path);
    if (archive->file < 0)
        die(archive->path);
    for (int number = 0; number < archive->days; number++) {
        for (int k = 0; k < LEVELS; k++) {
            int phase = (k * 9 + number * 17) & 4095;
            archive->desk.level[k] = (int16_t)((phase < 2048 ? phase : 4096 - phase) - 1024 + (k * 7 & 31));
        }
        if (write(archive->file, &archive->desk, sizeof archive->desk) != (ssize_t)sizeof archive->desk)
            die(archive->path);
    }
    if (fdatasync(archive->file) != 0)
        die(archive->path);
}

static const day_t *fetch(archive_t *archive, int number)
{
    off_t place = (off_t)number * (off_t)sizeof archive->desk;
    size_t have = 0;
    while (have < sizeof archive->desk) {
        ssize_t got = pread(archive->file, (char *)&archive->desk + have, sizeof archive->desk - have, place + (off_t)have);
        if (got <= 0)
            die(archive->path);
        have += (size_t)got;
    }
    return &archive->desk;
}

static long highest(const day_t *day, int number)
{
    int top = INT16_MIN;
    for (int k = 0; k < LEVELS; k += 8)
        top = day->level[k] > top ? day->level[k] : top;
    return top + number % 3;
}

static long mean(const day_t *day, int number)
{
    long sum = number;
    for (int k = 0; k < LEVELS; k += 8)
        sum += day->level[k];
    return sum / 64;
}

static long surges(const day_t *day, int number)
{
    long count = 0;
    for (int k = 1; k < LEVELS; k += 8)
        count += day->level[k] - day->level[k - 1] > 12;
    return count * (number % 5 + 1);
}

static long turns(const day_t *day, int number)
{
    long count = number & 1;
    for (int k = 64; k < LEVELS; k += 64)
        count += (day->level[k] > 0) != (day->level[k - 64] > 0);
    return count;
}

static long low_water(const day_t *day, int number)
{
    long minutes = 0;
    for (int k = 0; k < LEVELS; k += 8)
        minutes += day->level[k] < -900;
    return minutes + number % 2;
}

/* One report over all days, as seen from one of the piers. */
static long year(archive_t *archive, report_fn report, int pier)
{
    long sum = 0;
    for (int number = 0; number < archive->days; number++)
        sum += report(fetch(archive, number), number + pier);
    posix_fadvise(archive->file, 0, 0, POSIX_FADV_DONTNEED);
    return sum;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *title;
        report_fn report;
    } book[] = {{"highest", highest}, {"mean", mean}, {"surges", surges}, {"turns", turns}, {"low", low_water}};
    static archive_t archive;

    archive.days = argc > 1 ? atoi(argv[1]) : 50;
    lay_down(&archive);
    for (size_t k = 0; k < sizeof book / sizeof *book; k++) {
        long sum = 0;
        for (int pier = 0; pier < PIERS; pier++)
            sum = sum * 3 + year(&archive, book[k].report, pier);
        printf("%s %lx%c", book[k].title, sum, k + 1 < sizeof book / sizeof *book ? ' ' : '\n');
    }
    close(archive.file);
    unlink(archive.path);
    return EXIT_SUCCESS;
}
