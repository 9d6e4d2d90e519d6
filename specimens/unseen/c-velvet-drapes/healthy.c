// Works out how a velvet drape of many threads hangs and shades: heat spreads down the warp, light along the weft.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 1024, PITCH = 1024 + 16, TIE = 24 };

struct drape {
    float *nap;
    float *shade;
};

static struct drape drape_new(void)
{
    struct drape drape = {calloc((size_t)SIDE * PITCH, sizeof(float)), calloc((size_t)SIDE * PITCH, sizeof(float))};
    if (!drape.nap || !drape.shade)
        exit(1);
    unsigned state = 1789;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            state = state * 1664525u + 1013904223u;
            drape.nap[(size_t)row * PITCH + column] = (float)(state >> 24) / 255.0f;
        }
    return drape;
}

// Light runs along each thread of the weft.
static void light(struct drape *drape, float angle)
{
    for (int row = 0; row < SIDE; row++) {
        const float *nap = drape->nap + (size_t)row * PITCH;
        float *shade = drape->shade + (size_t)row * PITCH;
        float glow = 0.0f;
        for (int column = 0; column < SIDE; column++) {
            glow = 0.9f * glow + 0.1f * nap[column];
            shade[column] = glow * angle;
        }
    }
}

// The pull of the warp: each bundle of threads is drawn down in steps, several times over.
static void hang(struct drape *drape)
{
    for (int bundle = 0; bundle + TIE <= SIDE; bundle += TIE)
        for (int pass = 0; pass < 6; pass++)
            for (int column = bundle; column < bundle + TIE; column++) {
                float pull = 0.0f;
                for (int row = 0; row < SIDE; row += 16) {
                    float *spot = drape->nap + (size_t)row * PITCH + column;
                    pull = 0.8f * pull + 0.2f * *spot;
                    *spot = 0.5f * (*spot + pull);
                }
            }
}

static double weigh(const struct drape *drape)
{
    double sum = 0.0;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            sum += drape->nap[(size_t)row * PITCH + column] + drape->shade[(size_t)row * PITCH + column];
    return sum;
}

static float angle_at(int hour)
{
    double angle = 0.0;
    for (int step = 1; step < 2000; step++)
        angle += sin(hour + step * 0.001) / step;
    return (float)(0.5 + 0.05 * angle);
}

int main(int argc, char **argv)
{
    int hours = argc > 1 ? atoi(argv[1]) : 4;
    struct drape drape = drape_new();
    for (int hour = 0; hour < hours; hour++) {
        for (int gust = 0; gust < 8; gust++)
            hang(&drape);
        light(&drape, angle_at(hour));
    }
    printf("%d hours, weight %.3f\n", hours, weigh(&drape));
    free(drape.nap);
    free(drape.shade);
    return 0;
}
