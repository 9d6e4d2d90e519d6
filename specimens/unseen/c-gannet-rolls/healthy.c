/* Gannet rolls: a season's counts from the cliffs arrive as one roll of text and become monthly tables. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEDGES 96
#define DAYS 210
#define NAME 24

struct sighting {
    int ledge;
    int day;
    int birds;
    char watcher[NAME];
};

struct ledge {
    char label[NAME];
    uint32_t daily[DAYS];
    uint32_t total;
    uint32_t visits;
    int height;
};

struct roll {
    char *text;
    size_t length;
    size_t room;
};

struct season {
    struct ledge ledges[LEDGES];
    uint32_t watchers[64];
    uint64_t mark;
    uint32_t lines;
    uint32_t spoilt;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 9;
}

static int append(struct roll *roll, const char *piece, size_t length)
{
    if (roll->length + length + 1 > roll->room) {
        size_t room = (roll->room + length + 1) * 2;
        char *text = realloc(roll->text, room);
        if (!text)
            return -1;
        roll->text = text;
        roll->room = room;
    }
    memcpy(roll->text + roll->length, piece, length + 1);
    roll->length += length;
    return 0;
}

/* What the cliffs send: one line for each look at a ledge. */
static int compose(struct roll *roll, int lines)
{
    static const char *const watchers[] = {"ines", "tormod", "aoife", "bjarni", "maelle", "rhys", "sunniva", "eoghan"};
    uint32_t state = 20211;
    char line[96];
    for (int number = 0; number < lines; number++) {
        int ledge = (int)(draw(&state) % LEDGES), day = (int)(draw(&state) % DAYS);
        int birds = (int)(draw(&state) % 480);
        int length = snprintf(line, sizeof line, "%d %d %d %s\n", ledge, day, birds, watchers[draw(&state) % 8]);
        if (append(roll, line, (size_t)length) != 0)
            return -1;
    }
    return 0;
}

/* The ledges have labels of the form "NW-17 h240"; the height follows the h. */
static int label_ledges(struct season *season)
{
    static const char *const sides[] = {"N", "NW", "W", "SW"};
    for (int number = 0; number < LEDGES; number++) {
        struct ledge *ledge = &season->ledges[number];
        snprintf(ledge->label, NAME, "%s-%d h%d", sides[number % 4], number, 40 + number * 37 % 260);
        char side[8];
        int where = 0;
        if (sscanf(ledge->label, "%7[A-Z]-%d h%d", side, &where, &ledge->height) != 3 || where != number)
            return -1;
    }
    return 0;
}

static size_t read_sighting(const char *from, struct sighting *sighting)
{
    char line[96];
    size_t length = strcspn(from, "\n");
    if (length >= sizeof line)
        return 0;
    memcpy(line, from, length);
    line[length] = '\0';
    int used = 0;
    if (sscanf(line, "%d %d %d %23s%n", &sighting->ledge, &sighting->day, &sighting->birds, sighting->watcher, &used) != 4)
        return 0;
    return (size_t)used + 1;
}

static uint32_t fold_name(const char *name)
{
    uint32_t sum = 5381;
    for (size_t place = 0, length = strlen(name); place < length; place++)
        sum = sum * 33 ^ (unsigned char)name[place];
    return sum;
}

static void enter(struct season *season, const struct sighting *sighting)
{
    if (sighting->ledge < 0 || sighting->ledge >= LEDGES || sighting->day < 0 || sighting->day >= DAYS) {
        season->spoilt++;
        return;
    }
    struct ledge *ledge = &season->ledges[sighting->ledge];
    ledge->daily[sighting->day] += (uint32_t)sighting->birds;
    ledge->total += (uint32_t)sighting->birds;
    ledge->visits++;
    season->watchers[fold_name(sighting->watcher) % 64]++;
    season->mark = (season->mark ^ (uint64_t)sighting->birds) * 1099511628211u;
    season->lines++;
}

static int unroll(struct season *season, const struct roll *roll)
{
    struct sighting sighting;
    size_t at = 0;
    while (at < roll->length) {
        size_t used = read_sighting(roll->text + at, &sighting);
        if (used == 0)
            return -1;
        enter(season, &sighting);
        at += used;
    }
    return 0;
}

static int by_value(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Smooths each ledge's days by the median of a sliding fortnight. */
static uint64_t smooth(const struct season *season)
{
    uint64_t sum = 0;
    uint32_t window[14];
    for (int round = 0; round < 12; round++)
        for (int number = 0; number < LEDGES; number++)
            for (int day = 0; day + 14 <= DAYS; day++) {
                memcpy(window, season->ledges[number].daily + day, sizeof window);
                window[round]++;
                qsort(window, 14, sizeof *window, by_value);
                sum += window[7] * (uint64_t)(season->ledges[number].height + round);
            }
    return sum;
}

int main(int argc, char **argv)
{
    int lines = argc > 1 ? atoi(argv[1]) : 1000;
    struct roll roll = {0};
    struct season *season = calloc(1, sizeof *season);
    if (!season || label_ledges(season) != 0 || compose(&roll, lines) != 0 || unroll(season, &roll) != 0) {
        fprintf(stderr, "the roll cannot be read\n");
        return 1;
    }
    uint64_t smoothed = smooth(season);
    uint32_t busiest = 0;
    for (uint32_t number = 1; number < LEDGES; number++)
        if (season->ledges[number].total > season->ledges[busiest].total)
            busiest = number;
    printf("%u lines, %u spoilt, busiest %s, smoothed %llu, mark %016llx\n", season->lines, season->spoilt,
           season->ledges[busiest].label, (unsigned long long)smoothed, (unsigned long long)season->mark);
    free(roll.text);
    free(season);
    return 0;
}
