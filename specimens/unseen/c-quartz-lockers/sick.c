/* Keeps the lockers of a swimming hall in a mapped file: a day's comings and goings are entered, then the day is closed. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOCKERS 12000u
#define PAGE 4096u

struct locker {
    uint32_t number;
    uint32_t card;
    uint32_t since;
    uint32_t uses;
    uint64_t minutes;
    char mark[8];
};

struct cover {
    char magic[8];
    uint32_t lockers;
    uint32_t clock;
    uint64_t entered;
    uint64_t seal;
};

struct hall {
    char path[512];
    int file;
    size_t size;
    unsigned char *base;
    struct cover *cover;
    struct locker *lockers;
};

struct event {
    uint32_t card;
    uint32_t minute;
    int leaves;
};

static size_t span(void)
{
    size_t size = PAGE + LOCKERS * sizeof(struct locker);
    return (size + PAGE - 1) / PAGE * PAGE;
}

/* Writes the pages that hold a piece of the map. */
static int settle(const struct hall *hall, const void *piece, size_t length)
{
    size_t from = (size_t)((const unsigned char *)piece - hall->base) / PAGE * PAGE;
    size_t end = (size_t)((const unsigned char *)piece - hall->base) + length;
    return msync(hall->base + from, end - from, MS_SYNC);
}

static int open_hall(struct hall *hall)
{
    const char *folder = getenv("TMPDIR");
    snprintf(hall->path, sizeof hall->path, "%s/hallXXXXXX", folder && *folder ? folder : "/tmp");
    hall->size = span();
    hall->file = mkstemp(hall->path);
    if (hall->file < 0 || ftruncate(hall->file, (off_t)hall->size) < 0)
        return -1;
    hall->base = mmap(NULL, hall->size, PROT_READ | PROT_WRITE, MAP_SHARED, hall->file, 0);
    if (hall->base == MAP_FAILED)
        return -1;
    hall->cover = (struct cover *)hall->base;
    hall->lockers = (struct locker *)(hall->base + PAGE);
    memcpy(hall->cover->magic, "lockers", 8);
    hall->cover->lockers = LOCKERS;
    for (uint32_t number = 0; number < LOCKERS; number++) {
        hall->lockers[number].number = number;
        snprintf(hall->lockers[number].mark, sizeof hall->lockers[number].mark, "%c%u", 'A' + (int)(number % 26), number / 26);
    }
    return settle(hall, hall->base, hall->size);
}

static void close_hall(struct hall *hall)
{
    munmap(hall->base, hall->size);
    close(hall->file);
    unlink(hall->path);
}

/* A free locker for a card, sought from where the card points. */
static struct locker *vacant(struct hall *hall, uint32_t card)
{
    for (uint32_t step = 0; step < LOCKERS; step++) {
        struct locker *one = &hall->lockers[(card * 2654435761u + step * 7u) % LOCKERS];
        if (one->card == 0)
            return one;
    }
    return NULL;
}

static struct locker *holder(struct hall *hall, uint32_t card)
{
    for (uint32_t step = 0; step < LOCKERS; step++) {
        struct locker *one = &hall->lockers[(card * 2654435761u + step * 7u) % LOCKERS];
        if (one->card == card)
            return one;
    }
    return NULL;
}

static void stamp(struct hall *hall, const struct locker *one)
{
    hall->cover->entered++;
    hall->cover->seal = hall->cover->seal * 1099511628211ull + one->number * 31u + one->uses;
}

static int enter(struct hall *hall, const struct event *event)
{
    struct locker *one = event->leaves ? holder(hall, event->card) : vacant(hall, event->card);
    if (!one)
        return 0;
    if (event->leaves) {
        one->minutes += event->minute - one->since;
        one->card = 0;
    } else {
        one->card = event->card;
        one->since = event->minute;
        one->uses++;
    }
    stamp(hall, one);
    if (settle(hall, one, sizeof *one) < 0)
        perror("msync");
    return 1;
}

/* Guests come through the day; each leaves a while after. */
static void next_event(struct event *event, uint32_t number)
{
    uint32_t stay = 40;
    event->leaves = number >= stay && number % 2 == 1;
    event->card = event->leaves ? 1 + (number - stay) / 2 : 1 + number / 2;
    event->minute = 420 + number;
}

/* The day is good only when this has come back; until then the gates keep their own roll and would send it again. */
static int close_day(struct hall *hall, uint32_t clock)
{
    hall->cover->clock = clock;
    return settle(hall, hall->base, hall->size);
}

int main(int argc, char **argv)
{
    uint32_t events = argc > 1 ? (uint32_t)atoi(argv[1]) : 100;
    struct hall hall;
    struct event event;
    uint32_t entered = 0;
    uint64_t minutes = 0;
    memset(&hall, 0, sizeof hall);
    if (open_hall(&hall) < 0) {
        perror("hall");
        return 1;
    }
    for (uint32_t number = 0; number < events; number++) {
        next_event(&event, number);
        entered += (uint32_t)enter(&hall, &event);
    }
    if (close_day(&hall, 420 + events) < 0)
        perror("msync");
    for (uint32_t number = 0; number < LOCKERS; number++)
        minutes += hall.lockers[number].minutes;
    printf("entered %u of %u minutes %llu seal %016llx\n", entered, events, (unsigned long long)minutes,
           (unsigned long long)hall.cover->seal);
    close_hall(&hall);
    return 0;
}
