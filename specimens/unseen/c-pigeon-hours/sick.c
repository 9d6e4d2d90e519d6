/* Reads the arrivals of a pigeon race and counts them by weekday and hour, for the clubs' charts. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLUBS 24
#define LINE_BYTES 64

struct chart {
    uint32_t hours[7][24];
    uint32_t early, late;
};

struct arrival {
    time_t when;
    uint32_t club, ring, grams;
};

static uint64_t state = 77;

static uint32_t draw(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33);
}

static size_t put_number(char *out, uint64_t value)
{
    char digits[24];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < count; i++)
        out[i] = digits[count - 1 - i];
    return count;
}

/* One line of the feed: when;club;ring;grams */
static void write_line(char *line, uint64_t when)
{
    size_t at = put_number(line, when);
    line[at++] = ';';
    at += put_number(line + at, draw() % CLUBS);
    line[at++] = ';';
    at += put_number(line + at, draw() % 900000);
    line[at++] = ';';
    at += put_number(line + at, 280 + draw() % 240);
    line[at] = 0;
}

static uint64_t take_number(const char **at)
{
    uint64_t value = 0;
    while (**at >= '0' && **at <= '9')
        value = value * 10 + (uint64_t)(*(*at)++ - '0');
    if (**at == ';')
        (*at)++;
    return value;
}

static int read_line(const char *line, struct arrival *out)
{
    const char *at = line;
    out->when = (time_t)take_number(&at);
    out->club = (uint32_t)take_number(&at);
    out->ring = (uint32_t)take_number(&at);
    out->grams = (uint32_t)take_number(&at);
    return out->club < CLUBS && *at == 0;
}

static void enter(struct chart *charts, const struct arrival *arrival)
{
    struct chart *chart = &charts[arrival->club];
    const struct tm *clock = localtime(&arrival->when);
    chart->hours[clock->tm_wday][clock->tm_hour]++;
    if (clock->tm_hour < 6)
        chart->early++;
    if (clock->tm_hour > 20 || (clock->tm_hour == 20 && clock->tm_min >= 30))
        chart->late++;
}

static uint32_t busiest(const struct chart *chart, int *day, int *hour)
{
    uint32_t best = 0;
    for (int d = 0; d < 7; d++)
        for (int h = 0; h < 24; h++)
            if (chart->hours[d][h] > best) {
                best = chart->hours[d][h];
                *day = d;
                *hour = h;
            }
    return best;
}

static uint32_t seal(uint32_t sum, const char *line)
{
    for (; *line; line++)
        sum = (sum ^ (unsigned char)*line) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000000;
    static struct chart charts[CLUBS];
    uint64_t when = 1680000000;
    uint32_t sum = 2166136261u, heavy = 0;
    for (long i = 0; i < count; i++) {
        char line[LINE_BYTES];
        struct arrival arrival;
        when += draw() % 25;
        write_line(line, when);
        if (!read_line(line, &arrival))
            continue;
        enter(charts, &arrival);
        heavy += arrival.grams > 500;
        sum = seal(sum, line);
    }
    uint32_t early = 0, late = 0, best = 0;
    int day = 0, hour = 0;
    for (int club = 0; club < CLUBS; club++) {
        int d = 0, h = 0;
        uint32_t peak = busiest(&charts[club], &d, &h);
        if (peak > best) {
            best = peak;
            day = d;
            hour = h;
        }
        early += charts[club].early;
        late += charts[club].late;
    }
    printf("early %u late %u heavy %u busiest %d/%d with %u seal %08x\n", early, late, heavy, day, hour, best, sum);
    return 0;
}
