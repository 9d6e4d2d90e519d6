// Smooths the levels of a river gauge: the middle of the last 501 readings takes out the waves of passing boats.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPAN 501

struct smoother {
    int ring[SPAN];
    int ordered[SPAN];
    unsigned filled;
    unsigned at;
};

struct alarm {
    int limit;
    int above;
    unsigned rang;
    long highest;
};

static unsigned seed = 99;

static int reading(unsigned minute)
{
    seed = seed * 1664525u + 1013904223u;
    int tide = (int)(400.0 * sin(minute * 0.0021));
    int rain = (int)(150.0 * sin(minute * 0.00017 + 1.0));
    int wave = (int)(seed >> 24) - 128;
    if ((seed >> 8) % 53 == 0)
        wave *= 6;
    return 3000 + tide + rain + wave;
}

static int by_level(const void *one, const void *other)
{
    int a = *(const int *)one;
    int b = *(const int *)other;
    return (a > b) - (a < b);
}

// The first place in the ordered readings that does not lie below the level.
static unsigned place_of(const struct smoother *smoother, int level)
{
    unsigned low = 0, high = smoother->filled;
    while (low < high) {
        unsigned half = (low + high) / 2;
        if (by_level(&smoother->ordered[half], &level) < 0)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

static int middle(struct smoother *smoother, int level)
{
    int *ordered = smoother->ordered;
    if (smoother->filled == SPAN) {
        unsigned gone = place_of(smoother, smoother->ring[smoother->at]);
        memmove(ordered + gone, ordered + gone + 1, (SPAN - gone - 1) * sizeof(int));
        smoother->filled--;
    }
    unsigned come = place_of(smoother, level);
    memmove(ordered + come + 1, ordered + come, (smoother->filled - come) * sizeof(int));
    ordered[come] = level;
    smoother->filled++;
    smoother->ring[smoother->at] = level;
    smoother->at = (smoother->at + 1) % SPAN;
    return ordered[smoother->filled / 2];
}

static void watch(struct alarm *alarm, int level)
{
    if (level > alarm->limit && !alarm->above) {
        alarm->above = 1;
        alarm->rang++;
    } else if (level < alarm->limit - 30) {
        alarm->above = 0;
    }
    if (level > alarm->highest)
        alarm->highest = level;
}

// Flow over the weir for a level, by the formula of Poleni.
static double flow(int level)
{
    double height = (level - 2400) / 1000.0;
    return height > 0 ? 2.0 / 3.0 * 0.62 * 12.0 * sqrt(2 * 9.81) * height * sqrt(height) : 0.0;
}

int main(int argc, char **argv)
{
    unsigned minutes = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    static struct smoother smoother;
    struct alarm alarm = {.limit = 3450};
    unsigned long sum = 0;
    double volume = 0;
    for (unsigned minute = 0; minute < minutes; minute++) {
        int level = middle(&smoother, reading(minute));
        watch(&alarm, level);
        volume += flow(level) * 60.0;
        sum = sum * 31 + (unsigned)level;
    }
    printf("minutes %u rang %u highest %ld volume %.0f sum %lx\n", minutes, alarm.rang, alarm.highest, volume, sum);
    return 0;
}
