/* Terrain profile: reads an elevation grid and reports, for each meridian strip, mean, highest point and climb. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid {
    int width, height;
    float *cell; /* row after row, north to south */
};

struct strip {
    double sum;
    float highest;
    float climb;
    float previous;
    int dry;
};

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    return x;
}

static struct grid *grid_new(int width, int height)
{
    struct grid *g = malloc(sizeof *g);
    if (!g)
        return NULL;
    g->width = width;
    g->height = height;
    g->cell = malloc((size_t)width * height * sizeof *g->cell);
    if (!g->cell) {
        free(g);
        return NULL;
    }
    return g;
}

static void grid_free(struct grid *g)
{
    free(g->cell);
    free(g);
}

/* Stands for the survey file: hills, with some roughness. */
static void survey(struct grid *g, uint32_t seed)
{
    float *wave = malloc((size_t)g->width * sizeof *wave);
    for (int x = 0; x < g->width; x++)
        wave[x] = 300.0f * sinf((float)x * 0.004f);
    for (int y = 0; y < g->height; y++) {
        float ridge = 250.0f * cosf((float)y * 0.007f);
        float *row = g->cell + (size_t)y * g->width;
        for (int x = 0; x < g->width; x++) {
            uint32_t rough = mix(seed + (uint32_t)y * 40503U + (uint32_t)x);
            row[x] = 400.0f + wave[x] + ridge + (float)(rough >> 26);
        }
    }
    free(wave);
}

static void strip_start(struct strip *s)
{
    memset(s, 0, sizeof *s);
    s->highest = -1e9f;
}

static inline void strip_take(struct strip *s, float height, int first)
{
    s->sum += height;
    if (height > s->highest)
        s->highest = height;
    if (!first && height > s->previous)
        s->climb += height - s->previous;
    s->previous = height;
    s->dry += height > 0.0f;
}

static void profile(const struct grid *g, struct strip *strips)
{
    for (int x = 0; x < g->width; x++) {
        strip_start(&strips[x]);
        for (int y = 0; y < g->height; y++)
            strip_take(&strips[x], g->cell[(size_t)y * g->width + x], y == 0);
    }
}

/* The steepest change from one strip to its neighbour. */
static int steepest(const struct strip *strips, int count, int height)
{
    int at = 1;
    double most = 0;
    for (int x = 1; x < count; x++) {
        double change = fabs(strips[x].sum - strips[x - 1].sum) / height;
        if (change > most) {
            most = change;
            at = x;
        }
    }
    return at;
}

static uint32_t check(const struct strip *strips, int count)
{
    uint32_t sum = 2166136261U;
    for (int x = 0; x < count; x++) {
        uint32_t mean = (uint32_t)(int32_t)(strips[x].sum * 16);
        sum = (sum ^ mean) * 16777619U;
        sum = (sum ^ (uint32_t)(int32_t)strips[x].climb) * 16777619U;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 1800;
    int height = argc > 2 ? atoi(argv[2]) : 20000;
    int surveys = argc > 3 ? atoi(argv[3]) : 4;
    struct grid *g = grid_new(width, height);
    struct strip *strips = calloc((size_t)width, sizeof *strips);
    if (!g || !strips)
        return 1;
    uint32_t sum = 0;
    float top = -1e9f;
    long dry = 0;
    int edge = 0;
    for (int n = 0; n < surveys; n++) {
        survey(g, 17U * (uint32_t)n);
        profile(g, strips);
        sum = sum * 31 + check(strips, width);
        edge = steepest(strips, width, height);
        for (int x = 0; x < width; x++) {
            dry += strips[x].dry;
            if (strips[x].highest > top)
                top = strips[x].highest;
        }
    }
    printf("strips %d top %.1f dry %ld edge %d check %08x\n", width, top, dry, edge, sum);
    free(strips);
    grid_free(g);
    return 0;
}
