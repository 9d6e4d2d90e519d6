/* Ringed herons: the flock ages night by night, and each night those near the lake are counted by age. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGES 32

struct heron {
    char ring[12];
    char finder[60];
    char remarks[96];
    double wing;
    double weight;
    float east;
    float north;
    int32_t nights;
    int32_t mate;
    int32_t nests[10];
};

struct flock {
    struct heron *herons;
    size_t count;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void ring(struct flock *flock, size_t count)
{
    uint32_t state = 1899;
    flock->count = count;
    flock->herons = calloc(count, sizeof *flock->herons);
    if (!flock->herons)
        exit(1);
    for (size_t place = 0; place < count; place++) {
        struct heron *heron = &flock->herons[place];
        memcpy(heron->ring, "RH", 3);
        memcpy(heron->finder, "warden", 7);
        heron->ring[3] = (char)('A' + place % 26);
        heron->wing = 42 + draw(&state) % 60 / 10.0;
        heron->weight = 1.1 + draw(&state) % 90 / 100.0;
        heron->east = (float)(draw(&state) % 4000) / 10;
        heron->north = (float)(draw(&state) % 4000) / 10;
        heron->nights = (int32_t)(draw(&state) % 9000);
        heron->mate = (int32_t)(draw(&state) % count);
    }
}

/* Those that are within reach of the lake this night, by years of age. */
static void count_ages(const struct flock *flock, float east, float north, float reach, long *ages)
{
    for (size_t place = 0; place < flock->count; place++) {
        float across = flock->herons[place].east - east;
        float along = flock->herons[place].north - north;
        if (across * across + along * along < reach * reach)
            ages[flock->herons[place].nights / 365 % AGES]++;
    }
}

/* Mean weight of a few that were caught. */
static double weigh(const struct flock *flock, uint32_t *state, int caught)
{
    double sum = 0;
    for (int turn = 0; turn < caught; turn++) {
        const struct heron *heron = &flock->herons[draw(state) % flock->count];
        sum += heron->weight * sqrt(heron->wing / 45);
    }
    return sum / caught;
}

static double evenness(const long *ages)
{
    double total = 0, sum = 0;
    for (int age = 0; age < AGES; age++)
        total += (double)ages[age];
    for (int age = 0; age < AGES; age++)
        if (ages[age] > 0)
            sum -= (double)ages[age] / total * log((double)ages[age] / total);
    return sum;
}

int main(int argc, char **argv)
{
    int nights = argc > 1 ? atoi(argv[1]) : 10;
    struct flock flock;
    long ages[AGES] = {0};
    double weight = 0;
    uint32_t state = 7;
    ring(&flock, 160000);
    for (int night = 0; night < nights; night++) {
        count_ages(&flock, 200 + (float)(night % 40), 210 - (float)(night % 30), 25, ages);
        weight += weigh(&flock, &state, 50);
    }
    printf("%d nights, evenness %.6f, weight %.4f, young %ld\n", nights, evenness(ages), weight / nights, ages[0]);
    free(flock.herons);
    return 0;
}
