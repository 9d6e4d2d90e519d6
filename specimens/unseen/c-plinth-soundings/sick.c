/* Reads a survey ship's soundings from one big text and makes a coarse chart of the sea floor. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHART 64

struct sounding {
    int east;
    int north;
    double depth;
};

struct chart {
    double sum[CHART][CHART];
    int count[CHART][CHART];
};

static uint32_t next_state(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* The log as the ship sends it: one line for each ping. */
static char *receive_log(int pings)
{
    size_t room = (size_t)pings * 40 + 1;
    char *text = malloc(room);
    size_t used = 0;
    uint32_t state = 2463534242u;

    if (text == NULL)
        return NULL;
    for (int i = 0; i < pings; i++) {
        state = next_state(state);
        int east = (int)(state % 6400);
        int north = (int)(state / 6400 % 6400);
        double depth = 40.0 + 25.0 * sin(east / 700.0) * cos(north / 900.0) + (state % 100) / 50.0;
        used += (size_t)snprintf(text + used, room - used, "%d %d %.2f\n", east, north, depth);
    }
    return text;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;

    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        lines++;
    return lines;
}

static size_t read_soundings(const char *text, struct sounding *list, size_t room)
{
    size_t found = 0;
    int length;

    while (found < room && *text != '\0') {
        struct sounding *next = &list[found];
        if (sscanf(text, "%d %d %lf%n", &next->east, &next->north, &next->depth, &length) != 3)
            break;
        text += length;
        if (*text == '\n')
            text++;
        found++;
    }
    return found;
}

static int by_place(const void *left, const void *right)
{
    const struct sounding *a = left;
    const struct sounding *b = right;

    if (a->north != b->north)
        return a->north < b->north ? -1 : 1;
    if (a->east != b->east)
        return a->east < b->east ? -1 : 1;
    return (a->depth > b->depth) - (a->depth < b->depth);
}

/* Water carries sound at another speed when it is deep. */
static double corrected(double depth)
{
    double speed = 1449.2 + 0.016 * depth;

    for (int i = 0; i < 4; i++)
        speed = 1449.2 + 0.016 * depth * speed / 1500.0;
    return depth * speed / 1500.0;
}

static void draw(struct chart *chart, const struct sounding *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int row = list[i].north * CHART / 6400;
        int column = list[i].east * CHART / 6400;
        chart->sum[row][column] += corrected(list[i].depth);
        chart->count[row][column]++;
    }
}

static double deepest(const struct chart *chart)
{
    double most = 0.0;

    for (int row = 0; row < CHART; row++) {
        for (int column = 0; column < CHART; column++) {
            if (chart->count[row][column] == 0)
                continue;
            double mean = chart->sum[row][column] / chart->count[row][column];
            if (mean > most)
                most = mean;
        }
    }
    return most;
}

int main(int argc, char **argv)
{
    int pings = argc > 1 ? atoi(argv[1]) : 120000;
    char *text = receive_log(pings);
    struct chart *chart = calloc(1, sizeof *chart);

    if (text == NULL || chart == NULL)
        return 1;
    size_t lines = count_lines(text);
    struct sounding *list = malloc((lines + 1) * sizeof *list);
    if (list == NULL)
        return 1;
    size_t count = read_soundings(text, list, lines);
    qsort(list, count, sizeof *list, by_place);
    draw(chart, list, count);
    printf("%zu soundings, first at %d %d, deepest %.3f\n", count, list[0].east, list[0].north, deepest(chart));
    free(list);
    free(chart);
    free(text);
    return 0;
}
