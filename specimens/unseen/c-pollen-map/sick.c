// Pollen grains drift over a map; each square collects what its grains carry.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, SQUARES = SIDE * SIDE, NOTES = 10 };

typedef struct {
    float x, y;
    float dx, dy;
    uint32_t kind;
    uint32_t age;
    uint32_t notes[NOTES];
} Grain;

typedef struct {
    Grain *grains;
    size_t count;
    uint32_t *order;
    uint32_t *first;
} Cloud;

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void *must(void *memory)
{
    if (!memory) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return memory;
}

static uint32_t square_of(const Grain *grain)
{
    return (uint32_t)grain->y * SIDE + (uint32_t)grain->x;
}

static void scatter(Cloud *cloud, size_t count)
{
    uint32_t state = 2463534242u;
    cloud->count = count;
    cloud->grains = must(malloc(count * sizeof *cloud->grains));
    cloud->order = must(malloc(count * sizeof *cloud->order));
    cloud->first = must(calloc(SQUARES + 1, sizeof *cloud->first));
    for (size_t i = 0; i < count; i++) {
        Grain *grain = &cloud->grains[i];
        grain->x = (float)(next_random(&state) % (SIDE * 16)) / 16;
        grain->y = (float)(next_random(&state) % (SIDE * 16)) / 16;
        grain->dx = (float)(next_random(&state) % 16) / 512;
        grain->dy = (float)(next_random(&state) % 16) / 512;
        grain->kind = next_random(&state) % 11;
        grain->age = 0;
        for (int n = 0; n < NOTES; n++)
            grain->notes[n] = state >> n;
    }
}

// Sorts the grains' numbers by square (counting sort).
static void index_squares(Cloud *cloud)
{
    for (size_t i = 0; i < cloud->count; i++)
        cloud->first[square_of(&cloud->grains[i]) + 1]++;
    for (size_t s = 0; s < SQUARES; s++)
        cloud->first[s + 1] += cloud->first[s];
    uint32_t *cursor = must(malloc(SQUARES * sizeof *cursor));
    memcpy(cursor, cloud->first, SQUARES * sizeof *cursor);
    for (size_t i = 0; i < cloud->count; i++)
        cloud->order[cursor[square_of(&cloud->grains[i])]++] = (uint32_t)i;
    free(cursor);
}

static uint64_t collect(Cloud *cloud, uint32_t season)
{
    uint64_t total = 0;
    for (size_t s = 0; s < SQUARES; s++) {
        uint32_t load = 0;
        for (uint32_t p = cloud->first[s]; p < cloud->first[s + 1]; p++) {
            Grain *grain = &cloud->grains[cloud->order[p]];
            grain->age += grain->kind == season % 11;
            load += grain->kind * (grain->age + 1) + (uint32_t)(grain->dx * 64);
        }
        total = total * 31 + load;
    }
    return total;
}

static uint64_t wind(uint32_t season)
{
    uint64_t gust = season + 1;
    for (int hour = 0; hour < 4000000; hour++)
        gust = gust * 6364136223846793005ull + 1442695040888963407ull;
    return gust >> 40;
}

int main(int argc, char **argv)
{
    uint32_t seasons = argc > 1 ? (uint32_t)atoi(argv[1]) : 2;
    Cloud cloud;
    scatter(&cloud, 2000000);
    index_squares(&cloud);
    uint64_t total = 0;
    for (uint32_t season = 0; season < seasons; season++)
        total = total * 17 + collect(&cloud, season) + wind(season);
    printf("pollen %llx\n", (unsigned long long)total);
    free(cloud.grains);
    free(cloud.order);
    free(cloud.first);
    return 0;
}
