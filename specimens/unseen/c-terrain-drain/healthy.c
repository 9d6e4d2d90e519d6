/* Rain over a terrain: water is poured on a grid of heights, carried downhill and soaked up. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int width, height;
    int32_t *ground;
    int32_t *water;
    int32_t *soaked;
} Terrain;

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int32_t *plane(int width, int height)
{
    int32_t *cells = calloc((size_t)width * height, sizeof *cells);
    if (!cells) {
        perror("calloc");
        exit(1);
    }
    return cells;
}

static void raise_ground(Terrain *t, uint32_t seed)
{
    for (int y = 0; y < t->height; y++) {
        int32_t level = 4000 + (int32_t)(draw(&seed) % 500);
        for (int x = 0; x < t->width; x++) {
            level += (int32_t)(draw(&seed) % 41) - 20;
            t->ground[(size_t)y * t->width + x] = level;
        }
    }
}

static void rain(Terrain *t, uint32_t seed)
{
    size_t cells = (size_t)t->width * t->height;
    uint32_t cloud = draw(&seed) % 7 + 3;
    for (size_t at = 0; at < cells; at++)
        t->water[at] += (int32_t)((at * cloud >> 9) % 13);
}

static void flow_east(Terrain *t)
{
    for (int y = 0; y < t->height; y++) {
        int32_t *water = t->water + (size_t)y * t->width;
        const int32_t *ground = t->ground + (size_t)y * t->width;
        for (int x = 0; x + 1 < t->width; x++) {
            int32_t slope = ground[x] - ground[x + 1];
            int32_t moved = slope > 0 ? water[x] >> 1 : 0;
            water[x] -= moved;
            water[x + 1] += moved;
        }
    }
}

static void flow_south(Terrain *t)
{
    const int width = t->width;
    for (int y = 0; y + 1 < t->height; y++) {
        for (int x = 0; x < width; x++) {
            size_t here = (size_t)y * width + x;
            int32_t slope = t->ground[here] - t->ground[here + width];
            int32_t moved = slope > 0 ? t->water[here] >> 1 : 0;
            t->water[here] -= moved;
            t->water[here + width] += moved;
        }
    }
}

static void soak(Terrain *t)
{
    size_t cells = (size_t)t->width * t->height;
    for (size_t at = 0; at < cells; at++) {
        int32_t taken = t->water[at] / 5;
        t->water[at] -= taken;
        t->soaked[at] += taken;
    }
}

static uint64_t survey(const Terrain *t, int64_t *standing)
{
    uint64_t seal = 14695981039346656037ull;
    size_t cells = (size_t)t->width * t->height;
    *standing = 0;
    for (size_t at = 0; at < cells; at++) {
        *standing += t->water[at];
        seal = (seal ^ (uint32_t)t->soaked[at]) * 1099511628211ull;
    }
    return seal;
}

int main(int argc, char **argv)
{
    int hours = argc > 1 ? atoi(argv[1]) : 8;
    int side = argc > 2 ? atoi(argv[2]) : 2048;
    Terrain t = { side, side, plane(side, side), plane(side, side), plane(side, side) };
    raise_ground(&t, 90125);
    for (int hour = 0; hour < hours; hour++) {
        rain(&t, 17u + (uint32_t)hour);
        flow_east(&t);
        flow_south(&t);
        soak(&t);
    }
    int64_t standing;
    uint64_t seal = survey(&t, &standing);
    printf("hours=%d standing=%lld seal=%016llx\n", hours, (long long)standing, (unsigned long long)seal);
    free(t.ground);
    free(t.water);
    free(t.soaked);
    return 0;
}
