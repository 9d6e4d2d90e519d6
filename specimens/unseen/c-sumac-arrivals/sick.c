/* Arrivals board of a ferry line: reads the landing stage's log and counts arrivals by weekday and hour. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIERS 12
#define BOARD_ROWS 64
#define ROW_LENGTH 80

struct arrival {
    time_t at;
    uint16_t pier;
    uint16_t vessel;
    uint32_t travellers;
};

struct board {
    char rows[BOARD_ROWS][ROW_LENGTH];
    unsigned next;
    uint64_t seal;
};

struct census {
    uint64_t by_hour[7][24];
    uint64_t by_pier[PIERS];
    uint64_t late_night;
};

typedef void (*listener)(void *self, const struct arrival *one, const struct tm *clock);

struct outlet {
    listener tell;
    void *self;
};

static const char *const vessels[] = {"Alma", "Brita", "Carola", "Dagny", "Elin", "Frida", "Gerda", "Hedvig"};
static const char *const weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

static uint64_t state = 88172645463325252ull;

static uint32_t roll(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 24) % below);
}

static struct arrival next_arrival(time_t *clock)
{
    struct arrival one;
    *clock += 5 + roll(90);
    one.at = *clock;
    one.pier = (uint16_t)roll(PIERS);
    one.vessel = (uint16_t)roll(8);
    one.travellers = 3 + roll(220);
    return one;
}

static char *put_two(char *at, int number)
{
    *at++ = (char)('0' + number / 10);
    *at++ = (char)('0' + number % 10);
    return at;
}

static char *put_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static void write_row(void *self, const struct arrival *one, const struct tm *clock)
{
    struct board *board = self;
    char *row = board->rows[board->next++ % BOARD_ROWS];
    char *at = put_text(row, weekdays[clock->tm_wday]);
    *at++ = ' ';
    at = put_two(at, clock->tm_hour);
    *at++ = ':';
    at = put_two(at, clock->tm_min);
    at = put_text(at, " pier ");
    at = put_two(at, one->pier);
    *at++ = ' ';
    at = put_text(at, vessels[one->vessel]);
    *at = '\0';
    for (const char *c = row; c < at; c++)
        board->seal = (board->seal ^ (unsigned char)*c) * 1099511628211ull;
}

static void count(void *self, const struct arrival *one, const struct tm *clock)
{
    struct census *census = self;
    census->by_hour[clock->tm_wday][clock->tm_hour] += one->travellers;
    census->by_pier[one->pier]++;
    if (clock->tm_hour >= 23 || clock->tm_hour < 5)
        census->late_night++;
}

static void announce(const struct arrival *one, const struct outlet *outlets, int number)
{
    const struct tm *clock = localtime(&one->at);
    for (int i = 0; i < number; i++)
        outlets[i].tell(outlets[i].self, one, clock);
}

static void busiest(const struct census *census, int *day, int *hour)
{
    uint64_t most = 0;
    for (int d = 0; d < 7; d++)
        for (int h = 0; h < 24; h++)
            if (census->by_hour[d][h] > most) {
                most = census->by_hour[d][h];
                *day = d;
                *hour = h;
            }
}

int main(int argc, char **argv)
{
    long arrivals = argc > 1 ? atol(argv[1]) : 1100000;
    time_t clock = 1700000000;
    struct board *board = calloc(1, sizeof *board);
    struct census *census = calloc(1, sizeof *census);
    if (!board || !census)
        return 1;
    struct outlet outlets[] = {{write_row, board}, {count, census}};
    board->seal = 14695981039346656037ull;
    tzset();
    for (long i = 0; i < arrivals; i++) {
        struct arrival one = next_arrival(&clock);
        announce(&one, outlets, 2);
    }
    int day = 0, hour = 0;
    busiest(census, &day, &hour);
    printf("arrivals %ld busiest %s %02d night %llu seal %016llx\n", arrivals, weekdays[day], hour,
           (unsigned long long)census->late_night, (unsigned long long)board->seal);
    free(census);
    free(board);
    return 0;
}
