/* Plover atlas: spreads sightings over a grid of the coast until the map is smooth, then counts the breeding places. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 320

struct atlas {
    float *now;
    float *next;
    long sightings;
};

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int open_atlas(struct atlas *atlas, long sightings)
{
    uint32_t state = 4711;
    atlas->now = calloc((size_t)SIDE * SIDE, sizeof(float));
    atlas->next = calloc((size_t)SIDE * SIDE, sizeof(float));
    atlas->sightings = sightings;
    if (!atlas->now || !atlas->next)
        return -1;
    for (long number = 0; number < sightings; number++) {
        uint32_t row = 1 + draw(&state) % (SIDE - 2), column = 1 + draw(&state) % (SIDE - 2);
        atlas->now[row * SIDE + column] += (float)(draw(&state) % 40);
    }
    return 0;
}

/* One step of smoothing; returns how much the middle row has changed. */
static double relax(const float *restrict now, float *restrict next)
{
    double change = 0;
    for (int row = 1; row < SIDE - 1; row++) {
        const float *up = now + (row - 1) * SIDE, *here = now + row * SIDE, *down = now + (row + 1) * SIDE;
        float *to = next + row * SIDE;
        for (int column = 1; column < SIDE - 1; column++)
            to[column] = here[column] * 0.6f
                + 0.1f * (up[column] + down[column] + here[column - 1] + here[column + 1]);
    }
    for (int column = 1; column < SIDE - 1; column++)
        change += fabs((double)next[SIDE / 2 * SIDE + column] - now[SIDE / 2 * SIDE + column]);
    return change;
}

static double smooth(struct atlas *atlas, int steps)
{
    double change = 0;
    for (int step = 0; step < steps; step++) {
        change = relax(atlas->now, atlas->next);
        float *swap = atlas->now;
        atlas->now = atlas->next;
        atlas->next = swap;
        if (step % 20000 == 19999)
            printf("step %d change %.4f\n", step + 1, change);
    }
    return change;
}

/* A breeding place is higher than its eight neighbours. */
static long breeding_places(const struct atlas *atlas)
{
    long places = 0;
    for (int row = 1; row < SIDE - 1; row++) {
        for (int column = 1; column < SIDE - 1; column++) {
            float here = atlas->now[row * SIDE + column];
            int higher = 1;
            for (int down = -1; down <= 1 && higher; down++)
                for (int right = -1; right <= 1; right++)
                    if ((down || right) && atlas->now[(row + down) * SIDE + column + right] >= here)
                        higher = 0;
            places += higher;
        }
    }
    return places;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    struct atlas atlas;
    if (open_atlas(&atlas, 5000) != 0)
        return 1;
    double change = smooth(&atlas, steps);
    printf("%d steps, change %.5f, %ld breeding places\n", steps, change, breeding_places(&atlas));
    free(atlas.now);
    free(atlas.next);
    return 0;
}
